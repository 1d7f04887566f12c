"""Bookshops that are another site where it matters: a replay stops, and has done nothing that was not recorded."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mutations.bench import Recorded
from benchmarks.mutations.expected import Mode
from tests.mutations.cells import cells_of, check
from tests.tiers import Judged

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("no wrong act on a page that has changed")]


@pytest.mark.breadth(1, table=7)
@pytest.mark.parametrize(("name", "mode"), cells_of("stops", "stops"))
async def test_a_cell(recorded: Recorded, tmp_path: Path, name: str, mode: Mode, judged: Judged) -> None:
    replayed = await check(recorded, tmp_path, name, mode, judged)
    if (name, mode) == ("twin-offer", "strict"):
        # A choice that was made is not made anew among its lookalikes.
        assert replayed.told.startswith("target_ambiguous"), replayed
