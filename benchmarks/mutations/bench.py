"""Recording on the bookshop as it is, and replaying on one that has changed.

Not responsible for: which outcome is the right one (``expected``).
"""

from __future__ import annotations

import asyncio
import os
import secrets
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

import uvicorn

from benchmarks.mutations.expected import Expected, Mode
from benchmarks.mutations.truth import Effect, Truth
from simulator.config import Settings, Site, load_settings
from simulator.config.site import Dismiss, Endpoint
from simulator.demo.app import create_app
from simulator.demo.database import open_database
from simulator.demo.mutations.catalogue import mutate, named
from simulator.demo.server import base_url, listen
from simulator.demo.state import refill
from simulator.persona import Persona
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.events import ReplayResult
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop

SEED = "mutations"
_NOWHERE = "http://127.0.0.1:1"
"""Nothing answers here, so that the bundled bookshop is started."""
_HOST = "127.0.0.1"
_TOKEN = "MUTATION_BENCH_TOKEN"
"""Environment variable with what opens the control addresses of the mutated bookshops."""
os.environ.setdefault(_TOKEN, secrets.token_urlsafe())
_ROOT = Path(__file__).parents[2]
_COMMON: dict[str, object] = {
    "about": "Acts on the mutation bench.",
    "locale": "en_GB",
    "traits": {"typo_rate": 0.0, "skips_optional": 0.0, "description_length": "short"},
}
_SELLING: tuple[object, ...] = ({"list_books": {"count": 2}}, {"edit_listing": {"field": "price"}})
_PERSONAS: list[dict[str, object]] = [
    {"persona": "trader", "tasks": ["register", *_SELLING, "save_listings", "message_seller", "create_matchup"]},
    {"persona": "voter", "tasks": ["register", "vote"]},
]


@dataclass(frozen=True, slots=True)
class Recorded:
    """What was recorded, and what it made of the bookshop."""

    db: Path
    truth: Truth


@dataclass(frozen=True, slots=True)
class Cell:
    """What came of a replay on a mutated bookshop."""

    mutations: tuple[str, ...]
    mode: Mode
    passed: bool
    """Whether the replay says so, by its own checks and, as the bookshop tells its state, by that."""
    passed_unaided: bool
    """Whether it would say so without the state."""
    as_recorded: bool
    """Whether the bookshop holds what it held after the recording."""
    astray: tuple[Effect, ...]
    """What the replay did that the recording had not done."""
    told: str
    """The verdict of each run, and the first drift."""

    @property
    def completed(self) -> bool:
        """Whether it passed, and everything is as when it was recorded."""
        return self.passed and self.as_recorded and not self.astray

    @property
    def stopped(self) -> bool:
        """Whether it stopped without having done anything else than was recorded."""
        return not self.passed and not self.astray

    @property
    def false_green(self) -> bool:
        """Whether it passed although something is not as when it was recorded."""
        return self.passed and not self.as_recorded

    def meets(self, expected: Expected) -> bool:
        """Tell whether it is what a correct replay does."""
        return self.completed if expected == "completes" else self.stopped


def configured(folder: Path) -> Settings:
    """Give the settings of the checkout, with shorter waits for what does not come."""
    settings = load_settings(_ROOT / "sim.toml")
    browser = settings.browser.model_copy(update={"resolve_ms": 700, "navigation_ms": 8_000, "effect_ms": 1_000})
    site = settings.site("bookshop")
    site = site.model_copy(update={"database": folder / "recorded.shop.db", "base_url": _NOWHERE})
    return settings.model_copy(update={"browser": browser, "sites": settings.sites | {"bookshop": site}})


async def record(folder: Path) -> Recorded:
    """Record the population of the bench, on a bookshop as it is.

    Raises:
        RuntimeError: somebody did not get everything done.
    """
    settings = configured(folder)
    options = RunOptions(
        settings=settings,
        site=settings.site("bookshop"),
        personas=tuple(Persona.model_validate(_COMMON | one) for one in _PERSONAS),
        count=len(_PERSONAS),
        seed=SEED,
        concurrency=len(_PERSONAS),
        db=folder / "recorded.db",
        screenshots="none",
    )
    result = await run_batch(options, lambda _: None, Stop())
    wanting = [task for run in result.runs for task in run.tasks if task.status != "done"]
    if wanting:
        raise RuntimeError(f"not everything could be recorded: {wanting}")
    return Recorded(options.db, Truth.of(folder / "recorded.shop.db"))


async def cell(recorded: Recorded, mutations: Sequence[str], mode: Mode, folder: Path) -> Cell:
    """Replay the recording as the same users, on a new bookshop with some mutations.

    Args:
        recorded: what is replayed.
        mutations: their names.
        mode: of the replay.
        folder: takes the shop's database and the recording of the replay.
    """
    settings = configured(folder)
    database = folder / "mutated.shop.db"
    with shop(database, mutations) as url:
        site = section(settings, url).model_copy(
            update={"dismiss": (Dismiss(name="Cookies", button="Only necessary"),)}
        )
        options = ReplayOptions(
            settings=settings,
            site=site,
            source=recorded.db,
            target="last",
            mode=mode,
            db=folder / "replayed.db",
            screenshots="none",
            concurrency=2,
        )
        result = await replay(options, lambda _: None, Stop())
    truth = Truth.of(database)
    return Cell(
        tuple(mutations),
        mode,
        passed=result.passed,
        passed_unaided=replace(result, state_before=None).passed,
        as_recorded=truth.state == recorded.truth.state,
        astray=tuple(truth.astray(recorded.truth)),
        told=_told(result),
    )


def _told(result: ReplayResult) -> str:
    drifts = [run.drift.sentence for run in result.runs if run.drift]
    verdicts = ", ".join(run.verdict for run in result.runs)
    state = "" if result.state_before == result.state_after else "; another state"
    return f"{verdicts}{state}" + (f": {drifts[0]}" if drifts else "")


def section(settings: Settings, url: str) -> Site:
    """Give the section of a bookshop that :func:`shop` serves.

    Args:
        settings: with a site ``bookshop``.
        url: where it is.
    """
    state = Endpoint.model_validate({"url": "/_control/state", "token": {"env": _TOKEN}})
    return settings.site("bookshop").model_copy(
        update={"base_url": url, "bundled": False, "database": None, "state": state}
    )


@contextmanager
def shop(database: Path, mutations: Sequence[str]) -> Iterator[str]:
    """Serve a new mutated bookshop from a thread of this process.

    Args:
        database: its file.
        mutations: their names.

    Yields:
        Its URL.
    """
    with listen(_HOST, 0) as listener:
        ready = threading.Event()
        servers: list[uvicorn.Server] = []

        def serve() -> None:
            connection = open_database(database)
            try:
                refill(connection)
                app = create_app(connection, os.environ[_TOKEN])
                mutate(app, named(mutations))
                config = uvicorn.Config(app, lifespan="off", ws="none", access_log=False, log_level="warning")
                servers.append(uvicorn.Server(config))
                ready.set()
                asyncio.run(servers[0].serve([listener]))
            finally:
                connection.close()
                ready.set()

        thread = threading.Thread(target=serve)
        thread.start()
        ready.wait()
        if not servers:
            raise RuntimeError(f"the bookshop with {', '.join(mutations)} did not start")
        try:
            yield base_url(_HOST, listener)
        finally:
            for server in servers:
                server.should_exit = server.force_exit = True
            thread.join()
