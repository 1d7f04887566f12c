"""What travels to a worker of a cluster, and back. No secret does: what a worker has to know of those it has itself.

Not responsible for: performing (``performing``), or sending (``spreading``).
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from simulator.browser.acting.pace import Pace
from simulator.config import Settings
from simulator.config.settings import Screenshots
from simulator.errors import UsageError
from simulator.persona import Identity, dealt_files
from simulator.runner import events
from simulator.runner.seeding.fan_out import FanOut, ranges

_MOST_PROJECT = 32 * 2**20
"""Bytes of the files of a project that travel with each cast."""
CONNECTING_S = 15
"""How long a scheduler may take to answer."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A cast that a worker performs.

    Attributes:
        name: by which the scheduler keeps what is recorded of it, so that the next worker knows what a dead one did.
        project: ``sim.toml`` and the files that it names, by path relative to it; empty without a ``sim.toml``.
        source: the recording that users are made of, compressed.
        batch: a recording that holds the batch alone, compressed.
        batch_id: the batch.
        site: the section of ``sim.toml``.
        base_url: the site's address, as workers reach it.
        performed: ids of the recorded runs.
        numbers: of the users.
        identities: of them, and of who stands for each recorded run, by number.
        beside: how many users other workers may let act meanwhile.
        shared: what is known of the users whom all share, by the first revision of their run.
        key: the fingerprint of the machine key; never the key.
    """

    name: str
    project: Mapping[str, bytes]
    source: bytes
    batch: bytes
    batch_id: str
    site: str
    base_url: str
    performed: tuple[str, ...]
    numbers: tuple[int, ...]
    identities: Mapping[int, dict[str, Any]]
    beside: int
    shared: Mapping[str, Mapping[str, str]]
    seed: str
    fan_out: FanOut
    mode: events.Mode
    pace: Pace
    freeze_clock: bool | None
    screenshots: Screenshots
    exchanges: str
    key: str


@dataclass(frozen=True, slots=True)
class Done:
    """What a worker came to.

    Attributes:
        recording: that holds the runs of the cast, compressed; empty where nothing was begun.
        runs: what each user came to.
        error: why the worker could not perform the cast, in a sentence; empty where it could.
        blocked: URLs that the network policy refused.
    """

    recording: bytes = b""
    runs: tuple[events.ReplayedRun, ...] = ()
    error: str = ""
    blocked: tuple[str, ...] = field(default=())


@dataclass(frozen=True, slots=True)
class Ready:
    """What a worker says of itself before it is given anything."""

    version: str
    key: str
    error: str = ""


def kept_as(batch_id: str, numbers: Iterable[int]) -> str:
    """Give the name by which the scheduler keeps what is recorded of a cast.

    Args:
        batch_id: the batch.
        numbers: of the users of the cast.
    """
    return f"sim-{batch_id}-{ranges(sorted(numbers))}"


def project_of(settings: Settings, identities: Iterable[Identity] = ()) -> dict[str, bytes]:
    """Read the files of a project that a worker needs: ``sim.toml``, its data, its packs, what users were dealt.

    Args:
        settings: of ``sim.toml``.
        identities: of the users.

    Raises:
        UsageError: they are too large to travel.
    """
    if settings.file is None:
        return {}
    root = settings.root
    paths = [settings.file]
    paths += [root / one.file for one in settings.own_data.said.values() if one.file]
    for name in settings.packs or ():
        if "/" in name or name.startswith("."):
            paths += [path for path in sorted((root / name).rglob("*")) if path.is_file()]
    paths += [folder / name for one in identities for folder, name in dealt_files(one) if folder is not None]
    found = {name: path.read_bytes() for name, path in _below(root, paths)}
    if (size := sum(map(len, found.values()))) > _MOST_PROJECT:
        raise UsageError(
            f"the files of the project have {size / 2**20:.0f} MB, which is too much to send with each cast"
        )
    return found


def _below(root: Path, paths: Iterable[Path]) -> Iterator[tuple[str, Path]]:
    for path in dict.fromkeys(paths):
        resolved = path.resolve()
        if resolved.is_relative_to(root.resolve()) and resolved.is_file():
            yield resolved.relative_to(root.resolve()).as_posix(), resolved


def write_project(files: Mapping[str, bytes], folder: Path) -> None:
    """Write the files of a project into a folder.

    Raises:
        UsageError: one of them would stand outside of it.
    """
    for name, data in files.items():
        path = (folder / name).resolve()
        if not path.is_relative_to(folder.resolve()):
            raise UsageError(f"a file of the project would be written outside of its folder: {name}")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(data)


def packed(data: bytes) -> bytes:
    """Compress what travels."""
    return zlib.compress(data, 3)


def unpacked(data: bytes) -> bytes:
    """Give what travelled as it was."""
    return zlib.decompress(data)
