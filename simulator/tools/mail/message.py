"""One mail as its user reads it: a text, and links. Not responsible for: where mail comes from, or what in it counts.

A mail is written by others. It may be broken, huge, or made to look like something else: nothing of it is loaded or
run, and what cannot be read is left out.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from email import message_from_bytes
from email.errors import HeaderParseError
from email.header import decode_header, make_header
from email.message import Message
from email.utils import getaddresses
from html.parser import HTMLParser

MAX_BYTES = 2_000_000
"""Of a mail no more is read."""
MAX_TEXT = 50_000
MAX_LINKS = 50
_RECEIVERS = ("To", "Cc", "Bcc", "Delivered-To", "X-Original-To")
_UNREAD = frozenset({"script", "style", "head", "title", "template", "noscript"})
_BLOCKS = frozenset(
    {"p", "div", "br", "li", "tr", "td", "th", "table", "ul", "ol", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "section"}
)
_URL = re.compile(r"https?://[^\s<>\"'\[\]{}|\\^`]+", re.IGNORECASE)
_AFTER_URL = ".,;:!?)*_"


@dataclass(frozen=True, slots=True)
class Link:
    """A link of a mail."""

    url: str
    text: str
    """What it says, or what stands before it."""


@dataclass(frozen=True, slots=True)
class Mail:
    """A mail."""

    id: str
    """By which its mailbox knows it."""
    to: frozenset[str]
    """Addresses in lower case."""
    sender: str
    subject: str
    text: str
    """Each link stands in it as ``[link 1]``, by its place among the links."""
    links: tuple[Link, ...]


def read_mail_source(data: bytes, id: str, receivers: Iterable[str] = ()) -> Mail:
    """Read a mail as it was sent.

    Args:
        data: the whole mail; what is beyond :data:`MAX_BYTES` is left out.
        id: by which its mailbox knows it.
        receivers: to whom it was handed over, whatever it says itself.
    """
    message = message_from_bytes(data[:MAX_BYTES])
    named = [address for _, address in getaddresses([str(value) for value in _headers(message, _RECEIVERS)])]
    plain, markup = (_part(message, kind) for kind in ("text/plain", "text/html"))
    shown = _Shown(markup) if markup else None
    text, links = _numbered(plain if plain.strip() or shown is None else shown.text, shown.links if shown else [])
    return Mail(
        id,
        frozenset(address.strip().lower() for address in (*named, *receivers) if address.strip()),
        _header(message, "From"),
        _header(message, "Subject"),
        text,
        links,
    )


def _headers(message: Message, names: Iterable[str]) -> Iterator[object]:
    for name in names:
        yield from message.get_all(name, [])


def _header(message: Message, name: str) -> str:
    raw = str(message.get(name, ""))
    try:
        text = str(make_header(decode_header(raw)))
    except (HeaderParseError, LookupError, ValueError):
        text = raw
    return " ".join(text.split())[:500]


def _part(message: Message, kind: str) -> str:
    """Give the first part of a kind that is no attachment."""
    for part in message.walk():
        if part.get_content_type() != kind or part.get_filename():
            continue
        data = part.get_payload(decode=True)
        if isinstance(data, bytes):
            try:
                return data.decode(part.get_content_charset() or "utf-8", "replace")
            except LookupError:
                return data.decode("utf-8", "replace")
    return ""


def _numbered(text: str, shown: list[Link]) -> tuple[str, tuple[Link, ...]]:
    """Put the number of each link in its place in a text; links that stand only there are added."""
    links: dict[str, Link] = {}
    for link in shown:
        links.setdefault(link.url, link)
    parts: list[str] = []
    at = 0
    text = text.replace("\r\n", "\n").replace("\r", "\n")[:MAX_TEXT]
    for match in _URL.finditer(text):
        url = match.group(0).rstrip(_AFTER_URL)
        before = " ".join(text[at : match.start()].strip().rpartition("\n")[2].split()[-8:])
        known = links.setdefault(url, Link(url, before.rstrip(":")))
        if not known.text:
            links[url] = replace(known, text=before.rstrip(":"))
        number = list(links).index(url) + 1
        parts += [text[at : match.start()], f"[link {number}]"]
        at = match.start() + len(url)
    told = "".join((*parts, text[at:]))
    lines = (re.sub(r"[ \t\u00a0]+", " ", line).strip() for line in told.split("\n"))
    return re.sub(r"\n{3,}", "\n\n", "\n".join(lines)).strip(), tuple(links.values())[:MAX_LINKS]


class _Shown(HTMLParser):
    """The text of a mail in HTML, with each link's address after what it says."""

    def __init__(self, markup: str) -> None:
        super().__init__(convert_charrefs=True)
        self.links: list[Link] = []
        self._parts: list[str] = []
        self._unread: list[str] = []
        self._href = ""
        self._said: list[str] = []
        self.feed(markup)
        self.close()

    @property
    def text(self) -> str:
        return "\n".join(line.strip() for line in "".join(self._parts).split("\n"))

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in _UNREAD:
            self._unread.append(tag)
        elif tag in _BLOCKS:
            self._parts.append("\n")
        elif tag == "a":
            self._href, self._said = next((value or "" for name, value in attrs if name == "href"), "").strip(), []
        elif tag == "img":
            self.handle_data(next((f" {value} " for name, value in attrs if name == "alt" and value), ""))

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag not in _UNREAD:
            self.handle_starttag(tag, attrs)

    def handle_endtag(self, tag: str) -> None:
        if tag in self._unread:
            while self._unread.pop() != tag:
                continue
        elif tag in _BLOCKS:
            self._parts.append("\n")
        elif tag == "a" and self._href:
            if _URL.fullmatch(self._href):
                self.links.append(Link(self._href, " ".join("".join(self._said).split())))
                self._parts.append(f" {self._href} ")
            self._href = ""

    def handle_data(self, data: str) -> None:
        if self._unread:
            return
        spaced = re.sub(r"\s+", " ", data)
        self._parts.append(spaced)
        if self._href:
            self._said.append(spaced)
