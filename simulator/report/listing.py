"""Lists of personas, people and tools for a terminal. Not responsible for: anything about one of them in full."""

from __future__ import annotations

from collections.abc import Iterable

from simulator.persona import Identity, Persona
from simulator.report.columns import columns
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
    """Give a heading, and for each of the people a line with their books below it."""
    first = people[0]
    lines = [f"{counted(len(people), 'user')} of {first.persona} with seed {first.seed}"]
    for one in people:
        lines += ["", f"{one.number}. {one.display_name}, {one.city} ({one.locale}, {one.timezone})"]
        lines.append(f"   {one.username} <{one.email}>")
        rows = [(book.title, book.author, str(book.year), book.condition, book.price) for book in one.books]
        lines += columns(rows, right=(2, 4), width=width, indent="     ")
    return lines


def tool_lines(offers: Iterable[Offer], width: int | None) -> list[str]:
    """Give a line for each tool."""
    rows = [("tool", "toolset", "category", "safety", "what it does")]
    rows += [
        (spec.name, ", ".join(toolsets), spec.category, spec.safety, spec.description.splitlines()[0])
        for spec, toolsets in offers
    ]
    return columns(rows, width=width)
