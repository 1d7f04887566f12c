from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from simulator.report.columns import columns, cut


def test_columns_are_as_wide_as_their_widest_cell() -> None:
    assert columns([("a", "1"), ("bbb", "22")], right=(1,)) == ["a     1", "bbb  22"]


def test_wide_characters_count_twice() -> None:
    first, second = columns([("山田", "x"), ("abcd", "y")])
    assert first == "山田  x"
    assert second == "abcd  y"


def test_lines_are_cut_to_the_width_of_the_terminal() -> None:
    assert columns([("name", "a long story")], width=12, indent="  ") == ["  name  a l…"]


@given(st.text(), st.integers(min_value=1, max_value=30))
def test_what_is_cut_fits_and_what_fits_is_not_cut(text: str, width: int) -> None:
    short = cut(text, width)
    assert cell_len(short) <= width
    if cell_len(text) <= width:
        assert short == text
