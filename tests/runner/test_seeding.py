"""Many fresh users of a few recorded ones: whole casts, no two alike, and none after a first one that failed."""

from __future__ import annotations

import csv
import json
import sqlite3
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from simulator.recording.reader import Recording
from simulator.runner.seeding.fan_out import FanOut, Tolerance, parse_rate
from tests.fakes.messages_api import Reply, call
from tests.runner.bench import SELLER, Bench, Original, Shop
from tests.runner.desk import ACCOUNT, LOGIN, Desk
from tests.runner.on_the_bookshop import batch, recorded
from tests.sites.office import Office, office

pytestmark = [pytest.mark.timeout(900), pytest.mark.promise("users of a persona or a scenario")]
WRITER = {"persona": "writer", "tasks": ["register", "message_seller", "logout"]}


@pytest.fixture(scope="module")
def three(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """A seller, a user who writes to one, and another seller."""
    personas = ({**SELLER, "weight": 2}, WRITER)
    return recorded(tmp_path_factory, "three", batch("three", personas, 3, 2))


@pytest.fixture(scope="module")
def genres(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """One who offers three books of whatever genre."""
    lister = {**SELLER, "tasks": ["register", {"list_books": {"count": 3}}, "logout"]}
    return recorded(tmp_path_factory, "genres", batch("genres", (lister,), 1, 1))


def made(shop: Shop, recorded: int) -> dict[str, dict[str, Any]]:
    """Give what the shop holds of its users, without the house and who was recorded."""
    return dict(list((name, part) for name, part in shop.state.items() if name != "house")[recorded:])


async def test_three_recorded_users_make_as_many_as_are_wanted(bench: Bench, three: Original) -> None:
    with Recording.open(three.db) as recording:
        runs = recording.runs(three.result.batch_id)
        (need,) = {need.producer_run for run in runs for need in recording.dependencies(run.id)}
        (seller,) = [run for run in runs if run.id == need]
        (writer,) = [run for run in runs if run.persona == "writer"]
    replayed = await bench.replay(
        three.db, "seeded", identity="fresh", seed="21", fan_out=FanOut(count=8), concurrency=3
    )
    assert replayed.verdicts == ["passed"] * 8, replayed.drifts
    assert [run.number for run in replayed.result.runs] == list(range(1, 9))
    told = replayed.result.seeded
    assert told is not None
    assert (told.passed, told.planned, told.left_over, told.halted) == (8, 8, 0, "")
    assert Counter(run.source_run for run in replayed.result.runs)[writer.id] == 3

    state = replayed.shop.state
    names = {run.number: run.username for run in replayed.result.runs}
    assert len({*names.values()}) == 8
    assert {*names.values()} == {*state} - {"house"}
    listings = [one for name in names.values() for one in state[name].get("listing", {}).values()]
    assert len(listings) == 5
    assert len({one["title"] for one in listings}) == 5, "no two alike"

    with Recording.open(replayed.result.db) as recording:
        rows = {run.number: run for run in recording.runs(replayed.result.batch_id)}
    copies = {number: row.copy for number, row in rows.items()}
    for run in replayed.result.runs:
        if run.source_run == writer.id:
            (mine,) = [
                other for other in replayed.result.runs
                if other.source_run == seller.id and copies[other.number] == copies[run.number]
            ]  # fmt: skip
            (message,) = state[run.username]["message"].values()
            (title,) = [one["title"] for one in state[mine.username]["listing"].values()]
            assert message["to"] == mine.username, "it is written to the seller of the writer's own cast"
            assert title in message["body"]


@pytest.mark.slow
async def test_a_seed_makes_the_same_site_twice_and_a_larger_count_only_adds(bench: Bench, three: Original) -> None:
    async def seeded(name: str, concurrency: int, *more: FanOut) -> tuple[Shop, list[str]]:
        shop, users = bench.shop(name), []
        for each in more:
            replayed = await bench.replay(
                three.db, name, shop=shop, identity="fresh", seed="5", fan_out=each, concurrency=concurrency
            )
            assert replayed.result.passed, replayed.drifts
            users += [run.username for run in replayed.result.runs]
        return shop, users

    def held(shop: Shop) -> dict[str, Any]:
        return {name: {kind: sorted(_bare(one) for one in things.values()) for kind, things in part.items()}
                for name, part in shop.state.items()}  # fmt: skip

    one, users = await seeded("one", 1, FanOut(count=6))
    two, same = await seeded("two", 3, FanOut(count=6))
    added, grown = await seeded("added", 2, FanOut(count=3), FanOut(count=6, first=4))
    assert users == same == grown
    assert held(one) == held(two) == held(added)


@pytest.mark.parametrize("seed", ["5", pytest.param("9", marks=pytest.mark.slow)])
async def test_what_a_page_made_of_a_recorded_choice_is_not_told_of_a_fresh_user(
    bench: Bench, genres: Original, seed: str
) -> None:
    """The shop calls some genres by other words in its list: those of the recorded book are not those of another."""
    replayed = await bench.replay(genres.db, "genres", identity="fresh", seed=seed, fan_out=FanOut(count=4))
    assert replayed.result.passed, replayed.drifts
    chosen = []
    with Recording.open(replayed.result.db) as recording:
        for run in recording.runs(replayed.result.batch_id):
            for action in recording.actions(run.id):
                if action.kind == "select" and action.value and "genre" in action.value:
                    chosen.append((action.recorded_value or "", action.options.get("reads")))
    shown = {genre: {reads for one, reads in chosen if one == genre} for genre, _ in chosen}
    assert len(shown) > 2, shown
    assert all(len(reads) == 1 for reads in shown.values()), shown
    assert {None} in shown.values(), shown
    assert any(None not in reads for reads in shown.values()), shown


@pytest.mark.slow
async def test_one_user_is_shared_by_all_also_by_those_who_are_added(bench: Bench, three: Original) -> None:
    with Recording.open(three.db) as recording:
        runs = recording.runs(three.result.batch_id)
        (seller,) = {need.producer_run for run in runs for need in recording.dependencies(run.id)}
    shop, more = bench.shop("shared"), {"identity": "fresh", "seed": "9", "concurrency": 2}
    mix = {"seller": 0, "writer": 1}
    first = FanOut(count=3, shared=(seller,), mix=mix)
    replayed = await bench.replay(three.db, "shared", shop=shop, fan_out=first, **more)
    assert replayed.verdicts == ["passed"] * 3, replayed.drifts
    assert [run.persona for run in replayed.result.runs] == ["seller", "writer", "writer"]
    sold = replayed.result.runs[0].username
    added = await bench.replay(three.db, "shared", shop=shop, fan_out=replace(first, count=5, ensure=True), **more)
    assert added.verdicts == ["passed"] * 2, added.drifts
    assert [run.number for run in added.result.runs] == [4, 5]
    assert added.result.seeded is not None
    assert added.result.seeded.there == 3
    state = shop.state
    assert len(state) == 1 + 5
    writers = [name for name in state if name not in ("house", sold)]
    (title,) = [one["title"] for one in state[sold]["listing"].values()]
    for name in writers:
        (message,) = state[name]["message"].values()
        assert (message["to"], title in message["body"]) == (sold, True)


def _bare(thing: dict[str, Any]) -> str:
    """Write a thing without what the site numbers and when it was."""
    return json.dumps(
        {name: value for name, value in thing.items() if name not in ("id", "at", "created")}, sort_keys=True
    )


@pytest.fixture(scope="module")
def served() -> Iterator[Office]:
    with office() as found:
        yield found


@pytest.fixture
def desk(served: Office, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Desk:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of the office")
    served.forget()
    served.shut, served.lists, served.takes = False, True, None
    return Desk(served, tmp_path, capsys)


def note(text: str) -> list[Reply]:
    return [
        call("fill", selector="Note", value=text),
        call("click", selector='role=button[name="Keep note"]'),
    ]


SPADE = "Border spade, hardly used"
SEED = ("seed", "a.db", "--db", "b.db", "--seed", "3", "--count")


def test_words_of_its_own_are_not_said_by_many(desk: Desk, served: Office) -> None:
    desk.record([*ACCOUNT, *LOGIN, *note(SPADE)])
    served.forget()
    code, out, said = desk.sim(*SEED, "3", "--yes")
    assert (code, out) == (2, "")
    assert f"'{SPADE}'" in said
    run = said.partition("sim runs edit ")[2].split()[0]
    assert f"sim runs edit {run} --bind '{SPADE}'=" in said
    assert not served.users, "nobody began"

    code, out, said = desk.sim(*SEED, "1", "--yes", "--json")
    assert code == 0, said + out
    served.forget()
    code, out, said = desk.sim(*SEED, "3", "--first", "2", "--keep-words", "--yes", "--json")
    assert code == 0, said + out
    assert [text for _, text in served.notes.values()] == [SPADE] * 2
    served.forget()

    code, _, said = desk.sim("runs", "edit", run, "--bind", f"{SPADE}=tool.1.title", "--db", "a.db")
    assert code == 2
    assert "no fresh user of the persona 'clerk' has 'tool.1.title'" in said
    code, _, said = desk.sim("runs", "edit", run, "--bind", "A rake=book.1.title", "--db", "a.db")
    assert code == 2
    assert "nowhere says 'A rake'" in said
    code, out, said = desk.sim("runs", "edit", run, "--bind", f"{SPADE}=book.1.title", "--db", "a.db")
    assert code == 0, said
    same = desk.replay("a.db", "--identity", "same")
    assert (same["verdict"], [text for _, text in served.notes.values()]) == ("passed", [SPADE])
    served.forget()
    code, out, said = desk.sim(*SEED, "3", "--yes", "--json")
    assert code == 0, said + out
    titles = [text for _, text in served.notes.values()]
    assert len({*titles}) == 3, titles
    assert SPADE not in titles


def test_nobody_begins_after_a_first_user_who_failed(desk: Desk, served: Office) -> None:
    desk.record([*ACCOUNT, *LOGIN, *note("For {{identity.display_name}}")])
    served.forget()
    served.shut = True
    code, out, said = desk.sim(*SEED, "5", "--yes", "--json")
    assert code == 1, said
    result = json.loads(out)
    assert [run["number"] for run in result["runs"]] == [1]
    assert result["seeded"]["not_begun"] == 4
    assert result["seeded"]["halted"].startswith("the first cast has to be proven before others begin: user 1, ")
    assert len(served.users) == 1
    with Recording.open(desk.folder / "b.db") as recording:
        assert recording.batches()[-1].status == "failed"


def test_a_site_that_is_not_disposable_is_asked_about_first(desk: Desk, served: Office) -> None:
    desk.record([*ACCOUNT, *LOGIN, *note("For {{identity.display_name}}")])
    served.forget()
    code, out, said = desk.sim(*SEED, "5")
    assert (code, out) == (2, "")
    assert "not marked 'disposable'" in said
    assert "of 5 users, clerk: POST /register" in said
    fresh = ("replay", "a.db", "--db", "b.db", "--identity", "fresh", "--seed", "3", "--count", "2")
    code, out, said = desk.sim(*fresh)
    assert (code, out) == (2, "")
    assert "of 2 users, clerk: POST /register" in said
    assert not served.users
    code, out, said = desk.sim(*fresh, "--yes")
    assert (code, len(served.users)) == (0, 2), said
    served.forget()
    code, out, said = desk.sim(*SEED, "5", "--plan")
    assert code == 0, said
    assert out.startswith("5 users of the seed 3 for office at ")
    assert out.count("\nuser ") == 5
    assert not served.users
    code, _, said = desk.sim("seed", "a.db", "--db", "b.db", "--seed", "7", "--count", "5", "--yes")
    assert code == 2
    assert "give another --seed" in said


GREETING = "For {{identity.display_name}}"


def test_so_many_may_fail_and_no_more(desk: Desk, served: Office) -> None:
    desk.record([*ACCOUNT, *LOGIN, *note(GREETING)])
    numbers = {}
    for option, value in (("--max-failures", "1"), ("--max-failures", "50%"), ("--on-drift", "stop")):
        served.forget()
        served.takes = 2
        code, out, said = desk.sim(*SEED, "6", "--yes", "--json", "--concurrency", "1", option, value)
        assert code == 1, said
        result = json.loads(out)
        numbers[value] = [(run["number"], run["verdict"] == "passed") for run in result["runs"]]
        assert result["seeded"]["not_begun"] == 6 - len(result["runs"])
        assert option in result["seeded"]["halted"]
    passed = [(1, True), (2, True)]
    assert numbers["stop"] == [*passed, (3, False)]
    assert numbers["1"] == [*passed, (3, False), (4, False)]
    assert numbers["50%"] == [*passed, (3, False), (4, False), (5, False), (6, False)]


def test_what_is_lacking_is_added_and_who_was_cut_off_does_not_count(
    desk: Desk, served: Office, tmp_path: Path
) -> None:
    desk.record([*ACCOUNT, *LOGIN, *note(GREETING)])
    served.forget()
    manifest = tmp_path / "users.json"
    manifest.write_text("{}")
    more = ("--yes", "--json", "--manifest", "users.json", "--with-passwords")
    code, out, said = desk.sim(*SEED, "2", *more)
    assert code == 0, said
    first = json.loads(manifest.read_text())
    assert manifest.stat().st_mode & 0o777 == 0o600
    assert [one["number"] for one in first["users"]] == [1, 2]
    for user in first["users"]:
        assert served.users[user["username"]]["password"] == user["password"]
        assert served.users[user["username"]]["email"] == user["email"]
        (number,) = [number for number, (who, _) in served.notes.items() if who == user["username"]]
        assert [one["address"] for one in user["made"]] == [f"{served.url}/notes/{number}"]

    with closing(sqlite3.connect("b.db")) as connection, connection:
        connection.execute("UPDATE run SET status = 'interrupted' WHERE number = 2")
    ensure = ("seed", "a.db", "--db", "b.db", "--seed", "3", "--ensure")
    code, out, said = desk.sim(*ensure, "3", "--yes", "--json", "--manifest", "users.csv")
    assert code == 0, said
    seeded = json.loads(out)["seeded"]
    assert (seeded["there"], seeded["cut_off"], seeded["planned"], seeded["passed"]) == (1, 1, 2, 2)
    assert [run["number"] for run in json.loads(out)["runs"]] == [3, 4]
    assert len(served.users) == 4
    with (tmp_path / "users.csv").open(newline="") as file:
        rows = list(csv.DictReader(file))
    assert [row["number"] for row in rows] == ["1", "3", "4"], "who was cut off is not made"
    assert "password" not in rows[0]
    assert rows[0]["username"] == first["users"][0]["username"]
    assert all(row["made"].startswith(f"{served.url}/notes/") for row in rows)

    code, out, _ = desk.sim(*ensure, "3", "--yes")
    assert (code, out.splitlines()[0]) == (0, "passed: 3 users are there already")
    assert len(served.users) == 4
    code, out, said = desk.sim(*ensure, "4", "--yes", "--json")
    assert code == 0, said
    assert [run["number"] for run in json.loads(out)["runs"]] == [5]


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--ensure", "3"], "give the --seed"),
        (["--ensure", "3", "--count", "3", "--seed", "1"], "--count USERS, or --ensure"),
        (["--seed", "1"], "--count USERS, or --ensure"),
        (["--ensure", "3", "--first", "2", "--seed", "1"], "takes no --first"),
        (["--count", "3", "--mix", "clerk"], "--mix: expected each persona once"),
        (["--count", "3", "--rate", "5"], "--rate: expected a number of users"),
        (["--count", "3", "--ramp", "soon"], "--ramp: expected a time"),
        (["--count", "3", "--max-failures", "200%"], "--max-failures: expected a number"),
        (["--count", "3", "--with-passwords"], "give --manifest FILE"),
        (["--count", "3", "--manifest", "users.txt"], "has to end in .json or .csv"),
    ],
)
def test_what_cannot_be_meant_is_refused(desk: Desk, words: list[str], said: str) -> None:
    code, _, error = desk.sim("seed", "a.db", *words)
    assert code == 2
    assert said in " ".join(error.split())


@pytest.mark.parametrize(("text", "seconds"), [("5/min", 12.0), ("2/s", 0.5), ("0.5/h", 7200.0)])
def test_a_rate_is_the_time_between_two_users(text: str, seconds: float) -> None:
    assert parse_rate(text) == seconds


def test_shares_and_numbers_of_failures() -> None:
    assert not Tolerance.parse("5%").is_exceeded(10, 200)
    assert Tolerance.parse("5%").is_exceeded(11, 200)
    assert Tolerance.parse("0").is_exceeded(1, 200)
    assert not Tolerance.parse("3").is_exceeded(3, 5)
