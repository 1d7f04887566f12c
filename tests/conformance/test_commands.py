"""Rows of the conformance table through the command line: ``sim``, the site and the model's API are processes apart.

CI plays one row of each toolset, another one each day.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest

from simulator.recording.rows import RunRow
from simulator.tools.toolsets import known_toolsets
from tests.conformance.commands import Troupe
from tests.conformance.site_process import RemoteSite
from tests.conformance.table import Row, all_rows
from tests.conformance.test_whole_runs import ROWS, batches
from tests.conformance.whole import Scene
from tests.tiers import SEED

pytestmark = [pytest.mark.timeout(1800)]


@pytest.mark.slow
@pytest.mark.parametrize(
    "rows", [pytest.param(rows, id=f"{rows[0].toolset}-{rows[0].tool}-{len(rows)}") for rows in batches(all_rows())]
)
def test_rows(rows: list[Row], tmp_path: Path) -> None:
    wrong = Troupe(tmp_path, rows).play()
    assert not wrong, "\n\n".join(wrong)


@pytest.mark.breadth(0, table=3)
@pytest.mark.parametrize("toolset", [name for name in known_toolsets() if any(row.toolset == name for row in ROWS)])
def test_a_row_of_every_toolset(toolset: str, tmp_path: Path) -> None:
    row = Random(SEED).choice([row for row in ROWS if row.toolset == toolset])
    wrong = Troupe(tmp_path, [row]).play()
    assert not wrong, "\n\n".join(wrong)


class _Changed(Troupe):
    """After the recording, the page of the first row has become another one."""

    def _replay(self, site: RemoteSite, scenes: Sequence[Scene], runs: Sequence[RunRow]) -> None:
        site.ask("begin", 0)
        site.opens |= {"/-open/0": ("/", "<h1>Gone</h1>")}
        super()._replay(site, scenes, runs)


@pytest.mark.table
def test_a_page_that_has_changed_is_told(tmp_path: Path) -> None:
    """The other tests could not fail else."""
    row = next(row for row in ROWS if (row.toolset, row.tool, row.replay) == ("browser", "check", ""))
    first, *_ = _Changed(tmp_path, [row]).play()
    assert first.startswith(f"{row.id}: its replay is target_missing: ")
