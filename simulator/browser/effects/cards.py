"""The card of a new thing in a list: it was not there before, shows what was put in, and has an id of its own.

Pure functions over what the page script tells. Not responsible for: what follows once the thing is known by it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Sequence

from simulator.addresses import urlsplit
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.met import MOST_TOKENS, Met
from simulator.browser.effects.pressed import generated_parts
from simulator.browser.effects.spots import Card, Reading, Spot
from simulator.canonical import is_generated, url_shape

_NUMBERED = re.compile(r"^([^\W\d][^\d]*?)(\d+)$")
"""What elements are called by the number of a thing: ``comment-41``, ``row41``."""


def ids_of_new(reading: Reading, shown: Iterable[Spot], before: Sequence[Met]) -> frozenset[str]:
    """Give what the site calls the only card that is new and shows some texts; nothing where none is, or several are.

    New is a card of which an id was on no page before, where pages like it were seen: without that it may be an older
    one of the same words. Its siblings tell which of the numbers in it are ids: what is another one each time that a
    page is drawn was not there before in any of them.

    Args:
        reading: of the document.
        shown: its places that show what was put in.
        before: the documents that the user had met before.
    """
    path = urlsplit(reading.url).path
    if not any(met.path == path for met in before) or any(len(met.tokens) >= MOST_TOKENS for met in before):
        return frozenset()
    known = {part for met in before for part in generated_parts(met.tokens)}
    known |= {number for met in before for one in met.ids for number in _numbers(one)}
    found = {number for spot in shown if (number := _card_of(spot, reading)) >= 0}
    new = [ids for number in found if (ids := _new_ids(number, reading, known))]
    return frozenset(new[0]) if len(new) == 1 else frozenset()


def _card_of(spot: Spot, reading: Reading) -> int:
    """Give the innermost card around a place that has an id at all; -1 for none."""
    number = spot.card
    while number >= 0 and not _ids(reading.cards[number]):
        number = reading.cards[number].outer
    return number


def _new_ids(number: int, reading: Reading, known: Collection[str]) -> set[str]:
    """Give the ids of a card that no page had shown, by places at which its siblings have ids that some had."""
    card = reading.cards[number]
    beside = [_ids(one) for place, one in enumerate(reading.cards) if place != number and one.outer == card.outer]
    new: set[str] = set()
    for where, ids in _ids(card).items():
        others = [one[where] for one in beside if where in one]
        lasting = not others or any(not one.isdisjoint(known) for one in others)
        if lasting and ids.isdisjoint(known) and all(ids.isdisjoint(one) for one in others):
            new |= ids
    return new


def _ids(card: Card) -> dict[str, set[str]]:
    """Give the ids that a card holds, by where each of them stands: in which kind of address, or under which name."""
    found: dict[str, set[str]] = {}
    for key in card.keys:
        if "/" in key or "?" in key:
            parts = urlsplit(key)
            ids = generated_in(parts.path) or generated_in(f"?{parts.query}")
            where = url_shape(key).partition("?")[0]
        elif numbered := _NUMBERED.fullmatch(key):
            where, ids = numbered.group(1), frozenset((numbered.group(2),))
        else:
            where, ids = "", frozenset((key,) if is_generated(key) else ())
        if ids:
            found.setdefault(where, set()).update(ids)
    return found


def _numbers(called: str) -> set[str]:
    numbered = _NUMBERED.fullmatch(called)
    return {called, numbered.group(2)} if numbered else {called}
