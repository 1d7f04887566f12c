"""What keeps a run of a model within bounds: tokens, calls that lead nowhere, a user's patience.

Steps and minutes are the loop's. Not responsible for: ending anything; it says when, and why.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from pydantic import JsonValue

from simulator.agent.contracts import Usage
from simulator.canonical import content_hash
from simulator.tools.contracts import ToolResult

CACHED_SHARE = 0.1
"""What a token read from the cache counts: about what it costs."""
SAME = 3
"""Times that a call may have the same effect before the model is told, and as often again before the task ends."""
STILL = 12
"""Calls in a row that show nothing new, likewise."""
FAILURES: Mapping[Literal["low", "medium", "high"], int] = {"low": 3, "medium": 5, "high": 8}
"""Calls that may fail in a row, by the user's patience."""


class TokensSpent(Exception):
    """The persona's limit of tokens is used up."""


@dataclass(slots=True)
class Ledger:
    """The tokens of one run."""

    limit: int
    spent: float = 0.0

    def count(self, usage: Usage) -> None:
        """Add one request."""
        self.spent += usage.input + usage.cache_write + usage.output + CACHED_SHARE * usage.cache_read

    def check(self) -> None:
        """See that another request may be made.

        Raises:
            TokensSpent: it may not.
        """
        if self.spent >= self.limit:
            raise TokensSpent(f"the persona's limit of {self.limit} tokens is used up ({self.spent:.0f})")


class Watch:
    """Looks for a task that goes in circles, or fails again and again.

    Args:
        patience: the user's.
    """

    def __init__(self, patience: Literal["low", "medium", "high"]) -> None:
        self._failures_allowed = FAILURES[patience]
        self._seen: Counter[str] = Counter()
        self._still = 0
        self._failed = 0

    def noticed(self, name: str, input: Mapping[str, JsonValue], result: ToolResult) -> tuple[str, str]:
        """Take in one call.

        Returns:
            What the model should be told, and why the task ends; both mostly empty.
        """
        effect = {
            "name": name,
            "input": dict(input),
            "data": result.data,
            "pictures": [i.sha256 for i in result.images],
        }
        key = content_hash(effect | {"error": result.error.message if result.error else None})
        self._seen[key] += 1
        self._still = 0 if self._seen[key] == 1 else self._still + 1
        self._failed = 0 if result.success else self._failed + 1
        if self._failed >= self._failures_allowed:
            assert result.error is not None
            return "", f"gave up after {self._failed} calls in a row that failed, the last one: {result.error.message}"
        if self._seen[key] >= 2 * SAME:
            return "", f"went in circles: {name} had the same effect {self._seen[key]} times"
        if self._still >= 2 * STILL:
            return "", f"got nowhere: {self._still} calls in a row showed nothing new"
        if self._seen[key] == SAME:
            return f"{name} was called {SAME} times with the same effect. Do something else, or call fail.", ""
        if self._still == STILL:
            return f"The last {STILL} calls showed nothing new. Do something else, or call fail.", ""
        if self._failed and self._failed == self._failures_allowed - 1:
            return "This user loses patience: if the next call fails, too, the task is given up.", ""
        return "", ""
