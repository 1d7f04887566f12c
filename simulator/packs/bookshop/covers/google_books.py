"""Covers of Google Books. Not responsible for: fetching.

Its answers: https://developers.google.com/books/docs/v1/reference/volumes
"""

from __future__ import annotations

from urllib.parse import parse_qsl, urlencode, urlunsplit

from pydantic import AnyHttpUrl, BaseModel, ConfigDict, Field, JsonValue, ValidationError

from simulator.addresses import urlsplit
from simulator.config import host_port
from simulator.errors import KeyMissing, ToolError
from simulator.packs.bookshop.covers.cover import Cover, understood
from simulator.packs.bookshop.covers.fetch import Fetcher
from simulator.packs.bookshop.settings import Covers

IMAGE_HOSTS = ("books.google.com", ".googleusercontent.com")
MAX_RESULTS = 40
"""The most that the service gives at once."""


class _ImageLinks(BaseModel):
    thumbnail: AnyHttpUrl | None = None


class _VolumeInfo(BaseModel):
    model_config = ConfigDict(validate_by_name=True, defer_build=True)

    title: str = ""
    authors: list[str] = []
    image_links: _ImageLinks = Field(_ImageLinks(), alias="imageLinks")


class _Volume(BaseModel):
    model_config = ConfigDict(validate_by_name=True, defer_build=True)

    volume_info: _VolumeInfo = Field(_VolumeInfo(), alias="volumeInfo")


class _Answer(BaseModel):
    kind: str
    items: list[JsonValue] = []


def _key(settings: Covers) -> dict[str, str]:
    """Give the header that carries the key, which so stands in no address.

    Raises:
        ToolError: ``unavailable``: the settings name one that is not set.
    """
    if settings.google_books_key is None:
        return {}
    try:
        return {"X-Goog-Api-Key": settings.google_books_key.reveal()}
    except KeyMissing as error:
        raise ToolError("unavailable", f"Google Books was not asked: {error}") from None


async def find(fetcher: Fetcher, settings: Covers, query: str, count: int) -> list[Cover]:
    """Search for covers. More than asked for are fetched, since not every book has one.

    Raises:
        ToolError: the service cannot be used now.
    """
    asked = {"q": query, "maxResults": min(3 * count, MAX_RESULTS), "printType": "books"}
    url = f"{settings.google_books_url}/volumes?{urlencode(asked)}"
    try:
        answer = _Answer.model_validate_json((await fetcher.get(url, _key(settings))).body)
    except ValidationError:
        fetcher.forget(url)
        raise ToolError("unavailable", "Google Books answered in a form that is not understood") from None
    return [
        Cover(
            title=info.title,
            author=", ".join(info.authors[:2]),
            cover_url=_flat(str(info.image_links.thumbnail), settings),
            source="google_books",
        )
        for info in (item.volume_info for item in understood(_Volume, answer.items))
        if info.title and info.image_links.thumbnail
    ]


def _flat(thumbnail: str, settings: Covers) -> str:
    """Turn the address of a thumbnail into that of a cover: over https, and without the curled page corner."""
    parts = urlsplit(thumbnail)
    query = urlencode([pair for pair in parse_qsl(parts.query) if pair[0] != "edge"])
    mirrored = host_port(thumbnail) == host_port(settings.google_books_url)
    return urlunsplit(parts._replace(scheme=parts.scheme if mirrored else "https", query=query))
