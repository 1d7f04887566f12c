"""What tests of the runner on the bookshop share: a bench, recordings, and bookshops that are spoilt on purpose."""

from __future__ import annotations

import asyncio
import json
import os
import pickle
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from tests.runner import talking
from tests.runner.bench import CLERK, MATCHER, SELLER, USERS, VISITOR, Bench, Original, Shop, settings
from tests.shared import made_once

__all__ = ["bench", "original", "seller", "spoilt", "talked"]
SITES = Path(__file__).parent.parent / "sites"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A bench in a folder of its own."""
    return Bench(tmp_path, settings())


def recorded(factory: pytest.TempPathFactory, name: str, record: Callable[[Bench], Original]) -> Original:
    """Give this worker's copy of a batch that the first of all workers recorded."""

    def make(folder: Path) -> None:
        (folder / "result").write_bytes(pickle.dumps(record(Bench(folder, settings())).result))

    folder = made_once(factory, name, make)
    result = pickle.loads((folder / "result").read_bytes())
    (folder / "result").unlink()
    return Original(folder / f"{name}.db", Bench(folder, settings()).shop(name), result)


def batch(name: str, personas: Sequence[dict[str, Any]], count: int, concurrency: int) -> Callable[[Bench], Original]:
    """Give what records a batch."""
    return lambda bench: asyncio.run(bench.record(name, personas, count=count, concurrency=concurrency))


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """Five users who deal with each other, two of them alike, recorded once with seed 7, four at a time."""
    return recorded(tmp_path_factory, "original", batch("original", (SELLER, CLERK, MATCHER, VISITOR), USERS, 4))


@pytest.fixture(scope="session")
def seller(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """One user who sells a book and changes its price."""
    return recorded(tmp_path_factory, "seller", batch("seller", (SELLER,), 1, 1))


@pytest.fixture(scope="session")
def talked(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """A seller, and a user two of whose tasks are in free words."""
    return recorded(tmp_path_factory, "talked", talking.record)


@pytest.fixture
def spoilt(tmp_path: Path) -> Iterator[Callable[..., tuple[str, Shop]]]:
    """Starts bookshops that do as ``tests/sites/altered_bookshop.py`` is told."""
    processes: list[subprocess.Popen[str]] = []

    def start(shop: Shop | None = None, **spoil: Any) -> tuple[str, Shop]:
        shop = shop or Shop(tmp_path / "spoilt.shop.db")
        process = subprocess.Popen(
            [sys.executable, str(SITES / "altered_bookshop.py"), "--port", "0", "--db", str(shop.file)],
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            env={**os.environ, "SPOIL": json.dumps(spoil)},
        )
        processes.append(process)
        assert process.stdout is not None
        return str(json.loads(process.stdout.readline())["url"]), shop

    yield start
    for process in processes:
        process.terminate()
        process.communicate(timeout=60)
