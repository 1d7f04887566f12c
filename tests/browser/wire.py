"""A server that keeps what it was sent byte for byte, and actors whose traffic is recorded.

Not responsible for: what is tested with them.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler
from pathlib import Path
from typing import Any

from simulator.bindings import Bindings
from simulator.browser.actor import Actor
from simulator.browser.find import Find
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.browser.timeouts import Timeouts
from simulator.browser.wire.traffic import Traffic
from simulator.browser.wire.withheld import Withheld
from simulator.config.settings import Exchanges
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.rows import ExchangeRow
from simulator.recording.run_recorder import RunRecorder
from simulator.secrets import Vault
from simulator.tools.contracts import ToolCall, ToolResult
from tests.fakes.server import served

HTML = "text/html; charset=utf-8"


@dataclass(frozen=True)
class Received:
    """A request as it came over the wire."""

    method: str
    path: str
    headers: list[tuple[str, str]]
    body: bytes

    def header(self, name: str) -> str:
        return next((value for key, value in self.headers if key.lower() == name), "")


@dataclass(frozen=True)
class Reply:
    """What is answered. ``cut``: the connection ends before the body does; ``hold``: it goes on until then."""

    body: bytes = b""
    status: int = 200
    headers: tuple[tuple[str, str], ...] = (("Content-Type", HTML),)
    cut: bool = False
    hold: threading.Event | None = None


@dataclass
class Wire:
    """The server: what it answers by path, and what it received."""

    url: str = ""
    replies: dict[str, Reply | Callable[[Received], Reply]] = field(default_factory=dict)
    received: list[Received] = field(default_factory=list)
    news: threading.Condition = field(default_factory=threading.Condition)

    def page(self, path: str, body: str, **headers: str) -> None:
        """Serve an HTML page."""
        named = tuple((name.replace("_", "-"), value) for name, value in headers.items())
        text = f"<!doctype html><html lang=en><title>Wire</title><body>{body}"
        self.replies[path] = Reply(text.encode(), headers=(("Content-Type", HTML), *named))

    def wait_for(self, path: str) -> Received:
        """Give the last request of a path, once there is one."""
        with self.news:
            assert self.news.wait_for(lambda: any(one.path == path for one in self.received), timeout=60), path
            return next(one for one in reversed(self.received) if one.path == path)


def _handler(wire: Wire) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def _serve(self) -> None:
            length = int(self.headers["Content-Length"] or 0)
            got = Received(self.command, self.path, list(self.headers.items()), self.rfile.read(length))
            with wire.news:
                wire.received.append(got)
                wire.news.notify_all()
            found = wire.replies.get(self.path.partition("?")[0], Reply(b"<h1>Nothing here</h1>", 404))
            reply = found(got) if callable(found) else found
            self.send_response(reply.status)
            for name, value in reply.headers:
                self.send_header(name, value)
            if reply.status not in (204, 304) and not reply.hold:
                self.send_header("Content-Length", str(len(reply.body) + 100 * reply.cut))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(reply.body)
                self.wfile.flush()
            if reply.hold:
                reply.hold.wait(20)
            self.close_connection = reply.cut or bool(reply.hold)

        do_GET = do_POST = do_PUT = do_HEAD = _serve

        def handle(self) -> None:
            with contextlib.suppress(OSError):
                super().handle()

        def log_message(self, format: str, *args: Any) -> None:
            pass

    return Handler


@contextlib.contextmanager
def serving() -> Iterator[Wire]:
    """Serve on a free port of loopback."""
    wire = Wire()
    with served(_handler(wire)) as wire.url:
        yield wire


class Told:
    """A user whose traffic is recorded, step by step."""

    def __init__(self, actor: Actor, traffic: Traffic, run: RunRecorder, vault: Vault, path: Path) -> None:
        self.actor = actor
        self.traffic = traffic
        self.run = run
        self.vault = vault
        self.path = path
        self._step = ""

    def begin(self) -> None:
        """Begin a step."""
        self._step = self.run.begin_step(call=ToolCall(id="1", name="step", input={}), replay="actions")

    def end(self) -> list[ExchangeRow]:
        """End the step; gives what is recorded."""
        self.run.end_step(self._step, ToolResult(success=True))
        return self.rows()

    def rows(self) -> list[ExchangeRow]:
        """Give what is recorded by now."""
        with Recording.open(self.path) as recording:
            return recording.exchanges(self.run.id)

    def blob(self, sha256: str | None) -> bytes:
        """Give a body."""
        assert sha256 is not None
        return self.run.blob(sha256)

    async def goto(self, path: str) -> list[ExchangeRow]:
        """Visit an address in a step of its own."""
        self.begin()
        await self.actor.navigation.goto(path)
        return self.end()

    async def script(self, text: str) -> list[ExchangeRow]:
        """Click a button whose handler is a script, in a step of its own; gives what it caused."""
        before = len(self.rows())
        self.begin()
        await self.actor.page.evaluate(
            "text => { document.body.insertAdjacentHTML('beforeend', '<button id=go>Go</button>');"
            " document.getElementById('go').onclick = (event) => { event.target.remove(); return (0, eval)(text); }; }",
            f"(async () => {{ {text}; document.title = 'done'; }})()",
        )
        await self.actor.click(Find("css", "#go"))
        await self.actor.page.wait_for_function("document.title === 'done'")
        await self.traffic.rest()
        return self.end()[before:]


@contextlib.asynccontextmanager
async def watching(
    pool: BrowserPool, wire: Wire, policy: NetworkPolicy, path: Path, level: Exchanges = "all", base_url: str = ""
) -> AsyncIterator[Told]:
    """Give a user in a context of its own, whose traffic lands in a recording."""
    vault = Vault(b"0123456789abcdef", scope="tests")
    bindings = Bindings(
        {"identity.email": "ada.moor@example.org", "book.1.title": "The Moonstone"}, secret=vault.reveal
    )
    with Recorder.open(path, mask=lambda texts: [vault.mask(text) for text in texts]) as recorder:
        batch = recorder.begin_batch(argv=(), seed="1", settings={})
        run = recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent=None, persona=None, identity=None, site="s",
            environment={"base_url": base_url},
        )  # fmt: skip
        async with pool.context(ContextProfile()) as context:
            run.actors.add("ada")
            traffic = Traffic(
                "ada",
                level=level,
                origin=wire.url,
                bindings=bindings,
                withheld=Withheld(vault.mask),
                recorder=run.exchanges,
            )
            actor = Actor(
                "ada", context, await context.new_page(), traffic=traffic, recorder=run, origin=wire.url, policy=policy,
                bindings=bindings, vault=vault, timeouts=Timeouts(action=3000, navigation=6000, settle=3000),
            )  # fmt: skip
            await traffic.attend(context, actor.urls)
            yield Told(actor, traffic, run, vault, path)
        run.variables.set("book.1.title", "The Moonstone", kind="book")
        run.end_run(status="passed")
        recorder.end_batch(batch, status="passed")


def policy_of(wire: Wire, *others: str) -> NetworkPolicy:
    """Give a policy that allows the server, and other hosts."""
    return NetworkPolicy(endpoints(wire.url, others))
