"""A slow single page that says little of what it did is populated: what it kept is proven, and nothing else."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import chdir
from pathlib import Path
from typing import Any

import pytest

from simulator.api import record_runs, replay_runs
from tests.sites.shelves import Shelves, serving_shelves

pytestmark = pytest.mark.promise("where what was sent is seen")

SETTINGS = """
packs = []

[site.shelves]
base_url = "{url}"
routes = {{ login = "/login" }}
accounts = [{{ username = "anna", password = {{ env = "SHELVES_PASSWORD" }} }}]

[site.shelves.things.shelf]
create = "/things/new"
list = "/things"
data = "boards"
fields = {{ signage = "Full title", remark = "Blurb" }}

[data.boards]
count = 2
rows = [
  {{ signage = "Ledgers of the old harbour", remark = "Kept by the clerk from Monday on" }},
  {{ signage = "Maps of the upper valley", remark = "Drawn on linen, and folded twice" }},
]

[run]
concurrency = 1
"""
PERSONA = "persona: maker\nabout: Makes shelves.\nlocale: en_GB\ntasks:\n  - create: {thing: shelf, count: 2}\n"
BOARDS = {
    ("Ledgers of the old harbour", "Kept by the clerk from Monday on"),
    ("Maps of the upper valley", "Drawn on linen, and folded twice"),
}


@pytest.fixture
def site(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Shelves]:
    monkeypatch.setenv("SIM_KEY", "the key of the tests of shelves")
    monkeypatch.setenv("SHELVES_PASSWORD", "Rosebud-91-of-the-lake")
    with serving_shelves() as served, chdir(tmp_path):
        (tmp_path / "personas").mkdir()
        (tmp_path / "sim.toml").write_text(SETTINGS.format(url=served.url), "utf-8")
        (tmp_path / "personas/maker.yaml").write_text(PERSONA, "utf-8")
        yield served


def record() -> Any:
    return record_runs((), db="a.db", count=1, seed="7", agent="autopilot").runs[0]


def held(site: Shelves) -> set[tuple[str, str]]:
    return {(one["name"], one["blurb"]) for one in site.things.values()}


def unseen(run: Any) -> list[tuple[str, ...]]:
    return [tuple(one.unseen) for one in run.writes]


def test_a_form_that_is_empty_for_the_next_thing_was_taken_and_what_it_sent_is_proven(site: Shelves) -> None:
    run = record()

    assert (run.status, held(site), len(site.things)) == ("passed", BOARDS, 2), run
    assert unseen(run) == [(), ()]
    site.empty()
    (same,) = replay_runs("a.db", db="b.db").runs
    assert (same.verdict, held(site), unseen(same)) == ("passed", BOARDS, [(), ()]), same


def test_a_list_that_is_drawn_late_is_waited_for(site: Shelves) -> None:
    site.late_ms = 400

    run = record()
    assert (run.status, held(site), len(site.things)) == ("passed", BOARDS, 2), run


@pytest.mark.parametrize("lie", [{"name": "Ledgers of nobody"}, {"blurb": "Nothing to see"}])
def test_what_it_keeps_otherwise_is_neither_proven_nor_green(site: Shelves, lie: dict[str, str]) -> None:
    run = record()
    assert run.status == "passed", run
    site.empty()
    site.lies = lie

    (same,) = replay_runs("a.db", db="b.db").runs
    assert same.verdict != "passed"
    assert not any(one.proven for one in same.writes)


def test_what_it_refuses_is_told_with_its_words(site: Shelves) -> None:
    site.refuses = "Full title: no such words here"

    run = record()
    assert run.status == "failed"
    assert "no such words here" in run.tasks[0].reason
    assert site.things == {}


@pytest.mark.parametrize("swallows", [False, True])
def test_a_search_that_repeats_what_was_asked_for_shows_nothing(site: Shelves, swallows: bool) -> None:
    site.searches, site.swallows = True, swallows

    run = record()
    assert run.status == ("failed" if swallows else "passed"), run
