"""Splitting runs into shares: nothing is lost or torn apart, and the shares take about the same time."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.errors import UsageError
from simulator.replay.shards import Shard, groups_of, seconds, share

Needs = list[tuple[float, list[int]]]


def plans(runs: Needs) -> list[Any]:
    """Make runs of some duration that need runs before them."""
    made = []
    for at, (duration, needs) in enumerate(runs):
        action = SimpleNamespace(started_ns=0, ended_ns=int(duration * 1e9))
        run = SimpleNamespace(id=f"run-{at}", original=f"run-{at}")
        needed = frozenset(f"run-{need % at}" for need in needs) if at else frozenset()
        made.append(SimpleNamespace(run=run, needs=needed, steps=[SimpleNamespace(actions=[action])]))
    return made


RUNS = st.lists(st.tuples(st.floats(0, 60), st.lists(st.integers(0, 20), max_size=2)), min_size=1, max_size=20)


@given(RUNS, st.integers(1, 6))
def test_shares_hold_every_run_once_and_tear_no_group_apart(runs: Needs, among: int) -> None:
    given = plans(runs)
    shares = share(given, among)
    assert len(shares) == among
    assert sorted(plan.run.id for one in shares for plan in one) == sorted(plan.run.id for plan in given)
    for one in shares:
        held = {plan.run.id for plan in one}
        assert all(plan.needs <= held for plan in one)
        assert [plan.run.id for plan in one] == [plan.run.id for plan in given if plan.run.id in held]
    assert [Shard(number, among).take(given) for number in range(1, among + 1)] == shares


@given(RUNS, st.integers(1, 6))
def test_no_share_takes_longer_than_the_lightest_and_one_group(runs: Needs, among: int) -> None:
    given = plans(runs)
    loads = [sum(map(seconds, one)) for one in share(given, among)]
    longest = max(sum(map(seconds, group)) for group in groups_of(given))
    assert max(loads) <= min(loads) + longest + 1e-6


def test_long_runs_are_spread() -> None:
    loads = [len(one) for one in share(plans([(9, []), (1, []), (1, []), (1, [])]), 2)]
    assert loads == [1, 3]


@pytest.mark.parametrize("text", ["0/2", "3/2", "2", "a/b", "1/0", "-1/2", "1/2/3", ""])
def test_what_is_no_share_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--shard: expected"):
        Shard.parse(text)


def test_a_share_is_read_and_written() -> None:
    assert str(Shard.parse("2/5")) == "2/5"
