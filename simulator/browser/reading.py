"""What an agent reads of a page: forms, fields, links, buttons. Not responsible for: reading them (``page/``).

References (``ref``) address what was read on that very page; they are never stored.
"""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


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
    hidden: bool
    secret: bool
    caption: str
    """Text beside a field that has no label."""


class ButtonInfo(_Value):
    """Something that submits a form."""

    ref: str
    name: str


class FormInfo(_Value):
    """One form of a page."""

    ref: str
    name: str
    action: str
    """Shape of the address it is sent to."""
    method: str
    heading: str
    fields: tuple[FieldInfo, ...]
    submits: tuple[ButtonInfo, ...]


class LinkInfo(_Value):
    """One link of a page."""

    ref: str
    name: str
    href: str
    card: tuple[str, ...]
    """Texts of the row, list item or article that it stands in."""


class PageButton(_Value):
    """One button of a page, in a form or not."""

    ref: str
    name: str
    disabled: bool
    pressed: str
    form: str
    """Reference of the form it belongs to; empty for none."""
    card: tuple[str, ...]
