"""Native dialogs, and how a user answers them. Not responsible for: dialogs that a page draws itself."""

from __future__ import annotations

from typing import Final

from playwright.async_api import Dialog
from playwright.async_api import Error as PlaywrightError
from pydantic import BaseModel, ConfigDict

OPTION: Final = "dialogs"
"""The option of an action that holds how its dialogs are answered, where the agent chose."""


class Answer(BaseModel):
    """How the dialogs of one action are answered: as a user who meant the action would, unless an agent says so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    accept: bool = True
    """False: alerts are closed, questions denied, prompts cancelled, and a page that asks is not left."""
    text: str | None = None
    """What a prompt is answered with, a template; by default what it offers."""


async def reply(dialog: Dialog, how: Answer) -> None:
    """Answer a dialog; nothing happens where its page has closed."""
    try:
        if not how.accept:
            await dialog.dismiss()
        elif dialog.type == "prompt":
            await dialog.accept(dialog.default_value if how.text is None else how.text)
        else:
            await dialog.accept()
    except PlaywrightError:
        return
