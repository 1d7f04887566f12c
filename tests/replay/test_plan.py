"""From a recorded run to what a replay does, with the reason for each step that it does not do."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, cast

import pytest

from simulator.recording.reader import Recording
from simulator.recording.rows import (
    ActionRow,
    CreatedRow,
    DependencyRow,
    EffectRow,
    RunRow,
    StepRow,
    VariableRow,
    WriteRow,
)
from simulator.replay.plan import Plan, plan_run
from tests.replay.rows import action, field, page, run, step, submit, variable


class Rows:
    """The rows of one run, read as from a recording."""

    def __init__(
        self,
        steps: Sequence[StepRow],
        actions: Sequence[ActionRow] = (),
        variables: Sequence[VariableRow] = (),
        needs: Sequence[DependencyRow] = (),
    ) -> None:
        self._steps, self._actions, self._variables, self._needs = steps, actions, variables, needs

    def steps(self, _: str) -> list[StepRow]:
        return list(self._steps)

    def actions(self, _: str) -> list[ActionRow]:
        return list(self._actions)

    def created(self, _: str) -> list[CreatedRow]:
        return [CreatedRow("c", "run-1", "step-0", 0, "listing", "/books/{{site.books_1}}", {}, "live", 0)]

    def writes(self, _: str) -> list[WriteRow]:
        return []

    def effects(self, _: str) -> list[EffectRow]:
        return []

    def dependencies(self, _: str) -> list[DependencyRow]:
        return list(self._needs)

    def variables(self, _: str) -> list[VariableRow]:
        return list(self._variables)


def planned(*rows: Any, row: RunRow | None = None) -> Plan:
    return plan_run(cast(Recording, Rows(*rows)), row or run())


def test_what_acted_is_performed_with_what_it_made_and_needs() -> None:
    need = DependencyRow("run-1", "step-0", "run-0", None, "user.0.book.1.title")
    plan = planned([step()], [action("fill", field("title"), value="x"), submit(url="/books/7")], [], [need])
    (only,) = plan.steps
    assert [one.kind for one in only.actions] == ["fill", "click"]
    assert [made.kind for made in only.created] == ["listing"]
    assert plan.needs == {"run-0"}
    assert plan.refused == ""
    assert plan.lines()[0].split() == ["1", "fill_form"]


def test_what_a_dropped_step_has_waited_for_the_next_one_waits_for() -> None:
    need = DependencyRow("run-1", "step-0", "run-0", "step-7", "user.0.ticket.1.title")
    reading = step(id="step-0", tool="read_links", replay="skip")
    acting = step(id="step-1", ordinal=1)
    plan = planned([reading, acting], [replace(submit(url="/tickets/7"), step_id="step-1")], [], [need])
    assert [one.step.id for one in plan.steps] == ["step-1"]
    assert plan.steps[0].needs == (need,)


@pytest.mark.parametrize(
    ("given", "reason"),
    [
        ({"replay": "skip"}, "it only reads"),
        ({"replay": "call"}, "nothing uses what it gave"),
        ({"replay": "result", "success": False, "error_message": "no shell"}, "it gave nothing: no shell"),
        ({}, "it did nothing on the site"),
        ({"success": False, "error_message": "no field"}, "it failed before it acted: no field"),
        ({"success": False, "error_type": "rejected", "error_message": "too dear"}, "the site rejected it: too dear"),
    ],
)
def test_each_step_that_is_dropped_has_its_reason(given: dict[str, Any], reason: str) -> None:
    plan = planned([step(**given)])
    assert plan.steps == ()
    assert [one.reason for one in plan.dropped] == [reason]
    assert reason in plan.lines()[0]


REJECTED = {"success": False, "error_type": "rejected", "error_message": "who are you?"}


@pytest.mark.parametrize(
    ("opened", "next_kind", "next_url", "way"),
    [
        ("/login?next=/admin", "fill", "/login?next=/admin", 1),
        ("/login?next=/admin", "fill", "/", 0),
        ("/login?next=/admin", "goto", "/login?next=/admin", 0),
        ("/login", "fill", "/session", 1),
    ],
)
def test_what_led_to_the_page_of_a_rejected_step_is_performed_where_the_run_went_on_from_there(
    opened: str, next_kind: str, next_url: str, way: int
) -> None:
    visit = action("goto", value="/admin", before=page("/"), settled="navigated", after=page(opened))
    tried = [
        visit,
        action("fill", field("username"), value="ann", before=page(opened)),
        submit("who are you?", url="/session"),
    ]
    then = action(next_kind, field("username"), value="root", step_id="step-1", before=page(next_url))
    plan = planned([step(**REJECTED), step(1)], [*tried, then])
    assert [[one.id for one in each.actions] for each in plan.steps] == [[visit.id]] * way + [[then.id]]
    assert [one.action for one in plan.dropped] == (tried[1:] if way else [None])
    assert {one.reason for one in plan.dropped} == {"the site rejected it: who are you?"}


@pytest.mark.parametrize("settled", ["changed", "quiet"])
def test_the_first_page_of_a_browser_is_a_way_too(settled: str) -> None:
    """It comes after no other page, so nothing navigated."""
    visit = action("goto", value="/admin", before=page(""), settled=settled, after=page("/login?next=/admin"))
    tried = submit("who are you?", url="/login?next=/admin")
    then = action("fill", field("username"), value="root", step_id="step-1", before=page("/login?next=/admin"))
    plan = planned([step(**REJECTED), step(1)], [visit, tried, then])
    assert [[one.id for one in each.actions] for each in plan.steps] == [[visit.id], [then.id]]


def test_a_search_whose_covers_are_used_is_performed() -> None:
    plan = planned([step(replay="result")], [], [variable("file.cover_1", "cover:1", kind="file", step_id="step-0")])
    assert len(plan.steps) == 1


def test_a_detour_is_dropped_action_by_action() -> None:
    wrong = action("fill", field("price"), value="x")
    rejected = submit("Give a number")
    plan = planned([step()], [wrong, rejected, action("fill", field("price"), value="3"), submit(url="/books/7")])
    assert [one.value for one in plan.steps[0].actions] == ["3", None]
    assert [one.action for one in plan.dropped] == [wrong, rejected]


@pytest.mark.parametrize("status", ["pending", "interrupted"])
def test_an_action_of_unknown_effect_refuses_the_run(status: str) -> None:
    plan = planned([step(2)], [action("click", field("go"), status=status, step_id="step-2")])
    assert plan.refused == "step 3 was interrupted during 'click textbox 'Go'', and whether that took effect is unknown"
    assert plan.lines()[0].startswith("cannot be replayed: step 3")


def test_failed_actions_are_left_out() -> None:
    plan = planned([step()], [action("click", field("go"), status="failed"), submit(url="/books/7")])
    assert [one.status for one in plan.steps[0].actions] == ["done"]


def test_a_replay_and_an_empty_run_are_refused() -> None:
    assert "itself a replay" in planned([step()], row=run(kind="replay")).refused
    assert planned([]).refused == "nothing was recorded in it"


def test_what_a_step_gave_is_given_again_without_doing_it() -> None:
    plan = planned([step(replay="result")])
    assert [each.actions for each in plan.steps] == [()]
    assert plan.dropped == ()


@pytest.mark.parametrize(("stopped", "kind"), [("hovered", "hover"), ("pressed", "click"), (None, None)])
def test_of_a_click_that_was_stopped_as_much_is_performed_as_the_page_heard(stopped: str, kind: str) -> None:
    failed = step(success=False, error_type="not_actionable", error_message="it was stopped in the page")
    options = {"stopped": stopped} if stopped else {}
    plan = planned([failed], [action("click", field("title"), status="cancelled", options=options)])
    assert [one.kind for part in plan.steps for one in part.actions] == ([kind] if kind else [])
    assert [drop.reason for drop in plan.dropped] == (
        [] if kind else ["it failed before it acted: it was stopped in the page"]
    )


def test_what_was_stopped_in_the_middle_is_unknown() -> None:
    failed = step(success=False, error_type="not_actionable", error_message="it was stopped in the page")
    plan = planned([failed], [action("dblclick", field("title"), status="cancelled", options={"stopped": "acted"})])
    assert plan.refused.endswith("and whether that took effect is unknown")


def test_each_address_that_a_list_gave_itself_for_a_search_is_known() -> None:
    found = []
    for ordinal, wanted in enumerate(("Leeds", "York")):
        typed = replace(action("fill", field("filter"), value=wanted), after=page("/list"))
        left = replace(action("goto", value="/list"), before=page(f"/list?filter={wanted}"), after=page("/list"))
        found += [replace(typed, ordinal=2 * ordinal), replace(left, ordinal=2 * ordinal + 1)]
    plan = planned([step()], found)
    assert plan.expected.moved == {"/list": ("/list?filter=Leeds", "/list?filter=York")}
