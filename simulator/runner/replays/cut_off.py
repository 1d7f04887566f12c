"""What the user of a replay had done when it was cut off, and from where on its plan is performed again.

Pure reading of a recording. What changed the site stays done; what came after the last change is done again, for it
lasts in a browser alone. Not responsible for: asking the site (``coming_back``), or performing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import takewhile
from typing import NamedTuple

from simulator.persona import Persona
from simulator.recording.reader import Recording
from simulator.recording.resuming import RESUME
from simulator.recording.rows import ActionRow, EffectRow, RunRow, StepRow, VariableRow, WriteRow
from simulator.replay.aiming import VISITS
from simulator.replay.bind import read_row
from simulator.replay.learning.pairing import Paired, Place, after, pair_actions, pair_steps
from simulator.replay.plan import Plan, PlannedStep
from simulator.runner.interrupted.resume_past import Past, Sent, may_change
from simulator.template import placeholders

_CUT = ("interrupted", "pending")
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_TOOK = "took effect"


@dataclass(frozen=True, slots=True)
class CutOff:
    """A run of a replay that was cut off, as it is recorded."""

    run: RunRow
    plan: Plan
    """What it performed, and performs the rest of."""
    steps: tuple[tuple[int, StepRow], ...]
    """What it had begun, with the place of each in the plan; without what was begun again since."""
    actions: Mapping[str, tuple[ActionRow, ...]]
    """By step."""
    paired: tuple[Paired, ...]
    variables: tuple[VariableRow, ...]
    writes: tuple[WriteRow, ...]
    effects: tuple[EffectRow, ...]

    @classmethod
    def read(cls, recording: Recording, run: RunRow, plan: Plan) -> CutOff:
        """Read what a run had done.

        Args:
            recording: where it stands.
            run: the run.
            plan: what it performed.

        Raises:
            Unlike: it did not perform that plan.
        """
        rows: dict[str, list[ActionRow]] = {}
        for action in recording.actions(run.id):
            rows.setdefault(action.step_id, []).append(action)
        steps = pair_steps(plan, recording.steps(run.id))
        writes = tuple(recording.writes(run.id))
        told = {one.action_id for one in writes}
        actions = {
            step.id: tuple(_until_effect(own, told) if step.flags.get(RESUME) == _TOOK else own)
            for _, step in steps
            if (own := rows.get(step.id, []))
        }
        return cls(
            run,
            plan,
            tuple(steps),
            actions,
            tuple(pair_actions(plan, steps, actions)),
            tuple(sorted(recording.variables(run.id), key=_when_learned)),
            writes,
            tuple(recording.effects(run.id)),
        )

    @property
    def past(self) -> Past:
        """What it did, as who asks whether something took effect reads it."""
        persona = read_row(Persona, self.plan.run.environment.get("persona"), self.plan.run)
        steps = [
            replace(step, metadata={**self.plan.steps[place].step.metadata, **step.metadata})
            for place, step in self.steps
        ]
        lost = [steps.pop()] if steps and self._is_lost(steps[-1]) else []
        return Past(
            self.run, persona, tuple(steps), tuple(lost), self.actions, writes=self.writes, effects=self.effects
        )

    def _is_lost(self, step: StepRow) -> bool:
        if step.flags.get(RESUME) == _TOOK:
            return False
        return step.status in _CUT or (self.run.verdict == "environment" and step.status == "failed")

    @property
    def question(self) -> tuple[StepRow, Sent] | None:
        """The step and the action of which nobody knows whether it took effect; None where there is none."""
        cut = self.past.cut
        if cut is None or cut[1].answered:
            return None
        place = self.place_of(cut[1].action)
        if place is not None and any(one.begins < place < one.written for one in forms_of_visits(self.plan)):
            return None  # the form of several pages is opened anew
        return None if place in [made.begins for made in drafts_of(self.plan)] else cut

    @property
    def begins_at(self) -> Place:
        """Where the plan is performed from: after the last change that is known."""
        told = {one.action_id for one in self.writes if one.status < 400}
        took = {step.id for _, step in self.steps if step.flags.get(RESUME) == _TOOK}
        changed = [
            one.place
            for one in self.paired
            if (one.row.step_id in took and (may_change(one.row) or one.row.status == "done"))
            or has_changed(one.row, told)
            # What is kept while one types, and was cut off after that: a form that logs in is no such thing.
            or (one.row.id in told and not may_change(one.row))
        ]
        begins = after(self.plan, max(changed)) if changed else Place()
        # What a script has made empty is written into by the dialog that came with it, which went with the browser. So
        # did the first pages of a form that was drawn for a visit: the site may know them by a cookie.
        begun = [(one.begins, one.written) for one in drafts_of(self.plan)]
        begun += [(one.begins, one.written) for one in forms_of_visits(self.plan)]
        return next((first for first, last in begun if first < begins <= last), begins)

    def gone_with_visits(self, begins: Place) -> frozenset[str]:
        """Give the codes of forms that were drawn for visits before: only the browser of then may be shown their pages.

        Args:
            begins: where the plan is performed from.
        """
        return frozenset(name for one in forms_of_visits(self.plan) if one.written < begins for name in one.codes)

    def place_of(self, row: ActionRow) -> Place | None:
        """Give where in the plan an action of the run stands."""
        return next((one.place for one in self.paired if one.row.id == row.id), None)

    def left(self, begins: Place) -> tuple[PlannedStep, ...]:
        """Give what is left of the plan from a place on."""
        rest = list(self.plan.steps[begins.step :])
        if rest and begins.action:
            rest[0] = replace(rest[0], actions=rest[0].actions[begins.action :])
        return tuple(rest)

    def kept(self, begins: Place) -> tuple[Paired, ...]:
        """Give the actions that stay done."""
        return tuple(one for one in self.paired if one.place < begins)

    def anew(self, begins: Place) -> tuple[StepRow, ...]:
        """Give the steps that are begun again: no action of them stays done."""
        staying = {one.row.step_id for one in self.kept(begins)}
        return tuple(step for place, step in self.steps if place >= begins.step and step.id not in staying)

    def stays(self, begins: Place) -> Past:
        """Give what the run did, without what is begun again."""
        gone = {step.id for step in self.anew(begins)}
        past = self.past
        whole = (*past.steps, *past.lost)
        return replace(past, steps=tuple(one for one in whole if one.id not in gone), lost=())


class Draft(NamedTuple):
    """A press that has a script make an empty thing, and what its dialog writes into it then."""

    begins: Place
    """Of the press."""
    written: Place
    """Of the action that writes into it."""


class FormOfVisit(NamedTuple):
    """A form of one or several pages, at an address that the site has drawn for the visit of one above it."""

    begins: Place
    """Of the visit."""
    written: Place
    """Of the last action on its pages."""
    codes: frozenset[str]
    """The variables of what the site has drawn."""


def forms_of_visits(plan: Plan) -> list[FormOfVisit]:
    """Find where a visit led on, below its address, to a code that no page had shown before, and what was done there.

    Args:
        plan: of the recorded run.
    """
    rows = [(Place(at, i), one) for at, step in enumerate(plan.steps) for i, one in enumerate(step.actions)]
    found: list[FormOfVisit] = []
    known: set[str] = set()
    for start, (place, visit) in enumerate(rows):
        led_to = visit.after.url.partition("?")[0] if visit.after else ""
        codes = {name for name in placeholders(led_to) if name.startswith("site.")} - known
        known |= codes
        asked = (visit.value or "").partition("?")[0].rstrip("/")
        if visit.kind in VISITS and codes and asked and led_to.startswith(f"{asked}/"):
            there = list(takewhile(partial(_stands_at, codes), rows[start + 1 :]))
            found += [FormOfVisit(place, there[-1][0], frozenset(codes))] if there else []
    return found


def _stands_at(codes: set[str], row: tuple[Place, ActionRow]) -> bool:
    return row[1].before is not None and not codes.isdisjoint(placeholders(row[1].before.url))


def drafts_of(plan: Plan) -> list[Draft]:
    """Find where a press sent nothing of the user's, and the same page wrote into the new thing that came of it.

    The later write goes to the address of the first, followed by what no page had shown before. To press once more
    makes another empty thing: what the user puts in is in one of them alone.

    Args:
        plan: of the recorded run.
    """
    rows = [(Place(at, i), one) for at, step in enumerate(plan.steps) for i, one in enumerate(step.actions)]
    writes = plan.expected.writes
    found: list[Draft] = []
    for start, (place, press) in enumerate(rows):
        made = [one for one in writes.get(press.id, ()) if one.status < 400]
        if press.settled == "navigated" or len(made) != 1 or made[0].carried or not may_change(press):
            continue
        stem = made[0].url.partition("?")[0].rstrip("/")
        known = [page.url for _, one in rows[: start + 1] for page in (one.before, one.after) if page]
        for later, one in rows[start + 1 :]:
            paths = [each.url.partition("?")[0] for each in writes.get(one.id, ()) if each.carried]
            called = [path.rpartition("/")[2] for path in paths if path.rpartition("/")[0] == stem]
            if called and may_change(one) and not any(name in url.split("/") for name in called for url in known):
                found.append(Draft(place, later))
            if called or one.kind in VISITS or one.settled == "navigated":
                break
    return found


def has_changed(action: ActionRow, told: Iterable[str]) -> bool:
    """Return whether an action that was done has changed the site, as far as a request of it was seen.

    What the page said of it decides nothing here: what might have been taken is never sent twice.

    Args:
        action: as the replay has recorded it.
        told: ids of the actions that sent something which was not refused.
    """
    if action.status != "done":
        return False
    requests = action.after.requests if action.after else ()
    if action.id in told or any(method not in _READING and status < 400 for method, _, status in requests):
        return True
    posts = action.target is not None and action.target.form.startswith("post ")
    return action.settled == "navigated" and posts and may_change(action)


def logs_in_first(left: Sequence[PlannedStep]) -> bool:
    """Return whether the first thing that is sent from here on opens a session: nobody has to be logged in for it."""
    secret: set[str] = set()
    for planned in left:
        for action in planned.actions:
            if action.target is not None and action.target.secret:
                secret.add(action.target.form)
            elif may_change(action):
                assert action.target is not None
                return action.target.form in secret
    return False


def _when_learned(variable: VariableRow) -> tuple[str, str, str]:
    return variable.step_id or "", variable.action_id or "", variable.name


def _until_effect(actions: Sequence[ActionRow], told: Iterable[str]) -> Sequence[ActionRow]:
    """Give the actions of a step that was cut off up to the one that took effect: the others were done again."""
    known = set(told)
    last = max((at for at, one in enumerate(actions) if may_change(one) or has_changed(one, known)), default=-1)
    return actions[: last + 1]
