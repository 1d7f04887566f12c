"""New users do what was recorded, on a bookshop that is already full, and say nothing of those who were recorded."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Sequence
from contextlib import closing
from typing import Any

import pytest

from simulator.demo.state import reset
from simulator.persona import Identity
from simulator.recording.reader import Recording
from tests.runner.bench import USERS, VISITOR, Bench, Original, Replayed, Shop

pytestmark = [pytest.mark.timeout(1500), pytest.mark.promise("the same users again, and others")]

WORDS = ("username", "email", "display_name", "street", "phone", "bio", "tagline")


def acts(state: dict[str, Any], username: str) -> dict[str, int]:
    return {kind: len(things) for kind, things in state[username].items()}


def listings(state: dict[str, Any], usernames: Iterable[str]) -> list[tuple[str, str]]:
    """Title and hash of the cover of everything that users sell."""
    return [
        (listing["title"], listing["cover"]["sha256"])
        for name in usernames
        for listing in state[name].get("listing", {}).values()
    ]


def identities(original: Original) -> list[Identity]:
    with Recording.open(original.db) as recording:
        return [Identity.model_validate(run.identity) for run in recording.runs(original.result.batch_id)]


def said(log: list[dict[str, Any]]) -> str:
    """Everything that was sent to change the site: paths and fields."""
    return "\n".join(str(part) for row in log for part in (row["who"], row["path"], row["fields"]))


@pytest.mark.slow
async def test_fresh_users_do_the_same_deeds_on_a_full_site_twice(bench: Bench, original: Original) -> None:
    shop = original.shop.copy_to(bench.shop("full").file)
    recorded = {run.number: run.username for run in original.result.runs}
    people = identities(original)
    seen = set(recorded.values())
    for seed in ("spring", "autumn"):
        before, length = shop.state, len(shop.log)
        replayed: Replayed = await bench.replay(
            original.db, seed, shop=shop, identity="fresh", seed=seed, concurrency=3
        )
        assert replayed.verdicts == ["passed"] * USERS, [run.drift for run in replayed.result.runs if run.drift]
        state = shop.state
        names = {run.number: run.username for run in replayed.result.runs}
        assert seen.isdisjoint(names.values())
        assert {name: state[name] for name in before if name != "house"} == {
            name: part for name, part in before.items() if name != "house"
        }
        for number, name in names.items():
            assert acts(state, name) == acts(original.shop.state, recorded[number])
        old, new = listings(original.shop.state, recorded.values()), listings(state, names.values())
        drawn = {book.title for run in replayed.result.runs for book in fresh_identity(replayed, run.run_id).books}
        assert {title for title, _ in new} <= drawn
        assert len(set(new) - set(old)) > len(new) / 2, "other books"
        for title, cover in new:
            # The catalogue is small: who draws a book that was sold before draws its cover, too.
            assert (cover in {sha256 for _, sha256 in old}) == (title in {sold for sold, _ in old}), title
        everything = said(shop.log[length:])
        allowed = drawn | {title for title, _ in listings(state, ["house"])}
        for person in people:
            for word in WORDS:
                assert str(getattr(person, word)) not in everything, f"{word} of user {person.number}"
            for book in person.books:
                assert book.description not in everything
                assert book.title not in everything or any(book.title in title for title in allowed), book.title
        seen |= set(names.values())


def fresh_identity(replayed: Replayed, run_id: str) -> Identity:
    with Recording.open(replayed.result.db) as recording:
        return Identity.model_validate(recording.run(run_id).identity)


@pytest.mark.slow
async def test_a_fresh_replay_draws_a_seed_where_none_is_given(bench: Bench, seller: Original) -> None:
    shop = seller.shop.copy_to(bench.shop("full").file)
    for name in ("first", "second"):
        replayed = await bench.replay(seller.db, name, shop=shop, identity="fresh")
        assert replayed.verdicts == ["passed"]
    assert len(shop.state) == 4, "the house, the recorded seller, and two more"


@pytest.mark.slow
async def test_uploads_of_a_fresh_replay_are_kept_with_it(bench: Bench, seller: Original) -> None:
    replayed = await bench.replay(seller.db, "fresh", identity="fresh", seed="spring")
    (run,) = replayed.result.runs
    with Recording.open(replayed.result.db) as recording:
        hashes = {action.options["sha256"] for action in recording.actions(run.run_id) if action.kind == "upload"}
        assert hashes == {sha256 for _, sha256 in listings(replayed.shop.state, [run.username])}
        assert all(recording.blobs.read(sha256) for sha256 in hashes)


def keep(shop: Shop, titles: Sequence[str]) -> None:
    """Take everything else off the shelves."""
    with closing(sqlite3.connect(shop.file)) as connection:
        marks = ", ".join("?" * len(titles))
        connection.execute(f"UPDATE listing SET deleted = 1 WHERE title NOT IN ({marks})", titles)
        connection.commit()


@pytest.mark.slow
async def test_who_chose_by_chance_what_another_task_is_about_does_not_lead_that_task_astray(bench: Bench) -> None:
    """Recorded in an empty shop, where every look falls on the one book that is there; replayed in a full one."""
    look = {"browse": {"pages": 2}}
    keeper = {"persona": "keeper", "tasks": ["register", {"list_books": {"count": 1}}, look, "edit_listing"]}
    visitor = {"persona": "visitor", "tasks": ["register", look, "save_listings", "message_seller"]}
    reset(bench.shop("empty").file)
    keep(bench.shop("empty"), ())
    recorded = await bench.record("empty", (keeper, visitor), count=2, concurrency=1)
    assert [run.persona for run in recorded.result.runs] == ["keeper", "visitor"]
    with Recording.open(recorded.db) as recording:
        known = [one for run in recorded.result.runs for one in recording.variables(run.run_id)]
        chosen = [one.value for one in known if one.name.startswith("choice.")]
    assert len(chosen) == 2
    assert len(set(chosen)) == 1, "the keeper's book"
    replayed = await bench.replay(recorded.db, "full", identity="fresh", seed="spring", concurrency=1)
    assert replayed.verdicts == ["passed"] * 2, [run.drift for run in replayed.result.runs]
    for original, again in zip(recorded.result.runs, replayed.result.runs, strict=True):
        assert acts(replayed.shop.state, again.username) == acts(recorded.shop.state, original.username)
    assert replayed.shop.effects == recorded.shop.effects


@pytest.mark.breadth(1, table=1)
@pytest.mark.parametrize("identity", ["same", "fresh"])
async def test_what_was_chosen_is_chosen_anew_where_it_is_gone(bench: Bench, identity: str) -> None:
    """A visitor who deals with the stock alone; most of it, and all that was chosen, is gone afterwards."""
    recorded = await bench.record("recorded", (VISITOR,), count=1, concurrency=1)
    with Recording.open(recorded.db) as recording:
        run = recording.run("last")
        chosen = {one.value for one in recording.variables(run.id) if one.name.startswith("choice.")}
    assert len(chosen) > 1
    shop = bench.shop("thinned")
    reset(shop.file)
    left = [title for title, _ in listings(shop.state, ["house"]) if title not in chosen][:4]
    keep(shop, left)
    replayed = await bench.replay(recorded.db, "replayed", shop=shop, identity=identity, seed="spring")
    assert replayed.verdicts == ["passed"], replayed.result.runs[0].drift
    (name,) = (run.username for run in replayed.result.runs)
    (was,) = (run.username for run in recorded.result.runs)
    assert (name == was) == (identity == "same")
    assert acts(shop.state, name) == acts(recorded.shop.state, was)
