"""Native dialogs, and how a user answers them. Not responsible for: dialogs that a page draws itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from playwright.async_api import Dialog
from playwright.async_api import Error as PlaywrightError
from pydantic import BaseModel, ConfigDict

from simulator.browser.action_recorder import ActionStart
from simulator.template import Bindings

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


class DialogAnswers:
    """How one user answers the dialogs of an action.

    Args:
        bindings: the run's variables.
        write: writes a text as a template.
    """

    def __init__(self, bindings: Bindings, write: Callable[[str], str]) -> None:
        self._bindings = bindings
        self._write = write
        self._next: Answer | None = None
        """How those of the next action are answered, where the agent chose."""

    def answer_next(self, answer: Answer) -> None:
        """Say how the native dialogs of the next action are answered; its text is a template."""
        text = None if answer.text is None else self._write(answer.text)
        self._next = answer.model_copy(update={"text": text})

    def stored_with(self, start: ActionStart) -> ActionStart:
        """Store with an action how its dialogs are answered."""
        chosen, self._next = self._next, None
        if chosen is None:
            return start
        return replace(start, options={**start.options, OPTION: chosen.model_dump(exclude_none=True)})

    def of(self, start: ActionStart) -> Answer:
        """Give how the dialogs of an action are answered, without variables."""
        answer = Answer.model_validate(start.options.get(OPTION, {}))
        text = None if answer.text is None else self._bindings.render(answer.text)
        return answer.model_copy(update={"text": text})
