"""Things that are changed and deleted on a page of the office, and copied beside that: learnt, populated, replayed."""

from __future__ import annotations

import sqlite3
import sys
import tomllib
from collections.abc import Iterator
from contextlib import chdir, closing
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from simulator.testing import serve
from tests.runner.site_of_things import SITES, Kept, record_and_replay

pytestmark = pytest.mark.promise("a site's own things")

PERSONA = """
persona: clerk
about: Keeps the parts.
locale: pt_PT
traits: {skips_optional: 0}
limits: {steps: 600}
tasks:
  - create: {thing: pecas, count: 3}
  - edit: pecas
  - delete: pecas
"""
KEPT = ("select shelf, name, note from parts", "select part, price from orders")


@pytest.fixture
def parts(tmp_path: Path) -> Iterator[tuple[Kept, dict[str, Any]]]:
    """The store, and its section as a look with one part there has written it."""
    file = tmp_path / "warehouse.sqlite"
    with serve([sys.executable, SITES / "warehouse.py", "0", file]) as url, chdir(tmp_path):
        with closing(sqlite3.connect(file)) as database, database:
            database.execute("insert into parts values (1, 'Roda dentada', 'Cave', 'Pesada')")
        assert main(["site", "learn", url, "--name", "store", "--out", "sim.toml"]) == 0
        site = Kept(file, KEPT, ("parts", "orders"))
        site.empty()
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas/clerk.yaml").write_text(PERSONA, "utf-8")
        yield site, tomllib.loads((tmp_path / "sim.toml").read_text("utf-8"))


def test_what_makes_another_one_does_not_change_the_first(parts: tuple[Kept, dict[str, Any]]) -> None:
    _, said = parts
    (thing,) = said["site"]["store"]["things"].values()
    assert thing["create"] == "/pecas/nova"
    assert thing["edit"] == {"fields": ["nota"]}
    assert thing["delete"] is True


@pytest.mark.slow
def test_things_are_changed_and_deleted_where_the_office_keeps_them(parts: tuple[Kept, dict[str, Any]]) -> None:
    site, _ = parts
    rows, orders = record_and_replay(site, count=1)
    assert len(rows) == 2
    assert orders == [], "nobody wanted one: its line of the form stays empty"
    cleaned = main(["cleanup", "last", "--db", "b.db", "--yes"])
    assert (cleaned, site.held()) == (0, [[], []]), "by guests, as they were made"
