"""Applications that nobody tuned anything for are populated from what ``sim site learn`` says of them."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from sqlite3 import connect

import pytest

from benchmarks.populating.dumps import differences, dump, grown
from benchmarks.populating.journeys import JOURNEYS
from benchmarks.populating.way import Way
from tests.sites.packages import RegistryUnreachable

_PLACE = """
CREATE TABLE person (id INTEGER PRIMARY KEY, name TEXT, seen TEXT);
CREATE TABLE thing (id INTEGER PRIMARY KEY, title TEXT, owner INTEGER REFERENCES person (id));
"""


def _database(file: Path, *things: tuple[int, str, int], at: str = "2026-05-04 10:00:00") -> Path:
    with connect(file) as database:
        database.executescript(_PLACE)
        database.executemany("INSERT INTO person VALUES (?, ?, ?)", [(1, "Ann", at), (2, "Bo", at)])
        database.executemany("INSERT INTO thing VALUES (?, ?, ?)", things)
    database.close()
    return file


def test_dumps_differ_by_what_belongs_to_whom_and_not_by_ids_and_times(tmp_path: Path) -> None:
    one = dump(_database(tmp_path / "one", (1, "Jar", 1), (2, "Cup", 2)))
    same = dump(_database(tmp_path / "same", (7, "Cup", 2), (9, "Jar", 1), at="2026-06-01 11:11:11"))
    other = dump(_database(tmp_path / "other", (1, "Jar", 2), (2, "Cup", 1)))

    assert differences(one, same) == []
    assert len(differences(one, other)) == 4
    assert differences(one, dump(_database(tmp_path / "twice", (1, "Jar", 1), (2, "Cup", 2), (3, "Cup", 2)))) != []
    assert grown({"thing": Counter()}, one) == {"person": 2, "thing": 2}
    assert dump(tmp_path / "one", ("per",)).keys() == {"thing"}


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("name", [*JOURNEYS])
def test_an_application_is_populated_from_what_was_learnt(name: str, tmp_path: Path) -> None:
    journey = JOURNEYS[name]
    (tmp_path / "site").mkdir()
    (tmp_path / "project").mkdir()
    try:
        with journey.served(tmp_path / "site") as served:
            result = Way(journey, served, tmp_path / "project", print).go(4)
    except RegistryUnreachable as reason:
        pytest.skip(str(reason))

    assert result.failures == []
    assert (result.edited <= 10, result.wrong_fields) == (True, 0)
    assert {step: sum(counts.values()) for step, counts in result.counts.items()} == {
        "recorded": 2, "same": 2, "fresh": 2, "seeded, 1 at once": 8, "seeded, 8 at once": 8,
    }  # fmt: skip
