"""What recorded runs asked of models and what it cost, by call, step, run, persona and batch.

Not responsible for: showing it. Costs are those of the prices that held when a batch was recorded.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from simulator.agent.models.prices import Cost, Prices
from simulator.agent.usage import Usage
from simulator.recording.reader import Recording
from simulator.recording.rows import BatchRow, LlmCallRow, RunRow, StepStatus
from simulator.runner.spending import Spending, together


@dataclass(frozen=True, slots=True)
class CallUsage:
    """One request to a model."""

    ordinal: int
    """Place in the run, from 0."""
    step_id: str | None
    """The first step that its answer led to."""
    status: StepStatus
    seconds: float | None
    spending: Spending


@dataclass(frozen=True, slots=True)
class RunUsage:
    """What a run asked of models."""

    total: Spending = field(default_factory=Spending)
    calls: tuple[CallUsage, ...] = ()

    def of_step(self, step_id: str) -> Spending:
        """Give what led to a step."""
        return together(call.spending for call in self.calls if call.step_id == step_id)


@dataclass(frozen=True, slots=True)
class RecordedBatch:
    """A batch with its runs, and what they asked of models."""

    batch: BatchRow
    runs: tuple[RunRow, ...]
    usage: tuple[Spending, ...]
    """Of each run."""
    by_persona: Mapping[str, Spending]
    total: Spending


def read_batch(recording: Recording, name: str) -> RecordedBatch:
    """Read a batch as a whole.

    Args:
        recording: where it stands.
        name: as `Recording.batch` takes it.

    Raises:
        RecordingError: there is none of that name, or several.
    """
    batch = recording.batch(name)
    runs = tuple(recording.runs(batch.id))
    usage = tuple(read_usage(recording, run, batch).total for run in runs)
    by_persona: dict[str, Spending] = {}
    for run, spent in zip(runs, usage, strict=True):
        if spent:
            by_persona[run.persona or "-"] = by_persona.get(run.persona or "-", Spending()) + spent
    return RecordedBatch(batch, runs, usage, by_persona, together(usage))


def read_usage(recording: Recording, run: RunRow, batch: BatchRow | None = None) -> RunUsage:
    """Read what a run asked of models: call by call, or where its calls are not recorded, as its summary has it.

    Args:
        recording: where it stands.
        run: the run.
        batch: its batch, where it has been read already.
    """
    rows = recording.llm_calls(run.id)
    if not rows:
        return RunUsage(Spending.of_summary(run.summary))
    prices = Prices.of_settings((batch or recording.batch(run.batch_id)).settings)
    calls = tuple(_call(row, prices) for row in rows)
    return RunUsage(together(call.spending for call in calls), calls)


def spending_rows(runs: Iterable[tuple[str, Spending]]) -> list[tuple[str, ...]]:
    """Lay out what several have spent, with a head and a sum; nothing where nobody asked a model."""
    spent = [(name, one) for name, one in runs if one]
    if not spent:
        return []
    head = ("", "calls", "tokens in", "from cache", "tokens out", "cost")
    rows: list[tuple[str, ...]] = [head, *(_row(name, one) for name, one in spent)]
    return [*rows, _row("all", together(one for _, one in spent))] if len(spent) > 1 else rows


def _row(name: str, spent: Spending) -> tuple[str, ...]:
    used = spent.tokens
    numbers = (spent.calls, used.input + used.cache_write + used.cache_read, used.cache_read, used.output)
    return (name, *(f"{number:,}" for number in numbers), str(spent.cost))


def _call(row: LlmCallRow, prices: Prices) -> CallUsage:
    seconds = (row.ended_ns - row.started_ns) / 1e9 if row.ended_ns else None
    return CallUsage(row.ordinal, row.step_id, row.status, seconds, _spending(row, prices))


def _spending(row: LlmCallRow, prices: Prices) -> Spending:
    used: dict[str, Any] | None = row.usage
    if used == {}:  # it was given back from a recording
        return Spending()
    if used:
        tokens = Usage(**used)
        return Spending(1, (row.model,), tokens, prices.cost(row.model, tokens))
    if row.status == "failed":
        return Spending(1, (row.model,))
    return Spending(1, (row.model,), cost=Cost(unknown_calls=1))
