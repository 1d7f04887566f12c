"""A stand: a site behind a proxy, what was recorded there, and replays of it that are judged by the site's own state.

Not responsible for: what the proxy changes.
"""

from __future__ import annotations

import asyncio
import os
import sqlite3
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass
from itertools import chain, count
from pathlib import Path
from typing import Literal
from unittest.mock import patch

from benchmarks.sites.honest import Honest, NotDeterministic, Performed, Write
from benchmarks.sites.others import Pattern
from benchmarks.sites.place import Flow, Place
from benchmarks.sites.proxy import Asked, Change, Passed, Proxy, proxied
from benchmarks.sites.recorded import RecordedWrite, recorded_writes
from simulator.browser.effects.model import WriteProof
from simulator.config import Settings, load_settings
from simulator.persona import Persona
from simulator.recording.reader import Recording
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.events import ReplayResult
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.proving import prove
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from tests.fakes.messages_api import KEY, call, messages_api

Mode = Literal["strict", "heal"]
SEED = "7"
_SETTINGS = """
[browser]
resolve_ms = 1500
effect_ms = 1000
navigation_ms = 30000

[run]
exchanges = "all"

[bookshop.covers]
sources = ["offline"]

[site.{name}]
base_url = "{url}"
dismiss = [{{ name = "Cookies", button = "Only necessary" }}]
{section}
"""
_PERSONA: Mapping[str, object] = {
    "persona": "visitor",
    "about": "Acts where replays are judged.",
    "locale": "en_GB",
    "traits": {"typo_rate": 0.0, "skips_optional": 0.0, "description_length": "short"},
    "limits": {"tokens": 10_000_000},
}


@dataclass(frozen=True, slots=True)
class Replayed:
    """What came of a replay, by its own word and by the site's."""

    verdict: str
    """Of the run, by the replay's own word."""
    told: str
    """What the replay says: its first drift."""
    astray: tuple[Write, ...]
    """Writes that the site received and that no honest replay makes."""
    missing: tuple[Write, ...]
    """Writes that an honest replay makes and the site did not receive."""
    differences: tuple[str, ...]
    """What the site holds otherwise than after an honest replay."""
    marks: frozenset[str]
    """What scripts in pages say they have changed."""
    writes: tuple[WriteProof, ...] = ()
    """What the replay says of each write: whether it is proven."""

    @property
    def passed(self) -> bool:
        """Whether the replay says that it did everything."""
        return self.verdict in ("passed", "healed")

    @property
    def false_green(self) -> bool:
        """Whether it says so although the site holds something else."""
        return self.passed and bool(self.differences)


@dataclass
class Stand:
    """Where replays of one recording are judged."""

    flow: Flow
    place: Place
    proxy: Proxy
    settings: Settings
    folder: Path
    writes: tuple[RecordedWrite, ...] = ()
    """The writing requests that were recorded."""
    answers: tuple[Passed, ...] = ()
    """The writing requests of an honest replay, as the site received and answered them."""
    honest: Honest | None = None
    pattern: Pattern | None = None
    """What others have to do to the site."""
    proven: Path | None = None
    """A copy of the recording that others have proven; None: they replay what was recorded."""

    def __post_init__(self) -> None:
        self._numbers = count()

    @property
    def recording(self) -> Path:
        """The recording that is replayed."""
        return self.folder / "recorded.db"

    async def replay(self, change: Change, mode: Mode = "strict") -> Replayed:
        """Replay the recording on the reset site, and judge what came of it.

        Args:
            change: what the proxy does meanwhile.
            mode: of the replay.
        """
        assert self.honest is not None, "a stand is prepared before it judges"
        self.place.reset()
        result, performed = await self._performed(change, mode)
        return Replayed(
            verdict=_verdict(result),
            told=_told(result),
            astray=tuple(self.honest.astray(performed.writes)),
            missing=tuple(self.honest.missing(performed.writes)),
            differences=tuple(self.honest.differences(performed.state)),
            marks=frozenset(change.marks),
            writes=tuple(one for run in result.runs for one in run.writes),
        )

    async def replay_fresh(self, seed: str, *, restored: bool) -> Replayed:
        """Replay the recording as another user, and judge what came of it.

        Args:
            seed: what the user is drawn from.
            restored: whether the site is reset before that.
        """
        assert self.pattern is not None, "a stand is prepared before it judges"
        if restored:
            self.place.reset()
        before = self.place.state()
        result, performed = await self._performed(Change(), "strict", seed)
        return Replayed(
            verdict=_verdict(result),
            told=_told(result),
            astray=(),
            missing=(),
            differences=tuple(self.pattern.unlike(before, performed)),
            marks=frozenset(),
            writes=tuple(one for run in result.runs for one in run.writes),
        )

    async def prove(self, *, is_left: bool) -> str:
        """Have another user prove the recording, as ``sim prove`` does, before others replay it.

        Args:
            is_left: whether that is done on what the recorded user has left; else the site is reset before.

        Returns:
            Why it is not proven; empty where it is.
        """
        self.place.reset()
        if is_left:
            await self._performed(Change(), "strict")
        proven = self.folder / "proven.db"
        with closing(sqlite3.connect(self.recording)) as source, closing(sqlite3.connect(proven)) as target:
            source.backup(target)
        self.proxy.begin(Change())
        made = await prove(self._options(proven, "proof", "strict"), lambda _: None, Stop())
        self.proven = proven if made.proven else None
        return "; ".join(run.why_not for run in made.runs if run.why_not)

    def differences_after(self, asked: Asked, write: RecordedWrite) -> list[str]:
        """Give what the site held otherwise right after a write of the last replay than right after the honest one.

        Args:
            asked: the write, as the browser sent it.
            write: the same, as it was recorded.
        """
        assert self.honest is not None, "a stand is prepared before it judges"
        now = next(state for one, state in self.proxy.states if one is asked)
        honest = [state for one, state in self.honest.states if write.is_like(one)]
        return self.honest.differences(now, honest[write.number])

    async def prepare(self) -> None:
        """Record once, and replay honestly twice.

        Raises:
            NotDeterministic: an honest replay did not pass, or two of them did different things.
        """
        await self._record()
        with Recording.open(self.recording) as recording:
            (run,) = recording.runs()
            self.writes = recorded_writes(
                recording.exchanges(run.id),
                recording.blobs.read,
                recording.writes(run.id),
                recording.effects(run.id),
                recording.actions(run.id),
            )
        links = [one for one in self.writes if one.is_link]
        self.proxy.does_by_link = lambda asked: any(one.is_like(asked) for one in links)
        performed = []
        self.place.reset()
        pristine = self.place.state()
        for _ in range(2):
            self.place.reset()
            result, one = await self._performed(Change(), "strict")
            if not result.passed:
                raise NotDeterministic(f"an honest replay on {self.flow.name} did not pass: {_told(result)}")
            performed.append(one)
        self.answers = tuple(self.proxy.received)
        self.honest = Honest.of(*performed)
        self.pattern = Pattern.of(pristine, *performed)

    async def _performed(self, change: Change, mode: Mode, fresh: str = "") -> tuple[ReplayResult, Performed]:
        """Replay; as the recorded user, or as another one who is drawn from a seed."""
        self.proxy.begin(change)
        self.proxy.reads = self.place.state
        source = self.proven if fresh and self.proven else self.recording
        result = await replay(self._options(source, fresh, mode), lambda _: None, Stop())
        writes = tuple(Write.of(one.asked) for one in self.proxy.received)
        return result, Performed(writes, self.place.state(), tuple(self.proxy.states))

    def _options(self, source: Path, fresh: str, mode: Mode) -> ReplayOptions:
        return ReplayOptions(
            settings=self.settings,
            source=source,
            target="last",
            identity="fresh" if fresh else "same",
            seed=fresh or None,
            mode=mode,
            db=self.folder / f"replayed-{next(self._numbers)}.db",
            screenshots="none",
        )

    async def _record(self) -> None:
        self.place.reset()
        persona = Persona.model_validate({**_PERSONA, "tasks": list(self.flow.tasks)})
        options = RunOptions(
            settings=self.settings,
            site=self.settings.site(self.flow.name),
            personas=(persona,),
            count=1,
            seed=SEED,
            agent="autopilot" if self.flow.turns is None else "claude",
            db=self.recording,
            screenshots="none",
        )
        with _model(self.flow):
            result = await run_batch(options, lambda _: None, Stop())
        wanting = [(run.reason, task) for run in result.runs for task in run.tasks if task.status != "done"]
        if wanting or not all(run.status == "passed" for run in result.runs):
            raise RuntimeError(f"{self.flow.name}: not everything could be recorded: {wanting or result.runs}")


def _verdict(result: ReplayResult) -> str:
    return ", ".join(run.verdict for run in result.runs)


def _told(result: ReplayResult) -> str:
    return next((run.drift.sentence for run in result.runs if run.drift), "")


@contextmanager
def stand(flow: Flow, place: Place, folder: Path) -> Iterator[Stand]:
    """Put a proxy before a site, record what is done there, and learn what an honest replay does.

    It runs an event loop of its own, so nobody calls it within one.

    Args:
        flow: what is recorded.
        place: the site, which runs.
        folder: takes the recordings.
    """
    with proxied(place.url) as proxy:
        file = folder / "sim.toml"
        file.write_text(_SETTINGS.format(name=flow.name, url=proxy.url, section=flow.section), "utf-8")
        environ = {**os.environ, **flow.environ}
        made = Stand(flow, place, proxy, load_settings(file, environ), folder)
        asyncio.run(made.prepare())
        yield made


@contextmanager
def _model(flow: Flow) -> Iterator[None]:
    """Have a scripted model answer where the flow has one."""
    if flow.turns is None:
        yield
        return
    left = chain(flow.turns() if callable(flow.turns) else flow.turns, [call("complete", result="Done.")])
    with (
        messages_api(lambda _: next(left)) as api,
        patch.dict(os.environ, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=api.url),
    ):
        yield
