"""Draws a picture for a row of a data set: a few shapes, no two alike, with the words that it is called by.

What is drawn follows from the name of the file alone, so a replay needs nothing else to draw it again. Not responsible
for: which row gets one.
"""

from __future__ import annotations

import hashlib
import io
import random
import re
import textwrap

ENDING = ".png"
SIZE = (960, 720)
"""Width and height in pixels."""
_WORDS = re.compile(r"[^\W_]+")
_MARK = re.compile(r"-[0-9a-f]{10}$")
_LONGEST = 60
"""Characters of what a row is called that stand in the name of its picture."""


def picture_name(called: str, key: str) -> str:
    """Give the name of the file for a row.

    Args:
        called: what the row is called.
        key: distinguishes it from all other rows, as it is drawn from the seed.
    """
    words = "-".join(_WORDS.findall(called.lower()))[:_LONGEST].strip("-") or "picture"
    return f"{words}-{hashlib.sha256(f'{key}|{called}'.encode()).hexdigest()[:10]}{ENDING}"


def draw_picture(name: str) -> bytes:
    """Draw the picture of a file's name, as PNG.

    Args:
        name: as :func:`picture_name` gives it.
    """
    from PIL import Image, ImageDraw, ImageFont  # where no picture is drawn, nothing is loaded that draws

    drawn = random.Random(name)
    width, height = SIZE
    hue = drawn.randrange(360)
    image = Image.new("RGB", SIZE, f"hsl({hue}, 35%, 88%)")
    draw = ImageDraw.Draw(image)
    for _ in range(9):
        x, y, size = drawn.randrange(width), drawn.randrange(height), drawn.randrange(60, 260)
        shade, strong, light = hue + drawn.choice((0, 30, 150, 180)), drawn.randrange(35, 70), drawn.randrange(45, 75)
        colour = f"hsl({shade % 360}, {strong}%, {light}%)"
        box = (x - size, y - size, x + size, y + size)
        match drawn.randrange(3):
            case 0:
                draw.ellipse(box, fill=colour)
            case 1:
                draw.rectangle((x - size, y - size // 3, x + size, y + size // 3), fill=colour)
            case _:
                draw.regular_polygon((x, y, size), drawn.randrange(3, 7), drawn.randrange(360), fill=colour)
    words = _MARK.sub("", name.removesuffix(ENDING)).replace("-", " ")
    lines = textwrap.wrap(words, 22)[:4]
    if all(char.isascii() or char in "äöüßéèêëàâáçñóòôúùûíìîåøæœãõ" for char in words):  # what the built-in font has
        font = ImageFont.load_default(56)
        top = height // 2 - 36 * len(lines)
        draw.rectangle((40, top - 30, width - 40, top + 72 * len(lines) + 20), fill=f"hsl({hue}, 30%, 96%)")
        for number, line in enumerate(lines):
            draw.text((width // 2, top + 72 * number), line, f"hsl({hue}, 60%, 18%)", font, anchor="ma")
    told = io.BytesIO()
    image.save(told, "PNG", optimize=False)
    return told.getvalue()
