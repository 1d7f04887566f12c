"""Sites where replays are judged, served for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from benchmarks.judging import opened
from benchmarks.sites.stand import Stand

KEY = "the key of the sites where replays are judged"


@contextmanager
def judged(name: str, folder: Path) -> Iterator[Stand]:
    """Prepare a stand."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("SIM_KEY", KEY)
        yield opened(name, folder, stack)
