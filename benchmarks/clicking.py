"""Row ``click``: a click with evidence, guard and following, against Playwright's own click."""

from __future__ import annotations

import time

from benchmarks.measure import Rounds, Row, interleave
from benchmarks.stage import stage
from benchmarks.unrecorded import unrecorded
from simulator.browser.find import Find

_CLICKS = 10
"""Clicks of one sample, on a box that is ticked and unticked in turns."""
_PAGE = "/account/register"
_BOX = "I accept the terms"


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the row: two contexts of one browser, the same box on the same page."""
    async with stage() as on, unrecorded(on) as ctx:
        actor, context = ctx.actor, ctx.actor.page.context
        await actor.navigation.goto(_PAGE)
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

        proven, bare = await interleave(rounds, ours, theirs)
    return [Row("click", "click with evidence, guard and following", "bare Playwright click", "ms", proven, bare)]
