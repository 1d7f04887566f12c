"""Deterministic draws: numbers that depend on a named key and on nothing else.

Responsible for turning (seed, persona, number, field) into a stream of choices by SHA-256, so that one more
field, another order, process, platform or Python version changes no other field. It knows nothing of what
the fields mean, and it is no source of secrets.
"""

import hashlib
import json
from collections.abc import Sequence
from typing import TypeVar

T = TypeVar("T")
_encode = json.JSONEncoder(ensure_ascii=False).encode


class Draw:
    """An endless stream of choices; equal keys give equal streams."""

    __slots__ = ("_blocks", "_key")

    def __init__(self, *key: str | int) -> None:
        """Start the stream of ``key``; its parts are kept apart, so ("ab", "c") is not ("a", "bc")."""
        self._key = hashlib.sha256(_encode(key).encode()).digest()
        self._blocks = 0

    def integer(self) -> int:
        """Return the next integer, uniform in [0, 2**64)."""
        block = hashlib.sha256(self._key + self._blocks.to_bytes(8, "big")).digest()
        self._blocks += 1
        return int.from_bytes(block[:8], "big")

    def below(self, bound: int) -> int:
        """Return a whole number in [0, bound); the bias of the modulus is under bound / 2**64."""
        return self.integer() % bound

    def chance(self) -> float:
        """Return a number in [0, 1)."""
        return (self.integer() >> 11) / (1 << 53)

    def choice(self, options: Sequence[T]) -> T:
        """Return one of ``options``, which must not be empty."""
        return options[self.below(len(options))]

    def shuffled(self, items: Sequence[T]) -> list[T]:
        """Return the items in a drawn order (Fisher-Yates)."""
        order = list(items)
        for last in range(len(order) - 1, 0, -1):
            other = self.below(last + 1)
            order[last], order[other] = order[other], order[last]
        return order
