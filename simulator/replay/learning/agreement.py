"""Whether two performances of a run had the same effects, and what else both of them showed.

Pure functions over what was recorded of both. Not responsible for: performing, or storing what both agree on.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from simulator.browser.effects.acts import GONE
from simulator.canonical import url_shape
from simulator.meaning import is_telling
from simulator.recording.rows import ActionRow, EffectRow, RunRow, VariableRow, WriteRow
from simulator.recording.writing.effects import identity
from simulator.replay.failing import words_of
from simulator.replay.plan import Plan

_VARIABLE = re.compile(r"\{\{[^}]*\}\}")
PUT_AWAY: Final = "put_away"
"""Option of an action: it dismissed what had opened by itself, and sent something."""
_POSTS = frozenset({"click", "dblclick", "press"})
_PUTS_IN = frozenset({"fill", "type", "select", "check", "uncheck"})
_READING = frozenset({"GET", "HEAD", "OPTIONS"})


def before_effects(run: RunRow, plan: Plan) -> bool:
    """Return whether a run that wrote something was recorded before it was observed what writes do.

    Args:
        run: the run.
        plan: what a replay of it does.
    """
    if run.environment.get("determinism", {}).get("effects", 0) or plan.expected.writes:
        return False
    return any(step.created or any(map(_wrote, step.actions)) for step in plan.steps)


def _wrote(action: ActionRow) -> bool:
    by_form = action.target is not None and action.target.form.startswith("post ")
    sent = by_form and action.kind in _POSTS and action.settled == "navigated"
    return sent or (action.after is not None and any(one[0] not in _READING for one in action.after.requests))


@dataclass(frozen=True, slots=True)
class Seen:
    """What was sent in a performance, and seen of it again."""

    writes: Sequence[WriteRow]
    effects: Sequence[EffectRow]
    values: Mapping[str, str] = field(default_factory=dict)
    """What each action put in; secrets are left out."""

    def kept(self, recorded: Mapping[str, str]) -> dict[tuple[object, ...], EffectRow]:
        """Give each effect that was kept, by what makes it the same in another performance.

        Args:
            recorded: what the actions were recorded as, where this is the second performance.
        """
        writes = {one.id: one for one in self.writes}
        found: dict[tuple[object, ...], EffectRow] = {}
        for one in self.effects:
            if one.strength == "kept" and one.write_id in writes and not one.of_form:
                # Where an input is seen again may be another place of those that show it; what else changed may not.
                same = () if one.kind == "echo" else identity(one, writes[one.write_id])
                found.setdefault((recorded.get(one.input_id, one.input_id), one.kind, *same), one)
        return found


def _all_seen(plan: Plan) -> Seen:
    """Give what was seen of the recorded performance."""
    writes, effects = plan.expected.writes.values(), plan.expected.effects.values()
    return Seen(
        [one for some in writes for one in some],
        [one for some in effects for one in some],
        values_put(action for step in plan.steps for action in step.actions),
    )


def values_put(actions: Iterable[ActionRow]) -> dict[str, str]:
    """Give what each action put in; secrets are left out."""
    return {one.id: one.recorded_value for one in actions if one.recorded_value is not None}


def _counts_nowhere(effect: EffectRow, was: str | None, now: str | None) -> bool:
    """Return whether a place that showed what was put in could not prove what was put in the second time.

    In a place that is bound to nothing only a distinctive value counts: a long name does, a short one does not.
    """
    bound = effect.keyed or effect.by in ("field", "label")
    return effect.kind == "echo" and not bound and now is not None and now != was and not is_telling(now)


def why_not(plan: Plan, second: Seen, pairing: Mapping[str, str]) -> str:
    """Say why a second performance that passed does not prove a run; empty where it does.

    Args:
        plan: of the recorded run.
        second: what was seen of the other performance.
        pairing: what each recorded action has become in it.
    """
    first = _all_seen(plan)
    inputs = {action.id: action for step in plan.steps for action in step.actions}
    was, now = first.kept({}), second.kept({performed: action for action, performed in pairing.items()})

    def is_lost(one: EffectRow) -> bool:
        if one.kind == "appearance" and _holds_input(second, pairing.get(one.input_id, ""), one.url):
            return False  # what was put into it says more
        put, again = first.values.get(one.input_id), second.values.get(pairing.get(one.input_id, ""))
        return one.input_id in inputs and not _counts_nowhere(one, put, again)

    lost = [f"{words_of(inputs[one.input_id])}, kept at {one.url}"
            for same, one in was.items() if same not in now and is_lost(one)]  # fmt: skip
    if lost:
        before = "what stood there before does not count"
        return f"the second performance did not show again what the first one did ({before}): {'; '.join(lost)}"
    made = [one for one in second.writes if one.carried]
    if made and not now:
        return f"no page showed again what was sent by {', '.join(f'{one.method} {one.url}' for one in made)}"
    return ""


def _holds_input(seen: Seen, action: str, url: str) -> bool:
    """Return whether what an action sent was kept at an address, at a place that is tied to the thing there."""
    sent = {one.id for one in seen.writes if one.action_id == action}
    kept = (one for one in seen.effects if one.kind == "echo" and one.strength == "kept" and one.keyed)
    return any(one.write_id in sent and one.url == url for one in kept)


def writes_unseen(plan: Plan, second: Seen, pairing: Mapping[str, str]) -> list[str]:
    """Give the writes of which nothing was kept in another performance, though a place tied to them did when recorded.

    What a page shows anywhere else, such as the name of who is logged in, may be seen one time and not the next; and
    what of an input is kept depends on the input, too. Whether each is kept is for :func:`why_not` to say.

    Args:
        plan: of the recorded run.
        second: what was seen of the other performance.
        pairing: what each recorded action has become in it; what was not there to be done has no entry.
    """
    kept = {one.input_id for one in second.kept({}).values()}
    inputs: dict[str, set[str]] = {}
    for effect in _all_seen(plan).kept({}).values():
        if effect.keyed and effect.input_id in pairing:
            inputs.setdefault(effect.write_id, set()).add(pairing[effect.input_id])
    rows = {one.id: one for some in plan.expected.writes.values() for one in some}
    return [
        f"{rows[write].method} {rows[write].url}"
        for write, of_it in inputs.items()
        if write in rows and of_it.isdisjoint(kept)
    ]


def preferences(
    plan: Plan, performed: Mapping[str, ActionRow], pairing: Mapping[str, str], second: Seen
) -> list[ActionRow]:
    """Give what put away a dialog that had opened by itself, both times, and saved nothing but a preference.

    It sent the same both times, nothing of the user's was in it, and all that was seen is that the dialog is gone.

    Args:
        plan: of the recorded run.
        performed: the actions of the other performance, by id.
        pairing: what each recorded action has become in it.
        second: what was seen of the other performance.
    """
    first = _all_seen(plan)

    def is_one(action: ActionRow) -> bool:
        again = performed.get(pairing.get(action.id, ""))
        if again is None or not (PUT_AWAY in action.options and PUT_AWAY in again.options):
            return False
        sent, sent_again = (_plainly_sent(*one) for one in ((first, action.id), (second, again.id)))
        return bool(sent) and sent == sent_again

    return [action for step in plan.steps for action in step.actions if is_one(action)]


def _plainly_sent(seen: Seen, action: str) -> list[tuple[str, str]]:
    """Give what an action sent; nothing where it carried an input, or more was seen than that something is gone."""
    own = [one for one in seen.writes if one.action_id == action]
    ids = {one.id for one in own}
    did = [one for one in seen.effects if one.write_id in ids or one.input_id == action]
    gone = all(one.kind == "disappearance" or (one.kind == "state" and one.shows == GONE) for one in did)
    return sorted((one.method, _shape(one.url)) for one in own) if gone and not any(one.carried for one in own) else []


def ids_shifted(variables: Sequence[VariableRow], second: Sequence[VariableRow]) -> bool:
    """Return whether everything that the site generated has another value in the second performance.

    Where the same users act on a site that was reset, a text that stood there twice may hold a number that the site
    gave out twice: only where none came again, both performances say what is so each time.

    Args:
        variables: of the recorded run.
        second: of the other performance.
    """
    was = {one.name: one.value for one in variables if one.name.startswith("site.")}
    now = {one.name: one.value for one in second if one.name.startswith("site.")}
    return bool(was) and all(name in now and now[name] != value for name, value in was.items())


def agreed_requests(
    plan: Plan, performed: Mapping[str, ActionRow], pairing: Mapping[str, str]
) -> dict[str, tuple[str, ...]]:
    """Give the incidental requests that both performances sent after the same actions, and equally often.

    What is sent at intervals comes after other actions each time. What a page sends while a form is filled in, as to
    check it, depends on what is put in, and on how fast: nothing is sent where a list comes with the option that a
    third user chooses. What counts of it is sent with the whole.

    Args:
        plan: of the recorded run.
        performed: the actions of the other performance, by id.
        pairing: what each recorded action has become in it.

    Returns:
        Method and address of each, by the recorded action.
    """
    expected: dict[str, list[tuple[str, str]]] = {}
    differing: set[tuple[str, str]] = set()
    for action in (action for step in plan.steps for action in step.actions):
        second = performed.get(pairing.get(action.id, ""))
        sent = Counter((method, _shape(url)) for method, url, _ in (action.after.requests if action.after else ()))
        again = Counter(
            (method, _shape(url)) for method, url, _ in (second.after.requests if second and second.after else ())
        )
        differing |= {one for one in (*sent, *again) if sent[one] != again[one]}
        expected[action.id] = [] if action.kind in _PUTS_IN else sorted(set(plan.expected.incidental(action)))
    return {
        action: tuple(" ".join(one) for one in some if (one[0], _shape(one[1])) not in differing)
        for action, some in expected.items()
        if some
    }


def _shape(address: str) -> str:
    return url_shape(_VARIABLE.sub("{id}", address)).partition("?")[0]
