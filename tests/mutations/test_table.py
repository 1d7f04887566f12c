"""The table of the mutation bench as a whole; its cells have a file for each kind of mutation."""

from __future__ import annotations

from itertools import permutations
from pathlib import Path
from random import Random

import pytest

from benchmarks.mutations.bench import Recorded, cell
from benchmarks.mutations.expected import EXPECTED, MODES, Mode
from simulator.demo.mutations.catalogue import MUTATIONS
from tests.mutations import test_another_site, test_lying, test_repairable, test_same_to_a_person

PAIRS = Random("pairs").sample([*permutations(sorted(MUTATIONS), 2)], 200)


def test_every_mutation_is_in_the_table_in_every_mode() -> None:
    assert {name: tuple(modes) for name, modes in EXPECTED.items()} == dict.fromkeys(MUTATIONS, MODES)


def test_every_cell_is_tested_once() -> None:
    kinds = (test_same_to_a_person, test_repairable, test_another_site, test_lying)
    marks = [mark for kind in kinds for mark in kind.test_a_cell.pytestmark if mark.name == "parametrize"]
    tested = [one.values for mark in marks for one in mark.args[1]]
    assert sorted(tested) == sorted((name, mode) for name, modes in EXPECTED.items() for mode in modes)


@pytest.mark.slow
@pytest.mark.timeout(600)
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
