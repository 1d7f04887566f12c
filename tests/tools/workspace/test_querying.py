"""Asking a database: answers, bounds, and that nothing can be changed by any way that SQLite has."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from hashlib import sha256
from pathlib import Path

import pytest

from simulator.errors import ToolError
from simulator.tools.workspace import querying


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    path = tmp_path / "the #1 shop?.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(
            "CREATE TABLE book (title TEXT, price REAL, cover BLOB);"
            "INSERT INTO book VALUES ('The Moonstone', 4.5, x'0102'), ('Emma', NULL, NULL);"
            "CREATE TABLE log (line TEXT);"
            "CREATE INDEX by_price ON book (price);"
            "CREATE TRIGGER noted AFTER INSERT ON book BEGIN INSERT INTO log VALUES ('x'); END;"
        )
    return path


def test_rows_come_with_their_columns(shop: Path) -> None:
    found = querying.ask(shop, "SELECT title, price, cover FROM book ORDER BY title", [])
    assert found.columns == ("title", "price", "cover")
    assert found.rows == (("Emma", None, None), ("The Moonstone", 4.5, "[2 bytes]"))
    assert not found.cut


def test_values_stand_for_question_marks(shop: Path) -> None:
    assert querying.ask(shop, "SELECT title FROM book WHERE price < ?", [5]).rows == (("The Moonstone",),)


def test_recursion_functions_and_telling_pragmas_are_allowed(shop: Path) -> None:
    count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 500) SELECT i FROM n"
    found = querying.ask(shop, count, [])
    assert (len(found.rows), found.cut) == (querying.ROWS_LIMIT, True)
    assert querying.ask(shop, "SELECT upper(title) FROM book LIMIT 1", []).rows == (("THE MOONSTONE",),)
    assert [row[1] for row in querying.ask(shop, "PRAGMA table_info(book)", []).rows] == ["title", "price", "cover"]


@pytest.mark.parametrize(
    "query",
    [
        "INSERT INTO book VALUES ('x', 1, NULL)",
        "UPDATE book SET price = 0",
        "DELETE FROM book",
        "DROP TABLE book",
        "CREATE TABLE other (x)",
        "CREATE TEMP TABLE other (x)",
        "CREATE VIEW other AS SELECT 1",
        "WITH gone AS (SELECT 1) DELETE FROM book WHERE 1 IN gone",
        "INSERT INTO book SELECT * FROM book RETURNING title",
        "/* SELECT */ DELETE FROM book",
        "EXPLAIN DELETE FROM book",
        "ATTACH '{other}' AS other",
        "ATTACH ':memory:' AS other",
        "DETACH main",
        "VACUUM",
        "VACUUM INTO '{other}'",
        "REINDEX",
        "ANALYZE",
        "PRAGMA user_version = 7",
        "PRAGMA journal_mode = DELETE",
        "PRAGMA query_only = OFF",
        "PRAGMA writable_schema = ON",
        "PRAGMA temp_store_directory = '/tmp'",
        "PRAGMA wal_checkpoint",
        "BEGIN IMMEDIATE",
        "SAVEPOINT here",
        "SELECT load_extension('/lib/x.so')",
        "CREATE VIRTUAL TABLE other USING fts5(x)",
    ],
)
def test_nothing_can_be_changed_or_opened(shop: Path, tmp_path: Path, query: str) -> None:
    before = sha256(shop.read_bytes()).hexdigest()
    with pytest.raises(ToolError) as told:
        querying.ask(shop, query.format(other=tmp_path / "other.db"), [])
    assert told.value.type in ("not_allowed", "invalid_input")
    assert sha256(shop.read_bytes()).hexdigest() == before
    assert [path.name for path in tmp_path.iterdir()] == [shop.name]


def test_the_connection_alone_keeps_the_file_as_it_is(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(querying, "_authorize", lambda *_: sqlite3.SQLITE_OK)
    with pytest.raises(ToolError, match="is only read"):
        querying.ask(shop, "DELETE FROM book", [])


def test_a_view_is_judged_by_what_it_does(shop: Path) -> None:
    with closing(sqlite3.connect(shop)) as connection:
        connection.executescript("CREATE VIEW cheap AS SELECT title FROM book WHERE price < 5;")
    assert querying.ask(shop, "SELECT * FROM cheap", []).rows == (("The Moonstone",),)


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ("SELECT * FROM books", "no such table: books"),
        ("SELEC 1", "syntax error"),
        ("SELECT 1; SELECT 2", "one statement"),
        ("SELECT ?", "binding"),
        ("SELECT 1 \0", "null character"),
    ],
)
def test_a_wrong_query_is_told(shop: Path, query: str, said: str) -> None:
    with pytest.raises(ToolError, match=said) as told:
        querying.ask(shop, query, [])
    assert told.value.type == "invalid_input"


def test_a_query_without_end_is_stopped(shop: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(querying, "TIME_LIMIT_S", 0.2)
    with pytest.raises(ToolError) as told:
        querying.ask(shop, "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i FROM n) SELECT count(*) FROM n", [])
    assert told.value.type == "timeout"


def test_large_and_odd_values_are_told_in_short(shop: Path) -> None:
    query = "SELECT printf('%.*c', 5000, 'x'), 9e999, zeroblob(1000), CAST(x'ff41' AS TEXT)"
    (row,) = querying.ask(shop, query, []).rows
    assert row == ("x" * 2000 + "[cut: 5000 characters]", "inf", "[1000 bytes]", "\ufffdA")
    with pytest.raises(ToolError, match="too big"):
        querying.ask(shop, "SELECT zeroblob(2000000000)", [])


def test_what_is_no_database_is_told(tmp_path: Path) -> None:
    (tmp_path / "text.db").write_text("not a database, but long enough to have a header " * 20)
    with pytest.raises(ToolError, match="is no SQLite database"):
        querying.ask(tmp_path / "text.db", "SELECT * FROM sqlite_schema", [])


def test_a_database_in_wal_mode_is_read(shop: Path) -> None:
    with closing(sqlite3.connect(shop)) as connection:
        connection.execute("PRAGMA journal_mode = WAL")
        connection.execute("INSERT INTO log VALUES ('in the log')")
        connection.commit()
        assert querying.ask(shop, "SELECT line FROM log", []).rows == (("in the log",),)
