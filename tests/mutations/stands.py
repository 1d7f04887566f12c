"""Sites where replays are judged, served for the tests of a file; and which part of what is generated comes today."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from datetime import date
from pathlib import Path

import pytest

from benchmarks.judging import opened
from benchmarks.sites.stand import Stand

TODAY = int(os.environ.get("GENERATED_SEED", date.today().toordinal()))
"""What is drawn today: another part each day, so that the days together judge everything."""
KEY = "the key of the sites where replays are judged"


@contextmanager
def judged(name: str, folder: Path) -> Iterator[Stand]:
    """Prepare a stand."""
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        patch.setenv("SIM_KEY", KEY)
        yield opened(name, folder, stack)
