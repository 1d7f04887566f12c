"""An id that a later visit uses is read from where the site told it: each performance visits its own."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import Reply, call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what sites call things")

TEXT = "Bellows from the old forge"
FORM = """<h1>New</h1><form method=post action=/notes id=form><label>Text <input name=text></label>
<button>Save</button></form><p id=said></p><script>{script}</script>"""
BY_SCRIPT = """form.onsubmit = async (event) => { event.preventDefault();
  const it = await fetch("/notes", {method: "POST", body: new URLSearchParams(new FormData(form))});
  await it.json(); said.textContent = "It is kept."; };"""
BY_LEAVING = BY_SCRIPT.replace(
    'await it.json(); said.textContent = "It is kept.";', "location.href = `/notes/${(await it.json()).note.id}`;"
)
SAYS = {
    "an answer": "",
    "an attribute": "<h1>Kept</h1><article data-id={id}>It is kept.</article>",
    "a form": "<h1>Kept</h1><form method=post action=/notes/{id}/print><button>Print</button></form>",
    "a text": "<h1>Kept</h1><p>Your note has number {id}.</p>",
}
SCRIPTS = {"an answer": BY_SCRIPT, "an answer that is left with": BY_LEAVING}
VISITS = ["/notes/{}", "/view?note_id={}"]


@dataclass
class Notes:
    """Keeps notes under numbers that go on; says each number once."""

    way: str
    url: str = ""
    instead: str = ""
    """What it keeps in the place of what is sent."""
    silent: bool = False
    """Whether it says no number any more."""
    next: int = 48213
    notes: dict[int, str] = field(default_factory=dict)
    looks: list[str] = field(default_factory=list)


@contextmanager
def serving_notes(way: str) -> Iterator[Notes]:
    site = Notes(way)

    class Handler(PageHandler):
        def do_GET(self) -> None:
            site.looks.append(self.path)
            number = self.path.replace("=", "/").rpartition("/")[2]
            if number.isdigit() and int(number) in site.notes:
                return self.answer(200, f"<h1>A note</h1><p>{site.notes[int(number)]}</p>")
            if self.path == "/new":
                return self.answer(200, FORM.format(script=SCRIPTS.get(site.way, "")))
            return self.answer(404, "<h1>Not found</h1>")

        def do_POST(self) -> None:
            sent = dict(parse_qsl(self.body().decode()))["text"]
            site.notes[site.next] = site.instead or sent
            number, site.next = site.next, site.next + 1
            if site.way not in SCRIPTS:
                return self.answer(200, "<h1>Kept</h1>" if site.silent else SAYS[site.way].format(id=number))
            return self.tell({"ok": True} if site.silent else {"note": {"id": number}})

    with served(Handler) as url:
        site.url = url
        yield site


@pytest.fixture
def site(request: pytest.FixtureRequest) -> Iterator[Notes]:
    with serving_notes(request.param) as notes:
        yield notes


@pytest.fixture
def run(tmp_path: Path, site: Notes, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, site.url, capsys)


def keep(visit: str) -> list[Reply]:
    return [
        call("navigate", url="/new"),
        call("fill", selector="Text", value=TEXT),
        call("click", selector="Save"),
        call("navigate", url=visit.format(48213)),
    ]


@pytest.mark.parametrize("visit", VISITS)
@pytest.mark.parametrize("site", SAYS, indirect=True)
def test_a_fresh_replay_visits_what_it_was_told_itself(run: OneRun, site: Notes, visit: str) -> None:
    told = run.record(keep(visit))
    assert all(one.success for one in told), told
    site.looks.clear()
    replayed = run.replay("--identity", "fresh", "--seed", "3")
    assert (replayed["verdict"], replayed["drift"]) == ("passed", None)
    assert visit.format(48214) in site.looks
    assert visit.format(48213) not in site.looks


@pytest.mark.parametrize("site", SAYS, indirect=True)
def test_where_nothing_is_told_nothing_is_visited(run: OneRun, site: Notes) -> None:
    told = run.record(keep(VISITS[0]))
    assert all(one.success for one in told), told
    site.silent = True
    site.looks.clear()
    replayed = run.replay("--identity", "fresh", "--seed", "3")
    assert replayed["verdict"] in ("unbound_text", "postcondition"), replayed
    assert VISITS[0].format(48213) not in site.looks


@pytest.mark.parametrize("site", ["an answer that is left with"], indirect=True)
def test_the_page_that_a_script_goes_to_with_the_answer_is_that_of_the_thing(run: OneRun, site: Notes) -> None:
    """The browser gives no answer any more by then."""
    run.record(keep(VISITS[0])[:-1])
    assert ("echo", "kept", True) in run.effects()
    site.instead = "Something that nobody wrote"
    site.next = 48213
    replayed = run.replay()
    assert (replayed["verdict"], replayed["writes"][0]["unseen"]) == ("postcondition", ["Text"]), replayed["drift"]
