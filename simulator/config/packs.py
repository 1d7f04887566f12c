"""What packs add to ``sim.toml``: sections of their own, and names of routes.

Not responsible for: loading packs, or where in the file a mistake is.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from difflib import get_close_matches
from typing import Any, NamedTuple

from pydantic import BaseModel, ValidationError

from simulator.config.settings import Settings
from simulator.config.site import ROUTES, Site
from simulator.domain import Named, Pack, broken_of, offered, packs_of
from simulator.template import wrong_set

Path = tuple[str, ...]
_BRACES = re.compile(r"\{[^}]*\}?")
_ALIKE = 0.8
"""How much a name of a route has to be like a known one to be a slip of it (``difflib``): one letter of five is."""


class Mistake(NamedTuple):
    """Something that packs do not take."""

    path: Path
    of_key: bool
    said: str


class Section(NamedTuple):
    """The section of a pack, as it stands in the file."""

    path: Path
    pack: Pack
    raw: Any


class WrongSection(NamedTuple):
    """A section that its pack does not take."""

    section: Section
    error: ValidationError


class Taken(NamedTuple):
    """The sections of packs, taken out of what else was read."""

    sections: tuple[Section, ...]
    mistakes: tuple[Mistake, ...]


def take_sections(data: dict[str, Any], named: Named, bundled: Path | None = None) -> Taken:
    """Take the sections of packs out of what was read; what remains is the program's own.

    Packs are loaded only where a key stands there that the program does not know.

    Args:
        data: the whole file; changed.
        named: the packs that it names.
        bundled: the path of what the file does not say itself: there a section of a pack that is not there is left out.
    """
    sections: list[Section] = []
    mistakes: list[Mistake] = []
    for table, path in list(_strange(data)):
        key = path[-1]
        if named.names is not None and key not in named.names and key in offered():
            del table[key]  # switching a pack off leaves the rest of the file as it is
            continue
        pack = next((one for one in packs_of(named) if one.name == key and one.settings), None)
        moved = _moved(path, packs_of(named))
        if pack is not None:
            sections.append(Section(path, pack, table.pop(key)))
        elif moved:
            del table[key]
            mistakes.append(Mistake(path, True, f"has moved; write {moved}"))
        elif path[:2] == bundled or key in {one.name for one in broken_of(named)}:
            del table[key]
    return Taken(tuple(sections), tuple(mistakes))


def _strange(data: dict[str, Any]) -> Iterator[tuple[dict[str, Any], Path]]:
    """Give the keys that the program itself does not know, each with the table that it stands in."""
    own = {field.alias or name for name, field in Settings.model_fields.items()}
    yield from ((data, (key,)) for key in data if key not in own)
    sites = data.get("site")
    for name, site in sites.items() if isinstance(sites, dict) else ():
        if isinstance(site, dict):
            yield from ((site, ("site", name, key)) for key in site if key not in Site.model_fields)


def _moved(path: Path, packs: Iterable[Pack]) -> str:
    """Say where a key stands now; empty where it never was one."""
    site = path[1] if len(path) > 1 else ""
    old = ".".join(("site", "*", *path[2:]) if site else path)
    return next((pack.moved[old].replace("*", site) for pack in packs if old in pack.moved), "")


def read_sections(
    sections: Iterable[Section], sites: Iterable[str], context: Mapping[str, Any]
) -> tuple[Mapping[str, Mapping[str, BaseModel]], list[WrongSection]]:
    """Check the sections of packs by their own models.

    Args:
        sections: as they stand in the file.
        sites: all sites by name.
        context: of the check, as of the whole file.

    Returns:
        What holds on each site, by the pack: its general section with what the site's own says otherwise. And what is
        wrong with them.
    """
    given = list(sections)
    wrong: list[WrongSection] = []
    read: dict[str, dict[str, BaseModel]] = {site: {} for site in sites}
    general = {one.pack.name: one for one in given if len(one.path) == 1}
    for one in general.values():
        if (found := _read(one, context, wrong)) is not None:
            for site in read:
                read[site][one.pack.name] = found
    bad = {one.section.pack.name for one in wrong}
    for one in given:
        if len(one.path) > 1 and one.pack.name not in bad:
            base = general[one.pack.name].raw if one.pack.name in general else {}
            found = _read(one._replace(raw=_over(base, one.raw)), context, wrong)
            if found is not None and one.path[1] in read:
                read[one.path[1]][one.pack.name] = found
    return read, wrong


def _read(section: Section, context: Mapping[str, Any], wrong: list[WrongSection]) -> BaseModel | None:
    assert section.pack.settings is not None
    try:
        return section.pack.settings.model_validate_json(
            json.dumps(section.raw, default=str), strict=True, context=dict(context)
        )
    except ValidationError as error:
        wrong.append(WrongSection(section, error))
        return None


def _over(base: Any, own: Any) -> Any:
    """Lay one table over another, and the tables in it over those in the other."""
    if not isinstance(base, dict) or not isinstance(own, dict):
        return own
    return base | {key: _over(base.get(key), value) for key, value in own.items()}


def data_mistakes(own: Iterable[str], named: Named) -> Iterator[Mistake]:
    """Find data sets that are called as one of the packs that the file names, or as no data set can be.

    Args:
        own: the data sets of the file.
        named: the packs that it names.
    """
    own = list(own)
    of_packs = {one.key: pack.name for pack in packs_of(named) for one in pack.data} if own else {}
    for key in own:
        if key in of_packs:
            yield Mistake(
                ("data", key),
                True,
                f"the pack '{of_packs[key]}' has data of this name; call it otherwise, or leave the "
                "pack out of 'packs'",
            )
        elif said := wrong_set(key, [*own, *of_packs]):
            yield Mistake(("data", key), True, said)


def thing_mistakes(name: str, site: Mapping[str, Any], named: Named, own: Iterable[str]) -> Iterator[Mistake]:
    """Find the data of things that is nearly the name of a data set of the file, or of the packs that it names: a slip.

    Args:
        name: of the site.
        site: its section, as it was read.
        named: the packs that the file names.
        own: the data sets of the file.
    """
    things = site.get("things")
    for thing, said in things.items() if isinstance(things, dict) else ():
        message = said.get("message") if isinstance(said, dict) else None
        for table, path in ((said, ()), (message, ("message",))):
            data = table.get("data") if isinstance(table, dict) else None
            known = [*own, *(one.key for pack in packs_of(named) for one in pack.data)] if isinstance(data, str) else []
            near = get_close_matches(data or "", known, n=1, cutoff=_ALIKE)
            if near and data not in known:
                hint = f"there is no data set '{data}'; did you mean '{near[0]}'?"
                yield Mistake(("site", name, "things", thing, *path, "data"), False, hint)


def route_mistakes(name: str, site: Mapping[str, Any], named: Named) -> Iterator[Mistake]:
    """Find what is wrong with the names of a site's routes, and with what is to be filled in there.

    A site may name routes of its own, which models are given; one that is nearly the name of another is a slip.

    Args:
        name: of the site.
        site: its section, as it was read.
        named: the packs that the file names.
    """
    routes = site.get("routes")
    given = {key: path for key, path in routes.items() if isinstance(path, str)} if isinstance(routes, dict) else {}
    packs = packs_of(named) if given.keys() - {*ROUTES} else ()
    held = dict.fromkeys(ROUTES, "") | {word: "" for pack in packs for word in pack.words()}
    held |= {route: filled for pack in packs for route, filled in pack.routes.items()}
    words = site.get("words")
    known = [*held, *(words if isinstance(words, dict) else ())]
    for route, path in given.items():
        place = ("site", name, "routes", route)
        near = get_close_matches(route, known, n=1, cutoff=_ALIKE)
        if route not in known and near:
            yield Mistake(place, True, f"unknown key; did you mean '{near[0]}'?")
        for found in _BRACES.findall(path) if route in held else ():
            if found != held[route]:
                yield Mistake(place, False, f"expected {held[route] or 'no braces'} in the route, found '{found}'")
