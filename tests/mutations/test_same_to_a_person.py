"""Bookshops that are the same to a person: a replay completes, and nobody has to heal anything."""

from __future__ import annotations

from pathlib import Path

import pytest

from benchmarks.mutations.bench import Recorded, cell
from benchmarks.mutations.expected import EXPECTED, Mode
from tests.mutations.cells import cells_of, check
from tests.tiers import Judged

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("no wrong act on a page that has changed")]


@pytest.mark.breadth(1, table=4)
@pytest.mark.parametrize(("name", "mode"), cells_of("completes", "completes"))
async def test_a_cell(recorded: Recorded, tmp_path: Path, name: str, mode: Mode, judged: Judged) -> None:
    await check(recorded, tmp_path, name, mode, judged)


@pytest.mark.table
async def test_the_bookshop_as_it_is(recorded: Recorded, tmp_path: Path) -> None:
    replayed = await cell(recorded, (), "strict", tmp_path)
    assert replayed.completed, replayed


@pytest.mark.table
@pytest.mark.parametrize("mode", ["strict", pytest.param("heal", marks=pytest.mark.slow)])
async def test_all_at_once(recorded: Recorded, tmp_path: Path, mode: Mode) -> None:
    unnoticed = [name for name, modes in EXPECTED.items() if modes["strict"] == "completes"]
    replayed = await cell(recorded, unnoticed, mode, tmp_path)
    assert replayed.completed, replayed
    assert "healed" not in replayed.told
