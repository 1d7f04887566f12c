"""Traits are behaviour: what users of one kind or another do on the real bookshop, and how long they try."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.agent.autopilot import Autopilot
from simulator.agent.contracts import RunView, TaskEnded
from simulator.agent.interactions import plan_batch
from simulator.agent.loop import run_agent
from simulator.config import load_settings
from simulator.persona import draw_identity
from simulator.tools.contracts import ToolCall, ToolResult


@pytest.fixture
async def on_shop(shop, bookshop, stage):
    return await stage(bookshop.with_base_url(shop.url))


@pytest.mark.slow
async def test_who_skips_what_is_optional_leaves_it_empty(shop, on_shop, make_persona) -> None:
    tasks = ["register", "list_books"]
    eager = make_persona(*tasks, name="eager", traits={"skips_optional": 0.0})
    hasty = make_persona(*tasks, name="hasty", traits={"skips_optional": 1.0})
    runs = await on_shop.batch([eager, hasty], count=2)
    state = shop.state()
    left = {}
    for run in runs:
        mine = state[run.identity.username]
        assert [status for _, status, _ in run.tasks] == ["done", "done"]
        (listing,) = mine["listing"].values()
        left[run.identity.persona] = listing["description"] == ""
        assert listing["author"], "that is required"
    assert left == {"eager": False, "hasty": True}


@pytest.mark.table
async def test_slips_of_the_pen_reach_the_site_and_spare_what_must_be_right(shop, on_shop, make_persona) -> None:
    tasks = ["register", {"list_books": {"count": 2}}]
    given = {"description_length": "long", "skips_optional": 0.0}
    careless = make_persona(*tasks, traits={**given, "typo_rate": 0.2})
    (run,) = await on_shop.batch([careless], count=1)
    careful = draw_identity(make_persona(*tasks, traits={**given, "typo_rate": 0.0}), seed=7, number=1)
    listed = shop.state()[run.identity.username]["listing"]
    slips = 0
    for sequence, book in enumerate(careful.books, start=1):
        shown = listed[str(sequence)]
        assert (shown["title"], shown["author"], shown["price"]) == (book.title, book.author, book.price)
        pairs = zip(shown["description"].split(), book.description.split(), strict=True)
        slips += sum(one != other for one, other in pairs)
    assert slips >= 3


class Sluggish:
    """A site that never answers in time."""

    def __init__(self) -> None:
        self.calls: list[str] = []

    async def dispatch(self, call: ToolCall) -> ToolResult:
        self.calls.append(call.name)
        return ToolResult.failure_result("nothing came in time", type="timeout")


@pytest.mark.parametrize(("patience", "tries"), [("low", 1), ("medium", 2), ("high", 3)])
async def test_patience_decides_how_often_a_slow_page_is_tried(make_persona, patience: str, tries: int) -> None:
    persona = make_persona({"browse": {"pages": 1}}, traits={"patience": patience})
    identity = draw_identity(persona, seed=7, number=1)
    site, events = Sluggish(), list[Any]()
    interactions = plan_batch([(persona, identity)], "7")
    view = RunView(persona, identity, load_settings().site("bookshop"), peers=None, tell=events.append, shown=str)  # type: ignore[arg-type]
    end = await run_agent(Autopilot(interactions[1]), site, view)
    assert end.status == "failed"
    assert site.calls == ["navigate"] * tries
    (ended,) = (event for event in events if isinstance(event, TaskEnded))
    assert "nothing came in time" in ended.reason
