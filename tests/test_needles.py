from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from simulator.needles import Needles

texts = st.text("abcDE12-", max_size=30)


@given(st.lists(st.text("abcDE12-", max_size=16), max_size=60), texts)
def test_it_finds_what_stands_in_a_text(sought: list[str], text: str) -> None:
    needles = Needles()
    for one in sought:
        needles.add(one)
    expected = {one for one in sought if one in text}
    assert set(needles.found_in(text)) == expected
    assert needles.any_in(text) == bool(expected)


@given(st.lists(st.text("abcDE12-", min_size=1, max_size=20), min_size=40, max_size=90, unique=True), st.data())
def test_it_finds_each_of_many_wherever_it_stands(sought: list[str], data: st.DataObject) -> None:
    needles = Needles()
    for one in sought:
        needles.add(one)
    one = data.draw(st.sampled_from(sought))
    assert one in set(needles.found_in(data.draw(texts) + one + data.draw(texts)))
