"""Looks whether what a step made, changed or deleted is as it should be. Not responsible for: what follows from it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from simulator.browser.actor import Actor
from simulator.recording.journal import CHANGE, DEED, DELETION, MESSAGE, SAVE
from simulator.recording.rows import CreatedRow

_WORDS = {
    CHANGE: "what was changed to show",
    MESSAGE: "what was sent to show",
    SAVE: "what was saved to show",
}


class Lost(NamedTuple):
    """What was expected where something was made, and what is there instead."""

    expected: str
    found: str


async def look_for(actor: Actor, made: CreatedRow, shown: Mapping[str, str]) -> Lost | None:
    """Look for what a step made; its page is read without leaving the current one.

    Args:
        actor: the user who made it.
        made: the entry of the journal.
        shown: what the site calls a value that stands for one of its options, by the value's template.

    Returns:
        None where it is as it should be.

    Raises:
        ToolError: its page cannot be read.
    """
    address = actor.addresses.absolute(made.url)
    if made.kind == DELETION:
        there = not await actor.reader.lacks([""], made.url)
        return Lost("what was deleted to be gone", f"{address} still there") if there else None
    fields = {name: shown.get(text, text) for name, text in made.fields.items()}
    missing = await actor.reader.lacks(list(fields.values()), made.url, exact=made.kind == DEED)
    told = [f"{name} '{actor.bindings.render(text)}'" for name, text in fields.items() if text in missing]
    if made.kind == DEED:
        still = [actor.bindings.render(text) for text in fields.values() if text not in missing]
        return Lost(f"the site not to offer '{still[0]}' again", f"it still offered at {address}") if still else None
    if told:
        words = _WORDS.get(made.kind, f"the new {made.kind} to show")
        return Lost(f"{words} {', '.join(told)}", f"{address} without it")
    return None
