"""What the page's script reports of the places of a document: what they say, and what they are called.

Not responsible for: which of them shows an input (``places``).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import takewhile
from typing import Any, Final

from simulator.meaning import find_in, likeness, says_form_of, weight

LABEL = re.compile(r"^\s*([^:\n]{1,60}?)\s*:\s*(\S.*)$", re.DOTALL)
"""A text that begins with what it is called: ``Price: 3``."""
_ITEMS = re.compile(r"\s*[,;|·•]\s+|\s+[|·•/]\s+")
"""What stands between the items of a list in one line."""
_YES = frozenset((
    "yes", "true", "on", "enabled", "active", "ja", "oui", "sí", "si", "sim", "sì", "tak", "ano", "да", "はい", "是",
    "✓", "✔", "☑", "✅",
))  # fmt: skip
_NO = frozenset((
    "no", "false", "off", "disabled", "inactive", "nein", "non", "não", "nee", "nej", "nie", "ne", "нет", "否",
    "いいえ", "✗", "✘", "✕", "✖", "☐", "❌",
))  # fmt: skip
"""What pages say of a box that is not ticked."""
_SIGNS = re.compile(r"[\W_]+")
LETTERS = re.compile(r"[^\W\d_]+")
DIGITS = re.compile(r"\d+")
_WORD = 3
"""Letters from which on a run of them is a word; a character that is a syllable or a word counts twice."""
_PLURAL = 2
"""Letters at its end by which a word for several things differs from that for one."""
_COUNTED = re.compile(r"(?<![\w.,:/-])(\d+(?:[.,]\d+)?)\s+([^\W\d_]+)")
"""A number, and the word behind it."""
TELLING_DIGITS, _TELLING_LETTERS = 3, 8
"""From how many digits on a number counts at a place that is tied to what was written, whatever it is called; and
from how many letters on a single word."""


@dataclass(frozen=True, slots=True)
class Spot:
    """One place of a document."""

    kind: str
    """``text``, ``field``, ``box``, ``picture``, ``file`` that a link leads to, ``link`` out of the site."""
    text: str
    parts: tuple[str, ...]
    """The single texts of a line; the other spellings of what a field holds."""
    labels: tuple[str, ...]
    """What stands before it, beside it or above it."""
    card: int
    """Number of the card that it stands in; -1 for none."""
    says: bool
    """It says how something went, such as an alert: it may only repeat what was sent."""
    edits: bool
    """It can be edited."""
    form: str = ""
    on: bool | None = None
    searches: bool = False
    acts: bool = False
    """It is the name of a button or a link: it may show a value, and says nothing where it shows none."""
    marks: tuple[str, ...] = ()
    """What the page's markup calls it: ids and classes. Many a page has a class ``title`` on something else."""
    unsaid: bool = False
    """A list of which no option is said to be chosen: a browser shows the first one, whatever was kept."""
    links: tuple[tuple[str, str], ...] = ()
    """What the links in it are called, and the paths to which they lead."""
    path: str = ""
    """The elements that it stands in, without what was server-generated: places of one template have the same."""
    within: tuple[str, ...] = ()
    """What the page calls the elements around it that have a digit in their names, the innermost first."""
    stored: bool = False
    """It shows what the browser itself keeps for the page's scripts: that may be all that keeps it."""
    kept: bool = False
    """So may it as a plain text, or out of a database or a cache of the browser, which the page has opened."""
    stands: int = 0
    """Of a short text what names it by where it stands and what it says; 0 for what is in no menu."""
    badges: tuple[tuple[str, tuple[int, ...]], ...] = ()
    """The names of fields that it says or lists, without signs and case; for each the cards around it that have one
    beside them which does not say that."""
    look: str = ""
    """Of a picture what it looks like, of a file what is in it, as the page's script reports; empty where it cannot."""


@dataclass(frozen=True, slots=True)
class Card:
    """One of several alike parts of a document."""

    keys: tuple[str, ...]
    """Addresses and ids in it."""
    text: str
    outer: int


@dataclass(frozen=True, slots=True)
class Named:
    """A line in the main part of a document that says a name of the user."""

    text: str
    path: str
    """The elements that it stands in, as of a :class:`Spot`."""
    cards: tuple[tuple[str, ...], ...] = ()
    """Addresses and ids in each of the cards around it."""
    links: tuple[tuple[str, str], ...] = ()
    """What the links in it are called, and the paths to which they lead."""

    @property
    def spot(self) -> Spot:
        """It as a place."""
        return Spot("text", self.text, (), (), -1, says=False, edits=False, path=self.path)


MOST_OF_CARD: Final = 600
"""Characters of a card that are read, as the page script has it (``8_shown.js``)."""


@dataclass(frozen=True, slots=True)
class Reading:
    """What a document shows of what was asked for."""

    document: str
    """Names the document: another one has come where it differs."""
    url: str
    spots: tuple[Spot, ...]
    cards: tuple[Card, ...]
    partial: bool = False
    """Whether it shows more than was read."""
    named: tuple[Named, ...] = ()
    """Where it says a name of the user."""
    whole: str | None = None
    """All that it says; None where nobody has asked for that."""

    @classmethod
    def of(cls, raw: Mapping[str, Any], url: str) -> Reading:
        """Take in what the page script reports.

        Args:
            raw: as ``readShown`` gives it.
            url: absolute address of the document.
        """
        spots = tuple(
            Spot(
                one["kind"], one["text"], tuple(one["parts"]), tuple(one["labels"]), 
                one["card"], one["says"], one["edits"], one.get("form", ""), one.get("on"), one.get("searches", False),
                one.get("acts", False), tuple(one.get("marks", ())),
                one.get("unsaid", False), tuple((called, path) for called, path in one.get("links", ())),
                one.get("path", ""), tuple(one.get("within", ())), one.get("stored", False),
                one.get("kept", False), one.get("stands", 0),
                tuple((name, tuple(cards)) for name, cards in one.get("badges", ())), one.get("look", ""),
            )
            for one in raw["places"]
        )  # fmt: skip
        cards = tuple(Card(tuple(one["keys"]), one["text"], one["outer"]) for one in raw["cards"])
        named = tuple(
            Named(one["text"], one["path"], tuple(map(tuple, one["cards"])), tuple(map(tuple, one["links"])))
            for one in raw.get("named", ())
        )
        return cls(raw["document"], url, spots, cards, raw["partial"], named)

    def without_stored(self) -> Reading:
        """Give the same, where what the browser itself keeps only says how something went."""
        return self.with_said({one for one in self.spots if one.stored and not one.says})

    def with_said(self, spots: Collection[Spot]) -> Reading:
        """Give the same, where some places only say how something went."""
        if not spots:
            return self
        said = tuple(replace(one, says=True) if one in spots else one for one in self.spots)
        return replace(self, spots=said, named=tuple(one for one in self.named if one.spot not in spots))


@lru_cache(maxsize=8192)
def marked(spot: Spot) -> Spot:
    """Give a place that is tied to the thing, called by its marks, too."""
    return replace(spot, labels=(*spot.labels, *spot.marks)) if spot.marks else spot


def value_of(spot: Spot, label: str) -> str:
    """Give what a place says without what it is called."""
    if spot.kind != "text":
        return spot.text
    own = LABEL.match(spot.text)
    if own and (not label or bare_name(own.group(1)) == bare_name(label)):
        return own.group(2)
    if len(spot.parts) > 1 and bare_name(spot.parts[0]) == bare_name(label):
        return " ".join(spot.parts[1:])
    return spot.text


def named_in(spot: Spot, names: Collection[str]) -> tuple[str, str] | None:
    """Return what a text is called, and says, that begins with a name of a field: `Volume: 35`, `Volume 35 %`."""
    own = LABEL.match(spot.text) if spot.kind == "text" else None
    if own:
        return (own.group(1), own.group(2)) if is_called_as(own.group(1), tuple(names)) else None
    low = spot.text.lower() if spot.kind == "text" else ""
    name = next((name for name in names if low.startswith(f"{name.lower()} ")), "")
    return (spot.text[: len(name)], spot.text[len(name) :].strip()) if name else None


def counts_in(spot: Spot, names: Collection[str]) -> list[str]:
    """Give the numbers in a text that stand before what a field is called: of `for 3 days`, and *Days*, ``3``.

    Args:
        spot: the place.
        names: of the field. The last word of one says what is counted: *Number of guests*.
    """
    words = [told[-1].casefold() for name in names if (told := LETTERS.findall(name))]
    counted = _COUNTED.findall(spot.text) if spot.kind == "text" and words else []
    return [number for number, word in counted if any(_is_word(word.casefold(), one) for one in words)]


def _is_word(word: str, other: str) -> bool:
    """Return whether two words are one, of one thing or of several: `day` and `days`."""
    same = sum(1 for _ in takewhile(lambda pair: pair[0] == pair[1], zip(word, other, strict=False)))
    return same >= max(_WORD, len(word) - _PLURAL, len(other) - _PLURAL)


def answer_in(spot: Spot, names: Collection[str], called: str) -> tuple[str, bool | None]:
    """Return how a place is called that says whether a box is ticked, and whether it is; None where it does not say.

    Args:
        spot: the place: a box, or a text such as `Happy: yes`.
        names: of the box.
        called: which of the labels of the place is one of them; empty for none.
    """
    if spot.kind == "box":
        return called, spot.on
    own = named_in(spot, names)
    label, text = own or (called, spot.text)
    return label, says_answer(text) if spot.kind == "text" and not spot.acts else None


def says_answer(text: str) -> bool | None:
    """Return what a text says of a box that is nothing but such an answer, as *yes* is; None for any other."""
    word = text.strip(" .()[]").casefold()
    return True if word in _YES else False if word in _NO else None


def most_times(texts: Iterable[str], said: str) -> int:
    """Give how often a text says one of some texts, whatever its case and white space: of that which it says most."""
    folded = _folded(said)
    return max((folded.count(one) for text in texts if (one := _folded(text))), default=0)


@lru_cache(maxsize=64)
def _folded(text: str) -> str:
    return " ".join(text.casefold().split())


def says_another(others: Iterable[str], text: str, own: Iterable[str]) -> bool:
    """Return whether a text says one of some others, and one of some own for no other reason than that.

    A row of a title and a price is the price with words beside it, as a currency is: it says the title, too.
    """
    said = [each for each in others if is_whole((each,), text)]
    by_itself = any(find_in(one, text) and not any(find_in(one, each) for each in said) for one in own)
    return bool(said) and not by_itself


def is_whole(texts: Iterable[str], text: str) -> bool:
    """Return whether a text says one of some texts, and nothing else."""
    return any(likeness(each, text) in ("same", "transformed") for each in texts)


def said_in(text: str, as_list: bool) -> list[str]:
    """Give what a text says: itself, and, where it may be a list of what was chosen, each of that."""
    items = _ITEMS.split(text) if as_list else []
    return [text, *(items if len(items) > 1 else ())]


def is_called(spot: Spot, names: tuple[str, ...]) -> bool:
    """Whether a place is called as one of some names."""
    return not names_of(spot).isdisjoint(bares(names))


def names_of(spot: Spot) -> frozenset[str]:
    """Give what a place is called, without signs and case."""
    own = _own_label(spot.text) if spot.kind == "text" else ""
    return bares((*spot.labels, own) if own else spot.labels)


def is_called_as(label: str, names: tuple[str, ...]) -> bool:
    """Whether a label is one of some names, whatever signs and case they are written in."""
    return bare_name(label) in bares(names)


@lru_cache(maxsize=8192)
def _own_label(text: str) -> str:
    own = LABEL.match(text)
    return own.group(1) if own else ""


@lru_cache(maxsize=8192)
def bares(texts: tuple[str, ...]) -> frozenset[str]:
    """Give texts without signs and case; what is nothing but signs is no name."""
    return frozenset(map(bare_name, texts)) - {""}


@lru_cache(maxsize=8192)
def bare_name(text: str) -> str:
    """Give a name without what is no letter and no digit."""
    return _SIGNS.sub("", text).lower()


def words_in(text: str) -> list[str]:
    """Give the words of a text, without what is too short for one."""
    return [run for run in LETTERS.findall(text) if weight(run) >= _WORD]


@lru_cache(maxsize=8192)
def is_own(text: str) -> bool:
    """Return whether a text does not stand by chance at a place tied to what it went into: a number, or some words."""
    words = words_in(text)
    if not words:
        return len("".join(DIGITS.findall(text))) >= TELLING_DIGITS
    return len(words) > 1 or weight(words[0]) >= _TELLING_LETTERS


def state_in(spot: Spot, controls: Collection[str]) -> str | None:
    """Return how a place is called that says what a button does: *Status* of *Status: Published*; None for another one.

    Args:
        spot: the place.
        controls: what the button says, and is sent as.
    """
    if spot.kind != "text" or spot.acts or spot.edits:
        return None
    own = LABEL.match(spot.text)
    label, text = (own.group(1), own.group(2)) if own else ("", spot.text)  # what stands before it may be anything
    return label if any(says_form_of(each, one) for each in (text, *spot.parts) for one in controls) else None
