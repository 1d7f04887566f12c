"""How a control or a card stands, compared with how a recording saw it stand, and told to a person.

Pure functions. Not responsible for: looking at it (``seen_again``).
"""

from __future__ import annotations

from simulator.browser.effects.model import Effect
from simulator.recording.rows import EffectRow


def shows_so(seen: Effect, effect: EffectRow) -> bool:
    """Return whether a control stands as it did, or a card says one of the words that had come to it."""
    if effect.is_of_card:
        return seen.place.by == "card" and not {*seen.shows.split("\n")}.isdisjoint(effect.shows.split("\n"))
    return _switched(seen.shows) == _switched(effect.shows)


def quoted(lines: str) -> str:
    """Write the lines of what a card says for a person, each in quotes."""
    return ", ".join(f"'{one}'" for one in lines.split("\n"))


def _switched(words: str) -> str:
    """Give what of a control is switched on, without what it is called: that may hold what another user chose.

    A control that cannot be used for a moment is switched neither on nor off.
    """
    states = words.rpartition("'")[2].split() if "'" in words else [words]
    return " ".join(one for one in states if one != "disabled")
