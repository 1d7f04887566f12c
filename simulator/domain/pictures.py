"""Where pictures come from that users give to a site, as packs have them. Not responsible for: any source."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import Any, Protocol

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


class PictureSource(Protocol):
    """Finds pictures and gives them."""

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
            ToolError: ``rejected``: it is none.
        """
        ...


class Pictures:
    """The pictures of all packs in use, shared by the runs of a batch.

    Args:
        sources: by the name of the pack.
    """

    def __init__(self, sources: Mapping[str, PictureSource] = MappingProxyType({})) -> None:
        self._sources = sources

    def of(self, pack: str) -> Any:
        """Give the source of a pack, which knows what it is."""
        return self._sources[pack]

    async def find(self, query: str, count: int) -> Sequence[OfferedPicture]:
        """Find pictures for a query: those of the first pack that has any."""
        for source in self._sources.values():
            if found := await source.find(query, count):
                return found
        return ()

    async def image(self, address: str) -> Picture:
        """Give the picture of an address, of the first pack that has it.

        Raises:
            ToolError: none has it: what the last one said.
        """
        lacking = ToolError("unavailable", "no pack in use has pictures; name it in 'packs' of sim.toml")
        for source in self._sources.values():
            try:
                return await source.image(address)
            except ToolError as error:
                lacking = error
        raise lacking

    def keep(self, address: str, data: bytes) -> None:
        """Take the picture of an address from a recording, from now on."""
        for source in self._sources.values():
            source.keep(address, data)
