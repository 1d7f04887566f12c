"""Where in a page something is meant: in the page itself, or in one of its frames; and asking there.

Not responsible for: what is read or done there. References are numbered on from document to document.
"""

from __future__ import annotations

import asyncio
import json
import re
import time
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol, TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from simulator.browser.action_recorder import PageState
from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.views.frames import Place, entered, frames_of, in_some_frame, loaded_frames
from simulator.canonical import map_strings
from simulator.errors import ToolError
from simulator.template import Bindings

Answer = TypeVar("Answer")
_REF = re.compile(r"e(\d+)")
_TOLD = re.compile(r"\be(\d{1,9})\b", re.ASCII)
_POLL_S = 0.05
_HOLDS = """find => {
  const found = window.__sim ? __sim.sought(find) : [];
  return found.some((el) => __sim.visible(el)) ? 2 : found.length ? 1 : 0;
}"""
_ANYTHING = {"how": "css", "value": "html", "name": ""}


class SecretMask(Protocol):
    """Takes secrets out of what a page says."""

    def mask(self, text: str) -> str:
        """Put placeholders in place of secrets."""
        ...


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Bounds in milliseconds."""

    action: float = 5_000
    navigation: float = 15_000
    settle: float = 5_000


@dataclass(slots=True)
class References:
    """Numbers the references of one run: none is given out twice, by whichever document, browser or user."""

    last: int = 0
    """The highest number that was given out."""

    def reserve(self, told: str) -> None:
        """Give out none again that a text may hold, such as what a run was told in a browser that is lost."""
        self.last = max([self.last, *(int(number) for number in _TOLD.findall(told))])


class Places(ABC):
    """What finds its way in the page that a user looks at.

    Args:
        origin: the site's scheme, host and port.
        bindings: the run's variables.
        vault: keeps secrets out of what is read.
    """

    def __init__(self, *, origin: str, bindings: Bindings, vault: SecretMask, timeouts: Timeouts) -> None:
        self.bindings = bindings
        self._origin = origin
        self._mask = vault.mask
        self.timeouts = timeouts
        self._now = PageState(url="")
        self.references = References()
        """Of this user alone; the users of a run share one."""
        self._given_in: list[tuple[range, Frame]] = []
        """The numbers of references that were given out of what is in a frame."""
        self._given_up: set[Frame] = set()
        """Frames that were waited for in vain."""

    @property
    @abstractmethod
    def page(self) -> Page:
        """The page that the user looks at."""

    @abstractmethod
    def may_visit(self, address: str) -> bool:
        """Tell whether an address is one of those that this user may reach."""

    @property
    def here(self) -> PageState:
        """The page as the last look found it."""
        return self._now

    async def visible(self, find: Find) -> bool:
        """Tell whether something visible fits a description now."""
        place = await self._addressed(find)
        if place is not None:
            return await self._holds(place.where, self._rendered(place.find)) == 2
        body = self._rendered(find)
        # What is wrong with a selector is told by the page itself.
        if await self._read("find => __sim.sought(find).some(el => __sim.visible(el))", body):
            return True

        async def seen(frame: Frame) -> bool:
            return await self._holds(frame, body) == 2

        return await in_some_frame(self.page, self.may_visit, seen)

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
        page, body = self.page, self._rendered(find)
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
                    raise ToolError("ambiguous", self._mask(several))
                break
            await asyncio.sleep(_POLL_S)
        return Place(page, find)

    async def _addressed(self, find: Find) -> Place | None:
        """Give where a reference, a point or the focus is; None for a description in words."""
        if find.how == "ref":
            match = _REF.fullmatch(find.value)
            number = int(match.group(1)) if match else 0
            frame = next((one for numbers, one in self._given_in if number in numbers), None)
            return Place(self.page, find) if frame is None else await self._in_frame(frame, find)
        if find.how not in ("point", "focused"):
            return None
        if len(self.page.frames) == 1:
            return Place(self.page, find)
        where, point = await self._asked(entered(self.page, find.value))
        return await self._in_frame(where, replace(find, value=point)) if where is not self.page else Place(where, find)

    async def _in_frame(self, frame: Page | Frame, find: Find) -> Place:
        if not isinstance(frame, Frame) or frame.is_detached() or frame.page is not self.page:
            raise ToolError("not_found", f"{find} means nothing on {self._now.url} any more; read the page again")
        for path, known in await self._frames():
            if known is frame:
                return Place(frame, find, path)
        why = "of a host that may not be reached, or is called like another one"
        raise ToolError("not_allowed", f"{find} is in a frame that is {why}: nothing is done there")

    async def _frames(self) -> list[tuple[tuple[str, ...], Frame]]:
        return await self._asked(frames_of(self.page, self.may_visit))

    async def _everywhere(self) -> Sequence[Page | Frame]:
        """Give the page, and its frames that can be read."""
        frames = (
            await self._asked(loaded_frames(self.page, self.may_visit, self._given_up))
            if len(self.page.frames) > 1
            else []
        )
        return [self.page, *[frame for _, frame in frames if await self._holds(frame, _ANYTHING)]]

    async def _holds(self, where: Page | Frame, body: Mapping[str, str]) -> int:
        """Tell whether something visible fits (2), or something else (1); nothing does in a document on its way."""
        try:
            return int(await where.evaluate(_HOLDS, body))
        except PlaywrightError:
            return 0

    def relative(self, url: str) -> str:
        """Give a URL relative to the site, or whole when it is elsewhere."""
        return url[len(self._origin) :] or "/" if url.startswith(self._origin + "/") or url == self._origin else url

    def _rendered(self, find: Find) -> dict[str, str]:
        return {"how": find.how, "value": self.bindings.render(find.value), "name": self.bindings.render(find.name)}

    async def _one(self, find: Find, reading: str, *more: str, where: Page | Frame | None = None) -> Any:
        told = await self._refer("readOne", self._rendered(find), reading, *more, where=where)
        if "read" in told:
            return told["read"]
        if not told["found"]:
            raise ToolError("not_found", f"nothing on {self._now.url} fits {find}")
        listed = "; ".join(told["several"])
        raise ToolError("ambiguous", f"{find} fits {told['found']} elements: {listed}. Say which one.")

    async def _refer(self, reading: str, *asked: Any, where: Page | Frame | None = None) -> Any:
        """Read something with references, which no document of this user gives out twice; masked."""
        script = "([given, name, asked]) => __sim.reading(given, name, ...asked)"
        before = self.references.last
        told = json.loads(await self._read(script, [before, reading, asked], where=where))
        self.references.last = given = max(before, told["given"])
        if isinstance(where, Frame) and given > before:
            self._given_in.append((range(before + 1, given + 1), where))
        return map_strings(told["answer"], self._mask)

    async def _read(self, script: str, argument: Any = None, *, where: Page | Frame | None = None) -> Any:
        return await self._asked((where or self.page).evaluate(script, argument))

    async def _asked(self, answer: Awaitable[Answer]) -> Answer:
        try:
            # A document whose successor is asked for, and does not come, answers nothing until then.
            async with asyncio.timeout(self.timeouts.navigation / 1000) as limit:
                return await answer
        except TimeoutError:
            if not limit.expired():
                raise
            seconds = self.timeouts.navigation / 1000
            raise ToolError("timeout", f"{self.page.url} did not answer within {seconds:g} s") from None
        except PlaywrightError as error:
            raise translate(error, "read the page") from error

    async def _parting(self, reading: Awaitable[Answer], otherwise: Answer) -> Answer:
        """Read something of the page that is about to be left; a visit does not depend on whether it answers."""
        try:
            async with asyncio.timeout(self.timeouts.action / 1000) as limit:
                return await reading
        except ToolError:
            return otherwise
        except TimeoutError:
            if not limit.expired():
                raise
            return otherwise
