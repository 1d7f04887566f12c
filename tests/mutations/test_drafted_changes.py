"""Sites drawn from a seed, on whose pages something has changed: no replay writes what an honest one does not write."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random

import pytest

from benchmarks.judging import MODES
from benchmarks.mutations.generated.bench import Cell, cell
from benchmarks.mutations.generated.catalogue import KINDS
from benchmarks.mutations.generated.draw import Combination, combination, single
from benchmarks.sites.recorded import RecordedWrite
from tests.mutations.stands import judged as stand_of
from tests.tiers import SEED, Judged

pytestmark = pytest.mark.timeout(900)
DECEPTIVE = [name for name, kind in KINDS.items() if kind.sort == "deceptive"]


def drawn(seed: int, writes: tuple[RecordedWrite, ...]) -> list[Combination]:
    """Draw for a site two changes that deceive, each alone, and two combinations of any."""
    chance = Random(f"{SEED} {seed}")
    some = [single(name, chance.getrandbits(16), writes) for name in chance.sample(DECEPTIVE, 2)]
    return [*(one for one in some if one.changes), *(combination(chance.getrandbits(16), writes) for _ in range(2))]


@pytest.mark.breadth(0, table=1, days=2)
@pytest.mark.parametrize("seed", range(60))
@pytest.mark.parametrize("make", ["drafted", "app"])
def test_a_changed_page_of_a_drafted_site_makes_no_replay_write_otherwise(
    make: str, seed: int, tmp_path: Path, judged: Judged
) -> None:
    told: list[Cell] = []
    with stand_of(f"{make}-{seed}", tmp_path) as stand:
        for place, changes in enumerate(drawn(seed, stand.writes)):
            told.append(asyncio.run(cell(stand, changes, MODES[place % 2])))
            judged(told[-1].wrong_acts, told[-1].replayed.false_green)
    assert [one.wrong for one in told if one.wrong] == []
