"""What a model would be given in a batch, without asking it. Not responsible for: printing it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from simulator.agent.blocks import tool_params
from simulator.agent.contracts import Peers, RunView
from simulator.agent.models.choose import DEFAULT_MODELS
from simulator.agent.models.prices import Prices
from simulator.agent.performer import display_of
from simulator.agent.prompt import system_prompt, task_prompt
from simulator.agent.usage import Usage
from simulator.canonical import canonical_json
from simulator.persona.model import Limits
from simulator.persona.tasks import Do
from simulator.runner.batch import RunOptions, equipped, members
from simulator.runner.performing.performers import MEMBERS, abilities, knows_versioned
from simulator.tools.dispatch import allowed
from simulator.tools.toolsets import essential, registry_of

CHARACTERS_PER_TOKEN = 4
"""About; only its answers say what a model counts."""


@dataclass(frozen=True, slots=True)
class Rehearsal:
    """What a model would be given for the first user of a persona."""

    persona: str
    system: str
    tools: tuple[Mapping[str, Any], ...]
    members: bool
    """Whether the browser toolset of the model's API is offered beside the tools."""
    tasks: tuple[str, ...]
    """The first message of each task that it would do; one conversation each."""
    tokens: int
    """About how many the first request of all these tasks would have."""
    cost: str
    """About what those cost, or ``unknown``."""
    limits: Limits
    """What ends a run of it."""


class _Alone(Peers):
    """Nobody else is there."""

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float, known_as: str) -> None:
        """Nothing comes."""


def rehearse(options: RunOptions) -> list[Rehearsal]:
    """Write what a model would be given, persona by persona.

    Args:
        options: of the batch.

    Raises:
        UsageError: there is no such toolset.
    """
    options = replace(options, personas=equipped(options))
    personas = {persona.persona: persona for persona in options.personas}
    prices = Prices(options.settings.models, options.model or DEFAULT_MODELS.get(options.agent, ""))
    told: dict[str, Rehearsal] = {}
    for member in members(options):
        persona = personas[member.persona.persona]
        if persona.persona in told:
            continue
        view = RunView(persona, member.identity, options.site, _Alone(), tell=lambda _: None, shown=str)
        names, grants = persona.tools.toolsets, options.site.grants
        able = abilities(options.settings.models, options.agent, options.model)
        registry = registry_of(names, options.own_tools).get_filtered_registry(able, warn_suboptimal=False)
        specs = registry.list_tools()
        offered = [spec for spec in specs if allowed(spec, persona.tools.max_safety, grants) and essential(spec, names)]
        versioned = knows_versioned(options.settings.models, options.agent, options.model)
        tools = tool_params(offered, display_of(member.identity) if versioned else None)
        tasks = [
            task_prompt(view, task, index)
            for index, task in enumerate(persona.tasks, start=1)
            if options.all_by_model or isinstance(task, Do)
        ]
        system = system_prompt(view)
        characters = len(tasks) * len(system + canonical_json(tools)) + len("".join(tasks))
        tokens = characters // CHARACTERS_PER_TOKEN
        told[persona.persona] = Rehearsal(
            persona.persona,
            system,
            tuple(tools),
            MEMBERS in names,
            tuple(tasks),
            tokens,
            str(prices.cost(prices.asked, Usage(input=tokens))),
            persona.limits,
        )
    return list(told.values())


def rehearsal_lines(rehearsal: Rehearsal) -> list[str]:
    """Write it for people."""
    names = [str(tool["name"]) for tool in rehearsal.tools]
    beside = ["the browser toolset of the model's API"] if rehearsal.members else []
    limits = rehearsal.limits
    money = f", {limits.money:g} in money" if limits.money else ""
    return [
        f"persona {rehearsal.persona}: tasks for a model: {len(rehearsal.tasks)}, about {rehearsal.tokens} tokens "
        f"before the first answers; cost: {rehearsal.cost}",
        f"A user's run ends at the latest after {limits.steps} steps, {limits.minutes:g} minutes, "
        f"{limits.tokens} tokens{money}.",
        "",
        rehearsal.system,
        "",
        f"Tools: {', '.join([*beside, *names])}",
        *(line for task in rehearsal.tasks for line in ("", task)),
        "",
    ]
