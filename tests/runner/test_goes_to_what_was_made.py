"""An application goes to the page of what it has made by itself, which a quick user does not wait for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("where what was sent is seen")

PAGE = """<main></main><script>
const main = document.querySelector("main");
const draw = async () => {
  const id = location.pathname.split("/")[2];
  if (id === "new") main.innerHTML = "<h1>New</h1><label>Title <input></label><button>Save</button>";
  else {
    const things = await (await fetch("/api/things")).json();
    const found = things.filter((one) => !id || one.id === id);
    const rows = found.map(({ id, title }) => `<li><a href=/things/${id}>${title}</a>`);
    main.innerHTML = `<h1>Things</h1><ul>${rows.join("")}</ul>`;
  }
  const button = document.querySelector("button");
  if (button) button.onclick = async () => {
    const title = document.querySelector("input").value;
    const made = await (await fetch("/api/things", { method: "POST", body: JSON.stringify({ title }) })).json();
    const goes = () => { history.pushState({}, "", `/things/${made.to || made.id}`); draw(); };
    made.late ? new Promise((go) => setTimeout(go, made.late)).then(goes) : goes();
  };
};
draw();
</script>"""


@dataclass
class Things:
    """What the site keeps, how late it goes on, and where, if not to what it has made."""

    kept: list[dict[str, str]] = field(default_factory=lambda: [{"id": "48213", "title": "Pier"}])
    late: int = 0
    to: str = ""


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/api/things":
                return self.tell(things.kept)
            self.answer(200, PAGE)

        def do_POST(self) -> None:
            made = {"id": str(48300 + 7 * len(things.kept)), **json.loads(self.body())}
            things.kept.append(made)
            self.tell({**made, "late": things.late} | ({"to": things.to} if things.to else {}))

    with run_on(Handler, tmp_path, monkeypatch, capsys) as made:
        yield made


@pytest.mark.parametrize(
    ("late", "to", "verdict"),
    [(0, "", "passed"), (2000, "", "passed"), (0, "48213", "postcondition"), (0, "none", "postcondition")],
)
def test_a_page_that_goes_on_sooner_than_its_user_had_left_it(
    run: OneRun, things: Things, late: int, to: str, verdict: str
) -> None:
    things.late = 2000
    told = run.record(
        [
            call("navigate", url="/things"),
            call("navigate", url="/things/new"),
            call("fill", selector="Title", value="Low tide"),
            call("click", selector="Save"),
            call("navigate", url="/things"),
        ]
    )
    assert all(one.success for one in told), told
    things.kept, things.late, things.to = Things().kept, late, to
    replayed = run.replay()
    assert replayed["verdict"] == verdict, json.dumps(replayed["drift"])
