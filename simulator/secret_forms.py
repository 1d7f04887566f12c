"""The forms in which a secret may stand in a text: what encoders write of it, what is left of it in disguise, pieces.

Not responsible for: which secrets there are, or what is put in their place (``masking``).
"""

from __future__ import annotations

import base64
import html
import json
import re
import string
import sys
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple
from urllib.parse import quote, quote_plus

from simulator.needles import Needles
from simulator.secret_parts import is_ordinary

_ALPHABET = string.ascii_letters + string.digits
MIN_ANYWHERE = 8
"""Shorter literals are masked where they stand as a word of their own, not inside other words."""
MIN_WORD = 4
"""Shorter literals are masked only where they are the whole text: a one-digit code stands everywhere."""
_MIN_BASE64 = 6
_MIN_DISGUISED = 12
"""Shorter literals are not sought in disguise: a few letters turn up by chance."""
FRAGMENT = 6
"""Characters in a row by which a random secret is known where a text holds a piece of it: cut off, or in parts."""
HEAD = 8
"""Characters by which the beginning of a secret is known at the end of a text that was cut off."""
PLACEHOLDER = r"\{\{\s*secret\.[a-z][a-z0-9_]*\s*\}\}"
_ESCAPED = re.compile(
    rf"(?P<kept>{PLACEHOLDER})|%(?:25)*(?P<url>[0-9a-f]{{2}})|\\+(?:u|x)(?P<json>(?<=u)[0-9a-f]{{4}}|(?<=x)[0-9a-f]{{2}})"
    r"|\\+[nrt]|\n *- (?:[a-z]+ )?(?=\")|&(?:amp;)*#(?:0*(?P<decimal>[0-9]{1,7})|x0*(?P<hex>[0-9a-f]{1,6}));?",
    re.IGNORECASE,
)
"""What stands for one character or for none, as the beginning of a line of a page's tree; and a placeholder, which is
no part of anything."""
_TAG = re.compile(r"<[^<>]*>")
_BETWEEN = dict.fromkeys(map(ord, " \t\r\n\f\v\"'`<>,|\\\xa0\xad\u200b\u200c\u200d\u2060\ufeff"))
"""What may stand between the characters of a text that is spread over a page. No brackets: JSON stays JSON."""


class Look(NamedTuple):
    """How one secret is sought."""

    spellings: tuple[tuple[str, str], ...]
    """Patterns of its encodings, each with a text that stands in all that it matches."""
    disguises: frozenset[str]
    """What is left of it, in each disguise, when a text is bared."""
    forms: tuple[str, ...]
    """Its usual encodings: a text that was cut off may end with the beginning of one."""


@lru_cache(maxsize=2048)
def look_for(value: str) -> Look:
    """Return how a secret is sought; the users of a batch share what the site demands of them all."""
    if len(value) < MIN_WORD:
        return Look((), frozenset(), ())
    plain = (value, quote(value), quote(value, safe=""), quote_plus(value), html.escape(value), json.dumps(value)[1:-1])
    forms = dict.fromkeys((*plain, *_base64_cores(value.encode())))
    return Look(
        tuple(_spellings(value)),
        frozenset(_bare_forms(value)),
        tuple(form for form in forms if len(form) > HEAD and not is_ordinary(form[:HEAD])),
    )


def fragments_of(value: str) -> Iterator[str]:
    """Give the pieces of a random secret of which one stands in every longer piece."""
    return (value[at : at + FRAGMENT] for at in range(len(value) - FRAGMENT + 1))


def _bare_forms(value: str) -> set[str]:
    """Give what is left of a secret, in each disguise, when a text is bared."""
    if len(value) < _MIN_DISGUISED:
        return set()
    data = value.encode()
    bare = {_bared(text) for text in (value, value[::-1], data.decode("latin-1"), data.hex())}
    return {text for text in bare if len(text) >= MIN_ANYWHERE and "\0" not in text}


def disguised(text: str, disguises: Needles) -> Iterator[str]:
    """Give the disguises in which secrets stand in a text, tags taken for text, or left out."""
    if not disguises or len(text) < MIN_ANYWHERE:
        return
    yield from disguises.found_in(_bared(text))
    if "<" in text:
        yield from disguises.found_in(_bared(_TAG.sub("", text)))


def _bared(text: str) -> str:
    """Give a text without what may stand between characters, escapes undone, in lower case."""
    if "%" in text or "&" in text or "\\" in text or "{{" in text or "\n" in text:
        text = _ESCAPED.sub(_unescaped, text)
    return text.translate(_BETWEEN).lower()


def bared_pieces(text: str, tags: bool) -> Iterator[tuple[str, int, int]]:
    """Bare a text; gives each character that is left with where in the text it began and ended.

    Args:
        text: the text.
        tags: whether tags are left out.
    """
    skipped = [match.span() for match in _TAG.finditer(text)] if tags else []
    stops = iter([*skipped, (len(text), len(text))])
    at, (skip, resume) = 0, next(stops)
    while at < len(text):
        if at == skip:
            at = resume
            skip, resume = next(stops)
            continue
        match = _ESCAPED.match(text, at)
        end = match.end() if match else at + 1
        for char in (_unescaped(match) if match else text[at]).translate(_BETWEEN).lower():
            yield char, at, end
        at = end


def _unescaped(match: re.Match[str]) -> str:
    kind, code = match.lastgroup, match.group(match.lastgroup or 0)
    if kind == "kept":
        return "\0"
    if kind is None:
        return ""
    number = int(code, 10 if kind == "decimal" else 16)
    return chr(number) if number <= sys.maxunicode else "\0"


def _spellings(value: str) -> Iterator[tuple[str, str]]:
    """Give patterns of a secret's encodings, each with a text that stands in all that it matches."""
    escaped = "".join(map(_any_escape, value))
    runs = re.findall(r"[A-Za-z0-9]+", value)
    needle = max(runs, key=len) if runs else ""
    if len(value) >= MIN_ANYWHERE:
        yield escaped, needle
    else:
        yield rf"(?<![A-Za-z0-9]){escaped}(?![A-Za-z0-9])", needle
    if len(value) >= _MIN_BASE64:
        for core in _base64_cores(value.encode()):
            both = "".join({"+": "[+-]", "/": r"(?:\\*/|_)"}.get(char, char) for char in core)
            runs = re.findall(r"[A-Za-z0-9]+", core)
            yield both, max(runs, key=len) if runs else ""


def _any_escape(char: str) -> str:
    """Give a pattern of one character in its raw, URL, HTML and JSON forms."""
    if char in _ALPHABET:
        return char
    forms = ["".join(rf"%(?:25)*(?i:{byte:02x})" for byte in char.encode())]
    units = char.encode("utf-16-be")
    hexes = [units[at : at + 2].hex() for at in range(0, len(units), 2)]
    forms.append("".join(rf"\\+u(?i:{unit})" for unit in hexes))
    forms.append(rf"&(?:amp;)*#0*{ord(char)};")
    forms.append(rf"&(?:amp;)*#[xX]0*(?i:{ord(char):x});")
    named = html.escape(char)
    if named != char and not named.startswith("&#"):
        forms.append(f"&(?:amp;)*{named[1:]}")
    if char == " ":
        forms.append(r"\+")
    if char in "\n\t\r\b\f":
        forms.append(r"\\+" + {"\n": "n", "\t": "t", "\r": "r", "\b": "b", "\f": "f"}[char])
    forms.append(r"\\*" + re.escape(char))  # last: an escape may begin with the character itself
    return f"(?:{'|'.join(forms)})"


def _base64_cores(data: bytes) -> Iterator[str]:
    """Give what stays of a secret's base64 form at each of three alignments, whatever stands around it."""
    for offset in range(3):
        text = base64.b64encode(b"\0" * offset + data).decode()
        start = -(-offset * 8 // 6)
        yield text[start : (offset + len(data)) * 8 // 6]
