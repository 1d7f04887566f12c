"""Has a model make many things of one kind, a few in each answer, until there are as many as were asked for.

Each thing is checked before it counts; what is refused goes back to the model once, with the reason. Not responsible
for: what a thing has to be, or where it is written.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Generic, TypeVar, cast

from simulator.agent.budget import BudgetSpent, Ledger
from simulator.agent.models.model import Answer, Model

if TYPE_CHECKING:
    from anthropic.types import MessageParam, ToolUnionParam

T = TypeVar("T")
AT_ONCE = 25
"""Things that are asked for in one answer."""
IDLE = 3
"""Answers in a row that give nothing new before nobody asks any more."""
_SHOWN = 300
"""How many of the things that there are already are named to the model."""
_REFUSALS = 10
"""How many reasons it gets."""
_TOOL = "give"
_CHARACTERS = 4
"""Of a token, about."""
_OVERHEAD = 400
"""Tokens of a request beside what is named in it, about."""


class NotTaken(ValueError):
    """A thing is not what was asked for: why, in a sentence."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted(Generic[T]):
    """What a model is asked for."""

    what: str
    """In words, as somebody asked for it."""
    count: int
    """How many there are to be in the end."""
    rules: Sequence[str]
    """What holds of each of them, a sentence each."""
    schema: Mapping[str, Any]
    """The JSON Schema of one."""
    check: Callable[[Any], T]
    """Gives one as it is kept; raises :class:`NotTaken`."""
    name: Callable[[T], str]
    """Gives what one is called: no two are called alike."""


@dataclass(slots=True)
class Made(Generic[T]):
    """What came of it."""

    things: list[T] = field(default_factory=list)
    answers: int = 0
    refused: int = 0
    """How many things were not taken."""
    ended: str = ""
    """Why there are fewer than were asked for; empty where there are as many."""


def estimate(wanted: Wanted[Any], left: int, characters: int) -> tuple[int, int]:
    """Give about how many tokens a model reads and writes for it.

    Args:
        wanted: what is asked for.
        left: how many are still to be made.
        characters: of one thing as JSON, about.
    """
    answers = -(-left // AT_ONCE)
    named = min(_SHOWN, wanted.count) * 20 // _CHARACTERS
    return answers * (_OVERHEAD + named // 2), left * characters // _CHARACTERS


async def generate(
    model: Model,
    wanted: Wanted[T],
    there: Iterable[T],
    *,
    ledger: Ledger,
    keep: Callable[[Sequence[T]], None],
    stopped: Callable[[], bool] = lambda: False,
) -> Made[T]:
    """Ask a model until there are enough.

    Args:
        model: is asked.
        wanted: what for.
        there: what there is already.
        ledger: what may be spent, and what was.
        keep: gets all that there is after each answer that gave something new, so that nothing is lost.
        stopped: whether somebody wants an end between two answers.

    Raises:
        ModelRefused: the API takes no request of this kind.
        ModelUnavailable: it gives no answer.
    """
    made = Made(list(there))
    known = {_bare(wanted.name(one)) for one in made.things}
    refusals: list[str] = []
    idle = 0
    while len(made.things) < wanted.count:
        if stopped():
            made.ended = "it was stopped"
            break
        try:
            ledger.check()
        except BudgetSpent as spent:
            made.ended = str(spent)
            break
        names = [wanted.name(one) for one in made.things]
        answer = await _asked(model, wanted, names, refusals)
        ledger.count(answer.model, answer.usage)
        made.answers += 1
        if answer.stop_reason == "refusal":
            made.ended = f"the model refused{': ' + answer.refusal if answer.refusal else ''}"
            break
        before = len(made.things)
        refusals = _take(answer, wanted, made, known)
        if len(made.things) > before:
            idle = 0
            keep(made.things)
            continue
        idle += 1
        if idle == IDLE:
            last = f"; of the last one: {refusals[0]}" if refusals else ""
            made.ended = f"{IDLE} answers in a row gave nothing new{last}"
            break
    return made


async def _asked(model: Model, wanted: Wanted[T], names: Sequence[str], refusals: Sequence[str]) -> Answer:
    count = min(AT_ONCE, wanted.count - len(names))
    schema = {
        "type": "object",
        "properties": {"things": {"type": "array", "items": dict(wanted.schema)}},
        "required": ["things"],
    }
    tool = {"name": _TOOL, "description": "Give what you have made.", "input_schema": schema}
    parts = [f"Make {count} more of these: {wanted.what}"]
    if names:
        parts.append(f"These are there already; make none that is called so:\n{_listed(names[-_SHOWN:])}")
    if refusals:
        parts.append(f"Of your last answer these were not taken:\n{_listed(refusals[:_REFUSALS])}")
    system = "\n".join(
        ["You make data for a test site. Answer with one call of give, and no other text.", *wanted.rules]
    )
    messages = cast("list[MessageParam]", [{"role": "user", "content": [{"type": "text", "text": "\n\n".join(parts)}]}])
    return await model.ask([{"type": "text", "text": system}], cast("list[ToolUnionParam]", [tool]), messages)


def _take(answer: Answer, wanted: Wanted[T], made: Made[T], known: set[str]) -> list[str]:
    """Take what is right of an answer; gives why the rest is not taken."""
    given: list[Any] = []
    for use in answer.uses:
        things = use.input.get("things") if use.input else None
        given += things if isinstance(things, list) else []
    if not given:
        return [f"there was no call of give with a list of things ({answer.stop_reason})"]
    refusals = []
    for one in given:
        if len(made.things) == wanted.count:
            break
        try:
            thing = wanted.check(one)
            name = _bare(wanted.name(thing))
            if name in known:
                raise NotTaken(f"there is one called '{wanted.name(thing)}' already")
        except NotTaken as error:
            made.refused += 1
            refusals.append(f"{json.dumps(one, ensure_ascii=False)[:120]}: {error}")
        else:
            known.add(name)
            made.things.append(thing)
    return refusals


def _bare(name: str) -> str:
    """Give a name without case and signs: ``Rake, large`` and ``rake large`` are called alike."""
    return " ".join("".join(char if char.isalnum() else " " for char in name.casefold()).split())


def _listed(texts: Iterable[str]) -> str:
    return "\n".join(f"- {text}" for text in texts)
