"""Every lie that can be told about a recorded write. Not responsible for: telling it (``telling``)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal, get_args

from benchmarks.sites.recorded import RecordedWrite

LieKind = Literal["dropped", "altered", "swapped", "doubled", "swallowed", "file lost", "file replaced"]
KINDS: tuple[LieKind, ...] = get_args(LieKind)
_GUARDS = ("csrf", "token", "authenticity", "_wpnonce", "nonce")
"""Fields by which a site guards its forms: without them it refuses, which is no lie."""


@dataclass(frozen=True, slots=True)
class Lie:
    """What a site makes of one write."""

    kind: LieKind
    write: RecordedWrite
    place: str = ""
    """Of the value that it is about; empty where it is about the whole write."""
    other: str = ""
    """The value that it is swapped with."""

    @property
    def field(self) -> str:
        """The value or values that it is about."""
        return " and ".join(filter(None, (self.place, self.other)))

    def __str__(self) -> str:
        """Say it."""
        return f"{self.write}: {self.field or 'the write'} {self.kind}"


def lies(writes: Sequence[RecordedWrite]) -> list[Lie]:
    """Give every lie about some writes, in order.

    Args:
        writes: of a recording.
    """
    return [lie for write in writes for lie in _about(write)]


def _about(write: RecordedWrite) -> Iterator[Lie]:
    fields = [name for name in write.fields if not any(guard in name.lower() for guard in _GUARDS)]
    for place in fields:
        yield Lie("dropped", write, place)
        yield Lie("altered", write, place)
    # What is swapped with a hidden copy says no more than the two lies about each of them.
    told, copies = ([name for name in fields if (name in write.copies) is copied] for copied in (False, True))
    for place, other in (*pairwise(told), *pairwise(copies)):
        yield Lie("swapped", write, place, other)
    for place in write.files:
        yield Lie("file lost", write, place)
        yield Lie("file replaced", write, place)
    yield Lie("doubled", write)
    yield Lie("swallowed", write)
