"""Things: what users make on a site, and what is done with it there. Not responsible for: doing it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, WithJsonSchema, model_validator


def _way(value: str) -> str:
    if not value.strip():
        raise ValueError("expected an address such as '/tickets/new', or the words of a link, found nothing")
    if value.startswith("//") or "://" in value:
        raise ValueError(f"expected a path that begins with one '/', or the words of a link, found {value!r}")
    return value


Way = Annotated[str, AfterValidator(_way)]
"""How one gets to a page: its address on the site, the name of a route, or the words of a link or a button."""
Words = Annotated[str, Field(min_length=1)]


def _asked(value: Any) -> tuple[str, ...] | dict[str, str]:
    """Check the columns of a row that a form asks for, which may be said with what the fields are called."""
    if isinstance(value, Mapping) and all(
        isinstance(one, str) and one.strip() for pair in value.items() for one in pair
    ):
        return dict(value)
    if isinstance(value, list | tuple) and all(isinstance(one, str) and one.strip() for one in value):
        return tuple(value)
    raise ValueError(
        'expected columns such as ["title", "price"], or with what the field of the form is called, such as '
        f'{{ title = "Subject" }}, found {value!r}'
    )


Asked = Annotated[
    Any,
    AfterValidator(_asked),
    WithJsonSchema({"anyOf": [{"type": "array", "items": {"type": "string"}}, {"type": "object"}]}),
]


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


class Edit(_Part):
    """How a thing is changed."""

    fields: Annotated[tuple[Words, ...], Field(min_length=1)]
    """What of it is changed: what the fields of the form are called, or mean."""
    by: Way = "edit"
    """What leads to the form, beside the thing or on its page."""
    submit: Words | None = None
    """What the button says that sends the form, where it has several that save; None: as where the thing is made."""


class Reaction(_Part):
    """Something that others press, such as a vote."""

    button: Words
    """What it says, or means."""
    once: bool = False
    """Whether it is offered for as long as it has not been pressed."""


class Message(_Part):
    """What others write about a thing."""

    field: Words = "message"
    """What the field is called that it goes into, or means."""
    data: str = ""
    """The data set that the texts are from."""
    by: Words | None = None
    """What leads from the thing's page to the form, or means it, where the form is on another page."""
    said: Words | None = None
    """What the site says, or means, when it took one that only its receiver sees; None: the page shows the text."""


class SiteThing(_Part):
    """A thing as a section of ``sim.toml`` says it: ``[site.NAME.things.ticket]``."""

    create: Way | None = None
    """Where it is made."""
    list: Way | None = None
    """Where all of the user's are listed."""
    data: str = ""
    """The data set that its rows are from, one row for each thing."""
    fields: Asked = ()
    """What the form that makes it asks for: columns of the rows. The first one names the thing, where the data set does
    not say which one does. A table says what the field is called that a column goes into. Where nothing is given, every
    column goes into the field that it fits."""
    submit: Words | None = None
    """What the button says that sends the form, where the form has several that save."""
    edit: Edit | None = None
    delete: bool | Way = False
    """Whether it can be deleted; or what does so, where that does not say delete."""
    react: tuple[Reaction, ...] = ()
    message: Message | None = None

    @property
    def columns(self) -> tuple[str, ...]:
        """The columns that ``fields`` names."""
        return tuple(self.fields)

    @property
    def called(self) -> Mapping[str, str]:
        """What the fields are called that columns go into, as far as ``fields`` says it."""
        return self.fields if isinstance(self.fields, dict) else {}

    @property
    def deleting(self) -> str:
        """What deletes it; empty where nothing does."""
        return self.delete if isinstance(self.delete, str) else "delete" if self.delete else ""


class Thing(SiteThing):
    """What users of a pack make and others deal with."""

    name: str
    """One of them: ``ticket``. A section ``things.ticket`` of a site says what is otherwise there."""
    made_by: str = ""
    """The task that makes it; empty: none does."""
    making: str = ""
    """The task in words, as in ``user 3 did not file ticket 2``: ``file ticket``; empty: by its name."""
    variable: str = ""
    """The variable of its user that others know it by, with ``{index}`` for which one it is, such as
    ``ticket.{index}.title``; empty: the task and the index."""

    @model_validator(mode="after")
    def _named(self) -> Self:
        if not self.name.isidentifier():
            raise ValueError(f"expected a name of letters, digits and '_' for a thing, found {self.name!r}")
        return self

    def known_as(self, user: int, index: int) -> str:
        """Give the variable by which another user of the batch knows it.

        Args:
            user: its user's place in the batch, from 1.
            index: which one, from 1.
        """
        own = self.variable.format(index=index) if self.variable else f"{self.made_by}.{index}"
        return f"user.{user}.{own}"

    @property
    def in_words(self) -> str:
        """The task that makes one, in words."""
        return self.making or self.made_by.replace("_", " ")

    def on(self, section: SiteThing | None) -> Thing:
        """Give the thing as it is on a site.

        Args:
            section: what the site says of it; None: nothing.
        """
        own = section.model_fields_set if section else ()
        return self.model_copy(update={name: getattr(section, name) for name in own})
