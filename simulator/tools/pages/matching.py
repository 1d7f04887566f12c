"""How well words fit things of a page: a score that is the same every time, from the words alone.

Not responsible for: reading the page, or what follows from a match.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Generic, NamedTuple, TypeVar

from simulator.browser.views.reading import Block, Candidate
from simulator.tools.pages.meanings import meaning_of_text
from simulator.tools.pages.vocabulary import normal, phrases, says, says_purpose

ENOUGH = 0.4
"""The least score of a match."""
_STOP = frozenset(
    [
        "a",
        "an",
        "the",
        "this",
        "that",
        "these",
        "those",
        "my",
        "your",
        "his",
        "her",
        "its",
        "our",
        "their",
        "to",
        "of",
        "for",
        "in",
        "on",
        "at",
        "by",
        "with",
        "from",
        "and",
        "or",
        "is",
        "are",
        "it",
        "i",
        "me",
        "where",
        "which",
        "what",
        "who",
        "whose",
        "please",
        "find",
        "show",
        "give",
        "get",
        "go",
        "click",
        "open",
        "page",
        "element",
        "elements",
        "thing",
        "there",
        "do",
        "does",
        "did",
        "be",
        "was",
        "were",
        "has",
        "have",
        "how",
        "much",
        "say",
        "says",
        "tell",
        "tells",
        "extract",
        "as",
    ]
)
_OF_MANY = frozenset({"save", "add", "aside"})
"""Purposes that many a button of a page has: the other words of a description say which of them is meant."""
_SHORT = 2
"""A description of this many words may be what a field asks for; one of more words says other things, too."""
_LONG = 20
"""Words from which on a text holds more than an answer."""
_FIELDS = frozenset({"textbox", "searchbox", "combobox", "spinbutton", "listbox", "slider"})
_ROLE_WORDS: Mapping[str, frozenset[str]] = {
    **dict.fromkeys(("button", "buttons"), frozenset({"button"})),
    **dict.fromkeys(("link", "links"), frozenset({"link"})),
    **dict.fromkeys(("field", "fields", "input", "inputs", "box", "bar", "area"), _FIELDS),
    **dict.fromkeys(("dropdown", "select", "list", "menu"), frozenset({"combobox", "listbox", "menuitem"})),
    **dict.fromkeys(("checkbox", "checkboxes", "tick"), frozenset({"checkbox", "switch"})),
    **dict.fromkeys(("radio", "choice"), frozenset({"radio"})),
    **dict.fromkeys(("heading", "headings", "headline"), frozenset({"heading"})),
    **dict.fromkeys(("tab", "tabs"), frozenset({"tab"})),
}
_PATTERNS: Mapping[str, re.Pattern[str]] = {
    **dict.fromkeys(
        ("price", "prices", "cost", "costs", "amount", "total"),
        re.compile(r"[£$€¥]\s?\d|\d\s?(?:[£$€¥]|EUR|GBP|USD|CHF)\b", re.IGNORECASE),
    ),
    **dict.fromkeys(("email", "mail"), re.compile(r"[\w.+-]+@[\w-]+\.\w")),
    **dict.fromkeys(("phone", "telephone"), re.compile(r"\+?\d[\d\s()/-]{6,}\d")),
    **dict.fromkeys(
        ("date", "dates", "when", "day"),
        re.compile(
            r"\d{4}-\d\d-\d\d|\d{1,2}[./]\d{1,2}[./]\d{2,4}|\b\d{1,2} [A-Z][a-z]{2,8}\b|\b[A-Z][a-z]{2,8} \d{1,2}\b"
        ),
    ),
    **dict.fromkeys(("number", "count", "many"), re.compile(r"\d")),
}


Thing = TypeVar("Thing")


class Match(NamedTuple, Generic[Thing]):
    """A thing that a description fits."""

    score: float
    """1 and more: all of its words are said in the best place."""
    thing: Thing


class _Text(NamedTuple):
    """A text in normal form, with its words."""

    text: str
    words: tuple[str, ...]
    stems: frozenset[str]


class _Said(NamedTuple):
    """Something that a thing says, and what a word that stands in it counts for."""

    text: _Text
    weight: float


def rank_candidates(description: str, candidates: Iterable[Candidate]) -> list[Match[Candidate]]:
    """Order the elements that a description may mean, the best first; of equals the first on the page."""
    return _ranked((_candidate_score(description, one), one) for one in candidates)


def rank_blocks(description: str, blocks: Iterable[Block]) -> list[Match[Block]]:
    """Order the blocks of text that may answer a description, the best first; of equals the first on the page.

    A block answers when it says every word of the description itself, by its label or by its headings, or is of the
    kind that the word means. One that says some of the words answers another question: "the price of Dracula" is not
    one of the prices of a page without Dracula. The cost: a description in words that the page does not use finds
    nothing. ``unsaid`` gives these words.
    """
    return _ranked((_block_score(description, one), one) for one in blocks if not _left_open(description, one))


def unsaid(description: str, blocks: Iterable[Block]) -> tuple[str, ...]:
    """Give the words of a description that no block of the page says."""
    words = frozenset(_asked(description).words)
    for one in blocks:
        words &= _left_open(description, one)
    return tuple(word for word in _asked(description).words if word in words)


def _left_open(description: str, one: Block) -> frozenset[str]:
    """Give the words of a description that a block neither says nor stands for."""
    said = [_text(text) for text in (one.label, one.text, *one.under)]
    return frozenset(
        word
        for word in _asked(description).words
        if (len(word) > 1 or word.isdigit())
        and not any(_likeness(word, text) for text in said)
        and not (word in _PATTERNS and _PATTERNS[word].search(one.text))
    )


def _ranked(scored: Iterable[tuple[float, Thing]]) -> list[Match[Thing]]:
    enough = [Match(round(score, 3), thing) for score, thing in scored if score >= ENOUGH]
    return sorted(enough, key=lambda match: -match.score)


def _candidate_score(description: str, one: Candidate) -> float:
    asked = _asked(description)
    name = _text(one.name)
    said = [
        _Said(name, 1.0),
        _Said(_text(" | ".join(one.hints)), 0.8),
        _Said(_text(one.href), 0.5),
        _Said(_text(" | ".join(one.near)), 0.4),
    ]
    score = _said(asked.words, said)
    if asked.words and says(name.text, " ".join(asked.words)):
        score += 0.2 * len(asked.words) / len(name.words)
    score = max(score, _same_meaning(asked, one))
    if not asked.words:
        return 0.5 if one.role in asked.wanted else _said(asked.roles, said)
    if score and asked.wanted:
        score += 0.3 if one.role in asked.wanted else 0.1 * _said(asked.roles, said) - 0.1
    return score


def _same_meaning(asked: _Asked, one: Candidate) -> float:
    """Two words for one thing: "sign in" and "Log in", an e-mail field and "Courriel"."""
    if asked.purposes:
        return 0.9 if any(says_purpose(one.name, purpose) for purpose in asked.purposes) else 0.0
    named = asked.wanted & _FIELDS or len(asked.words) <= _SHORT
    if not asked.meaning or not named or one.role not in _FIELDS:
        return 0.0
    alike = any(meaning_of_text(text) == asked.meaning for text in (one.name, *one.hints) if text)
    return 0.8 if alike else 0.0


def _block_score(description: str, one: Block) -> float:
    asked = _asked(description)
    words = asked.words
    kinds = [_PATTERNS[word] for word in words if word in _PATTERNS]
    named = [word for word in words if word not in _PATTERNS]
    text = _text(one.text)
    # A heading names what it is over, and is seldom the answer itself.
    plain = 0.6 if one.role == "heading" and "heading" not in asked.wanted else 0.9 if len(text.words) < _LONG else 0.8
    outer, over = " | ".join(one.under[:-1]), "".join(one.under[-1:])
    said = [_Said(_text(one.label), 1.0), _Said(text, plain), _Said(_text(over), 0.85), _Said(_text(outer), 0.5)]
    shown = any(kind.search(one.text) for kind in kinds)
    if kinds:
        # What is of the kind asked for, or says its name.
        of_kind = max(0.9 if shown else 0.0, _said([word for word in words if word in _PATTERNS], said[:2]) * 0.7)
        score = of_kind if not named else (of_kind + _said(named, said)) / 2 if of_kind else 0.0
    else:
        score = _said(named, said) if named else 0.0
    if "heading" in asked.wanted:
        score = max(score, 0.8 if not words else score + 0.3) if one.role == "heading" else 0.0
    # Of what says it as well, the shorter says it more plainly; of what is under one heading, the first.
    plainly = shown or _said(words, said[:2])
    return score + 0.1 / max(1, len(text.words)) if score and plainly else score


class _Asked(NamedTuple):
    """A description, understood."""

    words: tuple[str, ...]
    """What the thing says."""
    roles: tuple[str, ...]
    """The words for what kind of thing it is."""
    wanted: frozenset[str]
    """The roles that these stand for."""
    purposes: tuple[str, ...]
    meaning: str | None


@lru_cache(maxsize=256)
def _asked(description: str) -> _Asked:
    every = normal(description).split()
    words = [word for word in every if word not in _STOP] or every
    roles = tuple(word for word in words if word in _ROLE_WORDS)
    return _Asked(
        words=tuple(word for word in words if word not in _ROLE_WORDS),
        roles=roles,
        wanted=frozenset[str]().union(*(_ROLE_WORDS[word] for word in roles)),
        purposes=tuple(
            purpose for purpose in phrases("purposes") if purpose not in _OF_MANY and says_purpose(description, purpose)
        ),
        meaning=meaning_of_text(description),
    )


def _said(words: Sequence[str], said: Sequence[_Said]) -> float:
    """How much of some words is said: 1 where all stand in the texts of the greatest weight."""
    if not words:
        return 0.0
    return sum(max((_likeness(word, one.text) * one.weight for one in said), default=0.0) for word in words) / len(
        words
    )


def _likeness(word: str, text: _Text) -> float:
    if says(text.text, word):
        return 1.0
    if _stem(word) in text.stems:
        return 0.9
    return 0.6 if len(word) >= 4 and any(part.startswith(word) for part in text.words) else 0.0


@lru_cache(maxsize=8192)
def _text(given: str) -> _Text:
    text = normal(given)
    words = tuple(text.split())
    return _Text(text, words, frozenset(map(_stem, words)))


@lru_cache(maxsize=4096)
def _stem(word: str) -> str:
    for ending in ("ings", "ing", "ies", "es", "ed", "s"):
        if word.endswith(ending) and len(word) - len(ending) >= 3:
            return word[: -len(ending)] + ("y" if ending == "ies" else "")
    return word.removesuffix("e") if len(word) > 4 else word
