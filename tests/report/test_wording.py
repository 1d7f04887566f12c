from __future__ import annotations

from pathlib import Path

import pytest

from simulator.report.wording import counted, duration, short_id, short_path


@pytest.mark.parametrize(
    ("seconds", "text"),
    [(0.04, "0.0 s"), (9.94, "9.9 s"), (9.97, "10 s"), (59.6, "60 s"), (119.6, "2 min 00 s"), (3725, "62 min 05 s")],
)
def test_durations(seconds: float, text: str) -> None:
    assert duration(seconds) == text


def test_counts() -> None:
    assert [counted(number, "step") for number in (0, 1, 1200)] == ["0 steps", "1 step", "1,200 steps"]


def test_short_ids_of_runs_made_together_differ() -> None:
    assert short_id("01a20046-7dea-75e5-88bb-8d9f3be7fe14") == "3be7fe14"


def test_paths_are_seen_from_the_working_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    assert short_path(tmp_path / "recordings" / "runs.db") == str(Path("recordings", "runs.db"))
    assert short_path(tmp_path.parent / "runs.db") == str(tmp_path.parent / "runs.db")
    assert short_path(Path("runs.db")) == "runs.db"
