"""A list that filters itself as one types, a while later, and is drawn anew by that: what is in it is found."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from simulator.api import record_runs, replay_runs
from tests.fakes.server import served
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("a site's own things")

LIST = """<h1>Notes</h1><div><input type=search aria-label="Search by title"><button type=button>Columns</button></div>
<ul></ul><script>
const all = %s, list = document.querySelector("ul"), field = document.querySelector("input");
const of = (wanted) => all.filter(([, title]) => title.includes(wanted));
const draw = (wanted) => { list.innerHTML = of(wanted).map(([id, title, state]) =>
  `<li><a href=/notes/${id}>${title}</a> <i>${state}</i></li>`).join(""); };
// As React has it: what is typed is noted in a later task, and asked for after that; the answer comes by and by.
const channel = new MessageChannel();
channel.port2.onmessage = () => setTimeout(() => {
  let times = 0;
  const timer = setInterval(() => { draw(field.value); if (++times > %d) clearInterval(timer); }, 10);
}, 50);
field.oninput = () => channel.port1.postMessage(0);
draw("");
</script>"""
FORM = """<h1>{title}</h1><form method=post><label>Title <input name=title value="{title}"></label>
<label>State <input name=state value="{state}"></label><button>Save</button></form>"""
SETTINGS = """
packs = []

[site.notes]
base_url = "{url}"

[site.notes.things.note]
create = "/new"
list = "/"
data = "notes"
edit = {{ fields = ["state"] }}

[data.notes.make]
title = "{{{{faker.city}}}} {{{{n}}}}"
state = "State {{{{faker.random_int(10000, 99999)}}}}"
"""
PERSONA = """
persona: writer
about: Keeps notes.
locale: en_GB
tasks:
  - create: {thing: note, count: 2}
  - edit: note
"""


@pytest.fixture
def notes() -> dict[int, tuple[str, str]]:
    return {number: (f"Older {number}", "kept") for number in range(40101, 40141)}


@pytest.fixture(params=[0, 50])
def project(request: pytest.FixtureRequest, notes: dict[int, tuple[str, str]], tmp_path: Path) -> Iterator[None]:
    """The folder of a project beside the site, whose list draws itself anew more often once one has typed."""

    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/":
                told = [[number, *note] for number, note in notes.items()]
                return self.answer(200, LIST % (told, request.param))
            title, state = notes.get(int(self.path.rpartition("/")[2]), ("", "")) if self.path != "/new" else ("", "")
            self.answer(200, FORM.format(title=title, state=state))

        def do_POST(self) -> None:
            sent = {name: value for name, (value,) in parse_qs(self.body().decode()).items()}
            number = max(notes) + 1 if self.path == "/new" else int(self.path.rpartition("/")[2])
            notes[number] = (sent["title"], sent["state"])
            self.answer(303, location="/")

    with served(Handler) as url, chdir(tmp_path):
        (tmp_path / "personas").mkdir()
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=url), "utf-8")
        (tmp_path / "personas/one.yaml").write_text(PERSONA, "utf-8")
        yield


@pytest.mark.usefixtures("project")
def test_a_thing_is_found_in_a_list_that_filters_itself_after_a_while(notes: dict[int, tuple[str, str]]) -> None:
    before = dict(notes)
    (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
    assert run.status == "passed", run
    made = [note for number, note in notes.items() if number not in before]
    assert len(made) == 2
    assert len({state for _, state in made}) == 2
    assert {number: notes[number] for number in before} == before
    (fresh,) = replay_runs("a.db", db="b.db", identity="fresh", seed="99").runs
    assert fresh.verdict == "passed", fresh
    assert len(notes) == len(before) + 4
