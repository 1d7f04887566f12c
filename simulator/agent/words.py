"""What the words of links and buttons mean to the autopilot. Not responsible for: fields of forms."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from functools import lru_cache
from importlib.resources import files
from typing import TypeAlias

from simulator.domain import Pack, packs_in_use
from simulator.tools.pages.vocabulary import normal, says

Word: TypeAlias = str
"""What a link or a button may mean: a key of ``words.toml``, or of the words of a pack or a site; or what it says."""
_SHOWN = 80
"""Characters to which the texts of a card are cut when they are read."""
_TAIL = 40
"""Characters of a text's end that show that it was taken whole."""


@lru_cache(maxsize=8)
def _phrases(packs: tuple[Pack, ...]) -> Mapping[str, tuple[str, ...]]:
    found: dict[str, list[str]] = tomllib.loads(files("simulator.agent").joinpath("words.toml").read_text("utf-8"))
    for pack in packs:
        for word, phrases in pack.words().items():
            found[word] = [*found.get(word, ()), *phrases]
    return {word: tuple(map(normal, phrases)) for word, phrases in found.items()}


def fit(text: str, word: Word, more: Mapping[str, tuple[str, ...]]) -> int:
    """Return how well a text says a word.

    Args:
        text: the name of a link or a button.
        word: what it should mean.
        more: further phrases of a site, by word.

    Returns:
        0: it does not; otherwise the more of the text the phrase takes up, the more, up to 100 for all of it.
    """
    lengths = [len(phrase) for phrase in _said(text, word, more)]
    return round(100 * max(lengths) / len(normal(text))) if lengths else 0


def says_word(text: str, word: Word, more: Mapping[str, tuple[str, ...]]) -> bool:
    """Return whether a text says a word anywhere.

    Args:
        text: of a whole page.
        word: what it should say.
        more: further phrases of a site, by word.
    """
    return bool(_said(text, word, more))


def _said(text: str, word: Word, more: Mapping[str, tuple[str, ...]]) -> list[str]:
    said = normal(text)
    known = (*_phrases(packs_in_use()).get(word, ()), *map(normal, more.get(word, ()))) or (normal(word),)
    return [phrase for phrase in known if says(said, phrase)]


def same(text: str, other: str) -> bool:
    """Return whether two texts are the same words."""
    return normal(text) == normal(other)


def holds(text: str, part: str) -> bool:
    """Return whether the words of one text stand in another, in their order."""
    wanted = normal(part)
    return bool(wanted) and says(normal(text), wanted)


def about(texts: tuple[str, ...], title: str) -> int:
    """Return whether texts that stand together speak of a title.

    Returns:
        2: one of them is the title; 1: one holds it among other words; 0: none does.
    """
    shown = title[:_SHOWN]
    if any(same(text, title) or same(text, shown) for text in texts):
        return 2
    return int(any(holds(text, shown) for text in texts))


def ends_in(text: str, whole: str) -> bool:
    """Return whether the last words of a longer text stand in another: it was taken to its end."""
    tail = whole[-_TAIL:]
    return holds(text, tail.partition(" ")[2] or tail)
