"""The rule of evidence on pages drawn at random: honest changes are gone through, and nothing wrong is ever meant."""

from __future__ import annotations

import json
from collections import Counter
from random import Random
from typing import Any, Literal

import pytest
from playwright.async_api import Page

from simulator.browser.evidence import Target
from simulator.replay.evidence.heal import Found, Seen, compile_pieces, decide, mended
from simulator.replay.evidence.query import Query
from simulator.replay.evidence.resolve import Unprovable, compile_query, renamed
from tests.browser.evidence_families import HEAL, IT, STRICT, Case
from tests.browser.evidence_parts import PART_FAMILIES

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUICK, BREADTH = 24, 400
_PUT = "html => { document.body.innerHTML = html; }"
_IT = "() => __sim.describe(document.querySelector('#it-48213907'))"
_EXACT = "query => __sim.choices({ query, collection: '', own: [] }).exact?.ref || ''"
_MEANT = "ref => __sim.sought({ how: 'ref', value: ref })[0].hasAttribute('data-right')"

Verdict = Literal["right", "wrong", "refused"]


async def meant(page: Page, query: Query) -> Verdict:
    """Tell what a query proves."""
    ref = await page.evaluate(_EXACT, query.model_dump(exclude_defaults=True))
    if not ref:
        return "refused"
    return "right" if await page.evaluate(_MEANT, ref) else "wrong"


async def healed(page: Page, target: Target, given: str) -> Verdict:
    """Tell what is healed onto where strict evidence proves nothing."""
    query = compile_query(target, str).model_copy(update={"renamed": renamed(target, str, every=True)})
    pieces = compile_pieces(target, str, same=True)
    asked = {
        "query": query.model_dump(exclude_defaults=True),
        "pieces": [one.model_dump(exclude_defaults=True) for one in pieces],
        "others": [],
    }
    seen = Seen.model_validate(await page.evaluate("asked => __sim.piecesOf(asked)", asked))
    found = decide(target, pieces, seen, str, given=given)
    return await meant(page, mended(query, found)) if isinstance(found, Found) else "refused"


async def judged(page: Page, case: Case, mode: str) -> Verdict:
    await page.evaluate(_PUT, case.before)
    target = Target.model_validate(await page.evaluate(_IT))
    try:
        query = compile_query(target, str, sets=True)
    except Unprovable:
        return "refused"
    await page.evaluate(_PUT, case.before.replace(IT, f"{IT} data-right"))
    assert await meant(page, query) == "right", f"as it was recorded: {case.before}"
    await page.evaluate(_PUT, case.after)
    found = await meant(page, query)
    return await healed(page, target, case.given) if found == "refused" and mode == "heal" else found


async def family(stage: Any, site: Any, name: str, mode: str, seeds: range) -> Counter[str]:
    await stage.show(site, "<p>Nothing yet</p>")
    page = stage.actor.page
    told: Counter[str] = Counter()
    for seed in seeds:
        case = ((STRICT if mode == "strict" else HEAL) | PART_FAMILIES)[name](Random(f"{name} {mode} {seed}"))
        verdict = await judged(page, case, mode)
        where = f"seed {seed}, {case.says}\n{case.before}\n{case.after}"
        assert verdict != "wrong", where
        if not case.honest:
            assert verdict == "refused", where
        told[f"{'honest' if case.honest else 'lie'} {verdict}"] += 1
        if case.honest and verdict != "right":
            told[json.dumps([case.says, case.before, case.after], ensure_ascii=False)] += 1
    return told


FAMILIES = [(name, "strict") for name in STRICT | PART_FAMILIES] + [(name, "heal") for name in HEAL | PART_FAMILIES]


@pytest.mark.parametrize(("name", "mode"), FAMILIES)
async def test_a_family_is_gone_through_and_its_lies_are_not(stage: Any, site: Any, name: str, mode: str) -> None:
    told = await family(stage, site, name, mode, range(QUICK))
    honest = told["honest right"] + told["honest refused"]
    assert told["lie refused"] > 3, told
    assert told["honest right"] == honest > 3, told


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("name", "mode"), FAMILIES)
async def test_a_family_in_its_breadth(stage: Any, site: Any, name: str, mode: str) -> None:
    told = await family(stage, site, name, mode, range(1000, 1000 + BREADTH))
    assert told["lie refused"] > BREADTH // 10, told
    assert told["honest right"] > 0.95 * (told["honest right"] + told["honest refused"]), told
