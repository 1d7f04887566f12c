"""A bench to record and replay on: real bookshops, a real browser, real recording files, and small personas."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from simulator.config import Settings, Site, load_settings
from simulator.demo.state import change_log, site_state, state_json
from simulator.persona import Persona
from simulator.recording.reader import Recording
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.events import BatchResult, Event, ReplayResult
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop

NOWHERE = "http://127.0.0.1:1"

SELLER = {
    "persona": "seller",
    "tasks": ["register", {"list_books": {"count": 1}}, {"edit_listing": {"field": "price"}}],
}
CLERK = {"persona": "clerk", "tasks": ["register", {"list_books": {"count": 2}}, "delete_listing"]}
MATCHER = {"persona": "matcher", "tasks": ["register", {"list_books": {"count": 2}}, "create_matchup", "logout"]}
VISITOR = {
    "persona": "visitor",
    "tasks": ["register", {"browse": {"pages": 1}}, {"save_listings": {"count": 2}}, "message_seller", "vote"],
}

USERS = 5
"""How many users of these four personas are recorded once for all: more than act at once."""


def persona(given: dict[str, Any]) -> Persona:
    """Make a persona of tasks."""
    more = {"about": "Acts in a test.", "locale": "en_GB", "traits": {"description_length": "short"}}
    return Persona.model_validate({**more, **given})


class Shop:
    """The database of a bookshop, looked into from outside."""

    def __init__(self, file: Path) -> None:
        self.file = file

    @property
    def whole(self) -> str:
        """Everything on the site, as ``sim demo state`` writes it."""
        return state_json(self.file)

    @property
    def state(self) -> dict[str, Any]:
        return site_state(self.file)

    @property
    def log(self) -> list[dict[str, Any]]:
        return change_log(self.file)

    @property
    def effects(self) -> list[str]:
        """What was changed on the site, in order."""
        return [row["effect"]["name"] for row in self.log if row["effect"]]

    def copy_to(self, file: Path) -> Shop:
        for suffix in ("", "-wal", "-shm"):
            beside = self.file.with_name(self.file.name + suffix)
            if beside.exists():
                file.with_name(file.name + suffix).write_bytes(beside.read_bytes())
        return Shop(file)


@dataclass(frozen=True)
class Original:
    """A batch as it was recorded, and the shop as it was left."""

    db: Path
    shop: Shop
    result: BatchResult

    def runs(self) -> dict[str, str]:
        """The id of the run of each persona; of several, the first."""
        with Recording.open(self.db) as recording:
            return {run.persona or "": run.id for run in reversed(recording.runs(self.result.batch_id))}


@dataclass(frozen=True)
class Replayed:
    """What came of a replay, and the shop as it was left."""

    result: ReplayResult
    shop: Shop
    events: Sequence[Event]

    @property
    def verdicts(self) -> list[str]:
        return [run.verdict for run in self.result.runs]

    @property
    def drifts(self) -> list[str]:
        """What was not as recorded, to be shown where a test fails."""
        return [run.drift.sentence for run in self.result.runs if run.drift]


@dataclass(frozen=True)
class Bench:
    """Records and replays in a folder."""

    folder: Path
    settings: Settings

    def site(self, shop: Shop) -> Site:
        """Give the bookshop's section: started on this database, for nothing answers at its address."""
        site = self.settings.site("bookshop")
        return site.model_copy(update={"database": shop.file, "base_url": NOWHERE})

    def shop(self, name: str) -> Shop:
        return Shop(self.folder / f"{name}.shop.db")

    async def record(
        self,
        name: str,
        personas: Sequence[dict[str, Any]],
        *,
        count: int,
        concurrency: int,
        seed: str = "7",
        **more: Any,
    ) -> Original:
        shop = self.shop(name)
        options = RunOptions(
            settings=self.settings,
            site=self.site(shop),
            personas=tuple(persona(one) for one in personas),
            count=count,
            seed=seed,
            concurrency=concurrency,
            db=self.folder / f"{name}.db",
            screenshots="none",
            **more,
        )
        result = await run_batch(options, lambda _: None, Stop())
        assert [(run.status, run.reason) for run in result.runs] == [("passed", "")] * count
        return Original(options.db, shop, result)

    async def replay(
        self,
        source: Path,
        name: str,
        *,
        target: str = "last",
        shop: Shop | None = None,
        url: str | None = None,
        **more: Any,
    ) -> Replayed:
        shop = shop or self.shop(name)
        told: list[Event] = []
        site = self.site(shop)
        options = ReplayOptions(
            settings=self.settings,
            site=site.model_copy(update={"base_url": url, "bundled": False}) if url else site,
            source=source,
            target=target,
            db=self.folder / f"{name}.db",
            screenshots="none",
            **{"concurrency": 2, **more},
        )
        return Replayed(await replay(options, told.append, Stop()), shop, told)


def settings() -> Settings:
    found = load_settings()
    return found.model_copy(
        update={"browser": found.browser.model_copy(update={"resolve_ms": 1_500, "effect_ms": 1_000})}
    )
