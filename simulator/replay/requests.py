"""Compares what today's agent asks a model with what was asked when it was recorded. Pure.

The conversation has to be the same: the task, the answers, and what every call came to. The rules of the system prompt
and the texts of tools are the program's own, and another version may word them otherwise: that is noted, and is no
difference of the run. What the system prompt says of the user and the site has to stand in the recorded one, and a tool
that was called has to be there and to take what it was given.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from simulator.canonical import canonical_json
from simulator.tools.json_schema import problems

BEFORE, AFTER = 30, 50
"""Characters of an excerpt around the first one that differs."""


@dataclass(frozen=True, slots=True)
class Difference:
    """Where today's agent does something else than the recorded one."""

    where: str
    """Such as ``request 3`` or ``step 5``."""
    part: str
    """Such as ``the system prompt`` or ``the schema of the tool click``."""
    recorded: str
    """An excerpt."""
    today: str

    @property
    def sentence(self) -> str:
        """Say it in one sentence."""
        return f"{self.where}: {self.part} differs: recorded {self.recorded}; today {self.today}"


@dataclass(frozen=True, slots=True)
class Leaf:
    """Where two JSON values first differ."""

    path: str
    recorded: Any
    today: Any


_ABSENT = "nothing"


def first_difference(recorded: Any, today: Any, path: str = "") -> Leaf | None:
    """Find where two JSON values first differ; None where they do not."""
    if isinstance(recorded, Mapping) and isinstance(today, Mapping):
        for key in sorted({*recorded, *today}):
            here = f"{path}.{key}" if path else str(key)
            if key not in recorded or key not in today:
                return Leaf(here, recorded.get(key, _ABSENT), today.get(key, _ABSENT))
            if found := first_difference(recorded[key], today[key], here):
                return found
        return None
    if isinstance(recorded, list) and isinstance(today, list):
        for place, (one, other) in enumerate(zip(recorded, today, strict=False)):
            if found := first_difference(one, other, f"{path}[{place}]"):
                return found
        if len(recorded) == len(today):
            return None
        return Leaf(path, f"{len(recorded)} entries", f"{len(today)} entries")
    same = recorded == today and isinstance(recorded, bool) == isinstance(today, bool)
    return None if same else Leaf(path, recorded, today)


def compare_requests(
    recorded: Mapping[str, Any],
    today: Mapping[str, Any],
    *,
    facts: Sequence[str] = (),
    uses: Sequence[Mapping[str, Any]] = (),
) -> Difference | None:
    """Find the first difference between two requests that is one of the run; None where there is none.

    Args:
        recorded: as it was sent.
        today: as today's agent would send it.
        facts: what today's system prompt says of the user and the site.
        uses: the calls that the model answered with: ``name``, ``toolset`` and ``input``.
    """
    return _first((*_facts(recorded["system"], facts), *_uses(recorded, today, uses), *_messages(recorded, today)))


def reworded(recorded: Mapping[str, Any], today: Mapping[str, Any]) -> list[Difference]:
    """Find what the program words otherwise than when a request was recorded: its rules, and the texts of tools.

    Args:
        recorded: as it was sent.
        today: as today's agent would send it.
    """
    parts = [("the system prompt", first_difference(recorded["system"], today["system"]))]
    parts += _tools(recorded["tools"], today["tools"])
    return [found for part in parts if (found := _first([part]))]


def _first(parts: Iterable[tuple[str, Leaf | None]]) -> Difference | None:
    for part, found in parts:
        if found is not None:
            where = f" ({found.path})" if found.path and not part.startswith("the system") else ""
            return Difference("", part + where, *excerpts(found.recorded, found.today))
    return None


def excerpts(recorded: Any, today: Any) -> tuple[str, str]:
    """Give what stands around the first character in which two values differ."""
    one, other = (value if isinstance(value, str) else canonical_json(value) for value in (recorded, today))
    pairs = zip(one, other, strict=False)
    first = next((place for place, (a, b) in enumerate(pairs) if a != b), min(len(one), len(other)))
    return _around(one, first), _around(other, first)


def _around(text: str, place: int) -> str:
    begin, end = max(0, place - BEFORE), place + AFTER
    return f"'{'…' if begin else ''}{text[begin:end]}{'…' if end < len(text) else ''}'"


def _facts(system: Any, facts: Sequence[str]) -> Iterator[tuple[str, Leaf | None]]:
    """See that the recorded system prompt says what today's says of the user and the site."""
    said = canonical_json(system)
    for fact in facts:
        if canonical_json(fact)[1:-1] not in said:
            yield "the system prompt", Leaf("", f"without {fact}", fact)


def _uses(
    recorded: Mapping[str, Any], today: Mapping[str, Any], uses: Sequence[Mapping[str, Any]]
) -> Iterator[tuple[str, Leaf | None]]:
    """See that the tools that were called are offered, and take what they were given."""
    before, now = ({_tool(tool): tool for tool in request["tools"]} for request in (recorded, today))
    for use in uses:
        name = str(use.get("toolset") or use["name"])
        if name not in before:
            continue
        if name not in now:
            yield "the tools", Leaf("", name, f"without {name}")
        elif not use.get("toolset") and use["input"] is not None:
            yield f"what the tool {name} takes", _not_taken(_schema(before[name]), _schema(now[name]), use["input"])


def _schema(tool: Mapping[str, Any]) -> Mapping[str, Any]:
    return dict(tool.get("input_schema") or {})


def _not_taken(recorded: Mapping[str, Any], today: Mapping[str, Any], given: dict[str, Any]) -> Leaf | None:
    """Find what of an input a tool took when it was recorded, and takes no more."""
    for name in given:
        if name in recorded.get("properties", {}) and name not in today.get("properties", {}):
            return Leaf(name, name, f"without {name}")
    if problems(recorded, given):
        return None  # such as a placeholder in place of a number
    wrong = problems(today, given)
    return Leaf("", given, wrong[0]) if wrong else None


def _tools(recorded: Sequence[Any], today: Sequence[Any]) -> list[tuple[str, Leaf | None]]:
    before, now = [_tool(tool) for tool in recorded], [_tool(tool) for tool in today]
    gone = [name for name in before if name not in now]
    new = [name for name in now if name not in before]
    if gone or new:
        return [("the tools", Leaf("", ", ".join(gone) or "no more", ", ".join(new) or f"without {', '.join(gone)}"))]
    if before != now:
        return [("the order of the tools", Leaf("", ", ".join(before), ", ".join(now)))]
    pairs = zip(before, recorded, today, strict=True)
    return [(f"the schema of the tool {name}", first_difference(one, other)) for name, one, other in pairs]


def _tool(tool: Mapping[str, Any]) -> str:
    return str(tool.get("name") or tool.get("type"))


def _messages(request: Mapping[str, Any], asked: Mapping[str, Any]) -> list[tuple[str, Leaf | None]]:
    recorded, today = request["messages"], asked["messages"]
    found: list[tuple[str, Leaf | None]] = []
    for number, (one, other) in enumerate(zip(recorded, today, strict=False), start=1):
        place = f"message {number}"
        if one["role"] != other["role"]:
            found.append((f"the order: who says {place}", Leaf("", one["role"], other["role"])))
        kinds = [[block["type"] for block in message["content"]] for message in (one, other)]
        for block, (was, now) in enumerate(zip(one["content"], other["content"], strict=False), start=1):
            found.append((f"{place} block {block} ({was['type']})", first_difference(was, now)))
        if len(kinds[0]) != len(kinds[1]):
            found.append((f"the blocks of {place}", Leaf("", ", ".join(kinds[0]), ", ".join(kinds[1]))))
    if len(recorded) != len(today):
        counts = (f"{len(messages)} messages" for messages in (recorded, today))
        found.append(("the number of messages", Leaf("", *counts)))
    return found
