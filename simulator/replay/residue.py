"""Finds words of the recorded users that no variable stands for: what a fresh user would say of another one.

Pure functions over plans. Not responsible for: recognising values while they are recorded
(``simulator.recognition``), or settling what is found.

A text is compared word by word, whatever its case, spaces, punctuation and quotes, and also as it reads once
percent-encoding and HTML entities are undone. A value of one word that might be any word counts only as it is written.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from html import unescape
from typing import Final
from urllib.parse import unquote_plus

from simulator.bindings import Bindings
from simulator.persona.identity import VARIABLES
from simulator.recording.rows import ActionRow, StepRow
from simulator.row_fields import Naming, role_of
from simulator.template import PLACEHOLDER, placeholders, stem_of

KEEP: Final = "keep_text"
"""Mark of a step whose words are to be said as they are."""
MIN_LETTERS = 4
"""Shorter values stand in a text by chance."""
_MIN_FRAGMENT = 5
"""A text that is only a part of a value counts from this many letters in one of its words."""
_SAID = frozenset({"goto", "open_tab", "fill", "type", "select", "wait", "upload"})
_TYPED = frozenset({"goto", "open_tab", "fill", "type"})
_TELLING = frozenset(VARIABLES)
"""Details of a user that are hardly another one's."""
_WORD = re.compile(r"[^\W_]+(?:_[^\W_]+)*")
_NUMBER = re.compile(r"(?<![^\W_])\d[\d.,:]*(?![^\W_])")
_SENTENCE = 4
"""Words from which on a line is hardly another one's."""
_CUT = 60
"""Characters of the shortest text that may be the beginning of a longer one: pages and evidence cut them off."""


@dataclass(frozen=True, slots=True)
class Residue:
    """A text that says something of a recorded user or of a row of theirs."""

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
    """The values of recorded users and their rows, ready to be looked for.

    Args:
        values: by variable; of several with one value the last is named.
        naming: which fields of the rows name them.
    """

    def __init__(self, values: Mapping[str, str], naming: Naming) -> None:
        self._bindings = Bindings(values, naming=naming)
        found: dict[str, _Value] = {}
        for name, value in values.items():
            words = _words(value)
            if not _tells(name, naming) or len("".join(words)) < MIN_LETTERS:
                continue
            common = len(words) == 1 and words[0].isalpha()
            whole = unicodedata.normalize("NFC", value).strip() if common else None
            found[" ".join(words).casefold()] = _Value(name, value, _folded(words), whole)
        # "crime" is no part of a title, even where a book is called "Crime and Punishment".
        self._common = [_folded(_words(value)) for name, value in values.items() if role_of(name, naming) == "common"]
        self._names = {
            name for name in values if name.endswith(".display_name") or role_of(name, naming) in ("called", "beside")
        }
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
            if any(_folded(words) in one for one in self._common):
                continue
            for one in self._values:
                if one.name in self._names and _folded(words) in one.words:
                    yield one.name, one.value
                    return


class RecordedRows:
    """The values of recorded users' rows, by the row.

    Args:
        values: by variable.
    """

    def __init__(self, values: Mapping[str, str]) -> None:
        self._said: dict[str, list[str]] = {}
        for name, value in values.items():
            self._said.setdefault(name.rpartition(".")[0], []).append(value)

    def named_in(self, templates: Iterable[str]) -> Callable[[str], bool]:
        """Give what decides whether a text is a whole value of a row that some templates name.

        A text that was cut off counts as well, and each line of one, as pages begin a new line with an element;
        evidence writes a number that stands for itself as ``#``. So does each member of a value that is shown by its
        members, as a site shows words by which one finds a thing: ``reading, Violet`` as a link for each. All of them
        have to be there: a single word of a value may be a word of the site. A line of several words counts of any
        row: who edits a thing puts those of another row into it.

        Args:
            templates: what an element and the cards around it show.
        """
        shown = tuple(templates)
        named = {stem_of(name).rpartition(".")[0] for one in shown for name in placeholders(one)}
        values = [value for row in named for value in self._said.get(row, ())]
        there = {_folded(_words(text)) for text in shown}
        said = {_folded(_words(value)) for value in values}
        for members in map(_members, values):
            said |= members if members <= there else set()
        every = (value for row in self._said.values() for value in row)
        lines = [line for value in values for line in value.splitlines()]
        lines += [line for value in every for line in value.splitlines() if len(_words(line)) >= _SENTENCE]
        said |= {_folded(_words(line)) for line in lines}
        counted = {_folded(_words(_NUMBER.sub(" ", line))) for line in lines if _NUMBER.search(line)}
        longest = tuple(_folded(_words(value)) for value in values if len(value) > _CUT)
        return lambda text: (
            ((folded := _folded(_words(text))) in (said | counted if "#" in text else said) and bool(folded.strip()))
            or (len(text) >= _CUT and any(value.startswith(folded.rstrip()) for value in longest))
        )


def find_residue(steps: Sequence[tuple[StepRow, Sequence[ActionRow]]], recorded: Recorded) -> Iterator[Residue]:
    """Find what of a run a fresh user would say of the recorded users and their rows.

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
    """Give the template of what an action gives the site: typed, visited, chosen, or the name of a file."""
    if action.kind == "upload":
        return "" if action.options.get("source") else str(action.options.get("name", ""))
    return action.value or ""


def _tells(name: str, naming: Naming) -> bool:
    """Return whether a variable's value is hardly another user's, or another row's."""
    role = role_of(name, naming)
    return name.startswith("text.") or (role != "common" if role else name.rpartition(".")[2] in _TELLING)


def _readings(text: str) -> Iterator[str]:
    """Give a text as it is and as it reads in the encodings that a page or an address may have it in."""
    seen: dict[str, None] = {}
    for one in (text, unquote_plus(text), unescape(text), unescape(unquote_plus(unquote_plus(text)))):
        seen[unicodedata.normalize("NFC", one)] = None
    yield from seen


def _members(value: str) -> set[str]:
    """Give the members of a list that somebody has put in as one text: between commas, or else its words."""
    parts = re.split(r"[,;]", value) if re.search(r"[,;]", value) else value.split()
    return {_folded(words) for one in parts if (words := _words(one))}


def _words(text: str) -> list[str]:
    return _WORD.findall(unicodedata.normalize("NFC", text))


def _folded(words: Sequence[str]) -> str:
    return f" {' '.join(words).casefold()} "
