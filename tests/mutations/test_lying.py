"""Bookshops that say they did what they did not do: no replay is green, whatever they make of what they are told."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mutations.bench import Recorded
from benchmarks.mutations.expected import Mode
from tests.mutations.cells import cells_of, check
from tests.tiers import Judged

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("no lie is proven")]


@pytest.mark.breadth(1, table=9)
@pytest.mark.parametrize(("name", "mode"), cells_of("red", "red"))
async def test_a_cell(recorded: Recorded, tmp_path: Path, name: str, mode: Mode, judged: Judged) -> None:
    await check(recorded, tmp_path, name, mode, judged)
