"""Lies that are generated from what was recorded: each arrives at the site, and nothing else does.

What a replay makes of one is measured, and kept in ``benchmarks/lies/results.json``.
"""

from __future__ import annotations

import io
from collections.abc import Iterator
from dataclasses import replace
from random import Random

import pytest
from PIL import Image
from rich.console import Console
from rich.table import Table

from benchmarks.lies.bench import Cell, cell, sums, table
from benchmarks.lies.generate import KINDS, Lie, LieKind, lies
from benchmarks.lies.telling import Lying, other_text
from benchmarks.sites.bodies import leaves
from benchmarks.sites.proxy import Answered, Asked, Change, Passed
from benchmarks.sites.recorded import RecordedWrite
from benchmarks.sites.stand import Replayed, Stand
from simulator.browser.effects.model import WriteProof
from simulator.browser.wire.bodies import Part, join
from tests.mutations.stands import KEY, judged
from tests.tiers import SEED, Judged

pytestmark = pytest.mark.timeout(1800)

FORM = "application/x-www-form-urlencoded"
MULTIPART = 'multipart/form-data; boundary="x7x"'
WRITE = RecordedWrite("POST", "/notes/[^/]+", 1, ("csrf_token", "title", "price"), ("cover",), True)
ANSWER = Answered(303, (("location", "/notes/5"),))


def picture(colour: str) -> bytes:
    made = io.BytesIO()
    Image.new("RGB", (8, 8), colour).save(made, "PNG")
    return made.getvalue()


SENT = join(
    MULTIPART,
    (
        Part("csrf_token", "t"),
        Part("title", "Emma"),
        Part("price", "21.00"),
        Part("cover", filename="emma.png", media_type="image/png", data=picture("red")),
    ),
)


@pytest.fixture(autouse=True)
def _key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.fixture(scope="module")
def office(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    with judged("office", tmp_path_factory.mktemp("office")) as stand:
        yield stand


SITES = ("bookshop", "django-admin", "sqlpad", "isso", "oscar", "calibre-web", "ihatemoney", "roundup")


@pytest.fixture(scope="module", params=SITES)
def site(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stand]:
    with judged(request.param, tmp_path_factory.mktemp(request.param)) as stand:
        yield stand


async def told(lie: Lie, *paths: str) -> list[Asked]:
    """Give what the site receives of some writes."""
    received = []

    async def ask(asked: Asked) -> Answered:
        received.append(asked)
        return Answered(200, ())

    asked = [Asked("POST", path, (("content-type", MULTIPART),), SENT) for path in paths]
    # A cookie of the honest replay's session would end this one.
    answer = replace(ANSWER, headers=(*ANSWER.headers, ("Set-Cookie", "session=honest")))
    honest = [Passed(one, answer) for one in asked if one.path.startswith("/notes/")]
    lying = Lying(lie, honest)
    answers = [await lying.write(one, ask) for one in asked]
    assert lying.untold == ""
    assert lying.told is asked[-1]
    assert ANSWER not in answers[:-1]
    assert (answers[-1] == ANSWER) is (lie.kind == "swallowed")
    return received


async def test_a_lie_is_told_about_the_recorded_write_alone() -> None:
    received = await told(Lie("dropped", WRITE, "title"), "/notes/1", "/orders", "/notes/2")
    assert [one.body for one in received[:2]] == [SENT, SENT]
    assert [one.place for one in leaves(MULTIPART, received[2].body) or ()] == ["csrf_token", "price", "cover"]


@pytest.mark.parametrize(
    ("kind", "places", "values"),
    [
        ("altered", ("title",), {"title": "amme", "price": "21.00"}),
        ("altered", ("price",), {"title": "Emma", "price": "20.95"}),
        ("swapped", ("title", "price"), {"title": "21.00", "price": "Emma"}),
        ("file lost", ("cover",), {"title": "Emma", "price": "21.00"}),
    ],
)
async def test_values_arrive_otherwise(kind: LieKind, places: tuple[str, ...], values: dict[str, str]) -> None:
    received = await told(Lie(kind, WRITE, *places), "/notes/1", "/notes/2")
    found = {one.place: one.value for one in leaves(MULTIPART, received[1].body) or ()}
    assert ("cover" in found) is (kind != "file lost")
    found.pop("cover", None)
    assert found == {"csrf_token": "t", **values}


async def test_a_file_arrives_as_another_one_of_its_kind() -> None:
    received = await told(Lie("file replaced", WRITE, "cover"), "/notes/1", "/notes/2")
    found = {one.place: one.value for one in leaves(MULTIPART, received[1].body) or ()}
    data = found["cover"]
    assert isinstance(data, bytes)
    assert data != picture("red")
    assert Image.open(io.BytesIO(data)).format == "PNG"


async def test_a_write_arrives_twice_or_not_at_all() -> None:
    assert len(await told(Lie("doubled", WRITE), "/notes/1", "/notes/2")) == 3
    assert len(await told(Lie("swallowed", WRITE), "/notes/1", "/notes/2")) == 1


async def test_a_link_that_writes_is_lied_about_and_no_other_one() -> None:
    link = RecordedWrite("GET", r"/index\.php\?do=remove&id=[^&]*", 0, (), (), False)
    received = []

    async def ask(asked: Asked) -> Answered:
        received.append(asked.target)
        return Answered(200, ())

    removes = Asked("GET", "/index.php?do=remove&id=7", ())
    assert {lie.kind for lie in lies([link])} == {"doubled", "swallowed"}
    lying = Lying(Lie("swallowed", link), [Passed(removes, ANSWER)])
    for target in ("/index.php?do=edit&id=7", "/index.php", "/index.php?do=remove&id=9"):
        await lying.write(Asked("GET", target, ()), ask)
    assert received == ["/index.php?do=edit&id=7", "/index.php"]
    assert lying.told is not None


async def test_what_cannot_be_lied_about_says_why() -> None:
    async def ask(asked: Asked) -> Answered:
        return ANSWER

    for lie, why in (
        (Lie("altered", WRITE, "author"), "there is no author"),
        (Lie("swapped", WRITE, "title", "also"), "the body is the same"),
    ):
        lying = Lying(lie, ())
        for _ in range(2):
            asked = Asked("POST", "/notes/1", (("content-type", FORM),), b"title=x&also=x")
            assert await lying.write(asked, ask) == ANSWER
        assert (lying.untold, lying.told) == (why, None)


@pytest.mark.parametrize(
    ("text", "other"),
    [
        ("7", "8"),
        ("21.00", "20.95"),
        ("2026-12-31", "2027-01-01"),
        ("a@b.org", "xa@b.org"),
        ("", "x"),
        ("a b!", "ax b!"),
    ],
)
def test_another_text_is_of_its_kind(text: str, other: str) -> None:
    assert other_text(text) == other


def test_every_part_of_a_write_is_lied_about_but_its_guards() -> None:
    about = [(lie.kind, lie.field) for lie in lies([WRITE])]
    assert about == [
        ("dropped", "title"),
        ("altered", "title"),
        ("dropped", "price"),
        ("altered", "price"),
        ("swapped", "title and price"),
        ("file lost", "cover"),
        ("file replaced", "cover"),
        ("doubled", ""),
        ("swallowed", ""),
    ]


def test_a_hidden_copy_is_swapped_with_no_other_value() -> None:
    write = replace(WRITE, fields=("day", "initial-day", "text"), files=(), copies=frozenset({"initial-day"}))
    assert [lie.field for lie in lies([write]) if lie.kind == "swapped"] == ["day and text"]


@pytest.mark.table
async def test_nothing_is_different_where_nobody_lies(office: Stand) -> None:
    replayed = await office.replay(Change())
    assert (replayed.verdict, replayed.astray, replayed.missing, replayed.differences) == ("passed", (), (), ())


@pytest.mark.table
@pytest.mark.parametrize("kind", [kind for kind in KINDS if not kind.startswith("file")])
async def test_todays_lie_of_a_kind_arrives(office: Stand, kind: LieKind, judged: Judged) -> None:
    lie = Random(f"{SEED} {kind}").choice([one for one in lies(office.writes) if one.kind == kind])
    told = await cell(office, lie)
    judged(0, told.false_green, told.false_proof)
    assert told.arrived, (lie, told)
    assert told.untold == ""
    assert not told.wrong


@pytest.mark.slow
async def test_every_lie_arrives(site: Stand, capsys: pytest.CaptureFixture[str]) -> None:
    cells = [await cell(site, lie) for lie in lies(site.writes)]
    with capsys.disabled():
        Console(width=160).print(sums(cells))
    assert [str(one.lie) for one in cells if not one.arrived and one.untold != "the body is the same"] == []
    assert [one.wrong for one in cells if one.wrong] == []


def test_the_tables_say_what_became_of_each_lie() -> None:
    lie = Lie("altered", WRITE, "title")
    green = Cell("office", lie, True, "", Replayed("passed", "", (), (), ("note: text",), frozenset()))
    red = Cell("office", lie, True, "", Replayed("postcondition", "no title", (), (), ("note: text",), frozenset()))
    assert (green.green_lie, red.green_lie) == (True, False)
    head = ["office", "altered", "POST /notes/{id} (2)", "title", "note: text"]
    assert rows_of(table([green, red])) == [
        [*head, "passed", "", "passed"],
        [*head, "red", "", "no title"],
    ]
    counted = ["2", "2", "1", "1", "0", "0", "0", "1", "0"]
    assert rows_of(sums([green, red])) == [["altered", *counted], ["all", *counted]]


PROVEN = WriteProof("POST", "/notes/{{note.1}}", 1, ())
UNSEEN = WriteProof("POST", "/notes/{{note.1}}", 1, ("Title",))


@pytest.mark.parametrize(
    ("lie", "told", "wrong"),
    [
        (Lie("altered", WRITE, "title"), PROVEN, "called proven"),
        (Lie("altered", replace(WRITE, kept=frozenset({"title"})), "title"), UNSEEN, "a page shows the value"),
        (Lie("swallowed", replace(WRITE, kept=frozenset({"title"}))), UNSEEN, "a page shows the value"),
        (Lie("swallowed", replace(WRITE, acted=True)), UNSEEN, "a page shows the value"),
        (Lie("swallowed", WRITE), UNSEEN, ""),
        (Lie("altered", replace(WRITE, kept=frozenset({"price"})), "title"), UNSEEN, ""),
        (Lie("doubled", replace(WRITE, kept=frozenset({"title"}))), PROVEN, ""),
        (Lie("altered", replace(WRITE, copies=frozenset({"title"})), "title"), PROVEN, ""),
        (Lie("swapped", replace(WRITE, copies=frozenset({"title"})), "title", "price"), PROVEN, "called proven"),
        (Lie("altered", replace(WRITE, path="/orders"), "title"), PROVEN, "nothing is said"),
    ],
)
def test_a_lie_that_passes_is_wrong_where_it_is_called_proven_or_a_page_shows_it(
    lie: Lie, told: WriteProof, wrong: str
) -> None:
    # The write is the second of its address.
    passed = Replayed("passed", "", (), (), ("note: text",), frozenset(), (PROVEN, told))
    assert wrong in Cell("office", lie, True, "", passed).wrong
    assert bool(wrong) is bool(Cell("office", lie, True, "", passed).wrong)
    assert not Cell("office", lie, True, "", replace(passed, verdict="postcondition")).wrong
    assert not Cell("office", lie, True, "", replace(passed, differences=())).wrong


def test_what_is_called_proven_falsely_is_wrong_in_a_red_run_too() -> None:
    red = Replayed("postcondition", "no note", (), (), ("order: 0 rows, not 1",), frozenset(), (PROVEN, PROVEN))
    cases: list[tuple[LieKind, tuple[str, ...], bool]] = [
        ("altered", ("note: text",), True),
        ("altered", (), False),
        ("doubled", ("note: 2 rows, not 1",), False),
    ]
    for kind, wrote, wrong in cases:
        cell = Cell("office", Lie(kind, WRITE, "title"), True, "", red, wrote)
        assert bool(cell.wrong) is wrong
        assert cell.false_proof is wrong


def rows_of(shown: Table) -> list[list[str]]:
    """Give the texts of a table's cells, however wide a console is."""
    columns = [[str(cell) for cell in column.cells] for column in shown.columns]
    return [list(row) for row in zip(*columns, strict=True)]
