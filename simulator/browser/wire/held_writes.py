"""Holds back every request of a user's windows that may change the site, so that a look only reads.

Not responsible for: addresses that change something when they are only read; whoever looks does not go there.
"""

from __future__ import annotations

import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from urllib.parse import unquote_plus

from playwright.async_api import BrowserContext, Route, WebSocketRoute

from simulator.canonical import url_shape

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_EVERYTHING = "**/*"


class HeldWrites:
    """What was held back.

    Attributes:
        told: how often each was reported, by method and shape of the address.
    """

    def __init__(self) -> None:
        self.told: Counter[str] = Counter()
        self._carrying: tuple[str, ...] = ()

    async def attend(self, context: BrowserContext) -> None:
        """Hold back what the windows of a context send from now on: requests that write, and messages of sockets."""
        await context.route(_EVERYTHING, self._judge)
        await context.route_web_socket(_EVERYTHING, self._hold_socket)

    @contextmanager
    def let_through(self, *carrying: str) -> Iterator[None]:
        """Let requests through meanwhile that carry what was asked to be sent, such as the name of who logs in.

        What a page sends of itself in that time is held back as ever.

        Args:
            carrying: texts of which a request has to carry one.
        """
        self._carrying = tuple(filter(None, carrying))
        try:
            yield
        finally:
            self._carrying = ()

    async def _judge(self, route: Route) -> None:
        request = route.request
        if request.method in _READING or (self._carrying and _carries(request.post_data_buffer, self._carrying)):
            await route.fallback()
            return
        self.told[f"{request.method} {url_shape(request.url)}"] += 1
        await route.abort("blockedbyclient")

    def _hold_socket(self, socket: WebSocketRoute) -> None:
        name = f"messages to {url_shape(socket.url)}"
        socket.connect_to_server()

        def hold(_: str | bytes) -> None:
            self.told[name] += 1

        socket.on_message(hold)


def _carries(body: bytes | None, texts: Iterable[str]) -> bool:
    """Return whether a body carries a text as a value of its own, as forms or JSON write it."""
    said = (body or b"").decode(errors="replace")
    return any(
        re.search(rf"(?<!\w){re.escape(written)}(?!\w)", where)
        for text in texts
        for written in {text, json.dumps(text)[1:-1]}
        for where in (said, unquote_plus(said))
    )
