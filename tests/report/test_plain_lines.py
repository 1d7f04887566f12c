from __future__ import annotations

import io

from simulator.report.terminal.lines import PlainLines
from simulator.runner.events import TaskEnded
from tests.report.batches import REASON, begun, user


def told(*events: object) -> list[str]:
    stream = io.StringIO()
    with PlainLines(stream) as shown:
        for event in events:
            shown(event)  # type: ignore[arg-type]
    return stream.getvalue().splitlines()


def test_a_line_for_each_start_and_end() -> None:
    said = told(begun(2), *user(1), *user(2, ends="failed"))
    assert said == [
        "batch 4ce1ebb5: 2 users on bookshop at http://127.0.0.1:43210, 4 at once, seed 7",
        "[1/2] window_shopper antonina1yjplyrfr started",
        "[1/2] window_shopper antonina1yjplyrfr passed in 0.0 s, 6 steps",
        "[2/2] window_shopper antonina2yjplyrfr started",
        f"[2/2] window_shopper antonina2yjplyrfr failed in 0.0 s, 6 steps: {REASON}",
    ]


def test_of_users_who_are_left_the_numbers_are_those_of_the_population() -> None:
    said = told(begun(2), *user(24))
    assert [line.partition(" ")[0] for line in said[1:]] == ["[24]", "[24]"]


def test_a_line_for_each_task_that_failed() -> None:
    said = told(begun(1), *user(1, ends=None), TaskEnded(1, "vote", "failed", 1.0, "no pair is open"))
    assert said[-1] == "[1/1] window_shopper antonina1yjplyrfr: vote failed: no pair is open"


def test_what_a_page_said_steers_no_terminal_and_begins_no_line() -> None:
    said = told(begun(1), *user(1, ends=None), TaskEnded(1, "do", "failed", 1.0, "it said\n[1/1] passed\x1b[2J\u202e"))
    assert said[-1] == "[1/1] window_shopper antonina1yjplyrfr: do failed: it said [1/1] passed [2J "
