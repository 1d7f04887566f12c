"""A browser that was started ahead is the one that a pool hands out, if it is such a one; else it is stopped."""

from __future__ import annotations

import asyncio
import time
from collections.abc import AsyncIterator, Callable
from pathlib import Path
from typing import Any

import psutil
import pytest
import pytest_asyncio

from simulator.browser.launch.driver_process import driver_waiting, variables
from simulator.browser.launch.executable import Executable, find_executable
from simulator.browser.launch.launching import Ahead, Command
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.errors import BrowserMissing

pytestmark = [pytest.mark.asyncio(loop_scope="session"), pytest.mark.promise("a browser starts ahead", quick=2)]


def profiles() -> set[str]:
    """The profile folders of the browsers below this process: one for each."""
    found = set()
    for process in psutil.Process().children(recursive=True):
        try:
            found |= {part for part in process.cmdline() if part.startswith("--user-data-dir")}
        except psutil.Error:
            continue  # it ended between the list and the look
    return found


def until(ready: Callable[[], bool]) -> None:
    while not ready():
        time.sleep(0.01)


def drivers() -> set[int]:
    """The drivers below this process."""
    below = psutil.Process().children()
    return {one.pid for one in below if one.status() != psutil.STATUS_ZOMBIE and "run-driver" in one.cmdline()}


def started_ahead(command: Command) -> Ahead:
    starting = Ahead()
    starting.launch(command)
    return starting


@pytest_asyncio.fixture(loop_scope="session")
async def ahead(site: Any) -> AsyncIterator[Ahead]:
    starting = started_ahead(Command.of(find_executable(), endpoints(site.url)))
    try:
        yield starting
    finally:
        await starting.close()


async def test_a_pool_hands_out_what_was_started_ahead(site: Any, ahead: Ahead) -> None:
    site.page("/", "<h1>Hall</h1>")
    before = profiles()
    policy = NetworkPolicy(endpoints(site.url))
    async with BrowserPool(find_executable(), policy, origin=site.url, ahead=ahead) as pool:
        assert pool.alive
        assert pool.version
        (started,) = profiles() - before
        async with pool.context(ContextProfile()) as context:
            page = await context.new_page()
            await page.goto(site.url)
            assert await page.locator("h1").inner_text() == "Hall"
        assert profiles() - before == {started}
    assert started not in profiles()


async def test_one_that_reaches_other_hosts_is_not_taken_and_is_stopped(site: Any) -> None:
    before = profiles()
    starting = started_ahead(Command.of(find_executable(), endpoints("http://elsewhere.example")))
    policy = NetworkPolicy(endpoints(site.url))
    async with BrowserPool(find_executable(), policy, origin=site.url, ahead=starting) as pool:
        assert not pool.alive, "it is a browser of its own that the pool starts"
        await pool.start()
        await starting.close()
        assert len(profiles() - before) == 1
    assert profiles() == before


async def test_only_the_first_who_asks_gets_it(site: Any, ahead: Ahead) -> None:
    command = Command.of(find_executable(), endpoints(site.url))
    started = await ahead.take(command)
    assert started is not None
    assert await ahead.take(command) is None
    await started.driver.stop()


async def test_one_that_does_not_start_ahead_is_told_by_the_pool(site: Any, tmp_path: Path) -> None:
    broken = tmp_path / "chromium"
    broken.write_text("#!/bin/sh\nexit 1\n")
    broken.chmod(0o755)
    executable, allowed = Executable(broken, "PATH"), endpoints(site.url)
    starting = started_ahead(Command.of(executable, allowed))
    async with BrowserPool(executable, NetworkPolicy(allowed), origin=site.url, ahead=starting) as pool:
        with pytest.raises(BrowserMissing, match="does not start"):
            await pool.start()
    await starting.close()


async def test_a_driver_that_nobody_launches_a_browser_with_is_stopped() -> None:
    before = {one.pid for one in psutil.Process().children()}
    await Ahead().close()
    assert {one.pid for one in psutil.Process().children()} <= before


async def test_one_that_trusts_an_authority_is_left_to_whoever_needs_it(site: Any, tmp_path: Path) -> None:
    command = Command.of(find_executable(), endpoints(site.url), authority=tmp_path / "authority.pem")
    starting = started_ahead(command)
    assert await starting.take(command) is None
    await starting.close()


async def test_a_driver_that_runs_already_is_taken_over(site: Any) -> None:
    before = drivers()
    site.page("/", "<h1>Hall</h1>")
    with driver_waiting() as process:
        assert process is not None
        (waiting,) = drivers() - before
        starting = started_ahead(Command.of(find_executable(), endpoints(site.url)))
        policy = NetworkPolicy(endpoints(site.url))
        async with BrowserPool(find_executable(), policy, origin=site.url, ahead=starting) as pool:
            assert pool.alive
            assert drivers() - before == {waiting}
            assert any(process.folder.iterdir()), "its browser keeps its files there"
            async with pool.context(ContextProfile()) as context:
                page = await context.new_page()
                await page.goto(site.url)
                assert await page.locator("h1").inner_text() == "Hall"
        await starting.close()
        assert (drivers(), process.folder.exists()) == (before, False)


async def test_a_driver_that_waits_for_nobody_is_ended() -> None:
    before = drivers()
    with driver_waiting() as process:
        assert process is not None
        assert (len(drivers() - before), process.folder.exists()) == (1, True)
    assert (drivers(), process.folder.exists()) == (before, False)


async def test_a_driver_that_died_while_it_waited_is_replaced(site: Any) -> None:
    before = drivers()
    with driver_waiting() as process:
        assert process is not None
        (waiting,) = drivers() - before
        psutil.Process(waiting).kill()
        await asyncio.to_thread(until, lambda: process.has_ended)
        starting = started_ahead(Command.of(find_executable(), endpoints(site.url)))
        policy = NetworkPolicy(endpoints(site.url))
        async with BrowserPool(find_executable(), policy, origin=site.url, ahead=starting) as pool:
            assert pool.alive
            assert waiting not in drivers()
        await starting.close()
        assert (drivers(), process.folder.exists()) == (before, False)


async def test_the_options_of_node_that_a_user_has_set_are_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NODE_OPTIONS", "--max-semi-space-size=16")
    assert variables(None, None)["NODE_OPTIONS"].endswith(" --max-semi-space-size=16")
