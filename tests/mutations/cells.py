"""One cell of the table: what a replay does on a bookshop with one mutation, in one mode."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from benchmarks.mutations.bench import Cell, Recorded, cell
from benchmarks.mutations.expected import BY_STATE_ALONE, EXPECTED, Expected, Mode
from tests.tiers import Judged


def cells_of(strict: Expected, heal: Expected) -> list[Any]:
    """Give the cells of the mutations of one kind, as parameters of a test: a mutation and a mode."""
    return [
        pytest.param(name, mode, id=f"{name}-{mode}")
        for name, modes in EXPECTED.items()
        if modes == {"strict": strict, "heal": heal}
        for mode in modes
    ]


async def check(recorded: Recorded, folder: Path, name: str, mode: Mode, judged: Judged) -> Cell:
    """See that a cell is as in the table, with no action on a wrong element and no false green."""
    replayed = await cell(recorded, (name,), mode, folder)
    judged(len(replayed.astray), replayed.false_green)
    assert replayed.astray == ()
    assert not replayed.false_green, replayed
    expected = EXPECTED[name][mode]
    assert replayed.meets(expected), replayed
    if (expected, mode) == ("red", "strict"):
        assert replayed.passed_unaided is (name in BY_STATE_ALONE), replayed
    return replayed
