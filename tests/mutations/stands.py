"""Sites where replays are judged, served for the tests of a file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from benchmarks.judging import opened
from benchmarks.sites.stand import Stand
from tests.sites.packages import RegistryUnreachable

KEY = "the key of the sites where replays are judged"


@contextmanager
def judged(name: str, folder: Path) -> Iterator[Stand]:
    """Prepare a stand; where a registry does not answer, its tests are skipped."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("SIM_KEY", KEY)
        try:
            made = opened(name, folder, stack)
        except RegistryUnreachable as reason:
            pytest.skip(str(reason))
        yield made
