"""The recording that every test of the mutation bench replays."""

from __future__ import annotations

import asyncio
import pickle
from dataclasses import replace
from pathlib import Path

import pytest

from benchmarks.mutations.bench import Recorded, record
from tests.shared import made_once


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A seller who deals with the shop and a voter, recorded once on the bookshop as it is."""

    def make(folder: Path) -> None:
        made = asyncio.run(record(folder))
        (folder / "made").write_bytes(pickle.dumps(made))

    folder = made_once(tmp_path_factory, "mutations", make)
    made: Recorded = pickle.loads((folder / "made").read_bytes())
    return replace(made, db=folder / made.db.name)
