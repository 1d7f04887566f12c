from __future__ import annotations

import io

import pytest
from rich.console import Console

from simulator.report.live import LiveTable
from simulator.runner.events import RunEnded, RunStarted
from tests.report.batches import begun, user, whole


def table(width: int, height: int = 40) -> tuple[LiveTable, Console]:
    console = Console(file=io.StringIO(), width=width, height=height, force_terminal=True, color_system=None)
    return LiveTable(console), console


def lines(live: LiveTable, console: Console) -> list[str]:
    with console.capture() as captured:
        console.print(live.render())
    return captured.get().splitlines()


@pytest.mark.parametrize("width", [40, 80, 120])
def test_no_line_is_wider_than_the_terminal(width: int) -> None:
    live, console = table(width)
    for event in (begun(30), *user(1), *user(2, ends="failed", errors=2), *user(3, ends=None)):
        live(event)
    live.say("finishing the current steps; press Ctrl-C again to stop at once")
    shown = lines(live, console)
    assert max(map(len, shown)) <= width
    assert len(shown) == 7


@pytest.mark.parametrize("width", [80, 120])
def test_the_essential_words_are_there(width: int) -> None:
    live, console = table(width)
    for event in (begun(30), *user(1), *user(2, ends="failed", errors=2), *user(3, ends=None)):
        live(event)
    live.say("finishing")
    title, heading, first, second, third, totals, said = lines(live, console)
    assert title == "30 users on bookshop at http://127.0.0.1:43210, 4 at once, seed 7"
    assert heading.split() == ["#", "persona", "user", "steps", "err", "state", "task"]
    assert first.split() == ["1", "window_shopper", "antonina1yjplyrfr", "6", "passed", "2/2", "save_listings"]
    assert second.split()[:6] == ["2", "window_shopper", "antonina2yjplyrfr", "6", "4", "failed"]
    assert "the site refused" in second
    assert third.split()[-3:] == ["running", "2/2", "save_listings"]
    assert totals.startswith("2/30 done · 1 failed · 18 steps · ")
    assert "steps/s · 4 errors" in totals
    assert said == "finishing"


@pytest.mark.parametrize("height", [10, 24])
def test_many_users_fit_the_height_of_the_terminal(height: int) -> None:
    live, console = table(80, height)
    for event in whole(200):
        live(event)
    shown = lines(live, console)
    assert len(shown) < height
    assert shown[-2] == f"and {200 - (height - 6)} more users"
    assert shown[-1].startswith("200/200 done")


def test_the_drift_of_a_replay_is_its_state() -> None:
    live, console = table(100)
    live(begun(1))
    live(RunStarted(1, "run-1", "voter", "ann", 4))
    live(RunEnded(1, "run-1", "failed", "two buttons fit", "target_ambiguous"))
    assert "target_ambiguous  two buttons fit" in lines(live, console)[2]


def test_texts_are_no_markup() -> None:
    live, console = table(120)
    live(begun(1))
    live(RunStarted(1, "run-1", "voter", "ann", 4))
    live(RunEnded(1, "run-1", "failed", "expected [bold]a price[/bold]"))
    assert "expected [bold]a price[/bold]" in lines(live, console)[2]


def test_it_draws_itself_on_a_terminal_and_leaves_nothing_behind() -> None:
    live, console = table(80)
    with live:
        for event in whole(2):
            live(event)
    written = console.file.getvalue()  # type: ignore[attr-defined]
    assert "2/2 done" in written
    assert written.rstrip().endswith("\x1b[2K")
