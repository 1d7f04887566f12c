"""A replay that stops at what an earlier write had put in has not proven a later one to the same thing: that may have
changed it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("success that did not happen")

PAGE = """<main></main><script>
const at = document.querySelector("main");
const send = async (method, to, said) => (await fetch(to, { method, headers: { "content-type": "application/json" }, body: JSON.stringify(said) })).json();
const ASK = { query: "query Boat { boat { id title fragile seats } }", variables: { id: "48213" } };
const form = (id, kept) => {
  at.innerHTML = `<h1>${id ? kept.title : "New"}</h1><form><label>Title <input name=title></label>
    <span role=switch tabindex=0 aria-label=Fragile class=switch>on or off</span><label>Seats <input name=seats type=number></label><button>Save</button></form>`;
  const own = document.forms[0], fragile = document.querySelector(".switch");
  Object.assign(own.title, { value: kept.title }); Object.assign(own.seats, { value: kept.seats });
  fragile.ariaChecked = String(!!kept.fragile);
  fragile.onclick = () => { fragile.ariaChecked = String(fragile.ariaChecked !== "true"); };
  own.onsubmit = async (event) => {
    event.preventDefault();
    const said = { input: { id, title: own.title.value, fragile: fragile.ariaChecked === "true", seats: Number(own.seats.value) } };
    const made = await send("POST", id ? "/update" : "/make", said);
    history.pushState({}, "", "/boats/" + made.id);
    form(made.id, (await send("POST", "/graphql", ASK)).data.boat);
  };
};
const id = location.pathname.startsWith("/boats/4") ? location.pathname.slice(7) : "";
id ? send("POST", "/graphql", ASK).then((it) => form(id, it.data.boat)) : form("", { title: "", seats: "" });
</script>"""  # noqa: E501
REMARK = "<form method=post action=/remarks><label>Remark <input name=remark></label><button>Keep</button></form>"
CALLS = [
    call("navigate", url="/boats/new"),
    call("fill", selector="Title", value="The Heron of the quay"),
    call("check", selector="Fragile"),
    call("click", selector="Save"),
    call("fill", selector="Seats", value="47"),
    call("click", selector="Save"),
    call("navigate", url="/seats"),
    call("fill", selector="Remark", value="Painted in May"),
    call("click", selector="Keep"),
    call("navigate", url="/boats/48213"),
]


@dataclass
class Boats:
    """What is kept, and what the update keeps otherwise."""

    kept: dict[str, Any] = field(default_factory=dict)
    lie: dict[str, Any] = field(default_factory=dict)


@pytest.fixture
def boats() -> Boats:
    return Boats()


@pytest.fixture
def run(
    boats: Boats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            listed = (
                f"<h1>Seats</h1><ul><li><a href=/boats/48213>Heron</a> Seats: {boats.kept.get('seats')}</ul>{REMARK}"
            )
            self.answer(200, {"/": "<h1>Home</h1>", "/seats": listed}.get(self.path, PAGE))

        def do_POST(self) -> None:
            if self.path == "/remarks":
                return self.answer(303, location="/")
            asked = json.loads(self.body())
            if self.path == "/graphql":
                return self.tell({"data": {"boat": boats.kept}})
            said = asked["input"]
            boats.kept = said | (boats.lie if self.path == "/update" else {})
            boats.kept["id"] = "48213"
            self.tell({"id": "48213"})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def test_what_was_sent_later_to_that_thing_is_not_proven(boats: Boats, run: OneRun) -> None:
    told = run.record(CALLS)
    assert all(one.success for one in told), told
    honest = run.replay()
    assert (honest["verdict"], [one["unseen"] for one in honest["writes"]]) == ("passed", [[], [], ["Remark"]]), honest
    boats.lie = {"fragile": False}
    replayed = run.replay()
    assert (replayed["verdict"], all(one["unseen"] for one in replayed["writes"])) == ("postcondition", True), replayed
