"""An option of a list that says nowhere to be one is an input of the field that opened the list."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from tests.fakes.messages_api import Reply, call
from tests.fakes.server import served
from tests.runner.one_run import OneRun
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

PAGE = """<h1>Things</h1><a href=/list>All of them</a>
<div class=sort><div class=shown><span>Sort by</span> <b>Date</b></div></div>
<section><h2>Thing</h2><label>Title <input name=title ></label>
<div class=pick>{hidden}<div class=shown><span>Kind</span> <b>None</b></div></div>
<div class=room><div class=shown><span>Room</span> <b>None</b></div></div>
<button>Save</button></section><script>
const options = {{ pick: ["Book", "Lamp"], room: ["Attic", "Cellar"], sort: ["Name", "Price"] }};
for (const [name, texts] of Object.entries(options)) {{
  const widget = document.querySelector("." + name), shown = widget.querySelector(".shown");
  shown.onclick = () => {{
    const list = document.createElement("ul");
    list.innerHTML = texts.map((one) => `<li><div>${{one}}</div>`).join("");
    for (const [at, one] of [...list.children].entries()) one.onclick = (event) => {{
      event.stopPropagation();
      const hidden = widget.querySelector("input");
      if (hidden) hidden.value = "k" + at;
      shown.querySelector("b").textContent = texts[at];
      list.remove();
      if ({at_once} && name === "pick") send({at_once});
    }};
    ({inside} ? widget : document.body).append(list);
  }};
}}
const shown = (name) => document.querySelector(`.${{name}} b`).textContent;
const title = () => document.querySelector("[name=title]").value;
const headers = {{ "content-type": "application/json" }};
const send = (said) => fetch("/things", {{ method: "POST", headers, body: JSON.stringify(said) }});
document.querySelector("button").onclick = async () => {{
  const kind = {at_once} ? {{}} : {{ kind: shown("pick").toUpperCase() }};
  await send({{ title: title(), room: shown("room"), ...kind }});
  if (!{stays}) location.href = "/things/48213";
}};
</script>"""
HIDDEN = '<input type=hidden name="select-501">'


@dataclass
class Things:
    """What a test may look into, and what the site does."""

    hidden: str = HIDDEN
    inside: bool = True
    at_once: dict[str, Any] | None = None
    """What it sends as a kind is chosen, if anything."""
    shows: bool = False
    """Whether the page of a thing shows its kind."""
    stays: bool = False
    """Whether one stays on the page that has sent a thing."""
    loses: bool = False
    kept: dict[str, Any] = field(default_factory=dict)


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/list":
                return self.answer(200, f"<h1>All of them</h1><ul><li>{things.kept.get('title', '')}</ul>")
            if self.path == "/things/48213":
                kind = f"<dl><dt>Kind<dd>{things.kept['kind'].capitalize()}</dl>" if things.shows else ""
                return self.answer(200, f"<h1>{things.kept['title']}</h1>{kind}")
            at = {"hidden": things.hidden, "inside": str(things.inside).lower(), "at_once": json.dumps(things.at_once)}
            at |= {"stays": json.dumps(things.stays)}
            self.answer(200, PAGE.format(**at))

        def do_POST(self) -> None:
            things.kept |= json.loads(self.body())
            if things.loses:
                things.kept["kind"] = "BOOK"
            self.tell({"id": 48213})

    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    with served(Handler) as url:
        yield OneRun(tmp_path, url, capsys)


def makes(*more: Reply) -> list[Reply]:
    return [
        call("navigate", url="/new"),
        call("fill", selector="Title", value="The house by the lake"),
        *more,
        call("click", selector="Save"),
        call("navigate", url="/things/48213"),
    ]


LAMP = (call("click", selector=".pick .shown"), call("click", selector="Lamp"))


@pytest.mark.parametrize("inside", [True, False], ids=["in the field", "at the end of the page"])
@pytest.mark.parametrize("hidden", [HIDDEN, ""], ids=["kept in a hidden input", "kept by the script"])
@pytest.mark.parametrize("loses", [False, True], ids=["kept", "lost"])
def test_what_no_page_shows_of_it_is_reported(
    things: Things, run: OneRun, inside: bool, hidden: str, loses: bool
) -> None:
    things.inside, things.hidden = inside, hidden
    told = run.record(makes(*LAMP))
    assert all(one.success for one in told), told
    assert things.kept["kind"] == "LAMP"
    things.loses = loses
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [["Kind"]]), replayed


@pytest.mark.parametrize("inside", [True, False], ids=["in the field", "at the end of the page"])
def test_the_page_of_the_thing_shows_it(things: Things, run: OneRun, inside: bool) -> None:
    things.inside, things.shows = inside, True
    told = run.record(makes(*LAMP))
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    things.loses = True
    assert run.replay()["verdict"] == "postcondition"


def test_what_only_sorts_a_list_is_no_input_of_the_form(things: Things, run: OneRun) -> None:
    told = run.record(makes(call("click", selector=".sort .shown"), call("click", selector="Price")))
    assert all(one.success for one in told), told
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


def test_what_only_sorts_a_list_keeps_nobody_from_looking(things: Things, run: OneRun) -> None:
    """It waits for no request: what was sent before is looked for at addresses that the run knows."""
    things.stays = True
    sorts = (call("click", selector=".sort .shown"), call("click", selector="Price"))
    told = run.record([call("navigate", url="/list"), *makes()[:-1], *sorts])
    assert all(one.success for one in told), told
    things.kept.clear()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed


@pytest.mark.parametrize("at_once", [{"kind": "Lamp"}, {"state": 17}], ids=["by its name", "by a number"])
def test_what_is_sent_as_it_is_chosen(things: Things, run: OneRun, at_once: dict[str, Any]) -> None:
    """It is reported with its request, or it is what that press was for, and waits for no other one."""
    things.at_once = at_once
    title = (call("fill", selector="Title", value="The house by the lake"), call("click", selector="Save"))
    told = run.record([call("navigate", url="/new"), *LAMP, *title, call("navigate", url="/things/48213")])
    assert all(one.success for one in told), told
    replayed = run.replay()
    unseen = [["Kind"], []] if "kind" in at_once else [[]]
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", unseen), replayed
