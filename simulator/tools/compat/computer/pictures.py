"""Makes pictures of a page fit for a model. Blocks; meant for a thread. Not responsible for: taking them."""

from __future__ import annotations

from io import BytesIO

from PIL import Image

from simulator.tools.compat.computer.screen import Region, Screen


def shown(png: bytes, screen: Screen) -> bytes:
    """Give a picture of the viewport in the size in which it is shown."""
    with Image.open(BytesIO(png)) as picture:
        return png if picture.size == screen.seen else _written(picture.resize(screen.seen, Image.Resampling.LANCZOS))


def enlarged(png: bytes, screen: Screen, region: Region) -> bytes:
    """Give a part of a picture of the viewport, as large as a picture may be."""
    with Image.open(BytesIO(png)) as picture:
        across, down = picture.width / screen.real.width, picture.height / screen.real.height
        box = (region.left * across, region.top * down, region.right * across, region.bottom * down)
        return _written(picture.resize(screen.enlarged(region), Image.Resampling.LANCZOS, box=box))


def _written(picture: Image.Image) -> bytes:
    file = BytesIO()
    picture.save(file, "PNG")
    return file.getvalue()
