"""What differs between two readings of a page, and how an agent reads it. Not responsible for: reading pages.

A reading is the lines of a page's tree. References are numbered on from document to document, so readings that share
one are of one document, and there a reference means the same element in both.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher
from typing import NamedTuple

_REF = re.compile(r'"(?:\\.|[^"\\])*"| \[ref=(e\d+)\]')
"""A reference; what stands in quotation marks the page says, and means nothing."""
_FLEETING = re.compile(_REF.pattern + r"| \[current\]")
_FRAME = re.compile(r" *- (banner|navigation|contentinfo|complementary|search)\b")
"""Parts that the pages of a site have in common. What a page itself is about is always shown."""


class Edit(NamedTuple):
    """Lines that stand in place of others."""

    start: int
    """Of the lines before."""
    end: int
    lines: tuple[str, ...]


def edits(before: Sequence[str], after: Sequence[str]) -> tuple[Edit, ...]:
    """Give what makes the one reading of the other, in order."""
    found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return tuple(Edit(a, b, tuple(after[c:d])) for tag, a, b, c, d in found if tag != "equal")


def applied(before: Sequence[str], changes: Sequence[Edit]) -> list[str]:
    """Make the later reading of the earlier one."""
    lines = list(before)
    for change in reversed(changes):
        lines[change.start : change.end] = change.lines
    return lines


def same_document(before: Sequence[str], after: Sequence[str]) -> bool:
    """Return whether two readings are of one document: it keeps the references that it has given out."""
    return not {*_refs(before)}.isdisjoint(_refs(after))


def edit_lines(before: Sequence[str], changes: Sequence[Edit]) -> list[str]:
    """Say what changed: ``+`` what is new, ``~`` what is otherwise, ``-`` what has gone, and what they stand in.

    Of a part that has gone its first line is shown, and how many were inside.
    """
    told: list[str] = []
    place = ""
    shift = 0
    after = applied(before, changes)
    for change in changes:
        at = change.start + shift
        shift += len(change.lines) - (change.end - change.start)
        gone = before[change.start : change.end]
        least = min(_depth(line) for line in (*gone, *change.lines))
        outer = _above(after, at, least)
        if outer and outer != place:
            told.append(f"in {_bare(outer)}")
        place = outer
        known = {ref: line for line in gone for ref in _refs([line])}
        kept = {ref for line in change.lines for ref in _refs([line])} & known.keys()
        for line in change.lines:
            changed = not kept.isdisjoint(_refs([line]))
            if changed and any(line == known.get(ref) for ref in _refs([line])):
                continue
            told.append(f"{'  ' * (_depth(line) - least)}{'~' if changed else '+'} {_bare(line)}")
        told += [line for line in _gone(gone) if kept.isdisjoint(_refs([line]))]
    return told


def page_lines(before: Sequence[str], after: Sequence[str]) -> list[str]:
    """Say what another page shows: all of it, but for what frames it and is as on the page before."""
    known = {_shape(before, start, end) for start, end in _parts(before)}
    ends = dict(_parts(after))
    told: list[str] = []
    at = 0
    while at < len(after):
        end = ends.get(at)
        if end is not None and _shape(after, at, end) in known:
            told.append(f"{after[at]} (as before: {end - at - 1} lines inside)")
            at = end
        else:
            told.append(after[at])
            at += 1
    return told


def _gone(lines: Sequence[str]) -> Iterator[str]:
    at = 0
    while at < len(lines):
        end = _end(lines, at)
        inside = end - at - 1
        yield f"- {_bare(lines[at])}" + (f" (and {inside} lines inside)" if inside else "")
        at = end


def _parts(lines: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Give first line and end of what frames the page, has a reference, and something inside."""
    for at, line in enumerate(lines):
        if _FRAME.match(line) and any(_refs([line])) and (end := _end(lines, at)) - at > 1:
            yield at, end


def _shape(lines: Sequence[str], start: int, end: int) -> tuple[str, ...]:
    """Give what a part says, wherever it stands, whatever its references are, and whichever of its links leads here."""
    indent = 2 * _depth(lines[start])
    return tuple(_FLEETING.sub(_quoted, line[indent:]) for line in lines[start:end])


def _quoted(found: re.Match[str]) -> str:
    return found[0] if found[0].startswith('"') else ""


def _end(lines: Sequence[str], at: int) -> int:
    depth = _depth(lines[at])
    return next((later for later in range(at + 1, len(lines)) if _depth(lines[later]) <= depth), len(lines))


def _above(lines: Sequence[str], at: int, depth: int) -> str:
    return next((line for line in reversed(lines[:at]) if _depth(line) < depth), "")


def _depth(line: str) -> int:
    return (len(line) - len(line.lstrip(" "))) // 2


def _bare(line: str) -> str:
    return line.lstrip(" ").removeprefix("- ")


def _refs(lines: Sequence[str]) -> Iterator[str]:
    return (ref for line in lines for ref in _REF.findall(line) if ref)
