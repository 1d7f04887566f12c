"""Book covers: finding them, drawing them, and fetching them safely. Not responsible for: uploading them."""

from simulator.tools.covers.cover import Cover, CoverImage
from simulator.tools.covers.service import CoverService, Failure, download

__all__ = ["Cover", "CoverImage", "CoverService", "Failure", "download"]
