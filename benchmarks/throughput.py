"""Row ``bookshop``: page requests a second from one process, against an application that does nothing."""

from __future__ import annotations

import asyncio
import json
import sys
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from urllib.parse import urlsplit

from benchmarks.measure import Budget, Rounds, Row, interleave

_CONNECTIONS = 8
_REQUESTS = 100
"""Requests of each connection in one sample."""
_PAGES = ("/", "/books", "/books/1", "/sellers/house", "/account/register")


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the row: kept connections, pages in turns, every answer read whole."""
    with TemporaryDirectory(prefix="bench-") as folder:
        bookshop = ("-m", "simulator.demo", "--port", "0", "--db", str(Path(folder) / "bookshop.db"))
        async with _serving(*bookshop) as shop, _serving("-m", "benchmarks.bare") as bare:
            served, constant = await interleave(rounds, partial(_rate, shop), partial(_rate, bare))
    budget = Budget(500, of="ours", at_least=True)
    return [Row("bookshop", "pages of the bookshop", "bare Starlette, a constant", "/s", served, constant, budget)]


@asynccontextmanager
async def _serving(*arguments: str) -> AsyncIterator[str]:
    process = await asyncio.create_subprocess_exec(sys.executable, *arguments, stdout=asyncio.subprocess.PIPE)
    assert process.stdout is not None
    try:
        yield json.loads(await process.stdout.readline())["url"]
    finally:
        process.terminate()
        await process.wait()


async def _rate(url: str) -> float:
    began = time.perf_counter()
    async with asyncio.TaskGroup() as group:
        for _ in range(_CONNECTIONS):
            group.create_task(_ask(url))
    return _CONNECTIONS * _REQUESTS / (time.perf_counter() - began)


async def _ask(url: str) -> None:
    """Ask for pages over one connection; as little of a client as will do, for it shares the cores."""
    parts = urlsplit(url)
    reader, writer = await asyncio.open_connection(parts.hostname, parts.port, limit=2**20)
    for number in range(_REQUESTS):
        page = _PAGES[number % len(_PAGES)]
        writer.write(f"GET {page} HTTP/1.1\r\nHost: {parts.netloc}\r\n\r\n".encode())
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
        if not head.startswith("http/1.1 200 "):
            raise RuntimeError(f"{page} at {url} answered {head.splitlines()[0]}")
        await reader.readexactly(int(head.split("content-length:", 1)[1].split("\r\n", 1)[0]))
    writer.close()
    await writer.wait_closed()
