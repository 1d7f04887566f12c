"""What is to be known of a site in order to judge replays on it, and what is done there once, to be recorded."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchmarks.sites.proxy import State
from tests.fakes.messages_api import Reply


@dataclass(frozen=True, slots=True)
class Place:
    """A site that runs."""

    url: str
    state: Callable[[], State]
    """Reads what it holds, from its own database or memory."""
    reset: Callable[[], None]
    """Throws away everything that was added."""


@dataclass(frozen=True, slots=True)
class Flow:
    """What is recorded on a site."""

    name: str
    """Of the site."""
    section: str
    """The keys of its section of ``sim.toml`` besides its address."""
    tasks: Sequence[Any]
    """Of the persona."""
    turns: Sequence[Reply] | Callable[[], Iterator[Reply]] | None = None
    """What a scripted model does, or what gives that while it is done; None: the autopilot does the tasks."""
    environ: Mapping[str, str] = field(default_factory=dict)
    """Secrets that the section names."""
