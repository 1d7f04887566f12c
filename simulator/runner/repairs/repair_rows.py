"""What a repair did, as it takes the place of the recorded steps in a revision: the same names for the site's values.

Not responsible for: writing the revision, or deciding that there is one.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import count
from typing import Any

from simulator.bindings import Bindings
from simulator.browser.acting.sightings import SHOWS
from simulator.browser.action_recorder import PageState
from simulator.browser.evidence import Target
from simulator.browser.operations import map_options
from simulator.canonical import map_strings
from simulator.recording.documents import Flags, Shown
from simulator.recording.reader import Recording
from simulator.recording.redoing import Redone
from simulator.recording.rows import ActionRow, EffectRow, StepRow, VariableRow, WriteRow
from simulator.replay.learning.learn import LEARNT
from simulator.runner.repairs.repair_check import Verified
from simulator.runner.repairs.repair_segment import Segment
from simulator.template import CHOICE, literal

_NUMBERED = re.compile(r"(.*_)\d+")


def redone(
    recording: Recording,
    run_id: str,
    segment: Segment,
    begun: str,
    done: Collection[str],
    verified: Verified,
    known: Mapping[str, VariableRow],
    uploads: Mapping[str, ActionRow],
) -> Redone:
    """Give what takes the place of a part of a run.

    Args:
        recording: holds the replay.
        run_id: the replay of the run.
        segment: the part.
        begun: the replay's step at which the recorded steps came to an end.
        done: the steps that were done instead, by id.
        verified: what was found of what the part had made.
        known: the variables of the recorded run, by name.
        uploads: what the recorded user gave to file fields, by where it came from: another user gives another file.
    """
    steps = {step.id: step for step in recording.steps(run_id)}
    actions: dict[str, list[ActionRow]] = {}
    for action in recording.actions(run_id):
        if action.status == "done":
            actions.setdefault(action.step_id, []).append(action)
    out = frozenset(step.id for step in segment.out)
    given = [one for one in recording.variables(run_id) if one.step_id == begun or one.step_id in done]
    named = _named(given, verified.renamed, {name for name, one in known.items() if one.step_id not in out})
    # Nobody chooses by the rule any more: what the model took is that very thing.
    chosen = {name: one.value or "" for name, one in known.items() if name.startswith(CHOICE) and one.step_id in out}
    rename = _renaming(named, Bindings({name: literal(value) for name, value in chosen.items()}))
    failed = segment.failed.step
    kept = [replace(rename(one), step_id=failed.id) for one in actions.get(begun, ())]
    own = [(_cut(failed, len(kept)), tuple(kept))] if kept else []
    for step in steps.values():
        if step.id in done:
            instead = tuple(_uploaded(rename(action), uploads) for action in actions.get(step.id, ()))
            own.append((_shows(_step(step, rename), instead, verified), instead))
    there = {action.id for _, some in own for action in some}
    variables = {
        name: replace(
            one,
            name=name,
            step_id=failed.id if one.step_id == begun else one.step_id,
            action_id=one.action_id if one.action_id in there else None,
        )
        for one in given
        if (name := named.get(one.name, one.name)) not in known or known[name].step_id in out
    }
    ids = {step.id for step, _ in own}
    return Redone(
        out=out,
        run_id=run_id,
        steps=tuple(own),
        writes=tuple(rename(one) for one in recording.writes(run_id) if one.action_id in there),
        effects=tuple(rename(one) for one in recording.effects(run_id) if {one.action_id, one.input_id} <= there),
        variables=tuple(one for one in variables.values() if one.step_id in ids),
    )


def _named(given: Collection[VariableRow], renamed: Mapping[str, str], taken: Collection[str]) -> dict[str, str]:
    """Give the names that variables get where they are not those that they have: the recorded ones, or free ones."""
    named = dict(renamed)
    used = {*taken, *(one.name for one in given)}
    for one in given:
        numbered = _NUMBERED.fullmatch(one.name)
        if one.name in taken and one.kind == "file" and numbered:
            named[one.name] = next(each for each in map(f"{numbered[1]}{{}}".format, count(1)) if each not in used)
            used.add(named[one.name])
    return named


def _renaming(named: Mapping[str, str], chosen: Bindings) -> Callable[[Any], Any]:
    """Give what writes other names of variables, or the values of some, in the texts of a row or of a value."""
    if not named:
        return partial(_written, put=chosen.shown)
    one_of = "|".join(re.escape(name) for name in sorted(named, key=len, reverse=True))
    placeholder = re.compile(rf"\{{\{{\s*({one_of})(?=[\s.}}])")

    def put(text: str) -> str:
        return named.get(text) or chosen.shown(placeholder.sub(lambda match: "{{" + named[match[1]], text))

    return partial(_written, put=put)


def _written(value: Any, put: Callable[[str], str]) -> Any:
    """Pass every text of a row, or of a value, through a function."""
    if isinstance(value, ActionRow):
        target = value.target and Target.model_validate(map_strings(value.target.model_dump(mode="json"), put))
        return replace(
            value,
            target=target,
            value=None if value.value is None else put(value.value),
            options=map_options(value.kind, value.options, put),
            before=value.before and _written(value.before, put),
            after=value.after and _written(value.after, put),
        )
    if isinstance(value, WriteRow):
        return replace(value, url=put(value.url), leads_to=put(value.leads_to))
    if isinstance(value, EffectRow):
        own = value.thing
        thing = replace(own, ids=tuple(map(put, own.ids)), at=put(own.at), called=put(own.called))
        return replace(
            value, url=put(value.url), label=put(value.label), was=put(value.was), shows=put(value.shows), thing=thing
        )
    if isinstance(value, PageState):
        return replace(
            value,
            url=put(value.url),
            title=put(value.title),
            requests=tuple((method, put(url), status) for method, url, status in value.requests),
            alerts=tuple(map(put, value.alerts)),
            notes=tuple(map(put, value.notes)),
        )
    return map_strings(value, put)


def _step(step: StepRow, rename: Callable[[Any], Any]) -> StepRow:
    return replace(step, input=rename(step.input), result=rename(step.result), metadata=rename(step.metadata))


def _uploaded(action: ActionRow, uploads: Mapping[str, ActionRow]) -> ActionRow:
    """Give an upload with the recorded file, where it comes from where that came from."""
    recorded = uploads.get(str(action.options.get("source", ""))) if action.kind == "upload" else None
    if recorded is None:
        return action
    sha256, name = recorded.options["sha256"], recorded.options["name"]
    return replace(action, value=recorded.value, options={**action.options, "sha256": sha256, "name": name})


def _shows(step: StepRow, actions: Sequence[ActionRow], verified: Verified) -> StepRow:
    """Mark a step after whose actions a page shows what is given back later."""
    places = {action.id: place for place, action in enumerate(actions)}
    shows: dict[str, Shown] = {
        name: {**told, "action": places[action_id]}
        for name, (action_id, told) in verified.shows.items()
        if action_id in places
    }
    return replace(step, flags={**step.flags, SHOWS: shows}) if shows else step


def _cut(step: StepRow, actions: int) -> StepRow:
    """Give the step that could not be performed whole, without what was marked of the actions that it has no more."""
    flags: Flags = {**step.flags}
    if LEARNT in flags:
        flags[LEARNT] = {place: told for place, told in flags[LEARNT].items() if int(place) < actions - 1}
    if SHOWS in flags:
        flags[SHOWS] = {name: told for name, told in flags[SHOWS].items() if told["action"] < actions - 1}
    return replace(step, flags=flags)
