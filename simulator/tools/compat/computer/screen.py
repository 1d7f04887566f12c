"""Between the page's viewport and the picture of it that a model sees. Pure: nothing here looks at a page.

A model points at a pixel of its picture; a pixel stands for an area of the page, and its middle is meant.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, sqrt
from typing import NamedTuple

LONG_EDGE = 1568
PIXELS = 1_150_000
"""Larger pictures are made smaller by the model's own API, which would move what it points at
(https://platform.claude.com/docs/en/build-with-claude/vision)."""
_ROUNDING = 1e-9
"""A side that is exactly as long as it may be is not made shorter by the error of a division."""


class Size(NamedTuple):
    """Width and height in pixels."""

    width: int
    height: int


class Region(NamedTuple):
    """A part of a page, in CSS pixels: from its left upper corner to its right lower one."""

    left: float
    top: float
    right: float
    bottom: float


@dataclass(frozen=True, slots=True)
class Screen:
    """A viewport, and the size in which it is shown."""

    real: Size
    seen: Size

    @classmethod
    def of(cls, width: int, height: int) -> Screen:
        """Choose the size in which a viewport is shown: its own, or as large as pictures may be.

        Args:
            width: of the viewport in CSS pixels.
            height: of the viewport in CSS pixels.
        """
        scale = min(1.0, LONG_EDGE / max(width, height), sqrt(PIXELS / (width * height)))
        across, down = (max(1, floor(side * scale + _ROUNDING)) for side in (width, height))
        return cls(Size(width, height), Size(across, down))

    def holds(self, x: int, y: int) -> bool:
        """Return whether a pixel is one of the picture."""
        return 0 <= x < self.seen.width and 0 <= y < self.seen.height

    def to_page(self, x: int, y: int) -> tuple[float, float]:
        """Give the middle of what a pixel of the picture stands for, in CSS pixels of the viewport."""
        return (x + 0.5) * self.real.width / self.seen.width, (y + 0.5) * self.real.height / self.seen.height

    def to_seen(self, x: float, y: float) -> tuple[int, int]:
        """Give the pixel of the picture that stands for a point of the viewport; the nearest for one beside it."""
        column = floor(x * self.seen.width / self.real.width)
        line = floor(y * self.seen.height / self.real.height)
        return min(max(column, 0), self.seen.width - 1), min(max(line, 0), self.seen.height - 1)

    def region(self, x0: int, y0: int, x1: int, y1: int) -> Region:
        """Give the part of the page between two corners in the picture."""
        across, down = self.real.width / self.seen.width, self.real.height / self.seen.height
        return Region(x0 * across, y0 * down, x1 * across, y1 * down)

    def enlarged(self, region: Region) -> Size:
        """Give the size in which a part of the page fills the picture, with its own proportions."""
        width, height = region.right - region.left, region.bottom - region.top
        scale = min(self.seen.width / width, self.seen.height / height)
        return Size(max(1, round(width * scale)), max(1, round(height * scale)))
