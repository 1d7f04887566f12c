"""Forms of a text in which ways of writing one thing are equal. Not responsible for: numbers, dates, or who compares.

Three forms, each of less than the one before: *tidy* (white space and what nobody sees), *typed* (quotes, dashes,
case), *words* (no punctuation).
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import cache
from typing import Final

_INVISIBLE = re.compile("[\u00ad\u061c\u180e\u200b-\u200f\u202a-\u202e\u2060-\u2064\u2066-\u2069\ufe0e\ufe0f\ufeff]")
_UNSPACED = (
    "\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005-\u3007\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af"
    "\uf900-\ufaff\U00020000-\U0003ffff"
)
"""Scripts that put no space between words; and Hangul, which joins particles to them."""
_APOSTROPHES = "'`´ʹʻʼˈ‘’‚‛′＇"
_QUOTES = '"“”„‟″«»‹›＂「」『』'
_DASHES = "-‐‑‒–—―−﹘﹣－"
_TYPED = str.maketrans(
    dict.fromkeys(_APOSTROPHES, "'") | dict.fromkeys(_QUOTES, '"') | dict.fromkeys(_DASHES, "-") | {"ı": "i"}
)
_FOREIGN_DIGIT = re.compile(r"(?![0-9])\d")
_LONE = re.compile(r"(?<!\d)[.,:/]|[.,:/](?!\d)|-(?!\d)|(?<=[^\W\d])-")
"""Points, colons, slashes and hyphens that are in no number. A minus stays with its digit."""
_KEPT = frozenset("+#%@&")
_POSSESSIVE = re.compile(r"'(?=s\b)")
ELLIPSIS: Final = re.compile(r"\s*[\[(]?(?:\.{3,}|⋯)[\])]?")
"""The mark of a cut, in a typed text."""
_ALNUM = re.compile(r"[\W_]+")


class _WordTable(dict[int, str | None]):
    """What becomes of a character in the form of words; grows with the characters that come by."""

    def __missing__(self, code: int) -> str | None:
        char = chr(code)
        kind = unicodedata.category(char)
        found: str | None = char
        if char in _APOSTROPHES or (kind in ("Cf", "Cc", "Cs", "Co") and not char.isspace()):
            found = None
        elif char in _DASHES:
            found = "-"
        elif char not in ".,:/" and char not in _KEPT and (kind[0] in "PZ" or kind in ("Sm", "Sk", "So", "Cc")):
            found = " "
        self[code] = found
        return found


_WORDS = _WordTable()


@cache
def _close() -> re.Pattern[str]:
    # Compiled where a text asks for it: these two take as long as all the others together.
    return re.compile(rf"[{_UNSPACED}]")


@cache
def _seam() -> re.Pattern[str]:
    return re.compile(rf"(?<=[{_UNSPACED}])(?=[^{_UNSPACED}\s])(?!\W)|(?<=[^{_UNSPACED}\s])(?<!\W)(?=[{_UNSPACED}])")


def tidy(text: str) -> str:
    """Give a text as a reader sees it: no soft hyphens and marks of direction, single spaces, composed letters."""
    if not text.isascii():
        text = unicodedata.normalize("NFC", _INVISIBLE.sub("", text))
    return " ".join(text.split())


def typed(text: str) -> str:
    """Give a tidy text without case and kinds of quotes, dashes, widths and digits."""
    if text.isascii():
        return text.lower()
    text = unicodedata.normalize("NFKC", text).casefold().translate(_TYPED).replace("i\u0307", "i")
    return _FOREIGN_DIGIT.sub(lambda digit: str(unicodedata.decimal(digit[0])), text)


def words(text: str) -> str:
    """Give the words and numbers of a typed text, a space between each two; symbols such as ``+`` and ``€`` stay."""
    if "'" in text:
        text = _POSSESSIVE.sub(" ", text)
    found = _LONE.sub(" ", text.translate(_WORDS))
    if not found.isascii():
        found = _seam().sub(" ", found)
    return " ".join(found.split())


def bare(text: str) -> str:
    """Give a text without accents, as capitals are often written."""
    return "".join(char for char in unicodedata.normalize("NFD", text) if not unicodedata.combining(char))


def alnum(text: str) -> str:
    """Give the letters and digits of a typed text."""
    return _ALNUM.sub("", text)


def unspaced(char: str) -> bool:
    """Return whether a character is of a script that puts no space between words."""
    return not char.isascii() and _close().match(char) is not None


def weight(text: str) -> int:
    """Count the letters and digits of a text; a character that is a syllable or a word counts twice."""
    if text.isascii():
        return sum(map(str.isalnum, text))
    return sum(1 + unspaced(char) for char in text if char.isalnum())


def between_words(text: str, start: int, end: int) -> bool:
    """Return whether a part of a text begins and ends where a word does."""
    return not (_joined(text, start) or _joined(text, end))


def _joined(text: str, at: int) -> bool:
    if not 0 < at < len(text):
        return False
    before, after = text[at - 1], text[at]
    if not _in_word(before):
        return before in ".,:/-" and after.isdecimal() and text[at - 2 : at - 1].isdecimal()
    if not _in_word(after):
        return after in ".,:/-" and before.isdecimal() and text[at + 1 : at + 2].isdecimal()
    return not (unspaced(before) or unspaced(after))


def _in_word(char: str) -> bool:
    return char.isalnum() or char == "_" or (not char.isascii() and unicodedata.category(char)[0] == "M")


def places(needle: str, text: str) -> Iterator[tuple[int, int]]:
    """Give where a text stands in another one, start and end, words or not."""
    at = text.find(needle)
    while at >= 0:
        yield at, at + len(needle)
        at = text.find(needle, at + 1)
