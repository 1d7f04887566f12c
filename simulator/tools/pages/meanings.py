"""What the fields of forms mean: by autocomplete token, label, name and type, in several languages.

Not responsible for: what is put into a field, which ``filling`` decides. Autocomplete tokens are those of the HTML
standard (https://html.spec.whatwg.org/#autofill).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import lru_cache
from typing import TypeAlias

from simulator.browser.views.reading import FieldInfo
from simulator.domain import Pack, packs_in_use
from simulator.tools.pages.vocabulary import normal, phrases, says, says_one

Meaning: TypeAlias = str
"""What a field may mean: a key of the table ``fields`` of the vocabulary, or of the fields of a pack."""
SECRET_MEANINGS: frozenset[Meaning] = frozenset({"password", "password_repeat", "one_time_code"})
NEVER_GUESSED: frozenset[Meaning] = SECRET_MEANINGS | {"payment"}
TICKED: frozenset[Meaning] = frozenset({"terms", "newsletter", "remember"})
"""Meanings that only a checkbox has."""

_TOKENS: Mapping[str, Meaning] = {
    "email": "email",
    "username": "username",
    "nickname": "display_name",
    "given-name": "first_name",
    "family-name": "last_name",
    "tel": "phone",
    "tel-national": "phone",
    "street-address": "street",
    "address-line1": "street",
    "postal-code": "postcode",
    "address-level2": "city",
    "country": "country",
    "country-name": "country",
    "bday": "birthday",
    "current-password": "password",
    "new-password": "password",
    "one-time-code": "one_time_code",
    "transaction-amount": "payment",
}
_MORE_OF_ADDRESS = frozenset({"address-line2", "address-line3", "address-level3", "address-level4"})
"""Tokens of what an address may have besides its street and its town."""
_FURTHER_LINE = re.compile(r"\b[2-9]$|\b(?:line|zeile|ligne|linea|regel|linha) [2-9]\b")
"""How a line of an address says that it is not the first."""
_OF_ADDRESS: frozenset[Meaning] = frozenset({"street"})
_TYPES: Mapping[str, Meaning] = {"tel": "phone", "search": "search"}


def meanings() -> tuple[Meaning, ...]:
    """Give what a field may mean, with what the packs in use know of."""
    return tuple(phrases("fields"))


@lru_cache(maxsize=8)
def _phrases(packs: tuple[Pack, ...]) -> tuple[tuple[str, Meaning], ...]:
    found = [(phrase, meaning) for meaning, known in phrases("fields").items() for phrase in known]
    return tuple(sorted(found, key=lambda pair: -len(pair[0])))


def meaning_of_text(
    text: str, more: Mapping[str, tuple[str, ...]] | None = None, *, among: Collection[Meaning] | None = None
) -> Meaning | None:
    """Give what a label or a name means, by the longest phrase known in it.

    Args:
        text: a label, a name, or the word of an agent.
        more: further phrases by meaning, such as a site section has; they win.
        among: the meanings that come into question; None: all.
    """
    said = normal(text)
    among = meanings() if among is None else among
    for meaning in meanings() if more else ():
        if meaning in among and any(says(said, normal(one)) for one in (more or {}).get(meaning, ())):
            return meaning
    return next((meaning for meaning in _meanings_said(said, packs_in_use()) if meaning in among), None)


@lru_cache(maxsize=4096)
def _meanings_said(said: str, packs: tuple[Pack, ...]) -> tuple[Meaning, ...]:
    """Give every meaning that a normal text names, the longest phrase first. Forms repeat the same few texts."""
    return tuple(dict.fromkeys(meaning for phrase, meaning in _phrases(packs) if says(said, phrase)))


def asks_code(meaning: str | None, label: str) -> bool:
    """Return whether a field takes a one-time code, also where its label says no more than that it is a code."""
    return meaning == "one_time_code" or (not meaning and says_one(label, "mails", "code"))


def repeats(field: FieldInfo) -> bool:
    """Return whether a field says that it is for what another one holds already: an address that is to be confirmed."""
    said = (field.label, field.caption, field.name_attr, field.id, field.placeholder)
    return any(says_one(text, "marks", "repeat") for text in said if text)


def meaning_of(field: FieldInfo, more: Mapping[str, tuple[str, ...]] | None = None) -> Meaning | None:
    """Give what a field means, or None when nothing about it is known.

    Args:
        field: the field.
        more: further phrases by meaning.
    """
    tokens = field.autocomplete.lower().split()
    ticked = field.type in ("checkbox", "switch")
    among = TICKED if ticked else [meaning for meaning in meanings() if meaning not in TICKED]
    said = [field.group if field.type == "radio" else field.label, field.caption]
    said += [field.name_attr, field.id, field.placeholder]
    if not ticked and any(_FURTHER_LINE.search(normal(text)) for text in said if text):
        among = [meaning for meaning in among if meaning not in _OF_ADDRESS]
    words = [meaning for text in said if text and (meaning := meaning_of_text(text, more, among=among))]
    if any(token.startswith("cc-") for token in tokens) or "payment" in words:
        return "payment"
    if field.secret or field.type == "password":
        secrets = [meaning for meaning in words if meaning in SECRET_MEANINGS]
        return "one_time_code" if "one-time-code" in tokens else (secrets or ["password"])[0]
    if field.type == "file":
        files = {meaning for pack in packs_in_use() for meaning in pack.file_fields}
        return next((meaning for meaning in words if meaning in files), None)
    if field.type == "email":
        return "email"  # whatever it is for, the browser sends nothing else
    if _MORE_OF_ADDRESS & set(tokens):
        return None
    known = [_TOKENS[token] for token in tokens if token in _TOKENS]
    typed = [_TYPES[field.type]] if field.type in _TYPES else []
    usual: list[Meaning] = ["full_name"] if "name" in tokens else []
    return next(iter([*known, *typed, *words, *usual]), None)
