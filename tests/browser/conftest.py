"""A small site under a test's control, and actors on it in one real browser."""

from __future__ import annotations

import base64
import contextlib
import hashlib
import threading
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from typing import Any

import pytest
import pytest_asyncio

from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionKind, ActionOutcome, ActionStart
from simulator.browser.actor import Actor
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.browser.launch.script import selector
from simulator.browser.timeouts import Timeouts
from simulator.secrets import Vault
from tests.fakes.server import served

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Answer:
    """What the site answers. ``after`` is awaited first, for at most 30 s."""

    body: str = ""
    status: int = 200
    media_type: str = HTML
    headers: dict[str, str] = field(default_factory=dict)
    after: threading.Event | None = None
    rest: str = ""
    rest_after: threading.Event | None = None
    """Set: the body goes out in two parts, the second when this happens."""


Route = Callable[[str], Answer]


class SmallSite:
    """Routes by method and path; and everything that was asked of them."""

    def __init__(self) -> None:
        self.url = ""
        self.routes: dict[str, Answer | Route] = {}
        self.sockets: dict[str, Callable[[str], Iterable[str]]] = {}
        """What is answered to each message on a web socket, by path."""
        self.asked: list[str] = []
        self.bodies: list[str] = []
        self.arrived = threading.Condition()
        self.open: list[threading.Event] = []

    def page(self, path: str, body: str) -> None:
        """Serve an HTML page. Its scripts may note what they saw with ``saw(text)``."""
        head = (
            "<!doctype html><html lang=en><title>Small</title><script>const seen = []; const saw = (t) => seen.push(t)"
        )
        self.routes[path] = Answer(f"{head}</script><body>{body}")

    def gate(self) -> threading.Event:
        """Give an event for an answer to wait for; it is set when the test is over at the latest."""
        event = threading.Event()
        self.open.append(event)
        return event

    def note(self, request: str, body: str) -> None:
        with self.arrived:
            self.asked.append(request)
            self.bodies.append(body)
            self.arrived.notify_all()

    def count(self, request: str) -> int:
        """Tell how often something was asked, as ``GET /path``."""
        return self.asked.count(request)

    def wait_for(self, request: str, times: int = 1) -> None:
        """Wait until something was asked so many times."""
        with self.arrived:
            assert self.arrived.wait_for(lambda: self.count(request) >= times, timeout=60), self.asked

    def clear(self) -> None:
        for event in self.open:
            event.set()
        self.routes.clear()
        self.sockets.clear()
        self.asked.clear()
        self.bodies.clear()
        self.open.clear()


def _handler(site: SmallSite) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def _serve(self) -> None:
            path = self.path.partition("?")[0]
            body = self.rfile.read(int(self.headers["Content-Length"] or 0)).decode("utf-8", "replace")
            site.note(f"{self.command} {self.path}", body)
            if self.headers["Upgrade"] == "websocket" and path in site.sockets:
                self._talk(site.sockets[path])
                return
            route = site.routes.get(f"{self.command} {path}") or site.routes.get(path)
            answer = route(body) if callable(route) else route or Answer("<h1>Not found</h1>", 404)
            if answer.after:
                answer.after.wait(30)
            whole = answer.body + answer.rest
            self.send_response(answer.status)
            self.send_header("Content-Type", answer.media_type)
            if answer.status != 204 and answer.media_type != "text/event-stream":
                self.send_header("Content-Length", str(len(whole.encode())))
            for name, value in answer.headers.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(answer.body.encode())
            self.wfile.flush()
            if answer.rest_after:
                answer.rest_after.wait(30)
            self.wfile.write(answer.rest.encode())

        def _talk(self, answers: Callable[[str], Iterable[str]]) -> None:
            """Speak the part of RFC 6455 that short texts need."""
            key = self.headers["Sec-WebSocket-Key"] + "258EAFA5-E914-47DA-95CA-C5AB0DC85B11"
            accepted = base64.b64encode(hashlib.sha1(key.encode()).digest()).decode()
            self.wfile.write(
                b"HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                + f"Sec-WebSocket-Accept: {accepted}\r\n\r\n".encode()
            )
            while (head := self.rfile.read(2)) and head[0] == 0x81:
                mask = self.rfile.read(4)
                said = bytes(byte ^ mask[at % 4] for at, byte in enumerate(self.rfile.read(head[1] & 0x7F)))
                for answer in answers(said.decode()):
                    self.wfile.write(bytes([0x81, len(answer.encode())]) + answer.encode())
                    self.wfile.flush()
            self.close_connection = True

        do_GET = do_POST = _serve

        def handle(self) -> None:
            with contextlib.suppress(OSError):  # the browser goes away in the middle of an answer
                super().handle()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@pytest.fixture(scope="session")
def server() -> Iterator[SmallSite]:
    found = SmallSite()
    with served(_handler(found)) as found.url:
        yield found
        found.clear()


@pytest.fixture
def site(server: SmallSite) -> Iterator[SmallSite]:
    """An empty site."""
    server.clear()
    yield server
    server.clear()


@pytest.fixture(scope="session")
def policy(server: SmallSite) -> NetworkPolicy:
    """Nothing but the site; the pool closes it."""
    return NetworkPolicy(endpoints(server.url))


@pytest_asyncio.fixture(scope="session", loop_scope="session")
async def pool(server: SmallSite, policy: NetworkPolicy) -> AsyncIterator[BrowserPool]:
    """One browser for all tests."""
    async with BrowserPool(find_executable(), policy, origin=server.url) as found:
        yield found


@dataclass
class Notes:
    """What a recording would hold."""

    started: list[ActionStart] = field(default_factory=list)
    ended: list[ActionOutcome] = field(default_factory=list)

    def begin(self, action: ActionStart) -> str:
        self.started.append(action)
        return str(len(self.started))

    def answered(self, write: object) -> None:
        pass

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        assert len(self.ended) == int(action_id) - 1
        self.ended.append(outcome)


@dataclass
class Stage:
    """An actor, and the means to see what really happened."""

    actor: Actor
    notes: Notes

    async def show(self, site: SmallSite, body: str, path: str = "/") -> None:
        """Serve a page and go there."""
        site.page(path, body)
        await self.actor.navigation.goto(path)

    async def seen(self) -> list[str]:
        """What the page's own scripts noted."""
        found: list[str] = await self.actor.page.evaluate("() => seen")
        return found

    async def perform(self, kind: ActionKind, query: dict[str, Any], value: str | None = None) -> None:
        """Act as a replay does: on the one element that a query proves."""
        act: Callable[..., Awaitable[Any]] = getattr(self.actor.page, kind)
        arguments = [selector("sim", query)] if value is None else [selector("sim", query), value]
        await self.actor.runner.carry_out(ActionStart(kind, self.actor.name), lambda: act(*arguments, timeout=1500))

    async def between(self, script: str) -> None:
        """Let the page do something after an element was proven, when the pointer comes and before it is pressed."""
        await self.actor.page.evaluate(
            """script => {
              const work = new Function(script);
              addEventListener("pointermove", work, { capture: true, once: true });
            }""",
            script,
        )


@pytest.fixture
def timeouts() -> Timeouts:
    """Short bounds; a test that needs others is parametrised with them."""
    return Timeouts(action=2000, navigation=8000, settle=3000)


@pytest_asyncio.fixture(loop_scope="session")
async def stage(
    pool: BrowserPool, server: SmallSite, policy: NetworkPolicy, timeouts: Timeouts
) -> AsyncIterator[Stage]:
    """An actor in a context of its own."""
    vault = Vault(b"0123456789abcdef", scope="tests")
    bindings = Bindings({"identity.email": "ada.moor@example.org"}, secret=vault.reveal)
    notes = Notes()
    async with pool.context(ContextProfile()) as context:
        actor = Actor(
            "ada",
            context,
            await context.new_page(),
            origin=server.url,
            policy=policy,
            recorder=notes,
            bindings=bindings,
            vault=vault,
            timeouts=timeouts,
        )
        yield Stage(actor, notes)
