"""Putting a variable in the place of words that a recorded user made up. Not responsible for: storing the revision."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Sequence
from typing import NamedTuple

from simulator.bindings import Bindings
from simulator.errors import UsageError
from simulator.persona import Identity, draw_variable
from simulator.recording.rows import VariableRow
from simulator.replay.bind import Part, bind_identity, recorded_values
from simulator.replay.residue import said
from simulator.template import DRAWN, MIN_RECOGNISED, PLACEHOLDER, placeholders, stem_of

_ALIAS = "choice.bound.title"
"""Stands for the variable meanwhile: a title is known again in every form in which sites write one."""
_NAME = re.compile(r"[a-z]\w*(?:\.\w+)+", re.ASCII)


class Bound(NamedTuple):
    """A text, and the variable that stands for it from now on."""

    text: str
    variable: str

    @classmethod
    def parse(cls, given: str) -> Bound:
        """Read what was given: ``Border spade=tool.1.title``.

        Raises:
            UsageError: it holds no text, or no variable.
        """
        text, _, variable = given.rpartition("=")
        match = PLACEHOLDER.fullmatch(variable.strip())
        name = match[1] if match else variable.strip()
        if not text.strip() or not _NAME.fullmatch(name):
            raise UsageError(f"--bind: expected a text and a variable, such as 'Border spade'=tool.1.title: {given}")
        return cls(text, name)


def check_bound(bound: Sequence[Bound], part: Part) -> None:
    """See that texts can be bound: the run says them, and every fresh user has the variable.

    Args:
        bound: the texts, with their variables.
        part: the run.

    Raises:
        UsageError: one of them cannot.
    """
    recorded = recorded_values(part)
    identity = bind_identity(part.plan, "fresh", "names").identity
    fresh = identity.variables()
    texts = [said(action) for step in part.plan.steps for action in step.actions]
    used = {stem_of(name) for text in texts for name in placeholders(text)}
    for one in bound:
        if one.variable.startswith(DRAWN):
            _check_drawn(identity, one.variable)
        elif one.variable not in fresh:
            groups = sorted({name.partition(".")[0] for name in fresh})
            near = [name for name in fresh if name.partition(".")[0] == one.variable.partition(".")[0]]
            raise UsageError(
                f"no fresh user of the persona '{part.run.persona}' has '{one.variable}'; there is "
                f"{', '.join(near or [f'{group}.…' for group in groups])}"
            )
        if one.variable in used and recorded.get(one.variable) != one.text:
            raise UsageError(
                f"'{one.variable}' is '{recorded.get(one.variable, '')}' in this run, and said there: it cannot be "
                f"'{one.text}', too"
            )
        if not any(_put(one, text) != text for text in texts):
            raise UsageError(f"the run {part.run.id} nowhere says '{one.text}'")


def _check_drawn(identity: Identity, variable: str) -> None:
    try:
        draw_variable(identity, variable)
    except ValueError as error:
        raise UsageError(f"'{variable}' can be drawn for nobody: {error}") from None


def putting(bound: Iterable[Bound]) -> Callable[[str], str]:
    """Give what puts variables in the place of texts, wherever a template says them, in any form."""
    longest_first = sorted(bound, key=lambda one: -len(one.text))

    def put(template: str) -> str:
        for one in longest_first:
            template = _put(one, template)
        return template

    return put


def _put(one: Bound, template: str) -> str:
    variable = "{{" + one.variable + "}}"
    if template == one.text:
        return variable
    if len(one.text) < MIN_RECOGNISED:
        return template  # it stands in other texts by chance
    return Bindings({_ALIAS: one.text}).recognise(template).replace("{{" + _ALIAS, "{{" + one.variable)


def rows_of(bound: Iterable[Bound], part: Part) -> tuple[VariableRow, ...]:
    """Give the variables as they are stored: the recorded user said these texts, and says them again."""
    return tuple(VariableRow(part.run.id, one.variable, "identity", one.text, None, None) for one in bound)
