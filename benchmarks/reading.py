"""Rows ``read_page``, ``find``, ``element_discovery``: reading a page of 300 things that can be acted on."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from typing import Any

from playwright.async_api import Page
from pydantic import JsonValue

from benchmarks.measure import Budget, Rounds, Row, Side, interleave
from benchmarks.stage import stage
from benchmarks.unrecorded import unrecorded
from simulator.tools.contracts import ToolCall
from simulator.tools.dispatch import ToolDispatcher
from simulator.tools.toolsets import registry_of

CARDS = 100
_CARD = """<li><article><h3><a href="/books/{n}">Book number {n}</a></h3><p>by Somebody, £{n}.50</p>
<label>Copies of {n} <input name="copies-{n}" value=1></label>
<button data-testid="save-{n}">Save {n}</button></article>"""
_CONTROLS = "a[href],button,input"
_BY_HAND = """elements => elements.map(el => ({tag: el.localName, text: el.innerText, name: el.name, id: el.id,
  placeholder: el.placeholder, visible: el.checkVisibility(), disabled: el.disabled}))"""


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: the same page, in the same tab."""
    async with stage() as on, unrecorded(on) as ctx:
        await ctx.actor.navigation.goto("/terms")
        page = ctx.actor.page
        await page.evaluate(
            "html => { document.body.innerHTML = html }",
            f"<ul>{''.join(_CARD.format(n=number) for number in range(CARDS))}</ul>",
        )
        dispatcher = ToolDispatcher(registry_of(("browser", "elements")), ctx)

        async def answer(name: str, **given: JsonValue) -> Any:
            result = await dispatcher.dispatch(ToolCall(id=name, name=name, input=given))
            if not result.success:
                raise RuntimeError(f"{name} failed: {result.error.message if result.error else 'no reason given'}")
            return result.data

        async def tree() -> None:
            assert str(await answer("read_page")).count("[ref=") >= 3 * CARDS

        async def by_words() -> None:
            assert (await answer("find", description="save button of book number 42"))[0]["name"] == "Save 42"

        async def discovery() -> None:
            assert (await answer("element_discovery", action="find_all_elements"))["total_found"] == 3 * CARDS

        trees = await interleave(rounds, _timed(tree), _timed(lambda: page.locator("body").aria_snapshot()))
        finds = await interleave(rounds, _timed(by_words), _timed(lambda: _by_name(page)))
        listing = _timed(lambda: page.locator(_CONTROLS).evaluate_all(_BY_HAND))
        all_found = await interleave(rounds, _timed(discovery), listing)
    limit = Budget(100, of="ours")
    snapshot, by_name, by_hand = "Locator.aria_snapshot", "get_by_role by the exact name", "evaluate_all by hand"
    return [
        Row("read_page", f"read_page of {3 * CARDS} elements", snapshot, "ms", trees[0], trees[1], limit),
        Row("find", f"find among {3 * CARDS} elements", by_name, "ms", finds[0], finds[1], limit),
        Row(
            "element_discovery",
            f"the first 20 of {3 * CARDS} elements",
            by_hand,
            "ms",
            all_found[0],
            all_found[1],
            limit,
        ),
    ]


async def _by_name(page: Page) -> None:
    assert await page.get_by_role("button", name="Save 42", exact=True).count() == 1


def _timed(work: Callable[[], Awaitable[object]]) -> Side[float]:
    async def once() -> float:
        began = time.perf_counter()
        await work()
        return (time.perf_counter() - began) * 1000

    return once
