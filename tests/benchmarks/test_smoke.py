"""The benchmarks run. What they measure is never asserted: it is the machine's, not the program's."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.__main__ import BENCHMARKS, Benchmark, main
from benchmarks.measure import Budget, Rounds, Row, interleave, table
from benchmarks.playwright_mcp import Unavailable, installed


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


async def _breaks(rounds: Rounds) -> list[Row]:
    raise RuntimeError("the site answered 500")


async def _measures(rounds: Rounds) -> list[Row]:
    assert rounds == Rounds(1, quick=True)
    ours, theirs = await interleave(rounds, _cost, _cost)
    return [Row("whole", "ours", "theirs", "ms", ours, theirs, Budget(0.5))]


async def _cost() -> float:
    return 4


def test_a_row_that_fails_is_told_while_the_others_go_on_and_are_printed(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("SIM_KEY", "k" * 32)
    monkeypatch.setitem(BENCHMARKS, "broken", Benchmark(_breaks))
    monkeypatch.setitem(BENCHMARKS, "whole", Benchmark(_measures))
    file = tmp_path / "rows.json"

    code = main(["--quick", "--only", "broken", "--only", "whole", "--json", str(file)])

    told = capsys.readouterr()
    assert code == 1
    assert "broken could not be measured: RuntimeError: the site answered 500" in told.err
    assert "whole" in told.out
    written = json.loads(file.read_text("utf-8"))
    assert [row["row"] for row in written["rows"]] == ["whole"]
    assert written["failed"] == {"broken": "RuntimeError: the site answered 500"}


def test_a_quick_round_judges_no_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", "k" * 32)
    monkeypatch.setitem(BENCHMARKS, "whole", Benchmark(_measures))

    assert main(["--quick", "--only", "whole"]) == 0


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


def test_a_row_without_its_alternative_says_why_and_is_not_judged(capsys: pytest.CaptureFixture[str]) -> None:
    row = Row("row", "ours", "the other one: npm is missing", "characters", [400], [], Budget(1))

    Console(width=160).print(table([row]))

    assert row.met is None
    assert row.as_dict()["ratio_median"] is None
    shown = capsys.readouterr().out
    assert "400 characters" in shown
    assert "npm is missing" in shown


async def test_playwright_mcp_is_not_to_be_had_without_npm(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(Unavailable, match="npm is missing"):
        async with installed(tmp_path, Path("browser"), tmp_path / "state.json"):
            pass
