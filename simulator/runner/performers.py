"""Who does the tasks of a batch that need a model. Not responsible for: how. Imports no model before one is needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, astuple, dataclass, field
from typing import TYPE_CHECKING

from simulator.agent.contracts import Performer, Usage
from simulator.persona import Persona
from simulator.persona.tasks import Do
from simulator.tools.spec import ToolSpec

if TYPE_CHECKING:
    from simulator.agent.model import Model


@dataclass(slots=True)
class Spent:
    """What a run has asked of models."""

    calls: int = 0
    models: set[str] = field(default_factory=set)
    tokens: Usage = field(default_factory=Usage)

    def add(self, model: str, usage: Usage) -> None:
        """Add one request."""
        self.calls += 1
        self.models.add(model)
        both = zip(astuple(self.tokens), astuple(usage), strict=True)
        self.tokens = Usage(*(one + other for one, other in both))

    def summary(self) -> dict[str, object]:
        """Write it for the run's summary; nothing where no model was asked."""
        if not self.calls:
            return {}
        return {"model": {"calls": self.calls, "names": sorted(self.models), "tokens": asdict(self.tokens)}}


@dataclass(frozen=True, slots=True)
class Performers:
    """What the performers of a batch share."""

    model: Model | None = None
    """None: tasks in free words are skipped."""
    all_by_model: bool = False
    """Whether the model does the structured tasks, too."""

    def of(
        self, persona: Persona, tools: Callable[[], Sequence[ToolSpec]], mask: Callable[[str], str]
    ) -> Performer | None:
        """Give the performer of one run.

        Args:
            persona: whose limits hold.
            tools: gives what the model is offered, whenever it is asked.
            mask: takes secrets out of what is sent.
        """
        if self.model is None:
            return None
        from simulator.agent.claude import Claude

        return Claude(self.model, tools, tokens=persona.limits.tokens, mask=mask)


@asynccontextmanager
async def open_performers(
    agent: str, personas: Iterable[Persona], environ: Mapping[str, str], *, model: str = "", all_by_model: bool = False
) -> AsyncIterator[Performers]:
    """Open what the performers of a batch need; nothing where no task needs a model.

    Args:
        agent: its name; any but ``claude`` has no model.
        personas: of the batch.
        environ: where the key is.
        model: the model's name; the usual one when empty.
        all_by_model: whether the model does every task.

    Raises:
        KeyMissing: a model is needed, and there is no key for it.
    """
    needed = all_by_model or any(isinstance(task, Do) for persona in personas for task in persona.tasks)
    if agent != "claude" or not needed:
        yield Performers()
        return
    from simulator.agent.model import Model

    async with Model.from_environment(environ, name=model) as opened:
        yield Performers(opened, all_by_model)
