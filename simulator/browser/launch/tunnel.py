"""A proxy on loopback that lets a browser through to the allowed hosts and ports, and to nothing else.

Not responsible for: what is said through it. Contexts that show a certificate of their own to the site need it: they
leave the way that the network policy of the others is made of.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from simulator.browser.launch.network import NetworkPolicy

_CHUNK = 64 * 1024


@asynccontextmanager
async def tunnel(policy: NetworkPolicy) -> AsyncIterator[str]:
    """Serve ``CONNECT`` for as long as the context is open.

    Args:
        policy: which hosts and ports may be reached.

    Yields:
        The proxy's address.
    """
    open_now: set[asyncio.Task[None]] = set()

    async def serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            await _serve(reader, writer, policy)
        finally:
            writer.transport.abort()

    def accept(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        # A task of one's own: of one that asyncio makes, it asks for the result, also of one that was cancelled, and
        # logs an exception in its own callback then (seen in Python 3.11).
        task = asyncio.create_task(serve(reader, writer))
        open_now.add(task)
        task.add_done_callback(open_now.discard)

    server = await asyncio.start_server(accept, "127.0.0.1", 0)
    host, port = server.sockets[0].getsockname()
    try:
        yield f"http://{host}:{port}"
    finally:
        server.close()
        under_way = [*open_now]
        for task in under_way:
            task.cancel()
        await asyncio.gather(*under_way, return_exceptions=True)


async def _serve(reader: asyncio.StreamReader, writer: asyncio.StreamWriter, policy: NetworkPolicy) -> None:
    try:
        head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    except (asyncio.IncompleteReadError, asyncio.LimitOverrunError, OSError):
        return
    method, _, rest = head.partition(" ")
    target = rest.partition(" ")[0]
    if method != "CONNECT" or not policy.allows(f"https://{target}"):
        writer.write(b"HTTP/1.1 403 Forbidden\r\nContent-Length: 0\r\n\r\n")
        with contextlib.suppress(OSError):
            await writer.drain()
        return
    name, _, port = target.rpartition(":")
    try:
        there, onward = await asyncio.open_connection(name.strip("[]"), int(port))
    except OSError:
        writer.write(b"HTTP/1.1 502 Bad Gateway\r\nContent-Length: 0\r\n\r\n")
        with contextlib.suppress(OSError):
            await writer.drain()
        return
    try:
        writer.write(b"HTTP/1.1 200 Connection established\r\n\r\n")
        async with asyncio.TaskGroup() as both:
            both.create_task(_pass_on(reader, onward))
            both.create_task(_pass_on(there, writer))
    finally:
        onward.transport.abort()


async def _pass_on(source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
    with contextlib.suppress(OSError):
        while chunk := await source.read(_CHUNK):
            sink.write(chunk)
            await sink.drain()
        if sink.can_write_eof():
            sink.write_eof()
