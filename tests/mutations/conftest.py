"""The recording that every test of the mutation bench replays."""

from __future__ import annotations

import asyncio

import pytest

from benchmarks.mutations.bench import Recorded, record


@pytest.fixture(scope="session")
def recorded(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A seller who deals with the shop and a voter, recorded once on the bookshop as it is."""
    return asyncio.run(record(tmp_path_factory.mktemp("recorded")))
