"""The chain of cover sources, as one service for a batch. Not responsible for: any one source, or uploading."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from types import TracebackType
from typing import TYPE_CHECKING, NamedTuple, Self

from simulator.config import Settings
from simulator.errors import ToolError, ToolErrorType
from simulator.packs.bookshop.covers import google_books, open_library
from simulator.packs.bookshop.covers.address import Resolve, look_up
from simulator.packs.bookshop.covers.cover import Cover, CoverImage, check_image, of_the_book, one_a_title
from simulator.packs.bookshop.covers.fetch import Fetcher, place
from simulator.packs.bookshop.covers.offline import SCHEME, Drawings, title_in
from simulator.packs.bookshop.covers.pace import Clock
from simulator.packs.bookshop.settings import Covers, CoverSource, settings_of

if TYPE_CHECKING:
    import httpx

_Find = Callable[[Fetcher, Covers, str, int], Awaitable[list[Cover]]]
_PUBLIC: dict[CoverSource, tuple[_Find, tuple[str, ...]]] = {
    "open_library": (open_library.find, open_library.IMAGE_HOSTS),
    "google_books": (google_books.find, google_books.IMAGE_HOSTS),
}
_FEWEST = 4
"""Candidates that a source is asked for at least: the image of the first one may not be there."""
_TRIES = 4
"""Images of one source that may be missing until the next source is asked."""
_WELL_KNOWN = "Pride and Prejudice"
"""A book that every source of covers has."""


class Failure(NamedTuple):
    """What went wrong with a source, or with one of its images."""

    source: CoverSource
    type: ToolErrorType
    message: str


class Found(NamedTuple):
    """Covers, and what went wrong with sources on the way to them."""

    covers: tuple[Cover, ...]
    failures: tuple[Failure, ...]

    @property
    def pictures(self) -> tuple[Cover, ...]:
        """The covers, as pictures of a pack are called."""
        return self.covers


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
        self._offered: dict[str, str] = {}
        """Hash of each image that was offered, by its address."""

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
        found = await self.search(query, count)
        if not found.covers and found.failures:
            said = "; ".join(failure.message for failure in found.failures)
            raise ToolError("unavailable", f"no cover source could be asked: {said}")
        return list(found.covers)

    async def search(self, query: str, count: int = 4, *, title: str = "") -> Found:
        """Do as :meth:`find`, and report what went wrong with each source.

        Args:
            query: a title, title and author, or a topic.
            count: how many at most.
            title: of the book that is meant, where one is: what is called otherwise is another book.
        """
        found: list[Cover] = []
        failures: list[Failure] = []
        for source in self._settings.sources:
            found = one_a_title([*found, *await self._candidates(source, query, count, title, failures)])
            if len(found) >= count:
                break
        return Found(tuple(found[:count]), tuple(failures))

    async def offer(self, query: str, count: int = 4, *, title: str = "") -> Found:
        """Find covers whose images are there: of each source the next candidate, then the next source, then drawn ones.

        Args:
            query: a title, title and author, or a topic.
            count: how many at most.
            title: of the book that is meant, where one is: what is called otherwise is another book.
        """
        found: list[Cover] = []
        failures: list[Failure] = []
        for source in self._settings.sources:
            tried = len(failures)
            for cover in await self._candidates(source, query, max(count, _FEWEST), title, failures):
                if len(found) == count or len(failures) - tried == _TRIES:
                    break
                if len(one_a_title([*found, cover])) > len(found) and await self._there(cover, failures):
                    found.append(cover)
            if len(found) == count:
                break
        return Found(tuple(found or self._drawings.find(query, count)), tuple(failures))

    async def _candidates(
        self, source: CoverSource, query: str, count: int, title: str, failures: list[Failure]
    ) -> list[Cover]:
        """Ask one source; what goes wrong with it is added to the failures."""
        try:
            found = await self._ask(source, query, count)
        except ToolError as error:
            failures.append(Failure(source, error.type, error.message))
            return []
        # What is drawn is drawn for the book that is meant, and for others like it.
        return found if source == "offline" else of_the_book(found, query, title or title_in(query))

    async def _there(self, cover: Cover, failures: list[Failure]) -> bool:
        try:
            image = await self.image(cover.cover_url)
        except ToolError as error:
            failures.append(Failure(cover.source, error.type, error.message))
            return False
        self._offered[cover.cover_url] = image.sha256
        return True

    def keep(self, cover_url: str, data: bytes) -> None:
        """Take the image of an address from a recording, from now on.

        Raises:
            ToolError: ``rejected``: it is no image, or too large.
        """
        self._kept[cover_url] = check_image(data, cover_url)

    async def image(self, cover_url: str) -> CoverImage:
        """Give the image of a cover, drawn or downloaded; of one that was offered the image that was there then.

        Raises:
            ToolError: ``not_found``, ``blocked``, ``rejected`` (no image, too large, or another one than was
                offered), ``timeout`` or ``unavailable``.
        """
        if cover_url in self._kept:
            return self._kept[cover_url]
        if cover_url.startswith(SCHEME):
            return self._drawings.image(cover_url)
        fetched = await self._fetcher.get(cover_url)
        try:
            image = check_image(fetched.body, fetched.url)
            if self._offered.get(cover_url, image.sha256) != image.sha256:
                raise ToolError("rejected", f"{place(fetched.url)} gives another image than the one that was offered")
        except ToolError:
            self._fetcher.forget(cover_url)
            raise
        return image

    async def verify(self, cover: Cover) -> bool:
        """Return whether the image of a cover is there and is an image.

        Raises:
            ToolError: nothing can find that out now.
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


def check_sources(settings: Settings) -> Iterator[tuple[str, bool, str]]:
    """Ask every public source of covers that a site uses for one book."""
    used = [settings_of(site).covers for site in settings.sites.values()]
    asked: list[Covers] = []
    for covers in used:
        for source in covers.sources:
            alone = covers.model_copy(update={"sources": (source,)})
            if source == "offline" or alone in asked:
                continue
            asked.append(alone)
            failure = asyncio.run(_ask_for_cover(alone))
            told = f"{failure}; covers are drawn instead" if failure else "answers, and its images are there"
            yield f"covers {source}", not failure, told


async def _ask_for_cover(covers: Covers) -> str:
    """Give what is wrong with a source; empty where nothing is."""
    async with CoverService(covers) as service:
        found = await service.offer(_WELL_KNOWN, 1)
    if any(cover.source in covers.sources for cover in found.covers):
        return ""
    return "; ".join(failure.message for failure in found.failures) or f"it has no cover of '{_WELL_KNOWN}'"
