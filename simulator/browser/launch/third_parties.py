"""Answers of other hosts than the site's, given from a recording instead of by them.

Not responsible for: recording them (``traffic``), or which hosts are allowed (``network``).
"""

from __future__ import annotations

import re
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from playwright.async_api import BrowserContext, Request, Route

from simulator.addresses import urlsplit
from simulator.browser.launch.network import Endpoint
from simulator.canonical import url_shape

_OF_THE_WIRE = frozenset({"content-length", "content-encoding", "transfer-encoding", "set-cookie", "connection"})
"""Headers that say how a body came over the wire, and cookies, whose values no recording holds."""
_USUAL = {80: "http", 443: "https"}


@dataclass(frozen=True, slots=True)
class RecordedAnswer:
    """What another host answered."""

    method: str
    url: str
    status: int
    headers: Sequence[tuple[str, str]]
    body: Callable[[], bytes]


class ThirdParties:
    """Answers for other hosts, for as long as a run is replayed.

    What is asked is known by its method, its host and the shape of its address: numbers and tokens in it may be others.
    What was asked several times is answered in the recorded order, and from then on as the last time.

    Args:
        hosts: of which all requests are answered; none is sent.
        answers: what was recorded, in order.
        refused: is given the address of what was not recorded; that request gets no answer.
    """

    def __init__(
        self, hosts: Iterable[Endpoint], answers: Iterable[RecordedAnswer], refused: Callable[[str], None]
    ) -> None:
        self._hosts = tuple(hosts)
        self._refused = refused
        self._answers: dict[tuple[str, str, str], deque[RecordedAnswer]] = {}
        for answer in answers:
            self._answers.setdefault(_key(answer.method, answer.url), deque()).append(answer)

    async def attend(self, context: BrowserContext) -> None:
        """Answer what the pages of a context ask of these hosts."""
        if self._hosts:
            await context.route(re.compile("|".join(map(_pattern, self._hosts))), self._answer)

    async def _answer(self, route: Route, request: Request) -> None:
        known = self._answers.get(_key(request.method, request.url))
        if not known:
            self._refused(request.url)
            await route.abort("blockedbyclient")
            return
        answer = known.popleft() if len(known) > 1 else known[0]
        headers: dict[str, str] = {}
        for name, value in answer.headers:
            if name.lower() not in _OF_THE_WIRE:
                headers[name] = f"{headers[name]}, {value}" if name in headers else value
        await route.fulfill(status=answer.status, headers=headers, body=answer.body())


def _key(method: str, url: str) -> tuple[str, str, str]:
    return method, urlsplit(url).netloc, url_shape(url)


def _pattern(host: Endpoint) -> str:
    scheme = _USUAL.get(host.port, "https?")
    port = rf"(?::{host.port})?" if host.port in _USUAL else f":{host.port}"
    name = f"[{host.host}]" if ":" in host.host else host.host
    return f"^{scheme}://{re.escape(name)}{port}/"
