"""Packs for a terminal, and what is wrong with one. Not responsible for: loading them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

from simulator.domain import Found, Pack
from simulator.domain.loading import UnusablePack, load_pack
from simulator.persona import check_persona, draw_identity, persona_files
from simulator.persona.tasks import parameters_schema
from simulator.report.terminal.columns import columns
from simulator.tools.registry import Registry


def pack_rows(packs: Iterable[Found]) -> list[dict[str, Any]]:
    """Give what is shown of packs, as values."""
    return [
        {
            "name": one.name,
            "used": one.used,
            "version": one.pack.version if one.pack else None,
            "api": one.pack.api if one.pack else None,
            "tasks": [kind.named() for kind in one.pack.tasks] if one.pack else [],
            "about": one.pack.about if one.pack else "",
            "reason": one.reason,
        }
        for one in packs
    ]


def pack_lines(packs: Iterable[Found], width: int | None) -> list[str]:
    """Give a line for each pack."""
    rows = [("pack", "version", "in use", "what it is for")]
    for one in packs:
        used = "broken" if one.reason else "yes" if one.used else "no"
        about = one.pack.about if one.pack else one.reason
        rows.append((one.name, one.pack.version if one.pack else "-", used, about or "-"))
    return columns(rows, width=width)


def problems_of(name: str) -> list[str]:
    """Load a pack, and say what is wrong with it; nothing where all is well."""
    try:
        return list(problems_in(load_pack(name)))
    except UnusablePack as why:
        return list(why.reasons)


def problems_in(pack: Pack) -> Iterator[str]:
    """Say what is wrong with a pack that is loaded."""
    performers = pack.performers()
    names = [kind.named() for kind in pack.tasks]
    for name in sorted({name for name in names if names.count(name) > 1}):
        yield f"it has the task '{name}' twice"
    for kind in pack.tasks:
        if kind not in performers:
            yield f"nothing says how '{kind.named()}' is done: 'performers' lacks {kind.__name__}"
        if not kind.__doc__:
            yield f"the task '{kind.named()}' has no docstring: a model reads there what it is"
        parameters_schema(kind)
    for kind in performers:
        if kind not in pack.tasks:
            yield f"'performers' has {kind.__name__}, which is not among its tasks"
    for thing in pack.things:
        if thing.made_by and thing.made_by not in names:
            yield f"the thing '{thing.name}' is made by '{thing.made_by}', which is none of its tasks"
    for tools in pack.toolsets().values():
        try:
            Registry(tools)
        except (TypeError, ValueError) as error:
            yield str(error)
    pack.words()
    yield from _starters(pack)


def _starters(pack: Pack) -> Iterator[str]:
    """Find what is wrong with the personas that it brings, and with the rows that it deals to their users."""
    if pack.starters is None:
        return
    for path in persona_files(pack.starters()):
        checked = check_persona(path)
        yield from map(str, checked.problems)
        if checked.persona is None:
            continue
        identity = draw_identity(checked.persona, seed=1, number=1)
        for data in pack.data:
            for row in identity.rows(data.name):
                lacking = {*data.told, *data.listed} - row.values().keys()
                if lacking:
                    yield f"a row of '{data.name}' has no {', '.join(sorted(lacking))}"
