"""A server that lets in who shows what it demands: headers, a login, a certificate. It keeps what it was asked."""

from __future__ import annotations

import contextlib
import ssl
import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any, NamedTuple

import trustme
from cryptography.hazmat.primitives import serialization

from tests.fakes.server import LocalServer

PASSPHRASE = "pass of the key"


class Answer(NamedTuple):
    """What is answered."""

    body: str = "<h1>Inside</h1>"
    status: int = 200
    headers: dict[str, str] = {}  # noqa: RUF012 (nobody changes it)


OUTSIDE = Answer("<h1>Outside</h1>", 401, {"WWW-Authenticate": 'Basic realm="staging"'})


@dataclass
class Door:
    """A server that keeps what it was asked, and lets in as its rule says."""

    rule: Callable[[Mapping[str, str]], bool]
    tls: ssl.SSLContext | None = None
    asked: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    answer: Callable[[str, Mapping[str, str], str], Answer] = lambda path, headers, body: Answer()
    """Makes what is answered of path, headers and body, once somebody is let in."""
    url: str = ""

    @property
    def port(self) -> int:
        return int(self.url.rpartition(":")[2])


@contextlib.contextmanager
def open_door(door: Door) -> Iterator[Door]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            door.asked.append((self.path, dict(self.headers)))
            given = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode()
            inside = door.rule(self.headers)
            answer = door.answer(self.path, self.headers, given) if inside else OUTSIDE
            self.send_response(answer.status)
            for name, value in {"Content-Type": "text/html; charset=utf-8", **answer.headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(answer.body.encode())))
            self.end_headers()
            self.wfile.write(answer.body.encode())

        do_POST = do_GET

        def handle(self) -> None:
            with contextlib.suppress(OSError):
                super().handle()

        def log_message(self, *_: object) -> None:
            return

    class Server(LocalServer):
        def finish_request(self, request: Any, client_address: Any) -> None:
            with contextlib.suppress(OSError):  # who does not agree on TLS goes away
                if door.tls is None:
                    super().finish_request(request, client_address)
                    return
                with door.tls.wrap_socket(request, server_side=True) as safe:
                    super().finish_request(safe, client_address)

    with Server(("127.0.0.1", 0), Handler) as server:
        door.url = f"{'https' if door.tls else 'http'}://127.0.0.1:{server.server_port}"
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        try:
            yield door
        finally:
            server.shutdown()


def server_tls(authority: trustme.CA, name: str = "127.0.0.1", *, demanding: bool = False) -> ssl.SSLContext:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    authority.issue_cert(name).configure_cert(context)
    if demanding:
        authority.configure_trust(context)
        context.verify_mode = ssl.CERT_REQUIRED
    return context


def write_papers(authority: trustme.CA, folder: Path) -> None:
    """Write the authority's certificate, and a user's certificate whose key has a passphrase."""
    authority.cert_pem.write_to_path(folder / "authority.pem")
    user = authority.issue_cert("ada@example.org")
    user.cert_chain_pems[0].write_to_path(folder / "user.pem")
    key = serialization.load_pem_private_key(user.private_key_pem.bytes(), None)
    locked = serialization.BestAvailableEncryption(PASSPHRASE.encode())
    pem = key.private_bytes(serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, locked)
    (folder / "user.key").write_bytes(pem)
