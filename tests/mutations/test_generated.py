"""Replays on pages with generated changes, judged by the site: none writes what an honest one does not write.

A part by the day; the whole is slow.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from rich.console import Console

from benchmarks.judging import MODES, WHOLE
from benchmarks.mutations.generated.bench import Cell, cell, table
from benchmarks.mutations.generated.catalogue import KINDS
from benchmarks.mutations.generated.draw import Combination, Mutating, combination, single
from benchmarks.sites.honest import Write
from benchmarks.sites.proxy import Answered, Ask, Asked, Change
from benchmarks.sites.recorded import RecordedWrite
from benchmarks.sites.stand import Mode, Replayed, Stand
from tests.mutations.stands import KEY, judged
from tests.tiers import SEED, Judged

pytestmark = pytest.mark.timeout(1800)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    with judged("office", tmp_path_factory.mktemp("office")) as stand:
        yield stand


@pytest.fixture(scope="module", params=["bookshop", "office", "django-admin", "sqlpad"])
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    with judged(request.param, tmp_path_factory.mktemp(request.param)) as stand:
        yield stand


@pytest.mark.table
@pytest.mark.parametrize(
    ("seed", "mode"), [(2 * SEED, MODES[SEED // 10 % 2]), (2 * SEED + 1, MODES[SEED // 10 % 2 - 1])]
)
async def test_todays_combinations(office: Stand, seed: int, mode: Mode, judged: Judged) -> None:
    told = await cell(office, combination(seed, office.writes), mode)
    judged(told.wrong_acts, told.replayed.false_green)
    assert not told.wrong


@pytest.mark.table
async def test_a_page_that_is_rewritten_without_a_change_is_replayed_honestly(office: Stand) -> None:
    replayed = await office.replay(Mutating(Combination(0, ())))
    assert (replayed.verdict, replayed.astray, replayed.missing, replayed.differences) == ("passed", (), (), ())


@pytest.mark.table
async def test_a_site_that_acts_otherwise_by_itself_is_seen(office: Stand) -> None:
    """The judge sees what the site received, whoever sent it: the form's own fields, swapped behind its labels."""
    write = next(one for one in office.writes if {"username", "name"} <= set(one.fields))
    swapped = single("swap-names", 1, [write])
    replayed = await office.replay(_Blind(swapped))
    assert replayed.astray
    assert replayed.differences


class _Blind(Change):
    """Does in the requests what a change of the names would do, unseen by the replay."""

    def __init__(self, changes: Combination) -> None:
        super().__init__()
        (change,) = changes.changes
        one, other = change["pair"]
        exchanged = {**change, "names": {one: other, other: one}, "name": "exchange-names"}
        self._changed = Mutating(Combination(0, (exchanged,)))
        self._changed.marks.add("exchange-names")

    async def write(self, asked: Asked, ask: Ask) -> Answered:
        return await self._changed.write(asked, ask)


@pytest.mark.slow
async def test_every_combination(site: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [await cell(site, combination(seed, site.writes), mode) for seed in range(WHOLE) for mode in MODES]
    with capsys.disabled():
        Console(width=160).print(table(cells))
    assert [one.wrong for one in cells if one.wrong] == []
    assert {name for one in cells for name in one.replayed.marks}, "changes were made"


WRITE = Write("POST", ("", "notes"), ())
PASSED = Replayed("passed", "", (), (), (), frozenset({"wrap"}))
WRAP = Combination(1, ({"name": "wrap", "seed": 1},))


@pytest.mark.parametrize(
    ("replayed", "wrong", "deceived"),
    [
        (PASSED, "", False),
        (Replayed("passed", "", (), (), ("note: text",), frozenset()), "holds otherwise: note: text", False),
        (Replayed("target_missing", "", (), (), ("note: text",), frozenset()), "", False),
        (Replayed("target_missing", "", (WRITE,), (), (), frozenset()), "wrong act POST /notes", False),
        (Replayed("healed", "", (), (), (), frozenset({"retarget"})), "", True),
        (Replayed("site_error", "", (), (), (), frozenset({"retarget"})), "", False),
    ],
)
def test_a_cell_is_judged_by_what_the_site_received_and_holds(replayed: Replayed, wrong: str, deceived: bool) -> None:
    told = Cell("office", WRAP, "strict", replayed)
    assert wrong in told.wrong
    assert bool(told.wrong) is bool(wrong)
    assert told.deceived is deceived


def test_the_table_counts_by_change() -> None:
    stopped = Replayed("target_missing", "", (WRITE, WRITE), (), (), frozenset({"wrap"}))
    unmet = Replayed("passed", "", (), (), (), frozenset())
    cells = [Cell("office", WRAP, "strict", one) for one in (PASSED, stopped, unmet)]
    console = Console(width=200, record=True)
    console.print(table(cells))
    rows = [
        [part.strip() for part in line.split("│")][1:-1] for line in console.export_text().splitlines() if "│" in line
    ]
    shown = {row[0]: row[2:] for row in rows}
    assert shown["wrap"] == ["strict", "3", "2", "1", "", "1 target_missing", "2", "", ""]
    assert shown["all"][:6] == ["strict", "3", "2", "2", "", "1 target_missing"]


NOTE = RecordedWrite("POST", "/notes/[^/]+", 0, ("id", "title", "author", "price"), (), True)


def test_a_seed_draws_the_same_and_consecutive_seeds_draw_every_kind() -> None:
    drawn = [combination(seed, [NOTE]) for seed in range(len(KINDS))]
    assert drawn == [combination(seed, [NOTE]) for seed in range(len(KINDS))]
    assert {name for one in drawn for name in one.names} == set(KINDS)
    assert all(sum(KINDS[name].sort != "harmless" for name in one.names) <= 1 for one in drawn)
    assert all(1 <= len(one.changes) <= 3 for one in drawn)


def test_what_has_no_form_is_left_alone() -> None:
    assert single("swap-names", 1, []).changes == ()
    script = RecordedWrite("POST", "/api/notes", 0, ("/title",), (), False)
    assert single("retarget", 1, [script]).changes == ()
    assert single("wrap", 1, [script]).names == ("wrap",)
