"""The same as ``sim personas run`` and ``sim replay``, for Python: each call runs to its end and gives its result.

Not responsible for: either of them, or reporting progress. ``import simulator`` loads none of this until one
of its names is asked for.
"""

from __future__ import annotations

import asyncio
import os
import secrets
from collections.abc import Callable, Coroutine, Sequence
from pathlib import Path
from typing import Any, Literal, TypeVar

from simulator.agent.models.choose import choose_agent
from simulator.config import Settings, Site, load_settings
from simulator.errors import SimulatorError, UsageError
from simulator.persona import load_personas, select_personas, starter_personas
from simulator.recording.reader import Recording
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.events import BatchResult, ReplayResult
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop

__all__ = ["BatchResult", "Recording", "ReplayResult", "SimulatorError", "record_runs", "replay_runs"]
T = TypeVar("T")


def record_runs(
    personas: str | Sequence[str],
    *,
    db: str | Path | None = None,
    folder: str | Path | None = None,
    site: str | None = None,
    base_url: str | None = None,
    count: int = 1,
    seed: str | None = None,
    agent: str = "auto",
    model: str = "",
) -> BatchResult:
    """Let users act on a site, and record what they do, as ``sim personas run`` does.

    Args:
        personas: names of personas; of several, users are drawn by weight.
        db: the recording that gets the runs; None: the one that ``sim.toml`` names.
        folder: of persona files; None: ``personas`` beside ``sim.toml``, else those that come along.
        site: the section of ``sim.toml``; None: its usual one.
        base_url: where the site is; None: where its section says.
        count: users.
        seed: what the users are drawn from; None: a random one, which the result holds.
        agent: ``claude``, ``openai``, ``autopilot``, or ``auto``: the model whose key is set, else the autopilot.
        model: which model the agent asks; empty: its usual one.

    Returns:
        What came of each user's run. A run that failed stands in it, and raises nothing.

    Raises:
        SimulatorError: the batch could not start or go on, or an argument is wrong.
    """
    settings = load_settings()
    names = [personas] if isinstance(personas, str) else list(personas)
    concurrency = settings.run.concurrency
    options = RunOptions(
        settings=settings,
        site=_site(settings, site, base_url),
        personas=select_personas(load_personas(_folder(settings, folder)), names),
        count=count,
        seed=seed or str(secrets.randbelow(10**9)),
        agent=choose_agent(agent, os.environ),
        model=model,
        concurrency=None if concurrency == "auto" else concurrency,
        db=Path(db) if db else settings.recording.db,
        headed=settings.browser.headed,
        screenshots=settings.run.screenshots,
        limit_minutes=settings.run.limit_minutes,
        limit_steps=settings.run.limit_steps,
        limit_tokens=settings.run.limit_tokens,
        limit_money=settings.run.limit_money,
        argv=("python", "simulator.record_runs"),
    )
    return _finish("record_runs", lambda: run_batch(options, _nobody, Stop()))


def replay_runs(
    recording: str | Path,
    runs: str | Sequence[str] = "last",
    *,
    identity: Literal["same", "fresh", "reuse"] = "same",
    mode: Literal["strict", "heal"] = "strict",
    db: str | Path | None = None,
    site: str | None = None,
    base_url: str | None = None,
    seed: str | None = None,
    reset: bool = False,
) -> ReplayResult:
    """Perform recorded runs again without a model, as ``sim replay`` does.

    Args:
        recording: the file that holds the runs.
        runs: a run, a batch, the unique beginning of either's id, ``last`` or ``all``; or several of them.
        identity: the recorded users again, fresh ones, or the recorded ones who are there already and log in.
        mode: ``heal`` seeks by weaker evidence what strict evidence does not find.
        db: the recording that gets the replay; None: the one that ``sim.toml`` names.
        site: the section of ``sim.toml``; None: the recorded one.
        base_url: where the site is; None: where its section says.
        seed: what fresh users are drawn from; None: a random one for fresh users, else the recorded one.
        reset: whether the site is reset before.

    Returns:
        A verdict for each run, and what was proven of its writes; ``passed`` says whether all of it passed.

    Raises:
        SimulatorError: the replay could not start or go on, or an argument is wrong.
    """
    settings = load_settings()
    concurrency = settings.run.concurrency
    options = ReplayOptions(
        settings=settings,
        site=settings.site(site) if site else None,
        base_url=base_url,
        source=Path(recording),
        target=runs,
        identity=identity,
        mode=mode,
        db=Path(db) if db else settings.recording.db,
        seed=seed,
        concurrency=None if concurrency == "auto" else concurrency,
        reset=reset,
        headed=settings.browser.headed,
        screenshots=settings.run.screenshots,
        argv=("python", "simulator.replay_runs"),
    )
    return _finish("replay_runs", lambda: replay(options, _nobody, Stop()))


def _site(settings: Settings, name: str | None, base_url: str | None) -> Site:
    chosen = settings.site(name)
    return chosen.with_base_url(base_url) if base_url else chosen


def _folder(settings: Settings, given: str | Path | None) -> Path:
    own = settings.root / "personas"
    return Path(given) if given else own if own.is_dir() else starter_personas()


def _nobody(event: object) -> None:
    """Listen to what happens, for a caller who waits for the result."""


def _finish(name: str, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
    """Run to the end in an event loop of its own."""
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return asyncio.run(work())
    raise UsageError(f"simulator.{name} waits for its end, and an event loop runs here: await asyncio.to_thread(...)")
