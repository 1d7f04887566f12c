"""A bookshop, a browser, and what lets users of a small batch act on it with everything but a recorder."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx
import pytest

from simulator.agent.autopilot import Autopilot
from simulator.agent.contracts import AgentEvent, Made, PeerItem, RunView, TaskEnded
from simulator.agent.interactions import plan_batch
from simulator.agent.loop import LoopEnd, run_agent
from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionOutcome, ActionStart
from simulator.browser.actor import Actor
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.config import Settings, Site, load_settings
from simulator.domain import Pictures
from simulator.packs.bookshop.covers.service import CoverService
from simulator.packs.bookshop.settings import settings_of
from simulator.persona import Identity, Persona, draw_population, mix
from simulator.secrets import Vault
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.dispatch import ToolDispatcher
from simulator.tools.toolsets import registry_of
from tests.fakes import asking

TOKEN = "control-token-of-the-tests"
KEY = b"a key for the tests of agents"
SITES = Path(__file__).parent.parent / "sites"


class Actions:
    """A recorder that keeps what it is told."""

    def __init__(self) -> None:
        self.starts: list[ActionStart] = []

    def begin(self, action: ActionStart) -> str:
        self.starts.append(action)
        return str(len(self.starts))

    def answered(self, write: object) -> None:
        pass

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        pass


class Journal:
    def put_blob(self, data: bytes, media_type: str) -> str:
        return "0" * 64

    def set_variable(self, name: str, value: str, *, kind: str) -> None:
        pass


class OneActor:
    """A session with a single actor."""

    def __init__(self, actor: Actor) -> None:
        self.current = actor

    async def open(self, name: str) -> Actor:
        raise AssertionError("these users act alone")

    def names(self) -> tuple[str, ...]:
        return (self.current.name,)


class Board:
    """Who has made what."""

    def __init__(self) -> None:
        self.made: set[tuple[int, str, int]] = set()
        self.ended: set[int] = set()
        self.bindings: dict[int, Bindings] = {}
        self.changed = asyncio.Condition()

    async def tell(self, change: Callable[[], None]) -> None:
        async with self.changed:
            change()
            self.changed.notify_all()


class BoardPeers:
    """The board as one user sees it."""

    def __init__(self, board: Board, bindings: Bindings) -> None:
        self._board = board
        self._bindings = bindings

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float, known_as: str) -> PeerItem | None:
        board, key = self._board, (number, task_type, index)
        async with asyncio.timeout(timeout_s), board.changed:
            await board.changed.wait_for(lambda: key in board.made or number in board.ended)
        if key not in board.made:
            return None
        theirs = board.bindings[number].values()
        shared = {f"user.{number}.{name}": theirs[f"identity.{name}"] for name in ("username", "display_name")}
        titles = {f"user.{number}.{name}": text for name, text in theirs.items() if name.startswith("book.")}
        for name, value in (values := shared | titles).items():
            self._bindings.set(name, value)
        return PeerItem(number, task_type, index, values)


@dataclass
class Ran:
    """What one user did."""

    end: LoopEnd
    identity: Identity
    events: list[AgentEvent]
    calls: list[tuple[ToolCall, ToolResult]]
    actions: list[ActionStart]

    @property
    def tasks(self) -> list[tuple[str, str, str]]:
        return [(event.task, event.status, event.reason) for event in self.events if isinstance(event, TaskEnded)]


class Listening:
    """A dispatcher that keeps the calls, and lets others know what was made."""

    def __init__(self, inner: ToolDispatcher) -> None:
        self.inner = inner
        self.calls: list[tuple[ToolCall, ToolResult]] = []

    async def dispatch(self, call: ToolCall) -> ToolResult:
        result = await self.inner.dispatch(call)
        self.calls.append((call, result))
        return result


@dataclass
class Stage:
    """A site, and a browser to act on it."""

    site: Site
    settings: Settings
    pool: BrowserPool
    policy: NetworkPolicy
    workdir: Path
    covers: CoverService

    async def batch(
        self,
        personas: Sequence[Persona],
        *,
        count: int,
        concurrency: int = 1,
        change: Callable[[Identity], Identity] = lambda identity: identity,
        after: Callable[[int], None] = lambda number: None,
    ) -> list[Ran]:
        """Let a population of seed 7 act.

        Args:
            change: makes another identity of each that is drawn.
            after: is called when a user has ended, before the next one begins.
        """
        seed = 7
        people = [change(identity) for identity in draw_population(personas, count, seed)]
        population = list(zip(mix(personas, count), people, strict=True))
        interactions = plan_batch(population, seed)
        board = Board()
        slots = asyncio.Semaphore(concurrency)

        async def one(number: int, persona: Persona, identity: Identity) -> Ran:
            async with slots:
                try:
                    return await self.run(persona, identity, number, Autopilot(interactions[number]), board)
                finally:
                    after(number)
                    await board.tell(lambda: board.ended.add(number))

        return list(await asyncio.gather(*(one(n, *member) for n, member in enumerate(population, start=1))))

    async def run(self, persona: Persona, identity: Identity, number: int, agent: Any, board: Board) -> Ran:
        vault = Vault(KEY, scope=f"{persona.persona}|{identity.number}")
        bindings = Bindings(identity.variables(), secret=vault.reveal)
        board.bindings[number] = bindings
        recorder, events = Actions(), list[AgentEvent]()
        profile = ContextProfile(locale=identity.locale.replace("_", "-"), timezone=identity.timezone)
        async with self.pool.context(profile) as context:
            actor = Actor(
                "user",
                context,
                await context.new_page(),
                origin=self.site.origin,
                policy=self.policy,
                recorder=recorder,
                bindings=bindings,
                vault=vault,
            )
            ctx = RunContext(
                site=self.site,
                settings=self.settings,
                bindings=bindings,
                vault=vault,
                pictures=Pictures.having({"bookshop": self.covers}),
                session=OneActor(actor),
                journal=Journal(),
                workdir=self.workdir,
                seed=f"{identity.seed}|{number}",
                skips=identity.skips,
                answers=identity.answers,
            )
            dispatcher = Listening(ToolDispatcher(registry_of(persona.tools.toolsets), ctx))
            told: set[asyncio.Task[None]] = set()

            def tell(event: AgentEvent) -> None:
                events.append(event)
                if isinstance(event, Made):
                    key = (number, event.task_type, event.index)
                    told.add(asyncio.create_task(board.tell(lambda: board.made.add(key))))

            view = RunView(
                persona=persona,
                identity=identity,
                site=self.site,
                peers=BoardPeers(board, bindings),
                tell=tell,
                shown=bindings.shown,
            )
            end = await run_agent(agent, dispatcher, view)
            await asyncio.gather(*told)
        return Ran(end, identity, events, dispatcher.calls, recorder.starts)


@dataclass(frozen=True)
class Shop:
    """A running bookshop."""

    url: str

    def control(self, method: str, path: str) -> httpx.Response:
        return asking.request(method, f"{self.url}/_control/{path}", headers={"Authorization": f"Bearer {TOKEN}"})

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = self.control("GET", "state").json()
        return state


@pytest.fixture(scope="session")
def serve() -> Iterator[Callable[..., str]]:
    """Starts a site as a process of its own and gives its address."""
    processes: list[subprocess.Popen[str]] = []

    def start(*arguments: str) -> str:
        environ = {**os.environ, "SHOP_TOKEN": TOKEN}
        process = subprocess.Popen(
            [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, env=environ
        )
        processes.append(process)
        assert process.stdout is not None
        return str(json.loads(process.stdout.readline())["url"])

    yield start
    for process in processes:
        process.terminate()
        process.communicate(timeout=60)


@pytest.fixture(scope="session")
def running_shop(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Shop:
    db = tmp_path_factory.mktemp("shop") / "shop.db"
    return Shop(serve("-m", "simulator.demo", "--port", "0", "--db", str(db), "--control-token-env", "SHOP_TOKEN"))


@pytest.fixture(scope="session")
def renamed_shop(serve: Callable[..., str], tmp_path_factory: pytest.TempPathFactory) -> Shop:
    """A bookshop with other ids and classes."""
    db = tmp_path_factory.mktemp("renamed") / "shop.db"
    script = str(SITES / "renamed_bookshop.py")
    return Shop(serve(script, "--port", "0", "--db", str(db), "--control-token-env", "SHOP_TOKEN"))


@pytest.fixture
def altered_shop(
    serve: Callable[..., str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Callable[[dict[str, str]], Shop]:
    """Starts a new bookshop in whose pages texts are replaced by others."""

    def start(replace: dict[str, str]) -> Shop:
        monkeypatch.setenv("SPOIL", json.dumps({"replace": list(replace.items())}))
        script, db = str(SITES / "altered_bookshop.py"), str(tmp_path / "altered.db")
        return Shop(serve(script, "--port", "0", "--db", db, "--control-token-env", "SHOP_TOKEN"))

    return start


@pytest.fixture
def market(serve: Callable[..., str]) -> str:
    """The address of a market in German, new and empty."""
    return serve(str(SITES / "buecherstube.py"))


@pytest.fixture
def shop(running_shop: Shop) -> Shop:
    """The running bookshop, reset."""
    assert running_shop.control("POST", "reset").status_code == 200
    return running_shop


@pytest.fixture
async def stage(tmp_path: Path) -> AsyncIterator[Callable[[Site], Any]]:
    """Makes a stage of a site."""
    pools: list[BrowserPool] = []
    services: list[CoverService] = []

    async def make(site: Site) -> Stage:
        settings = load_settings()
        policy = NetworkPolicy(endpoints(site.base_url, site.allowed_hosts))
        pool = await BrowserPool(find_executable(), policy, origin=site.origin).__aenter__()
        pools.append(pool)
        covers = CoverService(settings_of(site).covers)
        services.append(covers)
        return Stage(site, settings, pool, policy, tmp_path, covers)

    yield make
    for service in services:
        await service.aclose()
    for pool in pools:
        await pool.__aexit__(None, None, None)


@pytest.fixture
def bookshop() -> Site:
    """The site section of the bundled bookshop."""
    return load_settings().site("bookshop")


@pytest.fixture
def make_persona() -> Callable[..., Persona]:
    """Makes a persona of tasks."""

    def make(*tasks: Any, name: str = "seller", **more: Any) -> Persona:
        given = {"persona": name, "about": "Acts in a test.", "locale": "en_GB", "tasks": list(tasks), **more}
        return Persona.model_validate(given)

    return make
