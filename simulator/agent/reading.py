"""What tools answer about a page, as values. Not responsible for: calling the tools."""

from __future__ import annotations

from pydantic import BaseModel, ConfigDict, JsonValue

from simulator.agent.words import same


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="ignore")


class Page(_Value):
    """Where one is, and what the page says of itself."""

    url: str = ""
    title: str = ""
    status: int = 0
    alerts: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()

    @staticmethod
    def of(data: JsonValue) -> Page:
        """Take the page out of a tool's answer."""
        told = data.get("page", data) if isinstance(data, dict) else {}
        return Page.model_validate(told)


class Link(_Value):
    """One link."""

    ref: str
    name: str = ""
    href: str = ""
    card: tuple[str, ...] = ()


class Button(_Value):
    """One button."""

    ref: str
    name: str = ""
    disabled: bool = False
    pressed: str = ""
    form: str = ""
    card: tuple[str, ...] = ()


class Control(_Value):
    """Something to press: a link or a button."""

    ref: str
    name: str
    card: tuple[str, ...] = ()
    pressed: str = ""
    is_button: bool = False

    @staticmethod
    def of(found: Link | Button) -> Control:
        """Make a control of what was read."""
        if isinstance(found, Link):
            return Control(ref=found.ref, name=found.name, card=found.card)
        return Control(ref=found.ref, name=found.name, card=found.card, pressed=found.pressed, is_button=True)


class Field(_Value):
    """One field of a form."""

    ref: str
    type: str = ""
    label: str = ""
    name: str = ""
    group: str = ""
    meaning: str = ""
    required: bool = False
    options: tuple[str, ...] = ()
    min: str = ""
    max: str = ""
    maxlength: int = 0

    @property
    def called(self) -> str:
        """What the field is called."""
        return self.name or self.label


class Submit(_Value):
    """A button that sends a form."""

    ref: str
    name: str = ""


class Form(_Value):
    """One form."""

    ref: str
    name: str = ""
    heading: str = ""
    method: str = ""
    action: str = ""
    """Shape of the address it is sent to."""
    fields: tuple[Field, ...] = ()
    submits: tuple[Submit, ...] = ()

    def asking(self, meaning: str) -> Field | None:
        """Give the field of a meaning, or else the one that is called so."""
        meant = (field for field in self.fields if field.meaning == meaning)
        return next(meant, next((field for field in self.fields if same(field.label, meaning)), None))


class MailCode(_Value):
    """A code, or another value that a mail brings."""

    value: str


class MailLink(_Value):
    """A link of a mail."""

    leads_to: str


class Mail(_Value):
    """A mail."""

    subject: str = ""
    codes: tuple[MailCode, ...] = ()
    links: tuple[MailLink, ...] = ()


class Refusal(_Value):
    """What a site says is wrong with a field."""

    field: str = ""
    label: str = ""
    meaning: str = ""
    text: str = ""

    @staticmethod
    def all_of(data: JsonValue) -> tuple[Refusal, ...]:
        """Take what was refused out of the answer of a tool that failed."""
        errors = data.get("errors", []) if isinstance(data, dict) else []
        return tuple(Refusal.model_validate(error) for error in errors) if isinstance(errors, list) else ()
