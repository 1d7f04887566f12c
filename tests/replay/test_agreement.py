"""Whether a second performance showed again what the first one did, by what was recorded of both."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from simulator.browser.effects.model import Carried, KnownThing
from simulator.canonical import EFFECTS
from simulator.recording.rows import EffectRow, WriteRow
from simulator.replay.effects.expected import Expected
from simulator.replay.learning.agreement import Seen, agreed_requests, why_not
from simulator.replay.plan import Plan, PlannedStep
from tests.replay.rows import action, field, page, run, step

pytestmark = pytest.mark.promise("proven when it is recorded")

AT = "/orders/{{site.orders_1}}"


def wrote(action_id: str, put: str) -> WriteRow:
    carried = (Carried("name", put),)
    return WriteRow(f"write-{put}", "run-1", action_id, 0, "document", "POST", "/orders", "", 303, AT, carried)


def effect(kind: Any, by: Any, write: WriteRow, put: str, **given: Any) -> EffectRow:
    return EffectRow(
        id=f"{kind}-{put}", run_id="run-1", action_id=write.action_id, ordinal=0, write_id=write.id, input_id=put,
        kind=kind, strength="kept", likeness="same", url=AT, by=by, label="", keyed=True, looked=False,
        thing=KnownThing(at=AT), was="", shows="", spot="", **given,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("shown", "is_proven"),
    [({}, True), ({"url": "/orders"}, False), ({"keyed": False}, False), ({"strength": "shown"}, False)],
)
def test_a_thing_has_appeared_where_its_address_shows_what_was_put_into_it(
    shown: dict[str, Any], is_proven: bool
) -> None:
    put, sent = action("fill", field("name"), value="Cold room"), action("click")
    put, sent = replace(put, id="put"), replace(sent, id="sent")
    first, second = wrote("sent", "put"), wrote("sent-2", "put-2")
    seen = [effect("echo", "text", first, "put"), effect("appearance", "address", first, "sent")]
    expected = Expected(writes={"sent": [first]}, effects={"sent": seen}, version=EFFECTS)
    plan = Plan(run(), (PlannedStep(step(), (put, sent)),), (), (), expected=expected)
    again = replace(effect("echo", "text", second, "put-2"), **shown)
    # What was put in is shown somewhere in either case: without that nothing is proven, whatever has appeared.
    elsewhere = replace(effect("echo", "text", second, "put-2"), url="/orders", ordinal=1, id="elsewhere", keyed=False)
    why = why_not(plan, Seen([second], [again, elsewhere]), {"put": "put-2", "sent": "sent-2"})
    assert (why == "") is is_proven, why


@pytest.mark.parametrize(("kind", "required"), [("click", ("POST /check",)), ("select", ()), ("fill", ())])
def test_what_a_page_sends_while_a_form_is_filled_in_is_required_of_nobody(
    kind: Any, required: tuple[str, ...]
) -> None:
    sent = {"after": page(requests=(("POST", "/check", 200),))}
    first, second = (replace(action(kind, field("name"), value="Cold room"), id=one, **sent) for one in ("one", "two"))
    write = WriteRow("write", "run-1", "one", 0, "fetch", "POST", "/check", "", 200, "", ())
    plan = Plan(
        run(), (PlannedStep(step(), (first,)),), (), (), expected=Expected(writes={"one": [write]}, version=EFFECTS)
    )
    assert agreed_requests(plan, {"two": second}, {"one": "two"}).get("one", ()) == required
