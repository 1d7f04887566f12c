"""What the runs of a batch have spent, and the batch's own limits. Not responsible for: a run's own limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, astuple, dataclass, field
from typing import Any

from simulator.agent.models.prices import Cost, Prices
from simulator.agent.usage import Usage, weighed
from simulator.runner.stop import Stop


@dataclass(frozen=True, slots=True)
class Spending:
    """What was asked of models."""

    calls: int = 0
    models: tuple[str, ...] = ()
    """As they call themselves."""
    tokens: Usage = field(default_factory=Usage)
    cost: Cost = field(default_factory=Cost)

    def __add__(self, other: Spending) -> Spending:
        both = zip(astuple(self.tokens), astuple(other.tokens), strict=True)
        return Spending(
            self.calls + other.calls,
            tuple(sorted({*self.models, *other.models})),
            Usage(*(one + another for one, another in both)),
            self.cost + other.cost,
        )

    def __bool__(self) -> bool:
        return self.calls > 0

    def __str__(self) -> str:
        """Say it in a line."""
        used = self.tokens
        cached = f", {used.cache_read:,} of them from the cache" if used.cache_read else ""
        read = used.input + used.cache_write + used.cache_read
        calls = f"{self.calls:,} call{'s' if self.calls != 1 else ''} of {', '.join(self.models)}"
        return f"{calls}: {read:,} tokens in{cached}, {used.output:,} out; cost: {self.cost}"

    def summary(self) -> dict[str, Any]:
        """Write it for the summary of a run; nothing where no model was asked."""
        if not self.calls:
            return {}
        told = {
            "calls": self.calls,
            "names": list(self.models),
            "tokens": asdict(self.tokens),
            "cost": asdict(self.cost),
        }
        return {"model": told}

    @classmethod
    def of_summary(cls, summary: Mapping[str, Any] | None) -> Spending:
        """Read it from the summary of a run; what costs were not noted of is unknown."""
        told = (summary or {}).get("model")
        if not told:
            return cls()
        cost = told.get("cost")
        return cls(
            told["calls"],
            tuple(told["names"]),
            Usage(**told["tokens"]),
            Cost(cost["known"], cost["unknown_calls"]) if cost else Cost(unknown_calls=told["calls"]),
        )


def together(spent: Iterable[Spending]) -> Spending:
    """Add up what several runs have spent."""
    return sum(spent, start=Spending())


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a batch may take, all its users together; None: as much as they need."""

    minutes: float | None = None
    steps: int | None = None
    tokens: int | None = None
    money: float | None = None
    """In the currency of the prices."""

    @property
    def over(self) -> str:
        """What is said when the time is over."""
        return f"the batch's limit of {self.minutes:g} minutes is over" if self.minutes else ""

    def summary(self) -> dict[str, float]:
        """Write those that there are, for the settings of a batch."""
        return {name: value for name, value in asdict(self).items() if value is not None}

    def otherwise(self, others: Limits) -> Limits:
        """Take from others what is not limited here."""
        return Limits(**{**others.summary(), **self.summary()})  # type: ignore[arg-type]


@dataclass(slots=True)
class Budget:
    """The limits of a batch, over all its users. Who would go beyond one ends the batch: no other step is begun."""

    stop: Stop
    prices: Prices = field(default_factory=Prices)
    steps: int | None = None
    tokens: int | None = None
    money: float | None = None
    """In the currency of the prices."""
    _steps: int = 0
    _tokens: float = 0.0
    _cost: Cost = field(default_factory=Cost)

    def step(self) -> bool:
        """Take a step off; False where none is left."""
        if self.steps is not None and self._steps >= self.steps:
            self.stop.request(f"the batch's limit of {self.steps} steps is used up")
            return False
        self._steps += 1
        return True

    def remember(self, steps: int) -> None:
        """Let this many steps count nothing: they were done before."""
        self._steps -= steps

    def spent(self) -> str:
        """Ask before a request to a model whether it may be made.

        Returns:
            Which limit is used up; empty where it may.
        """
        reason = ""
        if self.tokens is not None and self._tokens >= self.tokens:
            reason = f"the batch's limit of {self.tokens} tokens is used up ({self._tokens:.0f})"
        elif self.money is not None and self._cost.total >= self.money:
            reason = f"the batch's limit of {self.money:g} {self.prices.currency} is used up ({self._cost})"
        if reason:
            self.stop.request(reason)
        return reason

    def called(self, model: str, usage: Usage) -> Spending:
        """Count a request to a model, and give what it took."""
        cost = self.prices.cost(model, usage)
        self._tokens += weighed(usage)
        self._cost += cost
        return Spending(1, (model,), usage, cost)
