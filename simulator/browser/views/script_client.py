"""Asks the page's script, in the page that a user looks at or in a frame of it; says its errors as a tool's.

References that it gives out are numbered on from document to document. Not responsible for: what is asked.
"""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Awaitable
from dataclasses import dataclass
from typing import Any, TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.windows import Windows
from simulator.canonical import map_strings
from simulator.errors import ToolError

Answer = TypeVar("Answer")
_REF = re.compile(r"e(\d+)")
_TOLD = re.compile(r"\be(\d{1,9})\b", re.ASCII)


@dataclass(slots=True)
class References:
    """Numbers the references of one run: none is given out twice, by whichever document, browser or user."""

    last: int = 0
    """The highest number that was given out."""

    def reserve(self, told: str) -> None:
        """Give out none again that a text may hold, such as what a run was given in a browser that is lost."""
        self.last = max([self.last, *(int(number) for number in _TOLD.findall(told))])


class ScriptClient:
    """Asks the documents that one user looks at.

    Args:
        windows: of the user.
        tracker: knows the page as it was last seen.
        writer: keeps secrets out of what is read.
        timeouts: bounds.
        references: numbers references; the users of a run share one.
    """

    def __init__(
        self,
        windows: Windows,
        tracker: PageTracker,
        writer: TemplateWriter,
        timeouts: Timeouts,
        references: References | None = None,
    ) -> None:
        self.references = references or References()
        self._windows = windows
        self._tracker = tracker
        self._writer = writer
        self._timeouts = timeouts
        self._given_in: list[tuple[range, Frame]] = []
        """The numbers of references that were given out of what is in a frame."""

    def frame_of(self, ref: str) -> Frame | None:
        """Give the frame that a reference was given out in; None for the page, or for one that was not given out."""
        match = _REF.fullmatch(ref)
        number = int(match.group(1)) if match else 0
        return next((one for numbers, one in self._given_in if number in numbers), None)

    async def one(self, find: Find, reading: str, *more: str, where: Page | Frame | None = None) -> Any:
        """Read something of the one element that a description fits; masked.

        Raises:
            ToolError: ``not_found`` or ``ambiguous``.
        """
        told = await self.refer("readOne", self._writer.rendered(find), reading, *more, where=where)
        if "read" in told:
            return told["read"]
        if not told["found"]:
            raise ToolError("not_found", f"nothing on {self._tracker.here.url} fits {find}")
        listed = "; ".join(told["several"])
        raise ToolError("ambiguous", f"{find} fits {told['found']} elements: {listed}. Say which one.")

    async def refer(self, reading: str, *asked: Any, where: Page | Frame | None = None) -> Any:
        """Read something with references, which no document of this user gives out twice; masked."""
        script = "([given, name, asked]) => __sim.reading(given, name, ...asked)"
        before = self.references.last
        told = json.loads(await self.read(script, [before, reading, asked], where=where))
        self.references.last = given = max(before, told["given"])
        if isinstance(where, Frame) and given > before:
            self._given_in.append((range(before + 1, given + 1), where))
        return map_strings(told["answer"], self._writer.mask)

    async def read(self, script: str, argument: Any = None, *, where: Page | Frame | None = None) -> Any:
        """Run a script of ours that only reads, and give what it answers.

        Args:
            script: a function of JavaScript.
            argument: what it is called with.
            where: a frame; by default the page.
        """
        return await self.asked((where or self._windows.page).evaluate(script, argument))

    async def asked(self, answer: Awaitable[Answer]) -> Answer:
        """Wait for what a page was asked.

        Raises:
            ToolError: ``timeout``, or what Playwright's error means.
        """
        try:
            # A document whose successor is asked for, and does not come, answers nothing until then.
            async with asyncio.timeout(self._timeouts.page / 1000) as limit:
                return await answer
        except TimeoutError:
            if not limit.expired():
                raise
            seconds = self._timeouts.page / 1000
            raise ToolError("timeout", f"{self._windows.page.url} did not answer within {seconds:g} s") from None
        except PlaywrightError as error:
            raise translate(error, "read the page") from error

    async def parting(self, reading: Awaitable[Answer], otherwise: Answer) -> Answer:
        """Read something of the page that is about to be left; a visit does not depend on whether it answers."""
        try:
            async with asyncio.timeout(self._timeouts.action / 1000) as limit:
                return await reading
        except ToolError:
            return otherwise
        except TimeoutError:
            if not limit.expired():
                raise
            return otherwise
