"""Drawing a cover for a title: the same bytes for the same book. Not responsible for: layouts, or lettering."""

from __future__ import annotations

import io
import random
from functools import cache, partial

from PIL import Image, ImageChops, ImageDraw, ImageFilter

from simulator.packs.bookshop.covers.face import PALETTES, SCALE, Face
from simulator.packs.bookshop.covers.layouts import LAYOUTS
from simulator.packs.bookshop.covers.lettering import letters

WIDTH, HEIGHT = 400, 600
"""Pixels of the finished cover."""
QUALITIES = (82, 70, 55, 40)
"""Of JPEG; the first that makes a file small enough."""
MAX_BYTES = 60_000
_BY_GENRE = {
    "crime": "night city stairs",
    "horror": "night moon woods",
    "adventure": "rays hills waves",
    "travel": "rays hills waves",
    "classics": "cloth bands leaves",
    "poetry": "cloth leaves waves",
    "drama": "cloth rays circles",
    "biography": "bands circles cloth",
    "history": "bands cloth city",
    "philosophy": "circles tiles bands",
    "science": "circles tiles stairs",
    "science fiction": "orbit moon circles",
    "fantasy": "woods hills moon",
    "children": "tiles hills circles",
    "textbook": "tiles bands stairs",
    "fiction": "waves bands leaves hills circles",
}
"""Layouts that suit a genre; others get any."""


def draw_cover(title: str, author: str, genre: str = "") -> bytes:
    """Draw a cover.

    Args:
        title: in any script; one that cannot be lettered leaves the picture alone on the cover.
        author: may be empty.
        genre: of the catalogue; chooses among layouts.

    Returns:
        A JPEG file of 400 x 600 pixels.
    """
    chance = random.Random(f"{title}|{author}")
    names = _BY_GENRE.get(genre.casefold(), " ".join(LAYOUTS)).split()
    layout = LAYOUTS[chance.choice(names)]
    palette = chance.choice(PALETTES)
    picture = Image.new("RGB", (WIDTH * SCALE, HEIGHT * SCALE), palette.paper)
    face = Face(picture, ImageDraw.Draw(picture), palette, letters(title), letters(author) or "", chance)
    layout(face)
    finished = ImageChops.multiply(picture.reduce(SCALE), _wear(chance.randrange(4)))
    return next(data for data in map(partial(_jpeg, finished), QUALITIES) if len(data) <= MAX_BYTES)


def _jpeg(picture: Image.Image, quality: int) -> bytes:
    file = io.BytesIO()
    picture.save(file, "JPEG", quality=quality, subsampling="4:2:0", optimize=True)
    return file.getvalue()


@cache
def _wear(number: int) -> Image.Image:
    """Draw what years do to a jacket: grain, a crease along the spine, rubbed edges, a darker rim."""
    chance = random.Random(f"wear {number}")
    size = (WIDTH, HEIGHT)
    grain = Image.frombytes("L", size, chance.randbytes(WIDTH * HEIGHT)).filter(ImageFilter.GaussianBlur(0.8))
    wear = grain.point(lambda value: 246 + (value - 128) // 9)
    clouds = Image.frombytes("L", (8, 12), chance.randbytes(96)).resize(size, Image.Resampling.BICUBIC)
    wear = ImageChops.multiply(wear, clouds.point(lambda value: 240 + value // 17))
    rim = Image.new("L", size, 205)
    ImageDraw.Draw(rim).rectangle((9, 9, WIDTH - 10, HEIGHT - 10), fill=255)
    wear = ImageChops.multiply(wear, rim.filter(ImageFilter.GaussianBlur(9)))
    crease = Image.new("L", size, 255)
    draw = ImageDraw.Draw(crease)
    draw.rectangle((0, 0, 5, HEIGHT), fill=215)
    draw.line((16, 0, 16, HEIGHT), fill=190, width=2)
    draw.line((19, 0, 19, HEIGHT), fill=255, width=2)
    wear = ImageChops.multiply(wear, crease.filter(ImageFilter.GaussianBlur(1.2)))
    return Image.merge(
        "RGB", (wear, wear.point(lambda value: value * 253 // 255), wear.point(lambda v: v * 246 // 255))
    )
