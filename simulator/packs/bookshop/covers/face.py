"""The face of a cover that is being drawn: its inks, and the lettering on it. Not responsible for: any design."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import NamedTuple

from PIL import Image, ImageDraw

from simulator.packs.bookshop.covers.lettering import Align, Block, Colour, fit, write

SCALE = 2
"""Covers are drawn this much larger, and reduced, so that their edges are smooth."""
W, H = 400 * SCALE, 600 * SCALE


class Palette(NamedTuple):
    """Inks that were printed together."""

    paper: Colour
    ink: Colour
    ground: Colour
    first: Colour
    second: Colour


def _hex(text: str) -> Palette:
    colours = [(int(word[:2], 16), int(word[2:4], 16), int(word[4:], 16)) for word in text.split()]
    return Palette(*colours)


PALETTES = tuple(
    map(
        _hex,
        (
            "f2e8d0 1f2a36 27485c d9622b e9b44c",
            "efe3c8 2b1d1a 7a2e2a c98b3c 5d6b4a",
            "f4ead5 1d2b2a 2f5d50 e0a458 b5442e",
            "eee4cf 201c2b 3d3558 c65b4a e3b778",
            "f3e9d2 22211f b8432f 2f4858 e8b04a",
            "ede2c6 1c2321 4b5d3a c7702e e5c77f",
            "f1e6d3 26201c 5b3a29 d08c4f 8fa38a",
            "f0e7d6 14232e 1f5673 e4572e 8cb9b2",
            "f5ecd9 2a1a1f 8c2f39 e1a95f 3e5c5f",
            "efe5cd 1e1e24 444b6e d96c5a f0c987",
        ),
    )
)


@dataclass(frozen=True, slots=True)
class Face:
    """A cover to be filled.

    Attributes:
        picture: the whole face, of the colour of the paper.
        draw: draws on it.
        palette: the inks.
        title: None when it cannot be lettered.
        author: may be empty.
        chance: decides what is left open, the same for the same book.
    """

    picture: Image.Image
    draw: ImageDraw.ImageDraw
    palette: Palette
    title: str | None
    author: str
    chance: random.Random

    def fill(self, colour: Colour) -> None:
        """Print the whole face in one ink."""
        self.draw.rectangle((0, 0, W, H), fill=colour)

    def letter(
        self,
        box: tuple[int, int, int, int],
        colour: Colour,
        *,
        author: Colour | None = None,
        align: Align = "center",
        largest: int = 110,
        capitals: bool = False,
        weight: float = 0.02,
        rule: bool = False,
    ) -> None:
        """Put title and author into a box, one above the other, as large as they fit."""
        if self.title is None:
            return
        left, top, right, bottom = box
        width, height = right - left, bottom - top
        tracking = 0.06 if capitals else 0.0
        title = self.title.upper() if capitals else self.title
        name: Block | None = None
        if self.author:
            name = fit(self.author.upper(), width, height // 4, 34, 22, 0.12)
        gap = 46 if name else 0
        block = fit(title, width, height - gap - (name.height if name else 0), largest, 30, tracking)
        whole = block.height + gap + (name.height if name else 0)
        x = left if align == "left" else (left + right) // 2
        y = top + (height - whole) // 2
        below = self.picture.getpixel(((left + right) // 2, y + block.height // 2))
        assert isinstance(below, tuple)
        colour, signed = self._legible(colour, below), self._legible(author or colour, below)
        write(self.draw, block, (x, y), colour, align=align, tracking=tracking, weight=weight)
        if name is None:
            return
        y += block.height + gap
        if rule:
            start = left if align == "left" else x - 50
            self.draw.rectangle((start, y - gap // 2 + 6, start + 100, y - gap // 2 + 9), fill=signed)
        write(self.draw, name, (x, y), signed, align=align, tracking=0.12, weight=0.015)

    def _legible(self, wanted: Colour, below: tuple[int, ...]) -> Colour:
        """Give an ink that stands out from the colour below it: the wanted one if it does."""
        inks = (wanted, self.palette.paper, self.palette.ink)
        return next((ink for ink in inks if _contrast(ink, below) >= 3), wanted)


def _contrast(one: tuple[int, ...], other: tuple[int, ...]) -> float:
    """Give the contrast of two colours, from 1 to 21 (WCAG 2, with a gamma of 2.2 for the curve)."""
    lower, higher = sorted((_luminance(one), _luminance(other)))
    return (higher + 0.05) / (lower + 0.05)


def _luminance(colour: tuple[int, ...]) -> float:
    red, green, blue = (float((part / 255) ** 2.2) for part in colour[:3])
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
