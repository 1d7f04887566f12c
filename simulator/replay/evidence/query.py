"""What a page is asked for by a strict replay: the elements that some evidence locates and nothing contradicts.

Values, and how each part of the evidence is written as one. Not responsible for: which evidence locates (``resolve``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from typing import Literal, Self

from pydantic import BaseModel, ConfigDict

from simulator.browser.evidence import FormField, Scope, Target
from simulator.canonical import is_drawn
from simulator.template import PLACEHOLDER, placeholders

_NUMBER = re.compile(r"(?<!\w)\d[\d.,:]*(?!\w)")
"""A number that stands for itself in a text. The page has its twin."""
_ANY_NUMBER = r"\p{N}[\p{N}.,:]*"
_ADDRESSES = frozenset({"form", "href", "led", "sends"})
"""What of the evidence of an element is an address, with a method before it or without."""
_NUMBERED_HEADINGS = 3
"""The version of the evidence from which on a heading may say another number beside what is its user's."""

By = Literal[
    "test_id", "role", "leads", "parts", "label", "name_attr", "caption", "text", "picture", "named", "member", "bare",
    "ref",
]  # fmt: skip
Render = Callable[[str], str]


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class ScopeQuery(_Value):
    """A part of the page: a named one, or the card that shows certain texts."""

    kind: str
    role: str
    name: str = ""
    must: tuple[str, ...] = ()
    """For a card: texts that it has to show, each for itself."""
    holds: tuple[str, ...] = ()
    """For a card: values that have to stand inside its texts."""
    levels: int = 0
    """For a card: how many levels above the element it stood."""
    shape: str = ""
    """For a section whose heading says a number beside variables: what it may read with another number, as a regular
    expression of JavaScript."""

    @property
    def words(self) -> str:
        """Name it."""
        return self.name or " / ".join((*self.must, *self.holds))

    def with_address(self, change: Callable[[str], str]) -> Self:
        """Give the same with another address, where a form is called by the one that it is sent to."""
        return self.model_copy(update={"name": change(self.name)}) if self.kind == "form" else self

    @classmethod
    def of(cls, scope: Scope, render: Render, *, version: int) -> Self:
        """Compile a scope of the evidence: a card is known by the texts that distinguish it from its siblings."""
        return cls._with_texts(scope, scope.texts[: scope.tells], render, version)

    @classmethod
    def bound(cls, scope: Scope, render: Render, *, version: int) -> Self:
        """Compile a scope whose texts hold variables: these count, too."""
        speaking = (*scope.texts[: scope.tells], *(text for text in scope.texts[scope.tells :] if "{{" in text))
        return cls._with_texts(scope, speaking, render, version)

    @classmethod
    def _with_texts(cls, scope: Scope, texts: Sequence[str], render: Render, version: int) -> Self:
        """A text that is nothing but a variable, or holds none, is shown as it is; of a mixed one the variables count.

        "started by {{user.1.display_name}}, 2 votes" says who started it; the rest of it may change any day.
        """
        mixed = [text for text in texts if PLACEHOLDER.sub("", text) != text and not PLACEHOLDER.fullmatch(text)]
        return cls(
            kind=scope.kind,
            role=scope.role,
            name=render(scope.name),
            must=tuple(render(text) for text in texts if text not in mixed),
            holds=tuple(render("{{" + name + "}}") for text in mixed for name in placeholders(text)),
            levels=scope.levels,
            shape=_shape(scope.name, render) if scope.kind == "section" and version >= _NUMBERED_HEADINGS else "",
        )


def _shape(name: str, render: Render) -> str:
    """Write a heading with any numbers in the place of those that no variable stands for; empty where it has none.

    "{{ticket.1.title}} #7" is the ticket's, whatever number the site has given it.
    """
    parts, end = [], 0
    for found in PLACEHOLDER.finditer(name):
        parts += [(name[end : found.start()], False), (render(found[0]), True)]
        end = found.end()
    parts.append((name[end:], False))
    if not any(is_value for _, is_value in parts) or not any(_NUMBER.search(text) for text, own in parts if not own):
        return ""
    return "".join(
        _escaped(text) if is_value else _ANY_NUMBER.join(map(_escaped, _NUMBER.split(text))) for text, is_value in parts
    )


def _escaped(text: str) -> str:
    return re.sub(r"[\\^$.*+?()[\]{}|/]", r"\\\g<0>", text)


def plain_words(text: str, render: Render) -> str:
    """Write a text of a card without the numbers in it that stand for themselves."""
    return _NUMBER.sub("#", render(text))


def _ends_in_a_code(text: str) -> bool:
    """Return whether a text is an address whose last step looks like a code: `/notes/b8Kjvw`."""
    last = text.rstrip("/").rpartition("/")[2]
    is_capitals = last.isalpha() and last.isupper()
    return text.startswith(("/", "http")) and " " not in text and is_drawn(last) and not is_capitals


class NamedPart(_Value):
    """What the page has to call a part around an element still."""

    kind: str
    role: str = ""
    texts: tuple[str, ...]
    """Texts whose words it has to say, in whatever order; numbers and times may be others."""
    exact: bool = False
    """Whether the texts have to be there as they are."""

    @classmethod
    def of(cls, target: Target, render: Render) -> tuple[Self, ...]:
        """Compile the parts that say of what an element is.

        What is called by a number alone, such as a day, is one of the very part of that name.
        """
        exact = bool(target.name) and not any(map(str.isalpha, target.name))
        return tuple(
            cls(
                kind=scope.kind,
                role=scope.role,
                texts=tuple(render(text) for text in (scope.name, *scope.texts) if text),
                exact=exact,
            )
            for scope in target.scopes
            if scope.names and (scope.name or scope.texts)
        )


class CardWords(_Value):
    """The words that a card has to show: by them it was distinguished from its siblings."""

    role: str
    levels: int = 0
    gains: int = 0
    """How often at most more words are shown on the way to it from the element; 0: as often as they are."""
    words: tuple[str, ...] = ()
    loose: tuple[str, ...] = ()
    """Texts in which numbers that stand for themselves, written as ``#``, may be others."""
    stems: tuple[str, ...] = ()
    """Single words, in lower case, beside a variable."""

    @classmethod
    def of(cls, scope: Scope, render: Render, *, version: int) -> Self:
        """Compile the words of a card.

        Of one that holds a variable and more the variable counts, as in a scope; and the words beside it that told the
        card from a sibling. "Boats of Leeds" and "Tides of Leeds" are two things of one user. An address that ends in a
        code is drawn for each thing that is made: where other words tell the card, these count.
        """
        told = list(enumerate(scope.words or ()))
        if version > 2:
            needed = scope.texts[: scope.tells]
            told = [(at, text) for at, text in told if text in needed or not _ends_in_a_code(text)]
        titles = [text for at, text in told if at < scope.titles and "{{" not in text]
        others = [text for at, text in told if at >= scope.titles and "{{" not in text]
        whole = [render(text) for _, text in told if PLACEHOLDER.fullmatch(text)]
        loose = dict.fromkeys(plain_words(text, render) for text in others)
        return cls(
            role=scope.role,
            levels=scope.levels,
            gains=scope.gains,
            words=tuple(map(render, titles)) + tuple(whole),
            loose=tuple(loose),
            stems=scope.stems,
        )


class Renamed(_Value):
    """What has to be as recorded, beside the other fields of its form, where the ``name`` of a field is another one."""

    label: str = ""
    called: str = ""
    every: bool = False
    """Whether more fields of the form may be renamed, as all of them stand by label, role and type as recorded."""


class Query(_Value):
    """What a page is asked for: the elements that one kind of primary evidence locates and nothing contradicts."""

    by: By
    value: str
    role: str = ""
    scope: ScopeQuery | None = None
    """Where it has to be: recorded as the scope that makes it unique."""
    scopes: tuple[ScopeQuery, ...] = ()
    """Where it was, nearest first: decides between several that nothing else distinguishes."""
    must: dict[str, str] = {}
    bound: tuple[ScopeQuery, ...] = ()
    """Scopes around it whose texts hold variables: every one has to be there."""
    named: tuple[NamedPart, ...] = ()
    """Parts around it that say of what it is."""
    hidden: bool = False
    """Whether it may be invisible, as a file field under a styled button is."""
    shows: CardWords | None = None
    """What the card around it has to show."""
    also: CardWords | None = None
    """What a card nearer to it has to show, of which only words beside variables are known."""
    renamed: Renamed | None = None
    """When another ``name`` attribute is none of another field."""
    offers: tuple[tuple[str, str], ...] = ()
    """What may be chosen, and what it was sent as: two that are sent as each other by now contradict."""
    beside: tuple[FormField, ...] = ()
    """The other fields of its form: one that has the recorded name of another one now contradicts."""
    older: tuple[str, ...] = ()
    """By what the things are identified that were there before the user had made the one that this is of."""
    twins: bool = False
    """Whether of several that do the very same the one that can be reached stands for all."""

    def with_addresses(self, change: Callable[[str], str]) -> Self:
        """Give the same with other addresses.

        Args:
            change: gives the address that stands for one.
        """
        must = {key: change(value) if key in _ADDRESSES else value for key, value in self.must.items()}
        parts = {
            "scope": self.scope and self.scope.with_address(change),
            "scopes": tuple(scope.with_address(change) for scope in self.scopes),
            "bound": tuple(scope.with_address(change) for scope in self.bound),
        }
        return self.model_copy(update={"must": must, **parts})

    @property
    def words(self) -> str:
        """Say what is looked for."""
        kind = {"role": self.role, "leads": self.role, "parts": self.must.get("role", "")}.get(self.by, self.by)
        what = f"{kind} '{self.value}'"
        places = [scope.words for scope in (self.scope, *self.bound) if scope]
        where = "".join(f" in '{place}'" for place in dict.fromkeys(places) if place)
        form = f" of form '{self.must['form']}'" if self.must.get("form") else ""
        return what + where + form
