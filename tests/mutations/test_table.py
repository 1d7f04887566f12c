"""The table of the mutation bench: what a replay does on a bookshop that has changed, cell by cell."""

from __future__ import annotations

from dataclasses import replace
from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.mutations.bench import Recorded, cell
from benchmarks.mutations.expected import BY_STATE_ALONE, EXPECTED, MODES, Expected, Mode
from simulator.demo.mutations.catalogue import MUTATIONS

pytestmark = pytest.mark.timeout(600)


CELLS: list[Any] = [
    pytest.param(name, mode, expected, id=f"{name}-{mode}")
    for name, modes in EXPECTED.items()
    for mode, expected in modes.items()
]
PAIRS = Random("pairs").sample([*permutations(sorted(MUTATIONS), 2)], 200)


def test_every_mutation_is_in_the_table_in_every_mode() -> None:
    assert {name: tuple(modes) for name, modes in EXPECTED.items()} == dict.fromkeys(MUTATIONS, MODES)


async def test_the_bookshop_as_it_is(recorded: Recorded, tmp_path: Path) -> None:
    replayed = await cell(recorded, (), "strict", tmp_path)
    assert replayed.completed, replayed


@pytest.mark.parametrize(("name", "mode", "expected"), CELLS)
async def test_a_cell(recorded: Recorded, tmp_path: Path, name: str, mode: Mode, expected: Expected) -> None:
    replayed = await cell(recorded, (name,), mode, tmp_path)
    assert replayed.astray == ()
    assert not replayed.false_green, replayed
    assert replayed.meets(expected), replayed
    if (expected, mode) == ("red", "strict"):
        assert replayed.passed_unaided is (name in BY_STATE_ALONE), replayed


async def test_a_choice_that_was_made_is_not_made_anew_among_its_lookalikes(recorded: Recorded, tmp_path: Path) -> None:
    replayed = await cell(recorded, ("twin-offer",), "strict", tmp_path)
    assert replayed.told.startswith("target_ambiguous"), replayed


@pytest.mark.parametrize("mode", ["strict", pytest.param("heal", marks=pytest.mark.slow)])
async def test_everything_that_nobody_would_notice_at_once(recorded: Recorded, tmp_path: Path, mode: Mode) -> None:
    unnoticed = [name for name, modes in EXPECTED.items() if modes["strict"] == "completes"]
    replayed = await cell(recorded, unnoticed, mode, tmp_path)
    assert replayed.completed, replayed
    assert "healed" not in replayed.told


REPAIRABLE = [name for name, modes in EXPECTED.items() if modes["strict"] == "stops" and modes["heal"] == "completes"]


@pytest.mark.parametrize(
    "names",
    [
        pytest.param(("ids-and-label", "cookie-banner", "form-by-fetch"), id="several", marks=pytest.mark.slow),
        *(pytest.param((name,), id=name, marks=pytest.mark.slow) for name in REPAIRABLE),
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


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), PAIRS)
@pytest.mark.parametrize("mode", MODES)
async def test_a_pair(recorded: Recorded, tmp_path: Path, mode: Mode, first: str, second: str) -> None:
    replayed = await cell(recorded, (first, second), mode, tmp_path)
    assert replayed.astray == ()
    assert not replayed.false_green, replayed
    strict = {EXPECTED[name]["strict"] for name in (first, second)}
    if mode == "strict" or strict == {"completes"}:
        assert replayed.completed is (strict == {"completes"}), replayed
    assert not replayed.completed or "red" not in strict, replayed
