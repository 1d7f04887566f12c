"""The theatre of the conformance table: a small real site and one real browser for all rows."""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.pool import BrowserPool

# Before they are imported, so that a row that fails tells what it found.
_FILES = [*Path(__file__).parent.glob("rows_*.py"), Path("recorded.py"), Path("table.py")]
pytest.register_assert_rewrite(*(f"tests.conformance.{path.stem}" for path in _FILES))

from tests.conformance.recorded import Theatre  # noqa: E402
from tests.small_run import SmallSite, policy, pool, served_site, site_url, small_site  # noqa: E402

__all__ = ["policy", "pool", "served_site", "site_url", "small_site"]


@pytest.fixture
def theatre(pool: BrowserPool, policy: NetworkPolicy, small_site: SmallSite, tmp_path: Path) -> Theatre:
    """Where rows are played, with an empty site."""
    return Theatre(pool, policy, small_site, tmp_path)
