"""What is said on a web socket is a write like any other: made, proven, missed where the site swallows it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.sites.talking import Format, Talking, serving_talking

pytestmark = pytest.mark.promise("a write in whatever way it is sent")

TEXT, PLACE = "Green bicycle", "Whitby harbour"
PUTS_UP = [
    call("navigate", url="/"),
    call("fill", selector="Note", value=TEXT),
    call("fill", selector="Place", value=PLACE),
    call("click", selector="Put up"),
    call("navigate", url="/"),
]
ALL = get_args(Format)


@pytest.fixture
def board(request: pytest.FixtureRequest) -> Iterator[Talking]:
    with serving_talking(request.param) as site:
        yield site


@pytest.fixture
def run(tmp_path: Path, board: Talking, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, board.url, capsys, effect_ms=5_000)


def writes(run: OneRun) -> list[tuple[str, str, str, int]]:
    """Give what the recording has: what sent it, how, where to, and how much of the user's it carried in the end."""
    with sqlite3.connect(run.folder / "a.db") as db:
        return db.execute(
            "SELECT initiator, method, url, json_array_length(carried) FROM write WHERE carried <> '[]'"
        ).fetchall()


def check(run: OneRun, board: Talking) -> None:
    told = run.record(PUTS_UP)
    assert all(one.success for one in told), told
    assert [one["text"] for one in board.notes.values()] == ["Kitchen clock", TEXT]
    assert writes(run) == [("socket", "SEND", "/live", 2)]
    board.fill()
    replayed = run.replay()
    assert replayed["verdict"] == "passed", (replayed["drift"], board.notes)
    assert [(one["method"], one["inputs"], one["unseen"]) for one in replayed["writes"]] == [("SEND", 2, [])]
    board.fill()
    board.swallows = True
    replayed = run.replay()
    ((unseen,),) = [[one["unseen"] for one in replayed["writes"]]]
    assert sorted(unseen) == ["Note", "Place"]
    assert replayed["verdict"] == ("postcondition" if board.format != "lines" else replayed["verdict"])


@pytest.mark.parametrize("board", ["live", "lines"], indirect=True)
def test_what_is_put_in_and_said_on_a_socket_is_proven_and_a_swallowed_one_is_not(run: OneRun, board: Talking) -> None:
    check(run, board)


@pytest.mark.slow
@pytest.mark.parametrize("board", ["json", "packets"], indirect=True)
def test_so_it_is_in_every_format(run: OneRun, board: Talking) -> None:
    check(run, board)


FILLS_IN = [
    *PUTS_UP[:3],
    call("check", selector="Urgent"),
    *PUTS_UP[3:],
    call("click", selector=TEXT),
]


@pytest.mark.parametrize(
    "board", ["elements", pytest.param("posts", marks=pytest.mark.breadth(0, table=1))], indirect=True
)
def test_a_press_carries_what_was_told_of_each_field_as_it_was_filled_in(run: OneRun, board: Talking) -> None:
    told = run.record(FILLS_IN)
    assert all(one.success for one in told), told
    how = ("fetch", "POST", "/elements") if board.format == "posts" else ("socket", "SEND", "/live")
    assert writes(run) == [(*how, 3)]
    assert board.notes[4102] == {"id": 4102, "text": TEXT, "place": PLACE, "done": False, "urgent": True}
    board.fill()
    replayed = run.replay()
    assert (replayed["verdict"], [(one["inputs"], one["unseen"]) for one in replayed["writes"]]) == (
        "passed",
        [(3, [])],
    )
    for name, value in (("place", "Leeds"), ("urgent", False)):
        board.fill()
        board.alters = {name: value}
        assert run.replay()["verdict"] == "postcondition", name


@pytest.mark.slow
@pytest.mark.parametrize("board", ["live"], indirect=True)
def test_heartbeats_take_no_time_from_what_an_action_says(run: OneRun, board: Talking) -> None:
    board.beat_ms = 400
    check(run, board)


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize("board", ["json", "elements"], indirect=True)
def test_a_press_that_is_said_on_a_socket_is_a_deed_and_heartbeats_are_nothing(run: OneRun, board: Talking) -> None:
    told = run.record([call("navigate", url="/"), call("click", selector="Close"), call("navigate", url="/")])
    assert all(one.success for one in told), told
    with sqlite3.connect(run.folder / "a.db") as db:
        assert db.execute("SELECT initiator, method FROM write").fetchall() == [("socket", "SEND")], "no heartbeat"
    board.fill()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]])
    board.fill()
    board.swallows = True
    replayed = run.replay()
    assert replayed["verdict"] == "postcondition"
    assert all(one["unseen"] for one in replayed["writes"])
