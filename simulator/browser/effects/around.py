"""What a site shows around its pages, such as a menu of categories: it says nothing of what was put into a thing.

Pure functions over what the page script tells. Not responsible for: asking pages, or what they were like before.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from simulator.browser.effects.inputs import UserInput
from simulator.browser.effects.met import Met
from simulator.browser.effects.places import Thing
from simulator.browser.effects.spots import Reading
from simulator.canonical import url_shape

_NOWHERE = ""
"""An address that ties no place to a thing."""


def without_surroundings(reading: Reading, one: UserInput, thing: Thing, before: Iterable[Met]) -> Reading:
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
    anywhere = replace(reading, url=_NOWHERE)
    gone = {spot for spot in around if not thing.ties(spot, anywhere, one)}
    return replace(reading, spots=tuple(spot for spot in reading.spots if spot not in gone))


def _kind_of(url: str) -> str:
    return url_shape(url).partition("?")[0]
