"""Covers of Open Library. Not responsible for: fetching.

Its answers: https://openlibrary.org/dev/docs/api/search and https://openlibrary.org/dev/docs/api/covers
"""

from __future__ import annotations

from urllib.parse import urlencode

from pydantic import BaseModel, JsonValue, ValidationError

from simulator.errors import ToolError
from simulator.packs.bookshop.covers.cover import Cover, understood
from simulator.packs.bookshop.covers.fetch import Fetcher
from simulator.packs.bookshop.settings import Covers

IMAGE_HOSTS = ("archive.org", ".archive.org")
"""Where the covers host redirects to."""


class _Doc(BaseModel):
    title: str = ""
    author_name: list[str] = []
    cover_i: int | None = None


class _Answer(BaseModel):
    docs: list[JsonValue]


async def find(fetcher: Fetcher, settings: Covers, query: str, count: int) -> list[Cover]:
    """Search for covers. More than asked for are fetched, since not every book has one.

    Raises:
        ToolError: the service cannot be used now.
    """
    asked = urlencode({"q": query, "fields": "title,author_name,cover_i", "limit": 5 * count})
    url = f"{settings.open_library_url}/search.json?{asked}"
    try:
        answer = _Answer.model_validate_json((await fetcher.get(url)).body)
    except ValidationError:
        fetcher.forget(url)
        raise ToolError("unavailable", "Open Library answered in a form that is not understood") from None
    return [
        Cover(
            title=doc.title,
            author=", ".join(doc.author_name[:2]),
            # Without default=false a missing cover is answered with a blank image.
            cover_url=f"{settings.open_library_covers_url}/b/id/{doc.cover_i}-L.jpg?default=false",
            source="open_library",
        )
        for doc in understood(_Doc, answer.docs)
        if doc.title and doc.cover_i is not None and doc.cover_i > 0
    ]
