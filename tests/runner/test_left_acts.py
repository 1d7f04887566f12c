"""What users did without an input, looked at again, and cleaned up: judged by what the wall itself holds."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.fakes.messages_api import call
from tests.runner.one_run import OneRun
from tests.runner.test_acts import ALL, NUMBER, QUICK, press, wall
from tests.sites.wall import Wall

pytestmark = pytest.mark.promise("what is pressed alone")

__all__ = ["wall"]
PINNED = "Garden bench"
PIN = [call("navigate", url="/"), call("fill", selector="Title", value=PINNED), call("click", selector="text=Pin")]


@pytest.fixture
def run(tmp_path: Path, wall: Wall, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> OneRun:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests")
    return OneRun(tmp_path, wall.url, capsys, effect_ms=1_000)


def verified(run: OneRun) -> tuple[int, list[tuple[str, str]]]:
    """Give the exit code, and what became of each place and of what the journal names."""
    code, out, err = run.sim("runs", "verify-site", "last", "--db", "a.db", "--json")
    assert out, err
    told = json.loads(out)
    assert all(one["there"] for one in told["visited"]) or code == 1
    return code, [(one["became"], one["found"]) for one in told["places"]]


def cleaned(run: OneRun) -> tuple[int, list[tuple[str, str]]]:
    """Give the exit code, and what became of each thing: its kind, and that."""
    code, out, err = run.sim("cleanup", "last", "--yes", "--db", "a.db", "--json")
    assert out, err
    return code, [(one["kind"], one["became"]) for one in json.loads(out)["cleaned"]]


def check(run: OneRun, wall: Wall, act: str) -> None:
    """Do something, and look whether it is as it was left: it is, then it is not."""
    told = run.record(press(wall, act))
    assert all(one.success for one in told), told
    done = dict(wall.notes)
    assert verified(run) == (0, [("shown", "")])
    wall.fill()
    code, ((became, found),) = verified(run)
    assert (code, became) == (1, "contradicted"), found
    assert found == "it is still listed" if act == "delete" else found.startswith("the site shows")
    wall.notes = done
    assert verified(run)[0] == 0
    assert cleaned(run) == ((0, []) if act == "delete" else (1, [("change", "left")]))


@pytest.mark.parametrize(("wall", "act"), QUICK[:4], indirect=["wall"])
def test_what_was_done_is_looked_at_where_it_was_seen(run: OneRun, wall: Wall, act: str) -> None:
    check(run, wall, act)


@pytest.mark.slow
@pytest.mark.parametrize(("wall", "act"), [one for one in ALL if one not in QUICK[:4]], indirect=["wall"])
def test_so_it_is_in_every_markup(run: OneRun, wall: Wall, act: str) -> None:
    check(run, wall, act)


@pytest.mark.breadth(0, table=1)
@pytest.mark.parametrize("wall", [("rows", 0), ("words", 0)], indirect=True)
@pytest.mark.parametrize("where", ["on its page", "in the list"])
def test_what_was_made_and_deleted_by_the_run_is_neither_red_nor_cleaned_up(
    run: OneRun, wall: Wall, where: str
) -> None:
    wall.adds = True
    before = dict(wall.notes)
    row = {"rows": "li:nth-of-type(5) form[action$=delete] button", "words": ".row:nth-of-type(5) [value=delete]"}
    away = {
        "on its page": [call("click", selector="text=Delete")],
        "in the list": [call("navigate", url="/"), call("click", selector=row[wall.markup])],
    }
    told = run.record([*PIN, *away[where]])
    assert all(one.success for one in told), told
    assert set(wall.notes) == set(before)
    code, places = verified(run)
    assert (code, {became for became, _ in places}) == (0, {"shown"}), places
    assert cleaned(run) == (0, [])
    number = wall.pin(PINNED)
    code, places = verified(run)
    assert code == 1, "it has come back"
    assert ("contradicted", "it is still there") in places or ("contradicted", "it is still listed") in places
    del wall.notes[number]


@pytest.mark.table
@pytest.mark.parametrize("wall", [("rows", 0)], indirect=True)
def test_what_was_taken_back_by_the_run_is_as_it_was_left(run: OneRun, wall: Wall) -> None:
    told = run.record([*press(wall, "follow"), press(wall, "follow")[1]])
    assert all(one.success for one in told), told
    assert not wall.notes[NUMBER]["follow"]
    assert verified(run) == (0, [("shown", "")])
    wall.notes[NUMBER]["follow"] = True
    assert verified(run)[0] == 1
