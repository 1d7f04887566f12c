"""A thing that is looked for, and which of what speaks of it is meant. Not responsible for: looking for it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, TypeVar

from simulator.agent.filling import Value
from simulator.agent.reading import Button, Control, Link
from simulator.agent.tool_client import TaskFailed
from simulator.agent.words import about, holds

_Found = TypeVar("_Found", Button, Control, Link)


class Sought(NamedTuple):
    """A thing that is looked for."""

    title: Value
    owners: tuple[str, ...] = ()
    """What its user is called."""
    others: tuple[str, ...] = ()
    """What other things are called that may be taken for it."""
    address: str = ""
    """Where it is, a template; empty: not known."""

    def told_by(self, texts: Sequence[str]) -> int:
        """Return whether texts that stand together speak of it, and not of another one whose title holds its own.

        Returns:
            2: one of them is its title; 1: one holds it; 0: none does.
        """
        title = self.title.text
        score = about(tuple(texts), title)
        longer = [other for other in self.others if other != title and holds(other, title)]
        return 0 if score < 2 and any(about(tuple(texts), other) for other in longer) else score


def of_each_card(found: Sequence[tuple[int, int, Link]]) -> list[tuple[int, int, Link]]:
    """Give of the links of each card that speak of a thing the first, rather one that is called just as it.

    They are of one thing, unless two are called alike: so are those of two things whose cards say the same. Of several
    that lead to one address one counts. What a thing is called comes before what can be done with it in most rows.
    """
    targets: dict[str, tuple[int, int, Link]] = {}
    for one in sorted(found, key=lambda one: one[:2], reverse=True):
        targets.setdefault(one[2].href, one)
    cards: dict[tuple[str, ...], list[tuple[int, int, Link]]] = {}
    for one in targets.values():
        cards.setdefault(one[2].card, []).append(one)

    def is_one(card: tuple[str, ...], own: Sequence[tuple[int, int, Link]]) -> bool:
        return bool(card) and len({link.name for *_, link in own}) == len(own)

    return [one for card, own in cards.items() for one in (own[:1] if is_one(card, own) else own)]


def the_one(sought: Sought, found: list[tuple[int, int, _Found]]) -> _Found | None:
    """Give the best of what speaks of a thing; of several that do so, the one beside which its user is named.

    Raises:
        TaskFailed: nothing shows which one is meant.
    """
    if not found:
        return None
    best = max((about_it, fits) for about_it, fits, _ in found)
    alike = [one for about_it, fits, one in found if (about_it, fits) == best]
    if len(alike) > 1:
        named = [one for one in alike if any(about(one.card, owner) for owner in sought.owners)]
        alike = named if len(named) == 1 else alike
    if len(alike) > 1:
        raise TaskFailed(
            f"{len(alike)} things in the list are called {sought.title.text!r}; nothing shows which one is meant"
        )
    return alike[0]
