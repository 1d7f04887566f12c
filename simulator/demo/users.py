"""Registered readers: creating them, checking a password, looking them up."""

from __future__ import annotations

import hashlib
import hmac
import os
import sqlite3
from collections.abc import Mapping

from simulator.demo.database import Reference, next_sequence
from simulator.demo.forms import Errors
from simulator.demo.sessions import User

# Far lighter than a site with real people should choose: the passwords of this one guard nothing, and twenty
# visitors who log in at once must not be waiting for each other's hashes. About 3 ms.
SCRYPT_COST = 2**10

_COLUMNS = "id, username, display_name, email, city"


def taken(db: sqlite3.Connection, fields: Mapping[str, str]) -> Errors:
    """Return which of the wanted username and e-mail address belong to somebody else."""
    errors: Errors = {}
    if by_username(db, fields.get("username", "")):
        errors["username"] = "That username is taken."
    if db.execute("SELECT 1 FROM user WHERE email = ?", (fields.get("email", ""),)).fetchone():
        errors["email"] = "There is an account with that e-mail address already."
    return errors


def create(db: sqlite3.Connection, fields: Mapping[str, str], password: str | None) -> User:
    """Create the user of a checked registration.

    Args:
        db: The site, in a transaction.
        fields: `username`, `display_name`, `email` and `city`.
        password: None for one who can never log in.
    """
    names = ("username", "display_name", "email", "city")
    row = db.execute(
        f"INSERT INTO user (username, display_name, email, city, password) VALUES (?, ?, ?, ?, ?) RETURNING {_COLUMNS}",
        (*(fields[name] for name in names), hash_password(password) if password else None),
    ).fetchone()
    user = User(*row)
    next_sequence(db, user.id, "user")
    return user


def reference(user: User) -> Reference:
    """Name the user."""
    return Reference(user.username, "user", 1)


def by_username(db: sqlite3.Connection, username: str) -> User | None:
    """Look a user up."""
    row = db.execute(f"SELECT {_COLUMNS} FROM user WHERE username = ?", (username,)).fetchone()
    return User(*row) if row else None


def authenticate(db: sqlite3.Connection, login: str, password: str) -> User | None:
    """Return the user with this username or e-mail address and this password."""
    row = db.execute(
        f"SELECT {_COLUMNS}, password FROM user WHERE username = ? OR email = ?", (login, login)
    ).fetchone()
    if row is None or row["password"] is None or not _matches(password, row["password"]):
        return None
    return User(*row[:-1])


def hash_password(password: str) -> str:
    """Return salt and hash in one text."""
    salt = os.urandom(12)
    return f"{salt.hex()}${_scrypt(password, salt).hex()}"


def _matches(password: str, stored: str) -> bool:
    salt, digest = (bytes.fromhex(part) for part in stored.split("$"))
    return hmac.compare_digest(_scrypt(password, salt), digest)


def _scrypt(password: str, salt: bytes) -> bytes:
    return hashlib.scrypt(password.encode(), salt=salt, n=SCRYPT_COST, r=8, p=1, dklen=32)
