"""The snapshot, the change log and the reset: the same acts give the same bytes, and no secret is in them."""

from __future__ import annotations

import json
import sqlite3
from pathlib import Path
from typing import Any

import pytest

from simulator.demo.errors import NotABookshop
from simulator.demo.state import change_log, reset, site_state, state_json


def number(path: str) -> str:
    return path.rsplit("/", 1)[1]


def acts(anna: Any, ben: Any, *, ben_first: bool) -> None:
    """Let two readers do the same things in one of two orders, so that the site generates other ids."""
    if ben_first:
        walden, emma = ben.list_book(title="Walden"), anna.list_book(title="Emma")
    else:
        emma, walden = anna.list_book(title="Emma"), ben.list_book(title="Walden")
    matchup = anna.submit("/this-or-that/new", {"first": number(emma), "second": number(walden)})
    ben.submit("/this-or-that/new", {"first": number(walden), "second": "1"})
    ben.submit(matchup.headers["location"], {"choice": "second"})
    ben.submit(emma, {"body": "Hello", "listing": number(emma)}, to="/sellers/anna/message")
    anna.submit(walden, {"saved": "1"}, to=f"{walden}/save")


def test_the_snapshot_does_not_depend_on_who_came_first(shop: Any, new_reader: Any) -> None:
    snapshots = []
    for ben_first in (False, True):
        shop.control("POST", "reset")
        names = ["ben", "anna"] if ben_first else ["anna", "ben"]
        readers = {name: new_reader().register(name) for name in names}
        acts(readers["anna"], readers["ben"], ben_first=ben_first)
        snapshots.append(shop.control("GET", "state").text)
    assert snapshots[0] == snapshots[1]
    assert set(json.loads(snapshots[0])["ben"]) == {"user", "listing", "matchup", "message", "vote"}


def test_the_snapshot_tells_sites_apart(anna: Any, make_book: Any) -> None:
    path = anna.list_book()
    before = anna.shop.state()
    anna.submit(f"{path}/edit", make_book(description="Other."))
    after = anna.shop.state()
    assert before != after
    assert after["anna"]["listing"]["1"]["description"] == "Other."


def test_a_sequence_number_is_never_given_twice(anna: Any, ben: Any) -> None:
    for _ in range(2):
        anna.submit(f"{anna.list_book()}/delete", {})
    path = anna.list_book()
    assert set(anna.shop.state()["anna"]["listing"]) == {"3"}
    for saved in ("1", "0", "1"):
        ben.submit(path, {"saved": saved}, to=f"{path}/save")
    assert set(anna.shop.state()["ben"]["save"]) == {"2"}


def test_the_snapshot_is_canonical_json(shop: Any) -> None:
    text = shop.control("GET", "state").text
    value = json.loads(text)
    assert text == json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":")) + "\n"
    assert len(value["house"]["listing"]) == 12
    assert len(value["house"]["matchup"]) == 2


def test_every_attempt_is_logged_with_its_outcome(anna: Any, ben: Any, make_book: Any, make_image: Any) -> None:
    start = len(anna.shop.log())
    anna.submit("/books/new", make_book(price="free"), cover=make_image(), headers={"X-Sim-Step": "run-1/4"})
    path = anna.list_book()
    ben.submit("/books/new", {}, to=f"{path}/delete")
    refused, listed, forbidden = anna.shop.log()[start:]

    assert (refused["who"], refused["status"], refused["effect"]) == ("anna", 422, None)
    assert refused["step"] == "run-1/4"
    assert refused["fields"]["price"] == "free"
    assert set(refused["fields"]["cover"]) == {"name", "size", "sha256"}
    assert (listed["route"], listed["path"], listed["status"]) == ("/books/new", "/books/new", 303)
    assert listed["effect"] == {"name": "listing.created", "reference": ["anna", "listing", 1]}
    assert listed["step"] is None
    assert (forbidden["who"], forbidden["status"], forbidden["effect"]) == ("ben", 403, None)
    assert forbidden["route"] == "/books/{id}/delete"


def test_neither_snapshot_nor_log_nor_database_holds_a_secret(shop: Any, new_reader: Any) -> None:
    reader = new_reader()
    reader.password = "canary-7f3a91"
    reader.register("anna").list_book()
    token = reader.token("/books/new")
    session = reader.client.cookies["foxed_session"]
    reader.submit("/books/new", {"username": "anna", "password": reader.password}, to="/account/login")
    published = shop.control("GET", "state").text + shop.control("GET", "log").text
    stored = b"".join(path.read_bytes() for path in shop.db.parent.glob(shop.db.name + "*"))
    for secret in (reader.password, token, session):
        assert secret not in published
        assert secret.encode() not in stored
    assert "csrf" not in published
    assert "password" not in published


def test_a_reset_is_complete(anna: Any) -> None:
    path = anna.list_book()
    anna.shop.control("POST", "reset")
    assert set(anna.shop.state()) == {"house"}
    assert anna.shop.log() == []
    assert anna.get(path).status_code == 404
    assert anna.get("/inbox").status_code == 303
    anna.shop.control("POST", "reset?stock=0")
    assert anna.shop.state() == {}
    assert "The shelves are empty." in anna.get("/").text


def test_ids_start_anew_after_a_reset(shop: Any, new_reader: Any) -> None:
    paths = []
    for _ in range(2):
        shop.control("POST", "reset")
        paths.append(new_reader().register("anna").list_book())
    assert paths[0] == paths[1]


def test_the_file_tells_the_same_as_the_server(anna: Any) -> None:
    anna.list_book()
    assert state_json(anna.shop.db) == anna.shop.control("GET", "state").text
    assert change_log(anna.shop.db) == anna.shop.log()
    reset(anna.shop.db, stock=False)
    assert anna.shop.state() == {}


def test_a_file_can_be_filled_without_a_server(tmp_path: Path) -> None:
    db = tmp_path / "new" / "shop.db"
    reset(db)
    first = state_json(db)
    reset(db)
    assert state_json(db) == first
    assert len(site_state(db)["house"]["listing"]) == 12


def test_what_is_no_bookshop_is_refused_and_left_alone(tmp_path: Path) -> None:
    text, other, missing, empty = (tmp_path / name for name in ("a.txt", "b.db", "c.db", "d.db"))
    text.write_text("Dear diary" * 100)
    connection = sqlite3.connect(other)
    connection.execute("CREATE TABLE run (id)")
    connection.close()
    empty.touch()
    for path in (text, other, missing, empty):
        before = path.read_bytes() if path.exists() else None
        with pytest.raises(NotABookshop, match=path.name):
            site_state(path)
        assert (path.read_bytes() if path.exists() else None) == before
    for path in (text, other):
        with pytest.raises(NotABookshop, match=path.name):
            reset(path)
