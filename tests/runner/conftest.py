"""What the tests of the runner share: a bench, two recordings, and bookshops that are spoilt on purpose."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.runner.bench import CLERK, MATCHER, SELLER, VISITOR, Bench, Original, Shop, settings

SITES = Path(__file__).parent.parent / "sites"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """A bench in a folder of its own."""
    return Bench(tmp_path, settings())


@pytest.fixture(scope="session")
def original(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """Six users who deal with each other, recorded once with seed 7, four at a time."""
    bench = Bench(tmp_path_factory.mktemp("original"), settings())
    return asyncio.run(bench.record("original", (SELLER, CLERK, MATCHER, VISITOR), count=6, concurrency=4))


@pytest.fixture(scope="session")
def seller(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """One user who sells a book and changes its price."""
    bench = Bench(tmp_path_factory.mktemp("seller"), settings())
    return asyncio.run(bench.record("seller", (SELLER,), count=1, concurrency=1))


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
