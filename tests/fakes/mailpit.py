"""A server that answers as a Mailpit does, on loopback: the paths, parameters and JSON of its API.

The forms are those of Mailpit 1.20 and later (https://mailpit.axllent.org/docs/api-v1/).
"""

from __future__ import annotations

import base64
import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.utils import getaddresses
from http.server import BaseHTTPRequestHandler
from typing import Any
from urllib.parse import parse_qs, urlsplit

from tests.fakes.server import served


@dataclass
class FakeMailpit:
    """What it holds, the newest first, and how it behaves."""

    url: str = ""
    messages: list[tuple[str, bytes]] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    access: str = ""
    """``user:password`` that is demanded."""
    broken: bool = False
    """Whether it answers as something else does."""

    def take(self, mail: EmailMessage) -> None:
        """Take a mail."""
        self.messages.insert(0, (f"id{len(self.messages) + 1:020}", mail.as_bytes()))

    def summary(self, id: str, source: bytes) -> dict[str, Any]:
        """Describe a message as its lists do."""
        mail = message_from_bytes(source)

        def people(name: str) -> list[dict[str, str]]:
            found = getaddresses([str(one) for one in mail.get_all(name, [])])
            return [{"Name": shown, "Address": address} for shown, address in found]

        return {
            "ID": id,
            "MessageID": "a@b",
            "Read": False,
            "From": people("From")[0],
            "To": people("To"),
            "Cc": people("Cc"),
            "Bcc": [],
            "ReplyTo": [],
            "Subject": str(mail["Subject"]),
            "Created": "2026-05-04T10:11:12.345Z",
            "Username": "",
            "Tags": [],
            "Size": len(source),
            "Attachments": 0,
            "Snippet": "",
        }


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    mailpit: FakeMailpit

    def do_GET(self) -> None:
        box, parts = self.mailpit, urlsplit(self.path)
        box.asked.append(self.path)
        given = self.headers.get("Authorization", "").removeprefix("Basic ")
        if box.access and base64.b64decode(given).decode() != box.access:
            return self.answer(401, b"Unauthorised.\n", "text/plain")
        if box.broken:
            return self.answer(200, b"<h1>Welcome</h1>", "text/html")
        asked = {name: values[0] for name, values in parse_qs(parts.query).items()}
        path = parts.path.removeprefix("/api/v1/")
        if path == "info":
            return self.json({"Version": "v1.27.4", "LatestVersion": "", "Messages": len(box.messages)})
        if path in ("messages", "search"):
            found = [box.summary(*one) for one in box.messages]
            if path == "search":
                sought = asked["query"].removeprefix("to:").strip('"').lower()
                found = [one for one in found if any(sought in person["Address"].lower() for person in one["To"])]
            start, limit = int(asked.get("start", 0)), int(asked.get("limit", 50))
            page = found[start : start + limit]
            told = {"total": len(box.messages), "unread": 0, "count": len(page), "messages_count": len(found)}
            return self.json({**told, "messages_unread": 0, "start": start, "tags": [], "messages": page})
        sources = {f"message/{id}/raw": source for id, source in box.messages}
        if path in sources:
            return self.answer(200, sources[path], "text/plain; charset=utf-8")
        return self.answer(404, b"404 page not found\n", "text/plain")

    def json(self, value: object) -> None:
        self.answer(200, json.dumps(value).encode(), "application/json")

    def answer(self, status: int, body: bytes, kind: str) -> None:
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: object) -> None:
        pass


@contextmanager
def fake_mailpit() -> Iterator[FakeMailpit]:
    """Serve it."""
    box = FakeMailpit()
    with served(type("Handler", (_Handler,), {"mailpit": box})) as box.url:
        yield box
