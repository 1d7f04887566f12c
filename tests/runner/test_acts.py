"""What was pressed without putting anything in, observed: proven, contradicted, or incidental."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import Any, get_args

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun
from tests.sites.wall import WORDS, Act, Markup, Wall, serving_wall

pytestmark = pytest.mark.promise("what is pressed alone")

TITLE = "Kitchen clock"
NUMBER = 42


@pytest.fixture
def wall(request: pytest.FixtureRequest) -> Iterator[Wall]:
    markup, style = request.param
    with serving_wall(markup, style) as site:
        yield site


@pytest.fixture
def run(tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, wall.url, capsys)


def press(wall: Wall, act: str) -> list[Reply]:
    """Come to the wall, and press a button of one note."""
    card = {"rows": ("li", "tr", "article")[wall.style], "cards": ".card", "words": ".row"}[wall.markup]
    place = [*WORDS, "delete"].index(act) + 1
    button = {
        "rows": f"form[action$={act}] button",
        "cards": f"button:nth-of-type({place})",
        "words": f"button[value={act}]",
    }[wall.markup]
    return [call("navigate", url="/"), call("click", selector=f"{card}:nth-of-type(2) {button}")]


def effects(run: OneRun) -> list[tuple[str, str, bool]]:
    with sqlite3.connect(run.folder / "a.db") as db:
        rows = db.execute("SELECT kind, strength, keyed FROM effect ORDER BY rowid").fetchall()
    return [(kind, strength, bool(keyed)) for kind, strength, keyed in rows]


def recorded(run: OneRun, wall: Wall, act: str) -> None:
    told = run.record(press(wall, act))
    assert all(one.success for one in told), told
    assert wall.writes == [f"{act} {NUMBER}"]
    wall.fill()


def check(run: OneRun, wall: Wall, act: str) -> None:
    """Record, then replay on a site that does it, and on one that only says so."""
    recorded(run, wall, act)
    kind = "disappearance" if act == "delete" else "state"
    assert (kind, "kept", True) in effects(run)
    replayed = run.replay()
    assert (replayed["verdict"], replayed["drift"]) == ("passed", None)
    assert [one["unseen"] for one in replayed["writes"]] == [[]]
    assert wall.writes == [f"{act} {NUMBER}"]
    wall.fill()
    wall.swallows = {act}
    replayed = run.replay()
    assert (replayed["verdict"], replayed["code"]) == ("postcondition", 1)
    assert all(one["unseen"] for one in replayed["writes"])
    said = json.dumps(replayed["drift"])
    assert ("is still listed where it was deleted" if act == "delete" else "it still shows") in said


QUICK: list[tuple[tuple[Markup, int], Act]] = [
    (("rows", 0), "vote"),
    (("rows", 1), "delete"),
    (("cards", 0), "follow"),
    (("cards", 1), "delete"),
    (("words", 0), "close"),
    (("words", 1), "vote"),
]
ALL = [((markup, style), act) for markup in get_args(Markup) for style in range(3) for act in (*WORDS, "delete")]


@pytest.mark.parametrize(("wall", "act"), QUICK, indirect=["wall"])
def test_what_is_pressed_is_proven_by_a_later_document_and_a_lie_is_red(run: OneRun, wall: Wall, act: str) -> None:
    check(run, wall, act)


@pytest.mark.slow
@pytest.mark.parametrize(("wall", "act"), [one for one in ALL if one not in QUICK], indirect=["wall"])
def test_so_it_is_in_every_markup(run: OneRun, wall: Wall, act: str) -> None:
    check(run, wall, act)


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize("wall", [("rows", 0)], indirect=True)
def test_what_pages_send_by_themselves_stays_incidental(run: OneRun, wall: Wall) -> None:
    """A clock runs, a badge counts, and requests come at any time: none of it is made, required or proven."""
    told = run.record(
        [
            call("navigate", url="/"),
            call("click", selector="role=link[name='Kitchen clock']"),
            call("click", selector="Wall"),
        ]
    )
    assert all(one.success for one in told), told
    assert effects(run) == []
    for _ in range(2):
        replayed = run.replay()
        assert (replayed["verdict"], replayed.get("writes", [])) == ("passed", [])


@pytest.mark.table
@pytest.mark.parametrize("wall", [("cards", 0)], indirect=True)
def test_what_asks_back_and_is_there_when_the_page_is_loaded_anew_is_not_deleted(run: OneRun, wall: Wall) -> None:
    """The page's script takes the card away, and neither its age nor the button that asked back comes again."""
    wall.asks = True
    links = [call("click", selector=".card:nth-of-type(2) a:last-of-type") for _ in range(2)]
    told = run.record([call("navigate", url="/"), *links, call("navigate", url="/")])
    assert all(one.success for one in told), told
    assert effects(run)[-1] == ("disappearance", "kept", True)
    wall.fill()
    replayed = run.replay()
    deletions = [one["unseen"] for one in replayed["writes"] if one["method"] == "DELETE"]
    assert (replayed["verdict"], deletions) == ("passed", [[]])
    wall.fill()
    wall.swallows = {"delete"}
    replayed = run.replay()
    deletions = [one["unseen"] for one in replayed["writes"] if one["method"] == "DELETE"]
    assert (replayed["verdict"], [bool(unseen) for unseen in deletions]) == ("postcondition", [True])


@pytest.mark.parametrize("wall", [("cards", 2)], indirect=True)
def test_a_list_that_is_not_answered_is_no_deletion(run: OneRun, wall: Wall) -> None:
    wall.swallows, wall.breaks = {"delete"}, True
    told = run.record(press(wall, "delete"))
    assert all(one.success for one in told), told
    assert ("disappearance", "kept", True) not in effects(run)


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize("wall", [("rows", 0)], indirect=True)
def test_what_shows_a_little_later_is_waited_for(run: OneRun, wall: Wall) -> None:
    run.effect_ms = 5_000
    recorded(run, wall, "delete")
    wall.slow = 2
    replayed: dict[str, Any] = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]])
    assert wall.writes == [f"delete {NUMBER}"]
