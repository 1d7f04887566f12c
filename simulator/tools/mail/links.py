"""The links of a mail as templates: what in them is another in each mail is a variable.

Not responsible for: under which names, or whether a link may be visited.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple
from urllib.parse import quote, unquote_plus

from simulator.template import PLACEHOLDER
from simulator.tools.pages.vocabulary import normal

_SEPARATORS = re.compile(r"([/?&=#])")
_ORIGIN = re.compile(r"[a-z]+://[^/?#]*", re.IGNORECASE)
_PLAIN = re.compile(r"[a-z]*(?:[-_.][a-z]+)*")
"""What stands in every link of a kind: words in small letters."""
_TELLING = re.compile(r"token|code|key|otp|pin|sig|hash|secret|ticket|nonce", re.IGNORECASE)
_MIN_TOLD, _MIN_TOKEN, _MIN_DIGITS = 4, 8, 6
_SHOWN = re.compile(r"\{\{site\.[\w.]+\}\}")
"""What the site has shown before. Where a link names it as its key it is a secret all the same; elsewhere in a link it
is the number of a thing, which any page of the thing shows."""


class Piece(NamedTuple):
    """What stands between two separators of a link."""

    text: str
    """Encoded."""
    named: str
    """The parameter whose value it is, or the word of the path before it; empty where it has to stay as it is."""

    @property
    def value(self) -> str:
        """What it says, decoded."""
        return unquote_plus(self.text)


Bind = Callable[[str, str, bool], str]
"""Gives a new variable for a value, what that is called, and whether it is a secret."""


def write_link(url: str, known: Callable[[str], str], bind: Bind) -> tuple[str, tuple[str, ...]]:
    """Write a link as a template.

    Args:
        url: relative to the site, or whole where it leads elsewhere.
        known: writes the values that have a variable already.
        bind: gives new variables.

    Returns:
        The template; and the variables in it that are new.
    """
    new: list[str] = []
    parts: list[str] = []
    for separator, piece in _pieces(url):
        written = known(piece.value) if piece.named else piece.value
        if written != piece.value and not (_is_named_secret(piece) and _SHOWN.fullmatch(written)):
            parts += [separator, _encoded(written)]
        elif not _is_made(piece):
            parts += [separator, piece.text]
        else:
            new.append(bind(piece.value, piece.named, _is_secret(piece)))
            parts += [separator, "{{" + new[-1] + "}}"]
    return "".join(parts), tuple(new)


def secrets_of(url: str) -> Iterator[str]:
    """Give what in a link is a secret, as it says it: whoever has that is taken for the mail's reader.

    Args:
        url: relative to the site, or whole where it leads elsewhere.
    """
    return (piece.value for _, piece in _pieces(url) if _is_made(piece) and _is_secret(piece))


def match_link(template: str, url: str, render: Callable[[str], str], own: Collection[str]) -> Mapping[str, str] | None:
    """Read the variables of a link's template out of a link.

    Args:
        template: as :func:`write_link` gave it.
        url: relative to the site, or whole where it leads elsewhere.
        render: puts in the values of the other variables.
        own: names of the variables that are read.

    Returns:
        Their values; None where it is another link.
    """
    sought, found = _SEPARATORS.split(template), _SEPARATORS.split(url)
    if len(sought) != len(found) or sought[1::2] != found[1::2]:
        return None
    values: dict[str, str] = {}
    for wanted, text in zip(sought[::2], found[::2], strict=True):
        whole = PLACEHOLDER.fullmatch(wanted)
        value = unquote_plus(text)
        if whole and whole.group(1) in own:
            if not value or _PLAIN.fullmatch(value):
                return None
            values[whole.group(1)] = value
        elif render(unquote_plus(wanted)) != value:
            return None
    return values


def _pieces(url: str) -> Iterator[tuple[str, Piece]]:
    """Take a link apart; gives each piece with the separator before it."""
    origin = match.group(0) if (match := _ORIGIN.match(url)) else ""
    split = _SEPARATORS.split(url[len(origin) :])
    yield "", Piece(origin + split[0], "")
    named, key = "page", ""
    separators, texts = split[1::2], split[2::2]
    for separator, text, after in zip_longest(separators, texts, separators[1:], fillvalue=""):
        if separator in "?&" and after == "=":
            key = text
            yield separator, Piece(text, "")
            continue
        yield separator, Piece(text, key if separator == "=" and key else named)
        if separator == "/" and _PLAIN.fullmatch(text) and text:
            named = normal(text) or named
        key = ""


def _is_made(piece: Piece) -> bool:
    """Return whether a piece of a link is another one in each mail."""
    return bool(piece.named and piece.value and not _PLAIN.fullmatch(piece.value))


def _is_named_secret(piece: Piece) -> bool:
    return _is_made(piece) and bool(_TELLING.search(piece.named)) and len(piece.value) >= _MIN_TOLD


def _is_secret(piece: Piece) -> bool:
    long = len(piece.value) >= (_MIN_DIGITS if piece.value.isdigit() else _MIN_TOKEN)
    return long or _is_named_secret(piece)


def _encoded(template: str) -> str:
    """Encode what stands between the variables of a template."""
    parts, at = [], 0
    for match in PLACEHOLDER.finditer(template):
        parts += [quote(template[at : match.start()], safe=""), match.group(0)]
        at = match.end()
    return "".join((*parts, quote(template[at:], safe="")))
