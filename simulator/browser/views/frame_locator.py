"""Where in a page something is meant: in the page itself, or in one of its frames.

Not responsible for: what is read or done there, or by what a frame is known (``frames``).
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.launch.script import selector
from simulator.browser.views.frames import (
    Place,
    entered,
    framed,
    frames_of,
    in_some_frame,
    inner,
    loaded_frames,
    wait_until_seen,
)
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.site_addresses import SiteAddresses
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.windows import Windows
from simulator.errors import ToolError

_POLL_S = 0.05
_HOLDS = """find => {
  const found = window.__sim ? __sim.sought(find) : [];
  return found.some((el) => __sim.isInReach(el)) ? 2 : found.length ? 1 : 0;
}"""
_ANYTHING = {"how": "css", "value": "html", "name": ""}


class FrameLocator:
    """Finds the document that a description is meant in, in the page that one user looks at.

    Args:
        windows: of the user.
        addresses: which of them may be reached.
        tracker: knows the page as it was last seen.
        writer: puts values into descriptions.
        script: asks documents.
    """

    def __init__(
        self,
        windows: Windows,
        addresses: SiteAddresses,
        tracker: PageTracker,
        writer: TemplateWriter,
        script: ScriptClient,
    ) -> None:
        self._windows = windows
        self._may_visit = addresses.may_visit
        self._tracker = tracker
        self._writer = writer
        self._script = script
        self._given_up: set[Frame] = set()
        """Frames that were waited for in vain."""

    @property
    def are_there(self) -> bool:
        """Whether the page has frames at all."""
        return len(self._windows.page.frames) > 1

    @property
    def framed(self) -> list[Frame]:
        """The frames of the page that show documents of hosts that may be reached."""
        return framed(self._windows.page, self._may_visit)

    @property
    def shown(self) -> list[Page | Frame]:
        """What the user looks at: the page, and the frames in it that show documents of hosts that may be reached."""
        return [self._windows.page, *self.framed]

    async def visible(self, find: Find) -> bool:
        """Return whether something visible fits a description now."""
        place = await self._addressed(find)
        if place is not None:
            return await self._holds(place.where, self._writer.rendered(place.find)) == 2
        body = self._writer.rendered(find)
        # The page itself says what is wrong with a selector.
        if await self._script.read("find => __sim.sought(find).some(el => __sim.isInReach(el))", body):
            return True

        async def seen(frame: Frame) -> bool:
            return await self._holds(frame, body) == 2

        return await in_some_frame(self._windows.page, self._may_visit, seen)

    async def wait_for(self, find: Find, timeout_ms: float) -> None:
        """Wait until something visible fits a description.

        Raises:
            ToolError: ``timeout``.
        """
        body = self._writer.rendered(find)
        try:
            place = await self._addressed(find)
            if place is None:
                await wait_until_seen(self._windows.page, selector("simfind", body), self._may_visit, timeout_ms)
            else:
                found = place.where.locator(selector("simfind", self._writer.rendered(place.find)))
                await found.first.wait_for(state="visible", timeout=timeout_ms)
        except PlaywrightTimeout:
            raise ToolError("timeout", f"{find} did not appear within {timeout_ms / 1000:g} s") from None
        except PlaywrightError as error:
            raise translate(error, f"wait for {find}") from error

    async def place(self, find: Find, timeout_ms: float = 0) -> Place:
        """Give the page, or the one frame of it that holds what a description fits where the page around it does not.

        Args:
            find: the description.
            timeout_ms: how long it may take until something fits, where the page has frames.

        Raises:
            ToolError: ``ambiguous``, as several frames hold something that fits; ``not_found``, as a reference means
                nothing any more; ``not_allowed``, as it means something in a frame that may not be acted in.
        """
        place = await self._addressed(find)
        if place is not None:
            return place
        page, body = self._windows.page, self._writer.rendered(find)
        deadline = time.monotonic() + timeout_ms / 1000
        while len(page.frames) > 1:
            here = await self._holds(page, body)
            if here == 2:
                break
            held = [(await self._holds(frame, body), path, frame) for path, frame in await self._frames()]
            best = max([here, *(much for much, _, _ in held)])
            holding = [(path, frame) for much, path, frame in held if much == best and much > here]
            if len(holding) == 1:
                ((path, frame),) = holding
                return Place(frame, find, path)
            if time.monotonic() > deadline or (best and not holding):
                if holding:
                    listed = ", ".join(" / ".join(path) for path, _ in holding)
                    several = (
                        f"{find} fits something in several frames: {listed}. Say which one, by a ref of read_page."
                    )
                    raise ToolError("ambiguous", self._writer.mask(several))
                break
            await asyncio.sleep(_POLL_S)
        return Place(page, find)

    async def everywhere(self) -> Sequence[Page | Frame]:
        """Give the page, and its frames that can be read."""
        page = self._windows.page
        frames = await self._loaded() if len(page.frames) > 1 else []
        return [page, *[frame for frame in frames if await self._holds(frame, _ANYTHING)]]

    async def by_ref(self, where: Page | Frame) -> dict[str, Frame]:
        """Give the frames that can be read in a page or a frame, by the references of their elements."""
        known, asked = set(await self._loaded()), self._script.asked
        found: dict[str, Frame] = {}
        for child in inner(where):
            if child in known:
                element = await asked(child.frame_element())
                found[await asked(element.evaluate("el => __sim.refFor(el)"))] = child
        return found

    async def editor(self, ref: str) -> dict[str, Any] | None:
        """Give what is written in, in a frame that an editor has drawn: its reference, and whether it says anything.

        Args:
            ref: of the frame; empty for none.

        Returns:
            As ``readEditor`` gives it; None where nothing is written in, or the frame cannot be read.
        """
        frame = (await self.by_ref(self._windows.page)).get(ref) if ref else None
        told: dict[str, Any] | None = await self._script.refer("readEditor", where=frame) if frame else None
        return told

    async def _addressed(self, find: Find) -> Place | None:
        """Give where a reference, a point or the focus is; None for a description in words."""
        page = self._windows.page
        if find.how == "ref":
            frame = self._script.frame_of(find.value)
            return Place(page, find) if frame is None else await self._in_frame(frame, find)
        if find.how not in ("point", "focused"):
            return None
        if len(page.frames) == 1:
            return Place(page, find)
        where, point = await self._script.asked(entered(page, find.value))
        return await self._in_frame(where, replace(find, value=point)) if where is not page else Place(where, find)

    async def _in_frame(self, frame: Page | Frame, find: Find) -> Place:
        if not isinstance(frame, Frame) or frame.is_detached() or frame.page is not self._windows.page:
            url = self._tracker.here.url
            raise ToolError("not_found", f"{find} means nothing on {url} any more; read the page again")
        for path, known in await self._frames():
            if known is frame:
                return Place(frame, find, path)
        why = "of a host that may not be reached, or is called like another one"
        raise ToolError("not_allowed", f"{find} is in a frame that is {why}: nothing is done there")

    async def _frames(self) -> list[tuple[tuple[str, ...], Frame]]:
        return await self._script.asked(frames_of(self._windows.page, self._may_visit))

    async def _loaded(self) -> list[Frame]:
        loaded = loaded_frames(self._windows.page, self._may_visit, self._given_up)
        return [frame for _, frame in await self._script.asked(loaded)]

    async def _holds(self, where: Page | Frame, body: Mapping[str, str]) -> int:
        """Return whether something visible fits (2), or something else (1); nothing does in a document on its way."""
        try:
            return int(await where.evaluate(_HOLDS, body))
        except PlaywrightError:
            return 0
