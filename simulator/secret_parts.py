"""What of a secret is a secret by itself: its parts, and its other forms; and which texts are ordinary language.

Responsible for the one bound between both: how rare a text is, in bits. Not responsible for: finding secrets in a text
(``masking``), or keeping them (``secrets``).
"""

from __future__ import annotations

import base64
import binascii
import json
import re
from collections.abc import Iterator
from functools import lru_cache
from typing import Any, NamedTuple
from urllib.parse import unquote

ORDINARY = 16.0
"""Bits below which a text may stand on any page: a word, a year, a price. ``hunter2`` has more, ``wrong`` less."""
PHRASE = 28.0
"""The same of words with spaces between them; and of a part of a secret, which nobody called one: a user name in front
of a colon, a date in a cookie. Two usual words stay below."""
_WORD = 14.0
"""Bits of a word, whatever its length: one of 16,000. Longer than any usual word, each letter counts again."""
_LONGEST_WORD = 15
_LETTER, _DIGIT, _SIGN = 4.7, 3.32, 4.0
MIN_PART = 6
"""Characters of a part, at least."""
_MAX_PARTS = 60
"""Of one secret. A large cookie has more; those that come first are the keys."""
_MAX_DEPTH = 4
_RUN = re.compile(r"\d|[^\W\d_]+|\s+|.", re.DOTALL)
_WORD_CASES = re.compile(r"[A-Z]?[a-z]+|[A-Z]+(?![a-z])|[A-Z]")
_SCHEME = re.compile(r"[A-Za-z][A-Za-z0-9_-]*[ \t]+(?=\S)")
"""What stands before the credentials in a header: ``Bearer``, ``Basic``, ``Token``, or any other word."""
_BETWEEN = re.compile(r"[\s:;,&=|.\"'{}()\[\]<>]+")
_NAME = re.compile(r"[_. -]*[^\W\d_]{1,30}(?:[_. -]+[^\W\d_]{1,30})*")
_CASED = re.compile(r"[^\W\d_]?[^\W\d_A-Z]*|[A-Z]+")
"""A word as languages write it, as ``saved``, ``Saved`` and ``SAVED``; not ``kQzWn``."""
_BASE64 = re.compile(r"[A-Za-z0-9+/_-]{8,}={0,2}")


class _Part(NamedTuple):
    text: str
    bound: float
    """Bits that it must have."""


def bits(text: str) -> float:
    """Return how rare a text is, at least: 2 to the power of this many are like it.

    A word counts as one choice among the words of a language. Signs between words, and spaces, count nothing where they
    repeat.
    """
    total, before = 0.0, ""
    for match in _RUN.finditer(text):
        run = match.group()
        if run.isspace():
            continue
        if run.isdigit():
            total += _DIGIT
        elif run.isalpha():
            total += sum(map(_word_bits, _WORD_CASES.findall(run) if run.isascii() else (run,)))
        elif run not in before:
            total += _SIGN
            before += run
    return total


def _word_bits(word: str) -> float:
    return min(_WORD, _LETTER * len(word)) + _LETTER * max(0, len(word) - _LONGEST_WORD)


def is_ordinary(text: str) -> bool:
    """Return whether a text is such that it may stand on any page, and be no secret there."""
    stripped = text.strip(" .,;:!?")
    return bits(stripped) < (PHRASE if re.search(r"\s", stripped) else ORDINARY)


@lru_cache(maxsize=512)
def parts_of(secret: str, *, says: bool = False) -> tuple[str, ...]:
    """Give the parts and other forms of a secret that are no ordinary language, each once, without itself.

    What stands behind the scheme of a header; both sides of a colon and of other signs; what it says without URL
    escapes and without base64; the texts in it where it is JSON; and the same of all these.

    Args:
        secret: any.
        says: whether a site may have put into it what its pages say, as into the cookie of a session: then words in its
            JSON are none.
    """
    found: dict[str, None] = {}
    seen = {secret}
    queue = [(_Part(secret, 0), 0)]
    for part, depth in queue:
        long_enough = len(part.text) >= MIN_PART and bits(part.text) >= part.bound
        if depth and long_enough and part.text != secret and not is_ordinary(part.text):
            found[part.text] = None
        if len(found) >= _MAX_PARTS:
            break
        if depth == _MAX_DEPTH:
            continue
        for inner in _inside(part.text, says=says):
            if inner.text not in seen:
                seen.add(inner.text)
                queue.append((inner, depth + 1))
    return tuple(found)


def _inside(text: str, *, says: bool) -> Iterator[_Part]:
    """Give what a text consists of, and what it stands for: the whole in another form first."""
    if "%" in text and (plain := unquote(text)) != text:
        yield _Part(plain, ORDINARY)
    if scheme := _SCHEME.match(text):
        yield _Part(text[scheme.end() :], ORDINARY)
    if (decoded := _decoded(text)) is not None:
        yield _Part(decoded, ORDINARY)
    if text[:1] in '{["' and (leaves := _leaves(text)) is not None:
        yield from (_Part(leaf, PHRASE) for leaf in leaves if not (says and _is_language(leaf)))
        return  # in other pieces the names of its parts would count
    user, colon, password = text.partition(":")
    if colon and not re.search(r"[\s:/]", password):
        yield _Part(password, ORDINARY)
        yield _Part(user, PHRASE)
    pieces = _BETWEEN.split(text)
    if len(pieces) > 1:
        yield from (_Part(piece, PHRASE) for piece in pieces if len(piece) >= MIN_PART)


def _is_language(text: str) -> bool:
    """Return whether a text in a key is words, as pages say them: a message to be shown, the name of a host.

    Seen on sites whose session is a readable cookie: it holds what the next page shows. A passphrase in a cookie would
    count as a message.
    """
    pieces = list(filter(None, _BETWEEN.split(text.strip(" .,;:!?"))))
    words = [piece for piece in pieces if len(piece) <= _LONGEST_WORD and _CASED.fullmatch(piece)]
    return len(words) > 1 and sum(bits(piece) for piece in pieces if piece not in words) < ORDINARY


def _decoded(text: str) -> str | None:
    """Read base64 or base64url; None where it stands for no text that a person could read."""
    if not _BASE64.fullmatch(text):
        return None
    bare = text.rstrip("=").replace("-", "+").replace("_", "/")
    try:
        plain = base64.b64decode(bare + "=" * (-len(bare) % 4), validate=True).decode()
    except (binascii.Error, UnicodeDecodeError):
        return None
    return plain if plain.isprintable() else None


def _leaves(text: str) -> list[str] | None:
    """Give the texts in JSON, and its names that are no plain words, as ``csrf_token``; None where it is no JSON."""
    try:
        values: list[Any] = [json.loads(text)]
    except (ValueError, RecursionError):
        return None
    for value in values:
        if isinstance(value, dict):
            values += [name for name in value if not _NAME.fullmatch(name)]
            values += value.values()
        elif isinstance(value, list):
            values += value
    return [value for value in values if isinstance(value, str)]
