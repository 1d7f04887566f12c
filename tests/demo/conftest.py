"""A bookshop served by a real process, and readers who use it over HTTP as a browser would."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

TOKEN = "control-token-of-the-tests"
PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Shop:
    """The running bookshop."""

    url: str
    pid: int
    db: Path

    def control(self, method: str, path: str) -> httpx.Response:
        return httpx.request(
            method, f"{self.url}/_control/{path}", headers={"Authorization": f"Bearer {TOKEN}"}
        )

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.control("GET", "state").json()
        return state

    def log(self) -> list[dict[str, Any]]:
        log: list[dict[str, Any]] = self.control("GET", "log").json()
        return log


@dataclass
class Reader:
    """Somebody with a cookie jar who fills the site's forms."""

    shop: Shop
    client: httpx.Client
    name: str = ""
    headers: dict[str, str] = field(default_factory=dict)

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path)

    def submit(
        self,
        form: str,
        fields: dict[str, str],
        *,
        to: str | None = None,
        files: dict[str, tuple[str, bytes]] | None = None,
        **headers: str,
    ) -> httpx.Response:
        """Take the CSRF token of the page `form` and send the fields to it, or to another address."""
        token = csrf_token(self.get(form).text)
        return self.client.post(
            to or form, data={"csrf_token": token, **fields}, files=files, headers={**self.headers, **headers}
        )

    def register(self, name: str) -> Reader:
        answer = self.submit("/account/register", registration(name))
        assert answer.status_code == 303, answer.text
        answer = self.submit("/account/login", {"username": name, "password": PASSWORD})
        assert answer.status_code == 303, answer.text
        self.name = name
        return self

    def list_book(self, title: str = "Emma", **fields: str) -> str:
        """List a book and return the path of its page."""
        answer = self.submit("/books/new", book(title=title, **fields), files={"cover": ("c.png", png())})
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]


def registration(name: str) -> dict[str, str]:
    return {
        "username": name,
        "display_name": name.title(),
        "email": f"{name}@example.org",
        "password": PASSWORD,
        "password_repeat": PASSWORD,
        "city": "Leeds",
        "terms": "yes",
    }


def book(**fields: str) -> dict[str, str]:
    return {
        "title": "Emma",
        "author": "Jane Austen",
        "genre": "classics",
        "condition": "good",
        "price": "4.50",
        "description": "Clean.\nTight binding.",
    } | fields


def png(colour: str = "teal", kind: str = "PNG") -> bytes:
    out = io.BytesIO()
    Image.new("RGB", (40, 60), colour).save(out, kind)
    return out.getvalue()


def csrf_token(html: str) -> str:
    """Return the last token on the page: that of its main form, not of the log-out button."""
    return re.findall(r'name="csrf_token" value="([^"]+)"', html)[-1]


def start(db: Path, *options: str, token: str | None = TOKEN) -> tuple[subprocess.Popen[str], str]:
    command = [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(db), "--exit-with-parent"]
    if token:
        command += ["--control-token-env", "SHOP_TOKEN"]
    process = subprocess.Popen(
        [*command, *options],
        stdout=subprocess.PIPE,
        text=True,
        env={**os.environ, "SHOP_TOKEN": token or ""},
    )
    assert process.stdout is not None
    line = json.loads(process.stdout.readline())
    assert line["pid"] == process.pid
    return process, line["url"]


def stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.communicate(timeout=10)


@pytest.fixture(scope="session")
def running_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    db = tmp_path_factory.mktemp("shop") / "shop.db"
    process, url = start(db)
    yield Shop(url, process.pid, db)
    stop(process)


@pytest.fixture
def shop(running_shop: Shop) -> Shop:
    """The running bookshop, reset."""
    assert running_shop.control("POST", "reset").status_code == 200
    return running_shop


@pytest.fixture
def visitor(shop: Shop) -> Iterator[Callable[[], Reader]]:
    """Makes readers without an account."""
    clients: list[httpx.Client] = []

    def make() -> Reader:
        clients.append(httpx.Client(base_url=shop.url))
        return Reader(shop, clients[-1])

    yield make
    for client in clients:
        client.close()
