"""Segments that repeat: whole ones are left out or done once more, and nothing later speaks of what was left out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.browser.effects.model import Carried, KnownThing
from simulator.browser.evidence import Scope
from simulator.errors import UsageError
from simulator.persona.numbers import Numbers, parse_numbers
from simulator.recording.rows import CreatedRow, EffectRow, WriteRow
from simulator.replay.effects.expected import Expected
from simulator.replay.plan import Plan, PlannedStep
from simulator.replay.seeding.segments import fitted, segments_of
from simulator.template import placeholders
from tests.replay import rows


def _step(place: int, *actions: Any, **more: Any) -> PlannedStep:
    own = tuple(replace(one, step_id=f"step-{place}") for one in actions)
    return PlannedStep(rows.step(place, **more), own)


def _write(action: str, row: int) -> WriteRow:
    return WriteRow(
        id=f"write-{row}", run_id="run-1", action_id=action, ordinal=0, initiator="document", method="POST",
        url="/tickets", operation="", status=303, leads_to=f"/tickets/{{{{site.tickets_{row}}}}}",
        carried=(Carried("title", action),),
    )  # fmt: skip


def _effect(at: str, row: int, put_in: str) -> EffectRow:
    return EffectRow(
        id=f"effect-{row}-{at}", run_id="run-1", action_id=at, ordinal=0, write_id=f"write-{row}", input_id=put_in,
        kind="echo", strength="kept", likeness="same", url=f"/tickets/{{{{site.tickets_{row}}}}}", by="text", label="",
        keyed=True, looked=False, thing=KnownThing(at=f"/tickets/{{{{site.tickets_{row}}}}}"),
        was="", shows="", spot="",
    )  # fmt: skip


def desk(count: int, closed: Sequence[int] = (), *, also: str = "", odd: int = 0) -> Plan:
    """A run that registers, opens so many tickets, looks at the list, and closes some of them.

    Args:
        count: how many tickets.
        closed: which ones are closed at the end.
        also: what stands behind each title.
        odd: the ticket that is opened by another link; 0: none.
    """
    steps = [_step(0, rows.action("fill", rows.field("username"), value="{{identity.username}}"))]
    variables, writes, effects = [], {}, {}
    for row in range(1, count + 1):
        place = len(steps)
        link = rows.target(tag="a", role="link", name="New" if row == odd else "New ticket", form="")
        before = rows.page("/tickets") if row == 1 else rows.page(f"/tickets/{{{{site.tickets_{row - 1}}}}}")
        steps.append(_step(place, rows.action("click", link, before=before)))
        fill = rows.action("fill", rows.field("title"), value=f"{{{{ticket.{row}.title}}}}{also.format(row=row)}")
        send = rows.action(
            "click", rows.target(name="Open it"), after=rows.page(f"/tickets/{{{{site.tickets_{row}}}}}")
        )
        learnt = {"learnt": {"1": {"title": f"{{{{ticket.{row}.title}}}}"}}}
        made = CreatedRow(f"made-{row}", "run-1", f"step-{place + 1}", 0, "ticket", "/tickets", {}, "live", 0)
        steps.append(replace(_step(place + 1, fill, send, flags=learnt), created=(made,)))
        variables.append(rows.variable(f"site.tickets_{row}", "7", kind="site", step_id=f"step-{place + 1}"))
        writes[send.id] = [_write(send.id, row)]
        effects[send.id] = [_effect(send.id, row, fill.id)]
    inputs = {one.carried[0].input: one for some in writes.values() for one in some}
    look = rows.action("goto", value="/tickets")
    notes = [f"{{{{ticket.{row}.title}}}}" for row in range(1, count + 1)]
    steps.append(_step(len(steps), look, flags={"learnt": {"0": {"title": "Tickets", "notes": notes}}}))
    effects[look.id] = [_effect(look.id, row, put_in) for row, put_in in enumerate(inputs, start=1)]
    for row in closed:
        link = rows.target(tag="a", role="link", name=f"{{{{ticket.{row}.title}}}}", form="")
        steps.append(_step(len(steps), rows.action("click", link)))
    return Plan(rows.run(), tuple(steps), (), tuple(variables), expected=Expected(writes=writes, effects=effects))


def said(plan: Plan) -> Counter[str]:
    """How often what is put in names each ticket."""
    values = [action.value or "" for planned in plan.steps for action in planned.actions if action.kind == "fill"]
    return Counter(name for value in values for name in placeholders(value) if name.startswith("ticket."))


@given(count=st.integers(2, 5), closed=st.sets(st.integers(1, 5)), number=st.integers(0, 9))
def test_as_many_whole_segments_as_are_wanted_and_possible(count: int, closed: set[int], number: int) -> None:
    closing = sorted(row for row in closed if row <= count)
    plan = desk(count, closing)
    found = segments_of(plan, "ticket")
    assert found is not None
    assert (len(found.blocks), found.rows, found.once_more) == (count, tuple(range(1, count + 1)), True)
    assert found.needed == max(closing, default=0)
    fit = found.fitting(number)
    assert fit == max(number, found.needed)
    varied = fitted(plan, found, fit)
    assert said(varied) == {f"ticket.{row}.title": 1 for row in range(1, fit + 1)}

    actions = [action for planned in varied.steps for action in planned.actions]
    assert max(Counter(action.id for action in actions).values()) == 1
    assert all(action.step_id == planned.step.id for planned in varied.steps for action in planned.actions)
    ids = {action.id for action in actions}
    assert varied.expected.writes.keys() <= ids
    assert varied.expected.effects.keys() <= ids
    sent = {one.id for some in varied.expected.writes.values() for one in some}
    assert len(sent) == fit, "each ticket is required to be sent, once"
    seen = [one for some in varied.expected.effects.values() for one in some]
    assert all(one.write_id in sent and one.input_id in ids for one in seen)
    assert {one.write_id for one in seen} == sent, "and to be seen"
    told = {name for planned in varied.steps for name in placeholders(str(planned.step.flags))}
    assert told == {f"ticket.{row}.title" for row in range(1, fit + 1)}
    minted = [one.name for one in varied.variables]
    assert max(Counter(minted).values(), default=1) == 1
    # What was recorded stays as it is, and in its order.
    kept = [planned for planned in varied.steps if "#" not in planned.step.id]
    assert [planned.step.id for planned in kept] == [
        planned.step.id for planned in plan.steps if planned.step.id in {one.step.id for one in kept}
    ]


@pytest.mark.parametrize(
    ("plan", "reason"),
    [
        (desk(1), "once is no segment that repeats"),
        (desk(0), "none is made"),
        (desk(2, odd=2), "the second one is made by another link"),
        (desk(2, also=" like {{{{ticket.1.title}}}}"), "the second one speaks of the first, too"),
    ],
)
def test_what_is_not_done_alike_for_one_row_after_the_other_is_left_alone(plan: Plan, reason: str) -> None:
    assert segments_of(plan, "ticket") is None, reason


def test_what_speaks_of_more_than_its_row_is_left_out_and_not_done_once_more() -> None:
    plan = desk(3, also=" with {{{{file.picture_1}}}}")
    found = segments_of(plan, "ticket")
    assert found is not None
    assert not found.once_more
    assert [found.fitting(number) for number in (0, 2, 9)] == [0, 2, 3]


def test_what_a_later_step_knows_by_its_card_stays() -> None:
    plan = desk(4)
    card = Scope(kind="card", role="listitem", words=("{{ticket.3.title}}",), titles=1)
    press = rows.action("click", rows.target(name="Close", scopes=(card,)))
    found = segments_of(replace(plan, steps=(*plan.steps, _step(20, press))), "ticket")
    assert found is not None
    assert found.needed == 3


def test_what_another_user_speaks_of_stays() -> None:
    plan = desk(3)
    says = rows.action("fill", rows.field("message"), value="About {{user.1.ticket.2.title}}")
    other = Plan(rows.run(id="run-2", number=2), (_step(0, says),), (), ())
    found = segments_of(plan, "ticket", [plan, other])
    assert found is not None
    assert found.needed == 2


def test_nobody_does_none_where_what_follows_began_behind_one() -> None:
    plan = desk(2)
    click = rows.action("click", rows.target(tag="a", role="link", name="Next", form=""))
    behind = replace(plan, steps=(*plan.steps[:-1], _step(9, click)))
    found = segments_of(behind, "ticket")
    assert found is not None
    assert found.needed == 1


def test_a_number_is_less_likely_the_larger_it_is() -> None:
    numbers = Numbers(0, 10)
    drawn = Counter(numbers.draw("7", "asker", user) for user in range(4000))
    assert drawn.keys() == set(range(11))
    assert drawn[0] > drawn[1] > drawn[3] > drawn[10] > 0
    assert Numbers(2, 2).draw("any") == 2


@pytest.mark.parametrize(
    "text", ["tickets", "tickets=3", "tickets=3..1", "=0..1", "tickets=0..1,tickets=0..2", "a=-1..2"]
)
def test_what_is_no_range_is_refused(text: str) -> None:
    with pytest.raises(UsageError, match="--numbers"):
        parse_numbers([text], "--numbers")
