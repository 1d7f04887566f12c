"""Many users at once on a site that serves one page after another: slow is not wrong."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.api import record_runs
from simulator.cli.main import main
from tests.runner.test_deleting_by_menus import allotments

PATIENCE = "\n[browser]\nnavigation_ms = 4000\n"
"""Four times as long as a page takes for one user, and less than it takes for seven."""


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_page_that_one_user_gets_in_time_is_waited_for_by_seven(tmp_path: Path) -> None:
    with allotments(tmp_path, "", "details", "page", "slow") as site:
        toml = Path("sim.toml")
        toml.write_text(toml.read_text("utf-8") + PATIENCE, "utf-8")
        (run,) = record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs
        assert run.status == "passed"
        made = ["seed", "a.db", "--db", "b.db", "--count", "8", "--concurrency", "7", "--seed", "21", "--yes"]
        assert main(made) == 0
        owners = [owner for owner, _, _ in site.held()[0]]
        assert sorted(map(owners.count, set(owners))) == [3] * 9
