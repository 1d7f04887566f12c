"""What pages say on web sockets, taken apart: messages have no format, so each of the usual ones is tried.

Pure functions over one message. Not responsible for: hearing it, or what of it the user put in (``writes``).
"""

from __future__ import annotations

import json
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from typing import Any, Final
from urllib.parse import parse_qsl

from simulator.addresses import urlsplit
from simulator.canonical import is_generated

SAYS: Final = "SEND"
"""Stands for a method where something is said on a socket."""
_MOST_PARTS = 500
_MOST_TEXT = 2**18
"""Characters of a message beyond which it is not looked into."""
_DEEPEST = 4
"""How often a text may hold another one that is written in a format of its own."""
_FIRST = 8
"""Among this many parts stands what kind of message it is."""
_WORD = re.compile(r"[A-Za-z][\w:.-]{2,40}")
_TELLS = 4
"""Characters from which on a text in a message of an unknown format is no chance."""
_FRAMING = re.compile(r"^\d+(?:/[^,\[{\"]*,)?\d*(?=[\[{\"])")
"""What Socket.IO writes before its JSON: the kinds of the packet, the namespace, the number of the answer."""
_PAIRS = re.compile(r"[^=&\s{}\[\]\"]+=[^=&\s]*(?:&[^=&\s]+=[^=&\s]*)*")
"""A form as it is sent, in a text: LiveView does so."""


@dataclass(frozen=True, slots=True, eq=False)
class Message:
    """Something that a page says on a socket, as far as it is like a request."""

    url: str
    """Where the socket leads, by the scheme of pages; without a query, which belongs to the connection."""
    page: str
    """Absolute address of the page that said it."""
    text: str
    parts: tuple[tuple[str, str], ...]
    """Name and text of each of its parts."""
    kind: str
    """Which kind of message it is: heartbeats of a page are one kind, and what saves a form is another."""
    opened_by: str = ""
    """Id of the action that was done last as the socket was opened."""
    heard: list[str] = field(default_factory=list)
    """What was said on the socket since then."""

    @property
    def method(self) -> str:
        """What stands for an HTTP method."""
        return SAYS

    @property
    def headers(self) -> Mapping[str, str]:
        """What stands for the headers of a request."""
        return {"referer": self.page}

    @staticmethod
    def of(address: str, page: str, payload: str | bytes, opened_by: str = "") -> Message:
        """Take in what was said.

        Args:
            address: of the socket.
            page: absolute address of the page.
            payload: the message; bytes are read as text as far as they are.
            opened_by: id of the action that was done last as the socket was opened.
        """
        leads = urlsplit(address)
        scheme = "https" if leads.scheme == "wss" else "http"
        url = leads._replace(scheme=scheme, query="", fragment="").geturl()
        text = text_of(payload)[:_MOST_TEXT]
        parts = parts_of(text)
        return Message(url, page, text, parts, _kind(parts), opened_by)


def text_of(payload: str | bytes) -> str:
    """Read what was said as text, as far as it is one."""
    return payload if isinstance(payload, str) else payload.decode("utf-8", "replace")


def _kind(parts: Sequence[tuple[str, str]]) -> str:
    """Say what stands in a message where, with the words of a program that stand first, and without other values.

    What the site has generated, such as the number of an element, is no word of a program.
    """
    names = sorted({re.sub(r"\d+", "0", name) for name, _ in parts})
    words = sorted({text for _, text in parts[:_FIRST] if _WORD.fullmatch(text) and not is_generated(text)})
    return " ".join((*names, *words))


def values_of(text: str) -> list[Any]:
    """Give the JSON values that a message holds: with or without framing, one or several; none where it holds none."""
    stripped = text.strip().strip("\x00")
    found: list[Any] = []
    for one in filter(None, stripped.split("\x1e")):  # SignalR ends each of its messages with that
        body = one.partition("\n\n")[2] if "\n\n" in one and one[:1] not in "[{" else one  # STOMP has headers
        bare = _FRAMING.sub("", body.strip().strip("\x00"))
        if bare[:1] not in ("[", "{", '"'):
            continue
        try:
            found.append(json.loads(bare))
        except (ValueError, RecursionError):
            continue
    return found


def parts_of(text: str) -> tuple[tuple[str, str], ...]:
    """Take a message apart: name and text of each of its parts; of an unknown format all of it is one without a name.

    Args:
        text: the message.
    """
    values = values_of(text)
    if values:
        return tuple(islice((pair for value in values for pair in _leaves(value)), _MOST_PARTS))
    if _PAIRS.fullmatch(text.strip()):
        return tuple(parse_qsl(text.strip(), keep_blank_values=True)[:_MOST_PARTS])
    return (("", text),) if text.strip() else ()


def _leaves(value: Any) -> Iterator[tuple[str, str]]:
    """Give what is at the ends of a value, each with its path; texts that hold another format are taken apart, too."""
    left: list[tuple[str, Any, int]] = [("", value, 0)]
    while left:
        path, one, depth = left.pop()
        if isinstance(one, dict | list):
            inner = one.items() if isinstance(one, dict) else enumerate(one)
            left += reversed([(f"{path}.{key}" if path else str(key), each, depth) for key, each in inner])
        elif isinstance(one, str):
            inside = values_of(one) if depth < _DEEPEST and one[:1] in ("[", "{", '"') else []
            left += reversed([(path, each, depth + 1) for each in inside])
            if not inside or one[:1] == '"':  # a user may write in quotation marks
                yield from _pairs(path, one)
        elif one is not None:
            yield path, json.dumps(one)


def _pairs(path: str, text: str) -> Iterator[tuple[str, str]]:
    if _PAIRS.fullmatch(text):
        pairs = parse_qsl(text, keep_blank_values=True)
        yield from ((f"{path}.{name}" if path else name, each) for name, each in pairs)
    yield path, text


def spells(text: str, spellings: Collection[str]) -> bool:
    """Return whether a message of an unknown format holds what the user put in, as words of their own.

    Args:
        text: the message.
        spellings: what stands for the input.
    """
    return any(
        len(one) >= _TELLS and re.search(rf"(?<!\w){re.escape(one)}(?!\w)", text) is not None for one in spellings
    )


def asks_only(text: str) -> bool:
    """Return whether a message is a GraphQL operation that changes nothing."""
    for value in values_of(text):
        payload = value.get("payload") if isinstance(value, dict) else None
        query = payload.get("query") if isinstance(payload, dict) else None
        if isinstance(query, str) and "{" in query:
            return not re.search(r"\bmutation\b", query)
    return False


def names_beside(text: str, spellings: Collection[str], names: re.Pattern[str]) -> set[str]:
    """Give what an answer calls the thing in which it repeats what the user put in.

    Other users talk on the same socket: what stands in another object than the text is not of this thing.

    Args:
        text: the answer.
        spellings: what stands for the inputs.
        names: how a value is called that identifies a thing.
    """
    found: set[str] = set()
    left = [(one, 0) for one in values_of(text)]
    while left:
        value, depth = left.pop()
        if isinstance(value, str):
            if depth < _DEEPEST and value[:1] in ("[", "{"):
                left += [(one, depth + 1) for one in values_of(value)]
            continue
        if not isinstance(value, dict | list):
            continue
        inner = list(value.values()) if isinstance(value, dict) else value
        left += [(one, depth) for one in inner]
        if isinstance(value, dict) and any(isinstance(one, str) and one in spellings for one in inner):
            told = (one for key, one in value.items() if names.match(str(key)))
            found |= {str(one) for one in told if isinstance(one, str | int) and not isinstance(one, bool)}
    return found
