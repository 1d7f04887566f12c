"""The template environment: compiled once, with the few filters that pages need."""

from __future__ import annotations

from datetime import date

from jinja2 import Environment, PackageLoader, StrictUndefined, select_autoescape

from simulator.demo.assets import asset_url
from simulator.demo.forms import CONDITIONS, GENRES

SHOP = "Foxed & Found"


def price(pence: int) -> str:
    """Return the price as one reads it: `£4.50`."""
    return f"£{pence // 100}.{pence % 100:02}"


def day(iso: str) -> str:
    """Return a stored date or time as one reads it: `3 May 2026`."""
    when = date.fromisoformat(iso[:10])
    return f"{when.day} {when:%B %Y}"


def count(number: int, one: str, many: str) -> str:
    """Return a number with its noun: `1 book`, `2 books`."""
    return f"{number} {one if number == 1 else many}"


ENVIRONMENT = Environment(
    loader=PackageLoader("simulator.demo"),
    autoescape=select_autoescape(),
    auto_reload=False,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
ENVIRONMENT.filters.update(price=price, day=day, count=count)
ENVIRONMENT.globals.update(shop=SHOP, asset_url=asset_url, genres=GENRES, conditions=CONDITIONS)
