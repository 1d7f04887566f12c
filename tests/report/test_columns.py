from __future__ import annotations

from hypothesis import example, given
from hypothesis import strategies as st
from rich.cells import cell_len

from simulator.report.terminal.columns import columns, cut, fold


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


def test_a_line_is_folded_at_words_below_its_text() -> None:
    assert fold("  found        two buttons that cannot be told apart", 30) == [
        "  found        two buttons",
        "               that cannot be",
        "               told apart",
    ]
    assert fold("passed: 2 runs replayed on bookshop", 20) == ["passed: 2 runs", "  replayed on", "  bookshop"]


def test_what_has_to_stay_in_one_piece_is_not_folded() -> None:
    assert fold("see  http://127.0.0.1:8000/a/long/address", 20) == ["see  http://127.0.0.1:8000/a/long/address"]
    command = "replay    sim replay 01a20807 --db /tmp/a/long/path/runs.db --reset"
    assert fold(command, 30) == [command]


@example("aaa a  aaaa山山", 14)
@given(st.text(alphabet="ab 山", max_size=60), st.integers(min_value=1, max_value=30))
def test_folding_loses_no_word_and_fits_where_words_do(text: str, width: int) -> None:
    lines = fold(text, width)
    assert " ".join(lines).split() == text.split()
    assert fold(text, None) == [text]
    label_and_word = 3  # a label has up to two words, and what follows it stays beside it
    assert all(cell_len(line) <= width or len(line.split()) <= label_and_word for line in lines)


def test_in_a_narrow_terminal_the_widest_columns_are_narrowed_and_none_is_lost() -> None:
    rows = [("run", "kind", "steps", "user"), ("0d710822", "replay of a run", "15", "justin12d43yrfr")]
    assert columns(rows, right=(2,), whole=(0,), width=36) == [
        "run       kind      steps  user",
        "0d710822  replay…      15  justin12…",
    ]
