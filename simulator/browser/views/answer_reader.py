"""Reads how a page has answered what one user did: whether it refuses it, and in which words.

Not responsible for: what the page shows besides (``page_reader``).
"""

from __future__ import annotations

import asyncio
from urllib.parse import unquote

from simulator.browser.launch.script import ask
from simulator.browser.views.refusals import FormTexts
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.windows import Windows
from simulator.errors import ToolError


class AnswerReader:
    """Reads the answers of the page that one user looks at.

    Args:
        windows: of the user.
        writer: keeps secrets out of what is read.
        script: asks documents.
    """

    def __init__(self, windows: Windows, writer: TemplateWriter, script: ScriptClient) -> None:
        self._windows = windows
        self._writer = writer
        self._script = script

    async def redirected(self) -> bool:
        """Return whether the site answered with another address than was asked for, as most do that took a form."""
        script = "() => (performance.getEntriesByType('navigation')[0]?.redirectCount || 0) > 0"
        return bool(await self._script.read(script))

    async def came_from(self) -> str:
        """Give the absolute address with which the document came, whatever its scripts have made of that since.

        Empty where it does not say. After redirects it is the last one (Navigation Timing, ``name``).
        """
        return str(await self._script.read("() => performance.getEntriesByType('navigation')[0]?.name || ''"))

    async def has_renamed(self, was: str, place: str, *, beside: bool = False) -> bool:
        """Return whether the page has a place of one name, and none of another.

        Args:
            was: the name that it must not have.
            place: the one that it must have, as it stands in an address behind ``#``.
            beside: whether it may have both: the one has come since, and the other one was there before.
        """
        script = """([was, place, beside]) => {
            const has = (one) => document.getElementById(one) ?? document.querySelector(`a[name="${CSS.escape(one)}"]`);
            return (beside || !has(was)) && !!has(place);
        }"""
        return bool(await self._script.read(script, [unquote(was), unquote(place), beside]))

    async def form_texts(self) -> FormTexts:
        """Read the texts in and above each form that is sent: what one that has come back says besides is a refusal."""
        read = self._writer.written(await self._script.asked(ask(self._windows.page, "formTexts")) or [])
        return tuple((shape, tuple(texts)) for shape, texts in read)

    async def form_texts_before(self) -> asyncio.Task[FormTexts]:
        """Begin to read the same of a page that something is done on from here on, which does not wait for it.

        The page is asked before anything that is done reaches it: a click is several questions and answers before the
        pointer moves. One that does not answer has no texts, as if no form had been there: then nothing is new.
        """

        async def read() -> FormTexts:
            try:
                return await self.form_texts()
            except ToolError:
                return ()

        reading = asyncio.create_task(read(), name="texts of forms before an action")
        await asyncio.sleep(0)  # until the question is on its way
        return reading

    async def main_words(self) -> str:
        """Read with which words the main part of the page begins, without menus, forms and what can be pressed.

        A page on which nothing is known to refuse anything says so what it is. One that does not answer says nothing.
        """
        try:
            return str(self._writer.written(await self._script.asked(ask(self._windows.page, "mainWords")) or ""))
        except ToolError:
            return ""
