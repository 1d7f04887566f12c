"""A server on loopback that answers as Open Library, its covers host and Google Books do."""

from __future__ import annotations

import io
import json
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from urllib.parse import parse_qs, urlsplit

from PIL import Image

from tests.fakes.server import served

Answer = Callable[[BaseHTTPRequestHandler], None]


def picture(kind: str = "JPEG", size: tuple[int, int] = (120, 180)) -> bytes:
    file = io.BytesIO()
    Image.new("RGB", size, (150, 40, 40)).save(file, kind)
    return file.getvalue()


def open_library_answer(query: str, limit: int) -> dict[str, object]:
    docs: list[dict[str, object]] = [
        {"author_name": ["Arthur Conan Doyle"], "cover_i": 6717853, "title": "The Hound of the Baskervilles"},
        {"author_name": ["Sir Arthur Conan Doyle"], "cover_i": 11, "title": "the hound of the Baskervilles"},
        {"author_name": ["Nobody"], "title": "A Book Without a Cover"},
        {"cover_i": 12, "title": "Anonymous Crimes"},
        {"author_name": ["Wilkie Collins", "A. Second", "A. Third"], "cover_i": 404, "title": "The Moonstone"},
        {"author_name": ["E. C. Bentley"], "cover_i": -1, "title": "Trent's Last Case"},
    ]
    return {
        "numFound": len(docs),
        "start": 0,
        "numFoundExact": True,
        "num_found": len(docs),
        "documentation_url": "https://openlibrary.org/dev/docs/api/search",
        "q": query,
        "offset": None,
        "docs": docs[:limit],
    }


def google_books_answer(origin: str) -> dict[str, object]:
    def volume(key: str, title: str, authors: list[str] | None, cover: str | None) -> dict[str, object]:
        info: dict[str, object] = {"title": title, "printType": "BOOK", "language": "en"}
        if authors:
            info["authors"] = authors
        if cover:
            info["imageLinks"] = {
                "smallThumbnail": f"{cover}&zoom=5&edge=curl",
                "thumbnail": f"{cover}&zoom=1&edge=curl",
            }
        return {"kind": "books#volume", "id": key, "volumeInfo": info, "saleInfo": {"country": "GB"}}

    content = "/books/content?id={}&printsec=frontcover&img=1"
    return {
        "kind": "books#volumes",
        "totalItems": 3,
        "items": [
            volume("a1", "The Moonstone", ["Wilkie Collins"], origin + content.format("a1")),
            volume("b2", "Elsewhere", None, "http://books.google.com" + content.format("b2")),
            volume("c3", "No Cover Here", ["Someone"], None),
        ],
    }


@dataclass
class CoverServices:
    """The server, what it was asked, and what it shall answer instead of the usual."""

    origin: str = ""
    asked: list[str] = field(default_factory=list)
    agents: set[str] = field(default_factory=set)
    hosts: list[str] = field(default_factory=list)
    keys: list[str | None] = field(default_factory=list)
    """What each request gave as its key."""
    instead: dict[str, list[Answer]] = field(default_factory=dict)
    """By path: answers that are given once each, before the usual one."""
    released: threading.Event = field(default_factory=threading.Event)
    """Lets answers go on that :func:`hang` holds back."""

    def count(self) -> Counter[str]:
        return Counter(urlsplit(path).path for path in self.asked)

    def then(self, path: str, *answers: Answer) -> None:
        self.instead.setdefault(path, []).extend(answers)


def status(code: int, **headers: str) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(code)
        for name, value in headers.items():
            request.send_header(name.replace("_", "-"), value)
        request.send_header("Content-Length", "0")
        request.end_headers()

    return answer


def body(data: bytes, media_type: str = "image/jpeg", *, length: bool = True) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        request.send_response(200)
        request.send_header("Content-Type", media_type)
        if length:
            request.send_header("Content-Length", str(len(data)))
        request.end_headers()
        request.wfile.write(data)

    return answer


def hang(services: CoverServices) -> Answer:
    def answer(request: BaseHTTPRequestHandler) -> None:
        services.released.wait(30)
        request.close_connection = True

    return answer


@contextmanager
def cover_services() -> Iterator[CoverServices]:
    services = CoverServices()

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            services.asked.append(self.path)
            services.agents.add(self.headers["User-Agent"])
            services.hosts.append(self.headers["Host"])
            services.keys.append(self.headers["X-Goog-Api-Key"])
            parts = urlsplit(self.path)
            if services.instead.get(parts.path):
                services.instead[parts.path].pop(0)(self)
                return
            self._usual(parts.path, {key: values[0] for key, values in parse_qs(parts.query).items()})

        def _usual(self, path: str, query: dict[str, str]) -> None:
            if path == "/search.json":
                answer = open_library_answer(query["q"], int(query["limit"]))
                body(json.dumps(answer).encode(), "application/json")(self)
            elif path == "/books/v1/volumes":
                body(json.dumps(google_books_answer(services.origin)).encode(), "application/json")(self)
            elif path == "/books/content":
                body(picture("PNG"))(self)
            elif path == "/b/id/404-L.jpg":
                (status(404) if query.get("default") == "false" else body(picture(size=(1, 1))))(self)
            elif path.startswith("/b/id/"):
                body(picture())(self)
            else:
                status(404)(self)

        def log_message(self, format: str, *args: object) -> None:
            """Say nothing."""

    with served(Handler) as services.origin:
        try:
            yield services
        finally:
            services.released.set()
