"""Documents that a user has left do not pile up in memory while several users act."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from typing import Any

import pytest

from simulator.browser.launch.driver_process import variables
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile

_VISITED = 12


async def _kept(site: Any, users: int) -> int:
    """Give how many documents a renderer keeps of a user who has visited twelve pages, with others beside."""
    for number in range(_VISITED):
        site.page(f"/{number}", f"<h1>Page {number}</h1>")
    pool = BrowserPool(find_executable(), NetworkPolicy(endpoints(site.url)), origin=site.url)
    async with pool, AsyncExitStack() as beside:
        contexts = [await beside.enter_async_context(pool.context(ContextProfile())) for _ in range(users)]
        page = await contexts[0].new_page()
        for number in range(_VISITED):
            await page.goto(f"{site.url}/{number}")
        session = await contexts[0].new_cdp_session(page)
        await session.send("Performance.enable")
        kept = 0
        for _ in range(40):  # what is collected in the middle of a visit is freed a moment later
            told = await session.send("Performance.getMetrics")
            kept = next(int(one["value"]) for one in told["metrics"] if one["name"] == "Documents")
            if kept < _VISITED:
                break
            await asyncio.sleep(0.05)
        return kept


async def test_documents_that_were_left_are_freed_while_several_users_act(site: Any) -> None:
    assert await _kept(site, 2) < _VISITED


async def test_one_user_alone_does_not_wait_for_that(site: Any) -> None:
    assert await _kept(site, 1) >= _VISITED


def test_the_options_of_node_that_a_user_has_set_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_OPTIONS", "--max-semi-space-size=16")
    assert variables(None, None)["NODE_OPTIONS"].endswith(" --max-semi-space-size=16")
