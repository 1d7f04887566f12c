"""What the site's own data says of things: the objects in JSON that a page's scripts have fetched since a write.

A page that sends a whole object back to the site shows a part of it only. Many an application asks by POST, for a list
above all: that is data as well, where it says nothing of what was put in. Not responsible for: comparing (``forms``).
"""

from __future__ import annotations

import json
from collections.abc import Callable, Collection
from contextlib import suppress
from dataclasses import dataclass
from itertools import islice

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Request, Response

from simulator.browser.effects.sent.calls import call_of, given_by
from simulator.browser.effects.sent.objects import Named, objects, resource

_SCRIPTS = frozenset({"fetch", "xhr"})
_MOST_ANSWERS = 20
"""How many answers are looked into on one document: the last ones."""
_MOST_BYTES = 2**18
_MOST_OBJECTS = 2000
"""Of one answer."""


@dataclass(frozen=True, slots=True)
class Fetched:
    """An object that a page has fetched."""

    named: Named
    at: str
    """Absolute address of the request."""


class Fetches:
    """Hears what the pages of one user fetch.

    Args:
        origin: scheme, host and port of the site.
        wanted: gives the ids of the things that are looked for, and the paths of what was written.
        files: addresses of files, absolute: what is in one is no word of the site.
        asks: gives what a request says that asks by POST; None where it may write.
        put_in: returns whether some texts say what was put in.
    """

    def __init__(
        self,
        origin: str,
        wanted: Callable[[], Collection[str]],
        files: Collection[str],
        *,
        asks: Callable[[Request], Collection[str] | None],
        put_in: Callable[[Collection[str]], bool],
    ) -> None:
        self._origin = origin
        self._wanted = wanted
        self._files = files
        self._asks = asks
        self._put_in = put_in
        self._asked: set[Request] = set()
        self._answers: list[Response] = []

    def forget(self) -> None:
        """Forget what was asked for so far: what is asked for after a write shows what was kept of it."""
        self._asked.clear()
        self._answers.clear()

    async def take(self) -> list[Fetched]:
        """Give the objects of the things that were fetched since the last call."""
        answers, self._answers = self._answers[-_MOST_ANSWERS:], []
        wanted = self._wanted()
        # What says what was put in may have written it by now, and its answer gives it back.
        answers = [one for one in answers if one.request.method == "GET" or not self._says_what_was_put_in(one.request)]
        return [one for each in answers for one in await _objects_in(each) if not one.named.ids.isdisjoint(wanted)]

    def hear(self, request: Request) -> None:
        """Hear of a request of the user's context."""
        if request.resource_type not in _SCRIPTS or not request.url.startswith(self._origin) or not self._wanted():
            return
        asks = request.method == "GET" or (request.method == "POST" and self._asks(request) is not None)
        if asks and request.url not in self._files:
            self._asked.add(request)

    def _says_what_was_put_in(self, request: Request) -> bool:
        said = self._asks(request)
        return said is None or self._put_in(said)

    def hear_answer(self, response: Response) -> None:
        """Hear of an answer in it."""
        if response.request not in self._asked:
            return
        self._asked.discard(response.request)
        length = response.headers.get("content-length", "0")
        is_small = length.isdecimal() and int(length) <= _MOST_BYTES
        # What a service worker answers the browser may have kept for itself.
        if (
            response.ok
            and is_small
            and not response.from_service_worker
            and "json" in response.headers.get("content-type", "")
        ):
            self._answers.append(response)


async def _objects_in(response: Response) -> list[Fetched]:
    """Give the objects in an answer that have an id; none where it is gone, or is not JSON."""
    with suppress(PlaywrightError, ValueError, RecursionError):
        data = await response.body()
        if len(data) <= _MOST_BYTES:
            at, told = response.request.url, json.loads(data)
            if called := _called_by(response.request):
                told = given_by(called, told)
            whole = [resource(told, at)] if response.request.method == "GET" else []
            return [Fetched(one, at) for one in (*islice(objects(told), _MOST_OBJECTS), *whole)]
    return []


def _called_by(request: Request) -> str:
    """Name what a request calls by JSON-RPC; empty where it is no call."""
    try:
        return call_of(json.loads(request.post_data or "null"))
    except (PlaywrightError, UnicodeDecodeError, ValueError, RecursionError):
        return ""
