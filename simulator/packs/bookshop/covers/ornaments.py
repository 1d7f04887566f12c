"""Shapes that designs share: stars, leaves, ridges, labels. Not responsible for: where they stand."""

from __future__ import annotations

import math
import random

from PIL import Image, ImageChops, ImageDraw

from simulator.packs.bookshop.covers.face import Face, H, W
from simulator.packs.bookshop.covers.lettering import Colour


def plate(face: Face, top: int, bottom: int) -> None:
    """Paste a label with the title on a pattern."""
    if face.title is None:
        return
    paper, ink = face.palette.paper, face.palette.ink
    face.draw.rectangle((80, top, W - 80, bottom), fill=paper)
    face.draw.rectangle((94, top + 14, W - 94, bottom - 14), outline=ink, width=4)
    face.draw.rectangle((104, top + 24, W - 104, bottom - 24), outline=ink, width=2)
    face.letter((140, top + 50, W - 140, bottom - 50), ink, author=face.palette.first, largest=92, rule=True)


def mix(one: Colour, other: Colour, part: float) -> Colour:
    """Mix two inks; a part of 0 is the first."""
    mixed = [round(a + (b - a) * part) for a, b in zip(one, other, strict=True)]
    return mixed[0], mixed[1], mixed[2]


def sky(face: Face, top: Colour, bottom: Colour) -> None:
    """Print a sky that changes its colour downwards."""
    for band in range(40):
        y = band * H // 40
        face.draw.rectangle((0, y, W, y + H // 40), fill=mix(top, bottom, band / 39))


def ridge(chance: random.Random, y: int, height: int, bumps: int) -> list[tuple[float, float]]:
    """Give the outline of hills: two waves of chance phase, closed along the bottom."""
    one, two = chance.uniform(0, 6.3), chance.uniform(0, 6.3)
    points = [
        (
            float(x),
            y + height * (math.sin(one + x * bumps / W * 2) + 0.4 * math.sin(two + x * bumps / W * 5)),
        )
        for x in range(0, W + 20, 20)
    ]
    return [*points, (W, H), (0, H)]


def wedge(
    draw: ImageDraw.ImageDraw, centre: tuple[int, int], radius: float, start: float, end: float, colour: Colour
) -> None:
    """Draw a ray from a centre, between two angles (radians)."""
    x, y = centre
    rim = [(x + radius * math.cos(angle), y + radius * math.sin(angle)) for angle in (start, end)]
    draw.polygon([(x, y), *rim], fill=colour)


def star(draw: ImageDraw.ImageDraw, centre: tuple[int, int], radius: float, colour: Colour) -> None:
    """Draw a star of four points."""
    points = [
        (centre[0] + r * math.sin(n * math.pi / 4), centre[1] - r * math.cos(n * math.pi / 4))
        for n in range(8)
        for r in ((radius if n % 2 == 0 else radius * 0.35),)
    ]
    draw.polygon(points, fill=colour)


def leaf(draw: ImageDraw.ImageDraw, stem: tuple[float, float], angle: float, length: float, colour: Colour) -> None:
    """Draw a pointed leaf that grows from its stem in a direction (radians)."""
    outline = []
    for side in (1, -1):
        steps = range(0, 9) if side == 1 else range(8, -1, -1)
        for step in steps:
            along, across = step / 8, side * 0.24 * math.sin(math.pi * step / 8)
            x = length * (along * math.cos(angle) - across * math.sin(angle))
            y = length * (along * math.sin(angle) + across * math.cos(angle))
            outline.append((stem[0] + x, stem[1] + y))
    draw.polygon(outline, fill=colour)


def rosette(face: Face, centre: tuple[int, int], radius: int, colour: Colour, heart: Colour) -> None:
    """Draw a flower seen from above."""
    petals = face.chance.choice((6, 8, 10, 12))
    for number in range(petals):
        leaf(face.draw, centre, number * 2 * math.pi / petals, radius, colour)
    r = radius // 5
    face.draw.ellipse((centre[0] - r, centre[1] - r, centre[0] + r, centre[1] + r), fill=heart, outline=colour, width=4)


def overprint(picture: Image.Image, shape: Image.Image, at: tuple[int, int]) -> None:
    """Print a shape on white over what is there, as transparent ink."""
    box = (*at, at[0] + shape.width, at[1] + shape.height)
    below = picture.crop(box)
    picture.paste(Image.blend(below, ImageChops.multiply(below, shape), 0.92), at)
