"""One request of a browser and its answer: as it is heard of, and as it is stored. Not responsible for: either."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

from playwright.async_api import Request, Response

from simulator.browser.wire.bodies import Part

ORIGIN = "{{site.origin}}"
"""Stands for scheme, host and port of the site, which a run has once: in its environment."""
HOST = "{{site.host}}"
OWN = "simulator"
"""Initiator of what this program itself looks up."""
_LENGTH = re.compile(r"[0-9]{1,18}")
MAX_BODY = 2 * 2**20
"""Bytes of a body beyond which it is not kept."""
Headers = Sequence[tuple[str, str]]


@dataclass(frozen=True, slots=True)
class WrittenExchange:
    """An exchange as it is stored, but for the secrets that the vault knows."""

    actor: str
    action_id: str | None
    initiator: str
    method: str
    url: str
    """A template; relative where it is on the site."""
    request_headers: Headers
    request_parts: Sequence[dict[str, Any]] | None
    """Each with its ``name``, and ``value`` as a template or ``file``: a hash, or bytes; None where nobody knows them.
    Besides ``filename`` and ``type``."""
    request_body: bytes | None
    request_type: str
    status: int
    response_headers: Headers
    response_body: bytes | None
    response_type: str
    error: str | None
    timings: dict[str, float]


@dataclass(slots=True, eq=False)
class Exchange:
    """One request and its answer, as far as they have come."""

    request: Request
    action_id: str | None
    initiator: str
    redirect_of: Exchange | None
    write: Callable[[Exchange], WrittenExchange]
    headers: Headers = ()
    parts: tuple[Part, ...] | None = None
    body: bytes | None = None
    """Of the request, where it has no parts."""
    response: Response | None = None
    answer_headers: Headers = ()
    answer: bytes | None = None
    awaited: bool = True
    """Whether its end is worth waiting for, once its answer has begun: one that goes on is waited for once."""
    over: bool = False
    """Whether nothing more comes."""
    remarks: list[str] = field(default_factory=list)
    """Why no answer came, or what is not kept of it."""
    id: str = ""
    """As the recorder knows it."""

    def written(self) -> WrittenExchange:
        """Write it as it is stored, as it is now."""
        return self.write(self)


class ExchangeRecorder(Protocol):
    """Gets exchanges in the order in which they were sent."""

    def sent(self, exchange: Exchange) -> None:
        """Take in one that begins."""
        ...

    def changed(self, exchange: Exchange) -> None:
        """Note that more is known of one."""
        ...

    def size_of(self, sha256: str) -> int | None:
        """Return the size of a file that was uploaded, in bytes."""
        ...


def readable(data: bytes) -> str | None:
    """Give bytes as the text that they are; None where they are not."""
    if b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


def header_of(headers: Headers, name: str) -> str:
    """Give the value of a header by its name in lower case; empty where it is not there."""
    return next((value for key, value in headers if key.lower() == name), "")


def is_cached(headers: Headers) -> bool:
    """Return, by the headers of a request that is over, whether it was answered without being sent: by a cache."""
    return bool(headers) and not any(name.lower() in ("host", ":authority") for name, _ in headers)


def length_of(headers: Headers) -> int:
    """Give the length of a body as its message states it; 0 where it does not."""
    value = header_of(headers, "content-length")
    return int(value) if _LENGTH.fullmatch(value) else 0
