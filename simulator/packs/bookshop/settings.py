"""What ``sim.toml`` says of bookshops. Not responsible for: fetching or drawing covers."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

import platformdirs
from pydantic import Field

from simulator.config import Site
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


class BookshopSettings(Section):
    """The section ``bookshop``, and that of a site."""

    stock_seller: str | None = None
    """A seller who is always there, whose items are taken when no other user has any."""
    covers: Covers = Field(default_factory=Covers)


def settings_of(site: Site) -> BookshopSettings:
    """Give what holds on a site."""
    return site.section("bookshop", BookshopSettings)


MOVED = {
    "covers": "bookshop.covers",
    "site.*.covers": "site.*.bookshop.covers",
    "site.*.stock_seller": "site.*.bookshop.stock_seller",
}
"""Keys that stood elsewhere before packs had sections."""
