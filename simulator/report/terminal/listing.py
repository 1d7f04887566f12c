"""Lists of personas, people and tools for a terminal. Not responsible for: anything about one of them in full."""

from __future__ import annotations

from collections.abc import Iterable

from simulator.domain import data_sets
from simulator.persona import Identity, Persona
from simulator.report.terminal.columns import columns
from simulator.report.wording import counted
from simulator.tools.toolsets import Offer


def persona_lines(personas: Iterable[Persona], width: int | None) -> list[str]:
    """Give a line for each persona.

    Args:
        personas: in the order to show.
        width: cells of the terminal; None cuts nothing.
    """
    rows = [("persona", "locale", "weight", "tasks", "about")]
    rows += [
        (persona.persona, persona.locale, f"{persona.weight:g}", str(len(persona.tasks)), persona.about)
        for persona in personas
    ]
    return columns(rows, right=(2, 3), width=width)


def identity_lines(people: list[Identity], width: int | None) -> list[str]:
    """Give a heading, and for each of the people a line with what they were dealt below it."""
    first = people[0]
    lines = [f"{counted(len(people), 'user')} of {first.persona} with seed {first.seed}"]
    for one in people:
        lines += ["", f"{one.number}. {one.display_name}, {one.city} ({one.locale}, {one.timezone})"]
        lines.append(f"   {one.username} <{one.email}>")
        for data in (data for data in data_sets().values() if data.listed and one.rows(data.name)):
            rows = [[str(row.values().get(name, "")) for name in data.listed] for row in one.rows(data.name)]
            right = [place for place, column in enumerate(zip(*rows, strict=True)) if all(map(_is_number, column))]
            lines += columns(rows, right=right, width=width, indent="     ")
    return lines


def _is_number(text: str) -> bool:
    return text.replace(".", "", 1).isdigit()


def tool_lines(offers: Iterable[Offer], width: int | None) -> list[str]:
    """Give a line for each tool."""
    rows = [("tool", "toolset", "category", "safety", "what it does")]
    rows += [
        (spec.name, ", ".join(toolsets), spec.category, spec.safety, spec.description.splitlines()[0])
        for spec, toolsets in offers
    ]
    return columns(rows, width=width)
