"""Numbers of users are stored as ranges, and read as they were."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.runner.seeding.fan_out import parse_ranges, ranges


@given(st.sets(st.integers(min_value=1, max_value=400)))
def test_numbers_are_read_as_they_were_written(numbers: set[int]) -> None:
    assert set(parse_ranges(ranges(sorted(numbers)))) == numbers


def test_what_follows_on_each_other_is_one_range() -> None:
    assert ranges([1, 2, 3, 7, 9, 10]) == "1-3,7,9-10"
    with pytest.raises(ValueError, match="invalid literal"):
        parse_ranges("1-x")
