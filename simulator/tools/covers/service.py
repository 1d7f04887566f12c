"""The chain of cover sources, as one service for a batch. Not responsible for: any one source, or uploading."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Self

import httpx

from simulator.config import Covers, CoverSource
from simulator.errors import ToolError
from simulator.tools.covers import google_books, open_library
from simulator.tools.covers.address import Resolve, look_up
from simulator.tools.covers.cover import Cover, CoverImage, check_image, one_a_title
from simulator.tools.covers.fetch import Fetcher
from simulator.tools.covers.offline import SCHEME, Drawings
from simulator.tools.covers.pace import Clock

_Find = Callable[[Fetcher, Covers, str, int], Awaitable[list[Cover]]]
_PUBLIC: dict[CoverSource, tuple[_Find, tuple[str, ...]]] = {
    "open_library": (open_library.find, open_library.IMAGE_HOSTS),
    "google_books": (google_books.find, google_books.IMAGE_HOSTS),
}


class CoverService:
    """Finds covers and gives their images. One is shared by the runs of a batch.

    Args:
        settings: the sources in their order, and how to treat them.
        transport: sends the requests; without it, httpx's own.
        resolve: looks up names.
        clock: the time.
    """

    def __init__(
        self,
        settings: Covers,
        *,
        transport: httpx.AsyncBaseTransport | None = None,
        resolve: Resolve = look_up,
        clock: Clock | None = None,
    ) -> None:
        self._settings = settings
        hosts = [host for name in settings.sources if name in _PUBLIC for host in _PUBLIC[name][1]]
        self._fetcher = Fetcher(settings, hosts, transport=transport, resolve=resolve, clock=clock)
        self._drawings = Drawings()
        self._kept: dict[str, CoverImage] = {}

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self.aclose()

    async def aclose(self) -> None:
        """Close the connections that are open."""
        await self._fetcher.aclose()

    async def find(self, query: str, count: int = 4) -> list[Cover]:
        """Find covers for a query, source by source until there are enough, one a title.

        Args:
            query: a title, title and author, or a topic such as ``classic crime``.
            count: how many at most.

        Raises:
            ToolError: ``unavailable``: no source has any, and at least one could not be asked.
        """
        found: list[Cover] = []
        failures: list[str] = []
        for source in self._settings.sources:
            try:
                found = one_a_title([*found, *await self._ask(source, query, count)])
            except ToolError as error:
                failures.append(error.message)
            if len(found) >= count:
                break
        if not found and failures:
            raise ToolError("unavailable", "no cover source could be asked: " + "; ".join(failures))
        return found[:count]

    def keep(self, cover_url: str, data: bytes) -> None:
        """Take the image of an address from a recording, from now on.

        Raises:
            ToolError: ``rejected``: it is no image, or too large.
        """
        self._kept[cover_url] = check_image(data, cover_url)

    async def image(self, cover_url: str) -> CoverImage:
        """Give the image of a cover, drawn or downloaded.

        Raises:
            ToolError: ``not_found``, ``blocked``, ``rejected`` (no image, or too large), ``timeout`` or
                ``unavailable``.
        """
        if cover_url in self._kept:
            return self._kept[cover_url]
        if cover_url.startswith(SCHEME):
            return self._drawings.image(cover_url)
        fetched = await self._fetcher.get(cover_url)
        try:
            return check_image(fetched.body, fetched.url)
        except ToolError:
            self._fetcher.forget(cover_url)
            raise

    async def verify(self, cover: Cover) -> bool:
        """Tell whether the image of a cover is there and is an image.

        Raises:
            ToolError: that cannot be told now.
        """
        try:
            await self.image(cover.cover_url)
        except ToolError as error:
            if error.type in ("not_found", "rejected"):
                return False
            raise
        return True

    async def _ask(self, source: CoverSource, query: str, count: int) -> list[Cover]:
        if source == "offline":
            return self._drawings.find(query, count)
        return await _PUBLIC[source][0](self._fetcher, self._settings, query, count)


async def download(url: str, settings: Covers) -> CoverImage:
    """Download one image outside of a batch.

    Raises:
        ToolError: as :meth:`CoverService.image`.
    """
    async with CoverService(settings) as service:
        return await service.image(url)
