"""What an agent reads of a page: tree, forms, elements, blocks of text. Not responsible for: reading them (``page/``).

References (``ref``) address what was read on that very page; they are never stored.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from pydantic import BaseModel, ConfigDict


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class FieldInfo(_Value):
    """One field of a form."""

    ref: str
    tag: str
    type: str
    role: str
    name_attr: str
    id: str
    label: str
    placeholder: str
    autocomplete: str
    required: bool
    value_set: bool
    checked: bool
    value: str
    """The value that a radio button or a checkbox stands for; empty for other fields."""
    options: tuple[tuple[str, str], ...]
    """Of a select: (value, label) of each option that can be chosen."""
    group: str
    """Of a radio button or checkbox: the name of the group it stands in."""
    accept: str
    min: str
    max: str
    maxlength: int
    """In characters; 0: no limit is given."""
    error: str
    """What the page says is wrong with it."""
    frame: str = ""
    """Of a field in whose place an editor has drawn a frame, which is written in: the reference of that."""
    hidden: bool
    secret: bool
    caption: str
    """Text beside a field that has no label."""
    refusal: str = ""
    """Why the browser itself sends no form with what the field holds now, in its own words."""
    text: str = ""
    """What stands in a field for text; empty for a secret one."""
    minlength: int = 0
    """In characters; 0: no least length is given."""
    pattern: str = ""
    """What the browser holds a text against: a regular expression of JavaScript."""
    step: str = ""
    """Between the numbers or times that the field takes."""
    help: str = ""
    """What is said of what goes into a field to write in, by its title, what describes it, and the words around it."""
    picker: bool = False
    """Whether it opens a list that a script draws, or is one."""
    listed: bool = False
    """Whether it is drawn for a list of the browser's own that nobody sees: it takes nothing but an option of that."""
    several: bool = False
    """Whether more than one can be chosen, or given."""


class ButtonInfo(_Value):
    """Something that submits a form."""

    ref: str
    name: str
    boxed: bool = False
    """Whether it says nothing, and stands in a box of the form that says something and asks nothing."""


class FormInfo(_Value):
    """One form of a page."""

    ref: str
    name: str
    action: str
    """Shape of the address it is sent to."""
    method: str
    """How it is sent; empty: it is no form of HTML, but fields with a button in one part of the page."""
    heading: str
    fields: tuple[FieldInfo, ...]
    submits: tuple[ButtonInfo, ...]
    beside: tuple[tuple[ButtonInfo, ...], ...] = ()
    """Other buttons that may send it: first those in it, then those of each larger part around it, up to its dialog."""


class LinkInfo(_Value):
    """One link of a page."""

    ref: str
    name: str
    href: str
    card: tuple[str, ...]
    """Texts of the row, list item or article that it stands in."""
    own: bool = False
    """Whether that is about nothing else than the page: an item of a toolbar, or the only article of a page."""


class PageButton(_Value):
    """One button of a page, in a form or not."""

    ref: str
    name: str
    title: str
    """What its tooltip says, where its name holds no word."""
    disabled: bool
    pressed: str
    form: str
    """Reference of the form it belongs to; empty for none."""
    card: tuple[str, ...]
    own: bool = False
    """As of a link."""
    opens: Literal["", "page", "part", "site"] = ""
    """Whether it opens a closed menu: one of what the page is about, or of what the site has everywhere; ``part``: of a
    part of the page that leads on, and other pages show whose it is."""
    holds: tuple[str, ...] = ()
    """Names of what that menu holds, where it is in the page before it is opened."""


class ClosedItem(_Value):
    """A link or a button of a menu that is closed."""

    name: str
    """Empty: what the menu holds is not in the page before it is opened."""
    opener: str
    """Reference of the control that opens the menu."""


class PageTree(_Value):
    """A page, or a part of it, as lines of roles, names, states and texts, indented by their place in it."""

    tree: str
    shown: int
    """Lines of :attr:`tree`."""
    left: int
    """Lines that did not fit."""


ElementKind = Literal[
    "button", "input", "link", "form", "field", "text", "checkbox", "radio", "select", "image", "div", "span"
]  # fmt: skip


class ElementInfo(_Value):
    """One element, and how to address it."""

    ref: str
    tag: str
    type: str
    role: str
    name: str
    text: str
    placeholder: str
    value: str
    """What stands in a field; empty for a secret one."""
    href: str
    selector: str
    """The best of :attr:`selectors`."""
    selectors: tuple[str, ...]
    """Each fits nothing else on the page; the ones that last longest first."""
    visible: bool
    enabled: bool
    label: str = ""
    form: str = ""
    """Of a form's element: the form's name."""


class Scrolled(NamedTuple):
    """How far down a page is scrolled, in CSS pixels."""

    position: int
    """Of what is in view: how much is above it."""
    view: int
    """Height of what is in view."""
    height: int
    """Of the whole."""

    @property
    def at_end(self) -> bool:
        """Whether there is nothing further down."""
        return self.position + self.view >= self.height - 1


class Elements(_Value):
    """Elements that were asked for."""

    elements: tuple[ElementInfo, ...]
    total: int
    """How many there are, those included that are beyond the limit."""


class Extent(_Value):
    """Where an element is, in CSS pixels of the viewport."""

    x: float
    y: float
    width: float
    height: float


class ElementDetail(ElementInfo):
    """Everything that is reported of one element."""

    secret: bool
    editable: bool
    checked: bool
    required: bool
    focused: bool
    attributes: dict[str, str]
    options: tuple[str, ...]
    children: int
    box: Extent
    covered_by: str
    """What lies over its middle; empty for nothing, or where that is out of view."""
    error: str
    """What the page says is wrong with it."""


class Candidate(_Value):
    """Something that a description in words may mean."""

    ref: str
    role: str
    type: str
    name: str
    href: str
    hints: tuple[str, ...]
    """Label, placeholder, title, name, id and test id, where it has them."""
    near: tuple[str, ...]
    """Texts of the card, or the name of the form, that it stands in."""


class Block(_Value):
    """A piece of a page's text."""

    ref: str
    role: str
    label: str
    """Of a field its label, of a description its term, of a row its head."""
    text: str
    under: tuple[str, ...]
    """The headings that it stands under, the outermost first."""
