"""What identifies one element: the bundle of evidence taken when an action is recorded.

Not responsible for: taking it (``page.js``), or judging it (``simulator.replay.evidence.resolve``). Every text here may
be a template: values of the run's variables are written as ``{{variables}}``.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, ValidationInfo, field_validator

from simulator.canonical import EVIDENCE
from simulator.template import PLACEHOLDER

ScopeKind = Literal[
    "form", "dialog", "landmark", "card", "section", "group", "latest",
    "part", "before", "opener", "note", "description", "step",
]  # fmt: skip

NAMING: Final = frozenset({"part", "before", "opener", "note", "description", "step"})
"""Kinds of scopes that only say of what an element is: they are no parts of the page around it."""

NOTHING: Final = "nothing"
"""Option of what a pointer does: it was done where nothing is on the page, as one does to close a menu."""
_PAGE = frozenset({"html", "body"})

LINK: Final = "told_by"
"""Option of a visit: the link by which the page before showed what was new in the address, its evidence and its URL."""
LONGEST_NAME = 200
"""Characters (UTF-16) of the longest name that evidence keeps whole. The page has its twin."""
CARD_TEXT = 80
"""The same of the texts of a card."""
_SINGLE = re.compile(r"[^\W\d_]+")


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


def _without(text: str, others: Callable[[str], bool]) -> str:
    """Leave out the parts beside variables that are others' words, such as ``Red (`` of ``Red ({{identity.name}})``."""
    left, end = "", 0
    for found in PLACEHOLDER.finditer(text):
        part = text[end : found.start()]
        left, end = left + ("" if others(part) else part) + found[0], found.end()
    return left + ("" if others(text[end:]) else text[end:])


class Scope(_Value):
    """A named part of the page around the element, the nearest first in :attr:`Target.scopes`."""

    kind: ScopeKind
    """``card`` is one of several alike siblings: a row, a list item, an article. ``group`` is what asks for what is
    ticked in it. ``latest`` says that the element came to the page after all of its lookalikes. The last six,
    :data:`NAMING`, say of what an element is: a named part, the rows before its own, the card of what has opened the
    menu that it is in, the note around it, its description, the step that the page is at."""
    role: str = ""
    name: str = ""
    """Accessible name; for a section the text of its heading; for a form its name or action shape."""
    texts: tuple[str, ...] = ()
    """For a card: its texts that not every sibling has, those that distinguish it from all siblings first. For a dialog
    that asks something: what it says besides its name."""
    tells: int = 0
    """How many of :attr:`texts`, from the first, are needed to distinguish this card from its siblings; 0: none do."""
    levels: int = 0
    """For a card: how many levels of the tree it stands above the element; 0: not known."""
    gains: int = 0
    """For a card: how often more words are shown on the way to it from the element; 0: not known, as in older
    recordings."""
    separates: bool = False
    """Whether nothing nearer kept some lookalike of the element apart: it has to be around it. Older recordings do not
    say."""
    names: bool = False
    """Whether it says of what the element is, as nothing nearer does: a dialog, the panel of a tab, a heading. Words
    around the element have to be these. Older recordings do not say."""
    words: tuple[str, ...] | None = None
    """For a card: its texts in words that at least one sibling lacks, without what controls and notes say; those of
    headings and links first. None: not recorded, as in recordings that are older than this evidence."""
    titles: int = 0
    """How many of :attr:`words` headings and links show."""
    stems: tuple[str, ...] = ()
    """For a card: the single words in :attr:`words` that hold a variable besides which at least one sibling lacks, in
    lower case, without those of times and counts. Older recordings have none."""
    numbered: bool = False
    """For a card: only numbers or times distinguish it from some sibling, and it shows words, too."""

    @field_validator("stems")
    @classmethod
    def _beside_variables(cls, stems: tuple[str, ...], given: ValidationInfo) -> tuple[str, ...]:
        """Keep those that stand beside a variable: the page knows none, and others may be a user's or a secret's."""
        mixed = [text for text in given.data.get("words") or () if "{{" in text]
        beside = {word for text in mixed for word in _SINGLE.findall(PLACEHOLDER.sub(" ", text).lower())}
        return tuple(word for word in stems if word in beside)

    def for_another(self, others: Callable[[str], bool]) -> Scope:
        """Give the same card as it is sought for another user, whose things stand where those of the recorded one did.

        Words that are others' are left out; what holds a variable stays, as that says whose it is. Where a variable
        identifies the card, neither these words nor numbers have to stand there: a price or a date is another one now.

        Args:
            others: returns whether a text without variables is what somebody else's thing said.
        """
        if self.kind != "card" and self.names:
            own = tuple(text for text in self.texts if "{{" in text or not others(text))
            # Their words count, in whatever order.
            texts = tuple(_without(text, others) for text in own)
            return self.model_copy(update={"texts": texts, "names": "{{" in self.name or not others(self.name)})
        told = self.texts[: self.tells]
        if any("{{" in text for text in self.texts):
            told = tuple(text for text in told if "{{" in text or not (self._is_number(text) or others(text)))
            told = told or tuple(text for text in self.texts if "{{" in text)
        kept = [(at, text) for at, text in enumerate(self.words or ()) if "{{" in text or not others(text)]
        texts = (*told, *(text for text in self.texts if text not in told))
        words = self.words if self.words is None else tuple(text for _, text in kept)
        changed = {
            "texts": texts,
            "tells": len(told),
            "words": words,
            "titles": sum(at < self.titles for at, _ in kept),
            "stems": self._stems_of(texts, others),
        }
        return self.model_copy(update=changed)

    def _stems_of(self, texts: tuple[str, ...], others: Callable[[str], bool]) -> tuple[str, ...]:
        """Give the single words beside variables that are not others'."""
        mixed = [text for text in (*texts, *(self.words or ())) if "{{" in text]
        left = {
            word for text in mixed for word in _SINGLE.findall(PLACEHOLDER.sub(" ", _without(text, others)).lower())
        }
        return tuple(word for word in self.stems if word in left and not others(word))

    def _is_number(self, text: str) -> bool:
        """Return whether an identifying text is one of the numbers and times that are no words of the card."""
        return self.numbered and text not in (self.words or ()) and any(map(str.isdigit, text))


class Alike(_Value):
    """How many visible elements each kind of evidence fitted when it was taken; 1 means unique."""

    test_id: int = 0
    role_name: int = 0
    role_name_scoped: int = 0
    """Within the smallest named scope that made it unique, :attr:`Target.scope_depth`."""
    leads: int = 0
    """Links of its role and name that lead to an address of the same shape."""
    label: int = 0
    caption: int = 0
    name_attr: int = 0
    parts: int = 0
    plain: int = 0
    """Elements of its role by the name without signs of icon fonts."""
    submit: int = 0
    """Buttons that send its form, where it is one of them. For a reader alone: being the only one locates nothing."""
    text: int = 0
    """Of its tag, by text, picture, or name without a role: this identifies it where it has no role and name."""


class Box(_Value):
    """Where the element was, in CSS pixels of the viewport."""

    x: float
    y: float
    width: float
    height: float


class Press(_Value):
    """What pressing an element does, as far as the page says so; of a field what Enter in it does."""

    sends: str = ""
    """Method and shape of the address that a form is sent to in the end: the button's own say before the form's."""
    submitter: str = ""
    """Name and value under which a button is sent itself: ``action=publish``; without what the site generated."""
    override: str = ""
    """What servers and scripts take as another method: ``_method=delete`` of a hidden field, ``data-method=delete``."""


class FormField(_Value):
    """A field as the form around it shows it."""

    name: str = ""
    """Its ``name`` attribute."""
    role: str = ""
    type: str = ""
    label: str = ""
    group: str = ""
    """Of a radio button or a checkbox what the group around it is called; empty in older recordings, too."""
    value: str = ""
    """What such a one is sent as; empty in older recordings, too."""


class Target(_Value):
    """The evidence of one element."""

    version: int = Field(default=1, ge=1, le=EVIDENCE)
    """Of the rules by which it was taken, and is compared (:data:`simulator.canonical.EVIDENCE`)."""
    tag: str
    role: str = ""
    name: str = ""
    """Accessible name, by the rules that Playwright's role locators use."""
    type: str = ""
    """``type`` of an input or button, resolved to its default where the attribute is absent."""
    test_id: str = ""
    label: str = ""
    caption: str = ""
    """The text beside a field without a label."""
    placeholder: str = ""
    parts: str = ""
    """Of a link or a button that is a card as a whole: the texts in it that last, with a heading among them, where it
    shows counts, prices or times, too."""
    text: str = ""
    """Visible text, white space folded, at most 120 characters; never the value of a field."""
    picture: str = ""
    """What stands for an element without name and text: the symbol or shapes of its drawing (as a hash), the file of
    its image, what its style shows, or that it is an editor or opens something."""
    name_attr: str = ""
    id: str = ""
    autocomplete: str = ""
    value: str = ""
    """What a radio button, a checkbox or a button is sent as; never what a user put in."""
    in_set: str = ""
    """Which one it is of several radio buttons of one name, as they say it themselves: ``4 of 5`` of a rating."""
    member: str = ""
    """Which one it is of several members of a widget that are all alike: ``4 of 5``. It counts where pressing it set a
    field of the form."""
    group: str = ""
    """What that widget is called, or the text before it."""
    href: str = ""
    """Shape of a link's address (server-generated parts masked), relative where it stays on the site."""
    form: str = ""
    """Method and shape of the action of the form that the element belongs to: ``post /account/login``."""
    press: Press | None = None
    """None: not recorded, as in recordings that are older than this evidence. Empty: pressing it sends nothing."""
    hidden_words: str = ""
    """Of the hidden inputs that pressing it sends, or Enter in it, those that say a plain word where another form of
    the page says another one: ``kind=billing|shipping``, its own word first. Older recordings do not say."""
    column: str | None = None
    """What its column of a table is called; empty where it is in none. None: not recorded."""
    carries: str | None = None
    """The hidden inputs that a button sends with its form: names, and values that are plain words. None: not recorded,
    as in recordings that are older than this evidence."""
    fields: tuple[FormField, ...] | None = None
    """The other fields of the form of a field, and those that a button sends; None: it is in no form, or in one with
    too many, or they are not recorded."""
    offers: tuple[tuple[str, str], ...] = ()
    """What the options of a list, or the radio buttons of one name, are called and sent as, where these are short
    numbers. Older recordings have none."""
    shares: str = ""
    """What the address that it leads to, or sends to, shares with another one of its card or with the page's own: where
    the id of the thing stands, ``card`` or ``page``, and the shapes of such other addresses; a line each."""
    css: str = ""
    scopes: tuple[Scope, ...] = ()
    scope_depth: int = -1
    """Index into :attr:`scopes` of the scope in which role and name are unique; -1: the whole page."""
    alike: Alike = Alike()
    position: int = 0
    """Place among the elements of this role and name on the page, from 0."""
    frame: tuple[str, ...] = ()
    """Names or URL shapes of the frames around it, outermost first; empty for the main frame."""
    box: Box | None = None
    hidden: bool = False
    """It had no visible box: a file input under a styled button, for example."""
    secret: bool = False
    """A password, new-password or one-time-code field: what is typed there is never stored."""
    unprovable: str = ""
    """Why strict replay can never prove this element (canvas, bare body); empty when it can."""

    @property
    def called(self) -> str:
        """What a person would call it; empty where nothing stands for it."""
        return self.name or self.label or self.text or self.picture

    @property
    def naming(self) -> tuple[str, ...]:
        """The texts that distinguish it from others like it: its own, and what heads the nearest card with words."""
        card = next((scope for scope in self.scopes if scope.words), None)
        return (self.name, self.label, self.text, *((card.words or ())[: card.titles] if card else ()))

    @property
    def beside(self) -> tuple[str, ...]:
        """The texts that distinguish its cards from their siblings."""
        return tuple(word for scope in self.scopes for word in scope.words or ())

    @property
    def part(self) -> str:
        """What the part of the page is called that it stands in: a dialog, or what is under a heading."""
        return next((one.name for one in self.scopes if one.kind in ("dialog", "section") and one.name), "")

    @property
    def is_bare(self) -> bool:
        """Whether it is the page itself, where nothing is on it."""
        return self.tag in _PAGE and bool(self.unprovable)

    def for_another(self, others: Callable[[str], bool]) -> Target:
        """Give the same with its cards as they are sought for another user.

        Args:
            others: returns whether a text without variables is what somebody else's thing said.
        """
        scopes = tuple(one.for_another(others) for one in self.scopes)
        return self if scopes == self.scopes else self.model_copy(update={"scopes": scopes})

    @property
    def said(self) -> tuple[str, ...]:
        """What it is called, and what the cards around it show."""
        return (self.name, self.label, self.text, *(text for scope in self.scopes for text in scope.texts))

    @property
    def identity(self) -> tuple[object, ...]:
        """What makes two looks at a page find one and the same element, wherever it has moved."""
        own = (self.tag, self.role, self.name, self.type, self.test_id, self.label, self.name_attr, self.id, self.text)
        cards = tuple(scope.texts for scope in self.scopes if scope.kind == "card")
        return (*own, self.picture, self.value, self.in_set, self.href, self.form, self.press, self.frame, cards)

    @property
    def words(self) -> str:
        """What it is, and what it is called: by the text beside it, where it has no name but what it shows."""
        shows = self.name in ("", self.label)
        return f"{self.role or self.tag} '{(shows and self.caption) or self.called}'"


class Choice(_Value):
    """The aim was one of a collection, not that very element."""

    rule: str = Field(min_length=1)
    """In words, for example ``an entry of another user``."""
    collection: str = ""
    """How the members were identified: the link shape or the role that they share."""
    seed: str = ""
    """What the choice was drawn from."""
