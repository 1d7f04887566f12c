"""A site that dies, or says nothing any more, at a chosen form that is sent to it; its address is printed.

Arguments: ``dies`` or ``hangs``, and at which form, from 1. One that hangs accepts whoever comes, and answers nobody.
"""

from __future__ import annotations

import os
import sys
import threading
from http.server import BaseHTTPRequestHandler

from tests.fakes.server import LocalServer

FATE, LAST = sys.argv[1], int(sys.argv[2])
FORM = "<form method=post action=/sent><label>Note <input name=note></label><button>Send</button></form>"
PAGES = {"/": f"<h1>Write</h1>{FORM}", "/thanks": "<h1>Thanks</h1><a href=/>Write again</a>"}
sent: list[bytes] = []
silent = threading.Event()


class Handler(BaseHTTPRequestHandler):
    def answer(self, status: int, page: str, **headers: str) -> None:
        if silent.is_set():
            threading.Event().wait()
        body = f"<!doctype html><html lang=en><title>Mortal</title><body>{page}".encode()
        self.send_response(status)
        for name, value in {"Content-Type": "text/html", "Content-Length": str(len(body)), **headers}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        self.answer(200 if self.path in PAGES else 404, PAGES.get(self.path, "<h1>Not found</h1>"))

    def do_POST(self) -> None:
        sent.append(self.rfile.read(int(self.headers["Content-Length"])))
        if len(sent) >= LAST:
            if FATE == "dies":
                os._exit(0)
            silent.set()
        self.answer(303, "", Location="/thanks")

    def log_message(self, format: str, *args: object) -> None:
        pass


if __name__ == "__main__":
    server = LocalServer(("127.0.0.1", 0), Handler)
    print(f"http://127.0.0.1:{server.server_port}", flush=True)
    server.serve_forever()
