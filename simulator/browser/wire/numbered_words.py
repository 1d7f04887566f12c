"""Words with a number by which a site calls things: ``/issue1``, ``/browse/BUG-7``.

So are steps of a wizard called, and versions of an interface: a word counts only where the site was seen to have made
something that is called so, or a recording has it.
"""

from __future__ import annotations

import re

from simulator.addresses import urlsplit

_NUMBERED = re.compile(r"([^\W\d_]{2,}[-_]?)(\d+)")
"""A word with a number: ``issue1``, ``BUG-7``."""
_CALLED = re.compile(r"(?:^|/)([^\W\d_]{2,}[-_]?)\{\{(site\.([^}.]+)_\d+)\}\}(?=[/?#]|$)")
"""One in a template: its word, and the variable of its number."""


class NumberedWords:
    """The words of one run."""

    def __init__(self) -> None:
        self.known: set[str] = set()
        """Words that stand before the number of a thing."""
        self._plain: set[str] = set()
        """Words with a number that were met before anybody knew that things are called so: they stay as they are."""

    def call(self, address: str) -> None:
        """Know that the site calls things as an address ends: by a word with a number.

        Args:
            address: of a thing that the site has just made.
        """
        if found := _NUMBERED.fullmatch(urlsplit(address).path.rstrip("/").rpartition("/")[2]):
            self.known.add(found[1])
            self._plain.discard(found[0])

    def learn(self, template: str) -> None:
        """Know the words of a recorded URL template."""
        self.known |= {word for word, _ in worded(template)}

    def parted(self, segment: str, met: bool) -> tuple[str, str] | None:
        """Give the word and the number of a path segment that calls a thing; None for another segment.

        Args:
            segment: of a path.
            met: whether one that calls nothing yet stays as it is from now on.
        """
        numbered = _NUMBERED.fullmatch(segment)
        if numbered is None:
            return None
        if numbered[1] in self.known and segment not in self._plain:
            return numbered[1], numbered[2]
        if met:
            self._plain.add(segment)
        return None

    def is_plain(self, segment: str) -> bool:
        """Return whether a path segment was met before anybody knew that things are called so."""
        return segment in self._plain


def noun_of(before: str) -> str:
    """Give what a variable is called after a word of an address."""
    return re.sub(r"[^a-z0-9]+", "_", before.lower()).strip("_") or "item"


def worded(template: str) -> list[tuple[str, str]]:
    """Give the words of a template that stand before the number of a thing, each with the variable of that."""
    found = (match.groups() for match in _CALLED.finditer(template))
    return [(word, name) for word, name, noun in found if noun_of(word) == noun]
