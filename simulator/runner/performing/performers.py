"""Who does the tasks of a batch that need a model. Not responsible for: how. Imports no model before one is needed."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.agent.budget import Ledger
from simulator.agent.contracts import TaskPerformer
from simulator.agent.models.choose import DEFAULT_MODELS
from simulator.agent.models.prices import Prices
from simulator.config import Models, Site
from simulator.errors import ExtraMissing, UsageError
from simulator.persona import Persona
from simulator.persona.tasks import Do
from simulator.tools.contracts import Dispatcher
from simulator.tools.families.lifecycle import complete, fail
from simulator.tools.metadata import CAPABILITIES, Capability
from simulator.tools.observing import ObservingDispatcher
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolSpec
from simulator.tools.toolsets import essential, registry_of
from simulator.version import DISTRIBUTION

if TYPE_CHECKING:
    from simulator.agent.browser_members import BrowserMembers
    from simulator.agent.models.model import Model
    from simulator.tools.context import RunContext


MEMBERS = "anthropic-browser"
"""The toolset that stands for the browser toolset of the model's SDK: it holds what is offered beside the members."""
VERSIONING = frozenset({"claude"})
"""Agents whose API has versioned tools."""
MEMBERS_CALL = ("browser", "computer")
"""Toolsets whose tools its members call."""


@dataclass(frozen=True, slots=True)
class Performers:
    """What the performers of a batch share."""

    model: Model | None = None
    """None: tasks in free words are skipped."""
    all_by_model: bool = False
    """Whether the model does the structured tasks, too."""
    prices: Prices = field(default_factory=Prices)
    """What the model costs."""
    agent: str = "autopilot"
    """Whose model it is."""
    able: frozenset[Capability] = frozenset(CAPABILITIES)
    """What the model can do; it is offered no tool that takes more."""
    versioned_tools: bool = True
    """Whether the model knows the versioned tools of its API, where that has any."""

    def registry(self, toolsets: Sequence[str], own: Iterable[ToolSpec]) -> Registry:
        """Make the registry of a run: what the toolsets hold, and what a model needs to act by them and to end."""
        inside = MEMBERS_CALL if MEMBERS in toolsets else ()
        registry = registry_of((*toolsets, *inside), own)
        for spec in (complete, fail) if self.model is not None else ():
            if registry.find(spec.name) is None:
                registry.register(spec)
        return registry

    def members(self, toolsets: Sequence[str], inner: Dispatcher, site: Site, workdir: Path) -> BrowserMembers | None:
        """Give the model's own toolset, where it is named and there is a model.

        Args:
            toolsets: of the persona.
            inner: does the calls of our tools, unrecorded.
            site: where the users act.
            workdir: the run's own folder.
        """
        if self.model is None or MEMBERS not in toolsets:
            return None
        from simulator.agent.browser_members import BrowserMembers

        return BrowserMembers(inner, site, workdir)

    def observer(
        self, inner: Dispatcher, ctx: RunContext, members: BrowserMembers | None
    ) -> ObservingDispatcher | None:
        """Give what has calls answer with what they did to the page, where a model acts by our tools.

        Args:
            inner: does the calls.
            ctx: the run.
            members: the model's own toolset, which shows the page by its own means.
        """
        return ObservingDispatcher(inner, ctx) if self.model is not None and members is None else None

    def of(
        self,
        persona: Persona,
        tools: Callable[[], Sequence[ToolSpec]],
        mask: Callable[[str], str],
        members: BrowserMembers | None = None,
        observer: ObservingDispatcher | None = None,
        batch: Callable[[], str] = lambda: "",
        *,
        recorded: Callable[[Model], Model] = lambda model: model,
    ) -> TaskPerformer | None:
        """Give the performer of one run.

        Args:
            persona: whose limits hold.
            tools: gives what may be called, whenever it is asked.
            mask: takes secrets out of what is sent.
            members: the model's own toolset; tools that its members call are not offered beside it.
            observer: has calls answer with what they did to the page.
            batch: returns which limit of the batch is used up; empty: none.
            recorded: gives the model that records what it is asked.
        """
        if self.model is None:
            return None
        from simulator.agent.performer import ModelPerformer

        toolsets = persona.tools.toolsets
        inside = registry_of(MEMBERS_CALL) if members else None
        beside = registry_of(toolsets)

        def offered() -> list[ToolSpec]:
            fit = Registry(tools()).get_filtered_registry(self.able, warn_suboptimal=False).list_tools()
            known = [spec for spec in fit if essential(spec, toolsets)]
            return [spec for spec in known if not inside or beside.find(spec.name) or not inside.find(spec.name)]

        limits = persona.limits
        ledger = Ledger(limits.tokens, limits.money, self.prices, batch)
        model = recorded(self.model)
        return ModelPerformer(
            model,
            offered,
            ledger=ledger,
            mask=mask,
            members=members,
            observer=observer,
            known=tools,
            versioned=self.agent in VERSIONING and self.versioned_tools,
        )


@asynccontextmanager
async def open_performers(
    agent: str,
    personas: Iterable[Persona],
    environ: Mapping[str, str],
    *,
    models: Models,
    model: str = "",
    all_by_model: bool = False,
    money: bool = False,
) -> AsyncIterator[Performers]:
    """Open what the performers of a batch need; nothing where no task needs a model.

    Args:
        agent: its name; the autopilot has no model.
        personas: of the batch.
        environ: where the key is.
        models: what is known of models.
        model: the model's name; the usual one when empty.
        all_by_model: whether the model does every task.
        money: whether the batch has a limit of money, whatever its personas have.

    Raises:
        KeyMissing: a model is needed, and there is no key for it.
        ExtraMissing: its client is not installed.
        UsageError: it is not said which model, or there is a limit of money, and nobody knows what the model costs.
    """
    people = tuple(personas)
    needed = all_by_model or any(isinstance(task, Do) for persona in people for task in persona.tasks)
    if agent == "autopilot" or not needed:
        yield Performers()
        return
    async with open_model(agent, environ, model, models.at_once) as opened:
        prices = Prices(models, opened.name)
        if money or any(persona.limits.money for persona in people):
            check_priced(prices)
        able = abilities(models, agent, model)
        if "vision" not in able:
            from simulator.agent.models.text_only import TextOnlyModel

            opened = TextOnlyModel(opened)
        yield Performers(opened, all_by_model, prices, agent, able, knows_versioned(models, agent, model))


def abilities(models: Models, agent: str, model: str) -> frozenset[Capability]:
    """Return what a model can do: everything, unless ``sim.toml`` says otherwise.

    Args:
        models: what is known of them.
        agent: who asks it.
        model: its name; empty: the agent's usual one.
    """
    known = models.find(model or DEFAULT_MODELS.get(agent, ""))
    return frozenset(CAPABILITIES) if known is None or known.vision else frozenset(CAPABILITIES) - {"vision"}


def knows_versioned(models: Models, agent: str, model: str) -> bool:
    """Return whether a model knows the versioned tools of its API: it does, unless ``sim.toml`` says otherwise.

    Args:
        models: what is known of them.
        agent: who asks it.
        model: its name; empty: the agent's usual one.
    """
    known = models.find(model or DEFAULT_MODELS.get(agent, ""))
    return agent in VERSIONING and (known is None or known.versioned_tools)


def open_model(agent: str, environ: Mapping[str, str], name: str, at_once: int) -> AbstractAsyncContextManager[Model]:
    """Open the client of a model.

    Args:
        agent: ``claude`` or ``openai``.
        environ: where the key is.
        name: of the model; the usual one when empty.
        at_once: requests that may be under way.

    Raises:
        KeyMissing: there is no key for it.
        ExtraMissing: its client is not installed.
        UsageError: it is not said which model.
    """
    if agent == "claude":
        from simulator.agent.models.claude import Claude

        return Claude.from_environment(environ, name=name, at_once=at_once)
    try:
        from simulator.agent.models.openai import ChatModel
    except ModuleNotFoundError as error:
        if error.name != "openai":
            raise
        raise ExtraMissing(
            f"the agent '{agent}' needs the package openai; install it with: pip install '{DISTRIBUTION}[openai]'"
        ) from None
    return ChatModel.from_environment(environ, name=name, at_once=at_once)


def check_priced(prices: Prices) -> None:
    """See that a limit of money can hold.

    Raises:
        UsageError: nobody knows what the model costs.
    """
    if prices.currency:
        return
    raise UsageError(
        f"there is a limit of money, and nobody knows what '{prices.asked}' costs: write its prices into sim.toml, "
        f'under [models."{prices.asked}"]: input, cache_write, cache_read and output, each for a million tokens; '
        "or leave the limit out"
    )
