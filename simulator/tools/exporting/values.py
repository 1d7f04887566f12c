"""The values of recorded options as an exported test takes them, or a refusal in words. Not: how they are written.

Raises:
    ValueError: of every function here: the value is none of these.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, NamedTuple

from pydantic import ValidationError

from simulator.browser.evidence import Target
from simulator.filenames import base_name
from simulator.tools.exporting.source import Literal

_BUTTONS = ("left", "right", "middle")
_MODIFIERS = ("Alt", "Control", "ControlOrMeta", "Meta", "Shift")
_DAY_MS = 24 * 3600 * 1000
_FARTHEST = 1e9
_MOST_CLICKS = 100
_SHA256 = re.compile(r"[0-9a-f]{64}")


class Uploaded(NamedTuple):
    """A file that was given to a page."""

    sha256: str
    name: str
    """What the site was told."""


def upload(options: Mapping[str, Any]) -> Uploaded:
    """Read what was uploaded."""
    sha256, name = text(options.get("sha256")), text(options.get("name"))
    if not _SHA256.fullmatch(sha256):
        raise ValueError(f"sha256: expected 64 hexadecimal digits, found {sha256[:80]!r}")
    try:
        return Uploaded(sha256, base_name(name))
    except ValueError as error:
        raise ValueError(f"name: {error}, found {name[:80]!r}") from None


def text(value: Any) -> str:
    """Read a text."""
    if not isinstance(value, str):
        raise ValueError(f"expected a text, found {_told(value)}")
    return value


def target(value: Any) -> Target:
    """Read the evidence of an element."""
    try:
        return Target.model_validate(value)
    except ValidationError:
        raise ValueError(f"expected the evidence of an element, found {_told(value)}") from None


def status(value: Any) -> int:
    """Read a status of HTTP."""
    return int(_number(value, 100, 599))


def milliseconds(value: Any) -> float:
    """Read a time of at most a day."""
    return _number(value, 0, _DAY_MS)


def pixels(value: Any) -> float:
    """Read a distance; it may be written as a text."""
    try:
        return _number(float(value) if isinstance(value, str) else value, -_FARTHEST, _FARTHEST)
    except ValueError:
        raise ValueError(f"expected a number of pixels, found {_told(value)}") from None


def point(value: Any) -> tuple[float, float]:
    """Read a place, or a way."""
    if not isinstance(value, list | tuple) or len(value) != 2:
        raise ValueError(f"expected two numbers of pixels, found {_told(value)}")
    return pixels(value[0]), pixels(value[1])


def pointing(options: Mapping[str, Any]) -> dict[str, Literal]:
    """Read how the pointer was used, as Playwright's arguments."""
    given: dict[str, Literal] = {}
    if "button" in options:
        given["button"] = _one_of(options["button"], _BUTTONS)
    if "count" in options:
        given["click_count"] = int(_number(options["count"], 1, _MOST_CLICKS))
    if "modifiers" in options:
        keys = options["modifiers"]
        if not isinstance(keys, list | tuple):
            raise ValueError(f"modifiers: expected a list of keys, found {_told(keys)}")
        given["modifiers"] = [_one_of(key, _MODIFIERS) for key in keys]
    if "position" in options:
        x, y = point(options["position"])
        given["position"] = {"x": x, "y": y}
    return given


def _one_of(value: Any, known: tuple[str, ...]) -> str:
    if value not in known:
        raise ValueError(f"expected one of {', '.join(known)}, found {_told(value)}")
    return str(value)


def _number(value: Any, least: float, most: float) -> float:
    if not isinstance(value, int | float) or isinstance(value, bool) or not least <= value <= most:
        raise ValueError(f"expected a number from {least:g} to {most:g}, found {_told(value)}")
    return float(value)


def _told(value: Any) -> str:
    return ascii(value)[:80]
