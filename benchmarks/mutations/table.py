"""The table of the mutation bench: every mutation in every mode, and what came of it, in counts."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from rich.table import Table

from benchmarks.mutations.bench import Cell, cell, record
from benchmarks.mutations.expected import EXPECTED, MODES


async def measure() -> list[Cell]:
    """Record once, and replay on every mutated bookshop in every mode."""
    with TemporaryDirectory(prefix="mutations-", ignore_cleanup_errors=True) as folder:
        recorded = await record(Path(folder))
        cells = []
        for name, modes in EXPECTED.items():
            for mode in modes:
                place = Path(folder) / f"{name}.{mode}"
                place.mkdir()
                cells.append(await cell(recorded, (name,), mode, place))
    return cells


def holds(cells: Sequence[Cell]) -> bool:
    """Tell whether every cell is as in the table, with no action on a wrong element and no false green."""
    return all(one.meets(EXPECTED[one.mutations[0]][one.mode]) for one in cells)


def table(cells: Sequence[Cell]) -> Table:
    """Lay out the cells for people, and their sums."""
    shown = Table("mutation", "mode", "expected", *COUNTS, "as in the table", "told", pad_edge=False)
    for one in cells:
        expected = EXPECTED[one.mutations[0]][one.mode]
        met = "yes" if one.meets(expected) else "[bold]NO"
        counts = (str(count or "") for count in _counts(one))
        shown.add_row(one.mutations[0], one.mode, expected, *counts, met, one.told.partition(":")[0])
    shown.add_section()
    for mode in MODES:
        own = [one for one in cells if one.mode == mode]
        met = f"{sum(one.meets(EXPECTED[one.mutations[0]][mode]) for one in own)} of {len(own)}"
        sums = (str(sum(column)) for column in zip(*map(_counts, own), strict=True))
        shown.add_row(f"{len(own)} mutations", mode, "", *sums, met, "")
    return shown


COUNTS = ("completed", "stopped rightly", "wrong-element actions", "false green", "red by the state alone")


def _counts(one: Cell) -> tuple[int, ...]:
    by_state = one.passed_unaided and not one.passed
    return int(one.completed), int(one.stopped), len(one.astray), int(one.false_green), int(by_state)
