"""What says nothing of what was put into a thing, and what its order says.

Nothing is said by what a site shows around its pages, such as a menu of categories, nor, of a value that many things
have, by what stands on the page of another one.

Pure functions over what the page script reports. Not responsible for: asking pages, or what they were like before.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.met import Met
from simulator.browser.effects.places import Thing
from simulator.browser.effects.pressed import generated_parts
from simulator.browser.effects.spots import Reading, Spot, is_whole
from simulator.browser.effects.user_input import UserInput
from simulator.canonical import is_generated, url_shape
from simulator.meaning import find_in, is_telling

NOWHERE = ""
"""An address that ties no place to a thing."""


def own_of(reading: Reading, one: UserInput, thing: Thing, before: Sequence[Met]) -> Reading:
    """Give what a document shows that may be of the thing that an input went into.

    What was chosen, and what is short, many things have: on the page of another one, or in its card, only a place
    counts that is tied.

    Args:
        reading: of the document.
        one: the input that is looked for.
        thing: what it went into.
        before: the documents that the user had met before it was sent.
    """
    common = one.kind in ("choice", "tick") or not any(map(is_telling, one.spellings))
    if common:
        strange = _is_of_another(reading.url, thing, before)
        others = {number for number in range(len(reading.cards)) if _is_card_of_another(number, reading, one, thing)}
        left = (
            spot for spot in reading.spots if not (strange or spot.card in others) or thing.ties(spot, reading, one)
        )
        reading = replace(reading, spots=tuple(left))
    return without_surroundings(reading, one, thing, before)


def _is_of_another(url: str, thing: Thing, before: Sequence[Met]) -> bool:
    """Return whether a page is of another thing: one of the same kind as the page that sent it, or an older one."""
    own = generated_in(thing.sent_from)
    ids = generated_in(url) - own - thing.names
    if not ids or not thing.sent_from or not thing.names.isdisjoint(generated_in(url)):
        return False
    known = {part for met in before for part in generated_parts(met.tokens)}
    return ids <= known or (bool(own) and _kind_of(url) == _kind_of(thing.sent_from))


def _is_card_of_another(number: int, reading: Reading, one: UserInput, thing: Thing) -> bool:
    """Return whether a card, or one around it, has an id, and says nothing else of the write."""
    beside = [text for text in thing.others if text not in one.spellings and is_telling(text)]
    while number >= 0:
        card = reading.cards[number]
        if any(generated_in(key) or is_generated(key) for key in card.keys):
            return not any(find_in(text, card.text) for text in beside)
        number = card.outer
    return False


def without_surroundings(reading: Reading, one: UserInput, thing: Thing, before: Sequence[Met]) -> Reading:
    """Give what a document shows without what stood before the write in the same place of a page of another kind.

    A page of the same kind may be that of another thing which is alike. A place that is tied to the thing by more than
    the address of its document, as by its card, stays.

    Args:
        reading: of the document.
        one: the input that is looked for.
        thing: what it went into.
        before: the documents that the user had met before it was sent.
    """
    kind = _kind_of(reading.url)
    known = frozenset[int]().union(*(met.stands for met in before if _kind_of(met.url) != kind)) - {0}
    around = [spot for spot in reading.spots if spot.stands in known and spot.kind == "text"]
    if not around:
        return reading
    anywhere = replace(reading, url=NOWHERE)
    gone = {spot for spot in around if not thing.ties(spot, anywhere, one)}
    return replace(reading, spots=tuple(spot for spot in reading.spots if spot not in gone))


def _kind_of(url: str) -> str:
    return url_shape(url).partition("?")[0]


def order_in(spot: Spot, one: UserInput, inputs: Iterable[UserInput]) -> str:
    """Give which of the texts of one write an input is in a line that says several of them, as ``0/2``; else nothing.

    A line says a title and an address one behind the other, and calls neither: where they are exchanged, it says both.

    Args:
        spot: the line.
        one: the input.
        inputs: of the write.
    """
    others = [each for each in inputs if each.kind == "text" and set(each.names).isdisjoint(one.names)]

    def place(each: UserInput) -> int:
        found = (at for at, text in enumerate(spot.parts) if is_telling(text) and is_whole(each.spellings, text))
        return next(found, -1)

    own, places = place(one), [at for at in map(place, others) if at >= 0]
    if own < 0 or not places or own in places:
        return ""
    return f"{sum(at < own for at in places)}/{len(places) + 1}"
