"""The identity: one concrete user drawn from a persona.

Responsible for the values of a user and for their being a pure function of (seed, persona, number). Every
field has a key of its own, so a new field changes no other. It draws no password: those are secrets and
belong to the vault.
"""

from pydantic import BaseModel, ConfigDict, Field

from simulator.persona.books import Book, draw_book
from simulator.persona.dealing import deal
from simulator.persona.draws import Draw
from simulator.persona.handles import email, username
from simulator.persona.model import Persona, Traits, Viewport
from simulator.persona.names import Name, draw_name, draw_place
from simulator.persona.prose import about_listing, compose_message, draw_bio, draw_tagline, mistype
from simulator.persona.tasks import MessageSeller

EMAIL_DOMAINS = ("example.com", "example.net", "example.org")
"""Domains that RFC 2606 reserves: no mail to them reaches anyone."""
_VIEWPORTS = ((1366, 768), (1440, 900), (1536, 864), (1920, 1080), (1280, 800))


class Identity(BaseModel):
    """One user. Two with the same seed, persona and number are equal."""

    model_config = ConfigDict(frozen=True, extra="forbid")

    persona: str
    number: int
    """Which person of the persona, from 1."""
    seed: str
    locale: str
    timezone: str
    viewport: Viewport
    username: str
    email: str
    email_domain: str
    display_name: str
    first_name: str
    last_name: str
    ascii_first_name: str
    ascii_last_name: str
    city: str
    street: str
    postcode: str
    phone: str
    bio: str
    tagline: str
    traits: Traits
    books: tuple[Book, ...] = ()
    messages: tuple[str, ...] = ()
    """What they write to sellers, in order; none of it names a listing."""
    answers: dict[str, str] = Field(default_factory=dict)
    """What the persona says to put in a form's field, by label or name."""

    def skips(self, field_name: str) -> bool:
        """Tell whether this person leaves the optional field of that name empty."""
        return Draw(self.seed, self.persona, self.number, "skips", field_name).chance() < self.traits.skips_optional

    def message(self, n: int) -> str:
        """Return what they write in their ``n``-th message (from 1), without naming a listing."""
        if 0 < n <= len(self.messages):
            return self.messages[n - 1]
        key = (self.seed, self.persona, self.number, "message", n)
        return compose_message(name=self.first_name, traits=self.traits, locale=self.locale, key=key)

    def message_text(self, n: int, listing_title: str) -> str:
        """Return their ``n``-th message (from 1), about a listing.

        It ends in the variable ``text.message.n`` and the words before it are the same for the whole
        persona but for the title, so a recording of it can be bound to another person and another listing.
        """
        return about_listing(listing_title, locale=self.locale) + self.message(n)

    def variables(self) -> dict[str, str]:
        """Return every value by its name in templates, such as ``identity.email`` or ``book.1.title``."""
        values = {f"identity.{name}": str(getattr(self, name)) for name in _VARIABLES}
        for place, book in enumerate(self.books, start=1):
            values |= {f"book.{place}.{name}": str(value) for name, value in book}
        values |= {f"text.message.{n}": text for n, text in enumerate(self.messages, start=1)}
        return values


_VARIABLES = (
    "username",
    "email",
    "display_name",
    "first_name",
    "last_name",
    "city",
    "street",
    "postcode",
    "phone",
    "bio",
    "tagline",
)


def draw_identity(persona: Persona, *, seed: str | int, number: int, email_domain: str | None = None) -> Identity:
    """Draw person ``number`` of a persona.

    Args:
        persona: The kind of user.
        seed: The batch's seed; 7 and "7" are the same one.
        number: Which person of this persona, from 1.
        email_domain: Domain of the e-mail address, at most 40 characters; a reserved one by default.

    Returns:
        The same identity whenever and wherever it is drawn.
    """
    seed = str(seed)
    key = (seed, persona.persona, number)
    locale, traits = persona.locale, persona.traits
    name = draw_name(locale, *key)
    place = draw_place(locale, *key)
    domain = email_domain or Draw(*key, "email_domain").choice(EMAIL_DOMAINS)
    width, height = Draw(*key, "viewport").choice(_VIEWPORTS)
    return Identity(
        persona=persona.persona,
        number=number,
        seed=seed,
        locale=locale,
        timezone=persona.zone,
        viewport=persona.viewport or Viewport(width=width, height=height),
        username=username(name.ascii_first, name.ascii_last, *key[1:], seed),
        email=email(name.ascii_first, name.ascii_last, *key[1:], seed, domain=domain),
        email_domain=domain,
        display_name=_display_name(name, locale, Draw(*key, "display_name")),
        first_name=name.first,
        last_name=name.last,
        ascii_first_name=name.ascii_first,
        ascii_last_name=name.ascii_last,
        city=place.city,
        street=place.street,
        postcode=place.postcode,
        phone=place.phone,
        bio=draw_bio(name=name.first, city=place.city, locale=locale, key=(*key, "bio")),
        tagline=draw_tagline(locale=locale, key=(*key, "tagline")),
        traits=traits,
        books=tuple(
            draw_book(title, prices=persona.tastes.price, traits=traits, locale=locale, key=(*key, "book", place))
            for place, title in enumerate(deal(persona, seed=seed, number=number), start=1)
        ),
        messages=_messages(persona, name.first, key),
        answers=persona.answers,
    )


def alternative_username(identity: Identity, attempt: int) -> str:
    """Return the name that this person tries when ``attempt`` names (from 1) were taken."""
    first, last = identity.ascii_first_name, identity.ascii_last_name
    return username(first, last, identity.persona, identity.number, identity.seed, attempt)


def alternative_email(identity: Identity, attempt: int) -> str:
    """Return the address that this person gives when ``attempt`` addresses (from 1) were taken."""
    first, last = identity.ascii_first_name, identity.ascii_last_name
    who = (identity.persona, identity.number, identity.seed)
    return email(first, last, *who, domain=identity.email_domain, attempt=attempt)


def _messages(persona: Persona, name: str, key: tuple[str | int, ...]) -> tuple[str, ...]:
    traits, locale = persona.traits, persona.locale
    given = [task.text for task in persona.tasks if isinstance(task, MessageSeller) for _ in range(task.count)]
    return tuple(
        mistype(text, traits.typo_rate, (*key, "message", n))
        if text
        else compose_message(name=name, traits=traits, locale=locale, key=(*key, "message", n))
        for n, text in enumerate(given, start=1)
    )


def _display_name(name: Name, locale: str, draw: Draw) -> str:
    if locale[:2] in ("ja", "ko", "zh", "hu"):
        return f"{name.last} {name.first}"
    return draw.choice((f"{name.first} {name.last}", f"{name.first} {name.last}", f"{name.first} {name.last[0]}."))
