"""Rows ``read_page``, ``find``, ``element_discovery``: reading a page of 300 things that can be acted on."""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from typing import cast

from playwright.async_api import Page

from benchmarks.measure import Budget, Row, Side, interleave
from benchmarks.stage import stage
from simulator.browser.actor import Actor
from simulator.browser.pool import ContextProfile
from simulator.browser.sink import ActionOutcome, ActionStart
from simulator.secrets import Vault
from simulator.template import Bindings
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.elements.discovery import element_discovery
from simulator.tools.snapshot import find, read_page

CARDS = 100
_CARD = """<li><article><h3><a href="/books/{n}">Book number {n}</a></h3><p>by Somebody, £{n}.50</p>
<label>Copies of {n} <input name="copies-{n}" value=1></label>
<button data-testid="save-{n}">Save {n}</button></article>"""
_CONTROLS = "a[href],button,input"
_BY_HAND = """elements => elements.map(el => ({tag: el.localName, text: el.innerText, name: el.name, id: el.id,
  placeholder: el.placeholder, visible: el.checkVisibility(), disabled: el.disabled}))"""


class Nowhere:
    """An action sink that keeps nothing."""

    def begin(self, action: ActionStart) -> str:
        """Give an action's id."""
        return ""

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Forget it."""


@dataclass(frozen=True, slots=True)
class Reader:
    """What the tools that read a page need of a run."""

    actor: Actor
    bindings: Bindings
    vault: Vault

    @property
    def run(self) -> RunContext:
        """This, as tools take it."""
        return cast(RunContext, self)


async def measure(pairs: int) -> list[Row]:
    """Measure the rows: the same page, in the same tab."""
    async with stage() as on, on.resources.pool.context(ContextProfile()) as context:
        reader = Reader(
            Actor(
                "user",
                context,
                await context.new_page(),
                origin=on.site.origin,
                policy=on.resources.policy,
                sink=Nowhere(),
                bindings=Bindings(),
                vault=Vault(b"k" * 32, scope="reading"),
            ),
            Bindings(),
            Vault(b"k" * 32, scope="reading"),
        )
        await reader.actor.goto("/terms")
        page = reader.actor.page
        await page.evaluate(
            "html => { document.body.innerHTML = html }",
            f"<ul>{''.join(_CARD.format(n=number) for number in range(CARDS))}</ul>",
        )

        async def tree() -> ToolResult:
            result = cast(ToolResult, await read_page.run(reader.run))
            assert str(result.data).count("[ref=") >= 3 * CARDS
            return result

        async def by_words() -> ToolResult:
            result = cast(ToolResult, await find.run(reader.run, description="save button of book number 42"))
            assert isinstance(result.data, list)
            assert result.data[0]["name"] == "Save 42"  # type: ignore[index, call-overload]
            return result

        async def discovery() -> ToolResult:
            result = cast(ToolResult, await element_discovery.run(reader.run, "find_all_elements"))
            assert isinstance(result.data, dict)
            assert result.data["total_found"] == 3 * CARDS
            return result

        trees = await interleave(pairs, _timed(tree), _timed(lambda: page.locator("body").aria_snapshot()))
        finds = await interleave(pairs, _timed(by_words), _timed(lambda: _by_name(page)))
        listing = _timed(lambda: page.locator(_CONTROLS).evaluate_all(_BY_HAND))
        all_found = await interleave(pairs, _timed(discovery), listing)
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
