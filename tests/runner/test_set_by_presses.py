"""What pressing something puts into a field, as a picker of times, a stepper or a slider does, is an input."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what fields are given")

FORM = """<h1>Boat</h1><form onsubmit="send(event)"><label>Title <input name=title></label>
<label>Leaves at <input name=leaves readonly></label><div class=clock><a class=hour>14</a> <a class=minute>:35</a></div>
<label>Seats <input name=seats value=11></label><button type=button class=more>More seats</button>
<label>Berth <select name=berth><option>Quay<option>Pontoon<option>Mooring</select></label>
<div class=slide tabindex=0 role=slider aria-label=Load aria-valuemin=0 aria-valuemax=99 aria-valuenow=40></div>
<button>Save</button></form><style>.slide { width: 90px; height: 20px } a { cursor: pointer }</style><script>
const at = (selector) => document.querySelector(selector), form = document.forms[0];
for (const one of document.querySelectorAll(".clock a"))
  one.onclick = () => { form.leaves.value = one.className === "hour" ? one.textContent : form.leaves.value + one.textContent; };
at(".more").onclick = () => { form.seats.value = Number(form.seats.value) + 1; };
at(".slide").onkeydown = ({ key }) => {
  const by = { ArrowRight: 1, ArrowLeft: -1 }[key] || 0;
  at(".slide").setAttribute("aria-valuenow", Number(at(".slide").getAttribute("aria-valuenow")) + by);
};
async function send(event) {
  event.preventDefault();
  const body = { ...Object.fromEntries(new FormData(form)), load: at(".slide").getAttribute("aria-valuenow") };
  await fetch("/boats", { method: "POST", headers: { "content-type": "application/json" }, body: JSON.stringify(body) });
  location = "/boats/48213";
}
</script>"""  # noqa: E501
SHOWN = """<h1>{title}</h1><dl><dt>Leaves at<dd>{leaves}<dt>Seats<dd>{seats}<dt>Berth<dd>{berth}<dt>Load<dd>{load}</dl>
<a href=/>Home</a>"""
LIES = {"leaves": "09:20", "seats": "57", "berth": "Quay", "load": "73"}


@dataclass
class Boats:
    """What a test may look into, and what the site keeps otherwise."""

    kept: dict[str, str] = field(default_factory=dict)
    lie: dict[str, str] = field(default_factory=dict)
    form: str = FORM


@pytest.fixture
def boats() -> Boats:
    return Boats()


@pytest.fixture
def run(
    boats: Boats, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    class Handler(PageHandler):
        def do_GET(self) -> None:
            page = SHOWN.format(**boats.kept) if self.path == "/boats/48213" else boats.form
            self.answer(200, page)

        def do_POST(self) -> None:
            boats.kept = json.loads(self.body()) | boats.lie
            self.tell({})

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


MADE: tuple[Reply, ...] = (
    call("navigate", url="/"),
    call("fill", selector="Title", value="The Heron"),
    call("click", selector=".hour"),
    call("click", selector=".minute"),
    call("click", selector="More seats"),
    call("press_keys", selector="Berth", keys="ArrowDown"),
    call("press_keys", selector="Load", keys="ArrowRight"),
    call("press_keys", selector="Load", keys="ArrowRight"),
    call("click", selector="Save"),
    call("navigate", url="/boats/48213"),
)


def _unseen(run: dict[str, Any]) -> list[str]:
    return [str(each) for one in run["writes"] for each in one["unseen"]]


FIELDS = 'Object.fromEntries([...document.querySelectorAll("input,select")].map((one) => [one.id, one.value]))'
OF_SCRIPT = {
    "<form onsubmit": "<div onsubmit",
    "</form>": "</div>",
    "<input name=": "<input id=",
    "<select name=": "<select id=",
    "form = document.forms[0]": "form = window",
    "Object.fromEntries(new FormData(form))": FIELDS,
    "<button>Save": '<button onclick="send(event)">Save',
}


def _of_script() -> str:
    page = FORM
    for now, instead in OF_SCRIPT.items():
        assert now in page
        page = page.replace(now, instead)
    return page


FORMS = {"in a form": FORM, "of a script": _of_script()}


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("lies", LIES)
def test_what_presses_put_into_fields_is_seen_again(form: str, lies: str, boats: Boats, run: OneRun) -> None:
    boats.form = FORMS[form]
    told = run.record(MADE)
    assert [one.text for one in told if not one.success] == []
    assert boats.kept == {"title": "The Heron", "leaves": "14:35", "seats": "12", "berth": "Pontoon", "load": "42"}
    replayed = run.replay()
    assert (replayed["verdict"], _unseen(replayed)) == ("passed", []), replayed
    boats.lie = {lies: LIES[lies]}
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed


STARS = """<form method=post action=/boats><label>Title <input name=title></label><input type=hidden name=val value=2>
<div class=slide tabindex=0 role=slider aria-label=Comfort aria-valuemin=0 aria-valuemax=9 aria-valuenow=2>stars</div>
<button>Save</button></form><script>
document.querySelector(".slide").onkeydown = ({ target }) => {
  document.forms[0].val.value = Number(document.forms[0].val.value) + 1;
  target.setAttribute("aria-valuenow", document.forms[0].val.value);
};
</script>"""
RATED = "<h1>{title}</h1><dl><dt>{called}<dd>{val}</dl>"


@pytest.mark.parametrize("called", ["Comfort", "Stars"])
def test_what_a_script_writes_into_a_hidden_field_is_seen_again_or_told(
    called: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    boats = Boats()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, RATED.format(**boats.kept, called=called) if self.path == "/boats/48213" else STARS)

        def do_POST(self) -> None:
            boats.kept = dict(parse_qsl(self.body().decode())) | boats.lie
            self.answer(303, location="/boats/48213")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        keys = [call("press_keys", selector="Comfort", keys="ArrowRight") for _ in range(3)]
        told = run.record(
            [call("navigate", url="/"), call("fill", selector="Title", value="The Heron"), *keys, *MADE[-2:]]
        )
        assert [one.text for one in told if not one.success] == []
        assert boats.kept == {"title": "The Heron", "val": "5"}
        honest = run.replay()
        boats.lie = {"val": "7"}
        lied = run.replay()

    assert (honest["verdict"], _unseen(honest)) == ("passed", [] if called == "Comfort" else ["Comfort"]), honest
    assert (lied["verdict"], _unseen(lied)[-1:]) == ("postcondition" if called == "Comfort" else "passed", ["Comfort"])


TICKED = """<form method=post action=/boats><label>Title <input name=title></label>
<label><input type=checkbox name=covered value=yes> Covered</label><button>Save</button></form>"""
KEPT = "<h1>{title}</h1><form><label><input type=checkbox name=covered {state} disabled> Covered</label></form>"


@pytest.mark.parametrize("lie", ["", "yes"])
def test_a_box_that_a_key_ticks_is_an_input(
    lie: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    boats = Boats()
    keys = [call("press_keys", selector="Covered", keys="Space") for _ in range(1 if lie == "" else 2)]

    class Handler(PageHandler):
        def do_GET(self) -> None:
            state = "checked" if boats.kept.get("covered") else ""
            page = KEPT.format(**{**boats.kept, "state": state}) if self.path == "/boats/48213" else TICKED
            self.answer(200, page)

        def do_POST(self) -> None:
            boats.kept = dict(parse_qsl(self.body().decode())) | boats.lie
            self.answer(303, location="/boats/48213")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record([*MADE[:2], *keys, *MADE[-2:]])
        assert [one.text for one in told if not one.success] == []
        assert boats.kept.get("covered", "") == ("yes" if lie == "" else "")
        honest = run.replay()
        boats.lie = {"covered": lie}
        lied = run.replay()

    assert (honest["verdict"], _unseen(honest)) == ("passed", []), honest
    assert lied["verdict"] == "postcondition", lied
