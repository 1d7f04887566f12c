"""What a page shows somebody who looks at a site for the first time. Not responsible for: reading it (``page/``)."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict

from simulator.browser.views.reading import FormInfo


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class SurveyedLink(_Value):
    """A link, seen or in a menu that is closed."""

    words: str
    href: str
    """Relative to the site where it leads there."""
    does: bool
    """Whether it says of itself that following it is more than reading."""
    place: str
    """Landmark that it stands in, such as ``navigation``; empty for none."""
    card: int
    """Number of the row, list item or article that it stands in; 0: none."""
    shown: bool


class SurveyedButton(_Value):
    """A button, seen or in a menu that is closed."""

    ref: str
    words: str
    form: str
    """Reference of its form; empty for none."""
    place: str
    card: int
    shown: bool
    leads: bool
    """Whether it sends its form elsewhere than the form says."""
    sends: bool
    """Whether it sends a form by itself."""


class FieldLimits(_Value):
    """What a field says it takes, beside what :class:`FieldInfo` has."""

    ref: str
    pattern: str
    minlength: int
    step: str
    mode: str
    """Which keyboard it asks for, such as ``decimal``: what a script checks has no type of its own."""
    help: str
    """What describes it."""


class FormSurvey(_Value):
    """What is read of a form besides its fields."""

    ref: str
    search: bool
    """Whether its role is to search."""
    override: str
    """The method that it means, where a hidden field says another one than it is sent by."""
    sent_to: str
    """The address, relative to the site where it is sent there."""
    says_action: bool
    """Whether the page says where it is sent, or leaves that to a script or to its own address."""
    waiting: tuple[str, ...]
    """Names of buttons that send it once something has been put in: they are disabled until then."""
    place: str
    card: tuple[str, ...]
    """Texts of the row, list item or article that it stands in."""
    limits: tuple[FieldLimits, ...]


class SurveyedForm(FormInfo):
    """A form."""

    more: FormSurvey


class Survey(_Value):
    """A page."""

    address: str
    """Relative to the site."""
    title: str
    language: str
    """BCP 47 tag that the page names; empty for none."""
    heading: str
    kind: str
    """Media type of the document."""
    links: tuple[SurveyedLink, ...]
    buttons: tuple[SurveyedButton, ...]
    items: tuple[SurveyedButton, ...] = ()
    """What is pressed and is no link, button or field, as the items of a menu may be."""
    forms: tuple[SurveyedForm, ...]
