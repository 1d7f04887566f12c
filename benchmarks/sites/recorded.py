"""The writing requests that a recording holds, as what is generated from them needs to know them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from benchmarks.sites.bodies import Leaf, leaves
from benchmarks.sites.hidden import hidden_copies
from benchmarks.sites.proxy import Asked
from simulator.recording.rows import ActionRow, EffectRow, ExchangeRow, WriteRow

_SAFE = ("GET", "HEAD", "OPTIONS")
_VARIABLE = re.compile(r"\{\{[^}]*\}\}")
_TEMPLATE = re.compile(r"\\\{\\\{.*?\\\}\\\}")
_GRAPHQL = ("/query", "/operationName")


@dataclass(frozen=True, slots=True)
class RecordedWrite:
    """One writing request of a recording."""

    method: str
    path: str
    """A regular expression: what the site generates may be anything. Of a link that writes, with its query."""
    number: int
    """Which one of this method and path it is, from 0."""
    fields: tuple[str, ...]
    """Places of its values that are no files, in order."""
    files: tuple[str, ...]
    """Places of its files."""
    is_form: bool
    """Whether a form of a page may have sent it; else a script did."""
    secrets: tuple[str, ...] = ()
    """Places of secrets."""
    kept: frozenset[str] = frozenset()
    """Places whose value a page showed that was loaded later in the recorded run, or the thing's own form."""
    acted: bool = False
    """Whether such a page showed what was done without an input: a state, a thing that is gone or there."""
    put: frozenset[str] = frozenset()
    """Places that the user put something in."""
    copies: frozenset[str] = frozenset()
    """Places of hidden copies of other fields: what these held before. The user neither put them in nor saw them."""

    def is_like(self, asked: Asked) -> bool:
        """Tell whether a request is of its method and path."""
        return self.fits(asked.method, asked.target)

    def fits(self, method: str, target: str) -> bool:
        """Tell whether a method and an address are its own; of a link its query is, too."""
        address = target if self.is_link else target.partition("?")[0]
        return method == self.method and re.fullmatch(self.path, address) is not None

    @property
    def is_link(self) -> bool:
        """Whether a link did it, which was followed."""
        return self.method == "GET"

    def __str__(self) -> str:
        """Name it."""
        path = re.sub(r"\\(.)", r"\1", self.path.replace("[^/]+", "{id}"))
        return f"{self.method} {path}" + (f" ({self.number + 1})" if self.number else "")


def recorded_writes(
    exchanges: Sequence[ExchangeRow],
    blob: Callable[[str], bytes],
    writes: Sequence[WriteRow] = (),
    effects: Sequence[EffectRow] = (),
    actions: Sequence[ActionRow] = (),
) -> tuple[RecordedWrite, ...]:
    """Read the writing requests of a run.

    Args:
        exchanges: of the run, in order.
        blob: gives the bytes of a body by its hash.
        writes: what the run has of them, in order.
        effects: where what these carried was seen again.
        actions: what put it in. Of a form with a file the browser tells no parts: they are called as their fields are.
    """
    called = {one.id: one.target.name_attr for one in actions if one.target}
    kept = {(one.write_id, one.input_id) for one in effects if one.strength == "kept"}
    done = {one.write_id for one in effects if one.strength == "kept" and one.kind != "echo" and not one.of_form}
    held = {(one.write_id, name) for one in effects if one.strength == "kept" for name in one.of_form}
    bodies = [one.response_body for one in exchanges if _type(one.response_headers).startswith("text/html")]
    copies = hidden_copies([blob(body).decode("utf-8", "replace") for body in bodies if body])
    seen: Counter[tuple[str, str]] = Counter()
    found = []
    by_link = {_plain(row.url, query=True) for row in writes if row.method == "GET"}
    for one in exchanges:
        is_link = one.method == "GET" and one.initiator == "document" and _plain(one.url, query=True) in by_link
        if one.method in _SAFE and not is_link:
            continue
        path = _TEMPLATE.sub("[^/]+", re.escape(one.url.partition("?")[0])) + (_query(one.url) if is_link else "")
        fields, files, secrets = _parts(one, blob)
        key = one.method, path
        is_form = not _is_json(one) and one.method == "POST"
        alike = [
            row for row in writes if row.method == one.method and re.fullmatch(path, _plain(row.url, query=is_link))
        ]
        own = alike[seen[key] : seen[key] + 1]
        carried = [(row.id, part) for row in own for part in row.carried]
        named = {_step(place): place for place in (*fields, *files)}
        seen_again = [part for write, part in carried if (write, part.input) in kept]
        shown = {named.get(part.part, part.part) or called.get(part.input, "") for part in seen_again}
        shown |= {name for row in own for write, name in held if write == row.id}
        shown.discard("")
        put = frozenset(named.get(part.part, part.part) or called.get(part.input, "") for _, part in carried) - {""}
        acted = any(row.id in done for row in own)
        apart = frozenset(place for place in fields if place in copies)
        found.append(
            RecordedWrite(
                one.method, path, seen[key], fields, files, is_form, secrets, frozenset(shown), acted, put, apart
            )
        )
        seen[key] += 1
    return tuple(found)


def _step(place: str) -> str:
    """Give a place as effects call it: ``data.title`` for ``/data/title`` of JSON."""
    return place.removeprefix("/").replace("/", ".") if place.startswith("/") else place


def _plain(url: str, *, query: bool = False) -> str:
    plain = _VARIABLE.sub("x", url)
    return plain if query else plain.partition("?")[0]


def _query(url: str) -> str:
    """Give the query of a link as a regular expression: words say what it does, and anything else may be generated."""
    _, mark, query = url.partition("?")
    parts = (one.partition("=") for one in query.split("&"))
    told = (re.escape(f"{name}{equals}") + (value if value.isalpha() else "[^&]*") for name, equals, value in parts)
    return re.escape(mark) + "&".join(told) if mark else ""


def _parts(one: ExchangeRow, blob: Callable[[str], bytes]) -> tuple[tuple[str, ...], ...]:
    if one.request_parts is None:
        data = blob(one.request_body) if one.request_body else None
        found: Sequence[Leaf] = leaves(_type(one.request_headers), data) or () if data else ()
        places = tuple(leaf.place for leaf in found if leaf.place not in _GRAPHQL)
        return places, (), tuple(leaf.place for leaf in found if _is_secret(leaf.value))
    numbered: Counter[str] = Counter()
    fields: list[str] = []
    files: list[str] = []
    secrets: list[str] = []
    for part in one.request_parts:
        numbered[part["name"]] += 1
        number = numbered[part["name"]]
        place = part["name"] if number == 1 else f"{part['name']}#{number}"
        (files if "filename" in part else fields).append(place)
        if _is_secret(part.get("value", "")):
            secrets.append(place)
    return tuple(fields), tuple(files), tuple(secrets)


def _is_secret(value: Any) -> bool:
    return isinstance(value, str) and "{{secret." in value


def _type(headers: Sequence[tuple[str, str]]) -> str:
    return next((value for name, value in headers if name.lower() == "content-type"), "")


def _is_json(one: ExchangeRow) -> bool:
    return "json" in _type(one.request_headers)
