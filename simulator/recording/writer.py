"""The writing side of a recording file: transactions, masking, and what is stored once by its content.

Not responsible for: what a batch, a run or a step is.
"""

from __future__ import annotations

import dataclasses
import json
import sqlite3
import zlib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, overload

from simulator.browser.action_recorder import PageState
from simulator.browser.wire.exchange import readable
from simulator.canonical import canonical_json, content_hash, sha256, well_formed
from simulator.errors import RecordingError
from simulator.recording import process
from simulator.recording.database import explain, explained, is_whole
from simulator.recording.layout import MOST_UNPACKED
from simulator.recording.stamps import new_id
from simulator.template import placeholders

_COMPRESSED = ("image/png", "image/jpeg", "image/webp", "application/zip", "application/gzip", "video/", "font/")
_TEXTS = ("json", "xml", "javascript", "yaml", "x-www-form-urlencoded")
_MIN_COMPRESS = 256
_WORTH = 0.9
"""Compressed bytes are stored where they are smaller than this share."""


Mask = Callable[[Sequence[str]], Sequence[str]]
"""Puts placeholders in place of the secrets in some texts, and gives the texts in their order."""

LITERAL_BRACES = "lb"
"""The placeholder that stands for two literal braces; no variable."""

_TEMPLATES = """
SELECT step_id, action_id, place, template FROM (
    SELECT id AS step_id, NULL AS action_id, 'input' AS place, input AS template, ordinal, -1 AS action
    FROM step WHERE run_id = ?1
    UNION ALL
    SELECT step_id, action.id, 'value', value, step.ordinal, action.ordinal
    FROM action JOIN step ON step.id = step_id WHERE run_id = ?1
    UNION ALL
    SELECT step_id, action.id, 'target', target, step.ordinal, action.ordinal
    FROM action JOIN step ON step.id = step_id WHERE run_id = ?1
) WHERE instr(template, '{{') ORDER BY ordinal, action, place DESC"""


class Writer:
    """An open recording and how it is written to.

    Args:
        connection: an open and migrated recording.
        path: its path, for messages.
        mask: applied to the texts of a row before they are written.
    """

    def __init__(self, connection: sqlite3.Connection, path: Path, mask: Mask | None) -> None:
        self.connection = connection
        self.path = path
        self._mask = mask
        self._process_id = new_id()
        self._mark = process.current()
        self._batch_ordinals: dict[str, int] = {}
        self._page: tuple[PageState, tuple[Any, ...]] | None = None
        """The page that was stored last, and its row: it is the page before the next action."""

    def transaction(self) -> _Transaction:
        """Begin a transaction that gives the number of the change; committed at the end of the block."""
        return _Transaction(self.connection, self.path)

    def execute(self, sql: str, values: Sequence[Any] | Mapping[str, Any] = ()) -> sqlite3.Cursor:
        """Execute one statement."""
        return self.connection.execute(sql, values)

    def insert(self, table: str, **values: Any) -> None:
        """Insert a row by column names."""
        marks = ", ".join("?" * len(values))
        self.execute(f"INSERT INTO {table} ({', '.join(values)}) VALUES ({marks})", tuple(values.values()))

    @overload
    def text(self, text: str) -> str: ...
    @overload
    def text(self, text: None) -> None: ...
    def text(self, text: str | None) -> str | None:
        """Make a text fit to be written: masked, and without lone surrogates, which SQLite does not take."""
        return self.texts(text)[0]

    def texts(self, *texts: str | None) -> Sequence[str | None]:
        """Make the texts of a row fit to be written, as :meth:`text` does, with one look for secrets at all of them."""
        given = [well_formed(text) for text in texts if text is not None]
        masked = iter(self._mask(given) if self._mask is not None else given)
        return [None if text is None else next(masked) for text in texts]

    def json(self, value: object) -> str:
        """Write a JSON value, masked."""
        return self.text(canonical_json(value))

    def identity(self, identity: Mapping[str, Any] | None) -> str | None:
        """Write an identity's values, with placeholders for passwords whoever put them there."""
        if identity is None:
            return None
        return self.json(
            {
                name: f"{{{{secret.{name}}}}}" if "password" in name or name.startswith("secret") else value
                for name, value in identity.items()
            }
        )

    def add_summary(self, run_id: str, summary: Mapping[str, Any]) -> None:
        """Add entries to the summary of a run, also when it has ended."""
        with self.transaction() as change:
            (text,) = self.execute("SELECT summary FROM run WHERE id = ?", (run_id,)).fetchone()
            whole = self.json(json.loads(text or "{}") | dict(summary))
            self.execute("UPDATE run SET summary = ?, change = ? WHERE id = ?", (whole, change, run_id))

    def put_blob(self, data: bytes, media_type: str) -> str:
        """Store bytes once by their hash, compressed where that helps.

        What can be read is masked first, by whichever media type it goes.

        Returns:
            The SHA-256 of what was stored.
        """
        if self._mask is not None and (is_text(media_type) or readable(data) is not None):
            data = self._mask([data.decode("utf-8", "surrogateescape")])[0].encode("utf-8", "surrogateescape")
        digest = sha256(data)
        with explained(self.path):
            known = self.execute("SELECT 1 FROM blob WHERE sha256 = ?", (digest,)).fetchone()
        if not known:
            encoding, stored = "identity", data
            if _MIN_COMPRESS <= len(data) <= MOST_UNPACKED and not media_type.startswith(_COMPRESSED):
                packed = zlib.compress(data)
                if len(packed) < _WORTH * len(data):
                    encoding, stored = "zlib", packed
            with self.transaction():
                self.execute(
                    "INSERT INTO blob VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
                    (digest, media_type, len(data), encoding, stored),
                )
        return digest

    def put_page(self, page: PageState) -> str:
        """Store a page's state once by its content, inside a transaction.

        Returns:
            Its hash.
        """
        row = self._page_row(page)
        self.execute("INSERT INTO page VALUES (?, ?, ?, ?, ?, ?, ?, NULL) ON CONFLICT DO NOTHING", row)
        return str(row[0])

    def keep_snapshot(self, page: PageState, text: str) -> None:
        """Store how a page looks as a tree, beside the page; nothing where the page is not stored, or has one.

        Args:
            page: as it was stored.
            text: the tree; masked here once more.
        """
        sha256 = self._page_row(page)[0]
        with explained(self.path):
            sql = "SELECT 1 FROM page WHERE sha256 = ? AND snapshot IS NULL"
            lacking = self.execute(sql, (sha256,)).fetchone()
        if lacking:
            blob = self.put_blob(text.encode("utf-8", "replace"), "text/plain")
            with self.transaction():
                self.execute("UPDATE page SET snapshot = ? WHERE sha256 = ?", (blob, sha256))

    def _page_row(self, page: PageState) -> tuple[Any, ...]:
        if self._page is None or self._page[0] is not page:
            lists = map(canonical_json, (page.requests, page.alerts, page.notes))
            url, title, requests, alerts, notes = self.texts(page.url, page.title, *lists)
            values = (url, title, page.status, requests, alerts, notes)
            self._page = page, (page_hash(values), *values)
        return self._page[1]

    def forget_page(self) -> None:
        """Rewrite the page that was stored last when it comes again: what is secret has changed."""
        self._page = None

    def next_batch_ordinal(self, batch_id: str) -> int:
        """Give a step's place in its batch; a batch's steps are written by one process at a time."""
        ordinal = self._batch_ordinals.get(batch_id)
        if ordinal is None:
            ordinal = self.execute(
                "SELECT coalesce(max(batch_ordinal) + 1, 0) FROM step "
                "WHERE run_id IN (SELECT id FROM run WHERE batch_id = ?)",
                (batch_id,),
            ).fetchone()[0]
        self._batch_ordinals[batch_id] = ordinal + 1
        return int(ordinal)

    def close_run(self, run_id: str, change: int) -> None:
        """Mark what is pending in a run as interrupted, and store which variables it uses; in a transaction."""
        self.execute(
            "UPDATE action SET status = 'interrupted', change = ? WHERE status = 'pending' "
            "AND step_id IN (SELECT id FROM step WHERE run_id = ?)",
            (change, run_id),
        )
        self.execute(
            "UPDATE step SET status = 'interrupted', change = ? WHERE status = 'pending' AND run_id = ?",
            (change, run_id),
        )
        self.execute("UPDATE llm_call SET status = 'interrupted' WHERE status = 'pending' AND run_id = ?", (run_id,))
        self.execute("DELETE FROM variable_use WHERE step_id IN (SELECT id FROM step WHERE run_id = ?)", (run_id,))
        for step_id, action_id, place, template in self.execute(_TEMPLATES, (run_id,)).fetchall():
            for name in dict.fromkeys(placeholders(template)):
                if name != LITERAL_BRACES:
                    self.execute("INSERT INTO variable_use VALUES (?, ?, ?, ?)", (step_id, action_id, place, name))

    def process(self) -> str:
        """Give the id of this process's row, storing it where it is missing, inside a transaction."""
        self.execute(
            "INSERT INTO process VALUES (?, ?, ?, ?, ?) ON CONFLICT DO NOTHING",
            (self._process_id, *dataclasses.astuple(self._mark)),
        )
        return self._process_id


class _Transaction:
    """One write transaction: counts the change sequence up, and reports SQLite's errors as sentences."""

    __slots__ = ("_connection", "_path")

    def __init__(self, connection: sqlite3.Connection, path: Path) -> None:
        self._connection = connection
        self._path = path

    def __enter__(self) -> int:
        try:
            self._connection.execute("BEGIN IMMEDIATE")
            row = self._connection.execute("UPDATE sequence SET value = value + 1 RETURNING value").fetchone()
        except sqlite3.Error as error:
            self._undo(error)
            raise
        return int(row[0])

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is None:
            try:
                self._connection.execute("COMMIT")
            except sqlite3.Error as failed:
                self._undo(failed)
                raise
            return
        self._undo(error)

    def _undo(self, error: BaseException) -> None:
        if self._connection.in_transaction:
            self._connection.execute("ROLLBACK")
        told = explain(error, self._path) if isinstance(error, Exception) else None
        if told is None and isinstance(error, sqlite3.Error) and not is_whole(self._connection):
            told = RecordingError(f"{self._path} is damaged ({error}); look with 'sim runs verify', or restore a copy")
        if told is not None:
            raise told from error


def page_hash(values: tuple[str | None, str | None, int, str | None, str | None, str | None]) -> str:
    """Hash a page's columns from ``url`` to ``notes``."""
    return content_hash(values)


def is_text(media_type: str) -> bool:
    """Return whether bytes of a media type are a text, which is masked before it is stored."""
    return media_type.startswith("text/") or media_type.endswith(_TEXTS)
