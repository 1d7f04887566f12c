"""A workspace in an empty folder."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest_asyncio

from simulator.tools.workspace.folder import Workspace


@pytest_asyncio.fixture
async def workspace(tmp_path: Path) -> AsyncIterator[Workspace]:
    """A workspace whose commands may take two seconds."""
    folder = tmp_path / "run"
    folder.mkdir()
    async with Workspace(folder, timeout_s=15) as workspace:
        yield workspace
