"""The proxy that lets a browser through to a site alone: what passes, what does not, and how it ends."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any
from urllib.parse import urlsplit

import pytest

from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.tunnel import tunnel


@asynccontextmanager
async def echoing() -> AsyncIterator[str]:
    """Serve what gives back all that it gets, and wait at the end until everybody has gone."""
    tasks: set[asyncio.Task[None]] = set()

    async def echo(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        with contextlib.suppress(ConnectionError):
            while data := await reader.read(1024):
                writer.write(data)
        await ended(writer)

    server = await asyncio.start_server(lambda *streams: tasks.add(asyncio.create_task(echo(*streams))), "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    yield f"{host}:{port}"
    server.close()
    await server.wait_closed()
    await asyncio.gather(*tasks)


async def ended(writer: asyncio.StreamWriter) -> None:
    """End a connection, and wait until it has."""
    writer.close()
    with contextlib.suppress(ConnectionError):
        await writer.wait_closed()


@pytest.fixture
async def site() -> AsyncIterator[str]:
    async with echoing() as address:
        yield address


@pytest.fixture
async def closed() -> str:
    """Where nobody listens any more."""
    async with echoing() as address:
        pass
    return address


@pytest.fixture
async def complaints() -> list[dict[str, Any]]:
    """What the event loop is told that nobody took care of."""
    told: list[dict[str, Any]] = []
    asyncio.get_running_loop().set_exception_handler(lambda _, context: told.append(context))
    return told


@asynccontextmanager
async def way_to(address: str) -> AsyncIterator[str]:
    """Open a tunnel that leads there alone."""
    with contextlib.closing(NetworkPolicy(endpoints(f"https://{address}"))) as policy:
        async with tunnel(policy) as proxy:
            yield proxy


async def ask(proxy: str, target: str) -> tuple[bytes, asyncio.StreamReader, asyncio.StreamWriter]:
    """Ask a proxy for a way; gives the first line of its answer, and the way."""
    address = urlsplit(proxy)
    reader, writer = await asyncio.open_connection(address.hostname, address.port)
    writer.write(f"CONNECT {target} HTTP/1.1\r\nHost: {target}\r\n\r\n".encode())
    return (await reader.readuntil(b"\r\n\r\n")).splitlines()[0], reader, writer


async def test_it_passes_on_to_the_site_and_to_nothing_else(site: str) -> None:
    async with way_to(site) as proxy:
        said, reader, writer = await ask(proxy, site)
        assert said.endswith(b"200 Connection established")
        writer.write(b"hello")
        assert await reader.readexactly(5) == b"hello"
        writer.write_eof()
        assert await reader.read() == b""
        await ended(writer)
        said, _, other = await ask(proxy, "127.0.0.1:9")
        assert said.endswith(b"403 Forbidden")
        await ended(other)


async def test_a_site_that_is_down_is_told(closed: str) -> None:
    async with way_to(closed) as proxy:
        said, _, writer = await ask(proxy, closed)
        assert said.endswith(b"502 Bad Gateway")
        await ended(writer)


async def test_it_ends_quietly_while_somebody_is_connected(site: str, complaints: list[dict[str, Any]]) -> None:
    async with way_to(site) as proxy:
        _, reader, writer = await ask(proxy, site)
        writer.write(b"hello")
        assert await reader.readexactly(5) == b"hello"
    with contextlib.suppress(ConnectionError):
        assert await reader.read() == b"", "the connection is over"
    await ended(writer)
    assert complaints == []
