"""Two recorded runs side by side: which steps both have, and what differs in them, in words.

Not responsible for: reading runs, or judging which one is right. Templates are compared, so that two users who did the
same do not differ; who they are, ids, times and pictures are not compared. Steps that only read are left out where one
run is a replay, which does not perform them.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, fields
from difflib import SequenceMatcher
from typing import Literal

from simulator.browser.evidence import Target
from simulator.canonical import canonical_json
from simulator.recording.rows import ActionRow
from simulator.report.recorded import RecordedRun, RecordedStep, describe_target, status_of
from simulator.report.wording import counted, short_id

_UNTOLD = frozenset({"alike", "box", "css", "position", "scope_depth", "scopes"})
"""Evidence that says where an element was, not which one; what is around it is described in words."""


@dataclass(frozen=True, slots=True)
class StepDifference:
    """A step that only one run has, or that both have and that differs."""

    kind: Literal["only in the first", "only in the second", "differs"]
    first: int | None
    """Number of the step in the first run, from 1."""
    second: int | None
    what: str
    """The step in a few words."""
    details: tuple[str, ...] = ()
    """What differs: ``what: first -> second``."""


@dataclass(frozen=True, slots=True)
class RunDifference:
    """What differs between two runs."""

    first: str
    second: str
    facts: tuple[str, ...]
    steps: tuple[StepDifference, ...]
    alike: int
    """Steps that both have, without any difference."""

    @property
    def same(self) -> bool:
        """Whether both runs did the same to the same end."""
        return not self.facts and not self.steps

    def lines(self) -> list[str]:
        """Give it as lines for a person."""
        if self.same:
            return [f"no difference in {counted(self.alike, 'step')}"]
        lines = [f"{len(self.steps)} of {counted(self.alike + len(self.steps), 'step')} differ", *self.facts]
        for one in self.steps:
            place = " / ".join("-" if number is None else str(number) for number in (one.first, one.second))
            lines += [f"{place:>9}  {one.kind}: {one.what}", *(f"{'':>9}    {detail}" for detail in one.details)]
        return lines


def compare_runs(first: RecordedRun, second: RecordedRun) -> RunDifference:
    """Compare two runs step by step.

    Args:
        first: a run.
        second: another, for example a replay of it.
    """
    replayed = "replay" in (first.run.kind, second.run.kind)
    one, other = ([step for step in run.steps if not (replayed and _reads(step))] for run in (first, second))
    matcher = SequenceMatcher(None, [_key(step) for step in one], [_key(step) for step in other], autojunk=False)
    found: list[StepDifference] = []
    alike = 0
    for kind, a, b, c, d in matcher.get_opcodes():
        if kind == "equal":
            for left, right in zip(one[a:b], other[c:d], strict=True):
                details = tuple(_details(left, right))
                alike += not details
                if details:
                    found.append(StepDifference("differs", _number(left), _number(right), _words(left), details))
            continue
        found += [StepDifference("only in the first", _number(step), None, _words(step)) for step in one[a:b]]
        found += [StepDifference("only in the second", None, _number(step), _words(step)) for step in other[c:d]]
    facts = tuple(_facts(first, second))
    return RunDifference(short_id(first.run.id), short_id(second.run.id), facts, tuple(found), alike)


def _facts(first: RecordedRun, second: RecordedRun) -> Iterator[str]:
    pairs = (
        ("ended", status_of(first.run), status_of(second.run)),
        ("persona", first.run.persona, second.run.persona),
        ("made", _made(first), _made(second)),
    )
    for name, one, other in pairs:
        if one != other:
            yield f"{name}: {one} -> {other}"


def _made(recorded: RecordedRun) -> str:
    things = (
        (made.kind, ", ".join(f"{name} '{text}'" for name, text in made.fields.items())) for made in recorded.made
    )
    return "; ".join(f"{kind} with {fields}" if fields else kind for kind, fields in things) or "nothing"


def _reads(one: RecordedStep) -> bool:
    return one.step.replay == "skip"


def _key(one: RecordedStep) -> tuple[object, ...]:
    """What makes two steps the same one: the tool, and what its actions are aimed at."""
    return (one.step.tool, *((action.kind, _aim(action.target)) for action in one.actions))


def _aim(target: Target | None) -> tuple[str, str]:
    return (target.role or target.tag, target.name or target.label or target.name_attr) if target else ("", "")


def _number(one: RecordedStep) -> int:
    return one.step.ordinal + 1


def _words(one: RecordedStep) -> str:
    actions = [describe_target(action.target) for action in one.actions if action.target]
    aimed = f" {actions[-1]}" if actions else ""
    return f"{one.step.tool or 'by hand'}{aimed}"


def _details(one: RecordedStep, other: RecordedStep) -> Iterator[str]:
    yield from _differing(
        ("input", canonical_json(one.step.input), canonical_json(other.step.input)),
        ("outcome", one.step.status, other.step.status),
        ("error", one.step.error_message, other.step.error_message),
    )
    for left, right in zip(one.actions, other.actions, strict=True):
        yield from _action(left, right)


def _action(one: ActionRow, other: ActionRow) -> Iterator[str]:
    name = f"{one.kind} {describe_target(one.target)}" if one.target else one.kind
    pairs: list[tuple[str, object, object]] = [
        ("value", one.value, other.value),
        ("status", one.status, other.status),
        ("settled", one.settled, other.settled),
    ]
    if one.target and other.target:
        left, right = (target.model_dump(exclude=set(_UNTOLD)) for target in (one.target, other.target))
        pairs += [(f"evidence {key}", left[key], right[key]) for key in left]
        pairs.append(("around it", _around(one.target), _around(other.target)))
    if one.after and other.after:
        pairs += [
            (f"page {part.name}", getattr(one.after, part.name), getattr(other.after, part.name))
            for part in fields(one.after)
        ]
    for detail in _differing(*pairs):
        yield f"{name}: {detail}"


def _differing(*pairs: tuple[str, object, object]) -> Iterator[str]:
    for name, one, other in pairs:
        # What an older recording does not say (null) and what a newer one says to be empty differ, and read alike.
        if one != other and _as_text(one) != _as_text(other):
            yield f"{name}: {_as_text(one)} -> {_as_text(other)}"


def _around(target: Target) -> str:
    """Name the parts of the page around an element, the nearest first, and what identifies a card among others."""
    words = []
    for scope in target.scopes:
        texts = " and ".join(f"'{text}'" for text in scope.texts[: max(scope.tells, 1)])
        named = f" '{scope.name}'" if scope.name else ""
        words.append(f"{scope.kind}{named}" + (f" with {texts}" if texts else ""))
    return ", ".join(words)


def _as_text(value: object) -> str:
    if isinstance(value, Sequence) and not isinstance(value, str):
        told = [" ".join(map(str, one)) if isinstance(one, tuple) else f"'{one}'" for one in value]
        return ", ".join(told) or "none"
    return "none" if value in (None, "") else str(value)
