"""What requests to models cost, as far as it is known. Not responsible for: where prices stand, or any limit."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Self

from simulator.agent.usage import Usage
from simulator.config import Model, Models

_TOKENS = 1_000_000
"""That a price is for."""
_PLACES = 9
"""Decimal places that sums are rounded to: sums of many small amounts stay the same in any order."""


@dataclass(frozen=True, slots=True)
class Cost:
    """What some requests cost. What is not known of it is counted, and never taken for nothing."""

    known: Mapping[str, float] = field(default_factory=dict)
    """Amount by currency."""
    unknown_calls: int = 0
    """Requests of which nobody knows what they cost."""

    def __add__(self, other: Cost) -> Cost:
        both = {
            currency: round(self.known.get(currency, 0.0) + other.known.get(currency, 0.0), _PLACES)
            for currency in sorted({*self.known, *other.known})
        }
        return Cost(both, self.unknown_calls + other.unknown_calls)

    def __str__(self) -> str:
        """Say it: ``0.0123 USD``, ``at least 0.0123 USD``, ``unknown``, or ``nothing`` where nothing was asked."""
        amounts = " and ".join(f"{amount:.4f} {currency}" for currency, amount in self.known.items())
        if not self.unknown_calls:
            return amounts or "nothing"
        return f"at least {amounts}" if amounts else "unknown"

    @property
    def total(self) -> float:
        """All amounts; of one currency where all prices are of one."""
        return sum(self.known.values())


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices that hold in a batch."""

    models: Models = field(default_factory=Models)
    asked: str = ""
    """The model that is asked, by the name that it is asked by: it may answer by another."""

    def of(self, answered: str) -> Model | None:
        """Give the prices of the model that answered; of the model that was asked where its name is not known."""
        found = next((model for name in (answered, self.asked) if (model := self.models.find(name))), None)
        return found if found and found.priced else None

    @property
    def currency(self) -> str:
        """In which the model that is asked has its prices; empty where it has none."""
        model = self.of(self.asked)
        return model.currency if model else ""

    def as_settings(self) -> dict[str, Any]:
        """Write them for a recording: which model is asked, and the prices that were known."""
        if not self.asked:
            return {}
        known = {name: model.model_dump() for name, model in (self.models.model_extra or {}).items() if model.priced}
        return {"prices": {"asked": self.asked, "known": known}}

    @classmethod
    def of_settings(cls, settings: Mapping[str, Any]) -> Self:
        """Read them from a recording; without any, nothing is known."""
        noted = settings.get("prices", {"asked": "", "known": {}})
        return cls(Models(**noted["known"]), noted["asked"])

    def cost(self, answered: str, usage: Usage) -> Cost:
        """Give what one request cost."""
        model = self.of(answered)
        if model is None:
            return Cost(unknown_calls=1)
        amount = (
            usage.input * (model.input or 0)
            + usage.cache_write * (model.cache_write or 0)
            + usage.cache_read * (model.cache_read or 0)
            + usage.output * (model.output or 0)
        )
        return Cost({model.currency: round(amount / _TOKENS, _PLACES)})
