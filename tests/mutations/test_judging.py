"""How a replay on a changed bookshop is judged: by what the shop tells, whatever the replay says."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from rich.console import Console

from benchmarks.mutations.bench import Cell, shop
from benchmarks.mutations.expected import Expected
from benchmarks.mutations.table import holds, table
from benchmarks.mutations.truth import Effect, Truth
from tests.demo.conftest import Reader, Shop
from tests.fakes import asking

LISTED = Effect("listing.created", "/books/new", "/books/new", '{"title":"Emma"}')
SAVED = Effect("save.created", "/books/{id}/save", "/books/3/save", '{"saved":"1"}')
CELL = Cell(("polling",), "strict", True, True, True, (), "passed")
LIE = replace(CELL, mutations=("lost-save",), as_recorded=False)
STRAY = replace(CELL, mutations=("twin-card",), passed=False, passed_unaided=False, astray=(SAVED,))


@pytest.mark.parametrize(
    ("done", "astray"),
    [
        ((LISTED, SAVED), []),
        ((LISTED,), []),
        ((SAVED,), []),
        ((SAVED, LISTED), [LISTED]),
        ((LISTED, LISTED, SAVED), [LISTED]),
        ((LISTED, SAVED._replace(path="/books/4/save")), [SAVED._replace(path="/books/4/save")]),
    ],
)
def test_what_was_not_recorded_at_its_place_went_astray(done: tuple[Effect, ...], astray: list[Effect]) -> None:
    recorded = Truth({"anna": (LISTED, SAVED)}, {})
    assert Truth({"anna": done}, {}).astray(recorded) == astray
    assert Truth({"ben": done}, {}).astray(recorded) == list(done)


def test_a_decoy_that_was_pressed_went_astray(tmp_path: Path) -> None:
    database = tmp_path / "shop.db"
    with shop(database, ("decoy-button",)) as url, asking.Client(base_url=url) as client:
        anna = Reader(Shop(url, database), client).register("anna")
        recorded = Truth.of(database)
        assert [effect.name for effect in recorded.effects["anna"]] == ["user.created", "session.opened"]
        anna.submit("/books/new", {}, to="/_mutations/decoy")
    now = Truth.of(database)
    assert [effect.name for effect in now.astray(recorded)] == ["decoy.pressed"]
    assert now.state == recorded.state


@pytest.mark.parametrize(
    ("cell", "expected", "met"),
    [
        (CELL, "completes", True),
        (CELL, "stops", False),
        (LIE, "red", False),
        (replace(LIE, passed=False), "red", True),
        (replace(CELL, passed=False), "completes", False),
        (replace(CELL, astray=(SAVED,)), "completes", False),
        (STRAY, "stops", False),
    ],
)
def test_a_cell_is_held_to_what_is_expected(cell: Cell, expected: Expected, met: bool) -> None:
    assert cell.meets(expected) is met


def test_the_table_counts() -> None:
    caught = replace(LIE, mutations=("lost-vote",), passed=False)
    cells = [CELL, LIE, STRAY, caught]
    assert holds([CELL, caught])
    assert not holds(cells)
    console = Console(width=240, record=True)
    console.print(table(cells))
    rows = [[part.strip() for part in line.split("│")] for line in console.export_text().splitlines() if "│" in line]
    shown = {row[1]: row[4:10] for row in rows}
    assert shown["polling"] == ["1", "", "", "", "", "yes"]
    assert shown["lost-save"] == ["", "", "", "1", "", "NO"]
    assert shown["twin-card"] == ["", "", "1", "", "", "NO"]
    assert shown["lost-vote"] == ["", "1", "", "", "1", "yes"]
    assert shown["4 mutations"] == ["1", "1", "1", "1", "1", "2 of 4"]
