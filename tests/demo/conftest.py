"""A bookshop served by a real process, and readers who use it over HTTP as a browser would."""

from __future__ import annotations

import io
import json
import os
import re
import subprocess
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest
from PIL import Image

from tests.fakes import asking

TOKEN = "control-token-of-the-tests"
PASSWORD = "correct horse battery"


@dataclass(frozen=True)
class Shop:
    """The running bookshop."""

    url: str
    db: Path
    token: str = TOKEN

    def control(self, method: str, path: str) -> httpx.Response:
        headers = {"Authorization": f"Bearer {self.token}"}
        return asking.request(method, f"{self.url}/_control/{path}", headers=headers)

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
    password: str = PASSWORD

    def get(self, path: str) -> httpx.Response:
        return self.client.get(path)

    def token(self, page: str) -> str:
        """Return the CSRF token of the page's last form: its own, not the log-out button's."""
        return re.findall(r'name="csrf_token" value="([^"]+)"', self.get(page).text)[-1]

    def submit(
        self,
        page: str,
        fields: dict[str, str],
        *,
        to: str | None = None,
        cover: bytes | None = None,
        headers: dict[str, str] | None = None,
    ) -> httpx.Response:
        """Send the fields as the page's form would, or to another address."""
        data = {"csrf_token": self.token(page), **fields}
        files = {"cover": ("my cover.png", cover)} if cover is not None else None
        return self.client.post(to or page, data=data, files=files, headers=headers)

    def registration(self, name: str) -> dict[str, str]:
        """Return what to put into the registration form."""
        return {
            "username": name,
            "display_name": name.title(),
            "email": f"{name}@example.org",
            "password": self.password,
            "password_repeat": self.password,
            "city": "Leeds",
            "terms": "yes",
        }

    def register(self, name: str) -> Reader:
        answer = self.submit("/account/register", self.registration(name))
        assert answer.status_code == 303, answer.text
        return self.log_in(name)

    def log_in(self, name: str) -> Reader:
        answer = self.submit("/account/login", {"username": name, "password": self.password})
        assert answer.status_code == 303, answer.text
        return self

    def list_book(self, **fields: str) -> str:
        """List a book and return the path of its page."""
        answer = self.submit("/books/new", book(**fields), cover=png())
        assert answer.status_code == 303, answer.text
        return answer.headers["location"]


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


def start(db: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
    process = subprocess.Popen(
        [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(db), *options],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "SHOP_TOKEN": TOKEN},
    )
    assert process.stdout is not None
    return process, json.loads(process.stdout.readline())["url"]


def stop(process: subprocess.Popen[str]) -> None:
    process.terminate()
    process.communicate(timeout=60)


@pytest.fixture(scope="session")
def running_shop(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    db = tmp_path_factory.mktemp("shop") / "shop.db"
    process, url = start(db, "--control-token-env", "SHOP_TOKEN", "--exit-with-parent")
    yield Shop(url, db)
    stop(process)


@pytest.fixture
def shop(running_shop: Shop) -> Shop:
    """The running bookshop, reset."""
    assert running_shop.control("POST", "reset").status_code == 200
    return running_shop


@pytest.fixture
def new_reader(shop: Shop) -> Iterator[Callable[[], Reader]]:
    """Makes readers without an account."""
    clients: list[httpx.Client] = []

    def make() -> Reader:
        clients.append(asking.Client(base_url=shop.url))
        return Reader(shop, clients[-1])

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def visitor(new_reader: Callable[[], Reader]) -> Reader:
    """Somebody without an account."""
    return new_reader()


@pytest.fixture
def anna(new_reader: Callable[[], Reader]) -> Reader:
    """A member who is logged in."""
    return new_reader().register("anna")


@pytest.fixture
def ben(new_reader: Callable[[], Reader]) -> Reader:
    """Another member who is logged in."""
    return new_reader().register("ben")


@pytest.fixture
def make_book() -> Callable[..., dict[str, str]]:
    """Makes the fields of a listing form."""
    return book


@pytest.fixture
def make_image() -> Callable[..., bytes]:
    """Makes the bytes of a small picture."""
    return png


@pytest.fixture
def serving() -> Iterator[Callable[..., tuple[subprocess.Popen[str], str]]]:
    """Starts further bookshops and stops them afterwards."""
    processes: list[subprocess.Popen[str]] = []

    def begin(db: Path, *options: str) -> tuple[subprocess.Popen[str], str]:
        process, url = start(db, *options)
        processes.append(process)
        return process, url

    yield begin
    for process in processes:
        stop(process)
