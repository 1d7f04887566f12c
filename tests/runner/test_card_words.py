"""What was pressed stands as before, and its card says how the thing stands: that is proven, or a replay stops."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun, run_on
from tests.sites.serving import PageHandler

pytestmark = pytest.mark.promise("what becomes of a press")

ROW = """<li><a href=/things/{number}>{name}</a> <em>{state}</em>
<form method=post action=/things/{number}/state><button name=to value=done>Mark done</button></form></li>"""
WORDS = ("amber", "birch", "cedar", "damson", "elder", "fern", "gorse", "hazel", "ivy", "juniper", "kelp", "laurel")


MENU = """<div role=menu hidden><div role=menuitem>done</div><div role=menuitem>late</div></div><script>
let number; const menu = document.querySelector("[role=menu]");
for (const one of document.querySelectorAll("form button")) {
  one.type = "button";
  one.onclick = () => { number = one.form.action.split("/")[4]; menu.hidden = false };
}
for (const one of menu.children) one.onclick = async () => {
  await fetch("/things/" + number + "/state", { method: "POST", body: one.textContent });
  location.reload();
};
</script>"""


@dataclass
class Site:
    """Three things, and what the site makes of a press."""

    kept: str = "done"
    """What it keeps where it is sent done."""
    menu: bool = False
    """Whether a button opens a menu, which has the states."""
    others: bool = False
    """Whether each card says another word each time that it is shown, whatever is pressed."""
    states: dict[int, str] = field(default_factory=dict)

    def reset(self) -> None:
        self.states = dict.fromkeys((48213, 48230, 48247), "open")


@pytest.fixture
def site() -> Site:
    made = Site()
    made.reset()
    return made


@pytest.fixture
def run(
    site: Site, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Iterator[OneRun]:
    shown = count()

    class Handler(PageHandler):
        def do_GET(self) -> None:
            rows = zip(site.states, ("Alpha", "Beta", "Gamma"), site.states.values(), strict=True)
            word = WORDS[next(shown) % len(WORDS)] if site.others else ""
            told = [ROW.format(number=number, name=name, state=f"{state} {word}") for number, name, state in rows]
            menu = MENU if site.menu else ""
            self.answer(200, f"<title>Things</title><ul>{''.join(told)}</ul><a href=/>Home</a>{menu}")

        def do_POST(self) -> None:
            self.body()
            number = int(self.path.split("/")[2])
            if not site.others:
                site.states[number] = site.kept
            self.answer(303, location="/things")

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        yield run


ACTS = [
    call("navigate", url="/things"),
    call("click", selector="li:nth-of-type(2) button"),
    call("navigate", url="/"),
    call("navigate", url="/things"),
]


@pytest.mark.parametrize("menu", [False, True], ids=["button", "menu"])
@pytest.mark.parametrize("kept", ["open", "late"], ids=["nothing", "something else"])
def test_what_the_card_says_has_to_come_again(site: Site, run: OneRun, kept: str, *, menu: bool) -> None:
    site.menu = menu
    first, press, *more = ACTS
    choice = [call("click", selector='role=menuitem[name="done"]')] if menu else []
    run.record([first, press, *choice, *more])
    assert site.states[48230] == "done"
    site.reset()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    site.reset()
    site.kept = kept
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition", replayed
    assert "'Beta' to say 'done'" in replayed["drift"]["expected"], replayed["drift"]


def test_what_it_says_otherwise_each_time_says_nothing(site: Site, run: OneRun) -> None:
    site.others = True
    run.record(ACTS)
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == (
        "passed",
        [["button 'Mark done'"]],
    ), replayed


EDITED = """<main></main><script>
const things = {things}, main = document.querySelector("main");
const list = () => {{
  main.innerHTML = "<ul>" + Object.entries(things).map(([id, text]) =>
    `<li id=${{id}}><h2><a href=/things/${{id}}>Thing ${{id}}</a></h2><p>${{text}}</p><button>Edit</button>`).join("");
  for (const row of main.querySelectorAll("li")) row.querySelector("button").onclick = () => edit(row.id);
}};
const edit = (id) => {{
  setTimeout(() => fetch("/drafts/" + id, {{ method: "POST", body: "begun" }}), 400);
  main.innerHTML = "<textarea aria-label=Text></textarea><button>Save</button>";
  main.querySelector("button").onclick = async () => {{
    things[id] = main.querySelector("textarea").value;
    await fetch("/things/" + id, {{ method: "PUT", body: things[id] }});
    list();
  }};
}};
list();
</script>"""


def test_what_was_put_in_after_a_press_is_no_state_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    texts = {"48213": "It leans on the wall.", "48230": "It has two legs."}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            self.answer(200, EDITED.format(things=json.dumps(texts)))

        def do_POST(self) -> None:
            self.body()
            self.answer(204)

        def do_PUT(self) -> None:
            texts[self.path.rpartition("/")[2]] = self.body().decode()
            self.answer(204)

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/things"),
                call("click", selector="li:nth-of-type(1) button"),
                call("fill", selector="textarea", value="It stands by the door."),
                call("click", selector="Save"),
                call("navigate", url="/things"),
            ]
        )
        assert all(one.success for one in told), told
        assert texts["48213"] == "It stands by the door."
        assert "state" not in {kind for kind, *_ in run.effects()}, run.effects()
        texts["48213"] = "It leans on the wall."
        assert run.replay()["verdict"] == "passed"


def test_what_a_card_says_since_a_later_press_is_no_state_of_an_earlier_one(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    said = {"48213": "open", "48230": "open"}

    class Handler(PageHandler):
        def do_GET(self) -> None:
            page = EDITED.replace("PUT", "POST").replace("<textarea aria-label=Text></textarea>", "<p>Sure?")
            self.answer(200, page.replace('main.querySelector("textarea").value', "'closed'").format(things=said))

        def do_POST(self) -> None:
            self.body()
            if self.path.startswith("/things/"):
                said[self.path.rpartition("/")[2]] = "closed"
            self.answer(204)

    with run_on(Handler, tmp_path, monkeypatch, capsys) as run:
        told = run.record(
            [
                call("navigate", url="/things"),
                call("click", selector="li:nth-of-type(1) button"),
                call("click", selector="Save"),
                call("navigate", url="/things"),
            ]
        )
        assert all(one.success for one in told), told
        assert said["48213"] == "closed"
        with Recording.open(tmp_path / "a.db") as recording:
            (row,) = recording.runs()
            sent = {one.id: one.url for one in recording.writes(row.id)}
            states = [sent[one.write_id] for one in recording.effects(row.id) if one.kind == "state"]
        assert not any(url.startswith("/drafts/") for url in states), states
