"""The benchmarks run. What they measure is never asserted: it is the machine's, not the program's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from benchmarks.__main__ import main
from benchmarks.measure import Budget, Row


def test_a_row_is_measured_printed_and_written(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIM_KEY", "k" * 32)
    file = tmp_path / "rows.json"

    main(["--only", "step", "--pairs", "2", "--json", str(file)])

    (row,) = json.loads(file.read_text("utf-8"))["rows"]
    assert row["row"] == "step"
    assert row["budget"] == "<= 0.3 ms"
    assert len(row["ours"]) == len(row["theirs"]) == 2
    assert all(cost > 0 for cost in row["ours"] + row["theirs"])
    assert "sqlite-utils" in capsys.readouterr().out


def test_a_ratio_is_the_median_of_the_pairs_not_of_the_sides() -> None:
    row = Row("row", "ours", "theirs", "ms", [1, 10, 3], [1, 5, 2], Budget(1.5))

    assert row.ratios == [1, 2, 1.5]
    assert row.ratio == 1.5
    assert row.met is True


@pytest.mark.parametrize(
    ("budget", "met"),
    [
        (Budget(1.99), False),
        (Budget(2), True),
        (Budget(3, of="ours"), False),
        (Budget(4, of="ours"), True),
        (Budget(4, of="ours", at_least=True), True),
        (Budget(5, of="ours", at_least=True), False),
    ],
)
def test_a_budget_bounds_the_ratio_or_our_own_cost(budget: Budget, met: bool) -> None:
    assert Row("row", "ours", "theirs", "ms", [4], [2], budget).met is met
