"""Takes pictures of the page that one user looks at, with secrets covered."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Locator

from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.launch.script import PASSWORD_FIELDS, SECRET_FIELDS, selector
from simulator.browser.secret_keeper import SecretKeeper
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.frame_locator import FrameLocator
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.windows import Windows
from simulator.errors import ToolError

_PICTURES = 4
"""Pictures of a whole page until two in a row have secrets in the same places."""
_MIN_SEEN = 4
"""Shorter texts stand on every page by chance."""


class Screenshots:
    """Takes pictures for one user.

    Args:
        windows: of the user.
        writer: puts values into descriptions.
        script: asks documents.
        frames: finds the document that a description is meant in.
        vault: knows what is to be covered.
        timeouts: bounds.
    """

    def __init__(
        self,
        windows: Windows,
        writer: TemplateWriter,
        script: ScriptClient,
        frames: FrameLocator,
        vault: SecretKeeper,
        timeouts: Timeouts,
    ) -> None:
        self._windows = windows
        self._writer = writer
        self._script = script
        self._frames = frames
        self._vault = vault
        self._timeouts = timeouts

    async def take(self, *, full_page: bool = False, find: Find | None = None) -> bytes:
        """Take a picture of the page, or of one element, as PNG, with secret fields and shown secrets covered."""
        hidden = [SECRET_FIELDS, PASSWORD_FIELDS]
        shown = [value for value in self._vault.values().values() if len(value) >= _MIN_SEEN]
        if shown:
            hidden.append(selector("simholding", shown))
        covered = [frame.locator(one) for frame in self._windows.page.frames for one in hidden]
        timeout = self._timeouts.page
        try:
            if full_page:
                return await self._whole_page(covered)
            if find is None:
                return await self._windows.page.screenshot(mask=covered, timeout=timeout)
            place = await self._frames.place(find)
            await self._script.one(place.find, "visible", where=place.where)
            found = place.where.locator(selector("simfind", self._writer.rendered(place.find)))
            return await found.screenshot(mask=covered, timeout=self._timeouts.action)
        except PlaywrightError as error:
            raise translate(error, f"take a picture of {find or 'the page'}") from error

    async def _whole_page(self, covered: Sequence[Locator]) -> bytes:
        """Take a picture of the whole page, from its top.

        The browser may lay the page out again for that, or scroll it: then covers are out of place in the first one.
        """
        boxes = "found => found.map(el => el.getBoundingClientRect()).map(box => [box.x, box.y, box.width, box.height])"
        go = "([left, top]) => scrollTo({left, top, behavior: 'instant'})"
        at = await self._windows.page.evaluate("() => [scrollX, scrollY]")
        before = None
        try:
            for _ in range(_PICTURES):
                await self._windows.page.evaluate(go, [0, 0])
                picture = await self._windows.page.screenshot(full_page=True, mask=covered, timeout=self._timeouts.page)
                after = [await one.evaluate_all(boxes) for one in covered]
                if after == before or not any(after):
                    return picture
                before = after
        finally:
            await self._windows.page.evaluate(go, at)
        raise ToolError("unavailable", "the page moves, so secrets in it cannot be covered; picture what is in view")
