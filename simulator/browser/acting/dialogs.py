"""Native dialogs, and how a user answers them. Not responsible for: dialogs that a page draws itself."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from playwright.async_api import BrowserContext, Dialog
from playwright.async_api import Error as PlaywrightError
from pydantic import BaseModel, ConfigDict

from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionStart
from simulator.browser.windows import Windows

OPTION: Final = "dialogs"
"""The option of an action that holds how its dialogs are answered, where the agent chose."""


class Answer(BaseModel):
    """How the dialogs of one action are answered: as a user who meant the action would, unless an agent says so."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    accept: bool = True
    """False: alerts are closed, questions denied, prompts cancelled, and a page that asks is not left."""
    text: str | None = None
    """What a prompt is answered with, a template; by default what it offers."""


async def _reply(dialog: Dialog, how: Answer) -> None:
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
    """Answers the native dialogs of one user.

    By default as a user who meant the action would: alerts are read, questions confirmed, prompts left as they are, and
    leaving a page is never refused.

    Args:
        context: the user's.
        windows: the user's: dialogs of a page beside them are dismissed.
        bindings: the run's variables.
        write: writes a text as a template.
    """

    def __init__(
        self, context: BrowserContext, windows: Windows, bindings: Bindings, write: Callable[[str], str]
    ) -> None:
        self.said: list[str] = []
        """What the dialogs of the last action said, as ``confirm: Delete it?``."""
        self._windows = windows
        self._bindings = bindings
        self._write = write
        self._now = Answer()
        """How those that come up now are answered, without variables."""
        self._next: Answer | None = None
        """How those of the next action are answered, where the agent chose."""
        context.on("dialog", self._answer)

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

    def begin(self, start: ActionStart) -> None:
        """Answer dialogs from now on as it is stored with an action."""
        answer = Answer.model_validate(start.options.get(OPTION, {}))
        text = None if answer.text is None else self._bindings.render(answer.text)
        self._now = answer.model_copy(update={"text": text})
        self.said.clear()

    async def _answer(self, dialog: Dialog) -> None:
        if dialog.page is not None and dialog.page is self._windows.beside:
            await dialog.dismiss()
            return
        if dialog.type != "beforeunload":
            self.said.append(f"{dialog.type}: {dialog.message}")
        await _reply(dialog, self._now)
