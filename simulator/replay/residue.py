"""Finds words of the recorded users and books that no variable stands for: what a fresh user would say of another one.

Pure functions over plans. Not responsible for: recognising values while they are recorded (``simulator.template``), or
settling what is found.

A text is compared word by word, whatever its case, spaces, punctuation and quotes, and also as it reads once
percent-encoding and HTML entities are undone. A value of one word that might be any word counts only as it is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final
from urllib.parse import unquote_plus

from simulator.recording.rows import ActionRow, StepRow
from simulator.template import PLACEHOLDER, Bindings

KEEP: Final = "keep_text"
"""Mark of a step whose words are to be said as they are."""
MIN_LETTERS = 4
"""Shorter values stand in a text by chance."""
_MIN_FRAGMENT = 5
"""A text that is only a part of a value counts from so many letters in one of its words."""
_SAID = frozenset({"goto", "open_tab", "fill", "type", "select", "wait", "upload"})
_TYPED = frozenset({"goto", "open_tab", "fill", "type"})
_TELLING = frozenset(
    {
        "username",
        "email",
        "display_name",
        "first_name",
        "last_name",
        "city",
        "street",
        "postcode",
        "phone",
        "bio",
        "tagline",
        "title",
        "author",
        "description",
        "new_description",
    }
)
"""Values that tell a user or a book. A genre, a price or a year is anybody's."""
_ANYBODYS = (".genre", ".condition", ".language")
"""Values that are no part of a title, even where a title says the same: "crime", where a book is "Crime and
Punishment"."""
_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")


@dataclass(frozen=True, slots=True)
class Residue:
    """A text that says something of a recorded user or book."""

    step: StepRow
    action: ActionRow
    place: str
    """Where it stands, for a person: ``3.2, fill 'Message'``."""
    text: str
    """As it is recorded, a template."""
    words: tuple[str, ...]
    """The recorded values in it."""
    variables: tuple[str, ...]
    """The variables that have them."""
    suggestion: str
    """The text with variables in place of what can be recognised."""


@dataclass(frozen=True, slots=True)
class _Value:
    name: str
    value: str
    words: str
    """Folded, with a blank at either end."""
    exact: str | None
    """The one word as it is written, where it might be any word."""


class Recorded:
    """The values of recorded users and books, ready to be looked for.

    Args:
        values: by variable; of several with one value the last is named.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self._bindings = Bindings(values)
        found: dict[str, _Value] = {}
        for name, value in values.items():
            words = _words(value)
            if not _tells(name) or len("".join(words)) < MIN_LETTERS:
                continue
            common = len(words) == 1 and words[0].isalpha()
            whole = unicodedata.normalize("NFC", value).strip() if common else None
            found[" ".join(words).casefold()] = _Value(name, value, _folded(words), whole)
        self._anybodys = [_folded(_words(value)) for name, value in values.items() if name.endswith(_ANYBODYS)]
        self._values = sorted(found.values(), key=lambda one: len(one.words), reverse=True)

    def look(self, template: str, *, typed: bool = True) -> list[tuple[str, str]]:
        """Find recorded values in what a template says besides its variables.

        Args:
            template: what is said.
            typed: whether a text that is nothing but a part of a value counts: typed words, not a choice of a list.

        Returns:
            Variable and value, the longest first; none that stands inside another.
        """
        found: dict[str, str] = {}
        for text in _readings(PLACEHOLDER.sub(" \0 ", template)):
            words = _words(text)
            left = _folded(words)
            for one in self._values:
                if one.exact is not None and one.exact not in words and one.exact.upper() not in words:
                    continue
                if one.words in left:
                    found[one.name] = one.value
                    left = left.replace(one.words, " \0 ")
        if not found and typed:
            found = dict(self._fragments(template))
        return list(found.items())

    def written(self, template: str) -> str:
        """Put variables in place of what can be recognised."""
        return self._bindings.recognise(template)

    def _fragments(self, template: str) -> Iterator[tuple[str, str]]:
        """Find values of which a whole text, or a whole value of an address's query, is a part."""
        if "{{" in template:
            return
        parts = [part.partition("=")[2] for part in template.partition("?")[2].split("&")]
        for text in (template, *parts):
            words = _words(unquote_plus(text))
            if not words or max(map(len, words)) < _MIN_FRAGMENT or not all(word.isalpha() for word in words):
                continue
            if any(_folded(words) in one for one in self._anybodys):
                continue
            for one in self._values:
                if one.name.endswith((".title", ".author", ".display_name")) and _folded(words) in one.words:
                    yield one.name, one.value
                    return


def find_residue(steps: Sequence[tuple[StepRow, Sequence[ActionRow]]], recorded: Recorded) -> Iterator[Residue]:
    """Find what of a run a fresh user would say of the recorded users and books.

    Args:
        steps: those that are performed, with their actions.
        recorded: the values of all who were recorded together.
    """
    for step, actions in steps:
        if step.flags.get(KEEP):
            continue
        for number, action in enumerate(actions, start=1):
            text = said(action)
            if action.kind not in _SAID or not text:
                continue
            found = recorded.look(text, typed=action.kind in _TYPED)
            written = recorded.written(text)
            if found or written != text:
                place = place_of(step, number, action)
                names, words = tuple(name for name, _ in found), tuple(value for _, value in found)
                yield Residue(step, action, place, text, words, names, written)


def place_of(step: StepRow, number: int, action: ActionRow) -> str:
    """Name a thing that a step does, for a person: ``3.2, fill 'Message'``.

    Args:
        step: the step.
        number: which of the things it does, from 1.
        action: that thing.
    """
    told = action.target.name or action.target.label or action.target.name_attr if action.target else ""
    aimed = f" '{told}'" if told else ""
    return f"{step.ordinal + 1}.{number}, {action.kind}{aimed}"


def said(action: ActionRow) -> str:
    """Give the template of what an action tells the site: typed, visited, chosen, or the name of a file."""
    if action.kind == "upload":
        return "" if action.options.get("source") else str(action.options.get("name", ""))
    return action.value or ""


def _tells(name: str) -> bool:
    return name.rpartition(".")[2] in _TELLING or ".message." in name


def _readings(text: str) -> Iterator[str]:
    """Give a text as it is and as it reads in the encodings that a page or an address may have it in."""
    seen: dict[str, None] = {}
    for one in (text, unquote_plus(text), unescape(text), unescape(unquote_plus(unquote_plus(text)))):
        seen[unicodedata.normalize("NFC", one)] = None
    yield from seen


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))


def _folded(words: Sequence[str]) -> str:
    return f" {' '.join(words).casefold()} "
