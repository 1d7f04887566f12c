from __future__ import annotations

import pytest

from simulator.report.terminal.board import Board
from simulator.runner.events import RunEnded, RunStarted, StepDone
from tests.report.batches import Clock, begun, user, whole


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def board(clock: Clock) -> Board:
    return Board(clock)


def test_counts_what_happened(board: Board) -> None:
    for event in whole(3):
        board(event)
    assert (board.total, board.steps, board.errors, board.ended) == (3, 18, 0, True)
    assert board.count("passed") == 3
    assert board.users[2].tasks_ended == 2


def test_steps_that_failed_are_errors_of_their_user(board: Board) -> None:
    for event in (begun(2), *user(1, errors=1), *user(2)):
        board(event)
    assert board.errors == 2
    assert [board.users[number].errors for number in (1, 2)] == [2, 0]


def test_the_rate_is_that_of_the_last_ten_seconds(board: Board, clock: Clock) -> None:
    for event in (begun(1), *user(1, ends=None)):
        board(event)
    clock.now += 2
    assert board.rate == 3.0
    clock.now += 18
    board(StepDone(1, "click", True, 0.1))
    assert board.rate == 0.1


def test_the_time_left_is_that_of_the_tasks_left(board: Board, clock: Clock) -> None:
    assert board.time_left is None
    for event in (begun(4), *user(1)):
        board(event)
    clock.now += 30
    assert board.time_left == pytest.approx(90)
    for event in user(2, ends=None):
        board(event)
    assert board.time_left == pytest.approx(50)


def test_the_window_shows_who_runs_then_who_failed_then_who_ended_last(board: Board, clock: Clock) -> None:
    board(begun(6))
    for number, ends in ((1, "passed"), (2, "failed"), (3, None), (4, "passed"), (5, None)):
        clock.now += 1
        for event in user(number, ends=ends):
            board(event)
    assert [one.number for one in board.window(5)] == [1, 2, 3, 4, 5]
    assert [one.number for one in board.window(4)] == [3, 5, 2, 4]
    assert [one.number for one in board.window(2)] == [3, 5]
    assert board.window(-1) == []


def test_a_run_may_end_that_never_started(board: Board) -> None:
    board(begun(1))
    board(RunEnded(1, "run-1", "failed", "no run-0", "missing_dependency"))
    assert board.users[1].word == "missing_dependency"
    assert board.count("failed") == 1


def test_the_steps_of_a_replay_are_its_tasks(board: Board, clock: Clock) -> None:
    board(begun(1))
    board(RunStarted(1, "run-1", "voter", "ann", 4))
    board(StepDone(1, "login", True, 0.1))
    clock.now += 5
    assert (board.users[1].task, board.users[1].tasks_ended) == ("login", 1)
    assert board.time_left == pytest.approx(15)
