"""What the site has brought to the document that a page shows: its HTML, and what its scripts have asked for since.

A page may draw what the browser itself keeps for it: its stores, its databases. That the site has kept it is known only
where the site has brought it as well. Not responsible for: what a page shows, or what the browser keeps.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache
from html import unescape
from itertools import islice
from typing import Any
from weakref import WeakKeyDictionary

from playwright.async_api import BrowserContext, Frame, Page, Request, Response, WebSocket
from playwright.async_api import Error as PlaywrightError

from simulator.addresses import urlsplit
from simulator.browser.effects.scene import Where
from simulator.browser.effects.sent.objects import Named, objects
from simulator.browser.effects.sent.sockets import text_of
from simulator.browser.effects.spots import Reading, Spot
from simulator.browser.effects.user_input import UserInput
from simulator.meaning import Text, Value

_TYPES = frozenset({"document", "fetch", "xhr", "script"})
_MOST_ANSWERS = 40
"""Of one document: the last ones."""
_MOST_BYTES = 2**20
_MOST_OBJECTS = 2000
"""Of one answer."""
_MOST_TEXT = 2**21
"""Characters of all answers that are looked into."""
_LONG, _MOST_LONG = 20_000, 8
"""Characters from which on an answer is prepared once for all documents that it comes with, and how many are kept."""
_PATIENCE_S = 2.0
"""How long the browser may take to give its answers, in seconds: one that never ends is left out."""


class Brought:
    """Hears what the site brings to the pages of one user."""

    def __init__(self) -> None:
        self._answers: WeakKeyDictionary[Page, list[Response | str]] = WeakKeyDictionary()

    def attend(self, context: BrowserContext) -> None:
        """Listen to the sockets of a context; who listens to its requests has them heard here."""
        for page in context.pages:
            self._attend_page(page)
        context.on("page", self._attend_page)

    def _attend_page(self, page: Page) -> None:
        page.on("websocket", lambda socket: self._attend_socket(page, socket))

    def _attend_socket(self, page: Page, socket: WebSocket) -> None:
        socket.on("framereceived", lambda payload: self._keep(page, text_of(payload)))

    def hear(self, request: Request) -> None:
        """Hear of a request of the context."""
        if request.is_navigation_request() and (page := page_of(request)) and request.frame == page.main_frame:
            self._answers.pop(page, None)

    def hear_answer(self, response: Response) -> None:
        """Hear of an answer in the context."""
        request = response.request
        may_ask = request.method == "POST" and "json" in response.headers.get("content-type", "")
        if (request.method == "GET" or may_ask) and request.resource_type in _TYPES and (page := page_of(request)):
            self._keep(page, response)

    def _keep(self, page: Page, answer: Response | str) -> None:
        self._answers.setdefault(page, []).append(answer)
        del self._answers[page][:-_MOST_ANSWERS]

    async def settle(self, where: Where, reading: Reading, inputs: Sequence[UserInput], *, each: bool) -> Reading:
        """Give a reading in which what only the browser keeps says how something went, and proves nothing.

        Args:
            where: the page, or a frame of it.
            reading: what it shows.
            inputs: what is sought.
            each: whether every input that a place shows has to have been brought, or one of them.
        """
        unsure = [one for one in reading.spots if (one.stored or one.kept) and not one.says]
        if not unsure:
            return reading
        told = _Told(await self._texts(where.page if isinstance(where, Frame) else where))
        sought = [(values, any(map(told.holds, values))) for one in inputs if (values := _values(one))]
        return reading.with_said({one for one in unsure if not _is_brought(one, told, sought, each=each)})

    async def of_fields(self, where: Where, fields: Sequence[Mapping[str, Any]]) -> Sequence[Mapping[str, Any]]:
        """Leave out those of some fields in which the browser keeps what they hold, and that the site has not brought.

        Args:
            where: the page, or a frame of it.
            fields: as ``readFields`` gives them.
        """
        if not any(one.get("stored") for one in fields):
            return fields
        told = _Told(await self._texts(where.page if isinstance(where, Frame) else where))
        return [
            one for one in fields if not one.get("stored") or any(told.holds(Value.of(text)) for text in one["holds"])
        ]

    async def objects(self, page: Page) -> list[Named]:
        """Give the objects that have an id in what the site has brought as JSON, in their order; by POST it asks, too.

        Args:
            page: shows the document.
        """
        found: list[Named] = []
        for answer in [one for one in self._answers.get(page, ()) if not isinstance(one, str)]:
            if "json" in answer.headers.get("content-type", "") and not answer.from_service_worker:
                with suppress(ValueError, RecursionError):
                    found += islice(objects(json.loads(await _body_of(answer))), _MOST_OBJECTS)
        return found

    async def before(self, page: Page, request: Request) -> frozenset[str]:
        """Give what the page had fetched, before it sent a request, from the address that this goes to.

        Args:
            page: shows the document that sent it.
            request: the request.
        """
        path = urlsplit(request.url).path
        for one in self._fetched_before(page, request):
            if urlsplit(one.request.url).path == path:
                with suppress(ValueError, RecursionError):
                    return frozenset(_leaves(json.loads(await _body_of(one))))
        return frozenset()

    async def ids_before(self, page: Page, request: Request) -> frozenset[str]:
        """Give what names the objects in the JSON that the page had fetched before it sent a request.

        Args:
            page: shows the document that sent it.
            request: the request.
        """
        found: set[str] = set()
        for one in self._fetched_before(page, request):
            if "json" in one.headers.get("content-type", ""):
                with suppress(ValueError, RecursionError):
                    found.update(
                        *(each.ids for each in islice(objects(json.loads(await _body_of(one))), _MOST_OBJECTS))
                    )
        return frozenset(found)

    def _fetched_before(self, page: Page, request: Request) -> list[Response]:
        """Give the answers to what a page had asked for by GET before it sent a request, the newest first."""
        began = request.timing["startTime"]
        answers = (one for one in reversed(self._answers.get(page, ())) if not isinstance(one, str))
        return [one for one in answers if one.request.method == "GET" and one.request.timing["startTime"] < began]

    async def _texts(self, page: Page) -> list[Text]:
        # What answers a write may only give back what was sent.
        answers = [one for one in self._answers.get(page, ()) if isinstance(one, str) or one.request.method == "GET"]
        left, texts = _MOST_TEXT, list[Text]()
        for said in reversed(await asyncio.gather(*map(_text_of, answers))):
            if said and left > 0:
                texts.append(_prepared(said[-left:]) if len(said) >= _LONG else Text(said[-left:]))
                left -= len(said)
        return texts


@dataclass(frozen=True, slots=True)
class _Told:
    """All that the site has brought to one document."""

    texts: Sequence[Text]

    def holds(self, value: Value) -> bool:
        return any(value.find_in(text) for text in self.texts)


@lru_cache(maxsize=_MOST_LONG)
def _prepared(said: str) -> Text:
    """Prepare a long answer once: the scripts of an application come with each of its documents."""
    return Text(said)


def page_of(request: Request) -> Page | None:
    """Give the page that has sent a request; None for a worker, or where it is not there yet."""
    try:
        return request.frame.page
    except PlaywrightError:
        return None  # a worker sent it, or its page is not there yet


def _values(one: UserInput) -> list[Value]:
    return [Value.of(text) for text in one.spellings if text]


def _is_brought(spot: Spot, told: _Told, sought: Sequence[tuple[Sequence[Value], bool]], *, each: bool) -> bool:
    """Return whether the site has brought what a place shows: its words, or the inputs that it shows in other ones.

    Args:
        spot: the place.
        told: all that was brought.
        sought: of each input its spellings, and whether one was brought. An address shows the name that it holds, too.
        each: whether every input that it shows has to have been brought, or one of them.
    """
    parts = [one for one in spot.parts if one.strip()] if spot.kind == "text" else []
    if any(all(told.holds(Value.of(part)) for part in way) for way in ([spot.text], parts) if "".join(way).strip()):
        return True
    text = Text(" ".join((spot.text, *spot.parts)))
    shown = [brought for values, brought in sought if any(value.find_in(text) for value in values)]
    return bool(shown) and (all(shown) if each else any(shown))


async def _text_of(answer: Response | str) -> str:
    return _said(answer if isinstance(answer, str) else await _body_of(answer))


async def _body_of(answer: Response) -> str:
    """Give what an answer holds; nothing where that is long, or not there any more."""
    with suppress(PlaywrightError, TimeoutError):
        async with asyncio.timeout(_PATIENCE_S):
            data = await answer.body()
        if len(data) <= _MOST_BYTES:
            return data.decode("utf-8", "replace")
    return ""


def _said(text: str) -> str:
    """Give what an answer says: the values in JSON, or HTML with its characters as they are shown."""
    try:
        return "\n".join(_leaves(json.loads(text)))
    except (ValueError, RecursionError):
        return unescape(text)


def _leaves(value: Any) -> list[str]:
    found, left = [], [value]
    while left:
        one = left.pop()
        if isinstance(one, dict):
            left.extend(one.values())
        elif isinstance(one, list):
            left.extend(one)
        elif one is not None:
            found.append(str(one))
    return found
