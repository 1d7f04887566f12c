"""What a recorded user put in and no variable stands for: every fresh user would put in the same.

Pure functions over plans. Not responsible for: words of the recorded users and their data (``residue``).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from simulator.browser.evidence import Target
from simulator.recording.rows import ActionRow
from simulator.replay.plan import Plan
from simulator.replay.residue import KEEP, place_of
from simulator.template import PLACEHOLDER, placeholders

_TYPED = frozenset({"fill", "type"})
_CHOSEN = frozenset({"combobox", "listbox", "slider", "spinbutton"})
"""Roles of fields that take one of a list or a number: what is typed there is no wording."""
_MEASURES = frozenset({"number", "range", "date", "datetime-local", "month", "week", "time", "color"})
_NOBODYS = ("clock.", "site.")
"""Groups of variables that have one value for all users, or that say nothing of who speaks."""


@dataclass(frozen=True, slots=True)
class OwnWords:
    """A text or a file of a run that every user who performs it puts in."""

    run: str
    step_id: str
    place: str
    """For a person: ``3.2, fill 'Title'``."""
    text: str
    field: str
    """What the field is called."""
    is_wording: bool
    """Whether it is a text of somebody's own, not a number, a date, a choice or a file."""


def own_words(plan: Plan, answers: Mapping[str, str] | None = None) -> Iterator[OwnWords]:
    """Find what a run puts in that no variable of its user stands for.

    What is looked for is left out: who searches for the same makes nothing twice. So are steps whose words a person has
    settled to keep, and what the persona says to put in a field.

    Args:
        plan: of the run.
        answers: what the persona says to put in fields.
    """
    told = frozenset((answers or {}).values())
    carried = {one.input for writes in plan.expected.writes.values() for write in writes for one in write.carried}
    for planned in plan.steps:
        if planned.step.flags.get(KEEP):
            continue
        for number, action in enumerate(planned.actions, start=1):
            text = _put_in(action)
            if not text or text in told or _is_search(action, carried):
                continue
            place = place_of(planned.step, number, action)
            called = _called(action.target)
            yield OwnWords(plan.run.id, planned.step.id, place, text, called, _is_wording(action, text))


def _put_in(action: ActionRow) -> str:
    """Give the text, or the name of the file, that everybody would put in; empty where there is none."""
    if action.kind == "upload":
        return "" if action.options.get("source") else str(action.options.get("name", ""))
    if action.kind not in _TYPED or not action.value or (action.target is not None and action.target.secret):
        return ""
    names = [name for name in placeholders(action.value) if name != "lb"]
    if any(not name.startswith(_NOBODYS) for name in names):
        return ""
    said = PLACEHOLDER.sub(" ", action.value) if names else action.value
    return action.value.replace("{{lb}}", "{{") if any(char.isalnum() for char in said) else ""


def _is_wording(action: ActionRow, text: str) -> bool:
    target = action.target
    if action.kind == "upload" or (target and (target.role in _CHOSEN or target.type in _MEASURES)):
        return False
    return any(char.isalpha() for char in PLACEHOLDER.sub(" ", text))


def _is_search(action: ActionRow, carried: set[str]) -> bool:
    """Return whether a field only asks for something: it says so, or its form only reads and no write held its text."""
    target = action.target
    if target is None:
        return False
    if target.role == "searchbox" or target.type == "search" or any(one.role == "search" for one in target.scopes):
        return True
    return target.form.startswith("get ") and action.id not in carried


def _called(target: Target | None) -> str:
    return (target.label or target.name or target.placeholder or target.name_attr) if target else ""


def variable_for(field: str, names: Sequence[str]) -> str:
    """Guess which variable a field's text may be of, by its name; empty where none is called so.

    Args:
        field: what the field is called.
        names: of the variables that a fresh user has.
    """
    words = field.casefold().replace("-", " ").replace("_", " ").split()
    for name in names:
        if not name.startswith("identity.") and name.rpartition(".")[2].casefold() in words:
            return name
    return ""
