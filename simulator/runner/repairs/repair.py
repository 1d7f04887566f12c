"""What a model's repair of one task of a replayed run was asked for with, and came to, as values."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from simulator.agent.models.prices import Cost
from simulator.agent.usage import Usage
from simulator.runner.spending import Spending


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairOptions:
    """Who repairs, and how much all the repairs of a replay may take together; None: as much as they need."""

    agent: str
    model: str = ""
    """Its usual one when empty."""
    max_steps: int | None = None
    """Of one repair."""
    limit_minutes: float | None = None
    """Since the replay began."""
    limit_tokens: int | None = None
    limit_money: float | None = None
    """In the currency of the prices."""


class NotRepaired(Exception):
    """A step was not repaired; the message says why."""


@dataclass(frozen=True, slots=True)
class Repair:
    """A part of a run that could not be performed any more, and that a model did instead."""

    step: int
    """Ordinal of the recorded step that could not be performed, from 1."""
    tool: str
    task: str
    """What the recorded user was at; empty where that is not known."""
    why: str
    """What was not as recorded."""
    did: tuple[str, ...]
    """The calls that changed something, in words."""
    said: str
    """What the model said of it; nothing follows from that."""
    made: tuple[str, ...]
    """What the task had made when it was recorded, and was read back."""
    steps: int
    """How many calls were made."""
    spending: Spending = field(default_factory=Spending)

    @property
    def sentence(self) -> str:
        """Say it in one sentence."""
        of = f" of {self.task}" if self.task else ""
        by = ", ".join(self.spending.models) or "a model"
        return f"step {self.step} ({self.tool}){of}: {self.why}; done by {by} in {self.steps} calls"

    def as_summary(self) -> dict[str, Any]:
        """Write it for the summary of a run."""
        return asdict(self)

    @classmethod
    def of_summary(cls, told: Mapping[str, Any]) -> Repair:
        """Read it from the summary of a run."""
        spent = told["spending"]
        spending = Spending(spent["calls"], tuple(spent["models"]), Usage(**spent["tokens"]), Cost(**spent["cost"]))
        return cls(**{**told, "did": tuple(told["did"]), "made": tuple(told["made"]), "spending": spending})
