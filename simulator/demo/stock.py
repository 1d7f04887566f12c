"""The house's own stock, so that the shop is never empty: a dozen books and two matchups.

All titles are in the public domain; their covers are drawn here, the same bytes each time.
"""

from __future__ import annotations

import io
import sqlite3
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageDraw, ImageFont

from simulator.demo import listings, matchups, users
from simulator.demo.forms import Book, Picture

HOUSE = {
    "username": "house",
    "display_name": "The house shelf",
    "email": "house@foxedandfound.example",
    "city": "Hay-on-Wye",
}

_WIDTH, _HEIGHT = 300, 450


class Stocked(NamedTuple):
    """A book of the house and the colours of its cover."""

    book: Book
    cloth: str
    ink: str


def _book(
    title: str, author: str, genre: str, condition: str, pence: int, cloth: str, ink: str, text: str
) -> Stocked:
    return Stocked(Book(title, author, genre, condition, pence, text), cloth, ink)


STOCK = (
    _book("Pride and Prejudice", "Jane Austen", "romance", "good", 650, "#5b2333", "#f2d9b8",
          "A cloth-bound reading copy. Neat ink name on the flyleaf, otherwise clean throughout."),
    _book("Frankenstein", "Mary Shelley", "gothic", "fair", 480, "#1f2d2b", "#a9d18e",
          "Spine a little faded, pages toned at the edges. The text of 1818."),
    _book("Moby-Dick", "Herman Melville", "adventure", "worn", 375, "#17405c", "#f4efe2",
          "A well-travelled copy: corners bumped, hinges sound. Complete with the extracts."),
    _book("The Hound of the Baskervilles", "Arthur Conan Doyle", "crime", "good", 725, "#3a3a2c", "#e3b04b",
          "With the original magazine illustrations. Light foxing to the first leaves."),
    _book("Middlemarch", "George Eliot", "classics", "like-new", 890, "#45553d", "#f6e7c8",
          "All eight books in one volume. Looks unread."),
    _book("The Time Machine", "H. G. Wells", "science-fiction", "good", 520, "#7a3b1d", "#ffe3b0",
          "Pocket format, with a ribbon. A short pencil note on the last page."),
    _book("Treasure Island", "Robert Louis Stevenson", "adventure", "fair", 450, "#8a6a2f", "#fff6df",
          "The map is present and has not been coloured in by a previous owner."),
    _book("Leaves of Grass", "Walt Whitman", "poetry", "good", 1100, "#2e5339", "#e9f0c9",
          "The long edition. Uncut at the top edge; a pressed fern came with it and stays with it."),
    _book("On the Origin of Species", "Charles Darwin", "science", "good", 1450, "#4b4e6d", "#e7e3d4",
          "Reprint of the first edition with the folding diagram intact."),
    _book("Walden", "Henry David Thoreau", "essays", "like-new", 600, "#5f7a76", "#fdf6e3",
          "Bought for a summer that turned out too busy for it."),
    _book("Dracula", "Bram Stoker", "gothic", "good", 780, "#6b0f1a", "#f5e9da",
          "Bright boards, tight binding. Best read by daylight."),
    _book("Alice's Adventures in Wonderland", "Lewis Carroll", "children", "fair", 925, "#31537c", "#fbe8a6",
          "With the Tenniel pictures. A child has added a moustache to one Cheshire Cat."),
)  # fmt: skip
MATCHUPS = ((1, 10), (2, 6))
"""Positions in the stock: Frankenstein against Dracula, Moby-Dick against Treasure Island."""


def add(db: sqlite3.Connection) -> None:
    """Put the house's stock into an empty site, in the caller's transaction."""
    house = users.create(db, HOUSE, password=None)
    stocked = [listings.create(db, house, item.book, cover(n)) for n, item in enumerate(STOCK)]
    for first, second in MATCHUPS:
        matchups.create(db, house, stocked[first], stocked[second])


@cache
def cover(number: int) -> Picture:
    """Draw the cover of a book of the house."""
    book, cloth, ink = STOCK[number]
    image = Image.new("RGB", (_WIDTH, _HEIGHT), cloth)
    draw = ImageDraw.Draw(image)
    draw.rectangle((0, 0, 14, _HEIGHT), fill=_darker(cloth))
    draw.rectangle((28, 18, _WIDTH - 15, _HEIGHT - 19), outline=ink, width=3)
    draw.rectangle((36, 26, _WIDTH - 23, _HEIGHT - 27), outline=ink, width=1)
    centre, room = (_WIDTH + 14) // 2, _WIDTH - 82
    _ornament(draw, number, centre, ink)
    _lines(draw, book.title, 74, centre, room, 34, ink)
    _lines(draw, book.author, 376, centre, room, 19, ink)
    out = io.BytesIO()
    image.quantize(32).save(out, "PNG")
    return Picture("image/png", out.getvalue())


def _lines(
    draw: ImageDraw.ImageDraw, text: str, top: int, centre: int, room: int, size: int, ink: str
) -> None:
    font = ImageFont.load_default(size)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font) <= room or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    for n, line in enumerate(lines):
        draw.text((centre, top + n * size * 1.2), line, fill=ink, font=font, anchor="mm")


def _ornament(draw: ImageDraw.ImageDraw, number: int, centre: int, ink: str) -> None:
    """Draw a device for the middle of the cover, one of four."""
    middle = 278
    if number % 4 == 0:
        for radius in (18, 30, 42):
            draw.ellipse(
                (centre - radius, middle - radius, centre + radius, middle + radius), outline=ink, width=2
            )
    elif number % 4 == 1:
        for step in range(5):
            half = 46 - step * 10
            draw.polygon(
                [
                    (centre, middle - half),
                    (centre + half, middle),
                    (centre, middle + half),
                    (centre - half, middle),
                ],
                outline=ink,
            )
    elif number % 4 == 2:
        for step in range(4):
            y = middle - 26 + step * 18
            draw.arc((centre - 60, y - 20, centre, y + 20), 0, 180, fill=ink, width=3)
            draw.arc((centre, y - 20, centre + 60, y + 20), 180, 360, fill=ink, width=3)
    else:
        for angle in range(0, 360, 30):
            draw.pieslice((centre - 46, middle - 46, centre + 46, middle + 46), angle, angle + 12, fill=ink)


def _darker(colour: str) -> tuple[int, ...]:
    return tuple(int(colour[n : n + 2], 16) * 7 // 10 for n in (1, 3, 5))
