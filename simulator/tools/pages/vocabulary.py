"""The words of ``vocabulary.toml``, and when a text says one. Not responsible for: what follows from that."""

from __future__ import annotations

import re
import tomllib
import unicodedata
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib.resources import files
from typing import Literal

from simulator.domain import Pack, packs_in_use

Table = Literal["fields", "options", "purposes", "mails", "marks"]


def phrases(table: Table) -> Mapping[str, tuple[str, ...]]:
    """Give the phrases of a table by their key, in the form of :func:`normal`; with those of the packs in use."""
    return _phrases(packs_in_use())[table]


@lru_cache(maxsize=8)
def _phrases(packs: tuple[Pack, ...]) -> Mapping[str, Mapping[str, tuple[str, ...]]]:
    text = files("simulator.tools.pages").joinpath("vocabulary.toml").read_text("utf-8")
    found: dict[str, dict[str, list[str]]] = tomllib.loads(text)
    for pack in packs:
        for table, more in (("fields", pack.fields()), ("options", pack.options())):
            for key, words in more.items():
                found[table][key] = [*found[table].get(key, ()), *words]
    return {
        table: {key: tuple(map(normal, words)) for key, words in entries.items()} for table, entries in found.items()
    }


@lru_cache(maxsize=4096)
def normal(text: str) -> str:
    """Reduce a text to lower-case words without accents: ``firstName``, ``First name`` and ``first_name`` agree."""
    spread = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", text)
    bare = "".join(char for char in unicodedata.normalize("NFKD", spread) if not unicodedata.combining(char))
    return " ".join(re.sub(r"[\W_]+", " ", bare.casefold()).split())


def says(text: str, phrase: str) -> bool:
    """Return whether a phrase stands in a text, both normal: by whole words, except in scripts without spaces."""
    return phrase in text if _unspaced(phrase) else f" {phrase} " in f" {text} "


def says_one(text: str, table: Table, key: str) -> bool:
    """Return whether a text says a phrase of a table."""
    said = normal(text)
    return any(says(said, phrase) for phrase in phrases(table)[key])


def says_login(buttons: Iterable[str], *addresses: str, more: Mapping[str, Iterable[str]] | None = None) -> bool:
    """Return whether a form says that it logs in, by a button or by a step of an address, and nothing of registering.

    Args:
        buttons: what its buttons say.
        addresses: of its page, and where it is sent.
        more: further phrases by purpose.
    """
    steps = (step for address in addresses for step in address.partition("?")[0].split("/") if "." not in step)
    said = [*buttons, *steps]
    login, register = (any(says_purpose(text, one, more) for text in said) for one in ("login", "register"))
    return login and not register


def says_purpose(text: str, purpose: str, more: Mapping[str, Iterable[str]] | None = None) -> bool:
    """Return whether the text of a link or a button names a purpose.

    Args:
        text: as it is shown.
        purpose: a key of the table ``purposes``.
        more: further phrases by purpose.
    """
    said = normal(text)
    known = [*phrases("purposes")[purpose], *map(normal, (more or {}).get(purpose, ()))]
    return any(says(said, phrase) for phrase in known)


@cache
def _unspaced(phrase: str) -> bool:
    return any("\u3040" <= char <= "\u9fff" or "\uac00" <= char <= "\ud7ff" for char in phrase)
