"""HTML with which a site answers a script, as that puts it into the page: what each part of it says and names.

Not responsible for: which of its parts is what was written (``effects.sent.answers``).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from typing import Final

_DOCUMENT = re.compile(r"\s*(?:<!--.*?-->\s*)*<(?:!doctype|html)\b", re.IGNORECASE | re.DOTALL)
_VOID = frozenset(
    ["area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "param", "source", "track", "wbr"]
)
_SILENT = frozenset({"script", "style"})
_LEADS = frozenset({"href", "action", "formaction"})
_ASKS = re.compile(r"(?:data-)?hx-(?:get|post|put|patch|delete)|data-(?:\w+-)*(?:url|href|src|action|path)")
"""Attributes in which scripts find addresses."""
_HOLDS = re.compile(r"id|data-(?:\w+-)*(?:id|key|uuid|pk)")
"""Attributes in which an element is called."""
_MOST: Final = 2_000
"""Elements that are looked into."""
_DEEPEST = 100
"""How deep they may stand in each other: what is opened in that stands beside it."""


@dataclass(slots=True)
class Element:
    """An element of a piece of HTML."""

    tag: str
    called: tuple[str, ...] = ()
    """What it is called: its ``id``, and attributes of its scripts that end so."""
    addresses: tuple[str, ...] = ()
    """Where it leads, and where its scripts ask, as it is written."""
    said: list[str] = field(default_factory=list)
    """What it says itself, or its field holds."""
    inside: list[Element] = field(default_factory=list)

    def within(self) -> Iterator[Element]:
        """Give it, and all that it holds."""
        yield self
        for one in self.inside:
            yield from one.within()

    @property
    def text(self) -> str:
        """All that is said in it."""
        return " ".join(text for one in self.within() for text in one.said)


def elements_of(text: str) -> Element | None:
    """Read a piece of HTML; None for a whole document, and for what is no HTML.

    Args:
        text: what the answer holds.
    """
    if "<" not in text or _DOCUMENT.match(text):
        return None
    reader = _Reader()
    reader.feed(text)
    reader.close()
    return reader.root if reader.root.inside else None


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.root = Element("")
        self._open = [self.root]
        self._left = _MOST

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self._left -= 1
        if self._left < 0:
            return
        given = {name: value for name, value in attrs if value}
        leads = tuple(value for name, value in given.items() if name in _LEADS or _ASKS.fullmatch(name))
        one = Element(tag, tuple(value for name, value in given.items() if _HOLDS.fullmatch(name)), leads)
        if tag == "input" and given.get("type") not in ("hidden", "password"):
            one.said.append(given.get("value", ""))
        self._open[-1].inside.append(one)
        if tag not in _VOID and len(self._open) < _DEEPEST:
            self._open.append(one)

    def handle_endtag(self, tag: str) -> None:
        at = next((at for at in range(len(self._open) - 1, 0, -1) if self._open[at].tag == tag), 0)
        del self._open[at or len(self._open) :]

    def handle_data(self, data: str) -> None:
        if self._open[-1].tag not in _SILENT and data.strip():
            self._open[-1].said.append(data)
