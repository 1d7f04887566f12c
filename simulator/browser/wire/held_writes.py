"""Holds back every request of a user's windows that may change the site, so that a look only reads.

Not responsible for: addresses that change something when they are only read; whoever looks does not go there.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager

from playwright.async_api import BrowserContext, Route, WebSocketRoute

from simulator.canonical import url_shape

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_EVERYTHING = "**/*"


class HeldWrites:
    """What was held back.

    Attributes:
        told: how often, by method and shape of the address.
    """

    def __init__(self) -> None:
        self.told: Counter[str] = Counter()
        self._open = False

    async def attend(self, context: BrowserContext) -> None:
        """Hold back what the windows of a context send from now on: requests that write, and messages of sockets."""
        await context.route(_EVERYTHING, self._judge)
        await context.route_web_socket(_EVERYTHING, self._hold_socket)

    @contextmanager
    def let_through(self) -> Iterator[None]:
        """Let requests through meanwhile: what is sent was asked for."""
        self._open = True
        try:
            yield
        finally:
            self._open = False

    async def _judge(self, route: Route) -> None:
        request = route.request
        if self._open or request.method in _READING:
            await route.fallback()
            return
        self.told[f"{request.method} {url_shape(request.url)}"] += 1
        await route.abort("blockedbyclient")

    def _hold_socket(self, socket: WebSocketRoute) -> None:
        if self._open:
            socket.connect_to_server()
            return
        name = f"messages to {url_shape(socket.url)}"
        socket.connect_to_server()

        def hold(_: str | bytes) -> None:
            self.told[name] += 1

        socket.on_message(hold)
