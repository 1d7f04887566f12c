"""Fetching from public services: checked, limited, cached, and politely. Not responsible for: what answers mean."""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Mapping
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakValueDictionary

from simulator.addresses import urljoin, urlsplit
from simulator.config import HostPort
from simulator.errors import ToolError
from simulator.packs.bookshop.covers.address import Gate, Resolve, look_up
from simulator.packs.bookshop.covers.cache import Cache
from simulator.packs.bookshop.covers.pace import Clock, Pace, retry_after
from simulator.packs.bookshop.settings import Covers
from simulator.version import VERSION

if TYPE_CHECKING:
    import httpx

MAX_REDIRECTS = 3
CONNECT_SECONDS = 3.0
_REFUSALS = {403, 429, 503}
_REDIRECTS = {301, 302, 303, 307, 308}


class Fetched(NamedTuple):
    """A whole answer with status 200."""

    body: bytes
    url: str
    """After redirects; from the cache, the one that was asked for."""


class _Refused(Exception):
    """A host asks to be left alone."""

    def __init__(self, status: int, seconds: float) -> None:
        super().__init__(status)
        self.status = status
        self.seconds = seconds


class Fetcher:
    """Fetches from the hosts of the cover sources; shared by all runs of a batch.

    Args:
        settings: rate, limits and cache.
        hosts: allowed besides the configured ones; see :class:`Gate`.
        transport: sends the requests.
        resolve: looks up names.
        clock: the time.
    """

    def __init__(
        self,
        settings: Covers,
        hosts: Collection[str] = (),
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolve = look_up,
        clock: Clock | None = None,
    ) -> None:
        clock = clock or Clock()
        self._clock = clock
        self._seconds = settings.timeout_seconds
        self._max_bytes = settings.max_bytes
        self._gate = Gate(settings, hosts, resolve)
        self._pace = Pace(settings.rate, clock)
        self._cache = Cache(settings.cache_dir, clock.wall)
        self._locks: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self._transport = transport
        self._headers = {"User-Agent": user_agent(settings.contact), "Accept-Encoding": "identity"}
        self._opened: httpx.AsyncClient | None = None

    @property
    def _client(self) -> httpx.AsyncClient:
        """What sends requests: made for the first one, as reading the authorities of the system takes its time."""
        import httpx

        if self._opened is None:
            self._opened = httpx.AsyncClient(
                transport=self._transport,
                trust_env=False,  # a proxy would connect to addresses that nobody has checked
                timeout=httpx.Timeout(self._seconds, connect=min(CONNECT_SECONDS, self._seconds)),
                # Connections are to addresses: a kept one may have been made for another host of the same address.
                limits=httpx.Limits(max_keepalive_connections=0),
                headers=self._headers,
            )
        return self._opened

    async def aclose(self) -> None:
        """Close the connections that are open."""
        if self._opened is not None:
            await self._opened.aclose()

    async def get(self, url: str, headers: Mapping[str, str] | None = None) -> Fetched:
        """Fetch a URL, from the cache where it is there. Those who want the same at once share one request.

        Args:
            url: what is fetched.
            headers: for this very address; where it leads on, they are left out.

        Raises:
            ToolError: ``blocked`` (from there nothing may be fetched), ``not_found``, ``rejected`` (too large,
                too many redirects), ``timeout`` or ``unavailable``.
        """
        lock = self._locks.setdefault(url, asyncio.Lock())
        async with lock:
            if (kept := self._cache.get(url)) is not None:
                return Fetched(kept, url)
            fetched = await self._follow(url, headers or {})
            self._cache.put(url, fetched.body)
            return fetched

    def forget(self, url: str) -> None:
        """Drop an answer from the cache that turned out to be useless."""
        self._cache.drop(url)

    async def _follow(self, url: str, headers: Mapping[str, str]) -> Fetched:
        for _ in range(MAX_REDIRECTS + 1):
            answer = await self._ask(url, self._gate.target(url), headers)
            if isinstance(answer, Fetched):
                return answer
            url, headers = urljoin(url, answer), {}
        raise ToolError("rejected", f"more than {MAX_REDIRECTS} redirects led to {place(url)}")

    async def _ask(self, url: str, target: HostPort, headers: Mapping[str, str]) -> Fetched | str:
        """Send one request, and once more if the host asks for a short wait; give a body or a new URL."""
        try:
            return await self._attempt(url, target, headers)
        except _Refused as refused:
            if refused.seconds <= self._seconds:
                await self._clock.sleep(refused.seconds)
                try:
                    return await self._attempt(url, target, headers)
                except _Refused as again:
                    refused = again
            self._pace.close(target.host, f"answers {refused.status}", refused.seconds)
            raise ToolError("unavailable", f"{place(url)} answers {refused.status}; try again later") from None

    async def _attempt(self, url: str, target: HostPort, headers: Mapping[str, str]) -> Fetched | str:
        import httpx

        await self._pace.turn(target.host)
        try:
            async with asyncio.timeout(self._seconds):
                return await self._send(url, target, await self._gate.addresses(target), headers)
        except (TimeoutError, httpx.TimeoutException):
            self._pace.close(target.host, "did not answer in time")
            raise ToolError("timeout", f"{place(url)} did not answer within {self._seconds:g} s") from None
        except (OSError, httpx.TransportError) as error:
            self._pace.close(target.host, "cannot be reached")
            raise ToolError("unavailable", f"{place(url)} cannot be reached: {error}") from None
        except httpx.InvalidURL as error:
            raise ToolError("blocked", f"a cover cannot be fetched from {url!r}: {error}") from None

    async def _send(
        self, url: str, target: HostPort, addresses: list[str], headers: Mapping[str, str]
    ) -> Fetched | str:
        """Connect to the very address that was checked, so that a name cannot change its meaning between."""
        import httpx

        for left, address in enumerate(addresses, 1 - len(addresses)):
            request = self._client.build_request(
                "GET",
                httpx.URL(url).copy_with(host=address, port=target.port),
                headers={**headers, "Host": urlsplit(url).netloc},
                extensions={"sni_hostname": target.host},
            )
            try:
                response = await self._client.send(request, stream=True)
            except (httpx.ConnectError, httpx.ConnectTimeout):
                if left == 0:
                    raise
                continue
            try:
                return await self._read(url, response)
            finally:
                await response.aclose()
        raise OSError("the name has no address")

    async def _read(self, url: str, response: httpx.Response) -> Fetched | str:
        status = response.status_code
        if status in _REDIRECTS and "location" in response.headers:
            return str(response.headers["location"])
        if status in _REFUSALS:
            raise _Refused(status, retry_after(response.headers.get("retry-after"), self._clock))
        if status in (404, 410):
            raise ToolError("not_found", f"there is nothing at {place(url)}")
        if status != 200:
            raise ToolError("unavailable", f"{place(url)} answers {status}")
        body = bytearray()
        async for chunk in response.aiter_raw():
            body += chunk
            if len(body) > self._max_bytes:
                raise ToolError("rejected", f"{place(url)} is larger than {self._max_bytes:,} bytes")
        return Fetched(bytes(body), url)


def place(url: str) -> str:
    """Write a URL without its query, for a message."""
    parts = urlsplit(url)
    return f"{parts.scheme}://{parts.netloc}{parts.path}"


def user_agent(contact: str) -> str:
    """Name the program, and how to reach whoever uses it."""
    return f"simulator/{VERSION}" + (f" ({contact})" if contact else "")
