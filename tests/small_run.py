"""A run on a small real site in a real browser, with lists where a recording would be: fixtures for conftests."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import AsyncExitStack, contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlsplit

import pytest
import pytest_asyncio

from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionOutcome, ActionStart
from simulator.browser.actor import Actor
from simulator.browser.effects.model import Write
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.browser.timeouts import Timeouts
from simulator.canonical import sha256
from simulator.config import Site, load_settings
from simulator.domain import Pictures
from simulator.secrets import Vault
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.dispatch import ToolDispatcher
from simulator.tools.recording_dispatcher import TypingWatch
from simulator.tools.toolsets import registry_of
from tests import seam
from tests.fakes.server import served

VALUES = {
    "identity.email": "ada.moor@example.org",
    "identity.username": "ada_moor_1",
    "identity.display_name": "Ada Moor",
    "identity.first_name": "Ada",
    "identity.last_name": "Moor",
    "identity.city": "Leeds",
    "book.1.title": "The Moonstone",
    "book.1.author": "Wilkie Collins",
    "book.1.genre": "Crime",
    "book.1.condition": "Good",
    "book.1.price": "4.50",
}


@dataclass
class SmallSite:
    """Pages by path, what was posted, and how a post is answered: with a path to go to, or a status and a page."""

    url: str = ""
    pages: dict[str, str] = field(default_factory=dict)
    posts: list[tuple[str, dict[str, str]]] = field(default_factory=list)
    answers: dict[str, Callable[[Mapping[str, str]], str | tuple[int, str]]] = field(default_factory=dict)
    opens: dict[str, tuple[str, str]] = field(default_factory=dict)
    """Paths that put up a page before they lead there: its path, and what it is by then."""
    head: str = ""
    """What every page has in its head."""


def handler(site: SmallSite) -> type[BaseHTTPRequestHandler]:
    """Make what answers for a site."""

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            path = urlsplit(self.path).path
            if path in site.opens:
                goal, site.pages[urlsplit(site.opens[path][0]).path] = site.opens[path]
                return self.answer(303, "", location=goal)
            asked = self.path if self.path in site.pages else path
            if asked in site.pages:
                self.answer(200, site.pages[asked])
            else:
                self.answer(404, "<h1>Not found</h1>")

        def do_POST(self) -> None:
            fields = self.fields(self.rfile.read(int(self.headers["Content-Length"])))
            site.posts.append((self.path, fields))
            answer = site.answers[self.path](fields)
            if isinstance(answer, str):
                self.answer(303, "", location=answer)
            else:
                self.answer(*answer)

        def fields(self, body: bytes) -> dict[str, str]:
            kind = self.headers["Content-Type"]
            if not kind.startswith("multipart/"):
                return dict(parse_qsl(body.decode(), keep_blank_values=True))
            parts = message_from_bytes(f"Content-Type: {kind}\n\n".encode() + body).get_payload()
            return {
                str(part.get_param("name", header="content-disposition")): sha256(part.get_payload(decode=True))
                if part.get_filename()
                else part.get_payload(decode=True).decode()
                for part in parts  # type: ignore[union-attr]
            }

        def answer(self, status: int, page: str, location: str = "") -> None:
            body = f"<!doctype html><html lang=en><title>Small site</title>{site.head}<body>{page}".encode()
            self.send_response(status)
            if status == 204:
                # Bytes after it would be taken for the answer to what is asked next.
                return self.end_headers()
            if location:
                self.send_header("Location", location)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@contextmanager
def serving(site: SmallSite, host: str = "127.0.0.1") -> Iterator[SmallSite]:
    """Serve a site on loopback, under a name of it."""
    with served(handler(site), host) as site.url:
        yield site


@pytest.fixture(scope="session")
def served_site() -> Iterator[SmallSite]:
    """A site that is served to the end."""
    with serving(SmallSite()) as site:
        yield site


@pytest.fixture
def small_site(served_site: SmallSite) -> SmallSite:
    """A site without pages as yet."""
    for kept in (served_site.pages, served_site.posts, served_site.answers, served_site.opens):
        kept.clear()
    served_site.head = ""
    return served_site


@dataclass
class Notes:
    """What a recording would hold."""

    started: list[ActionStart] = field(default_factory=list)
    ended: list[ActionOutcome] = field(default_factory=list)
    blobs: dict[str, bytes] = field(default_factory=dict)
    variables: dict[str, str] = field(default_factory=dict)

    def begin(self, action: ActionStart) -> str:
        self.started.append(action)
        return str(len(self.started))

    def answered(self, write: object) -> None:
        pass

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        self.ended.append(outcome)

    def writes(self) -> list[Write]:
        """What was sent that held something of what was put in."""
        return [write for one in self.ended for write in one.observed.writes if write.carries]

    def put_blob(self, data: bytes, media_type: str) -> str:
        self.blobs[sha256(data)] = data
        return sha256(data)

    def set_variable(self, name: str, value: str, *, kind: str) -> None:
        self.variables[name] = value


@dataclass
class Session:
    """Actors, each in a context of its own."""

    make: Callable[[str], Any]
    actors: dict[str, Actor] = field(default_factory=dict)
    name: str = ""

    @property
    def current(self) -> Actor:
        return self.actors[self.name]

    async def open(self, name: str) -> Actor:
        if name not in self.actors:
            self.actors[name] = await self.make(name)
        self.name = name
        return self.current

    def names(self) -> tuple[str, ...]:
        return tuple(self.actors)


@dataclass
class Run:
    """A run, and the way to call tools in it."""

    ctx: RunContext
    notes: Notes
    watch: TypingWatch
    vault: Vault
    calls: int = 0

    async def call(self, tool: str, /, **input: Any) -> ToolResult:
        self.calls += 1
        dispatcher = ToolDispatcher(registry_of(["browser", "books"] if seam.PRESENT else ["browser"]), self.ctx)
        return await dispatcher.dispatch(ToolCall(id=str(self.calls), name=tool, input=input))

    async def did(self, tool: str, /, **input: Any) -> Any:
        """Call a tool that has to succeed, and give its data."""
        result = await self.call(tool, **input)
        assert result.success, result.error
        return result.data


@pytest.fixture(scope="session")
def site_url(served_site: SmallSite) -> str:
    """Where the run acts."""
    return served_site.url


@pytest.fixture(scope="session")
def policy(site_url: str) -> NetworkPolicy:
    """Nothing but the site is reached. The pool closes it."""
    return NetworkPolicy(endpoints(site_url))


async def _pool(site_url: str, policy: NetworkPolicy) -> AsyncIterator[BrowserPool]:
    async with BrowserPool(find_executable(), policy, origin=site_url) as pool:
        yield pool


pool = pytest_asyncio.fixture(_pool, scope="session", loop_scope="session")
"""One browser for all tests of a room."""
pool_of_its_own = pytest_asyncio.fixture(_pool, scope="module", loop_scope="session", name="pool")
"""One for a module's tests, which act on another site or reach further."""


@pytest.fixture
def site_section() -> dict[str, Any]:
    """What the run's site section says besides its address."""
    return {}


async def _pictures(stack: AsyncExitStack) -> Pictures:
    """Give the drawn covers of the bookshop's pack, where that is there: what tests of tools upload."""
    if not seam.PRESENT:
        return Pictures()
    from simulator.packs.bookshop.covers import CoverService
    from simulator.packs.bookshop.settings import Covers

    return Pictures.having({"bookshop": await stack.enter_async_context(CoverService(Covers(sources=("offline",))))})


@pytest_asyncio.fixture(loop_scope="session")
async def run(
    site_url: str, policy: NetworkPolicy, pool: BrowserPool, site_section: dict[str, Any], tmp_path: Path
) -> AsyncIterator[Run]:
    """A run with one actor, on no page as yet."""
    notes = Notes()
    vault = Vault(b"0123456789abcdef", scope="tests")
    bindings = Bindings(VALUES, secret=vault.reveal)
    watch = TypingWatch(notes)
    async with AsyncExitStack() as stack:

        async def make(name: str) -> Actor:
            context = await stack.enter_async_context(pool.context(ContextProfile()))
            return Actor(
                name,
                context,
                await context.new_page(),
                origin=site_url,
                policy=policy,
                recorder=watch,
                bindings=bindings,
                vault=vault,
                timeouts=Timeouts(action=1500),
            )

        session = Session(make)
        await session.open("ada")
        pictures = await _pictures(stack)
        ctx = RunContext(
            site=Site(base_url=site_url, **site_section),
            settings=load_settings(),
            bindings=bindings,
            vault=vault,
            pictures=pictures,
            session=session,
            journal=notes,
            workdir=tmp_path,
            seed="7",
        )
        yield Run(ctx, notes, watch, vault)
