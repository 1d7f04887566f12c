"""The table of the mutation bench: what a replay does on a bookshop that has changed, cell by cell."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random
from typing import Any

import pytest

from benchmarks.mutations.bench import Recorded, cell
from benchmarks.mutations.expected import EXPECTED, MODES, UNMET, Expected, Mode
from simulator.demo.mutations.catalogue import MUTATIONS

pytestmark = pytest.mark.timeout(600)


def _marks(name: str, mode: Mode, expected: Expected) -> list[pytest.MarkDecorator]:
    """What is to complete alone is seen in one test of all of it at once, too."""
    unmet = (name, mode) in UNMET
    marks = [pytest.mark.xfail(reason=UNMET[name, mode], strict=True)] if unmet else []
    return [*marks, pytest.mark.slow] if expected == "completes" and not unmet else marks


CELLS: list[Any] = [
    pytest.param(
        name,
        mode,
        expected,
        id=f"{name}-{mode}",
        marks=_marks(name, mode, expected),
    )
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


async def test_a_choice_that_was_made_is_not_made_anew_among_its_lookalikes(recorded: Recorded, tmp_path: Path) -> None:
    replayed = await cell(recorded, ("twin-offer",), "strict", tmp_path)
    assert replayed.told.startswith("target_ambiguous"), replayed


async def test_everything_that_nobody_would_notice_at_once(recorded: Recorded, tmp_path: Path) -> None:
    met = (name for name in EXPECTED if (name, "strict") not in UNMET)
    unnoticed = [name for name in met if EXPECTED[name]["strict"] == "completes"]
    replayed = await cell(recorded, unnoticed, "strict", tmp_path)
    assert replayed.completed, replayed


@pytest.mark.slow
@pytest.mark.parametrize(("first", "second"), PAIRS)
async def test_a_pair(recorded: Recorded, tmp_path: Path, first: str, second: str) -> None:
    replayed = await cell(recorded, (first, second), "strict", tmp_path)
    assert replayed.astray == ()
    assert not replayed.false_green, replayed
    alone = {EXPECTED[name]["strict"] for name in (first, second)}
    assert replayed.completed is (alone == {"completes"}), replayed
