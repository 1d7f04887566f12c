"""What goes into a field that nobody described: by what it means, its type and its limits, in the user's language.

A value is a variable that Faker draws (``{{faker.company.1}}``) wherever one fits, so that another user draws its own.
Who the user is (name, address, telephone) is the form tool's to fill in; so are boxes and required choices. Not
responsible for: whether the site takes it (``mending``).
"""

from __future__ import annotations

import re
import tomllib
from collections import Counter
from collections.abc import Mapping
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from simulator.agent.filling import Value
from simulator.agent.forms.meeting import is_free_text, is_large
from simulator.agent.reading import Field
from simulator.date_writings import asks_date
from simulator.persona.dealing import between, like
from simulator.persona.identity import Identity, draw_variable
from simulator.tools.pages.filling import FROM_IDENTITY, fits_pattern
from simulator.tools.pages.meanings import NEVER_GUESSED
from simulator.tools.pages.vocabulary import normal, says

_TYPES: Mapping[str, str] = {
    "url": "url",
    "date": "future_date",
    "color": "hex_color",
    "number": "random_digit_not_null",
    "datetime-local": "future_date",
}
_LATER: Mapping[str, str] = {"datetime-local": "T10:30"}
"""What stands after what is drawn."""
_PLAIN: Mapping[str, str] = {"time": "10:30"}
_MEANT: Mapping[str, str] = {
    "birthday": "date_of_birth",
    "price": "random_digit_not_null",
    "country": "current_country",
}
_LEFT = frozenset({"hidden", "file", "checkbox", "switch", "range", "password", "search", "month", "week", "radio"})


class Guesses:
    """What one user puts into fields that nobody described; the same field of the same thing gets the same.

    Args:
        identity: the user.
    """

    def __init__(self, identity: Identity) -> None:
        self._identity = identity
        self._drawn: Counter[str] = Counter()
        self._given: dict[tuple[str, str], Value] = {}

    @property
    def email(self) -> str:
        """The user's address."""
        return self._identity.email

    def value(self, field: Field, of: str) -> Value | None:
        """Give what goes into a field; None where that is not known, or the form tool knows it.

        Args:
            field: nobody described it, and it is empty.
            of: what the form is about, such as which thing.
        """
        key = (of, field.name or field.id or field.label or field.ref)
        if key not in self._given and (found := self._value(field)) is not None:
            self._given[key] = found
        return self._given.get(key)

    def drawn(self, provider: str, after: str = "") -> Value:
        """Draw what a provider of Faker gives, another one each time."""
        self._drawn[provider] += 1
        name = f"faker.{provider}.{self._drawn[provider]}"
        return Value(f"{{{{{name}}}}}{after}", draw_variable(self._identity, name) + after)

    def number(self, field: Field) -> Value:
        """Give a number within the limits of a field, and by its steps."""
        low, high, step = _float(field.min), _float(field.max), _float(field.step) or 1.0
        if low is None and high is None and step == 1.0:
            return self.drawn("random_digit_not_null")
        low, high = _ends(low, high)
        if not (low.is_integer() and high.is_integer() and step == 1.0 and low >= 0):
            middle = low + step * int((high - low) / 2 / step)
            return Value.literal(str(int(middle)) if middle.is_integer() else f"{middle:.10g}")
        return self.drawn(between(int(low), int(high)))

    def text(self, field: Field) -> Value:
        """Give words, as many as a field has room for and asks for."""
        value = self.drawn("paragraph" if is_large(field) else "sentence")
        if 0 < field.maxlength < len(value.text):
            value = self.drawn("word")
            if field.maxlength < len(value.text):
                value = Value.literal(value.text[: field.maxlength])
        return longer(self, value, field.minlength)

    def _value(self, field: Field) -> Value | None:
        if field.options or field.type in _LEFT or field.meaning in NEVER_GUESSED:
            return None
        if field.meaning in FROM_IDENTITY and field.type not in ("number", "date") and self._fits(field):
            return None
        if field.dates:
            born = field.meaning == "birthday" or _asked(field) == "date_of_birth"
            return self.drawn("date_of_birth" if born else "future_date").as_asked(field.dates)
        if field.pattern:
            # Digits drawn one by one are no date, and which of them are the day the pattern does not say.
            return None if asks_date(field.pattern) and not field.required else self._patterned(field)
        if field.type in _PLAIN:
            return Value.literal(_PLAIN[field.type])
        if field.type == "number":
            return self.number(field)
        provider = _MEANT.get(field.meaning) or _asked(field) or _TYPES.get(field.type)
        if field.type in _TYPES and field.type != "number":
            provider = provider if provider in ("future_date", "date_of_birth") else _TYPES[field.type]
            return _within(self.drawn(provider, _LATER.get(field.type, "")), field)
        if provider is not None:
            value = self.drawn(provider)
            return value if not 0 < field.maxlength < len(value.text) else self.text(field)
        return self.text(field) if field.required and is_free_text(field) else None

    def _fits(self, field: Field) -> bool:
        """Return whether a field takes what the form tool would put into it."""
        known = self._identity.variables()
        meaning = next(one for one in FROM_IDENTITY if one == field.meaning)
        text = " ".join(str(known.get(name, "")) for name in FROM_IDENTITY[meaning])
        return fits_pattern(text, field.pattern)

    def _patterned(self, field: Field) -> Value | None:
        try:
            return self.drawn(like(field.pattern))
        except ValueError:
            return None


def longer(guesses: Guesses, value: Value, least: int) -> Value:
    """Write more words behind a value, until it has at least this many characters."""
    while len(value.text) < least:
        more = guesses.drawn("sentence")
        value = Value(f"{value.template} {more.template}", f"{value.text} {more.text}")
    return value


def _asked(field: Field) -> str | None:
    """Give the provider that a field asks for by its words."""
    return provider_said(field.label, field.name, field.id, field.placeholder)


def provider_said(*texts: str) -> str | None:
    """Give the provider of Faker that texts of a field ask for, by the longest phrase that is known; None: by none."""
    said = [normal(text) for text in texts if text]
    for phrase, provider in _phrases():
        if any(says(text, phrase) for text in said):
            return provider
    return None


@cache
def _phrases() -> tuple[tuple[str, str], ...]:
    known = tomllib.loads(files("simulator.agent.forms").joinpath("fakes.toml").read_text("utf-8"))
    found = [(normal(phrase), provider) for provider, phrases in known.items() for phrase in phrases]
    return tuple(sorted(dict.fromkeys(found), key=lambda pair: -len(pair[0])))


def _within(value: Value, field: Field) -> Value:
    """Bring a date within what a field takes; both are written alike, so they compare as texts."""
    if field.min and value.text < field.min:
        return Value.literal(_shifted(field.min, 1, field.max) or field.min)
    if field.max and value.text > field.max:
        return Value.literal(field.max)
    return value


def _shifted(text: str, days: int, most: str) -> str:
    """Give a day this many days after another one, as long as that is not too late."""
    found = re.fullmatch(r"(\d{4}-\d{2}-\d{2})(.*)", text)
    if found is None:
        return ""
    later = (date.fromisoformat(found[1]) + timedelta(days=days)).isoformat() + found[2]
    return "" if most and later > most else later


def _float(text: str) -> float | None:
    try:
        return float(text)
    except ValueError:
        return None


def _ends(low: float | None, high: float | None) -> tuple[float, float]:
    if low is None:
        return (high or 0.0) - 10, high or 0.0
    return low, low + 10 if high is None else high
