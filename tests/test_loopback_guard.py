"""The guard that keeps tests on this machine."""

from __future__ import annotations

import asyncio
import socket

import httpx
import pytest

REFUSED = "a test reaches nothing but this machine"


@pytest.mark.parametrize("host", ["192.0.2.1", "10.0.0.1", "0.0.0.1"])
def test_refuses_another_machine(host: str, attempts_to_leave: list[str]) -> None:
    with pytest.raises(RuntimeError, match=REFUSED), socket.socket() as connection:
        connection.connect((host, 80))
    assert attempts_to_leave == [f"socket.connect '{host}'"]
    attempts_to_leave.clear()


async def test_refuses_to_look_a_name_up(attempts_to_leave: list[str]) -> None:
    with pytest.raises(RuntimeError, match=REFUSED):
        await asyncio.open_connection("example.com", 443)
    async with httpx.AsyncClient(trust_env=False) as client:
        with pytest.raises(RuntimeError, match=REFUSED):
            await client.get("https://example.com/")
    assert len(attempts_to_leave) == 2
    attempts_to_leave.clear()


def test_lets_loopback_through() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        socket.create_connection(server.getsockname()).close()
