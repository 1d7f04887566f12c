"""What keeps a run of a model within bounds: tokens, money, calls that lead nowhere, a user's patience.

Steps and minutes are the loop's. Not responsible for: ending anything; it says when, and why.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Literal

from pydantic import JsonValue

from simulator.agent.contracts import SpendingLimit
from simulator.agent.models.prices import Cost, Prices
from simulator.agent.usage import Usage, weighed
from simulator.canonical import content_hash
from simulator.tools.contracts import ToolResult
from simulator.tools.observing import SEEN

SAME = 3
"""Times that a call may have the same effect, with nothing new in between, before the model is warned; as often again
before the task ends."""
STILL = 12
"""Calls in a row that show nothing new, before the model is warned; and as often again before the task ends."""
FAILURES: Mapping[Literal["low", "medium", "high"], int] = {"low": 3, "medium": 5, "high": 8}
"""Calls that may fail in a row, by the user's patience."""

_REF = re.compile(r"\[ref=e\d+\]")
"""Every look at a page gives out other references."""


class BudgetSpent(Exception):
    """No other request to a model may be made.

    Args:
        limit: which.
        reason: how much was spent of how much.
    """

    def __init__(self, limit: SpendingLimit, reason: str) -> None:
        super().__init__(reason)
        self.limit = limit


@dataclass(slots=True)
class Ledger:
    """The tokens and the money of one run."""

    tokens: int
    money: float | None = None
    """None: as much as the tokens cost."""
    prices: Prices = field(default_factory=Prices)
    batch: Callable[[], str] = lambda: ""
    """Returns which limit of the batch is used up; empty: none."""
    spent: float = 0.0
    cost: Cost = field(default_factory=Cost)

    def count(self, model: str, usage: Usage) -> None:
        """Add one request, by the name of the model that answered it."""
        self.spent += weighed(usage)
        self.cost += self.prices.cost(model, usage)

    def check(self) -> None:
        """See that another request may be made.

        Raises:
            BudgetSpent: it may not.
        """
        if reason := self.batch():
            raise BudgetSpent("batch_limit", reason)
        if self.spent >= self.tokens:
            raise BudgetSpent(
                "token_limit", f"the persona's limit of {self.tokens} tokens is used up ({self.spent:.0f})"
            )
        if self.money is not None and self.cost.total >= self.money:
            raise BudgetSpent(
                "money_limit", f"the persona's limit of {self.money:g} {self.prices.currency} is used up ({self.cost})"
            )


class Watch:
    """Looks for a task that goes in circles, or fails again and again.

    Args:
        patience: the user's.
    """

    def __init__(self, patience: Literal["low", "medium", "high"]) -> None:
        self._failures_allowed = FAILURES[patience]
        self._seen: set[str] = set()
        self._times: Counter[str] = Counter()
        """How often there was what, since something new was there last."""
        self._still = 0
        self._failed = 0

    def noticed(self, name: str, input: Mapping[str, JsonValue], result: ToolResult) -> tuple[str, str]:
        """Take in one call.

        Returns:
            A note for the model, and why the task ends; both mostly empty.
        """
        page = result.metadata.get(SEEN)
        effect = {
            "name": name,
            "input": dict(input),
            "data": result.data,
            "error": result.error.message if result.error else None,
            "pictures": [i.sha256 for i in result.images],
            "page": _REF.sub("", page) if isinstance(page, str) else None,
        }
        key = content_hash(effect)
        if key in self._seen:
            self._still += 1
        else:
            self._still = 0
            self._times.clear()
            self._seen.add(key)
        self._times[key] += 1
        self._failed = 0 if result.success else self._failed + 1
        if self._failed >= self._failures_allowed:
            assert result.error is not None
            return "", f"gave up after {self._failed} calls in a row that failed, the last one: {result.error.message}"
        if self._times[key] >= 2 * SAME:
            return "", f"went in circles: {name} had the same effect {self._times[key]} times"
        if self._still >= 2 * STILL:
            return "", f"got nowhere: {self._still} calls in a row showed nothing new"
        if self._times[key] == SAME:
            return f"{name} was called {SAME} times with the same effect. Do something else, or call fail.", ""
        if self._still == STILL:
            return f"The last {STILL} calls showed nothing new. Do something else, or call fail.", ""
        if self._failed and self._failed == self._failures_allowed - 1:
            return "This user loses patience: if the next call fails, too, the task is given up.", ""
        return "", ""
