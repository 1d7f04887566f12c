from __future__ import annotations

import io

import pytest
from rich.cells import cell_len
from rich.console import Console

from simulator.agent.usage import Usage
from simulator.report.terminal.live import LiveTable
from simulator.runner.events import (
    AgentSaid,
    LimitReached,
    ModelCalled,
    RunEnded,
    RunStarted,
    TaskEnded,
    TaskStarted,
)
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


WORDS = "Find a crime novel,\nwrite to its seller 「とても面白い本」 \x1b[2J\x1b[31m\u202e and say why. " * 6


@pytest.mark.parametrize("width", [40, 80, 120])
def test_a_task_in_many_words_is_one_line_and_stays_inside(width: int) -> None:
    live, console = table(width)
    live(begun(2))
    live(RunStarted(1, "run-1", "visitor", "antonina1yjplyrfr", 3, "claude"))
    live(TaskStarted(1, "do", 1, WORDS))
    live(RunStarted(2, "run-2", "visitor", "antonina2yjplyrfr", 3, "claude"))
    live(TaskStarted(2, "do", 1, WORDS))
    live(AgentSaid(2, WORDS))
    live(ModelCalled(2, "claude-x", Usage(input=900, cache_read=300, output=34), 2.0))
    live(TaskEnded(2, "do", "failed", 2.0, WORDS))
    live(RunEnded(2, "run-2", "failed", WORDS))
    shown = lines(live, console)
    assert len(shown) == 5
    assert max(map(cell_len, shown)) <= width
    assert not [line for line in shown if "\x1b" in line or "\u202e" in line]
    if width >= 80:
        assert shown[2].split()[:6] == ["1", "visitor", "antonina1yjplyrfr", "0", "running", "1/3"]
        assert "do: Find" in shown[2]
        assert "failed   Find a crime" in shown[3]
        assert "1,234 tokens" in shown[4]


def test_what_a_model_says_is_shown_beside_its_task() -> None:
    live, console = table(120)
    live(begun(1))
    live(RunStarted(1, "run-1", "visitor", "ann", 2, "claude"))
    live(TaskStarted(1, "do", 1, "Save a book."))
    assert lines(live, console)[2].endswith("1/2 do: Save a book.")
    live(AgentSaid(1, "I look for one."))
    assert lines(live, console)[2].endswith("1/2 do: I look for one.")
    live(LimitReached(1, "patience", "This user loses patience", ends=False))
    assert lines(live, console)[2].endswith("1/2 do: This user loses patience")
    live(TaskStarted(1, "logout", 2))
    assert lines(live, console)[2].endswith("1/2 logout"), "the words of the task before are gone"


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
