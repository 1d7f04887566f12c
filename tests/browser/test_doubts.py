"""What is acted on is doubted at once where a strict replay could not find it on the very same page, and only there."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest

from simulator.browser.action_recorder import ActionStart
from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.replay.evidence.at_once import ReplayRule
from simulator.replay.evidence.resolve import Unprovable, compile_query
from tests.browser.evidence_families import HEAL, IT, STRICT, TITLES

pytestmark = pytest.mark.asyncio(loop_scope="session")

QUICK, BREADTH = 20, 300
ONE = (
    "<button type=button {}>{}</button>", "<a href='#x' {}>{}</a>", "<i class=star {}></i>",
    "<button type=button {}></button>", "<label><input type=checkbox {}> {}</label>", "<span tabindex=0 {}>{}</span>",
    "<input aria-label='{1}' {0}>",
)  # fmt: skip
STYLE = "<style>.star{display:inline-block;width:9px;height:9px}</style>"


def alike(random: Random) -> str:
    """Things beside each other that differ in much, in little, or in nothing."""
    shape = random.choice(ONE)
    named = random.choice(("Keep", "Keep", "", "Edit"))
    rows = []
    count = random.randrange(1, 5)
    marked = random.randrange(count)
    title, same = random.choice(TITLES), random.random() < 0.5
    for place in range(count):
        own = IT if place == marked else ""
        inner = shape.format(own, named or random.choice(("Keep", "")))
        told = title if same else random.choice(TITLES)
        price = random.choice(("", f"<em>{random.randrange(2, 90)}.50</em>", "<b>by Zola</b>"))
        rows.append(
            random.choice(("<li>{}{}{}</li>", "<div><div>{}</div>{}{}</div>", "<p>{}{}{}</p>")).format(
                told, price, inner
            )
        )
    return f"{STYLE}<section><h2>Things</h2>{''.join(rows)}</section>"


def page(random: Random) -> str:
    family = random.choice((*STRICT.values(), *HEAL.values(), *[None] * 6))
    return alike(random) if family is None else family(random).before


async def found_again(stage: Any, site: Any, start: ActionStart) -> bool:
    """Tell whether a strict replay does to the element what was done, on the page as it was."""
    assert start.target is not None
    try:
        query = compile_query(start.target, stage.actor.bindings.render_on_site, sets="sets" in start.options)
    except Unprovable:
        return False
    await stage.actor.navigation.goto("/")
    ref = await stage.actor.page.evaluate(
        "query => __sim.choices({ query, collection: '', own: [] }).exact?.ref || ''",
        query.model_dump(exclude_defaults=True),
    )
    script = "ref => __sim.sought({ how: 'ref', value: ref })[0].id === 'it-48213907'"
    return bool(ref) and bool(await stage.actor.page.evaluate(script, ref))


async def cases(stage: Any, site: Any, seeds: range) -> None:
    stage.actor.evidence_check.rule = ReplayRule()
    told: Counter[bool] = Counter()
    for seed in seeds:
        shown = page(Random(f"doubt {seed}"))
        stage.actor.evidence_check.doubts.clear()
        await stage.show(site, shown)
        try:
            await stage.actor.hover(Find("css", "#it-48213907"))
        except ToolError:
            continue  # it cannot be pointed at
        found = await found_again(stage, site, stage.notes.started[-1])
        assert found != bool(stage.actor.evidence_check.doubts), (
            f"seed {seed}: {stage.actor.evidence_check.doubts}\n{shown}"
        )
        told[found] += 1
    assert min(told[True], told[False]) > len(seeds) // 10, told


@pytest.mark.table
async def test_a_doubt_is_what_a_replay_does_not_find(stage: Any, site: Any) -> None:
    await cases(stage, site, range(QUICK))


async def test_a_star_that_sets_a_field_is_not_doubted(stage: Any, site: Any) -> None:
    stage.actor.evidence_check.rule = ReplayRule()
    star = "<i class=star style='display:inline-block;width:20px;height:20px' onclick='rating.value = {0}'></i>"
    stars = "".join(star.format(place) for place in range(1, 6))
    field = "<form method=post action=/rate><input type=hidden id=rating name=rating value=0><p>Rating</p>{}</form>"
    for page, doubted in ((field.format(f"<div>{stars}</div>"), False), (f"<div>{stars}</div><p id=rating>", True)):
        stage.actor.evidence_check.doubts.clear()
        await stage.show(site, page)
        await stage.actor.click(Find("css", "i:nth-of-type(4)"))
        assert bool(stage.actor.evidence_check.doubts) == doubted, stage.actor.evidence_check.doubts


@pytest.mark.slow
@pytest.mark.timeout(900)
async def test_many_doubts_are_what_a_replay_does_not_find(stage: Any, site: Any) -> None:
    await cases(stage, site, range(1_000, 1_000 + BREADTH))
