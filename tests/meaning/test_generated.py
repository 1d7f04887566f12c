"""Values as sites write them are seen, and lies about them are: both directions, by seed."""

from __future__ import annotations

import random

import pytest

from simulator.meaning import contradicts, find_in, likeness
from tests.meaning import cases
from tests.meaning.cases import Case

CLOSED = ("phone",)
"""Kinds that may be seen as a whole only: how a number is called from at home is no proof within a text."""
FAMILIES = (cases.numbers, cases.moments, cases.texts, cases.codes)


def wrong(case: Case) -> str:
    """Say what is judged wrongly of a case; empty for nothing."""
    like = likeness(case.put, case.shown)
    against = contradicts(case.put, case.shown)
    judged = like in case.allowed and (against == case.lies or (like == "beginning" and not against))
    elsewhere = find_in(case.put, f"Omega {case.shown} alpha")
    if case.lies:
        judged = judged and elsewhere in (None, "beginning")
    elif like != "beginning" and not case.how.startswith(CLOSED):
        judged = judged and elsewhere is not None
    if judged:
        return ""
    return f"{case.how}: {case.put!r} shown as {case.shown!r}: {like}, contradicts {against}, within {elsewhere}"


def judge(family, seed: int, count: int) -> None:
    made = list(family(random.Random(seed), count))
    assert len(made) == count
    assert {case.lies for case in made} == {True, False}
    assert [told for told in map(wrong, made) if told] == []


@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_what_sites_make_of_values_is_judged(family):
    judge(family, 14, 500)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("family", FAMILIES, ids=lambda family: family.__name__)
def test_what_sites_make_of_many_values_is_judged(family, seed):
    judge(family, seed, 2_000)
