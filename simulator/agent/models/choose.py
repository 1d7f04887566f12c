"""Which agent acts, and by which model. Not responsible for: making it."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from importlib.util import find_spec

from simulator.errors import UsageError

AGENTS = ("autopilot", "claude", "openai")
DEFAULT_MODELS: Mapping[str, str] = {"claude": "claude-sonnet-5-5", "openai": "gpt-5.5"}
"""Which model each agent asks where none is named."""
_BY_KEY = {"claude": ("ANTHROPIC_API_KEY", "anthropic"), "openai": ("OPENAI_API_KEY", "openai")}
"""Agents that ``auto`` prefers, the first one most: the variable that must be set for each, and its package."""


def choose_agent(name: str, environ: Mapping[str, str]) -> str:
    """Give the name of the agent that is meant.

    Args:
        name: an agent, or ``auto``: an agent with a model where its key is set, else the autopilot.
        environ: the environment.

    Raises:
        UsageError: there is no such agent.
    """
    if name == "auto":
        ready = (agent for agent, (key, package) in _BY_KEY.items() if environ.get(key) and find_spec(package))
        return next(ready, "autopilot")
    if name in AGENTS:
        return name
    known = ("auto", *AGENTS)
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"
    raise UsageError(f"there is no agent '{name}'; {hint}")
