"""The autopilot on the bundled bookshop; what it did is read from the shop's own state."""

from __future__ import annotations

from simulator.persona import load_personas, starter_personas


async def test_a_batch_leaves_one_state_at_any_concurrency(shop, bookshop, stage) -> None:
    personas = list(load_personas(starter_personas()).values())
    on_shop = await stage(bookshop.with_base_url(shop.url))
    states = []
    for concurrency in (1, 8):
        shop.control("POST", "reset")
        runs = await on_shop.batch(personas, count=10, concurrency=concurrency)
        assert [run.end.status for run in runs] == ["passed"] * 10
        states.append(shop.state())
    assert states[0] == states[1]
