"""Names and places of people, by locale, from Faker; telephone numbers from the numbering plans.

Responsible for who a person is and where they live, and for the names in ASCII from which handles are made.
Each field is drawn from a key of its own. One generator is kept for each locale and seeded again for every
field.
"""

from functools import cache
from typing import Any, NamedTuple

from simulator.domain.data.faking import generator_of
from simulator.persona.draws import Draw
from simulator.persona.locales import names_locale
from simulator.persona.phones import draw_phone


class Name(NamedTuple):
    """A first and a last name as written, and in ASCII."""

    first: str
    last: str
    ascii_first: str
    ascii_last: str


class Place(NamedTuple):
    """Where a person lives, and their telephone number."""

    city: str
    street: str
    postcode: str
    phone: str


@cache
def _to_ascii(text: str) -> str:
    from faker.decode import unidecode

    return unidecode(text)


def _drawn(locale: str, method: str, *key: str | int) -> Any:
    generator = generator_of(locale)
    generator.seed_instance(Draw(*key).integer())
    return getattr(generator, method)()


def draw_name(locale: str, *key: str | int) -> Name:
    """Draw a name; women and men are equally likely, and first and last name agree where they must."""
    gender = Draw(*key, "gender").choice(("female", "male"))
    people = names_locale(locale)
    if people == "ja_JP":
        first, _, ascii_first = _drawn(people, f"first_name_{gender}_pair", *key, "first_name")
        last, _, ascii_last = _drawn(people, "last_name_pair", *key, "last_name")
        return Name(first, last, ascii_first, ascii_last)
    first = _drawn(people, f"first_name_{gender}", *key, "first_name")
    last = _drawn(people, f"last_name_{gender}", *key, "last_name")
    return Name(first, last, _to_ascii(first), _to_ascii(last))


def draw_place(locale: str, *key: str | int) -> Place:
    """Draw a city, a street address, a postcode and a telephone number, each from its own key."""
    if locale == "it_IT":  # its cities are a set, in another order in each process; its postcodes are not
        postcode, rest = _drawn(locale, "postcode_city_province", *key, "city").split(", ", 1)
        city = rest.rsplit(" (", 1)[0]
    else:
        postcode = _drawn(locale, "postcode", *key, "postcode")
        city = _drawn(locale, "city", *key, "city")
    if locale == "ja_JP":
        street = "".join(_drawn(locale, part, *key, part) for part in ("town", "chome", "ban", "gou"))
    else:
        street = ", ".join(_drawn(locale, "street_address", *key, "street").split("\n"))
    return Place(city, street.strip(), postcode, draw_phone(locale, *key, "phone"))
