"""What Faker gives, drawn by a key: for data sets, and for variables such as ``{{faker.company.1}}``.

Faker is imported when something is first drawn: that takes a quarter of a second.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from datetime import date, time
from decimal import Decimal
from difflib import get_close_matches
from functools import cache
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from faker import Generator

_NO_PROVIDERS = frozenset(
    {
        "add_provider",
        "del_arguments",
        "format",
        "get_arguments",
        "get_formatter",
        "get_providers",
        "parse",
        "provider",
        "providers",
        "random",
        "seed",
        "seed_instance",
        "set_arguments",
        "set_formatter",
        "unique",
    }
)
"""What a generator of Faker has besides providers."""


class NoSuchFake(ValueError):
    """Faker gives nothing by this name, or not with these arguments: why, in a sentence."""


@cache
def generator_of(locale: str) -> Generator:
    """Give what draws in the language of a locale that Faker knows; it is seeded again for every draw."""
    from faker.factory import Factory

    return Factory.create(locale)


def fake(
    locale: str, provider: str, args: Sequence[Any] = (), kwargs: Mapping[str, Any] | None = None, *, seed: int
) -> str | int | float:
    """Draw what a provider gives; of several lines, they stand beside each other.

    Args:
        locale: in whose language; one that Faker knows.
        provider: such as ``company``.
        args: what it takes.
        kwargs: what it takes by name.
        seed: of the draw.

    Raises:
        NoSuchFake: there is no such provider, or it does not take these arguments, or gives nothing to write.
    """
    generator = generator_of(locale)
    draw = _provider(generator, provider)
    generator.seed_instance(seed)
    try:
        value = draw(*args, **(kwargs or {}))
    except (TypeError, ValueError, AttributeError) as error:
        raise NoSuchFake(f"faker.{provider} does not take these arguments: {error}") from None
    if isinstance(value, bool) or not isinstance(value, str | int | float | Decimal | date | time):
        raise NoSuchFake(f"faker.{provider} gives no text, number or date")
    if isinstance(value, int | float):
        return value
    text = value.isoformat() if isinstance(value, date | time) else str(value)
    return ", ".join(text.split("\n"))


def _provider(generator: Generator, name: str) -> Callable[..., Any]:
    found: Callable[..., Any] | None = getattr(generator, name, None)
    if callable(found) and not name.startswith("_") and name not in _NO_PROVIDERS:
        return found
    known = [one for one in dir(generator) if not one.startswith("_") and one not in _NO_PROVIDERS]
    near = get_close_matches(name, known, n=1)
    raise NoSuchFake(f"Faker has no provider '{name}'" + (f"; did you mean 'faker.{near[0]}'?" if near else ""))
