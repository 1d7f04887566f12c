"""Pages from a thread of the test: a handler that answers with them.

Not responsible for: which pages there are.
"""

from __future__ import annotations

import json
from http.server import BaseHTTPRequestHandler
from typing import Any


class PageHandler(BaseHTTPRequestHandler):
    """Answers with a page, or leads elsewhere; logs nothing."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    title = "Page"
    head = ""

    def body(self) -> bytes:
        """Give what was sent."""
        return self.rfile.read(int(self.headers["Content-Length"] or 0))

    def answer(self, status: int, page: str = "", location: str = "") -> None:
        """Answer with the body of a page, and with the address that it leads to, if any."""
        body = f"<!doctype html><html lang=en><title>{self.title}</title>{self.head}<body>{page}".encode()
        self.send_response(status)
        if location:
            self.send_header("Location", location)
        self.send_header("Content-Type", "text/html; charset=utf-8")
        if status != 204:
            self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        if status != 204:
            self.wfile.write(body)

    def tell(self, value: Any) -> None:
        """Answer with a value as JSON."""
        body = json.dumps(value).encode()
        self.send_response(200)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *args: Any) -> None:
        """Say nothing."""
