"""The variables of a run: what each was when it was recorded, where it came from, and where it is used.

Not responsible for: what they are in a replay.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import get_args

from rich.cells import cell_len

from simulator.browser.acting.sightings import SHOWS
from simulator.recording.appearances import Appearance, first_appearances
from simulator.recording.documents import Shown
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow, StepRow, VariableKind, VariableRow
from simulator.report.recorded import identity_values
from simulator.report.terminal.columns import GAP, columns, cut
from simulator.template import CHOICE, stem_of
from simulator.tools.mail import MAIL
from simulator.tools.mail.reading import Read

_USES_SHOWN = 8
_VALUE_CELLS = (12, 40)
"""Least and most cells of a recorded value."""


@dataclass(frozen=True, slots=True)
class RecordedVariable:
    """A variable of a run."""

    name: str
    kind: VariableKind
    value: str | None
    """As recorded; None for a secret, and for what the recording does not say."""
    source: str
    """Where the value came from, in words."""
    steps: tuple[int, ...]
    """Numbers of the steps that use it, from 1."""
    appeared: Appearance | None = None
    """Where it first was in what the site answered, as far as exchanges are recorded."""


def read_variables(recording: Recording, name: str) -> list[RecordedVariable]:
    """Read the variables of a run, in the order of their first use; those that are never used come last.

    Args:
        recording: where it stands.
        name: of the run, as `Recording.run` takes it.

    Raises:
        RecordingError: there is none of that name, or several.
    """
    run = recording.run(name)
    steps = recording.steps(run.id)
    places = {step.id: step.ordinal + 1 for step in steps}
    shown = {name: where for step in steps for name, where in step.flags.get(SHOWS, {}).items()}
    mailed = {name: where for step in steps for name, where in _places_in_mail(step).items()}
    led = {action.id: action.after.url for action in recording.actions(run.id) if action.after}
    known = {one.name: one for one in recording.variables(run.id)}
    uses: dict[str, dict[int, None]] = {}
    for use in recording.variable_uses(run.id):
        uses.setdefault(stem_of(use.name), {})[places[use.step_id]] = None
    people = identity_values(run) | _others(recording, run)
    generated = {one.name: one.value for one in known.values() if one.kind == "site" and one.value is not None}
    appeared = first_appearances(recording, run.id, generated)
    found = []
    for each in sorted({*known, *uses}, key=lambda each: (min(uses.get(each, {10**9: None})), each)):
        row = known.get(each)
        kind: VariableKind = row.kind if row else _kind(each)
        value = None if kind == "secret" else row.value if row else people.get(each)
        found.append(
            RecordedVariable(
                each,
                kind,
                value,
                _source(each, row, kind, places, shown, led, mailed),
                tuple(uses.get(each, ())),
                appeared.get(each),
            )
        )
    return found


def variable_lines(variables: list[RecordedVariable], width: int | None) -> list[str]:
    """Give a line for each variable.

    Args:
        variables: of a run.
        width: cells of the terminal; None cuts nothing.
    """
    rows = [("variable", "recorded value", "from", "used in steps")]
    for one in variables:
        value = "(a secret)" if one.kind == "secret" else one.value or ""
        more = f" and {len(one.steps) - _USES_SHOWN} more" if len(one.steps) > _USES_SHOWN else ""
        used = ", ".join(map(str, one.steps[:_USES_SHOWN])) + more
        source = f"{one.source} ({one.appeared})" if one.appeared else one.source
        rows.append((one.name, value.replace("\n", " "), source, used or "none"))
    least, most = _VALUE_CELLS
    if width is not None:
        others = sum(max(cell_len(row[at]) for row in rows) + len(GAP) for at in (0, 2, 3))
        most = min(max(width - others, least), most)
    return columns([(name, cut(value, most), *rest) for name, value, *rest in rows], whole=(0,), width=width)


def _others(recording: Recording, run: RunRow) -> dict[str, str]:
    """Give the values of the other users of a run's batch, as the run names them: what the site took from them."""
    values = {}
    for one in recording.runs(run.batch_id):
        theirs = {each.name: each.value for each in recording.variables(one.id) if each.value is not None}
        for name, value in (identity_values(one) | theirs).items():
            values[f"user.{one.number}.{name.removeprefix('identity.')}"] = value
    return values


def _places_in_mail(step: StepRow) -> dict[str, str]:
    """Give where in the mail that a step read each of its variables stood."""
    if MAIL not in step.metadata:
        return {}
    read = Read.model_validate(step.metadata[MAIL])
    linked = {name: "in a link" for link in read.links for name in link.names}
    return linked | {one.name: f"after '{one.after}'" for one in read.values}


def _kind(name: str) -> VariableKind:
    group = name.partition(".")[0]
    return next((kind for kind in get_args(VariableKind) if kind == group), "text")


def _source(
    name: str,
    row: VariableRow | None,
    kind: VariableKind,
    places: dict[str, int],
    shown: dict[str, Shown],
    led: dict[str, str],
    mailed: dict[str, str],
) -> str:
    if row is not None and row.step_id in places:
        step = f"step {places[row.step_id]}"
        if name in mailed:
            return f"{step}: a mail, {mailed[name]}"
        if name in shown:
            return f"{step}: {'the new' if shown[name].get('made') else 'after'} '{shown[name]['words']}'"
        if name.startswith(CHOICE):
            return f"{step}: chosen there"
        return f"{step}: address" if f"{{{{{name}}}}}" in led.get(row.action_id or "", "") else step
    if name.startswith("user."):
        return f"user {name.split('.')[1]} of the batch"
    if kind == "secret":
        return "the machine's key"
    return "the persona" if kind == "text" else "the identity"
