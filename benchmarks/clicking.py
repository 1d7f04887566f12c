"""Row ``click``: a click with evidence, guard and following, against Playwright's own click."""

from __future__ import annotations

import time

from benchmarks.measure import Row, interleave
from benchmarks.stage import stage
from simulator.browser.actor import Actor
from simulator.browser.find import Find
from simulator.browser.pool import ContextProfile
from simulator.browser.sink import ActionOutcome, ActionStart
from simulator.secrets import Vault
from simulator.template import Bindings

_CLICKS = 10
"""Clicks of one sample, on a box that is ticked and unticked in turns."""
_PAGE = "/account/register"
_BOX = "I accept the terms"


class _Nowhere:
    """An action sink that keeps nothing."""

    def begin(self, action: ActionStart) -> str:
        return ""

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        pass


async def measure(pairs: int) -> list[Row]:
    """Measure the row: two contexts of one browser, the same box on the same page."""
    async with stage() as on, on.resources.pool.context(ContextProfile()) as context:
        actor = Actor(
            "user",
            context,
            await context.new_page(),
            origin=on.site.origin,
            policy=on.resources.policy,
            sink=_Nowhere(),
            bindings=Bindings(),
            vault=Vault(b"k" * 32, scope="click"),
        )
        await actor.goto(_PAGE)
        assert context.browser is not None
        page = await context.browser.new_page()
        await page.goto(on.site.base_url + _PAGE)

        async def ours() -> float:
            began = time.perf_counter()
            for _ in range(_CLICKS):
                await actor.click(Find("role", "checkbox", _BOX))
            return (time.perf_counter() - began) / _CLICKS * 1000

        async def theirs() -> float:
            began = time.perf_counter()
            for _ in range(_CLICKS):
                await page.get_by_role("checkbox", name=_BOX).click()
            return (time.perf_counter() - began) / _CLICKS * 1000

        proven, bare = await interleave(pairs, ours, theirs)
    return [Row("click", "click with evidence, guard and following", "bare Playwright click", "ms", proven, bare)]
