"""What the tests of the runner share: a small site for all, and the bookshop where that is there."""

from tests import seam
from tests.small_run import served_site, small_site

__all__ = ["served_site", "small_site"]

if seam.PRESENT:
    from tests.runner.on_the_bookshop import bench, original, seller, spoilt, talked

    __all__ += ["bench", "original", "seller", "spoilt", "talked"]
