"""The reference of the tools is the one that the registry gives."""

from __future__ import annotations

from pathlib import Path

from simulator.tools.reference import tools_markdown
from tests.conformance.table import all_rows
from tests.seam import needs_bookshop

pytestmark = needs_bookshop

DOCS = Path(__file__).parents[2] / "docs" / "tools.md"


def test_docs_are_current() -> None:
    written = tools_markdown(all_rows())
    assert DOCS.read_text("utf-8") == written, "run: python -m simulator.tools.reference > docs/tools.md"
