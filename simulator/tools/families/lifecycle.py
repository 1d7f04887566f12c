"""Tools that end a run, note something in it, ask its person, or go on as another user.

Not responsible for: what a run's end means to its batch.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Annotated

from pydantic import AliasChoices, Field, JsonValue

from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.pages.answers import page_as_json
from simulator.tools.spec import tool

_ASKING_S = 600.0
"""How long a person may take to answer, in seconds."""


@tool(
    category="context",
    safety="low_risk",
    replay="call",
    examples=[{"name": "buyer"}],
)
async def switch_user(
    ctx: RunContext, name: Annotated[str, Field(validation_alias=AliasChoices("name", "username"))]
) -> JsonValue:
    """Go on as another user, in a browser session of their own; a new name begins a new session.

    Args:
        ctx: The run.
        name: The user's name within this run; username is taken for it, too.

    Returns:
        Who acts now, all users of this run, and the page of the one who acts.
    """
    actor = await ctx.session.open(ctx.bindings.render(name))
    return {"user": actor.name, "users": list(ctx.session.names()), "page": page_as_json(await actor.view.look())}


@tool(
    category="system",
    safety="safe",
    replay="skip",
    aliases=["done"],
    is_terminal=True,
    examples=[{"result": "Added three entries and wrote to one user."}],
)
async def complete(ctx: RunContext, result: str) -> JsonValue:
    """End the run: everything that was to be done is done.

    Args:
        ctx: The run.
        result: What was done, in a sentence or two.

    Returns:
        The same text.
    """
    return ctx.bindings.render(result)


@tool(
    category="system",
    safety="safe",
    replay="skip",
    is_terminal=True,
    examples=[{"reason": "The site refuses every picture: 'file too large'."}],
)
async def fail(ctx: RunContext, reason: str) -> JsonValue:
    """End the run: what was to be done cannot be done.

    Args:
        ctx: The run.
        reason: What stood in the way.

    Returns:
        The same text.
    """
    return ctx.bindings.render(reason)


@tool(category="utility", safety="safe", replay="skip", examples=[{"message": "The price takes whole euros only."}])
async def log(ctx: RunContext, message: str) -> JsonValue:
    """Note something in the recording, for whoever reads it; nothing else happens.

    Args:
        ctx: The run.
        message: The note.

    Returns:
        The same text.
    """
    return ctx.bindings.render(message)


@tool(
    category="utility",
    safety="safe",
    replay="result",
    timeout_s=_ASKING_S,
    examples=[{"question": "Which shipping method do you prefer?"}],
)
async def ask_user(ctx: RunContext, question: str) -> JsonValue:
    """Ask the person at the terminal, or else take what the persona says to such a question.

    Args:
        ctx: The run.
        question: What is to be known.

    Returns:
        The answer.
    """
    asked = ctx.bindings.render(question)
    if ctx.ask is not None:
        answer = ctx.vault.mask(await ctx.ask(ctx.vault.mask(asked)))
    else:
        answer = ctx.bindings.render(_said(ctx.answers, asked))
    if not answer:
        raise ToolError("not_found", f"there was no answer to {asked!r}; decide yourself, or fail")
    return answer


def _said(answers: Mapping[str, str], question: str) -> str:
    """Give the answer whose key is the question, or else the one key all of whose words the question holds."""
    words = _words(question)
    for key, answer in answers.items():
        if _words(key) == words:
            return answer
    fitting = [key for key in answers if _words(key) and set(_words(key)) <= set(words)]
    if len(fitting) > 1:
        longest = max(len(_words(key)) for key in fitting)
        fitting = [key for key in fitting if len(_words(key)) == longest]
    if len(fitting) == 1:
        return answers[fitting[0]]
    known = ", ".join(map(repr, answers)) or "none"
    if fitting:
        raise ToolError("ambiguous", f"{question!r} may be {' or '.join(map(repr, fitting))}; ask for one of them")
    raise ToolError(
        "not_found",
        f"nobody is at the terminal, and the persona has no answer to {question!r} (its answers: {known}); "
        "decide yourself, or fail",
    )


def _words(text: str) -> list[str]:
    return re.findall(r"\w+", text.casefold())
