"""Where in a run's exchanges a value first appeared: in which answer, in which part of it, and at which place there.

Not responsible for: which values vary, or where a page shows them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import unquote

from simulator.browser.wire.exchange import readable
from simulator.recording.reader import Recording
from simulator.recording.rows import ExchangeRow
from simulator.template import is_telling

_WORD = r"[\w-]"


@dataclass(frozen=True, slots=True)
class Appearance:
    """The first place of a value in what a site answered."""

    exchange: str
    """Id of the exchange."""
    ordinal: int
    """Its place in the run, from 0."""
    request: str
    """Method and address template of what was answered."""
    part: Literal["header", "body"]
    place: str
    """Name of the header; a path in JSON (``$.order.number``); in other text, the number of the line, from 1."""

    def __str__(self) -> str:
        """Say it in words."""
        where = f"header {self.place}" if self.part == "header" else f"body, {self.place}"
        return f"answer {self.ordinal + 1}, {self.request}: {where}"


def first_appearances(recording: Recording, run_id: str, values: Mapping[str, str]) -> dict[str, Appearance]:
    """Find where values first appeared.

    Args:
        recording: where the run stands.
        run_id: the run.
        values: recorded values by the names of their variables.

    Returns:
        By name, those that appear in what was recorded.
    """
    sought = {name: value for name, value in values.items() if value}
    found: dict[str, Appearance] = {}
    for exchange in recording.exchanges(run_id) if sought else ():
        body = _text(recording, exchange)
        for name, value in list(sought.items()):
            place = _in_headers(exchange, name, value) or _in_body(body, value)
            if place:
                request = f"{exchange.method} {exchange.url}"
                found[name] = Appearance(exchange.id, exchange.ordinal, request, *place)
                del sought[name]
    return found


def scalars(value: Any, path: str = "$") -> Iterator[tuple[str, str]]:
    """Give every text and number in a JSON value, each with its path."""
    left = [(path, value)]
    while left:
        path, one = left.pop()
        if isinstance(one, dict):
            left += reversed([(path + _step(key), item) for key, item in one.items()])
        elif isinstance(one, list):
            left += reversed([(f"{path}[{place}]", item) for place, item in enumerate(one)])
        elif isinstance(one, str | int | float) and not isinstance(one, bool):
            yield path, str(one)


def _step(key: str) -> str:
    return f".{key}" if re.fullmatch(r"[A-Za-z_]\w*", key) else f"[{json.dumps(key)}]"


def _text(recording: Recording, exchange: ExchangeRow) -> str:
    data = recording.blobs.read(exchange.response_body) if exchange.response_body else b""
    return readable(data) or ""


def _in_headers(exchange: ExchangeRow, name: str, value: str) -> tuple[Literal["header"], str] | None:
    variable = "{{" + name + "}}"
    for header, told in exchange.response_headers:
        if variable in told or (header.lower() == "location" and _stands_in(value, unquote(told))):
            return "header", header
        if is_telling(value) and _stands_in(value, told):
            return "header", header
    return None


def _in_body(text: str, value: str) -> tuple[Literal["body"], str] | None:
    if value not in text:
        return None
    try:
        document = json.loads(text)
    except (ValueError, RecursionError):  # a site nests as deep as it likes
        document = None
    if isinstance(document, dict | list):
        path = next((path for path, one in scalars(document) if one == value), "")
        return ("body", path) if path else None
    # A mere number stands everywhere: what is meant is where an address names it.
    pattern = (
        rf"(?<!{_WORD}){re.escape(value)}(?!{_WORD})" if is_telling(value) else rf"/{re.escape(value)}(?=[\"'/?#])"
    )
    match = re.search(pattern, text)
    return ("body", f"line {text.count(chr(10), 0, match.start()) + 1}") if match else None


def _stands_in(value: str, text: str) -> bool:
    return re.search(rf"(?<!{_WORD}){re.escape(value)}(?!{_WORD})", text) is not None
