"""Where pictures come from that users give to a site, as packs have them. Not responsible for: any source."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import Any, Protocol, Self

from simulator.errors import ToolError


class OfferedPicture(Protocol):
    """A picture that was found."""

    @property
    def address(self) -> str:
        """Where it is."""
        ...


class Picture(Protocol):
    """A picture as a file."""

    @property
    def data(self) -> bytes:
        """Its bytes."""
        ...

    @property
    def media_type(self) -> Any:
        """Such as ``image/png``."""
        ...


class Failure(Protocol):
    """What went wrong with one place where pictures are sought."""

    @property
    def source(self) -> str:
        """What it is called."""
        ...

    @property
    def message(self) -> str:
        """Why it gave nothing."""
        ...


class Search(Protocol):
    """What came of a search."""

    @property
    def pictures(self) -> Sequence[OfferedPicture]:
        """What was found: pydantic models, whose fields a person is shown."""
        ...

    @property
    def failures(self) -> Sequence[Failure]:
        """What went wrong."""
        ...


class PictureSource(Protocol):
    """Finds pictures and gives them."""

    async def search(self, query: str, count: int) -> Search:
        """Find pictures for a query, for a person who wants to see what the sources answer."""
        ...

    async def verify(self, picture: Any, /) -> bool:
        """Return whether a picture that was found is there.

        Raises:
            ToolError: nothing can find that out now.
        """
        ...

    async def find(self, query: str, count: int) -> Sequence[OfferedPicture]:
        """Find pictures for a query.

        Raises:
            ToolError: ``unavailable``: it cannot be asked.
        """
        ...

    async def image(self, address: str, /) -> Picture:
        """Give the picture of an address.

        Raises:
            ToolError: it cannot be had.
        """
        ...

    def keep(self, address: str, data: bytes, /) -> None:
        """Take the picture of an address from a recording, from now on.

        Raises:
            ToolError: ``rejected``: it is not one.
        """
        ...


class Pictures:
    """The pictures of all packs in use, shared by the runs of a batch; opened when one is first asked for.

    Args:
        open: opens the sources, by the name of their pack.
    """

    def __init__(self, open: Callable[[], Awaitable[Mapping[str, PictureSource]]] | None = None) -> None:
        self._open = open
        self._opening: asyncio.Task[Mapping[str, PictureSource]] | None = None

    @classmethod
    def having(cls, sources: Mapping[str, PictureSource]) -> Self:
        """Give the pictures of sources that are open, by the name of their pack."""

        async def opened() -> Mapping[str, PictureSource]:
            return sources

        return cls(opened)

    async def _all(self) -> Mapping[str, PictureSource]:
        if self._open is None:
            return {}
        if self._opening is None:
            self._opening = asyncio.ensure_future(self._open())
        return await asyncio.shield(self._opening)

    async def of(self, pack: str) -> Any:
        """Give the source of a pack, which knows what it is."""
        return (await self._all())[pack]

    async def find(self, query: str, count: int) -> Sequence[OfferedPicture]:
        """Find pictures for a query: those of the first pack that has any."""
        for source in (await self._all()).values():
            if found := await source.find(query, count):
                return found
        return ()

    async def image(self, address: str) -> Picture:
        """Give the picture of an address, of the first pack that has it.

        Raises:
            ToolError: none has it: what the last one said.
        """
        lacking = ToolError("unavailable", "no pack in use has pictures; name it in 'packs' of sim.toml")
        for source in (await self._all()).values():
            try:
                return await source.image(address)
            except ToolError as error:
                lacking = error
        raise lacking

    async def keep(self, address: str, data: bytes) -> None:
        """Take the picture of an address from a recording, from now on."""
        for source in (await self._all()).values():
            source.keep(address, data)
