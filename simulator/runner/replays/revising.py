"""Settling what a person has to decide about a recorded run: words that are kept, and texts that are rewritten.

Not responsible for: finding such words (``simulator.replay.residue``), or how a revision is stored.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any
from urllib.parse import unquote_plus

from simulator.bindings import Bindings
from simulator.browser.action_recorder import PageState
from simulator.browser.evidence import Target
from simulator.canonical import map_strings
from simulator.errors import TemplateError, UsageError
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.revise import Changes, write_revision
from simulator.recording.rows import ActionRow, RunRow, StepRow
from simulator.replay.bind import Part, bind_identity, known_of_others, recorded_values, recorded_words, residue_of
from simulator.replay.plan import plan_run
from simulator.replay.residue import KEEP, Residue, said
from simulator.replay.seeding.own_words import own_words
from simulator.runner.replays.binding import Bound, check_bound, putting, rows_of
from simulator.runner.replays.selecting import select
from simulator.template import SECRET, placeholders

_MIN_QUOTED = 12
"""Letters from which on a rewritten text is rewritten inside longer ones, too, such as a card that quotes it."""
_PIECE = re.compile(r"[^/?&=#]+")


@dataclass(frozen=True, slots=True)
class RunResidue:
    """What of a run a fresh user would say of the recorded ones."""

    run: str
    found: tuple[Residue, ...]

    def lines(self) -> list[str]:
        """Give the lines to show."""
        if not self.found:
            return [f"run {self.run}: nothing in it speaks of the recorded users or their things but through variables"]
        lines = [f"run {self.run}: {len(self.found)} texts keep fresh users from performing it", ""]
        for one in self.found:
            lines.append(f"step {one.place}: '{one.text}'")
            if one.words:
                told = zip(one.variables, one.words, strict=True)
                lines.append("      holds " + ", ".join(f"'{word}' ({{{{{name}}}}})" for name, word in told))
            if one.suggestion != one.text:
                lines.append(f"      may be '{one.suggestion}'")
        run = self.run[-8:]
        return [*lines, "", f"settle it with 'sim runs edit {run} --keep STEP' or '--rewrite STEP TEXT'"]


@dataclass(frozen=True, slots=True)
class Edited:
    """A new revision of a run."""

    run: str
    source: str
    """The run that was edited."""
    revision: int
    changes: tuple[str, ...]
    """In words."""

    def lines(self) -> list[str]:
        """Give the lines to show."""
        return [f"revision {self.revision} of run {self.source}: {self.run}", *(f"  {one}" for one in self.changes)]


def read_residue(path: Path, name: str) -> RunResidue:
    """Read what of a run a fresh user would say of the recorded ones.

    Args:
        path: the recording.
        name: of the run, as ``Recording.run`` takes it.

    Raises:
        RecordingError: there is no such run, or it was recorded without an identity.
    """
    with Recording.open(path) as recording:
        part, parts = _parts(recording, name)
        return RunResidue(part.run.id, tuple(residue_of(part, parts)))


def edit_run(
    path: Path,
    name: str,
    *,
    keep: Sequence[str] = (),
    rewrite: Sequence[tuple[str, str]] = (),
    bind: Sequence[Bound] = (),
) -> Edited:
    """Settle texts of a run in a new revision of it.

    Args:
        path: the recording; it gets the revision.
        name: of the run.
        keep: steps whose words are said as they are, by number from 1.
        rewrite: steps (``3``, or ``3.2`` for the second thing that it does) and their new texts, templates.
        bind: texts, and the variables that stand for them from now on, wherever the run says them.

    Raises:
        UsageError: there is no such step or text, or a variable that has no value there.
    """
    with Recording.open(path) as recording:
        part, parts = _parts(recording, name)
        if part.run.kind == "replay":
            raise UsageError(f"the run {part.run.id} is a replay; edit its source, {part.run.source_run}")
        steps = {str(step.ordinal + 1): step for step in recording.steps(part.run.id)}
        notes: list[str] = []
        flags: dict[str, dict[str, Any]] = {}
        left = {one.step.id for one in residue_of(part, parts)}
        left |= {action.step_id for action in recording.actions(part.run.id) if _visits_generated(action)}
        left |= {one.step_id for one in own_words(part.plan)}
        for number in keep:
            step = _step(steps, number, part.run)
            if step.id not in left:
                raise UsageError(
                    f"step {number} says nothing of the recorded users, and nothing of its own; see --residue"
                )
            flags[step.id] = {KEEP: True}
            notes.append(f"step {number}: its words are kept")
        texts: dict[str, tuple[str, str]] = {}
        needed = {need.name for need in recording.dependencies(part.run.id)}
        others = {name: value for name, value in known_of_others(part, parts).items() if name in needed}
        known = Bindings(others | recorded_values(part) | _generated(part))
        for place, text in rewrite:
            action = _action(_step(steps, place.partition(".")[0], part.run), place, part)
            _check(text, known)
            texts[action.id] = (said(action), text)
            notes.append(f"step {place}: '{said(action)}' is '{text}'")
        check_bound(bind, part) if bind else None
        notes += [f"'{one.text}' is {{{{{one.variable}}}}}" for one in bind]
        if not notes:
            raise UsageError("nothing to change: give --keep STEP, --rewrite STEP TEXT or --bind TEXT=VARIABLE")
        for one in bind:
            known.set(one.variable, one.text)
        changes = _changes(recording, part, texts, putting(bind), known)
        changes = replace(changes, flags=flags, notes=tuple(notes), variables=rows_of(bind, part))
        with Recorder.open(path) as recorder:
            revision = write_revision(recorder.writer, recording, part.run.id, changes, kind=part.run.kind)
    with Recording.open(path) as recording:
        return Edited(revision, part.run.id, recording.run(revision).revision, tuple(notes))


def _parts(recording: Recording, name: str) -> tuple[Part, list[Part]]:
    """Give a run, and all that are performed with it."""
    wanted = recording.run(name)
    batch = {run.original: run for run in recording.runs(wanted.batch_id) if run.kind != "replay" and run.identity}
    runs = batch | {run.original: run for run in select(recording, wanted.id).runs}
    parts = {run.id: bind_identity(plan_run(recording, run), "same", "") for run in runs.values()}
    return parts[wanted.id], list(parts.values())


def _generated(part: Part) -> dict[str, str]:
    return {one.name: one.value for one in part.plan.variables if one.value is not None}


def _step(steps: dict[str, StepRow], number: str, run: RunRow) -> StepRow:
    if number not in steps:
        raise UsageError(f"the run {run.id} has no step '{number}'; it has steps 1 to {len(steps)}")
    return steps[number]


def _action(step: StepRow, place: str, part: Part) -> ActionRow:
    """Find what a place means: the one thing that a step says, or the one of that number."""
    actions = next((one.actions for one in part.plan.steps if one.step.id == step.id), ())
    _, _, number = place.partition(".")
    if number:
        found = [one for at, one in enumerate(actions, start=1) if str(at) == number and one.value is not None]
    else:
        found = [one for one in actions if one.value is not None and one.kind not in ("press", "wait", "switch_tab")]
        recorded = recorded_words(part)
        telling = [one for one in found if recorded.look(said(one)) or recorded.written(said(one)) != said(one)]
        found = telling or found
    if len(found) == 1:
        return found[0]
    if not found:
        raise UsageError(f"step {place} says nothing that could be rewritten; see 'sim runs show --residue'")
    raise UsageError(f"step {place} says {len(found)} things: name one, such as {place}.1 ('--residue' numbers them)")


def _check(text: str, known: Bindings) -> None:
    if any(name.startswith(SECRET) for name in placeholders(text)):
        raise UsageError(f"'{text}' holds a secret: a secret is typed by the field's own step only")
    try:
        known.render(text)
    except TemplateError as error:
        raise UsageError(
            f"'{text}' cannot be said: {error}; 'sim runs show --variables' lists those that can"
        ) from None


def _changes(
    recording: Recording, part: Part, texts: dict[str, tuple[str, str]], bind: Callable[[str], str], known: Bindings
) -> Changes:
    """Rewrite texts where they were said, and wherever the run speaks of them: evidence, addresses, what was made."""
    run, rewritten = part.run, _rewriter(list(texts.values()))

    def put(text: str) -> str:
        return bind(rewritten(text))

    def put_piece(piece: str) -> str:
        plain = unquote_plus(piece)
        return rewritten(plain) if rewritten(plain) != plain else piece

    targets: dict[str, Target] = {}
    after: dict[str, PageState] = {}
    values = {action_id: bind(text) for action_id, (_, text) in texts.items()}
    for action in recording.actions(run.id):
        if action.target is not None:
            changed = Target.model_validate(map_strings(action.target.model_dump(mode="json"), put))
            targets |= {action.id: changed} if changed != action.target else {}
        if action.after is not None:
            url = bind(_PIECE.sub(lambda piece: put_piece(piece.group()), action.after.url))
            after |= {action.id: replace(action.after, url=url)} if url != action.after.url else {}
        if action.id not in values and action.value is not None and bind(action.value) != action.value:
            values[action.id] = bind(action.value)
    return Changes(
        targets=targets,
        after=after,
        values=values,
        recorded_values={action_id: known.render(values[action_id]) for action_id in texts},
        inputs={
            step.id: changed
            for step in recording.steps(run.id)
            if (changed := map_strings(step.input, put)) != step.input
        },
        fields={
            made.id: changed
            for made in recording.created(run.id)
            if (changed := map_strings(made.fields, put)) != made.fields
        },
        wording=put,
    )


def _rewriter(texts: list[tuple[str, str]]) -> Callable[[str], str]:
    whole = dict(texts)
    quoted = sorted((pair for pair in texts if len(pair[0]) >= _MIN_QUOTED), key=lambda pair: -len(pair[0]))

    def put(text: str) -> str:
        if text in whole:
            return whole[text]
        for old, new in quoted:
            text = text.replace(old, new)
        return text

    return put


def _visits_generated(action: ActionRow) -> bool:
    """Return whether an action visits an address in which the recorded site generated something."""
    return action.kind in ("goto", "open_tab") and "{{site." in (action.value or "")
