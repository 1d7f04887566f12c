"""Every tool does what its row of the conformance table says, and does it again when it is replayed."""

from __future__ import annotations

import pytest

from tests.conformance.recorded import Theatre
from tests.conformance.table import Row, all_rows

pytestmark = pytest.mark.asyncio(loop_scope="session")


@pytest.mark.breadth(3, by=("row",), table=-1)
@pytest.mark.parametrize("row", [pytest.param(row, id=row.id) for row in all_rows()])
async def test_row(row: Row, theatre: Theatre) -> None:
    await theatre.play(row)
