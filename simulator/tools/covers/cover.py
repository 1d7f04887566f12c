"""What a cover is, and what makes bytes an image of one. Not responsible for: where covers come from."""

from __future__ import annotations

import io
import unicodedata
import warnings
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Literal

from PIL import Image, UnidentifiedImageError
from pydantic import BaseModel, ConfigDict

from simulator.canonical import sha256
from simulator.config import CoverSource
from simulator.errors import ToolError

MediaType = Literal["image/png", "image/jpeg", "image/webp"]
MEDIA_TYPES: dict[str, MediaType] = {"PNG": "image/png", "JPEG": "image/jpeg", "WEBP": "image/webp"}
MIN_SIDE = 32
"""Pixels. What is smaller is a placeholder that stands for "no cover"."""
MAX_PIXELS = 25_000_000


class Cover(BaseModel):
    """A cover that was found for a book."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    title: str
    author: str
    cover_url: str
    """An https address, or ``cover:`` and the hash of a drawn image."""
    source: CoverSource


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
    """Reduce a title to what tells books apart: no subtitle, no article, no case, accents or punctuation."""
    key = words(title.partition(":")[0]) or words(title)
    return key[1:] if len(key) > 1 and key[0] in {"the", "a", "an"} else key


def one_a_title(covers: Iterable[Cover]) -> list[Cover]:
    """Keep the first cover of each title."""
    kept: dict[tuple[str, ...], Cover] = {}
    for cover in covers:
        kept.setdefault(title_key(cover.title), cover)
    return list(kept.values())
