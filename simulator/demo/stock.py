"""The house's own stock, so that the shop is never empty: a dozen books and two matchups.

All titles are in the public domain; their covers are drawn here, the same bytes each time.
"""

from __future__ import annotations

import io
import sqlite3
from functools import cache
from typing import NamedTuple

from PIL import Image, ImageColor, ImageDraw, ImageFont

from simulator.demo import listings, matchups, users
from simulator.demo.forms import Book, Picture

HOUSE = {
    "username": "house",
    "display_name": "The house shelf",
    "email": "house@foxedandfound.example",
    "city": "Hay-on-Wye",
}

_WIDTH, _HEIGHT = 600, 900
_CENTRE = _WIDTH // 2 + 14
_SPINE = 15
"""The shade of the spine; those below it go from cloth to ink. Sixteen make a small file."""


class Stocked(NamedTuple):
    """A book of the house and the colours of its cover."""

    book: Book
    cloth: str
    ink: str


def _book(title: str, author: str, genre: str, condition: str, pence: int, cloth: str, ink: str, text: str) -> Stocked:
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
    """Draw the cover of a book of the house: one ink on coloured cloth, drawn at twice its size."""
    book, cloth, ink = STOCK[number]
    sheet = Image.new("L", (_WIDTH, _HEIGHT), 0)
    draw = ImageDraw.Draw(sheet)
    draw.rectangle((56, 36, _WIDTH - 32, _HEIGHT - 38), outline=255, width=6)
    draw.rectangle((72, 52, _WIDTH - 48, _HEIGHT - 54), outline=255, width=2)
    _ornament(draw, number)
    _lines(draw, book.title, 148, 68)
    _lines(draw, book.author, 752, 38)
    shades = sheet.reduce(2).point([level * _SPINE // 256 for level in range(256)])
    shades.paste(_SPINE, (0, 0, 15, _HEIGHT // 2))
    image = Image.frombytes("P", shades.size, shades.tobytes())
    image.putpalette(_palette(cloth, ink))
    out = io.BytesIO()
    image.save(out, "PNG", bits=4)
    return Picture("image/png", out.getvalue())


def _palette(cloth: str, ink: str) -> list[int]:
    """Return the shades from cloth to ink, and the darker cloth of the spine as the last one."""
    ground, print_ = (ImageColor.getrgb(colour)[:3] for colour in (cloth, ink))
    last = _SPINE - 1
    shades = [(g * (last - n) + p * n) // last for n in range(_SPINE) for g, p in zip(ground, print_, strict=True)]
    return [*shades, *(channel * 7 // 10 for channel in ground)]


def _lines(draw: ImageDraw.ImageDraw, text: str, top: int, size: int) -> None:
    font = _font(size)
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}".strip()
        if draw.textlength(longer, font) <= _WIDTH - 164 or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    for n, line in enumerate(lines):
        draw.text((_CENTRE, top + n * size * 1.2), line, fill=255, font=font, anchor="mm")


@cache
def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return ImageFont.load_default(size)


def _ornament(draw: ImageDraw.ImageDraw, number: int) -> None:
    """Draw a device for the middle of the cover, one of four."""
    x, y = _CENTRE, 556
    if number % 4 == 0:
        for radius in (36, 60, 84):
            draw.circle((x, y), radius, outline=255, width=5)
    elif number % 4 == 1:
        for half in (92, 72, 52, 32, 12):
            draw.polygon([(x, y - half), (x + half, y), (x, y + half), (x - half, y)], outline=255, width=4)
    elif number % 4 == 2:
        for wave in (y - 52, y - 16, y + 20, y + 56):
            draw.arc((x - 120, wave - 40, x, wave + 40), 0, 180, fill=255, width=6)
            draw.arc((x, wave - 40, x + 120, wave + 40), 180, 360, fill=255, width=6)
    else:
        for angle in range(0, 360, 30):
            draw.pieslice((x - 92, y - 92, x + 92, y + 92), angle, angle + 12, fill=255)
