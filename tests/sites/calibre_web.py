"""Calibre-Web with a library of three books, installed from PyPI into a folder and served on loopback."""

from __future__ import annotations

import hashlib
import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

from tests.ports import port_of_nobody
from tests.sites.accounts import add_accounts
from tests.sites.packages import virtual_environment
from tests.sites.programs import program

PACKAGE = "calibreweb==0.6.27"
ADMIN, PASSWORD = "admin", "Rosebud-91-of-the-lake"
_LIBRARY = """
CREATE TABLE library_id (id INTEGER PRIMARY KEY, uuid TEXT NOT NULL);
CREATE TABLE books (
    id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT NOT NULL DEFAULT 'Unknown' COLLATE NOCASE,
    sort TEXT COLLATE NOCASE, timestamp TIMESTAMP DEFAULT CURRENT_TIMESTAMP, pubdate TIMESTAMP,
    series_index REAL NOT NULL DEFAULT 1.0, author_sort TEXT COLLATE NOCASE, isbn TEXT DEFAULT '', lccn TEXT DEFAULT '',
    path TEXT NOT NULL DEFAULT '', flags INTEGER NOT NULL DEFAULT 1, uuid TEXT, has_cover BOOL DEFAULT 0,
    last_modified TIMESTAMP NOT NULL DEFAULT '2000-01-01 00:00:00+00:00'
);
CREATE TABLE comments (id INTEGER PRIMARY KEY, book INTEGER NOT NULL UNIQUE, text TEXT NOT NULL COLLATE NOCASE);
CREATE TABLE tags (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, link TEXT NOT NULL DEFAULT '');
CREATE TABLE authors (
    id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, sort TEXT COLLATE NOCASE,
    link TEXT NOT NULL DEFAULT ''
);
CREATE TABLE series (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, sort TEXT COLLATE NOCASE);
CREATE TABLE ratings (id INTEGER PRIMARY KEY, rating INTEGER UNIQUE CHECK (rating > -1 AND rating < 11));
CREATE TABLE languages (id INTEGER PRIMARY KEY, lang_code TEXT NOT NULL UNIQUE COLLATE NOCASE);
CREATE TABLE publishers (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE COLLATE NOCASE, sort TEXT COLLATE NOCASE);
CREATE TABLE identifiers (
    id INTEGER PRIMARY KEY, book INTEGER NOT NULL, type TEXT NOT NULL DEFAULT 'isbn' COLLATE NOCASE,
    val TEXT NOT NULL COLLATE NOCASE, UNIQUE (book, type)
);
CREATE TABLE data (
    id INTEGER PRIMARY KEY, book INTEGER NOT NULL, format TEXT NOT NULL COLLATE NOCASE,
    uncompressed_size INTEGER NOT NULL, name TEXT NOT NULL, UNIQUE (book, format)
);
CREATE TABLE metadata_dirtied (id INTEGER PRIMARY KEY, book INTEGER NOT NULL UNIQUE);
CREATE TABLE custom_columns (
    id INTEGER PRIMARY KEY AUTOINCREMENT, label TEXT NOT NULL UNIQUE, name TEXT NOT NULL, datatype TEXT NOT NULL,
    mark_for_delete BOOL DEFAULT 0 NOT NULL, editable BOOL DEFAULT 1 NOT NULL, display TEXT DEFAULT '{}' NOT NULL,
    is_multiple BOOL DEFAULT 0 NOT NULL, normalized BOOL NOT NULL
);
CREATE TABLE books_authors_link (id INTEGER PRIMARY KEY, book INTEGER, author INTEGER, UNIQUE (book, author));
CREATE TABLE books_tags_link (id INTEGER PRIMARY KEY, book INTEGER, tag INTEGER, UNIQUE (book, tag));
CREATE TABLE books_series_link (id INTEGER PRIMARY KEY, book INTEGER UNIQUE, series INTEGER);
CREATE TABLE books_ratings_link (id INTEGER PRIMARY KEY, book INTEGER, rating INTEGER, UNIQUE (book, rating));
CREATE TABLE books_languages_link (
    id INTEGER PRIMARY KEY, book INTEGER, lang_code INTEGER, item_order INTEGER DEFAULT 0, UNIQUE (book, lang_code)
);
CREATE TABLE books_publishers_link (id INTEGER PRIMARY KEY, book INTEGER UNIQUE, publisher INTEGER);
CREATE TRIGGER books_insert AFTER INSERT ON books BEGIN
    UPDATE books SET sort = title_sort(NEW.title), uuid = uuid4() WHERE id = NEW.id;
END;
CREATE TRIGGER books_update AFTER UPDATE ON books BEGIN
    UPDATE books SET sort = title_sort(NEW.title) WHERE id = NEW.id AND OLD.title <> NEW.title;
END;
INSERT INTO library_id (uuid) VALUES ('6d5b2c3e-1f5a-4e2d-9f39-8a1c7be2a111');
"""
_BOOKS = (("The Moonstone", "Wilkie Collins"), ("Middlemarch", "George Eliot"), ("Dracula", "Bram Stoker"))
_SETTINGS = (
    "UPDATE settings SET config_calibre_dir = ?, config_port = ?, config_uploading = 1, config_random_books = 0,"
    " config_ratelimiter = 0, config_embed_metadata = 0"
)
OF_USERS = ("user", "shelf", "book_shelf_link", "book_read_link", "archived_book")
"""Tables of the application's own database that users write to."""


@dataclass(frozen=True)
class CalibreWeb:
    """An installed application and its library."""

    folder: Path
    port: int

    @classmethod
    def install(cls, folder: Path, others: Sequence[str] = ()) -> CalibreWeb:
        """Install it, and keep its library and its own database as they are with one administrator.

        Args:
            folder: takes it.
            others: names of more users, who have the administrator's rights and password.
        """
        virtual_environment(folder / "venv", PACKAGE)
        made = cls(folder, port_of_nobody())
        made.library.mkdir(parents=True)
        _fill(made.library)
        # Its own database is made by the first start, which takes the default port: nobody asks it for anything.
        made._run("-s", f"{ADMIN}:{PASSWORD}")
        with closing(sqlite3.connect(made.database)) as own, own:
            own.execute(_SETTINGS, (str(made.library), made.port))
        with made.served():
            pass
        add_accounts(made.database, "user", "name", others)
        shutil.copytree(folder / "live", folder / "pristine")
        return made

    def reset(self) -> None:
        """Throw away what was added, under the eyes of the server: its connections stay."""
        for path in self.library.iterdir():
            if path.is_dir():
                shutil.rmtree(path)
        for path in (self.folder / "pristine" / "library").iterdir():
            if path.is_dir():
                shutil.copytree(path, self.library / path.name)
        for name in ("app.db", "library/metadata.db"):
            before, now = self.folder / "pristine" / name, self.folder / "live" / name
            with closing(sqlite3.connect(before)) as source, closing(sqlite3.connect(now)) as target:
                source.backup(target)

    @property
    def library(self) -> Path:
        return self.folder / "live" / "library"

    @property
    def database(self) -> Path:
        """Its own: users and their shelves."""
        return self.folder / "live" / "app.db"

    def covers(self) -> list[tuple[str, str]]:
        """Give the folder of each book that has a cover, and what the cover hashes to."""
        found = sorted(self.library.rglob("cover.jpg"))
        return [(path.parent.name, hashlib.sha256(path.read_bytes()).hexdigest()) for path in found]

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        url = f"http://127.0.0.1:{self.port}"
        return program(self._command(), url, "/login", folder=self.folder, environment=self._environment)

    def _command(self, *arguments: str) -> list[str]:
        return [str(self.folder / "venv" / "bin" / "cps"), "-i", "127.0.0.1", *arguments]

    def _run(self, *arguments: str) -> None:
        subprocess.run(
            self._command(*arguments), cwd=self.folder, env=self._environment, check=True, stdout=subprocess.DEVNULL
        )

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "CALIBRE_DBPATH": str(self.folder / "live")}


def _fill(library: Path) -> None:
    with closing(sqlite3.connect(library / "metadata.db")) as database, database:
        database.create_function("title_sort", 1, lambda title: title.removeprefix("The "))
        database.create_function("uuid4", 0, lambda: "0d1f6c5e-0000-4000-8000-000000000000")
        database.executescript(_LIBRARY)
        for number, (title, author) in enumerate(_BOOKS, start=1):
            folder = library / author / f"{title} ({number})"
            folder.mkdir(parents=True)
            name = f"{title} - {author}"
            (folder / f"{name}.txt").write_text(f"{title}, by {author}.\n", "utf-8")
            path, day = f"{author}/{title} ({number})", f"18{60 + number}-03-01 00:00:00+00:00"
            database.execute(
                "INSERT INTO books (title, author_sort, path, pubdate) VALUES (?, ?, ?, ?)", (title, author, path, day)
            )
            database.execute("INSERT INTO authors (name, sort) VALUES (?, ?)", (author, author))
            database.execute("INSERT INTO books_authors_link (book, author) VALUES (?, ?)", (number, number))
            database.execute(
                "INSERT INTO data (book, format, uncompressed_size, name) VALUES (?, 'TXT', 40, ?)", (number, name)
            )
