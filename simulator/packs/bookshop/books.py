"""A copy of a book that an identity offers: its condition, price and description.

Responsible for what differs from copy to copy. Which title it is, `dealing` decides; how it is worded,
`prose`.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, Decimal
from functools import lru_cache

from pydantic import BaseModel, ConfigDict

from simulator.packs.bookshop.catalogue import Title
from simulator.packs.bookshop.prose import describe_book, revise_description
from simulator.packs.bookshop.tastes import PriceRange
from simulator.persona.draws import Draw
from simulator.persona.identity import Identity
from simulator.persona.model import Traits

CONDITIONS = ("Like new", "Good", "Good", "Good", "Fair", "Fair", "Worn")
"""Conditions of second-hand copies, as often as they are met."""
_ENDINGS = (
    Decimal("0.00"),
    Decimal("0.50"),
    Decimal("0.95"),
    Decimal("0.99"),
    Decimal("0.00"),
    Decimal("0.50"),
)
_CENT = Decimal("0.01")


class Book(BaseModel):
    """One copy for sale."""

    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)

    title: str
    author: str
    year: int
    genre: str
    language: str
    condition: str
    price: str
    """Two decimals, such as "7.50"."""
    description: str
    new_price: str
    """What a later edit asks; equal to ``price`` only if the range holds a single price."""
    new_description: str
    """What a later edit of the listing says."""


def draw_book(title: Title, *, prices: PriceRange, traits: Traits, locale: str, key: tuple[str | int, ...]) -> Book:
    """Draw the copy of ``title`` that the holder of ``key`` offers."""
    condition = Draw(*key, "condition").choice(CONDITIONS)
    price = _price(prices, Draw(*key, "price"))
    description = describe_book(title, condition, traits=traits, locale=locale, key=(*key, "description"))
    return Book(
        title=title.title,
        author=title.author,
        year=title.year,
        genre=title.genre,
        language=title.language,
        condition=condition,
        price=f"{price:.2f}",
        description=description,
        new_price=f"{_lowered(price, prices):.2f}",
        new_description=revise_description(description, locale=locale, key=(*key, "new_description")),
    )


@lru_cache(maxsize=256)
def _read(row: tuple[tuple[str, str | int], ...]) -> Book:
    return Book.model_validate(dict(row))


def books_of(identity: Identity) -> tuple[Book, ...]:
    """Give the books that a user deals in, in order."""
    return tuple(_read(tuple(row.values().items())) for row in identity.rows("book"))


def _bounds(prices: PriceRange) -> tuple[Decimal, Decimal]:
    lowest = Decimal(str(prices.min)).quantize(_CENT, ROUND_CEILING)
    return lowest, max(Decimal(str(prices.max)).quantize(_CENT, ROUND_FLOOR), lowest)


def _price(prices: PriceRange, draw: Draw) -> Decimal:
    lowest, highest = _bounds(prices)
    whole = lowest.to_integral_value(ROUND_FLOOR) + draw.below(int(highest - lowest) + 1)
    return min(max(whole + draw.choice(_ENDINGS), lowest), highest)


def _lowered(price: Decimal, prices: PriceRange) -> Decimal:
    lowest, highest = _bounds(prices)
    lower = max((price * Decimal("0.8")).quantize(_CENT), lowest)
    return lower if lower != price else highest
