"""Objects in JSON that have an id, and whether one is the thing that was written.

A number such as 7 is the id of a task and of a user. Pure functions over values; not responsible for: hearing of what
is sent and fetched (``writes``, ``fetched``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Final
from urllib.parse import parse_qsl

from simulator.addresses import urlsplit
from simulator.canonical import is_generated

NAMES_IT: Final = re.compile(
    r"^(?:id|uuid|guid|slug|key|pk|_id|iid|number|url|href|location|path|permalink)$", re.IGNORECASE
)
"""Under which names an object in JSON says what the site calls it."""
_GIVES = re.compile(r"^(?:\d+\.)?(?:id|uuid|guid|_id)$", re.IGNORECASE)
"""What the part of a request is called that says what its object is called."""
_IS_ID = re.compile(r"^(?:id|uuid|guid|pk|_id)$", re.IGNORECASE)
OF_LIST: Final = re.compile(r"(?:^|(?P<list>\w+)\.)\d+\.\w+$")
"""How the name of a part ends that is one of an object in a list; a list that is all of a request has no name."""
_TELLS = 8
"""Characters from which on an id is of one thing alone; a shorter one may be that of another kind of thing, too."""
_TYPE = "__typename"
"""Under which GraphQL says of which type an object is, where it is asked for."""


@dataclass(frozen=True, slots=True)
class Kind:
    """What an answer of GraphQL says of the kind of an object."""

    type: str
    """Empty where it was not asked for."""
    called: str
    """The field that gave it, or the list that it is in."""

    def is_like(self, other: Kind) -> bool:
        """Return whether two objects are of one kind: of one type, or, where one has none, given by one field."""
        return self.type == other.type if self.type and other.type else self.called == other.called != ""


@dataclass(frozen=True, slots=True)
class Named:
    """An object in JSON that has an id."""

    ids: frozenset[str]
    """What names it."""
    holds: Mapping[str, str]
    """By name the texts of its values; without lists and objects."""
    kind: Kind
    lists: Mapping[str, tuple[str, ...]]
    """By name the texts of its lists, and of the values of the objects in them."""

    @property
    def given(self) -> frozenset[str]:
        """What names it and is called an id, however it looks; not so a word by which its address calls it."""
        return frozenset(text for name, text in self.holds.items() if text and _IS_ID.match(name))


@dataclass(frozen=True, slots=True)
class Written:
    """A thing that a script has written, as far as other data may show it."""

    ids: frozenset[str]
    """What the site calls it."""
    at: str
    """Address of the request."""
    kinds: Collection[Kind] | None = None
    """Of the objects in the answer to an operation of GraphQL, or to a call; None for any other request."""

    @property
    def at_path(self) -> str:
        """What names the resource at the address itself, as :func:`resource` does."""
        return urlsplit(self.at).path

    def is_(self, named: Named, at: str, *, parts: bool = True) -> bool:
        """Return whether an object is the thing.

        A short id counts where the address that gave the object is that of the write, without ids, or where one of
        them goes on from the other at a step: a list, the thing in it, a part of the thing. From the root one goes on
        where the queries say the same, such as the page that both are about. GraphQL and JSON-RPC have
        one address for all: there the kind has to be the same. Data of the thing at another address is not looked at
        then, and what it would have shown is not seen again.

        Args:
            named: the object.
            at: address of the request that it was fetched by.
            parts: whether what was fetched of a part of the thing counts, such as its remarks.
        """
        if self.at_path in named.ids:
            return self.kinds is None
        same = self.ids & named.ids
        if not same or any(len(one) >= _TELLS for one in same):
            return bool(same)
        own, other = _words(self.at), _words(at)
        if self.kinds is not None:
            return own == other and any(named.kind.is_like(one) for one in self.kinds)
        if not parts and len(other) > len(own):
            return False
        shorter, longer = sorted((own, other), key=len)
        if not shorter and len(longer) == 1:  # below the root stands everything: both are of what their queries name
            return not _queried(self.at).isdisjoint(_queried(at))
        return own == other or (bool(shorter) and longer[: len(shorter)] == shorter)


def ids_of_its_own(ids: Collection[str], answered: Collection[str], url: str) -> frozenset[str]:
    """Leave out of the ids of a thing those of what it is a part of: the 1 of ``/projects/1/labels/3``.

    Args:
        ids: all that the answer names, and that stand in the address.
        answered: those that the answer names.
        url: address of the request.
    """
    steps = _steps(url)
    generated = [one for one in steps if is_generated(one)]
    around, last = generated[:-1], generated[-1:]
    if last and steps[-1] != last[0] and last[0] not in answered and not set(answered) <= set(generated):
        around = generated  # the answer names what was made in it
    own = last if len(around) < len(generated) else []
    return frozenset(ids) - (set(around) - set(own))


def ids_given(parts: Iterable[tuple[str, str]]) -> set[str]:
    """Give the ids that a request gives to what it makes: a script may draw one, and the answer does not repeat it.

    Args:
        parts: name and text of each part of the request.
    """
    return {text for name, text in parts if _GIVES.match(name) and len(text) >= _TELLS and is_generated(text)}


def objects(value: Any) -> Iterator[Named]:
    """Give the objects in a JSON value that have an id, in its order; not by recursion, as pages nest.

    Args:
        value: an answer.
    """
    left = [("", value)]
    while left:
        called, one = left.pop()
        if isinstance(one, list):
            left += ((called, each) for each in reversed(one))
        elif isinstance(one, dict):
            left += reversed(one.items())
            holds = {name: text for name, each in one.items() if (text := _text_of(each)) is not None}
            if ids := frozenset(text for name, text in holds.items() if text and NAMES_IT.match(name)):
                lists = {name: tuple(_texts_in(each)) for name, each in one.items() if isinstance(each, list)}
                yield Named(ids, holds, Kind(holds.get(_TYPE, ""), called), lists)


def resource(value: Any, url: str) -> Named:
    """Give what stands at an address as an object that the address names; a list is one of it, and has no name.

    What is written to an address is read there again, whatever names it otherwise.

    Args:
        value: the answer.
        url: absolute address of the request.
    """
    fields = value if isinstance(value, dict) else {"": value}
    holds = {name: text for name, each in fields.items() if (text := _text_of(each)) is not None}
    lists = {name: tuple(_texts_in(each)) for name, each in fields.items() if isinstance(each, list)}
    return Named(frozenset({urlsplit(url).path}), holds, Kind("", ""), lists)


def _texts_in(members: list[Any]) -> Iterator[str]:
    for one in members:
        for value in one.values() if isinstance(one, dict) else (one,):
            if text := _text_of(value):
                yield text


def _text_of(value: Any) -> str | None:
    if isinstance(value, list | dict):
        return None
    return "" if value is None else value if isinstance(value, str) else json.dumps(value)


def _steps(url: str) -> list[str]:
    return [one for one in urlsplit(url).path.split("/") if one]


def _queried(url: str) -> set[tuple[str, str]]:
    return set(parse_qsl(urlsplit(url).query))


def _words(url: str) -> list[str]:
    return [one for one in _steps(url) if not is_generated(one)]
