from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.report.task_times import percentile, task_times
from simulator.runner.events import TaskOutcome
from tests.report.batches import outcome


@pytest.mark.parametrize(("share", "expected"), [(0.5, 50), (0.95, 95), (0.951, 96), (1, 100), (0.001, 1)])
def test_percentiles_by_the_nearest_rank(share: float, expected: int) -> None:
    assert percentile(range(1, 101), share) == expected


@given(st.lists(st.floats(0, 1e6), min_size=1), st.floats(0.01, 1))
def test_a_percentile_is_a_value_that_so_many_do_not_exceed(values: list[float], share: float) -> None:
    ordered = sorted(values)
    found = percentile(ordered, share)
    assert found in ordered
    assert sum(value <= found for value in ordered) / len(ordered) >= share - 1e-9


def test_tasks_are_grouped_by_deed_whatever_follows_their_name() -> None:
    runs = [
        outcome(1, TaskOutcome("list_books 1/2", "done", 1.0), TaskOutcome("list_books 2/2", "done", 3.0)),
        outcome(2, TaskOutcome("list_books", "failed", 2.0, "refused"), TaskOutcome("do: chat", "skipped", 0.0, "x")),
    ]
    listed, free = task_times(runs)
    assert (listed.task_type, listed.count, listed.p50, listed.p95, listed.max) == ("list_books", 3, 2.0, 3.0, 3.0)
    assert (listed.failed, listed.skipped) == (1, 0)
    assert (free.task_type, free.count, free.skipped, free.max) == ("do", 0, 1, 0.0)
