"""Which places of a site's pages are there again when their document is asked for once more.

What such a place shows is kept, on every document of the same template: it is not asked for again. Not responsible for:
asking, or what a place shows.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Callable, Iterable

from simulator.browser.effects.spots import Spot
from simulator.canonical import url_shape

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
    return url_shape(_VARIABLE.sub("{id}", template)).partition("?")[0]


def _named(spot: Spot) -> str:
    return hashlib.blake2s(f"{spot.kind} {spot.path}".encode(), digest_size=_BYTES).hexdigest()
