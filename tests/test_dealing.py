"""What a worker gets at once: a file, or a part of a large one, the same whatever the order is."""

from __future__ import annotations

from collections import Counter

from tests.dealing import MOST, parts

SMALL = [f"tests/room/test_small.py::test_it[{case}]" for case in range(MOST)]
LARGE = [f"tests/room/test_large.py::test_row[a::b {case}]" for case in range(10 * MOST)]


def test_a_file_is_dealt_whole_and_a_large_one_in_parts() -> None:
    dealt = parts([*SMALL, *LARGE])
    assert {dealt[test] for test in SMALL} == {"tests/room/test_small.py 0"}
    sizes = Counter(dealt[test] for test in LARGE)
    assert len(sizes) == 10
    assert max(sizes.values()) < 2 * MOST


def test_the_order_of_a_session_changes_no_part() -> None:
    assert parts([*SMALL, *LARGE]) == parts([*LARGE, *SMALL][::-1])
