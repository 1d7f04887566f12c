"""Book covers: finding them, drawing them, and fetching them safely. Not responsible for: uploading them."""

from simulator.packs.bookshop.covers.cover import Cover, CoverImage
from simulator.packs.bookshop.covers.service import CoverService, Failure, download

__all__ = ["Cover", "CoverImage", "CoverService", "Failure", "download"]
