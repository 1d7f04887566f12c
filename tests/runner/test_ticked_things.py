"""Things of a list that are ticked, and worked on by a button beside it, through a script or by their form."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run
from tests.small_run import SmallSite, served_site, small_site

__all__ = ["run", "served_site", "small_site"]
pytestmark = pytest.mark.promise("what is pressed alone")

THINGS = {"48213": "The spade behind the mill", "48214": "The rake under the bridge", "48215": "The hoe by the well"}
RAKE, HOE = "The rake under the bridge", "The hoe by the well"
JSON = "fetch('/remove', { method: 'POST', body: JSON.stringify({ ids }) })"
SENDS = {
    "as JSON": JSON,
    "as a form": "fetch('/remove', { method: 'POST', body: new URLSearchParams(ids.map((id) => [`id[${id}]`, 1])) })",
    "as a list in a form": "fetch('/remove', { method: 'POST', body: new URLSearchParams({ ids: ids.join() }) })",
    "one by one": "Promise.all(ids.map((id) => fetch(`/remove/${id}`, { method: 'POST', body: 'now' })))",
}
PAGE = """<h1>Things</h1>
<label><input type=checkbox onclick="turnAll()">Tick all</label>
<button onclick="removeTicked()">Remove what is ticked</button><table>{rows}</table>
<script>
const isTicked = (box) => box.checked || box.getAttribute('aria-checked') == 'true';
function turnAll() {{
  const boxes = document.querySelectorAll('tr [aria-label]');
  for (const box of boxes) box.type == 'checkbox' ? box.checked = true : turn(box);
}}
function turn(box) {{ box.setAttribute('aria-checked', !isTicked(box)); }}
function removeTicked() {{
  const ticked = [...document.querySelectorAll('tr')].filter((row) => isTicked(row.querySelector('[aria-label]')));
  const ids = ticked.map((row) => row.dataset.id);
  {sends}.then(() => {{ {then} }});
}}</script>"""
FORM = """<h1>Things</h1><form method=post action=/remove>{also}<table>{rows}</table>
<button>Remove what is ticked</button></form>"""
SURE = """<h1>Are you sure?</h1><ul>{names}</ul><form method=post action=/sure>{hidden}<button>Yes</button></form>
<a href="/">No</a>"""
CHOOSES = "<label>What to do <select name=what><option>Nothing<option value=del>Remove</select></label>"
FORM_BOXES = {
    "called by its value": '<input type=checkbox name=ids value={id} aria-label="Tick {name}">',
    "called by its name": '<input type=checkbox name="row[{id}]" aria-label="Tick {name}">',
}
ROW = "<tr data-id={id}><td>{box}<td>{name}</tr>"
BOXES = {
    "boxes": '<input type=checkbox aria-label="Tick {name}">',
    "drawn boxes": '<i role=checkbox aria-checked=false tabindex=0 aria-label="Tick {name}" onclick=turn(this)>o</i>',
}
RELOADS, REDRAWS = "location.reload()", "ticked.forEach((row) => row.remove())"


@dataclass
class Shed:
    """A list of things on a small site, of which some may only be said to be removed."""

    site: SmallSite
    sends: str = JSON
    box: str = BOXES["boxes"]
    then: str = RELOADS
    things: dict[str, str] = field(default_factory=lambda: dict(THINGS))
    kept: set[str] = field(default_factory=set)
    """What stays, whatever is said."""
    page: str = PAGE
    also: str = ""
    """What stands in the form, too."""
    asks: bool = False
    """Whether the form is answered by a page that asks once more."""

    def __post_init__(self) -> None:
        self.site.answers["/remove"] = self.remove if self.page == PAGE else self.take_form
        self.site.answers["/sure"] = self.take_form
        for one in THINGS:
            self.site.answers[f"/remove/{one}"] = lambda _, one=one: self.remove({"id": one})
        self.show()

    def show(self) -> None:
        """Put up the list."""
        rows = [
            ROW.format(id=one, name=name, box=self.box.format(id=one, name=name)) for one, name in self.things.items()
        ]
        self.site.pages["/"] = self.page.format(rows="".join(rows), sends=self.sends, then=self.then, also=self.also)

    def remove(self, fields: Mapping[str, str]) -> tuple[int, str]:
        """Take away what is named, but for what is kept."""
        said = " ".join((*fields, *fields.values()))
        self.things = {one: name for one, name in self.things.items() if one not in said or one in self.kept}
        self.show()
        return 200, "{}"

    def take_form(self, fields: Mapping[str, str]) -> str | tuple[int, str]:
        """Take what the form has sent, or what asks once more: a field for each thing, or several of one name."""
        ticked = [one for one in THINGS if any(one in said for said in (*fields, *fields.values()))]
        if self.asks and "sure" not in fields:
            hidden = (f"<input type=hidden name=row[{one}] value={one}>" for one in ticked)
            names = (f"<li><a href=/things/{one}>{THINGS[one]}</a>" for one in ticked)
            sure = "<input type=hidden name=sure value=yes>"
            return 200, SURE.format(names="".join(names), hidden="".join(hidden) + sure)
        self.remove(fields)
        return "/"

    def fill(self, kept: Collection[str] = ()) -> None:
        """Put all things back; some of them are kept from now on."""
        self.things, self.kept = dict(THINGS), set(kept)
        self.show()


def remove(*names: str, by: str = "check") -> list[Reply]:
    """Tick some things, have them removed, and come back."""
    ticks = (call(by, selector=f"Tick {name}") for name in names)
    press = [call("click", selector="Remove what is ticked"), call("navigate", url="/")]
    return [call("navigate", url="/"), *ticks, *press]


@pytest.mark.parametrize(("sends", "box"), [("as JSON", "drawn boxes"), ("as a form", "boxes")])
def test_what_a_script_removes_of_a_ticked_thing_is_gone_or_the_replay_stops(
    run: OneRun, small_site: SmallSite, sends: str, box: str
) -> None:
    shed = Shed(small_site, SENDS[sends], BOXES[box])
    told = run.record(remove(RAKE))
    assert all(one.success for one in told), told
    assert list(shed.things) == ["48213", "48215"]
    assert run.effects() == [("disappearance", "kept", True)]
    for kept in ((), ("48214",)):
        shed.fill(kept)
        replayed = run.replay()
        assert replayed["verdict"] == ("postcondition" if kept else "passed"), replayed
        unseen = [["button 'Remove what is ticked'"]] if kept else [[]]
        assert [one["unseen"] for one in replayed["writes"]] == unseen, replayed


@pytest.mark.parametrize(
    ("sends", "box", "by", "then"),
    [
        ("as JSON", "boxes", "click", REDRAWS),
        ("as a form", "drawn boxes", "click", RELOADS),
        ("as a list in a form", "drawn boxes", "check", REDRAWS),
        ("one by one", "boxes", "check", RELOADS),
    ],
    ids=["JSON", "form", "list", "apart"],
)
def test_of_several_ticked_things_each_is_gone_or_the_replay_stops(
    run: OneRun, small_site: SmallSite, sends: str, box: str, by: str, then: str
) -> None:
    shed = Shed(small_site, SENDS[sends], BOXES[box], then)
    told = run.record(remove(RAKE, HOE, by=by))
    assert all(one.success for one in told), told
    assert list(shed.things) == ["48213"]
    assert ("disappearance", "kept", True) in run.effects()
    for kept in ((), ("48215",), ("48214", "48215")):
        shed.fill(kept)
        replayed = run.replay()
        assert set(shed.things) == {"48213", *kept}
        assert replayed["verdict"] == ("postcondition" if kept else "passed"), replayed
        assert [bool(one["unseen"]) for one in replayed["writes"]] == [bool(kept)], replayed


@pytest.mark.parametrize("box", BOXES)
def test_what_one_box_has_ticked_is_gone_or_the_replay_stops(run: OneRun, small_site: SmallSite, box: str) -> None:
    shed = Shed(small_site, box=BOXES[box])
    tick, press, come = (call("click", selector=one) for one in ("Tick all", "Remove what is ticked", "Things"))
    told = run.record([call("navigate", url="/"), tick, press, come])
    assert all(one.success for one in told), told
    assert not shed.things
    assert ("disappearance", "kept", True) in run.effects()
    for kept in ((), ("48214",)):
        shed.fill(kept)
        replayed = run.replay()
        assert replayed["verdict"] == ("postcondition" if kept else "passed"), replayed
        assert [bool(one["unseen"]) for one in replayed["writes"]] == [bool(kept)], replayed


@pytest.mark.parametrize(("box", "by"), [("boxes", "check"), ("drawn boxes", "click")])
def test_of_several_ticked_things_it_is_told_that_nobody_saw_them_gone(
    run: OneRun, small_site: SmallSite, box: str, by: str
) -> None:
    shed = Shed(small_site, box=BOXES[box])
    shed.fill(THINGS)
    told = run.record(remove(RAKE, HOE, by=by))
    assert all(one.success for one in told), told
    replayed = run.replay()
    unseen = [[f"Tick {name}" for name in (RAKE, HOE)]]
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", unseen), replayed


@pytest.mark.parametrize(
    ("box", "names", "also", "asks"),
    [
        ("called by its value", (RAKE,), "", False),
        ("called by its name", (RAKE, HOE), CHOOSES, False),
        ("called by its name", (RAKE, HOE), "", True),
    ],
    ids=["one", "several", "confirmed"],
)
def test_what_a_form_removes_of_what_is_ticked_is_gone_or_the_replay_stops(
    run: OneRun, small_site: SmallSite, box: str, names: tuple[str, ...], also: str, asks: bool
) -> None:
    shed = Shed(small_site, box=FORM_BOXES[box], page=FORM, also=also, asks=asks)
    ticks = [call("check", selector=f"Tick {name}") for name in names]
    chosen = [call("select", selector="What to do", value="Remove")] if also else []
    sure = [call("click", selector="Yes")] if asks else []
    press = call("click", selector="Remove what is ticked")
    told = run.record([call("navigate", url="/"), *ticks, *chosen, press, *sure, call("navigate", url="/")])
    assert all(one.success for one in told), told
    assert sorted(shed.things.values()) == sorted({*THINGS.values()} - {*names})
    assert ("disappearance", "kept", True) in run.effects()
    for kept in ((), ("48214",)):
        shed.fill(kept)
        replayed = run.replay()
        assert RAKE in shed.things.values() if kept else RAKE not in shed.things.values()
        assert replayed["verdict"] == ("postcondition" if kept else "passed"), replayed
        if not kept and not asks:
            assert [one["unseen"] for one in replayed["writes"]] == [["What to do"] if also else []], replayed


def test_a_box_that_says_how_its_thing_stands_is_none_to_choose_it_by(run: OneRun, small_site: SmallSite) -> None:
    on: set[str] = set()
    lost = False

    def show() -> None:
        rows = (
            f"<tr id=row-{one}><td><label><input type=checkbox name=open[{one}] {'checked' * (one in on)}>Open</label>"
            f"<td><a href=/things/{one}>{name}</a></tr>"
            for one, name in THINGS.items()
        )
        small_site.pages["/"] = FORM.format(rows="".join(rows), also="")

    def save(fields: Mapping[str, str]) -> str:
        on.clear()
        on.update(one for one in THINGS if f"open[{one}]" in fields and not lost)
        show()
        return "/"

    small_site.answers["/remove"] = save
    show()
    tick = call("check", selector="[name='open[48214]']")
    told = run.record(
        [call("navigate", url="/"), tick, call("click", selector="Remove what is ticked"), call("navigate", url="/")]
    )
    assert all(one.success for one in told), told
    assert on == {"48214"}
    for lost in (False, True):
        on.clear()
        show()
        replayed = run.replay()
        assert replayed["verdict"] == ("postcondition" if lost else "passed"), replayed
        assert [bool(one["unseen"]) for one in replayed["writes"]] == [lost], replayed
