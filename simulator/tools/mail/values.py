"""What stands in the text of a mail that nobody can know before: codes, passwords and numbers.

Each is known again in another mail of the same kind by the words before it. Not responsible for: links, or under which
name a run has a value.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Literal

from simulator.tools.pages.vocabulary import normal, says_one

Kind = Literal["code", "password", "number"]
SECRET_KINDS: frozenset[Kind] = frozenset({"code", "password"})
_TOKEN = re.compile(r"\[link \d+\]|\d{3}[ \u00a0]\d{3}(?!\d)|[^\W_]+(?:[-_.][^\W_]+)*")
_LINK = re.compile(r"\[link \d+\]")
_ADDRESS = re.compile(r"\[link|https?:")
_SAID = re.compile(r"(?:[:=\uff1a]|\b(?:is|lautet|est|es|è|é|jest)\b)\s*(\S{3,63}[^\s.,;])[.,;]?\s*$", re.IGNORECASE)
_COMMON = re.compile(r"[A-Za-z]?[a-z]{3,6}")
_ENDS = re.compile(r"[.!?;,]\s|[.!?]$")
_DATE = re.compile(r"\d{4}-\d\d-\d\d|\d{1,2}[./-]\d{1,2}[./-]\d{2,4}|\d+(?:\.\d+)+")
_YEAR = re.compile(r"(?:19|20)\d\d")
_WORDS = 5
_LONGEST = 64
_NUMBERS = 10
"""This many numbers are taken out of a mail; codes and passwords all are."""


@dataclass(frozen=True, slots=True)
class Value:
    """A value in the text of a mail."""

    kind: Kind
    value: str
    start: int
    end: int
    """Where it stands."""
    where: str
    """The words before it; where there are none, ``…`` and the words after it."""
    nth: int = 1
    """Which one of those that stand at such a place, from 1."""


def find_values(text: str, subject: str) -> list[Value]:
    """Find the values in the text of a mail, in their order.

    What comes after a word for a code or a password, or stands alone, is taken for a secret.
    """
    found: list[Value] = []
    counts: dict[str, int] = {}
    for one in _by_line(text, subject):
        if one.kind == "number" and sum(each.kind == "number" for each in found) >= _NUMBERS:
            continue
        counts[one.where] = counts.get(one.where, 0) + 1
        found.append(replace(one, nth=counts[one.where]))
    return found


def _by_line(text: str, subject: str) -> Iterator[Value]:
    at = 0
    before = ""
    for line in text.split("\n"):
        password = _password(line, before)
        taken = (0, 0)
        if password:
            taken = password.span(1)
            yield Value("password", password.group(1), at + taken[0], at + taken[1], _where(line, *taken, before))
        for match in _TOKEN.finditer(line):
            start, end = match.span()
            inside = start < taken[1] and end > taken[0]
            kind = None if inside or _LINK.fullmatch(match.group(0)) else _kind(line, start, end, before, subject)
            if kind is not None:
                value = match.group(0).replace("\u00a0", " ")
                value = value.replace(" ", "") if kind == "code" else value
                yield Value(kind, value, at + start, at + end, _where(line, start, end, before))
        before = line if line.strip() else before
        at += len(line) + 1


def _password(line: str, before: str) -> re.Match[str] | None:
    """Find a password at the end of a line that speaks of one, or alone in the line after."""
    match = None
    if _says(line, "password"):
        match = _SAID.search(line)
        if match and match.group(0)[0] not in ":=\uff1a" and _COMMON.fullmatch(match.group(1)):
            match = None  # "Your password is changed"
    elif before.rstrip().endswith((":", "\uff1a")) and _says(before, "password"):
        match = re.fullmatch(r"\s*(\S{4,64})\s*", line)
    return None if match is None or _ADDRESS.search(match.group(0)) else match


def _kind(line: str, start: int, end: int, before: str, subject: str) -> Kind | None:
    token = line[start:end]
    alone = not re.search(r"\w", line[:start] + line[end:])
    said = _ENDS.split(line[:start])[-1]
    near = f"{said if normal(said) else before} {_ENDS.split(line[end:])[0]}"
    spoken = _says(near, "code") or (alone and _says(subject, "code"))
    digits = re.sub(r"\D", "", token)
    if _DATE.fullmatch(token):
        return None
    mixed = len(token) >= 4 and digits and any(char.isalpha() for char in token)
    telling = bool(mixed or re.fullmatch(r"\d{5,}|(?:\d+-)+\d+", token)) and len(token) <= _LONGEST
    short = re.fullmatch(r"\d{4}|\d{3}[ \u00a0]\d{3}", token) and (alone or not _YEAR.fullmatch(token))
    capitals = alone and re.fullmatch(r"[A-Z]{4,}(?:-[A-Z]{4,})*", token)
    if spoken and (telling or short or capitals):
        return "code"
    return None if not telling else "code" if alone else "number"


def _says(text: str, what: Literal["code", "password"]) -> bool:
    return says_one(text, "fields" if what == "password" else "mails", what)


def _where(line: str, start: int, end: int, before: str) -> str:
    said = _last(line[:start])
    if not said and not line[end:].strip(" .!*_-"):
        said = _last(before)
    if said:
        return said
    return f"… {' '.join(normal(_ENDS.split(line[end:])[0]).split()[:_WORDS])}"


def _last(text: str) -> str:
    """Give the last words of the sentence that a text ends in, in small letters."""
    sentence = next((part for part in reversed(_ENDS.split(text)) if normal(part)), "")
    return " ".join(normal(sentence).split()[-_WORDS:])
