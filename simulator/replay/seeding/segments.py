"""Recorded segments that repeat: who made two tickets by the same steps makes none, or five, as the seed has it.

A *segment* is what a user did for one row of a data set; it *repeats* where the same steps stand behind one another,
each time for the next row and for no other. What is left out or done once more is a whole segment, the last ones first:
what comes later finds the page as it was, and nothing of it speaks of what was left out. Pure functions over plans. Not
responsible for: values of rows, or performing.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, fields, is_dataclass, replace
from functools import lru_cache
from typing import Any, TypeVar

from pydantic import BaseModel

from simulator.canonical import canonical_json, url_shape
from simulator.recording.rows import ActionRow, StepRow
from simulator.replay.effects.expected import Expected
from simulator.replay.learning.learn import LEARNT
from simulator.replay.plan import Plan, PlannedStep
from simulator.template import placeholders, stem_of

T = TypeVar("T")
_FREE = ("identity.", "secret.", "clock.")
"""Groups of variables that are the same for all rows of a user."""


@dataclass(frozen=True, slots=True)
class Segments:
    """The segments of a run for the rows of a data set."""

    prefix: str
    """Of the variables of a row, without its number: ``ticket``."""
    blocks: tuple[range, ...]
    """The places of the steps of each, in the plan."""
    rows: tuple[int, ...]
    """The number of the row of each."""
    needed: int
    """How many of the first ones have to stay: what comes later, or another user, speaks of their rows."""
    once_more: bool
    """Whether the last one can be performed for further rows: it speaks of that row and its user alone."""

    def fitting(self, number: int) -> int:
        """Give the number of segments that is nearest to one, of those that are possible."""
        most = number if self.once_more else min(number, len(self.blocks))
        return max(most, self.needed)


def segments_of(plan: Plan, prefix: str, others: Sequence[Plan] = ()) -> Segments | None:
    """Find the segments of a run that repeat for the rows of a data set.

    Args:
        plan: of the run.
        prefix: of the variables of a row: ``ticket`` of ``{{ticket.1.title}}``.
        others: plans of those who depend on it.

    Returns:
        The segments; None where no two of them are alike and stand behind one another.
    """
    steps = [_performed(one) for one in plan.steps]
    rows = [_rows(text, prefix) for text in steps]
    generated = _generated(plan)
    best: tuple[range, ...] = ()
    for first in range(len(steps)):
        for length in range(1, (len(steps) - first) // 2 + 1):
            found = _repeated(plan, rows, generated, prefix, first, length)
            if len(found) > max(len(best), 1):
                best = found
    if not best:
        return None
    numbers = tuple(_row_of(rows, block) for block in best)
    needed = _needed(plan, best, numbers, prefix, generated, others)
    last = best[-1]
    own = {name for place in last for name in generated[place]}
    known = {name for place in range(last[0]) for name in generated[place]} - {
        name for block in best for place in block for name in generated[place]
    }
    names = {name for place in last for name in placeholders(steps[place])}
    once_more = all(
        name.startswith((*_FREE, f"{prefix}.")) or stem_of(name) in own | known or name == "lb" for name in names
    )
    if needed == 0 and not _starts_alike(plan, best):
        needed = 1
    return Segments(prefix, best, numbers, needed, once_more)


def _performed(planned: PlannedStep) -> str:
    """Write all that a step does and is aimed at, for what it speaks of; not what its pages showed."""
    actions = [(one.value, one.options, one.choice, one.target) for one in planned.actions]
    return str((planned.step.input, actions, [(one.url, one.fields) for one in planned.created]))


def _likeness(planned: PlannedStep) -> list[Any]:
    """Give by what two steps are alike."""
    actions = [[one.kind, one.actor, one.value, one.aim, _aimed(one)] for one in planned.actions]
    return [planned.step.tool, actions, [[one.kind, one.url] for one in planned.created]]


def _aimed(action: ActionRow) -> list[Any]:
    """Give what an action is aimed at, by what lasts of it: neither where it lay nor where it stood among others."""
    target = action.target
    if target is None:
        return []
    own = (target.tag, target.role, target.name, target.type, target.label, target.placeholder, target.name_attr)
    return [*own, target.href, target.form, target.text, target.test_id]


def _rows(text: str, prefix: str) -> frozenset[int]:
    return frozenset(int(found[1]) for name in placeholders(text) if (found := _row_pattern(prefix).match(name)))


@lru_cache(maxsize=64)
def _row_pattern(prefix: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(prefix)}\.(\d+)(?=\.|$)")


def _generated(plan: Plan) -> list[list[str]]:
    """Give which variables the site gave the user in each step."""
    by_step: dict[str | None, list[str]] = {}
    for one in plan.variables:
        if one.kind == "site":
            by_step.setdefault(one.step_id, []).append(one.name)
    return [sorted(by_step.get(planned.step.id, ())) for planned in plan.steps]


def _repeated(
    plan: Plan, rows: Sequence[frozenset[int]], generated: Sequence[list[str]], prefix: str, first: int, length: int
) -> tuple[range, ...]:
    """Give the blocks of a length from a place on that are alike, each for the next row."""
    found: list[range] = []
    row, like = 0, ""
    for start in range(first, len(plan.steps) - length + 1, length):
        block = range(start, start + length)
        told = frozenset[int]().union(*(rows[place] for place in block))
        if len(told) != 1 or (found and told != {row + 1}):
            break
        (row,) = told
        signature = _signature(plan, block, generated, prefix, row)
        if found and signature != like:
            break
        like = signature
        found.append(block)
    return tuple(found) if len(found) > 1 else ()


def _signature(plan: Plan, block: range, generated: Sequence[list[str]], prefix: str, row: int) -> str:
    """Write what a block does, whichever row it is of."""
    text = canonical_json([_likeness(plan.steps[place]) for place in block])
    names = {f"{prefix}.{row}": f"{prefix}.#"}
    names |= {name: f"site.#{number}" for number, name in enumerate(one for at in block for one in generated[at])}
    renamed: str = _renamed(text, _renaming(names))
    return renamed


def _row_of(rows: Sequence[frozenset[int]], block: range) -> int:
    return next(iter(frozenset[int]().union(*(rows[place] for place in block))))


def _needed(
    plan: Plan,
    blocks: Sequence[range],
    numbers: Sequence[int],
    prefix: str,
    generated: Sequence[list[str]],
    others: Sequence[Plan],
) -> int:
    """Give how many of the first blocks have to stay."""
    later = [_performed(planned) for planned in plan.steps[blocks[-1].stop :]]
    said = {stem_of(name) for text in later for name in placeholders(text)}
    mine = f"user.{plan.run.number}."
    for other in others:
        if other.run.original == plan.run.original:
            continue
        told = [need.name for step in other.steps for need in step.needs if need.producer_run == plan.run.original]
        told += [stem_of(name) for step in other.steps for name in placeholders(_performed(step))]
        said |= {name.removeprefix(mine) for name in told if name.startswith(mine)}
    kept = 0
    for place, (block, row) in enumerate(zip(blocks, numbers, strict=True), start=1):
        own = {name for at in block for name in generated[at]}
        if said & own or any((found := _row_pattern(prefix).match(name)) and int(found[1]) == row for name in said):
            kept = place
    return kept


def _starts_alike(plan: Plan, blocks: Sequence[range]) -> bool:
    """Return whether what follows the blocks finds its way where none is performed: it opens a page, or nothing does.

    The page before the first block may be another one than that after it.
    """
    after = [action for planned in plan.steps[blocks[-1].stop :] for action in planned.actions]
    if not after or after[0].kind == "goto":
        return True
    starts = [next((one for at in block for one in plan.steps[at].actions), None) for block in blocks[:2]]
    pages = [url_shape(one.before.url) if one and one.before else "" for one in starts]
    return bool(pages[0]) and pages[0] == pages[1]


def fitted(plan: Plan, segments: Segments, number: int) -> Plan:
    """Give the plan of a run that performs another number of segments.

    Args:
        plan: of the run, as it was recorded.
        segments: of it.
        number: how many are performed; one of those that :meth:`Segments.fitting` gives.
    """
    if number < len(segments.blocks):
        return _without(plan, segments, number)
    for more in range(1, number - len(segments.blocks) + 1):
        plan = _with_another(plan, segments, more)
    return plan


def _without(plan: Plan, segments: Segments, number: int) -> Plan:
    """Leave the last segments out, and what is required of later pages that speaks of their rows."""
    gone = {place for block in segments.blocks[number:] for place in block}
    kept = tuple(planned for place, planned in enumerate(plan.steps) if place not in gone)
    lost = {action.id for place in gone for action in plan.steps[place].actions}
    rows = set(segments.rows[number:])
    generated = {name for place in gone for name in _generated(plan)[place]}
    writes = {action: some for action, some in plan.expected.writes.items() if action not in lost}
    sent = {one.id for some in writes.values() for one in some}
    effects = {
        action: [one for one in some if one.write_id in sent and one.input_id not in lost]
        for action, some in plan.expected.effects.items()
        if action not in lost
    }

    def speaks(text: str) -> bool:
        return bool(rows & _rows(text, segments.prefix)) or any(stem_of(one) in generated for one in placeholders(text))

    steps = tuple(replace(one, step=_unlearnt(one.step, speaks)) for one in kept)
    return replace(plan, steps=steps, expected=replace(plan.expected, writes=writes, effects=effects))


def _unlearnt(step: StepRow, speaks: Callable[[str], bool]) -> StepRow:
    """Let go of what was learnt of pages that speaks of what is not made."""
    learnt: Any = step.flags.get(LEARNT)
    if not learnt:
        return step
    left: Any = {
        ordinal: {
            name: ("" if speaks(held) else held) if isinstance(held, str) else [one for one in held if not speaks(one)]
            for name, held in told.items()
        }
        for ordinal, told in learnt.items()
    }
    return replace(step, flags={**step.flags, LEARNT: left})


def _with_another(plan: Plan, segments: Segments, more: int) -> Plan:
    """Put a segment for a further row behind the last one: the last one with its names and ids changed."""
    block, row = segments.blocks[-1], segments.rows[-1]
    length = len(block)
    at = block.stop + (more - 1) * length
    generated = [name for place in block for name in _generated(plan)[place]]
    names = {f"{segments.prefix}.{row}": f"{segments.prefix}.{row + more}"}
    names |= {name: f"{name}_{more + 1}" for name in generated}
    if len(segments.rows) > 1:  # what stood on the pages before is of the row before
        names |= {f"{segments.prefix}.{segments.rows[-2]}": f"{segments.prefix}.{row + more - 1}"}
    actions = [action for place in block for action in plan.steps[place].actions]
    steps = [plan.steps[place].step for place in block]
    writes = {one.id: plan.expected.writes.get(one.id, ()) for one in actions}
    own = {write.id for some in writes.values() for write in some}
    effects = {
        one.id: [each for each in plan.expected.effects.get(one.id, ()) if each.write_id in own] for one in actions
    }
    ids = {one: f"{one}#{more}" for one in [*(action.id for action in actions), *(step.id for step in steps)]}
    ids |= {write: f"{write}#{more}" for write in own}
    rename = _renaming(names, ids)
    copied = tuple(_renamed(plan.steps[place], rename) for place in block)
    expected: Expected = replace(
        plan.expected,
        writes={**plan.expected.writes, **_renamed(writes, rename)},
        effects={**plan.expected.effects, **_renamed(effects, rename)},
        unheard=plan.expected.unheard | {ids[one.id] for one in actions if one.id in plan.expected.unheard},
    )
    variables = [one for one in plan.variables if one.step_id in {step.id for step in steps} and one.name in generated]
    added = tuple(replace(_renamed(one, rename), name=names[one.name], value=None) for one in variables)
    return replace(
        plan,
        steps=(*plan.steps[:at], *copied, *plan.steps[at:]),
        variables=(*plan.variables, *added),
        expected=expected,
    )


def _renaming(names: Mapping[str, str], ids: Mapping[str, str] | None = None) -> Callable[[str], str]:
    """Give what writes a text with other names of variables in its placeholders, or another id where it is one."""
    known = "|".join(sorted(map(re.escape, names), key=len, reverse=True))
    pattern = re.compile(rf"(\{{\{{(?:user\.\d+\.)?)({known})(?=[.|}}])")

    def rename(text: str) -> str:
        if ids and text in ids:
            return ids[text]
        return pattern.sub(lambda found: found[1] + names[found[2]], text)

    return rename


def _renamed(value: T, rename: Callable[[str], str]) -> T:
    """Rewrite every text in a value."""
    return _anew(value, rename)  # type: ignore[no-any-return]


def _anew(value: Any, rename: Callable[[str], str]) -> Any:
    if isinstance(value, str):
        return rename(value)
    if isinstance(value, Mapping):
        return {_anew(key, rename): _anew(one, rename) for key, one in value.items()}
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return type(value)(*(_anew(one, rename) for one in value))
    if isinstance(value, list | tuple | frozenset):
        return type(value)(_anew(one, rename) for one in value)
    if isinstance(value, BaseModel):
        return value.model_copy(update={name: _anew(getattr(value, name), rename) for name in type(value).model_fields})
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{one.name: _anew(getattr(value, one.name), rename) for one in fields(value) if one.init}
        )
    return value
