"""Which packs are named. Not responsible for: what a pack is, or loading one.

Personas are read in many places, and their tasks are those of the packs in use: it holds for the process.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple, Protocol

from simulator.text_file import UnreadableFile, read_text

SIZE_LIMIT = 1 << 20


class Sections(Protocol):
    """The data sets that settings describe, read when they are first asked for."""

    def read(self) -> Mapping[str, Any]:
        """Give them by key.

        Raises:
            ConfigError: one of them cannot be used.
        """
        ...


class Named(NamedTuple):
    """The packs that settings name, and the project's own data."""

    names: tuple[str, ...] | None
    """None: those that come with the program."""
    root: Path
    """The folder that those are relative to which are folders."""
    own: Sections | None = None
    """The data sets of the project itself."""


class _InUse:
    named: Named | None = None


def name_packs(named: Named) -> None:
    """Say which packs are in use from now on."""
    _InUse.named = named


@contextmanager
def as_named(named: Named | None = None) -> Iterator[None]:
    """Have packs in use for a while; afterwards those are that were before.

    Args:
        named: the packs; None: those that are in use already, until settings name others.
    """
    before = _InUse.named
    try:
        _InUse.named = named or before
        yield
    finally:
        _InUse.named = before


def named_packs() -> Named:
    """Give the packs that the settings name which were read last.

    Where none were read yet, the ``sim.toml`` of the working folder says it.
    """
    if _InUse.named is None:
        file = nearest_file(Path.cwd())
        _InUse.named = Named(read_packs(file), file.parent if file else Path.cwd())
    return _InUse.named


def nearest_file(folder: Path) -> Path | None:
    """Give the nearest ``sim.toml`` in a folder or above."""
    files = (parent / "sim.toml" for parent in (folder, *folder.parents))
    return next((file for file in files if file.is_file()), None)


def read_packs(file: Path | None) -> tuple[str, ...] | None:
    """Read which packs a file names; a file with mistakes names none: whoever reads it whole reports them."""
    try:
        data: dict[str, Any] = tomllib.loads(read_text(file, SIZE_LIMIT)) if file else {}
    except (UnreadableFile, ValueError, RecursionError):
        return None
    names = data.get("packs")
    if isinstance(names, list) and all(isinstance(name, str) for name in names):
        return tuple(names)
    return None
