"""What the tests of repairs by a model share: small recordings, changed bookshops, and a model with a script."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from benchmarks.mutations.bench import configured, section, shop
from benchmarks.mutations.truth import Truth
from simulator.recording import Recording
from simulator.runner import events
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.repairs.repair import RepairOptions
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from tests.fakes.messages_api import KEY, Answer, MessagesApi, Request, call, calls, messages_api, say, use
from tests.runner.bench import persona

SELLER = {
    "persona": "seller",
    "tasks": ["register", {"list_books": {"count": 1}}, {"edit_listing": {"field": "price"}}],
}
ISBN = "9780141439587"
Model = Callable[[Request], Answer]


@dataclass(frozen=True)
class Recorded:
    """A recording, and what it made of the shop as it was."""

    db: Path
    truth: Truth

    def effects(self) -> list[str]:
        return effects(self.truth)


def effects(truth: Truth) -> list[str]:
    """What was changed on the shop, in order."""
    return [effect.name for done in truth.effects.values() for effect in done]


async def record(folder: Path, *personas: dict[str, Any]) -> Recorded:
    settings = configured(folder)
    options = RunOptions(
        settings=settings,
        site=settings.site("bookshop"),
        personas=tuple(persona(one) for one in personas),
        count=len(personas),
        seed="repairs",
        concurrency=1,
        db=folder / "recorded.db",
        screenshots="none",
    )
    result = await run_batch(options, lambda _: None, Stop())
    assert [task.status for run in result.runs for task in run.tasks if task.status != "done"] == []
    return Recorded(options.db, Truth.of(folder / "recorded.shop.db"))


@contextmanager
def model(answer: Model) -> Iterator[MessagesApi]:
    """Serve a model, and point the agent to it."""
    with messages_api(answer) as api, pytest.MonkeyPatch.context() as patch:
        patch.setenv("ANTHROPIC_API_KEY", KEY)
        patch.setenv("ANTHROPIC_BASE_URL", api.url)
        yield api


@dataclass(frozen=True)
class Replayed:
    result: events.ReplayResult
    truth: Truth
    db: Path

    @property
    def run(self) -> events.ReplayedRun:
        (run,) = self.result.runs
        return run

    def effects(self) -> list[str]:
        return effects(self.truth)


async def performed(
    recorded: Recorded, folder: Path, *mutations: str, stop: Stop | None = None, **more: Any
) -> Replayed:
    """Replay on a new bookshop that has changed."""
    folder.mkdir(exist_ok=True)
    settings = configured(folder)
    database = folder / "changed.shop.db"
    with shop(database, mutations) as url:
        given = {"mode": "agent", "repair": RepairOptions(agent="claude"), "db": folder / "replayed.db", **more}
        options = ReplayOptions(
            settings=settings,
            site=section(settings, url),
            source=recorded.db,
            screenshots="none",
            **{"target": "last", **given},
        )
        result = await replay(options, lambda _: None, stop or Stop())
    return Replayed(result, Truth.of(database), options.db)


def script(*answers: Answer) -> Model:
    """A model that gives its answers one after another, and then says that it is done."""
    return lambda request: answers[request.turn] if request.turn < len(answers) else call("complete", result="Done.")


BOOK = {name: f"{{{{book.1.{name}}}}}" for name in ("title", "author", "genre", "condition", "price", "description")}


def offer(**more: str) -> Answer:
    """Put the book up for sale."""
    return calls(
        use("navigate", url="/books/new"),
        use("upload_cover_image", cover_url="{{file.cover_1}}"),
        use("fill_form", values={**BOOK, **more}, submit=True),
    )


def revisions(db: Path) -> list[str]:
    with Recording.open(db) as recording:
        return [run.id for run in recording.runs() if run.kind == "heal"]


async def again(replayed: Replayed, folder: Path, *mutations: str, **more: Any) -> Replayed:
    """Replay the revision that a repair became, strictly, where no model answers."""
    recorded = Recorded(replayed.db, replayed.truth)
    with model(lambda request: say("nobody asked")) as api:
        target = more.pop("target", None) or replayed.run.revision
        found = await performed(recorded, folder, *mutations, mode="strict", target=target, **more)
        assert api.requests == []
    return found
