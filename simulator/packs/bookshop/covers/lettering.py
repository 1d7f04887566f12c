"""Text on a drawn cover, in the one font that comes with Pillow. Not responsible for: where it stands.

That font has the letters of English only. Accents are drawn here; what has no such form (Cyrillic, kana) cannot be
lettered, and a cover then goes without a text.
"""

from __future__ import annotations

import unicodedata
from dataclasses import dataclass
from functools import cache, lru_cache
from typing import Literal

from PIL import ImageDraw, ImageFont

Align = Literal["left", "center"]
Colour = tuple[int, int, int]
_REFERENCE = 100
_SPELLED = {
    "ß": "ss", "æ": "ae", "Æ": "AE", "œ": "oe", "Œ": "OE", "ø": "o", "Ø": "O", "ł": "l", "Ł": "L", "đ": "d",
    "Đ": "D", "\u0131": "i", "þ": "th", "Þ": "Th", "ð": "d", "Ð": "D", "\u2013": "-", "\u2014": "-", "«": '"',
    "»": '"', "„": '"', "\u2018": "'", "\u2019": "'", "¡": "", "¿": "",
}  # fmt: skip
_BELOW = {"\u0327", "\u0328", "\u0326", "\u0323"}
_DRAWABLE = {*"\u0300\u0301\u0302\u0303\u0304\u0306\u0307\u0308\u030a\u030b\u030c", *_BELOW}


@dataclass(frozen=True, slots=True)
class Block:
    """Lines of one size that fit a width.

    Attributes:
        lines: from top to bottom.
        size: of the font, in pixels.
        leading: from one line to the next, in pixels.
    """

    lines: tuple[str, ...]
    size: int
    leading: int

    @property
    def height(self) -> int:
        """Pixels from the top of the first line to the bottom of the last."""
        return self.leading * (len(self.lines) - 1) + self.size


def letters(text: str) -> str | None:
    """Spell a text with what can be drawn: base letters, each with the combining marks that follow it.

    Returns:
        None when the text has letters that cannot be drawn.
    """
    spelled = unicodedata.normalize("NFD", "".join(_SPELLED.get(char, char) for char in text))
    fit = all(char.isascii() or char in _DRAWABLE or char in "“”…·" for char in spelled)
    return spelled if fit else None


def fit(text: str, width: int, height: int, largest: int, smallest: int, tracking: float = 0) -> Block:
    """Break a text into lines as large as a box allows.

    Args:
        text: as :func:`letters` gives it.
        width: of the box, in pixels.
        height: of the box, in pixels.
        largest: size to begin with.
        smallest: size at which the text is cut off instead.
        tracking: space between letters, in parts of the size.
    """
    size = largest
    while True:
        lines = _wrap(text.split(), width / size, tracking)
        block = Block(lines, size, round(size * 1.16))
        wide = max((_width(line, tracking) for line in lines), default=0) * size
        if wide <= width and block.height <= height:
            return block
        if size <= smallest:
            room = max((height - size) // block.leading + 1, 1)
            kept = [_cut(line, width / size, tracking) for line in lines[:room]]
            if len(lines) > room:
                kept[-1] = _cut(kept[-1] + "…" * 2, width / size, tracking)
            return Block(tuple(kept), size, block.leading)
        size = max(smallest, size - max(2, size // 12))


def write(
    draw: ImageDraw.ImageDraw,
    block: Block,
    at: tuple[int, int],
    colour: Colour,
    *,
    align: Align = "center",
    tracking: float = 0,
    weight: float = 0,
) -> None:
    """Draw a block of text.

    Args:
        draw: where to.
        block: the lines.
        at: the top of the block, at its left edge or its middle as ``align`` says.
        colour: of the letters.
        align: how lines stand to each other.
        tracking: as given to :func:`fit`.
        weight: how much bolder than regular, in parts of the size.
    """
    font = _font(block.size)
    stroke = block.size * weight
    for number, line in enumerate(block.lines):
        x = float(at[0])
        if align == "center":
            x -= _width(line, tracking) * block.size / 2
        top = at[1] + number * block.leading
        for base, marks in _clusters(line):
            draw.text((x, top), base, fill=colour, font=font, stroke_width=stroke, anchor="la")
            for mark in marks:
                _mark(draw, mark, font.getbbox(base, anchor="la"), (x, top), block.size, colour)
            x += (_advance(base) + tracking) * block.size


def _mark(
    draw: ImageDraw.ImageDraw,
    mark: str,
    box: tuple[float, float, float, float],
    at: tuple[float, float],
    size: int,
    colour: Colour,
) -> None:
    """Draw an accent over or under a letter whose box is given from where it stands."""
    x = at[0] + (box[0] + box[2]) / 2
    pen = max(2, round(size * 0.07))
    u = size * 0.1
    if mark in _BELOW:
        y = at[1] + box[3]
        draw.line([(x, y), (x + u * 0.4, y + u * 0.8), (x - u * 0.6, y + u * 1.5)], fill=colour, width=pen)
        return
    y = at[1] + box[1] - u * 1.5
    shapes: dict[str, list[list[tuple[float, float]]]] = {
        "\u0300": [[(x - u, y - u * 0.5), (x + u * 0.5, y + u * 0.7)]],
        "\u0301": [[(x + u, y - u * 0.5), (x - u * 0.5, y + u * 0.7)]],
        "\u0302": [[(x - u * 1.3, y + u * 0.6), (x, y - u * 0.6), (x + u * 1.3, y + u * 0.6)]],
        "\u0303": [[(x - u * 1.4, y + u * 0.5), (x - u * 0.5, y - u * 0.3), (x + u * 0.5, y + u * 0.4),
                    (x + u * 1.4, y - u * 0.4)]],
        "\u0304": [[(x - u * 1.3, y), (x + u * 1.3, y)]],
        "\u0306": [[(x - u * 1.2, y - u * 0.6), (x - u * 0.6, y + u * 0.4), (x + u * 0.6, y + u * 0.4),
                    (x + u * 1.2, y - u * 0.6)]],
        "\u030b": [[(x - u * 0.1, y - u * 0.5), (x - u, y + u * 0.7)],
                   [(x + u * 1.4, y - u * 0.5), (x + u * 0.5, y + u * 0.7)]],
        "\u030c": [[(x - u * 1.3, y - u * 0.6), (x, y + u * 0.6), (x + u * 1.3, y - u * 0.6)]],
    }  # fmt: skip
    for shape in shapes.get(mark, []):
        draw.line(shape, fill=colour, width=pen, joint="curve")
    dots = {"\u0308": (-u * 1.1, u * 1.1), "\u0307": (0.0,)}
    for dot in dots.get(mark, ()):
        draw.ellipse((x + dot - pen * 0.7, y - pen * 0.7, x + dot + pen * 0.7, y + pen * 0.7), fill=colour)
    if mark == "\u030a":
        draw.ellipse((x - u, y - u, x + u, y + u), outline=colour, width=max(2, pen // 2))


def _wrap(words: list[str], width: float, tracking: float) -> tuple[str, ...]:
    """Break into as few lines as fit a width (in sizes of the font), all about equally long."""
    lines = _greedy(words, width, tracking)
    if len(lines) > 1:
        total = _width(" ".join(words), tracking)
        even = _greedy(words, max(total / len(lines) * 1.12, max(_width(word, tracking) for word in words)), tracking)
        if len(even) == len(lines):
            return even
    return lines


def _greedy(words: list[str], width: float, tracking: float) -> tuple[str, ...]:
    lines: list[str] = []
    for word in words:
        if lines and _width(f"{lines[-1]} {word}", tracking) <= width:
            lines[-1] += f" {word}"
        else:
            lines.append(word)
    return tuple(lines)


def _cut(line: str, width: float, tracking: float) -> str:
    if _width(line, tracking) <= width:
        return line
    while line and _width(line + "…", tracking) > width:
        line = line[:-1]
    return line.rstrip() + "…"


def _width(line: str, tracking: float) -> float:
    return sum(_advance(base) + tracking for base, _ in _clusters(line)) - tracking if line else 0


@lru_cache(maxsize=4096)
def _clusters(line: str) -> tuple[tuple[str, str], ...]:
    found: list[list[str]] = []
    for char in line:
        if unicodedata.combining(char) and found:
            found[-1][1] += char
        else:
            found.append([char, ""])
    return tuple((base, marks) for base, marks in found)


@cache
def _advance(char: str) -> float:
    """Width of a letter, in sizes of the font."""
    return float(_font(_REFERENCE).getlength(char)) / _REFERENCE


@lru_cache(maxsize=128)
def _font(size: int) -> ImageFont.FreeTypeFont:
    font = ImageFont.load_default(size)
    if not isinstance(font, ImageFont.FreeTypeFont):
        raise RuntimeError("Pillow was built without FreeType, so covers cannot be drawn")
    return font
