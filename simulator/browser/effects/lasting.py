"""Which places of a site's pages are there again when their document is asked for once more.

What such a place shows is kept, on every document of the same template: it is not asked for again. And which places
have to be asked for: those that may hold what was put in. Not responsible for: asking, or what a place shows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable

from simulator.browser.effects.files import may_be_of
from simulator.browser.effects.places import Thing, look, shows
from simulator.browser.effects.spots import Reading, Spot, marked
from simulator.browser.effects.user_input import UserInput
from simulator.canonical import hash_route, url_shape

_VARIABLE = re.compile(r"\{\{[^}]*\}\}")
_BYTES = 8


class Lasting:
    """The places that one user has met.

    Args:
        template: writes an absolute address as a template.
    """

    def __init__(self, template: Callable[[str], str]) -> None:
        self._template = template
        self._lasts: set[tuple[str, str]] = set()
        self._said: set[tuple[str, str]] = set()
        """Places that held a message once: they are always asked for."""

    def trust(self, places: Iterable[tuple[str, str]]) -> None:
        """Know places that a recording says to last.

        Args:
            places: the template of each document's address, and the name of the place there.
        """
        self._lasts.update((_shape(url), name) for url, name in places)

    def take_in(self, url: str, lasting: Iterable[Spot], said: Iterable[Spot]) -> None:
        """Learn from a document that was asked for once more.

        Args:
            url: its absolute address.
            lasting: the places that were there again.
            said: those that were not.
        """
        shape = _shape(self._template(url))
        self._lasts.update((shape, _named(one)) for one in lasting)
        self._said.update((shape, _named(one)) for one in said)

    def knows(self, url: str, spot: Spot) -> bool:
        """Return whether what a place of a document shows is kept.

        Args:
            url: absolute address of the document.
            spot: the place.
        """
        return bool(self.name(url, spot))

    @staticmethod
    def called(spot: Spot) -> str:
        """Name a place, whether or not it lasts."""
        return _named(spot)

    @staticmethod
    def are_alike(one: str, other: str) -> bool:
        """Return whether the templates of two addresses are those of one kind of page."""
        return _shape(one) == _shape(other)

    def name(self, url: str, spot: Spot, order: str = "") -> str:
        """Name a place that lasts; empty where that is not known.

        Args:
            url: absolute address of the document.
            spot: the place.
            order: in which order it says the texts of a write, to stand behind its name.
        """
        key = _shape(self._template(url)), _named(spot)
        return f"{key[1]} {order}".strip() if spot.path and key in self._lasts and key not in self._said else ""


def _shape(template: str) -> str:
    """Give of which kind of page an address is; a place in a page makes it no other one."""
    page, _, place = _VARIABLE.sub("{id}", template).partition("#")
    return url_shape(f"{page}#{place}" if any(hash_route(place)) else page).partition("?")[0]


def _named(spot: Spot) -> str:
    return hashlib.blake2s(f"{spot.kind} {spot.path}".encode(), digest_size=_BYTES).hexdigest()


def holds(one: UserInput, reading: Reading, thing: Thing, *, whole: bool = False) -> bool:
    """Return whether a place that is tied to the thing holds an input at all, however short it is, or may hold it.

    Args:
        one: the input.
        reading: of the document.
        thing: what the input went into.
        whole: whether its beginning does not do.
    """
    may = [spot for spot in reading.spots if one.file and may_be_of(one.file, spot)]
    return any(
        not spot.says and not thing.is_anothers(spot, one) and thing.ties(spot, reading, one)
        for spot in (*_holding(one, reading, thing, whole=whole), *may)
    )


def holding(one: UserInput, reading: Reading, thing: Thing) -> list[Spot]:
    """Give the places that may prove an input: those that show it, and the tied ones that hold it at all."""
    may = {each.spot for each in look(one, reading, thing)}
    may |= {spot for spot in _holding(one, reading, thing) if thing.ties(spot, reading, one)}
    return [spot for spot in reading.spots if spot in may and not spot.says]


def _holding(one: UserInput, reading: Reading, thing: Thing, *, whole: bool = False) -> list[Spot]:
    return [spot for spot in reading.spots if _is_held(one, spot, thing, whole=whole)]


def _is_held(one: UserInput, spot: Spot, thing: Thing, *, whole: bool) -> bool:
    if shows(one, marked(spot), counts=bool) is None:
        return False
    left = thing.left_of(marked(spot), one)
    likened = shows(one, left, counts=bool) if left is not None else None
    return likened is not None and not (whole and likened[0] == "beginning")
