"""Rows ``network``: a small visit under the network policy, without one, and with a handler on every request."""

from __future__ import annotations

import time
from contextlib import AsyncExitStack
from functools import partial

from playwright.async_api import Browser, BrowserContext, Route, async_playwright

from benchmarks.measure import Rounds, Row, interleave
from benchmarks.stage import stage
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import NetworkPolicy, resolver_args

_VISITS = ("/", "/books", "/books?sort=newest", "/sellers/house", "/books/1", "/this-or-that", "/account/register")


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: two browsers, one started as the policy wants it; a new context for each visit."""
    async with stage() as on, AsyncExitStack() as opened:
        policy: NetworkPolicy = on.resources.policy
        playwright = await opened.enter_async_context(async_playwright())
        path = find_executable().path

        async def launch(*args: str) -> Browser:
            browser = await playwright.chromium.launch(executable_path=path, args=["--no-sandbox", *args])
            return await opened.enter_async_context(browser)

        guarded, plain = await launch(*resolver_args(policy.allowed)), await launch()

        async def with_policy() -> float:
            return await _browse(await guarded.new_context(proxy=policy.proxy()), on.site.base_url)

        async def without() -> float:
            return await _browse(await plain.new_context(), on.site.base_url)

        async def with_handler() -> float:
            context = await plain.new_context()
            await context.route("**/*", partial(_judge, policy))
            return await _browse(context, on.site.base_url)

        refused, free, handled = await interleave(rounds, with_policy, without, with_handler)
    what = "seven pages, network policy"
    return [
        Row("network", what, "without a policy", "ms", refused, free),
        Row("network handler", what, "a route handler on every request", "ms", refused, handled),
    ]


async def _browse(context: BrowserContext, base_url: str) -> float:
    began = time.perf_counter()
    async with context:
        page = await context.new_page()
        for visit in _VISITS:
            await page.goto(base_url + visit)
    return (time.perf_counter() - began) * 1000


async def _judge(policy: NetworkPolicy, route: Route) -> None:
    await (route.continue_() if policy.allows(route.request.url) else route.abort())
