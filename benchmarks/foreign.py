"""Rows ``foreign``: strict replay on a site that is not the bookshop, against a script that an expert wrote by hand.

A scripted model's loop is recorded on an office: some thirty actions of tools that know no site. Each side is measured
as a visit in one browser, and as a whole command with its start.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import random
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict
from pathlib import Path
from tempfile import TemporaryDirectory
from unittest.mock import patch

from benchmarks.clerk import CHANGED, NOTES, Clerk, visit
from benchmarks.measure import Budget, Rounds, Row, interleave
from benchmarks.stage import SEED, ignore, parts_of
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.pool import ContextProfile
from simulator.config import Settings, load_settings
from simulator.persona import Persona
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.batch_session import BatchSession
from simulator.runner.replays.population import RecordedPopulation
from simulator.runner.replays.progress import Progress
from simulator.runner.replays.replay_run import RunReplayer
from simulator.runner.stop import Stop
from simulator.runner.surroundings.environment import profile_of
from simulator.runner.surroundings.resources import open_resources
from simulator.secrets import Vaults
from tests.fakes.messages_api import KEY, Reply, Request, call, messages_api
from tests.sites.office import Office, office

Turn = Reply | Callable[[Request], Reply]
_SETTINGS = """
[bookshop.covers]
sources = ["offline"]
[site.office]
base_url = "{url}"
routes = {{ login = "/login", register = "/register" }}
"""
_PERSONA = Persona.model_validate(
    {
        "persona": "clerk",
        "about": "Keeps notes.",
        "locale": "en_GB",
        "traits": {"typo_rate": 0.0, "skips_optional": 0.0},
        "tasks": [{"do": "Keep notes, order a lamp and track it."}],
        "limits": {"tokens": 10_000_000},
    }
)


def _turns(site: Office) -> list[Turn]:
    """Give what the model calls; the order's number and code it has read on the page."""

    def track(name: str) -> Turn:
        def reply(request: Request) -> Reply:
            number, (_, code) = next(iter(site.orders.items()))
            return call("fill", selector=name, value=number if name == "Order" else code)

        return reply

    notes = [
        turn
        for text in NOTES
        for turn in (
            call("fill", selector="Note", value=text),
            call("click", selector='role=button[name="Keep note"]'),
            call("click", selector='role=link[name="Desk"]'),
        )
    ]
    return [
        call("navigate", url="/register"),
        call(
            "fill_form",
            values={
                "Username": "{{identity.username}}",
                "Name": "{{identity.display_name}}",
                "E-mail": "{{identity.email}}",
                "Password": "{{secret.password}}",
            },
        ),
        call("click", selector='role=button[name="Create account"]'),
        call("fill_form", values={"Username": "{{identity.username}}", "Password": "{{secret.password}}"}),
        call("click", selector='role=button[name="Log in"]'),
        *notes,
        call("click", selector=f'role=link[name="{NOTES[0]}"]'),
        call("fill", selector="Text", value=CHANGED),
        call("click", selector='role=button[name="Change"]'),
        call("click", selector='role=link[name="Desk"]'),
        call("click", selector='role=button[name="Order a lamp"]'),
        call("click", selector='role=link[name="Track an order"]'),
        track("Order"),
        track("Code"),
        call("click", selector='role=button[name="Track"]'),
        call("complete", result="Done."),
    ]


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: in turns, the office emptied before each."""
    with served("foreign-") as (site, settings, folder):
        source = await recorded(site, settings, folder / "recorded.db")
        by_us, by_hand = await _visits(rounds, site, settings, source)
        command, script = await _commands(rounds, site, source)
    what, alternative = "strict replay of a clerk", "an expert's script"
    return [
        Row("foreign", what, alternative, "ms", by_us, by_hand, Budget(1.15)),
        Row("foreign command", f"{what}: whole", f"{alternative}: whole", "ms", command, script, Budget(1.20)),
    ]


@contextmanager
def served(prefix: str) -> Iterator[tuple[Office, Settings, Path]]:
    """Serve an office, and give it with the settings that name it and the folder that they stand in.

    Args:
        prefix: of the folder's name.
    """
    with office() as site, TemporaryDirectory(prefix=prefix, ignore_cleanup_errors=True) as made:
        site.lists = True
        file = Path(made) / "sim.toml"
        file.write_text(_SETTINGS.format(url=site.url), "utf-8")
        yield site, load_settings(file), Path(made)


def emptied(site: Office) -> None:
    """Empty the office; numbers begin anew."""
    site.forget()
    site.numbers, site.drawn = itertools.count(48_213, 17), random.Random(7)


async def recorded(site: Office, settings: Settings, path: Path) -> Path:
    """Record the clerk through a scripted model's loop.

    Args:
        site: the office, emptied.
        settings: name it.
        path: of the recording.

    Returns:
        The same.

    Raises:
        RuntimeError: the clerk did not do everything.
    """
    options = RunOptions(
        settings=settings, site=settings.site("office"), personas=(_PERSONA,), count=1, seed=SEED, agent="claude",
        db=path, screenshots="none",
    )  # fmt: skip
    turns = _turns(site)

    def answer(request: Request) -> Reply:
        turn = turns[request.turn]
        return turn if isinstance(turn, Reply) else turn(request)

    with messages_api(answer) as api, patch.dict(os.environ, ANTHROPIC_API_KEY=KEY, ANTHROPIC_BASE_URL=api.url):
        result = await run_batch(options, ignore, Stop())
    (run,) = result.runs
    if run.status != "passed" or not site.tracked:
        raise RuntimeError(f"the clerk could not be recorded: {run.reason or run.tasks}")
    return path


async def _visits(rounds: Rounds, site: Office, settings: Settings, source: Path) -> list[list[float]]:
    async with open_resources(settings, settings.site("office"), vaults=Vaults(), headed=False) as resources:
        async with resources.pool.context(ContextProfile()) as context:
            browser = context.browser
        assert browser is not None
        with (
            Recording.open(source) as recording,
            Recorder.open(source.with_name("visits.db"), mask=resources.vaults.mask_all) as recorder,
        ):
            parts = parts_of(recording)
            who = _clerk(recording)

            async def ours() -> float:
                emptied(site)
                batch = BatchSession(
                    recorder=recorder,
                    listener=ignore,
                    stop=Stop(),
                    sites=[resources],
                    batch_id=recorder.begin_batch(argv=(), seed=SEED, settings={}, kind="replay"),
                    seed=SEED,
                )
                replayer = RunReplayer(
                    batch=batch,
                    policy="same",
                    recording=recording,
                    resources=resources,
                    progress=Progress(),
                    others=RecordedPopulation(parts, "same").others,
                    screenshots="failures",
                )
                began = time.perf_counter()
                run = await replayer.replay(parts[0])
                taken = time.perf_counter() - began
                if run.verdict != "passed":
                    raise RuntimeError(f"the replay drifted: {run.drift.sentence if run.drift else run.verdict}")
                return taken * 1000

            async def theirs() -> float:
                emptied(site)
                began = time.perf_counter()
                await visit(browser, site.url, who)
                return (time.perf_counter() - began) * 1000

            return await interleave(rounds, ours, theirs)


async def _commands(rounds: Rounds, site: Office, source: Path) -> list[list[float]]:
    sim = str(Path(sysconfig.get_path("scripts")) / "sim")
    with Recording.open(source) as recording:
        who = json.dumps(asdict(_clerk(recording)))
    numbers = itertools.count()

    async def ours() -> float:
        emptied(site)
        return await _timed(source.parent, sim, "replay", str(source), "--db", f"commands-{next(numbers)}.db")

    async def theirs() -> float:
        emptied(site)
        command = (sys.executable, "-m", "benchmarks.clerk", site.url, str(find_executable().path), who)
        return await _timed(Path(__file__).parents[1], *command)

    return await interleave(rounds, ours, theirs)


async def _timed(folder: Path, *command: str) -> float:
    began = time.perf_counter()
    pipe = asyncio.subprocess.PIPE
    process = await asyncio.create_subprocess_exec(*command, cwd=folder, stdout=pipe, stderr=pipe)
    out, err = await process.communicate()
    taken = time.perf_counter() - began
    if process.returncode:
        raise RuntimeError(f"{command[0]} exited with {process.returncode}: {(out + err).decode()[-2000:]}")
    return taken * 1000


def _clerk(recording: Recording) -> Clerk:
    (part,) = parts_of(recording)
    who = part.identity
    seen = profile_of(who)
    size = seen.width, seen.height
    return Clerk(who.username, who.display_name, who.email, "Paper-and-ink-25", seen.locale, seen.timezone, *size)
