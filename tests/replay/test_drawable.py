"""A fresh user of a run whose user was dealt data that nothing here deals: refused where the run says such data."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.errors import RecordingError
from simulator.persona import Persona, draw_identity
from simulator.recording.rows import ActionRow
from simulator.replay.bind import bind_identity
from simulator.replay.plan import Plan, PlannedStep
from tests.replay.rows import action, field, run, step

PERSONA = Persona.model_validate({"persona": "digger", "about": "Digs.", "locale": "en_GB", "tasks": ["register"]})
DEALT = {"spades": [{"title": "Border spade"}], "hopes": ["Dry soil."]}


def plan(*actions: ActionRow, **given: Any) -> Plan:
    identity = draw_identity(PERSONA, seed="7", number=1).model_dump(mode="json") | DEALT
    row = run(identity=identity, environment={"persona": PERSONA.model_dump(mode="json", exclude_unset=True)})
    return Plan(row, (PlannedStep(step(**given), actions),), (), ())


SAID = {
    "typed": plan(action("fill", field("title"), value="{{spade.1.title}}")),
    "of a text": plan(action("fill", field("title"), value="I say: {{text.hope.1}}")),
    "of another user": plan(action("goto", value="/spades?q={{user.2.spade.1.title.slug}}")),
    "in what is acted on": plan(action("click", field("about {{spade.2.title}}"))),
    "in a call": plan(input={"title": "{{spade.1.title}}"}),
}
UNSAID = {
    "nothing": plan(),
    "of the user": plan(action("fill", field("name"), value="{{identity.display_name}}")),
    "of other data": plan(action("fill", field("name"), value="{{spader.1.title}} {{text.hoped.1}}")),
}


@pytest.mark.parametrize("said", SAID.values(), ids=SAID)
def test_who_says_what_nothing_deals_is_not_drawn(said: Plan) -> None:
    with pytest.raises(RecordingError, match=r"has (spades|hopes) of its user, and nothing deals those of a fresh one"):
        bind_identity(said, "fresh", "9")
    assert bind_identity(said, "same", "9").identity.dealt()


@pytest.mark.parametrize("unsaid", UNSAID.values(), ids=UNSAID)
def test_what_a_run_never_says_keeps_nobody_from_being_drawn(unsaid: Plan) -> None:
    assert bind_identity(unsaid, "fresh", "9").identity == draw_identity(PERSONA, seed="9", number=1)
