"""Bodies of requests in parts, as forms send them, and put together again byte for byte.

Not responsible for: where the parts come from, or what of them is recorded.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import quote_plus, unquote_plus

_FORM = "application/x-www-form-urlencoded"
_BOUNDARY = re.compile(r'multipart/form-data;.*?\bboundary="?([^";]+)"?', re.IGNORECASE)
_DISPOSITION = re.compile(rb'^form-data; name="([^"]*)"(?:; filename="([^"]*)")?$')
_ESCAPES = {"%22": '"', "%0D": "\r", "%0A": "\n"}
"""What the HTML standard escapes in names of parts and files."""


@dataclass(frozen=True, slots=True)
class Part:
    """One part of a body."""

    name: str
    value: str = ""
    """Of a field; empty for a file."""
    filename: str | None = None
    """None: it is a field, no file."""
    media_type: str = ""
    """As the part states it; empty where it states none."""
    data: bytes | None = b""
    """Of a file; None where its bytes are not at hand."""
    size: int = 0
    """Of a file whose bytes are not at hand."""
    sha256: str | None = None
    """Of a file that was uploaded."""

    @property
    def content(self) -> bytes:
        """The bytes that are sent for it; as many zeros where they are not known."""
        if self.filename is None:
            return self.value.encode("utf-8", "surrogateescape")
        return bytes(self.size) if self.data is None else self.data


def boundary_of(content_type: str) -> str:
    """Give what separates the parts of a multipart body; empty where there are none."""
    found = _BOUNDARY.match(content_type.strip())
    return found.group(1) if found else ""


def split(content_type: str, data: bytes) -> tuple[Part, ...] | None:
    """Take a body apart; None where it has no parts, or would not be put together as it was."""
    boundary = boundary_of(content_type)
    if boundary:
        parts = _split_multipart(boundary, data)
    elif content_type.partition(";")[0].strip().lower() == _FORM:
        parts = tuple(_field(pair) for pair in data.decode("latin-1").split("&")) if data else ()
    else:
        return None
    return parts if parts is not None and join(content_type, parts) == data else None


def read(content_type: str, data: bytes) -> tuple[Part, ...] | None:
    """Take a body apart to know what it says, however a script has escaped its fields; None where it has no parts."""
    parts = split(content_type, data)
    if parts is not None or content_type.partition(";")[0].strip().lower() != _FORM:
        return parts
    # What is not escaped at all stands there in UTF-8, as a script sends its texts.
    return tuple(_field(pair) for pair in data.decode("utf-8", "surrogateescape").split("&") if pair)


def join(content_type: str, parts: Sequence[Part]) -> bytes:
    """Put parts together as a form sends them.

    Args:
        content_type: the header of the request; it holds the boundary of a multipart body.
        parts: in order.
    """
    boundary = boundary_of(content_type)
    if not boundary:
        pairs = (f"{_plus(part.name)}={_plus(part.value)}" for part in parts)
        return "&".join(pairs).encode("ascii")
    pieces: list[bytes] = []
    for part in parts:
        head = f'--{boundary}\r\nContent-Disposition: form-data; name="{_escaped(part.name)}"'
        if part.filename is not None:
            head += f'; filename="{_escaped(part.filename)}"'
        if part.media_type:
            head += f"\r\nContent-Type: {part.media_type}"
        pieces += [head.encode("utf-8", "surrogateescape"), b"\r\n\r\n", part.content, b"\r\n"]
    return b"".join((*pieces, f"--{boundary}--\r\n".encode()))


def lines_of_form(value: str) -> str:
    """Write the line ends of a field's value as a form sends them."""
    return re.sub(r"\r\n|\r|\n", "\r\n", value)


def _field(pair: str) -> Part:
    name, _, value = pair.partition("=")
    return Part(unquote_plus(name, errors="surrogateescape"), unquote_plus(value, errors="surrogateescape"))


def _plus(text: str) -> str:
    """Escape a text as forms do: they leave ``*-._`` as it is, and nothing else besides letters and digits."""
    return quote_plus(text.encode("utf-8", "surrogateescape"), safe="*").replace("~", "%7E")


def _split_multipart(boundary: str, data: bytes) -> tuple[Part, ...] | None:
    mark = b"--" + boundary.encode()
    if not data.startswith(mark) or not data.endswith(mark + b"--\r\n"):
        return None
    parts: list[Part] = []
    for piece in data[len(mark) : -len(mark) - 4].split(mark):
        head, blank, content = piece.removeprefix(b"\r\n").partition(b"\r\n\r\n")
        if not blank or not content.endswith(b"\r\n"):
            return None
        headers = dict(line.partition(b": ")[::2] for line in head.split(b"\r\n"))
        disposition = _DISPOSITION.match(headers.pop(b"Content-Disposition", b""))
        media_type = headers.pop(b"Content-Type", b"").decode("latin-1")
        if disposition is None or headers:
            return None
        name, filename = (_unescaped(one) for one in disposition.groups())
        content = content[:-2]
        if filename is None:
            parts.append(Part(name or "", content.decode("utf-8", "surrogateescape"), media_type=media_type))
        else:
            parts.append(Part(name or "", filename=filename, media_type=media_type, data=content))
    return tuple(parts)


def _escaped(text: str) -> str:
    for escape, char in _ESCAPES.items():
        text = text.replace(char, escape)
    return text


def _unescaped(text: bytes | None) -> str | None:
    if text is None:
        return None
    found = text.decode("utf-8", "surrogateescape")
    for escape, char in _ESCAPES.items():
        found = found.replace(escape, char)
    return found
