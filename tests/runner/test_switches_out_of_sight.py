"""Boxes that take no room, as style sheets draw switches, and radio buttons that are elements of a site's own: what is
ticked there is an input, and the site may drop it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("success that did not happen")

SWITCH = """<style>.sw { position: relative; display: inline-block; width: 60px; height: 34px }
.sw input { opacity: 0; width: 0; height: 0 } .sw i { position: absolute; inset: 0; background: #ccc }</style>
Lent out <label class=sw><input type=checkbox name=lent value=yes CALLED><i></i></label>"""
RADIOS = """<wood-group name=wood><wood-choice value=oak>Oak tree</wood-choice>
<wood-choice value=elm>Elm tree</wood-choice></wood-group><script>
customElements.define("wood-group", class extends HTMLElement {
  static formAssociated = true;
  constructor() {
    super();
    const inner = this.attachInternals();
    this.attachShadow({ mode: "open" }).innerHTML = "<fieldset role=radiogroup aria-labelledby=l><b id=l>Wood</b><slot></slot></fieldset>";
    this.addEventListener("click", (event) => {
      const chosen = event.target.closest("wood-choice");
      for (const one of this.children) one.setAttribute("aria-checked", one === chosen);
      if (chosen) inner.setFormValue(chosen.getAttribute("value"));
    });
  }
  connectedCallback() {
    for (const one of this.children) for (const [name, value] of [["role", "radio"], ["aria-checked", "false"], ["tabindex", 0]]) one.setAttribute(name, value);
  }
});</script>"""  # noqa: E501
TAKEN_BACK = """<label for=sw>Lent out</label> <div><input type=checkbox id=sw role=switch aria-checked=false></div>
<input type=hidden name=lent value=no><script>
const box = document.querySelector("#sw");
box.parentElement.onclick = (event) => {
  event.preventDefault();
  SAYS
};</script>"""
SAYS = """box.setAttribute("aria-checked", "true");
  document.querySelector("[name=lent]").value = "yes";"""
WOODS = {"oak": "Oak tree", "elm": "Elm tree", "": ""}


@dataclass
class Things:
    """What the site keeps, and whether it drops what is ticked."""

    kept: list[dict[str, list[str]]] = field(default_factory=list)
    drops: bool = False
    form: str = SWITCH


@pytest.fixture
def things() -> Things:
    return Things()


@pytest.fixture
def run(
    things: Things, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            if self.path == "/things/48213":
                kept = things.kept[-1]
                wood = WOODS[kept.get("wood", [""])[0]]
                told = f"<dt>Lent out<dd>{kept.get('lent', ['no'])[0]}<dt>Wood<dd>{wood}"
                return self.answer(200, f"<h1>{kept['title'][0]}</h1><dl>{told}</dl>")
            form = "<h1>New</h1><form method=post action=/things><label>Title <input name=title></label>"
            self.answer(200, f"{form}<div>{things.form}</div><button>Save</button></form>" * (self.path == "/new"))

        def do_POST(self) -> None:
            sent = parse_qs(self.body().decode())
            things.kept.append({"title": sent["title"]} if things.drops else sent)
            self.answer(303, location="/things/48213")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


def recorded(run: OneRun, *acts: Reply) -> None:
    made = (call("navigate", url="/new"), call("fill", selector="Title", value="The chair by the stove"))
    seen = (call("navigate", url="/"), call("navigate", url="/things/48213"))
    told = run.record([*made, *acts, call("click", selector="Save"), *seen])
    assert all(one.success for one in told), told


@pytest.mark.breadth(1, table=2)
@pytest.mark.parametrize(
    ("called", "act"),
    [
        ("aria-label='Lent out'", call("check", selector="Lent out")),
        ("", call("check", selector="Lent out")),
        ("", call("click", selector=".sw")),
        ("", call("fill_form", values={"Lent out": "yes"})),
    ],
    ids=["labelled", "beside", "clicked", "form"],
)
def test_a_switch_that_style_sheets_draw_is_ticked_and_looked_for(
    run: OneRun, things: Things, called: str, act: Reply
) -> None:
    things.form = SWITCH.replace("CALLED", called)
    recorded(run, act)
    assert things.kept[-1]["lent"] == ["yes"]
    replayed = run.replay()
    assert (replayed["verdict"], [one["inputs"] for one in replayed["writes"]]) == ("passed", [2]), replayed
    assert (len(things.kept), things.kept[-1]["lent"]) == (2, ["yes"])
    things.drops = True
    lied = run.replay()
    assert lied["verdict"] == "postcondition", lied


def test_a_switch_that_takes_the_press_back_from_its_box_says_how_it_stands(run: OneRun, things: Things) -> None:
    things.form = TAKEN_BACK.replace("SAYS", SAYS)
    recorded(run, call("check", selector="Lent out"))
    assert things.kept[-1]["lent"] == ["yes"]
    replayed = run.replay()
    assert (replayed["verdict"], things.kept[-1]["lent"]) == ("passed", ["yes"]), replayed


def test_a_box_that_takes_the_press_back_is_not_ticked(run: OneRun, things: Things) -> None:
    things.form = TAKEN_BACK.replace("SAYS", "")
    told = run.record([call("navigate", url="/new"), call("check", selector="Lent out")])
    assert [one.success for one in told] == [True, False], told
    assert "it is not ticked" in told[-1].text, told[-1]


def test_a_radio_button_that_is_an_element_of_the_sites_own_is_looked_for(run: OneRun, things: Things) -> None:
    things.form = RADIOS
    recorded(run, call("check", selector="Elm tree"))
    assert things.kept[-1]["wood"] == ["elm"]
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    assert [one["inputs"] for one in replayed["writes"]] == [2], replayed
    things.drops = True
    lied = run.replay()
    assert lied["verdict"] == "postcondition" or lied["writes"][0]["unseen"] == ["Wood"], lied


def test_what_is_no_box_is_not_ticked(run: OneRun, things: Things) -> None:
    things.form = "<div>Lent out</div>"
    told = run.record([call("navigate", url="/new"), call("check", selector="Lent out")])
    assert [one.success for one in told] == [True, False], told
    assert "pressing it ticked nothing" in told[-1].text, told[-1]
