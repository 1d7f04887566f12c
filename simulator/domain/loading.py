"""Packs by name: which are installed, which are in use, and loading them. Not responsible for: what is in one.

A package offers a pack in its own ``pyproject.toml``::

    [project.entry-points."simulator.packs"]
    helpdesk = "helpdesk_pack:PACK"

A pack without Python is a folder, which ``sim.toml`` names by its path.

Only packs that ``sim.toml`` names are loaded, or, where it names none, those that come with the program; neither a
persona nor a recording has any loaded.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from pathlib import Path
from typing import Final, NamedTuple

from simulator.domain.folder import WrongFolder, load_folder
from simulator.domain.naming import Named, as_named, named_packs
from simulator.domain.pack import API_LEVEL, DataSet, Pack
from simulator.domain.things import Thing
from simulator.row_fields import FORMERLY, RowFields

GROUP: Final = "simulator.packs"
_log = logging.getLogger(__name__)
_given: dict[str, Pack] = {}
"""Packs that are there without being installed, by name."""


class Broken(NamedTuple):
    """A pack that is switched off."""

    name: str
    reason: str


class Found(NamedTuple):
    """A pack that is installed or named."""

    name: str
    used: bool
    pack: Pack | None
    """None where it is not in use, or is broken."""
    reason: str = ""
    """Why it is switched off."""


def offered() -> dict[str, EntryPoint]:
    """Give the packs that are installed, by name, none of them loaded."""
    return {entry.name: entry for entry in entry_points(group=GROUP)}


@contextmanager
def given(*packs: Pack, use: tuple[str, ...] | None = None) -> Iterator[None]:
    """Have packs found by their names that are not installed, such as in a test of one.

    Args:
        packs: the packs.
        use: the names of the packs in use meanwhile; None: those that settings name.
    """
    before = dict(_given)
    _given.update({pack.name: pack for pack in packs})
    _load_all.cache_clear()
    try:
        with as_named(None if use is None else Named(use, Path.cwd())):
            yield
    finally:
        _given.clear()
        _given.update(before)
        _load_all.cache_clear()


def packs_in_use() -> tuple[Pack, ...]:
    """Give the packs in use, in the order in which they are named; they are loaded once."""
    return packs_of(named_packs())


def packs_of(named: Named) -> tuple[Pack, ...]:
    """Give the packs that settings name; they are loaded once."""
    return _loaded(named)[0]


def broken_of(named: Named) -> tuple[Broken, ...]:
    """Give those of the packs that settings name which are switched off."""
    return _loaded(named)[1]


def packs_loaded() -> tuple[Pack, ...]:
    """Give the packs in use where one was asked for so far: a replay of the same users needs none."""
    return packs_in_use() if _load_all.cache_info().currsize else ()


def find_packs() -> list[Found]:
    """Give all packs that are installed or named; those in use are loaded."""
    packs, broken = _loaded(named_packs())
    found = {pack.name: Found(pack.name, True, pack) for pack in packs}
    found |= {one.name: Found(one.name, True, None, one.reason) for one in broken}
    return [*found.values(), *(Found(name, False, None) for name in offered() if name not in found)]


def thing_of(task_type: str) -> Thing:
    """Give what a task makes."""
    own = task_type.rpartition(".")[2]
    return next((thing for thing in things() if thing.made_by == own), Thing(name=own, made_by=task_type))


def things() -> tuple[Thing, ...]:
    """Give the things of the packs in use."""
    return tuple(thing for pack in packs_in_use() for thing in pack.things)


def naming_now() -> dict[str, RowFields]:
    """Give which fields name a row of each data set in use, as far as anything says so.

    A data set says it itself; else the first field of the thing that is made of it names a row.
    """
    firsts = {thing.data: thing.columns[0] for thing in things() if thing.fields}
    said = {one.name: one.fields or FORMERLY.led_by(firsts.get(key, "")) for key, one in data_sets().items()}
    return {name: fields for name, fields in said.items() if fields is not None}


def data_sets() -> dict[str, DataSet]:
    """Give the data sets of the packs in use and of the project, by the key under which they are stored with a user.

    Raises:
        ConfigError: one of the project's cannot be used.
    """
    packs = packs_in_use()
    own = named_packs().own
    return {one.key: one for pack in packs for one in pack.data} | dict(own.read() if own else {})


def _loaded(named: Named) -> tuple[tuple[Pack, ...], tuple[Broken, ...]]:
    return _load_all(named.names, named.root)


@cache
def _load_all(names: tuple[str, ...] | None, root: Path) -> tuple[tuple[Pack, ...], tuple[Broken, ...]]:
    entries = offered()
    if names is None:
        names = tuple(name for name, entry in entries.items() if entry.value.startswith("simulator."))
    packs: list[Pack] = []
    broken: list[Broken] = []
    for name in dict.fromkeys(names):
        try:
            pack = _from_folder(root, name) if _is_folder(name) else _load(name, entries.get(name))
            _refuse_clash(pack, packs)
            packs.append(pack)
        except UnusablePack as why:
            broken.append(Broken(name, str(why)))
            _log.warning("the pack '%s' is switched off: %s", name, why)
    return tuple(packs), tuple(broken)


class UnusablePack(Exception):
    """A pack cannot be used: why, in a sentence.

    Args:
        reasons: all of it, where there is more to say than the sentence does.
    """

    def __init__(self, message: str, reasons: Sequence[str] = ()) -> None:
        super().__init__(message)
        self.reasons = tuple(reasons) or (message,)


def load_pack(name: str) -> Pack:
    """Load a pack that somebody names, in use or not.

    Args:
        name: of the pack; or a folder, relative to that of ``sim.toml``; a folder that ``sim.toml`` names is known by
            its own name, too.

    Raises:
        UnusablePack: it cannot be.
    """
    if _is_folder(name):
        return _from_folder(named_packs().root, name)
    if name not in offered():
        if (used := next((pack for pack in packs_in_use() if pack.name == name), None)) is not None:
            return used
        named = named_packs()
        for folder in filter(_is_folder, named.names or ()):
            if (named.root / folder).resolve().name == name:
                return _from_folder(named.root, folder)
    return _load(name, offered().get(name))


def _is_folder(name: str) -> bool:
    return "/" in name or name.startswith(".")


def _from_folder(root: Path, name: str) -> Pack:
    try:
        return _of_this_level(load_folder(root / name))
    except WrongFolder as error:
        reasons = [reason.removeprefix(f"{root}/") for reason in error.reasons]
        raise UnusablePack(str(error).removeprefix(f"{root}/"), reasons) from None


def _load(name: str, entry: EntryPoint | None) -> Pack:
    if name in _given:
        return _of_this_level(_given[name])
    if entry is None:
        raise UnusablePack("no installed package offers it; 'sim packs list' shows what there is")
    try:
        pack = entry.load()
    except Exception as error:
        raise UnusablePack(f"{entry.value} cannot be loaded: {type(error).__name__}: {error}") from error
    if not isinstance(pack, Pack):
        raise UnusablePack(f"{entry.value} is no Pack")
    if pack.name != name:
        raise UnusablePack(f"{entry.value} calls itself '{pack.name}'")
    return _of_this_level(pack)


def _of_this_level(pack: Pack) -> Pack:
    if pack.api != API_LEVEL:
        raise UnusablePack(f"it was written for level {pack.api} of the interface, and this program has {API_LEVEL}")
    return pack


def _refuse_clash(pack: Pack, others: list[Pack]) -> None:
    """Refuse data and tastes by names that are taken: variables of recordings could mean either."""
    if pack.name in {other.name for other in others}:
        raise UnusablePack("another pack in use has its name")
    taken = {one.name: other.name for other in others for one in other.data}
    taken |= {name: other.name for other in others if other.tastes for name in other.tastes.model_fields}
    own = [one.name for one in pack.data] + [*(pack.tastes.model_fields if pack.tastes else ())]
    for name in own:
        if name in taken:
            raise UnusablePack(f"its '{name}' is the name of one of the pack '{taken[name]}', too")
