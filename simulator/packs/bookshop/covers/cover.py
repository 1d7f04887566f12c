"""What a cover is, and what makes bytes an image of one. Not responsible for: where covers come from."""

from __future__ import annotations

import contextlib
import io
import re
import unicodedata
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal, TypeVar

from pydantic import BaseModel, ConfigDict, JsonValue, ValidationError

from simulator.canonical import sha256
from simulator.errors import ToolError
from simulator.packs.bookshop.settings import CoverSource

MediaType = Literal["image/png", "image/jpeg", "image/webp"]
MEDIA_TYPES: dict[str, MediaType] = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
Form = TypeVar("Form", bound=BaseModel)
MIN_SIDE = 32
"""Pixels. What is smaller is a placeholder that stands for "no cover"."""
MAX_PIXELS = 25_000_000


class Cover(BaseModel):
    """A cover that was found for a book."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    title: str
    author: str
    cover_url: str
    """An https address, or ``cover:`` and the hash of a drawn image."""
    source: CoverSource

    @property
    def address(self) -> str:
        """Where its image is."""
        return self.cover_url


@dataclass(frozen=True, slots=True)
class CoverImage:
    """The image of a cover, checked to be one.

    Attributes:
        data: the file's bytes.
        media_type: by content, not by what a server called it.
        sha256: of the bytes.
        source_url: where they came from, after redirects.
    """

    data: bytes
    media_type: MediaType
    sha256: str
    source_url: str


def check_image(data: bytes, source_url: str) -> CoverImage:
    """Make sure that bytes are a whole image of a kind that sites take.

    Raises:
        ToolError: ``rejected``; they are not.
    """
    from PIL import Image, UnidentifiedImageError

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error", Image.DecompressionBombWarning)
            with Image.open(io.BytesIO(data), formats=list(MEDIA_TYPES)) as image:
                kind, (width, height) = image.format, image.size
                if width * height > MAX_PIXELS:
                    raise ToolError("rejected", f"{source_url} holds {width} x {height} pixels, too many")
                image.load()
    except UnidentifiedImageError:
        raise ToolError("rejected", f"{source_url} is not a JPEG, PNG or WebP image") from None
    except (Image.DecompressionBombError, Image.DecompressionBombWarning):
        raise ToolError("rejected", f"{source_url} holds far too many pixels") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise ToolError("rejected", f"{source_url} is a damaged image: {error}") from None
    if min(width, height) < MIN_SIDE:
        raise ToolError("rejected", f"{source_url} is a placeholder of {width} x {height} pixels, no cover")
    return CoverImage(data, MEDIA_TYPES[str(kind)], sha256(data), source_url)


def words(text: str) -> tuple[str, ...]:
    """Give the words of a text without case, accents and punctuation, to compare titles by."""
    plain = (
        "".join(char for char in unicodedata.normalize("NFKD", text.casefold()) if not unicodedata.combining(char))
        .replace("'", "")
        .replace("\u2019", "")
    )
    return tuple("".join(char if char.isalnum() else " " for char in plain).split())


def title_key(title: str) -> tuple[str, ...]:
    """Reduce a title to what distinguishes books: no subtitle, no article, no case, accents or punctuation."""
    key = words(title.partition(":")[0]) or words(title)
    return key[1:] if len(key) > 1 and key[0] in {"the", "a", "an"} else key


def understood(form: type[Form], parts: Iterable[JsonValue]) -> list[Form]:
    """Give the parts of an answer that have a form, without those of any other: one book of many may be odd."""
    found: list[Form] = []
    for part in parts:
        with contextlib.suppress(ValidationError):
            found.append(form.model_validate(part))
    return found


_BESIDE_TITLE = re.compile(r"[:;(\[/\u2013\u2014]| - ")
"""What a title ends at, and its subtitle or its edition begins."""


def of_the_book(covers: Iterable[Cover], query: str, title: str) -> list[Cover]:
    """Keep the covers of the book that is meant: a candidate that is called otherwise is another book.

    Args:
        covers: what a source found.
        query: what it was asked for.
        title: of the book that is meant. Empty where nobody says it: then a query that is the title of one candidate,
            with or without its author, means that book, and any other query is a topic.
    """
    candidates = list(covers)
    if title:
        return [cover for cover in candidates if _bare_title(cover.title) == _bare_title(title)]
    meant = [cover for cover in candidates if _names(words(query), cover)]
    return meant or candidates


def _bare_title(title: str) -> tuple[str, ...]:
    return title_key(_BESIDE_TITLE.split(title, maxsplit=1)[0] or title)


def _names(asked: tuple[str, ...], cover: Cover) -> bool:
    """Return whether a query is the title of a cover, with or without its author."""
    title, rest = _bare_title(cover.title), list(asked)
    at = next((at for at in range(len(rest)) if tuple(rest[at : at + len(title)]) == title), None)
    if at is None:
        return False
    del rest[at : at + len(title)]
    return set(rest) <= {*words(cover.author), "by", "the", "a", "an"}


def one_a_title(covers: Iterable[Cover]) -> list[Cover]:
    """Keep the first cover of each title."""
    kept: dict[tuple[str, ...], Cover] = {}
    for cover in covers:
        kept.setdefault(title_key(cover.title), cover)
    return list(kept.values())
