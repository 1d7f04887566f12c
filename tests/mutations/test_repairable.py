"""Bookshops on which a strict replay stops and a healing one completes; what was healed is replayed strictly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.mutations.bench import Recorded, cell
from benchmarks.mutations.expected import EXPECTED, Mode
from tests.mutations.cells import cells_of, check
from tests.tiers import Judged

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("no wrong act on a page that has changed")]

REPAIRABLE = [name for name, modes in EXPECTED.items() if modes["strict"] == "stops" and modes["heal"] == "completes"]


@pytest.mark.breadth(1, table=5)
@pytest.mark.parametrize(("name", "mode"), cells_of("stops", "completes"))
async def test_a_cell(recorded: Recorded, tmp_path: Path, name: str, mode: Mode, judged: Judged) -> None:
    await check(recorded, tmp_path, name, mode, judged)


@pytest.mark.slow
@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("ids-and-label", "cookie-banner", "form-by-fetch"), id="several"),
        *(pytest.param((name,), id=name) for name in REPAIRABLE),
    ],
)
async def test_what_was_healed_is_replayed_strictly(recorded: Recorded, tmp_path: Path, names: tuple[str, ...]) -> None:
    healing, revised = tmp_path / "healing", tmp_path / "revised"
    healing.mkdir()
    revised.mkdir()
    before = recorded.db.read_bytes()
    healed = await cell(recorded, names, "heal", healing)
    assert healed.completed, healed
    assert "healed" in healed.told
    assert recorded.db.read_bytes() == before
    again = await cell(replace(recorded, db=healing / "replayed.db"), names, "strict", revised)
    assert again.completed, again
    assert "healed" not in again.told
