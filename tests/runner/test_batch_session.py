"""The users of a batch: as many at once as there are slots, in their order, none once its end was asked for."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.errors import SiteUnreachable
from simulator.recording.recorder import Recorder
from simulator.runner.batch_session import BatchSession, User
from simulator.runner.stop import Stop


@pytest.fixture
def batch(tmp_path: Path) -> Iterator[BatchSession]:
    with Recorder.open(tmp_path / "runs.db") as recorder:
        yield BatchSession(recorder=recorder, listener=lambda event: None, stop=Stop())


async def test_what_users_came_to_is_in_their_order_and_slots_bound_them(batch: BatchSession) -> None:
    slots, acting, most = asyncio.Semaphore(2), 0, 0

    async def act(number: int) -> int | None:
        nonlocal acting, most
        acting += 1
        most = max(most, acting)
        for _ in range(10 - number):  # who begins later is done sooner
            await asyncio.sleep(0)
        acting -= 1
        return None if number == 2 else number

    users: list[User[int]] = [User(f"user {number}", lambda number=number: act(number), slots) for number in range(5)]
    assert await batch.all(users) == [0, 1, 3, 4]
    assert most == 2


async def test_nobody_begins_once_the_end_was_asked_for(batch: BatchSession) -> None:
    absent: list[str] = []

    async def act() -> str:
        batch.stop.request("enough")
        return "acted"

    slots = asyncio.Semaphore(1)
    users = [User(name, act, slots, absent=lambda name=name: absent.append(name)) for name in ("a", "b", "c")]
    assert await batch.all(users) == ["acted"]
    assert absent == ["b", "c"]


async def test_the_first_error_that_a_batch_cannot_go_on_from_is_told_as_it_is(batch: BatchSession) -> None:
    cancelled = asyncio.Event()

    async def waits() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            cancelled.set()

    async def fails() -> None:
        raise SiteUnreachable("it does not answer")

    with pytest.raises(SiteUnreachable, match="it does not answer"):
        await batch.all([User("waits", waits), User("fails", fails)])
    assert cancelled.is_set()
