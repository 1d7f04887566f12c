"""What was seen on a site: pages, and what was not looked at. Not responsible for: looking, or what follows from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Literal

from simulator.browser.views.reading import FieldInfo
from simulator.browser.views.survey import Survey, SurveyedForm
from simulator.runner.surveying.addresses import plain, says_new, shape_of, steps_of
from simulator.tools.pages.meanings import Meaning, meaning_of
from simulator.tools.pages.vocabulary import says_one, says_purpose

FormKind = Literal["search", "account", "press", "address", "choice", "writes"]
"""What a form is for: to search, to log in or register, to press, to leave an address, to choose, to write."""
_TYPED = frozenset({"text", "textarea", "email", "url", "number", "tel", "date", "datetime-local", "time", "month", ""})
_PROSE = frozenset({"text", "textarea", ""})


@dataclass(frozen=True, slots=True)
class PageSeen:
    """A page as it was looked at."""

    survey: Survey
    status: int
    asked: str
    """The address that was asked for, relative to the site."""
    source: str
    """Address of the page whose link was followed; empty for the first one."""
    words: str
    """What that link says."""
    logged_in: bool
    opened_by: str = ""
    """What the button says that opened a part of it; empty: it is the page as it loads."""

    @property
    def address(self) -> str:
        """Where it is, as a person would write it down."""
        return plain(self.survey.address)

    @property
    def way(self) -> str:
        """The address by which one comes there: a site may lead on, below that, to what it draws for each visit."""
        asked = plain(self.asked)
        return asked if self.address.startswith(f"{asked.rstrip('/')}/") and asked.strip("/") else self.address

    @property
    def shape(self) -> str:
        """What pages of its kind have in common."""
        return shape_of(self.address)


@dataclass(slots=True)
class Seen:
    """All that was seen of a site."""

    pages: list[PageSeen] = field(default_factory=list)
    held: Counter[str] = field(default_factory=Counter)
    """Requests that write, which pages sent of themselves and which were held back."""
    left: Counter[str] = field(default_factory=Counter)
    """Links that were not followed, by the reason."""
    ended: str = ""
    """Why there was more to see; empty where all was seen."""
    login_needed: set[str] = field(default_factory=set)
    """Addresses that led to the login instead."""
    logged_in_as: str = ""
    """With whom somebody was logged in."""
    login_failed: str = ""
    """Why nobody was, where an account was given."""
    registered: str = ""
    """Who was registered, where that was asked for."""

    def forms(self) -> Iterator[FormSeen]:
        """Give every form of every page."""
        return (FormSeen(page, form) for page in self.pages if page.status < 400 for form in page.survey.forms)


@dataclass(frozen=True, slots=True)
class FormSeen:
    """A form on a page."""

    page: PageSeen
    form: SurveyedForm

    def meaning(self, field: FieldInfo) -> Meaning | None:
        """Give what a field means; None where nothing about it is known."""
        return meaning_of(field)

    @property
    def fields(self) -> tuple[FieldInfo, ...]:
        """The fields that a person fills in."""
        drawn = [one.options for one in self.form.fields if one.listed and not one.hidden]
        return tuple(
            one
            for one in self.form.fields
            if not one.hidden or one.type == "file" or (_is_styled(one) and one.options not in drawn)
        )

    @property
    def typed(self) -> tuple[FieldInfo, ...]:
        """Those that one types into."""
        return tuple(one for one in self.fields if one.type in _TYPED and one.tag in ("input", "textarea"))

    @property
    def prose(self) -> tuple[FieldInfo, ...]:
        """Those that take any text."""
        return tuple(one for one in self.typed if one.type in _PROSE)

    @property
    def sends(self) -> bool:
        """Whether it is sent in order to change something, as far as the page says.

        A form that a script sends has no method of its own. Its fields then have no names, or it has a field for a
        longer text: nobody searches with one.
        """
        if self.form.method == "post":
            return True
        if not self.form.method:
            beside = [one.name for part in self.form.beside for one in part]
            return any(says_purpose(name, "save") or says_new(name) for name in beside)
        unnamed = self.form.fields and not any(one.name_attr for one in self.form.fields)
        return bool(not self.form.more.says_action and (unnamed or any(one.tag == "textarea" for one in self.fields)))

    @property
    def kind(self) -> FormKind:
        """What it is for."""
        meant = [self.meaning(one) for one in self.typed]
        if any(one.type == "password" for one in self.form.fields) or self._is_about_passwords:
            return "account"
        if len(meant) > 1 and {*meant} <= {"email", "username"}:
            return "account"
        if self.form.more.search or (meant and all(one == "search" for one in meant)) or self._says_search:
            return "search"
        if not self.fields:
            return "press"
        if not self.sends:
            return "search"
        if not self.typed:
            return "choice"
        return "address" if meant == ["email"] else "writes"

    @property
    def _says_search(self) -> bool:
        """Whether all that sends it says search: some are sent by POST."""
        named = [one.name for one in self.form.submits if one.name]
        return bool(named) and all(says_one(name, "fields", "search") for name in named)

    @property
    def _is_about_passwords(self) -> bool:
        said = (self.form.heading, self.page.survey.heading, *steps_of(self.page.address))
        return len(self.typed) <= 2 and any(says_one(text, "fields", "password") for text in said)

    @property
    def prefilled(self) -> bool:
        """Whether the first field for a text holds one already: the form changes something that is there.

        A number, or a day, is no text: the form of a new thing comes with the next one. The field behind it counts.
        """
        texts = (one.text for one in self.prose if not one.text or any(map(str.isalpha, one.text)))
        return bool(next(texts, ""))

    @property
    def signature(self) -> tuple[str, ...]:
        """What forms of one kind have in common: what their fields are called."""
        return tuple(sorted(one.name_attr or one.label or one.caption for one in self.fields))


def forms_of(page: PageSeen) -> tuple[FormSeen, ...]:
    """Give the forms of a page."""
    return tuple(FormSeen(page, form) for form in page.survey.forms)


def _is_styled(field: FieldInfo) -> bool:
    """Return whether a box or a list is drawn by something else in its place."""
    return field.type in ("checkbox", "radio", "select") or field.tag == "select"
