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
    own: bool = False
    """Whether its card is about nothing else than the page."""

    @property
    def apart(self) -> bool:
        """Whether it stands in a card that is about something else than the page."""
        return bool(self.card) and not self.own


class Button(_Value):
    """One button."""

    ref: str
    name: str = ""
    disabled: bool = False
    pressed: str = ""
    form: str = ""
    card: tuple[str, ...] = ()
    own: bool = False
    """Whether its card is about nothing else than the page."""
    opens: str = ""
    """Where it opens a menu that is closed: ``page``, one of what the page is about; ``site``, one of the site;
    ``part``, one of a part whose owner other pages show."""
    holds: tuple[str, ...] = ()
    """What is in that menu, as far as it is known."""

    @property
    def apart(self) -> bool:
        """Whether it stands in a card that is about something else than the page."""
        return bool(self.card) and not self.own


class Control(_Value):
    """Something to press: a link or a button."""

    ref: str
    name: str
    card: tuple[str, ...] = ()
    apart: bool = False
    """Whether it stands in a card that is about something else than the page."""
    href: str = ""
    """Where it leads, of a link."""
    pressed: str = ""
    is_button: bool = False
    opener: str = ""
    """What opened the menu that it stands in; empty: it stands in none."""
    around: str = ""
    """What the page said before that menu was opened."""

    @staticmethod
    def of(found: Link | Button) -> Control:
        """Make a control of what was read."""
        if isinstance(found, Link):
            return Control(ref=found.ref, name=found.name, card=found.card, apart=found.apart, href=found.href)
        return Control(
            ref=found.ref, name=found.name, card=found.card, apart=found.apart, pressed=found.pressed, is_button=True
        )


class Field(_Value):
    """One field of a form."""

    ref: str
    type: str = ""
    label: str = ""
    name: str = ""
    id: str = ""
    """Where it has no name."""
    group: str = ""
    placeholder: str = ""
    autocomplete: str = ""
    meaning: str = ""
    required: bool = False
    filled: bool = False
    checked: bool = False
    options: tuple[str, ...] = ()
    """What can be chosen: of a list, or of radio buttons that are one question."""
    min: str = ""
    max: str = ""
    maxlength: int = 0
    minlength: int = 0
    pattern: str = ""
    step: str = ""
    dates: str = ""
    """The picture of the dates that it asks for, such as ``dd.mm.yyyy``; empty: it asks for none, or says no order."""

    @property
    def called(self) -> str:
        """What the field is called."""
        return self.name or self.label

    @property
    def shown(self) -> str:
        """What the field is called on the page."""
        return (self.group if self.type == "radio" else self.label) or self.label or self.placeholder or self.called


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

    @property
    def questions(self) -> tuple[Field, ...]:
        """What it asks for: its fields, and radio buttons of one name as one of them."""
        found: dict[str, Field] = {}
        for field in self.fields:
            key = f"radio {field.name}" if field.type == "radio" and field.name else field.ref
            before = found.get(key)
            options = (*before.options, field.label) if before else (field.label,)
            if field.type != "radio":
                found[key] = field
            else:
                said = {
                    "options": options,
                    "required": field.required or bool(before and before.required),
                    "filled": field.checked or bool(before and before.filled),
                }
                found[key] = (before or field).model_copy(update=said)
        return tuple(found.values())

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
    kind: str = ""
    """Of what kind it is: ``taken``, ``missing``, ``invalid`` and others (``simulator.browser.views.refusals``)."""

    @staticmethod
    def all_of(data: JsonValue) -> tuple[Refusal, ...]:
        """Take what was refused out of the answer of a tool that failed."""
        errors = data.get("errors", []) if isinstance(data, dict) else []
        return tuple(Refusal.model_validate(error) for error in errors) if isinstance(errors, list) else ()
