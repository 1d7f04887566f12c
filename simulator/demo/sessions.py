"""Sessions in the database, the cookie that names one, and the CSRF tokens tied to it."""

from __future__ import annotations

import hashlib
import hmac
import json
import secrets
import sqlite3
from dataclasses import dataclass
from typing import Literal, NamedTuple

COOKIE = "foxed_session"


class Flash(NamedTuple):
    """A message for the next page that the visitor sees."""

    level: Literal["success", "error", "info"]
    text: str


@dataclass(frozen=True, slots=True)
class User:
    """A registered reader, as pages need them."""

    id: int
    username: str
    display_name: str
    email: str
    city: str


@dataclass(frozen=True, slots=True)
class Session:
    """A visitor's session; the database keeps only the digest of its token."""

    token: str
    user: User | None = None
    flash: Flash | None = None

    @property
    def digest(self) -> str:
        """What the session is stored under."""
        return _digest(self.token)


def start(db: sqlite3.Connection, user: User | None = None, flash: Flash | None = None) -> Session:
    """Begin a session under a new token."""
    session = Session(secrets.token_urlsafe(24), user, flash)
    db.execute(
        "INSERT INTO session (digest, user, flash) VALUES (?, ?, ?)",
        (session.digest, user.id if user else None, json.dumps(flash) if flash else None),
    )
    return session


def find(db: sqlite3.Connection, token: str | None) -> Session | None:
    """Return the session that the cookie names, if the site still knows it."""
    if not token:
        return None
    row = db.execute(
        "SELECT session.flash, user.id, user.username, user.display_name, user.email, user.city"
        " FROM session LEFT JOIN user ON user.id = session.user WHERE digest = ?",
        (_digest(token),),
    ).fetchone()
    if row is None:
        return None
    user = User(*row[1:]) if row["id"] is not None else None
    return Session(token, user, Flash(*json.loads(row["flash"])) if row["flash"] else None)


def end(db: sqlite3.Connection, session: Session) -> None:
    """Forget a session."""
    db.execute("DELETE FROM session WHERE digest = ?", (session.digest,))


def set_flash(db: sqlite3.Connection, session: Session, flash: Flash | None) -> None:
    """Leave a message for the session's next page, or take it away."""
    db.execute(
        "UPDATE session SET flash = ? WHERE digest = ?",
        (json.dumps(flash) if flash else None, session.digest),
    )


def csrf_token(key: str, session: Session) -> str:
    """Mint a token for one form; every call gives another one."""
    nonce = secrets.token_hex(8)
    return f"{nonce}.{_sign(key, nonce, session)}"


def csrf_valid(key: str, session: Session, token: str) -> bool:
    """Return whether the token was minted for a form of this session."""
    nonce, _, signature = token.partition(".")
    return hmac.compare_digest(signature.encode(), _sign(key, nonce, session).encode())


def _sign(key: str, nonce: str, session: Session) -> str:
    return hmac.digest(key.encode(), f"{nonce}|{session.token}".encode(), "sha256").hex()[:40]


def _digest(token: str) -> str:
    return hashlib.sha256(token.encode()).hexdigest()
