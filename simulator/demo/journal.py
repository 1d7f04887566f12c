"""The change log: one row for every request that could change the site, written with its effect.

It knows who sent which fields and what came of it, and never a password or a token.
"""

from __future__ import annotations

import hashlib
import json
import sqlite3
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from simulator.demo.database import Reference

SECRET_FIELDS = frozenset({"password", "password_repeat", "csrf_token"})


@dataclass(frozen=True, slots=True)
class Effect:
    """What a request changed: a name such as `listing.created`, and the thing that it happened to."""

    name: str
    reference: Reference


@dataclass(frozen=True, slots=True)
class Upload:
    """A file as it came in a multipart form."""

    filename: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Attempt:
    """A mutating request, before it is known what comes of it."""

    who: str | None
    method: str
    route: str
    path: str
    fields: Mapping[str, str]
    files: Mapping[str, Upload]
    step: str | None


def append(db: sqlite3.Connection, attempt: Attempt, status: int, effect: Effect | None) -> None:
    """Write one row of the change log, in the transaction of the effect itself."""
    fields: dict[str, Any] = {k: v for k, v in attempt.fields.items() if k not in SECRET_FIELDS}
    for name, upload in attempt.files.items():
        digest = hashlib.sha256(upload.content).hexdigest()
        fields[name] = {"name": upload.filename, "size": len(upload.content), "sha256": digest}
    owner, kind, seq = effect.reference if effect else (None, None, None)
    db.execute(
        "INSERT INTO change (who, method, route, path, fields, status, effect, owner, kind, seq, step)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            attempt.who,
            attempt.method,
            attempt.route,
            attempt.path,
            json.dumps(fields, ensure_ascii=False, sort_keys=True),
            status,
            effect.name if effect else None,
            owner,
            kind,
            seq,
            attempt.step,
        ),
    )


def read(db: sqlite3.Connection) -> list[dict[str, Any]]:
    """Return the change log, oldest first, as JSON values."""
    return [
        {
            "sequence": row["id"],
            "at": row["at"],
            "who": row["who"],
            "method": row["method"],
            "route": row["route"],
            "path": row["path"],
            "fields": json.loads(row["fields"]),
            "status": row["status"],
            "effect": row["effect"] and {"name": row["effect"], "reference": [row["owner"], row["kind"], row["seq"]]},
            "step": row["step"],
        }
        for row in db.execute("SELECT * FROM change ORDER BY id")
    ]
