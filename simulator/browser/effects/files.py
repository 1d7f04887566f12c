"""What distinguishes an uploaded file from another one: what a picture looks like, coarsely, and what is in it.

Sites keep pictures in other formats, sizes and shapes: the bytes are others, the look is the same. Whatever else a file
is, its bytes are the same. Not responsible for: which pictures and files a page shows, or how the page reads them
(``page/8_looks.js``, ``page/8_files.js``).
"""

from __future__ import annotations

import warnings
import zlib
from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, BinaryIO, Final

from simulator.browser.effects.spots import Spot, bare_name
from simulator.canonical import masked

if TYPE_CHECKING:
    from PIL import Image

_SIDE: Final = 16
"""Parts of a look on each side; each has the mean colour of its part. As in the page's script."""
_COARSE = 8
"""The same of a picture that is shown small: what is finer is blurred there."""
_SMALL = 128
"""Pixels of the shorter side of a picture up to which it is small."""
_REDUCED = 512
"""Pixels of the longer side of what is kept of a picture."""
_MOST_PIXELS = 50_000_000
_MOST_KNOWN = 256
"""Looks whose difference from a picture is remembered."""
_MOST_UNLIKE = 16
"""One in this many parts is compared: those that differ most, as two covers in one manner differ in words alone."""
_SAME, _DOUBT = 10.0, 22.0
"""How much these differ in the mean, of 255. Saving as JPEG, scaling and cutting made 2 to 10 of sixty drawn covers; of
two of these covers one pair in a thousand differed by less than 10, one in a hundred by less than 22. What is between
proves nothing, and is not another picture, either. It costs a proof where a site draws on pictures or bleaches them."""
_MOST_BYTES = 8_000_000
"""Of a file whose bytes are compared, as in the page's script."""
_GONE = "gone"
"""What the page's script reports for a link to a file that the site has not, or no more."""
_SHAPED = 0.02
"""By how much of it the shape of a picture may differ by rounding when it is scaled."""


class UploadedFile:
    """A file that was uploaded, by what it looks like and what is in it; what is no picture looks like none.

    Args:
        file: its path, or what is in it; it is read at once, as nobody keeps it.
    """

    def __init__(self, file: str | BinaryIO) -> None:
        self._read = _reduced(file)
        self._sum = _sum_of(file)
        self._looks: dict[float, tuple[bytes, ...]] = {}
        """What it looks like as a whole, and cut to a shape, by that shape."""
        self._unlikes: dict[str, float] = {}
        """How much it differs from each look that it was compared with: pages show the same pictures again."""

    def is_shown_by(self, look: str) -> bool:
        """Return whether a picture of a page is this one, scaled or cut to another shape around its middle.

        Args:
            look: as the page's script reports it; empty where it cannot.
        """
        return self._unlike(look) <= _SAME

    def is_sought(self, names: Iterable[str]) -> bool:
        """Return whether pages can be asked for it: it is a picture, or has a name with an ending."""
        return self._read is not None or any("." in name for name in names)

    def is_at(self, told: str) -> bool:
        """Return whether this file is what a link leads to.

        Args:
            told: what is there, as the page's script reports it; empty where it cannot.
        """
        return bool(told) and told == self._sum

    def may_be_at(self, told: str) -> bool:
        """Return whether what a link leads to is not surely another file, or none.

        Args:
            told: what is there, as the page's script reports it; empty where it cannot.
        """
        return not told or not self._sum or told == self._sum

    def may_be_shown_by(self, look: str) -> bool:
        """Return whether a picture of a page is not surely another one.

        Args:
            look: as the page's script reports it; empty where it cannot.
        """
        return not look or self._unlike(look) <= _DOUBT

    def _unlike(self, look: str) -> float:
        if look not in self._unlikes:
            if len(self._unlikes) >= _MOST_KNOWN:
                self._unlikes.clear()
            self._unlikes[look] = self._compare(look)
        return self._unlikes[look]

    def _compare(self, look: str) -> float:
        size, _, colours = look.partition(" ")
        width, _, height = size.partition("x")
        if not (width.isdecimal() and height.isdecimal() and int(width) and int(height)):
            return _DOUBT
        shown = bytes.fromhex(colours)
        side = _COARSE if min(int(width), int(height)) <= _SMALL else _SIDE
        own = self._looks_as(int(width) / int(height))
        return min((_difference(_parts(one, side), _parts(shown, side)) for one in own), default=_DOUBT)

    def _looks_as(self, shape: float) -> tuple[bytes, ...]:
        if shape not in self._looks:
            self._looks[shape] = tuple(map(_look, _shaped(self._read, shape))) if self._read else ()
        return self._looks[shape]


def may_be_of(file: UploadedFile, spot: Spot) -> bool:
    """Return whether a place may be of a file: no other picture is shown there, and no other file is there."""
    if spot.kind == "file":
        return file.may_be_at(spot.look)
    return spot.kind == "picture" and file.may_be_shown_by(spot.look)


def instead_of(spot: Spot) -> str:
    """Say what is at a place that is of no file that is sought."""
    if spot.kind == "picture":
        return "another picture"
    return "no file any more" if spot.look == _GONE else "another file"


def is_at(spot: Spot, address: str, names: Iterable[str]) -> bool:
    """Return whether a picture is at an address, or a link that is called as a file leads there.

    Args:
        spot: the place.
        address: as :func:`address_of` gives it.
        names: of the file.
    """
    called = [bare_name(label) for label in spot.labels]
    named = spot.kind == "picture" or any(each.startswith(bare_name(name)) for each in called for name in names)
    return named and address_of(spot) == address


def address_of(spot: Spot) -> str:
    """Give the address of a picture, or of a file, without what the site, or the user, calls it."""
    folder, slash, name = spot.parts[0].rpartition("/")
    if spot.kind == "file":
        return f"{folder}{slash}"
    stem, dot, ending = name.partition("?")[0].rpartition(".")
    return f"{folder}{slash}{masked(stem)}{dot}{ending}" if dot else spot.parts[0]


def _shaped(picture: Image.Image, shape: float) -> Iterator[Image.Image]:
    yield picture
    own = picture.width / picture.height
    if abs(own - shape) > _SHAPED * shape:
        from PIL import ImageOps

        wide = own > shape
        size = (picture.height * shape, picture.height) if wide else (picture.width, picture.width / shape)
        yield ImageOps.fit(picture, (max(1, round(size[0])), max(1, round(size[1]))))


def _look(picture: Image.Image) -> bytes:
    from PIL import Image

    return picture.resize((_SIDE, _SIDE), Image.Resampling.BOX).tobytes()


def _parts(look: bytes, side: int) -> list[tuple[float, ...]]:
    """Give the colours of a look in this many parts on each side."""
    step = _SIDE // side
    if step == 1:
        return list(zip(look[0::3], look[1::3], look[2::3], strict=True))
    rows = range(0, _SIDE, step)
    return [
        tuple(
            sum(look[((y + dy) * _SIDE + x + dx) * 3 + colour] for dy in range(step) for dx in range(step)) / step**2
            for colour in range(3)
        )
        for y in rows
        for x in rows
    ]


def _difference(one: Sequence[tuple[float, ...]], other: Sequence[tuple[float, ...]]) -> float:
    apart = sorted((sum(abs(x - y) for x, y in zip(a, b, strict=True)) / 3 for a, b in zip(one, other, strict=True)))
    most = apart[::-1][: len(apart) // _MOST_UNLIKE]
    return sum(most) / len(most)


def _reduced(file: str | BinaryIO) -> Image.Image | None:
    """Read a picture, as it is shown; None for what is no picture, or a very large one."""
    from PIL import Image, ImageOps  # where no file is uploaded, nothing is loaded that reads pictures

    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            with Image.open(file) as read:
                if read.width * read.height > _MOST_PIXELS:
                    return None
                read.draft("RGB", (2 * _REDUCED, 2 * _REDUCED))  # a photograph is read at a part of its size
                upright = ImageOps.exif_transpose(read)
                upright.thumbnail((_REDUCED, _REDUCED))
                layered = upright.convert("RGBA")
    except (OSError, ValueError, SyntaxError, Warning, Image.DecompressionBombError):
        return None
    ground = Image.new("RGBA", layered.size, "white")
    ground.alpha_composite(layered)
    return ground.convert("RGB")


def _sum_of(file: str | BinaryIO) -> str:
    """Sum up what is in a file, as the page's script does: its size and a sum over its bytes; empty for a large one."""
    if isinstance(file, str):
        with open(file, "rb") as opened:
            return _sum_of(opened)
    file.seek(0)
    data = file.read(_MOST_BYTES + 1)
    return f"{len(data)} {zlib.crc32(data):08x}" if len(data) <= _MOST_BYTES else ""


def file_of(address: str) -> str:
    """Give the address of a picture without what is asked of it; of a small one that is its own address all of that."""
    return address.partition("?")[0] if not address.startswith("data:") else address
