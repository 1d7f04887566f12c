"""The identity: one concrete user drawn from a persona.

Responsible for the values of a user and for their being a pure function of (seed, persona, number). Every
field has a key of its own, so a new field changes no other. It draws no password: those are secrets and
belong to the vault.
"""

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from simulator.domain import data_sets
from simulator.domain.data.rows import FILES, is_below
from simulator.domain.loading import naming_now
from simulator.persona.dealing import Beside, DealtBefore, dealt_rows, draw_faked, sets_of
from simulator.persona.draws import Draw
from simulator.persona.handles import email, username
from simulator.persona.model import Persona, Traits, Viewport
from simulator.persona.names import Name, draw_name, draw_place
from simulator.persona.prose import draw_bio, draw_tagline
from simulator.row_fields import RowFields
from simulator.template import one_of

EMAIL_DOMAINS = ("example.com", "example.net", "example.org")
"""Domains that RFC 2606 reserves: no mail to them reaches anyone."""
_VIEWPORTS = ((1366, 768), (1440, 900), (1536, 864), (1920, 1080), (1280, 800))


class Row(BaseModel):
    """A row of a data set, dealt to a user: values by the names of its fields."""

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, str | int | float | bool | None]

    def values(self) -> Mapping[str, Any]:
        """Return the values by field, in the order of the data set."""
        return self.__pydantic_extra__


class Identity(BaseModel):
    """One user. Two with the same seed, persona and number are equal.

    What the packs in use deal to the user stands beside the fields, as a list for each data set: it can be read where
    the pack is not in use.
    """

    model_config = ConfigDict(frozen=True, extra="allow")
    __pydantic_extra__: dict[str, tuple[Row, ...] | tuple[str, ...]]

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
    answers: dict[str, str] = Field(default_factory=dict)
    """What the persona says to put in a form's field, by label or name."""
    naming: dict[str, RowFields] = Field(default_factory=dict)
    """Which fields of its rows name them, by data set, as the packs said when it was drawn."""

    def skips(self, field_name: str) -> bool:
        """Return whether this person leaves the optional field of that name empty."""
        return Draw(self.seed, self.persona, self.number, "skips", field_name).chance() < self.traits.skips_optional

    def dealt(self) -> Mapping[str, tuple[Row, ...] | tuple[str, ...]]:
        """Return what the user was dealt, by what the rows of each data set are called together."""
        return self.__pydantic_extra__

    def as_dealt(self) -> DealtBefore:
        """Return what the user has of the data sets, for those who are dealt rows after it."""
        dealt = {
            key: [row.values() if isinstance(row, Row) else row for row in rows] for key, rows in self.dealt().items()
        }
        return DealtBefore(
            seed=self.seed, persona=self.persona, number=self.number, dealt=dealt, username=self.username
        )

    def rows(self, name: str) -> tuple[Row, ...]:
        """Return the rows that the user was dealt of a data set; none where it has none."""
        return tuple(row for row in self._dealt_of(name) if isinstance(row, Row))

    def texts(self, name: str) -> tuple[str, ...]:
        """Return the texts that the user was dealt of a data set; none where it has none."""
        return tuple(text for text in self._dealt_of(name) if isinstance(text, str))

    def _dealt_of(self, name: str) -> tuple[Row, ...] | tuple[str, ...]:
        return next((dealt for key, dealt in self.dealt().items() if one_of(key) == name), ())

    def variables(self) -> dict[str, str]:
        """Return every value by its name in templates, such as ``identity.email`` or ``ticket.1.title``."""
        values = {f"identity.{name}": str(getattr(self, name)) for name in VARIABLES}
        for key, dealt in self.dealt().items():
            name = one_of(key)
            for place, one in enumerate(dealt, start=1):
                if isinstance(one, Row):
                    values |= {
                        f"{name}.{place}.{field}": "" if value is None else str(value)
                        for field, value in one.values().items()
                    }
                else:
                    values[f"text.{name}.{place}"] = str(one)
        return values


VARIABLES = (
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
"""Details of a user that templates name, such as ``{{identity.email}}``."""


def draw_identity(
    persona: Persona,
    *,
    seed: str | int,
    number: int,
    email_domain: str | None = None,
    before: Sequence[DealtBefore] = (),
    beside: Sequence[Beside] = (),
) -> Identity:
    """Draw person ``number`` of a persona.

    Args:
        persona: The kind of user.
        seed: The batch's seed; 7 and "7" are the same one.
        number: Which person of this persona, from 1.
        email_domain: Domain of the e-mail address, at most 40 characters; a reserved one by default.
        before: users whose rows of data sets the site may hold already: what they had is dealt last.
        beside: the personas of the others who act with the user, who are dealt other rows.

    Returns:
        The same identity whenever and wherever it is drawn.
    """
    seed = str(seed)
    key = (seed, persona.persona, number)
    locale, traits = persona.locale, persona.traits
    name = draw_name(locale, *key)
    place = draw_place(locale, *key)
    sets = sets_of(persona)
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
        answers=persona.answers,
        naming=naming_now(),
        **{key_of: dealt_rows(one, persona, key, before, beside) for key_of, one in sets.items()},
    )


def dealt_files(identity: Identity) -> Iterator[tuple[Path | None, str]]:
    """Give the files that a user was dealt: the folder of each, None where it is drawn; and its name there.

    Args:
        identity: the user; of a data set that is not in use here, nothing is known.
    """
    for data in data_sets().values():
        for row in identity.rows(data.name) if data.folder else ():
            for name, kind in data.kinds.items():
                value = str(row.values().get(name) or "")
                if kind in FILES and value and data.folder and is_below(data.folder, value):
                    yield None if kind == "picture" else data.folder, value


def draw_variable(identity: Identity, name: str) -> str:
    """Draw the value of a variable such as ``faker.company.1`` for a user: the same whenever it is drawn.

    Raises:
        ValueError: it is not one, in a sentence.
    """
    return draw_faked(identity.locale, (identity.seed, identity.persona, identity.number), name)


def alternative_username(identity: Identity, attempt: int) -> str:
    """Return the name that this person tries when ``attempt`` names (from 1) were taken."""
    first, last = identity.ascii_first_name, identity.ascii_last_name
    return username(first, last, identity.persona, identity.number, identity.seed, attempt)


def alternative_email(identity: Identity, attempt: int) -> str:
    """Return the address that this person gives when ``attempt`` addresses (from 1) were taken."""
    first, last = identity.ascii_first_name, identity.ascii_last_name
    who = (identity.persona, identity.number, identity.seed)
    return email(first, last, *who, domain=identity.email_domain, attempt=attempt)


def _display_name(name: Name, locale: str, draw: Draw) -> str:
    if locale[:2] in ("ja", "ko", "zh", "hu"):
        return f"{name.last} {name.first}"
    return draw.choice((f"{name.first} {name.last}", f"{name.first} {name.last}", f"{name.first} {name.last[0]}."))
