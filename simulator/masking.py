"""Finds secrets in text in whatever spelling they stand, and puts placeholders in their place.

Two looks: for what encoders write of a secret, by one pattern; and for a secret in disguise, by baring the text.
Not responsible for: which secrets there are.
"""

from __future__ import annotations

import base64
import html
import re
import string
import sys
from collections.abc import Collection, Iterable, Iterator, Mapping

MAILED = "mailed_"
"""What the names of secrets begin with that a site has sent to its user by mail."""
_ALPHABET = string.ascii_letters + string.digits
_MIN_ANYWHERE = 8
"""Shorter literals are masked where they stand as a word of their own, not inside other words."""
_MIN_WORD = 4
"""Shorter literals are masked only where they are the whole text: a one-digit code stands everywhere."""
_MIN_BASE64 = 6
_MIN_DISGUISED = 12
"""Shorter literals are not sought in disguise: a few letters turn up by chance."""
_FRAGMENT = 6
"""Characters in a row by which a random secret is known where a text holds a piece of it: cut off, or in parts."""
_PLACEHOLDER = r"\{\{\s*secret\.[a-z][a-z0-9_]*\s*\}\}"
_ESCAPED = re.compile(
    rf"(?P<kept>{_PLACEHOLDER})|%(?:25)*(?P<url>[0-9a-f]{{2}})|\\+(?:u|x)(?P<json>(?<=u)[0-9a-f]{{4}}|(?<=x)[0-9a-f]{{2}})"
    r"|\\+[nrt]|\n *- (?:[a-z]+ )?(?=\")|&(?:amp;)*#(?:0*(?P<decimal>[0-9]{1,7})|x0*(?P<hex>[0-9a-f]{1,6}));?",
    re.IGNORECASE,
)
"""What stands for one character or for none, as the beginning of a line of a page's tree; and a placeholder, which is
no part of anything."""
_TAG = re.compile(r"<[^<>]*>")
_BETWEEN = dict.fromkeys(map(ord, " \t\r\n\f\v\"'`<>,|\\\xa0\xad\u200b\u200c\u200d\u2060\ufeff"))
"""What may stand between the characters of a text that is spread over a page. No brackets: JSON stays JSON."""


class Masker:
    """Masks the secrets of a vault; a cheap test whether any can be there comes first.

    Args:
        values: the secrets by name.
        random: names of those that were drawn at random: a piece of one is no word of any page.
    """

    def __init__(self, values: Mapping[str, str], random: Collection[str] = ()) -> None:
        self._names: list[str] = []
        self._whole = {value: name for name, value in values.items() if len(value) < _MIN_WORD}
        needles: list[str] = []
        branches: list[str] = []
        ordered = sorted(values.items(), key=lambda item: len(item[1]), reverse=True)
        for name, value in ordered:
            if len(value) < _MIN_WORD:
                continue
            for pattern, needle in _spellings(value):
                self._names.append(name)
                branches.append(f"({pattern})")
                needles.append(needle)
        self.needles = tuple({*needles, *self._whole})
        """Texts of which at least one stands in all that can be masked."""
        self.disguises = {bare: name for name, value in reversed(ordered) for bare in _bare_forms(value)}
        """What is left of each secret in disguise when a text is bared, and its name."""
        self._pattern = re.compile("|".join([_PLACEHOLDER, *branches])) if branches else None
        self._fragments = {piece: name for name in random for piece in _fragments(values[name])}
        self._values = values

    def mask(self, text: str) -> str:
        """Put placeholders in place of secrets."""
        if text in self._whole:
            return f"{{{{secret.{self._whole[text]}}}}}"
        if self._pattern is not None and any(map(text.__contains__, self.needles)):
            text = self._pattern.sub(self._put, text)
        for tags in (False, True) if disguised(text, self.disguises) else ():
            text = self._undisguised(text, tags)
        if len(text) >= _FRAGMENT and any(map(text.__contains__, self._fragments)):
            text = self._whole_fragments(text)
        return text

    def _whole_fragments(self, text: str) -> str:
        """Put placeholders in place of pieces of random secrets, each as long as it is."""
        for name in dict.fromkeys(self._fragments.values()):
            value = self._values[name]
            longest = (
                re.escape(value[at:end])
                for at in range(len(value))
                for end in range(len(value), at + _FRAGMENT - 1, -1)
            )
            text = re.sub("|".join(longest), f"{{{{secret.{name}}}}}", text)
        return text

    def _put(self, match: re.Match[str]) -> str:
        if match.lastindex is None:
            return match.group(0)
        return f"{{{{secret.{self._names[match.lastindex - 1]}}}}}"

    def _undisguised(self, text: str, tags: bool) -> str:
        """Put placeholders in place of what bares to a secret, from its first character to its last."""
        pieces = list(_pieces(text, tags))
        bare = "".join(char for char, _, _ in pieces)
        for disguise, name in self.disguises.items():
            while (at := bare.find(disguise)) >= 0:
                start, end = pieces[at][1], pieces[at + len(disguise) - 1][2]
                text = f"{text[:start]}{{{{secret.{name}}}}}{text[end:]}"
                pieces = list(_pieces(text, tags))
                bare = "".join(char for char, _, _ in pieces)
        return text


def _fragments(value: str) -> Iterator[str]:
    """Give the pieces of a random secret of which one stands in every longer piece."""
    return (value[at : at + _FRAGMENT] for at in range(len(value) - _FRAGMENT + 1))


def _bare_forms(value: str) -> set[str]:
    """Give what is left of a secret, in each disguise, when a text is bared."""
    if len(value) < _MIN_DISGUISED:
        return set()
    data = value.encode()
    bare = {_bared(text) for text in (value, value[::-1], data.decode("latin-1"), data.hex())}
    return {text for text in bare if len(text) >= _MIN_ANYWHERE and "\0" not in text}


def disguised(text: str, disguises: Iterable[str]) -> bool:
    """Tell whether any secret stands in a text in disguise, tags taken for text, or left out."""
    if not disguises or len(text) < _MIN_ANYWHERE:
        return False
    bare = _bared(text)
    if any(map(bare.__contains__, disguises)):
        return True
    if "<" not in text:
        return False
    bare = _bared(_TAG.sub("", text))
    return any(map(bare.__contains__, disguises))


def _bared(text: str) -> str:
    """Give a text without what may stand between characters, escapes undone, in lower case."""
    if "%" in text or "&" in text or "\\" in text or "{{" in text or "\n" in text:
        text = _ESCAPED.sub(_unescaped, text)
    return text.translate(_BETWEEN).lower()


def _pieces(text: str, tags: bool) -> Iterator[tuple[str, int, int]]:
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
    if len(value) >= _MIN_ANYWHERE:
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
