"""Which agent's model does what needs one. Not responsible for: asking it."""

from __future__ import annotations


def agent_with_a_model(named: str, purpose: str) -> str:
    """Choose the agent whose model does something.

    Args:
        named: the agent that was asked for.
        purpose: what needs it, in words.

    Raises:
        KeyMissing: there is no key of a model.
        UsageError: it has no model.
    """
    import os

    from simulator.agent.models.choose import choose_agent
    from simulator.errors import KeyMissing, UsageError

    chosen = choose_agent(named, os.environ)
    if chosen == "autopilot":
        need = f"{purpose} needs a model"
        if named == "auto":
            raise KeyMissing(f"{need}, and there is no key for one: set ANTHROPIC_API_KEY or OPENAI_API_KEY")
        raise UsageError(f"{need}, which the agent 'autopilot' does without; name another one")
    return chosen
