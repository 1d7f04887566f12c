"""What becomes of a value that a site refuses, by what the site says of it. Not responsible for: sending it again.

Numbers in the words are limits: of the value, where it is a number, of its length, where it is a text. So no language
has to be known for them. Words say what kind of value is asked for.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from simulator.agent.filling import Value
from simulator.agent.forms.guessing import Guesses, longer
from simulator.agent.reading import Field, Refusal
from simulator.date_writings import date_writing
from simulator.tools.pages.vocabulary import normal, says

_NUMBER = re.compile(r"(?<![\w.,])[-+]?\d+(?:[.,]\d+)?(?![\w])")
_ONE = re.compile(r"[-+]?\d+(?:[.,]\d+)?")


def mended(value: Value, field: Field, refusal: Refusal, guesses: Guesses, attempt: int) -> Value | None:
    """Change a value by what the site said of it; None where that says nothing that is understood.

    Args:
        value: what was refused.
        field: it was in.
        refusal: what the site said.
        guesses: draw what is put in its place.
        attempt: how often it was refused, from 1.
    """
    if refusal.kind == "taken":
        return Value(f"{value.template} {attempt + 1}", f"{value.text} {attempt + 1}")
    if not value.text or refusal.kind == "missing":
        return guesses.text(field) if not value.text else None
    if writing := date_writing("", refusal.text):
        asked = value.as_asked(writing.picture)
        return asked if asked != value else guesses.drawn("future_date").as_asked(writing.picture)
    limits = [float(found.replace(",", ".")) for found in _NUMBER.findall(refusal.text)]
    is_number = _ONE.fullmatch(value.text) is not None
    if limits and is_number and (now := _number(value, refusal, limits, attempt)) is not None:
        return now
    for kind in ("future", "past"):
        if _says(refusal.text, kind):
            return guesses.drawn("future_date" if kind == "future" else "date_of_birth")
    if limits and not is_number:
        return _length(value, [int(limit) for limit in limits], guesses)
    if not is_number and _says(refusal.text, "number"):
        inside = _ONE.search(value.text)
        return Value.literal(inside[0]) if inside and attempt == 1 else guesses.number(field)
    if is_number and attempt == 1 and "." in value.text:
        return value.with_comma()
    for kind, provider in (("date", "future_date"), ("url", "url"), ("email", "")):
        if _says(refusal.text, kind):
            return guesses.drawn(provider) if provider else Value("{{identity.email}}", guesses.email)
    return None


def _number(value: Value, refusal: Refusal, limits: list[float], attempt: int) -> Value | None:
    """Bring a number within limits; of one that it equals, to its one side and then to its other."""
    amount = float(value.text.replace(",", "."))
    low, high = min(limits), max(limits)
    if amount < low:
        wanted = low
    elif amount > high:
        wanted = high
    elif len(limits) == 1:
        wanted = low + (1 if attempt % 2 else -1)
    else:
        wanted = low if amount - low < high - amount else high  # the nearest two that are valid
    text = str(int(wanted)) if wanted.is_integer() else str(wanted)
    comma = any("," in one for one in _NUMBER.findall(refusal.text)) and "," not in value.text
    if text == value.text:
        return Value.literal(text).with_comma() if comma else None
    return Value.literal(text.replace(".", ",") if comma else text)


def _length(value: Value, limits: list[int], guesses: Guesses) -> Value | None:
    """Bring a text to a length: what is longer than all limits is cut, what is shorter is written on."""
    size = len(value.text)
    if size > max(limits) > 0:
        head, space, _ = value.text[: max(limits) + 1].rpartition(" ")
        return Value.literal(
            head if space and len(head) >= max(min(limits), max(limits) // 2) else value.text[: max(limits)]
        )
    return longer(guesses, value, min(limits)) if size < min(limits) else None


def _says(text: str, kind: str) -> bool:
    said = normal(text)
    return any(says(said, phrase) for phrase in _words()[kind])


@cache
def _words() -> Mapping[str, tuple[str, ...]]:
    known = tomllib.loads(files("simulator.agent.forms").joinpath("refusals.toml").read_text("utf-8"))
    return {kind: tuple(map(normal, phrases)) for kind, phrases in known.items()}
