"""Puts what another run has done into a revision, in place of a part of the run that it revises.

Responsible for the rows: steps and actions, what they wrote, what they use of others, what a model was asked for them.
Not responsible for: writing the revision (``revise``), or which part it is.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, Final

from simulator.browser.operations import options_json
from simulator.canonical import canonical_json
from simulator.recording.layout import rows_of_run
from simulator.recording.rows import ActionRow, EffectRow, StepRow, VariableRow, WriteRow
from simulator.recording.stamps import new_id
from simulator.recording.writer import Writer

PLACE: Final = "place"
"""Mark of a step of a revision: up to where the first revision is done once this step is done, by ordinal from 0. What
depends on the run waits for such places. A step without it stands at its own."""

Rows = dict[str, list[dict[str, Any]]]
"""Rows of a run by table."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Redone:
    """A part of a run that a revision does in another way: by steps that another run has recorded."""

    out: frozenset[str]
    """The steps whose place they take, by id."""
    run_id: str
    """The run that did it in another way; it is in the recording that gets the revision."""
    steps: tuple[tuple[StepRow, tuple[ActionRow, ...]], ...]
    """What was done instead, in order."""
    writes: tuple[WriteRow, ...] = ()
    """What those steps sent."""
    effects: tuple[EffectRow, ...] = ()
    """What was seen of it."""
    variables: tuple[VariableRow, ...] = ()
    """Values that those steps gave; ids are theirs."""


def place_of(ordinal: int, flags: Mapping[str, Any]) -> int:
    """Give up to where the first revision of a run is done once a step is done."""
    return int(flags.get(PLACE, ordinal))


def redo(writer: Writer, rows: Rows, parts: Sequence[Redone]) -> None:
    """Put parts that were done in another way into the rows of a run; within a transaction.

    Args:
        writer: of the recording that gets them.
        rows: of the run that is revised; changed.
        parts: what was done, with the ids that it has in the run that did it.
    """
    for part in parts:
        out = [one for one in rows["action"] if one["step_id"] in part.out]
        _steps(writer, rows, part)
        _actions(writer, rows, part)
        kept = [one for one in rows["variable"] if one["step_id"] not in part.out]
        names = {one.name for one in part.variables}
        rows["variable"] = [one for one in kept if one["name"] not in names]
        rows["variable"] += [_variable(writer, one) for one in part.variables]
        rows["created"] = [one for one in rows["created"] if one["step_id"] not in part.out]
        gone = {action["id"] for action in out}
        rows["write"] = [one for one in rows["write"] if one["action_id"] not in gone]
        sent = {one["id"] for one in rows["write"]}
        rows["effect"] = [
            one for one in rows["effect"] if one["write_id"] in sent and not {one["action_id"], one["input_id"]} & gone
        ]
        rows["write"] += [_write(writer, one) for one in part.writes]
        rows["effect"] += [_effect(writer, one) for one in part.effects]
        _number(rows["effect"])
        first = part.steps[0][0].id
        uses = [one | ({"step_id": first} if one["step_id"] in part.out else {}) for one in rows["dependency"]]
        rows["dependency"] = list({(one["step_id"], one["producer_run"], one["name"]): one for one in uses}.values())
    known = {step.id for part in parts for step, _ in part.steps}
    rows["llm_call"] = [
        call | {"step_id": call["step_id"] if call["step_id"] in known else None}
        for run_id in dict.fromkeys(part.run_id for part in parts)
        for call in rows_of_run(writer.connection, "llm_call", run_id)
    ]


def _steps(writer: Writer, rows: Rows, part: Redone) -> None:
    """Put the steps in place, and renumber all of them; each keeps its place in the first revision."""
    old = sorted(rows["step"], key=lambda row: int(row["ordinal"]))
    places = {row["id"]: place_of(row["ordinal"], json.loads(row["flags"] or "{}")) for row in old}
    at = next(place for place, row in enumerate(old) if row["id"] in part.out)
    gone = [row for row in old if row["id"] in part.out]
    reached = places[old[at - 1]["id"]] if at else -1
    new = [_step(writer, step, gone[0]) for step, _ in part.steps]
    places |= {row["id"]: reached for row in new[:-1]} | {new[-1]["id"]: places[gone[-1]["id"]]}
    rows["step"] = [*old[:at], *new, *(row for row in old[at:] if row["id"] not in part.out)]
    for ordinal, row in enumerate(rows["step"]):
        flags = {name: value for name, value in json.loads(row["flags"] or "{}").items() if name != PLACE}
        flags |= {PLACE: places[row["id"]]} if places[row["id"]] != ordinal else {}
        row |= {"ordinal": ordinal, "flags": canonical_json(flags) if flags else None}


def _step(writer: Writer, step: StepRow, beside: Mapping[str, Any]) -> dict[str, Any]:
    """Write a step as a row, with the place in the batch that the part had."""
    tool, call_id, task, result, message = writer.texts(
        step.tool, step.call_id, step.task, None if step.result is None else canonical_json(step.result),
        step.error_message,
    )  # fmt: skip
    return {
        **beside,
        "id": step.id,
        "tool": tool,
        "call_id": call_id,
        "replay": step.replay,
        "task": task,
        "input": writer.json(step.input),
        "withheld": int(step.withheld),
        "success": None if step.success is None else int(step.success),
        "result": result,
        "error_type": step.error_type,
        "error_message": message,
        "images": canonical_json([{"sha256": sha256, "media_type": kind} for sha256, kind in step.images])
        if step.images
        else None,
        "metadata": writer.json(step.metadata) if step.metadata else None,
        "flags": writer.json(step.flags) if step.flags else None,
        "status": step.status,
        "started_at": step.started_at,
        "ended_at": step.ended_at,
        "started_ns": step.started_ns,
        "ended_ns": step.ended_ns,
    }


def _actions(writer: Writer, rows: Rows, part: Redone) -> None:
    actors = {row["name"]: row["id"] for row in rows["actor"]}
    rows["action"] = [row for row in rows["action"] if row["step_id"] not in part.out]
    for step, actions in part.steps:
        for ordinal, action in enumerate(actions):
            target, choice, value, shown, error = writer.texts(
                action.target.model_dump_json(exclude_defaults=True) if action.target else None,
                action.choice.model_dump_json(exclude_defaults=True) if action.choice else None,
                action.value,
                action.recorded_value,
                action.error,
            )
            rows["action"].append(
                {
                    "id": action.id,
                    "step_id": step.id,
                    "ordinal": ordinal,
                    "actor_id": actors[action.actor],
                    "kind": action.kind,
                    "target": target,
                    "value": value,
                    "recorded_value": shown,
                    "aim": action.aim,
                    "choice": choice,
                    "options": writer.json(options_json(action.kind, action.options)),
                    "status": action.status,
                    "settled": action.settled,
                    "before_page": writer.put_page(action.before) if action.before else None,
                    "after_page": writer.put_page(action.after) if action.after else None,
                    "error": error,
                    "started_at": action.started_at,
                    "ended_at": action.ended_at,
                    "started_ns": action.started_ns,
                    "ended_ns": action.ended_ns,
                    "change": 0,
                }
            )


def _variable(writer: Writer, one: VariableRow) -> dict[str, Any]:
    return {
        "run_id": one.run_id,
        "name": one.name,
        "kind": one.kind,
        "value": writer.text(one.value),
        "step_id": one.step_id,
        "action_id": one.action_id,
    }


def _write(writer: Writer, one: WriteRow) -> dict[str, Any]:
    url, operation, leads_to = writer.texts(one.url, one.operation, one.leads_to)
    carried = canonical_json([asdict(each) for each in one.carried])
    return {**_row(one), "url": url, "operation": operation, "leads_to": leads_to, "carried": carried}


def _effect(writer: Writer, one: EffectRow) -> dict[str, Any]:
    known = canonical_json(asdict(one.thing))
    url, label, thing, was, shows = writer.texts(one.url, one.label, known, one.was, one.shows)
    told = {"url": url, "label": label, "thing": thing, "was": was, "shows": shows}
    return {**_row(one), **told, "keyed": int(one.keyed), "looked": int(one.looked)}


def _number(effects: Sequence[dict[str, Any]]) -> None:
    """Renumber the effects after each action, in their order."""
    seen: Counter[str] = Counter()
    for row in sorted(effects, key=lambda row: int(row["ordinal"])):
        row["ordinal"] = seen[row["action_id"]]
        seen[row["action_id"]] += 1


def _row(one: WriteRow | EffectRow) -> dict[str, Any]:
    return {name: getattr(one, name) for name in one.__slots__}


def moved_ends(ends: Sequence[int], rows: Sequence[Mapping[str, Any]]) -> list[int]:
    """Give how many steps had been done when each task ended, as the steps are numbered now.

    Args:
        ends: as they were counted by the places of the first revision.
        rows: the steps.
    """
    places = [place_of(row["ordinal"], json.loads(row["flags"] or "{}")) for row in rows]
    return [sum(place < end for place in places) for end in ends]


def new_ids(rows: Rows, tables: Sequence[str]) -> dict[str, str]:
    """Draw a new id for each row of some tables."""
    return {row["id"]: new_id() for table in tables for row in rows.get(table, ())}
