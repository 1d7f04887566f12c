"""Looking for secrets in files, whatever they are written in."""

from __future__ import annotations

import base64
import html
import json
import sqlite3
from collections.abc import Iterable, Iterator
from contextlib import closing
from pathlib import Path
from urllib.parse import quote, quote_plus

from simulator.recording.layout import unpack


def spellings(secret: str) -> set[bytes]:
    """Write a secret as it is, and as URL, HTML, JSON and base64 write it, also one inside the other.

    And with every character escaped, in hex, and backwards.
    """
    raw = secret.encode()
    texts = {secret}
    for _ in range(2):
        texts |= {
            written
            for text in texts
            for written in (
                quote(text), quote(text, safe=""), quote_plus(text), quote(text, safe="").replace("%", "%25"),
                html.escape(text), html.escape(text, quote=False),
                json.dumps(text)[1:-1], json.dumps(text, ensure_ascii=False)[1:-1],
            )
        }  # fmt: skip
    texts |= {
        secret[::-1],
        raw.hex(),
        raw.hex().upper(),
        raw.hex(" "),
        "".join(f"%{byte:02X}" for byte in raw),
        "".join(f"%{byte:02x}" for byte in raw),
        "".join(f"%25{byte:02X}" for byte in raw),
        "".join(f"&#{ord(char)};" for char in secret),
        "".join(f"&#x{ord(char):x};" for char in secret),
        "".join(f"&#x{ord(char):X};" for char in secret),
        "".join(f"\\u{ord(char):04x}" for char in secret),
    }
    found = {text.encode() for text in texts}
    for before in range(3):
        whole = base64.b64encode(b"\0" * before + raw).decode()
        core = whole[-(-before * 8 // 6) : (before + len(raw)) * 8 // 6]
        found |= {core.encode(), core.replace("+", "-").replace("/", "_").encode(), core.replace("/", "\\/").encode()}
    return found


def leaks(places: Iterable[tuple[str, bytes]], secrets: Iterable[str]) -> list[str]:
    """Tell where any of the secrets stands."""
    sought = [(secret, needle) for secret in secrets for needle in spellings(secret)]
    return [
        f"{where}: {secret!r} as {needle!r} in {data[max(0, at - 60) : at + 60]!r}"
        for where, data in places
        for secret, needle in sought
        if (at := data.find(needle)) >= 0
    ]


def files(*folders: Path) -> Iterator[tuple[str, bytes]]:
    """Give every file under some folders, with its name."""
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            try:
                if path.is_file():
                    yield str(path), path.as_posix().encode() + b"\n" + path.read_bytes()
            except OSError:  # it went away meanwhile
                continue


def cells(database: Path) -> Iterator[tuple[str, bytes]]:
    """Give every value of every table, unpacked."""
    with closing(sqlite3.connect(f"file:{database}?mode=ro", uri=True)) as connection:
        tables = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        for table in tables:
            rows = connection.execute(f"SELECT * FROM {table}")
            names = [column for column, *_ in rows.description]
            for row in rows:
                record = dict(zip(names, row, strict=True))
                for name, value in record.items():
                    if isinstance(value, bytes):
                        value = unpack(record["encoding"], value) if table == "blob" else value
                        yield f"{table}.{name}", value
                    elif value is not None:
                        yield f"{table}.{name}", str(value).encode()
