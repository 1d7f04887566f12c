"""Which agent acts. Not responsible for: making it."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches

from simulator.errors import UsageError

AGENTS = ("autopilot", "claude")
_BY_KEY = {"claude": "ANTHROPIC_API_KEY"}
"""Agents that ``auto`` prefers, and the variable that must be set for each."""


def choose_agent(name: str, environ: Mapping[str, str]) -> str:
    """Give the name of the agent that is meant.

    Args:
        name: an agent, or ``auto``: an agent with a model where its key is set, else the autopilot.
        environ: the environment.

    Raises:
        UsageError: there is no such agent.
    """
    if name == "auto":
        ready = (agent for agent, key in _BY_KEY.items() if environ.get(key))
        return next(ready, "autopilot")
    if name in AGENTS:
        return name
    known = ("auto", *AGENTS)
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean '{near[0]}'?" if near else f"known are {', '.join(known)}"
    raise UsageError(f"there is no agent '{name}'; {hint}")
