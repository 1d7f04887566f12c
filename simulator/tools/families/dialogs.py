"""The tool by which an agent answers the browser's own dialogs. Not responsible for: those that a page draws itself."""

from __future__ import annotations

from pydantic import JsonValue

from simulator.browser.acting.dialogs import Answer
from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.spec import tool


@tool(
    category="interaction",
    safety="low_risk",
    replay="skip",
    examples=[{"accept": False}, {"text": "{{identity.city}}"}],
)
async def answer_dialog(ctx: RunContext, accept: bool = True, text: str | None = None) -> JsonValue:
    """Say beforehand how the browser's own dialogs of the next action are answered.

    Without it alerts are read, questions confirmed, prompts left as they are, and a page that asks is left. What they
    said stands in the result of the action.

    Args:
        ctx: The run.
        accept: False to deny a question, to cancel a prompt, or to stay on a page that asks whether to leave it.
        text: What a prompt is answered with; what it offers by default.

    Returns:
        How they are answered.
    """
    if text is not None and not accept:
        raise ToolError("invalid_input", "a prompt that is cancelled takes no text: give accept or text")
    ctx.actor.dialogs.answer_next(Answer(accept=accept, text=text))
    return {"accept": accept, "text": text}
