"""What people write of themselves, and their slips of the finger.

Responsible for wording by language and draw. The phrases are data in `phrases/<language>.json`; English is used where
a language has none. Slips are made only in running text: names that a sentence quotes stay as they are, so that they
can be recognised.
"""

import json
import re
from collections.abc import Sequence
from functools import cache
from importlib import resources
from typing import Any, NamedTuple

from simulator.domain import packs_in_use
from simulator.persona.draws import Draw

Key = tuple[str | int, ...]
_WORD = re.compile(r"\{\w*\}|[^\W\d_]{4,}")
_LOWER_ASCII = "abcdefghijklmnopqrstuvwxyz"


class Phrases(NamedTuple):
    """The wording of one language."""

    bios: list[str]
    """A line about oneself, with {name} and {city}."""
    taglines: list[str]


@cache
def phrases(language: str) -> Phrases:
    """Return the wording of a language (ISO 639-1), or the English one where there is none."""
    return Phrases(**phrases_of(__package__, language))


def phrases_of(package: str, language: str) -> dict[str, Any]:
    """Read the phrases of a language, or the English ones where there are none.

    Args:
        package: its folder ``phrases`` has a file for each language.
        language: by ISO 639-1.
    """
    folder = resources.files(package) / "phrases"
    source = folder / f"{language}.json"
    if not source.is_file():
        source = folder / "en.json"
    found: dict[str, Any] = json.loads(source.read_text(encoding="utf-8"))
    return found


def _about_oneself(language: str) -> tuple[Sequence[str], Sequence[str]]:
    """Return bios and taglines: those of the first pack in use that has some, or else the program's."""
    for pack in packs_in_use():
        if pack.about_oneself:
            return pack.about_oneself(language)
    return phrases(language)


def draw_bio(*, name: str, city: str, locale: str, key: Key) -> str:
    """Draw a sentence that the person writes about themselves."""
    return Draw(*key).choice(_about_oneself(locale[:2])[0]).format(name=name, city=city)


def draw_tagline(*, locale: str, key: Key) -> str:
    """Draw a motto of a few words."""
    return Draw(*key).choice(_about_oneself(locale[:2])[1])


def mistype(text: str, rate: float, key: Key) -> str:
    """Return ``text`` with a slip of the finger in about ``rate`` of its words.

    Only words of four letters or more slip, only inside, and never a {placeholder}. Scripts without spaces
    stay.
    """
    if rate <= 0:
        return text
    draw = Draw(*key, "typos")

    def slip(match: re.Match[str]) -> str:
        word = match.group()
        if word.startswith("{") or draw.chance() >= rate or word.upper() == word.lower():
            return word
        place = 1 + draw.below(len(word) - 2)
        before, letter, after = word[:place], word[place], word[place + 1 :]
        kind = draw.below(4)
        if kind == 0 and letter != after[0]:
            return before + after[0] + letter + after[1:]
        if kind == 1:
            return before + after
        if kind == 2 and letter.isascii():
            return before + _LOWER_ASCII[(_LOWER_ASCII.find(letter.lower()) + 1) % 26] + after
        return before + letter + letter + after

    return _WORD.sub(slip, text)
