"""What is done in a frame of a page, observed as on a page: what is put in, and what is pressed."""

from __future__ import annotations

import json
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.fakes.messages_api import Reply, call
from tests.runner.one_run import OneRun
from tests.runner.test_acts import NUMBER, effects, press
from tests.sites.wall import Wall, serving_wall

pytestmark = pytest.mark.promise("a write in whatever way it is sent")

TITLE = "Bellows from the old forge"


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


def framed(calls: list[Reply]) -> list[Reply]:
    """Come to the hall, where the wall hangs in a frame, and do the rest there."""
    return [call("navigate", url="/hall"), *calls[1:]]


@pytest.mark.parametrize(
    ("wall", "act"),
    [(("rows", 0), "vote"), (("rows", 1), "delete"), (("cards", 0), "follow"), (("words", 0), "close")],
    indirect=["wall"],
)
def test_what_is_pressed_in_a_frame_is_proven_and_a_lie_is_red(run: OneRun, wall: Wall, act: str) -> None:
    told = run.record(framed(press(wall, act)))
    assert all(one.success for one in told), told
    assert wall.writes == [f"{act} {NUMBER}"]
    kind = "disappearance" if act == "delete" else "state"
    assert (kind, "kept", True) in effects(run)
    wall.fill()
    replayed = run.replay()
    assert (replayed["verdict"], replayed["drift"]) == ("passed", None)
    assert [one["unseen"] for one in replayed["writes"]] == [[]]
    wall.fill()
    wall.swallows = {act}
    replayed = run.replay()
    assert (replayed["verdict"], replayed["code"]) == ("postcondition", 1)
    assert all(one["unseen"] for one in replayed["writes"])
    said = json.dumps(replayed["drift"])
    assert ("is still listed where it was deleted" if act == "delete" else "it still shows") in said


PINNED = [
    call("navigate", url="/hall"),
    call("fill", selector="Title", value=TITLE),
    call("click", selector="Pin"),
]


@pytest.mark.parametrize("wall", [("rows", 0)], indirect=True)
def test_what_is_put_into_a_form_of_a_frame_is_proven_there(run: OneRun, wall: Wall) -> None:
    """The page around it shows nothing of it, and what the site keeps instead is red."""
    wall.adds = True
    told = run.record(PINNED)
    assert all(one.success for one in told), told
    with sqlite3.connect(run.folder / "a.db") as db:
        rows = db.execute("SELECT kind, strength, keyed, looked FROM effect WHERE kind = 'echo'").fetchall()
    assert ("echo", "kept", 1, 0) in rows, rows
    wall.fill()
    replayed = run.replay()
    assert (replayed["verdict"], [one["unseen"] for one in replayed["writes"]]) == ("passed", [[]]), replayed
    wall.fill()
    wall.keeps = "Bellows"
    replayed = run.replay()
    assert (replayed["verdict"], [bool(one["unseen"]) for one in replayed["writes"]]) == ("postcondition", [True])
