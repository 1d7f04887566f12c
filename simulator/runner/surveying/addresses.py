"""Which addresses a first look goes to, and what they have in common. Not responsible for: going there."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Mapping
from functools import cache
from importlib.resources import files
from itertools import pairwise
from urllib.parse import parse_qsl, unquote, urlencode

from simulator.addresses import urlsplit
from simulator.agent.words import says_word
from simulator.browser.wire.withheld import keys_in
from simulator.canonical import hash_route, is_generated, url_shape
from simulator.tools.pages.vocabulary import normal, says, says_purpose

_NUMBERED = re.compile(r"([A-Za-z][A-Za-z_.-]*)\d+")
_ID = "{id}"
_PLAIN_ID = re.compile(r"\d+|[0-9a-f]{32}|[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_GUARDS = re.compile("csrf|token|nonce|authenticity", re.IGNORECASE)
"""Names under which a site puts what guards its own links and forms, another value each time."""
_TOKEN = 24
"""Characters of the shortest token that is signed, or is as good as a key; ids that are drawn have up to 22."""
_LONGEST = 1000
"""Characters of an address; a longer one is no place that people come back to."""


@cache
def _words() -> Mapping[str, tuple[str, ...]]:
    text = files("simulator.runner.surveying").joinpath("words.toml").read_text("utf-8")
    return {key: tuple(map(normal, said)) for key, said in tomllib.loads(text).items()}


def articles() -> Collection[str]:
    """Give words that stand before what something is called."""
    return _words()["articles"]


def says_new(text: str) -> bool:
    """Return whether words say that something is made there."""
    said = normal(text)
    begins = " " in said and any(says(said, phrase) for phrase in _words()["begins"])
    return begins or text.strip() in ("+", "\uff0b") or _adds(said)


def step_says_new(step: str) -> bool:
    """Return whether a step of an address says that something is made there, or may be of a form to make it."""
    said = normal(step)
    return step in ("+", "\uff0b") or _adds(said) or said in _words()["makes"]


def _adds(said: str) -> bool:
    return any(says(said, phrase) for phrase in _words()["new"])


def says_copy(text: str) -> bool:
    """Return whether words, or a step of an address, say that another one is made of what is there."""
    said = normal(text)
    return any(says(said, phrase) for phrase in _words()["copies"])


def is_of_settings(address: str) -> bool:
    """Return whether an address says that something is set there, and not that something is made."""
    steps = steps_of(address)
    return any(normal(step) in _words()["settings"] for step in steps) and not any(map(step_says_new, steps))


def unglued(name: str, texts: Collection[str]) -> str:
    """Give a name without a word that it begins with and that says that something is made: ``newticket``.

    Args:
        name: a step of an address.
        texts: what links and headings say: what is left has to be a word of theirs, as ``newt`` is none.
    """
    said = {word for text in texts for word in normal(text).split()}
    ends = {name[len(one) :] for one in _words()["new"] if name.startswith(one)}
    return max((end for end in ends if end in said or f"{end}s" in said), key=len, default=name)


def without_new(text: str) -> str:
    """Give words without those that say that something is made: ``Add a ticket`` is about ``a ticket``."""
    known = {phrase for key in ("new", "makes", "begins") for phrase in _words()[key] if " " not in phrase}
    return " ".join(word for word in normal(text).split() if word not in known)


def shape_of(address: str) -> str:
    """Give what pages of one kind have in common: ``/ticket7/edit`` and ``/ticket12/edit`` are ``/ticket{id}/edit``."""
    shape = url_shape(address)
    path, mark, rest = shape.partition("?")
    return "/".join(map(_numbered, path.split("/"))) + mark + rest


def _numbered(step: str) -> str:
    """Give what stays of a step that ends with a number: ``ticket{id}`` of ``ticket7``; nothing of ``my-ticket_7``."""
    found = _NUMBERED.fullmatch(step)
    return step if found is None else _ID if found[1][-1] in "-_." else f"{found[1]}{_ID}"


def steps_of(address: str) -> list[str]:
    """Give the steps of an address, also of one behind ``#`` that an application keeps there."""
    parts = urlsplit(address)
    route = hash_route(parts.fragment)[1].partition("?")[0]
    return [unquote(step) for step in f"{parts.path}/{route}".split("/") if step]


def is_minted(step: str) -> bool:
    """Return whether a step of an address stands for one thing among others: ``41``, ``ticket7``."""
    return is_generated(step) or _NUMBERED.fullmatch(step) is not None


def parent_of(address: str) -> str:
    """Give the address above: ``/tickets`` of ``/tickets/new``; of an address with a query, it without."""
    parts = urlsplit(address)
    if parts.query:
        return parts.path
    head = parts.path.rstrip("/").rpartition("/")[0]
    return f"{head}/" if parts.path.endswith("/") or not head else head


def plain(address: str) -> str:
    """Give an address as a person would write it down: nothing of its query that the site has minted or passes on.

    A token, a page to go back to, and a place in a page stay out; a route behind ``#`` stays.
    """
    parts = urlsplit(address)
    kept = [
        (name, value)
        for name, value in parse_qsl(parts.query, keep_blank_values=True)
        if value
        and not _GUARDS.search(name)
        and not is_generated(value)
        and not value.startswith(("/", "http"))
        and len(value) <= 60
    ]
    mark, route = hash_route(parts.fragment)
    return (
        (parts.path or "/") + (f"?{urlencode(kept, safe='@:,')}" if kept else "") + (f"#{mark}{route}" if route else "")
    )


def why_not(words: str, address: str) -> str:
    """Say why a link is not followed by somebody who only reads; empty where it can be.

    Args:
        words: what the link says.
        address: where it leads, relative to the site.
    """
    if not address.startswith("/") or address.startswith("//") or len(address) > _LONGEST:
        return "it leads elsewhere"
    if says_purpose(words, "logout"):
        return "it says log out"
    if says_word(words, "delete", {}):
        return "it says delete"
    steps = steps_of(address)
    known = _words()
    if steps and steps[-1].rpartition(".")[2].casefold() in known["files"] and "." in steps[-1]:
        return "it is a file"
    acting = [step for step in steps if _acts(step)]
    if acting and not (says_new(words) and _makes(acting) and not any(map(is_minted, steps)) and "?" not in address):
        return "its address says that it does something"
    if any(_adds(normal(one)) and is_minted(after) for one, after in pairwise(steps)):
        return "its address says that it adds something"
    values = [value for _, value in parse_qsl(urlsplit(address).query)]
    if guards(address) or any(map(_is_token, [*steps, *values])):
        return "its address holds a token"
    return _why_not_asked(address)


def guards(address: str) -> bool:
    """Return whether an address holds what guards the site, by its name: by that it sees that its own page asked."""
    names = [name for name, _ in parse_qsl(urlsplit(address).query)]
    return bool(keys_in([address])) or any(map(_GUARDS.search, names))


def _is_token(step: str) -> bool:
    """Return whether a part of an address is made for one person, as an invitation is: no number, and no UUID.

    A link with such a token in its query does something: by the token the site sees that its own page asked for it.
    """
    return (
        len(step) >= _TOKEN
        and is_generated(step.replace(".", "").replace(":", ""))
        and _PLAIN_ID.fullmatch(step) is None
    )


def _why_not_asked(address: str) -> str:
    known = _words()
    for name, value in parse_qsl(urlsplit(address).query):
        if normal(name) in known["asks"] and not any(says(normal(value), one) for one in known["reads"]):
            return "its query says that it does something"
        if _acts(value) or (_acts(name) and normal(name) not in ("mark",)):
            return "its query says that it does something"
    return ""


def _makes(acting: list[str]) -> bool:
    """Return whether steps of an address that act may also be of a form to make something, where they name nothing."""
    return all(normal(step) in _words()["makes"] for step in acting)


def _acts(text: str) -> bool:
    said = normal(text)
    return len(said) < 40 and any(says(said, phrase) for phrase in _words()["acts"])
