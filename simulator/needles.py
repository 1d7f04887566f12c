"""Finds which of many texts stand in a text, in time that hardly grows with how many are sought.

A few are sought one by one. Of more, four characters out of each beginning are known: the text is looked at in strides
that step over none of them. Not responsible for: what the texts mean.
"""

from __future__ import annotations

from collections.abc import Iterator

_FEW = 24
"""Up to this many texts are sought one by one: that is quicker than to cut a text up."""
_GRAM = 4
_LENGTHS = (6, 12)
"""Texts from this many characters on are sought in strides; the longer they are, the longer the strides."""


class Needles:
    """A growing number of texts that are sought together."""

    def __init__(self) -> None:
        self._all: dict[str, None] = {}
        self._short: list[str] = []
        self._grams: tuple[dict[str, list[str]], ...] = tuple({} for _ in _LENGTHS)

    def __len__(self) -> int:
        return len(self._all)

    def add(self, needle: str) -> None:
        """Seek one more text; the empty one stands in every text."""
        if needle in self._all:
            return
        self._all[needle] = None
        for shortest, grams in zip(reversed(_LENGTHS), reversed(self._grams), strict=True):
            if len(needle) >= shortest:
                for at in range(shortest - _GRAM + 1):
                    grams.setdefault(needle[at : at + _GRAM], []).append(needle)
                return
        self._short.append(needle)

    def found_in(self, text: str) -> Iterator[str]:
        """Give those that stand in a text; some may come more than once."""
        if len(self._all) <= _FEW:
            yield from filter(text.__contains__, self._all)
            return
        yield from filter(text.__contains__, self._short)
        for shortest, grams in zip(_LENGTHS, self._grams, strict=True):
            if not grams or len(text) < shortest:
                continue
            for at in range(0, len(text) - _GRAM + 1, shortest - _GRAM + 1):
                if (gram := text[at : at + _GRAM]) in grams:
                    yield from filter(text.__contains__, grams[gram])

    def any_in(self, text: str) -> bool:
        """Return whether any stands in a text."""
        return next(self.found_in(text), None) is not None
