"""What follows from a look at a site: things, ways and open questions. Not responsible for: inferring them."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(slots=True)
class FoundField:
    """A field of the form that makes a thing, and what of a row goes into it."""

    column: str
    """Name in the data set."""
    label: str
    """As the page calls it."""
    told: str
    """What it takes, in words: type, limits, whether it is required."""
    rule: str = ""
    """How its value is made; empty: nobody knows, or it is left as it is."""
    question: str = ""
    required: bool = False
    by_name: bool = True
    """Whether the column is called as the field is: by its name or its label."""
    meaning: str = ""
    prose: bool = False
    """Whether it takes any text."""
    most: int = 0
    """Characters that it takes; 0: no limit is given."""
    is_long: bool = False
    """Whether that may have several lines."""


@dataclass(slots=True)
class FoundThing:
    """Something that users make."""

    name: str
    create: str
    """Address of the form, or words of what opens it."""
    fields: list[FoundField]
    seen_at: str
    """Address of the page that the form was seen on."""
    listed_at: str = ""
    submit: str = ""
    """What the button says that sends the form, where that is not the only one in it."""
    edit: str | None = None
    """What leads to the form that changes it; None: nothing was seen."""
    edit_submit: str = ""
    """What the button says that saves a change, where it is not the one that makes a thing."""
    delete: bool | str = False
    react: list[str] = field(default_factory=list)
    message: str = ""
    """What the field is called that others write about it in."""
    message_field: FoundField | None = None
    questions: dict[str, list[str]] = field(default_factory=dict)
    """By the key that they are about; empty: about the thing as a whole."""

    def ask(self, key: str, question: str) -> None:
        """Add an open question about a key."""
        self.questions.setdefault(key, []).append(question)


@dataclass(slots=True)
class Findings:
    """All that follows from a look."""

    things: list[FoundThing] = field(default_factory=list)
    routes: dict[str, str] = field(default_factory=dict)
    logged_in: tuple[str, str] | None = None
    """Role and name of what only somebody who is logged in sees; None: what is usual will do, or nothing was seen."""
    language: str = ""
    questions: list[str] = field(default_factory=list)
    """About the site as a whole."""
    passed_over: list[str] = field(default_factory=list)
    """Forms that were taken for nothing of the kind, and why."""
