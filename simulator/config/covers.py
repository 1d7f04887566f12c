"""The section ``covers``: where book covers come from. Not responsible for: fetching or drawing them."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import Field

from simulator.config.values import HttpUrl, RootedPath, SecretRef, Section

CoverSource = Literal["offline", "open_library", "google_books"]


def _cache_dir() -> Path:
    return platformdirs.user_cache_path("simulator", appauthor=False) / "covers"


class Covers(Section):
    """Where book covers come from, and how politely they are asked for."""

    sources: Annotated[tuple[CoverSource, ...], Field(min_length=1)] = ("offline",)
    """Asked in this order, until there are enough covers. What none of them has is drawn."""
    cache_dir: RootedPath = Field(default_factory=_cache_dir)
    contact: str = ""
    """A mail address or URL for the User-Agent, so that a public service can reach whoever asks."""
    open_library_url: HttpUrl = "https://openlibrary.org"
    open_library_covers_url: HttpUrl = "https://covers.openlibrary.org"
    google_books_url: HttpUrl = "https://www.googleapis.com/books/v1"
    google_books_key: SecretRef | None = None
    """An API key for Google Books; without one it answers few requests a day from one address."""
    rate: Annotated[float, Field(gt=0, le=100)] = 1.0
    """Requests a second, to each host."""
    timeout_seconds: Annotated[float, Field(gt=0, le=120)] = 5.0
    """For one request, from connecting to the last byte."""
    max_bytes: Annotated[int, Field(ge=1024)] = 5_000_000
    """Size of the largest image that is accepted."""
    allow_private: bool = False
    """Whether covers may come from loopback and private addresses, and over plain http."""
