"""Requests to a model by the hashes of their parts, each as a difference to the one before. Pure.

A request is what the Messages API calls ``system``, ``tools`` and ``messages``. Its parts are stored once: a picture by
the hash of its bytes, which a step's result has, too; a message without its marks for the cache, which move on with
every request. Not responsible for: storing, or what is asked.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Annotated, Any, Literal

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError, with_config
from typing_extensions import TypedDict

from simulator.canonical import content_hash

MARK = "cache_control"
Kind = Literal["system", "tools", "message"]
KeepPart = Callable[[Any], str]
"""Keeps a JSON value and gives its hash."""
KeepPicture = Callable[[bytes, str], str]
"""Keeps the bytes of a picture, of a media type, and gives their hash."""


Place = Annotated[int, Field(ge=0, strict=True)]


class _Parts(TypedDict):
    messages: list[str]
    marks: list[tuple[Place, Place]]


@with_config(ConfigDict(extra="forbid"))
class _Difference(_Parts, total=False):
    """What :func:`difference` writes."""

    before: str
    kept: Place
    changed: dict[Annotated[str, Field(pattern=r"^[0-9]{1,9}$")], str]
    system: str
    tools: str


_DIFFERENCE = TypeAdapter(_Difference)


@dataclass(frozen=True, slots=True)
class Outline:
    """A request by the hashes of its parts."""

    system: str
    tools: str
    messages: tuple[str, ...]
    marks: tuple[tuple[int, int], ...]
    """(message, block) up to which the API may cache."""

    @property
    def hash(self) -> str:
        """The hash of the whole request."""
        return content_hash(asdict(self))


def outline(request: Mapping[str, Any], keep: KeepPart, picture: KeepPicture) -> Outline:
    """Take a request apart.

    Args:
        request: ``system``, ``tools`` and ``messages``.
        keep: keeps a part.
        picture: keeps a picture.
    """
    messages = without_pictures(request["messages"], picture)
    marks = tuple(
        (place, number)
        for place, message in enumerate(messages)
        for number, block in enumerate(message["content"])
        if MARK in block
    )
    return Outline(
        keep(request["system"]),
        keep(request["tools"]),
        tuple(keep(_unmarked(message)) for message in messages),
        marks,
    )


def without_pictures(value: Any, picture: KeepPicture) -> Any:
    """Put hashes in place of the bytes of pictures, wherever in a JSON value they are."""
    if isinstance(value, Mapping):
        source = value.get("source")
        if value.get("type") == "image" and isinstance(source, Mapping) and source.get("type") == "base64":
            media_type = str(source["media_type"])
            sha256 = picture(base64.b64decode(source["data"]), media_type)
            return {**value, "source": {"type": "blob", "media_type": media_type, "sha256": sha256}}
        return {key: without_pictures(item, picture) for key, item in value.items()}
    if isinstance(value, Sequence) and not isinstance(value, str):
        return [without_pictures(item, picture) for item in value]
    return value


def whole(outline: Outline, part: Callable[[str], Any]) -> dict[str, Any]:
    """Put a request together again; its pictures stay hashes.

    Args:
        outline: of the request.
        part: gives a part by its hash.
    """
    messages = [part(sha256) for sha256 in outline.messages]
    for place, number in outline.marks:
        messages[place]["content"][number][MARK] = {"type": "ephemeral"}
    return {"system": part(outline.system), "tools": part(outline.tools), "messages": messages}


def difference(before: tuple[str, Outline] | None, now: Outline) -> dict[str, Any]:
    """Write a request as its difference to the one before.

    Args:
        before: the hash under which the difference of the one before is stored, and its outline; None: there is none.
        now: the request.
    """
    if before is None:
        return asdict(now)
    stored, old = before
    pairs = list(zip(old.messages, now.messages, strict=False))
    changed = {str(place): new for place, (was, new) in enumerate(pairs) if was != new}
    kept: dict[str, Any] = {"kept": len(pairs), "changed": changed}
    if len(changed) > len(pairs) // 2:  # another conversation
        kept = {"kept": 0, "changed": {}}
    written = {"before": stored, **kept, "messages": now.messages[kept["kept"] :], "marks": now.marks}
    for name in ("system", "tools"):
        if getattr(now, name) != getattr(old, name):
            written[name] = getattr(now, name)
    return written


def apply(document: Mapping[str, Any], before: Outline | None) -> Outline:
    """Read what :func:`difference` has written.

    Args:
        document: a difference.
        before: the request that it names as the one before; None where it names none.

    Raises:
        ValueError: the two do not fit together.
    """
    try:
        told = _DIFFERENCE.validate_python(document)
        old = before.messages[: told["kept"]] if before else ()
        messages = [*old, *told["messages"]]
        for place, sha256 in told.get("changed", {}).items():
            messages[int(place)] = sha256
        return Outline(
            told["system"] if before is None else told.get("system", before.system),
            told["tools"] if before is None else told.get("tools", before.tools),
            tuple(messages),
            tuple((place, number) for place, number in told["marks"]),
        )
    except (KeyError, IndexError, ValidationError) as error:
        raise ValueError(f"it is no difference to the request before ({type(error).__name__}: {error})") from error


def _unmarked(message: Mapping[str, Any]) -> dict[str, Any]:
    content = [{key: value for key, value in block.items() if key != MARK} for block in message["content"]]
    return {**message, "content": content}
