"""Hidden copies of fields: what a form keeps of how its fields were, so that the site can tell what has been changed.

A user neither puts them in nor sees them, and the site keeps nothing of them but what it says about the change. Any
other hidden part, such as the id of what is written to, says what is to be done, and is no copy. Not responsible for:
what follows from it.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass(slots=True)
class _Form:
    hidden: dict[str, list[str]] = field(default_factory=dict)
    """By the name of each hidden field what it holds."""
    open: dict[str, list[str]] = field(default_factory=dict)
    """The same of the others; of what is chosen from a list its value."""

    def copies(self) -> set[str]:
        """Give the hidden fields that are called after another one, and hold what that held."""
        return {
            name
            for name, held in self.hidden.items()
            if any(other in name and other != name and held == its for other, its in self.open.items())
        }


class _Forms(HTMLParser):
    """Reads the fields of the forms of a document."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[_Form] = []
        self._in: _Form | None = None
        self._text: tuple[str, list[str]] | None = None
        """The name of the text area that is open, and what it holds so far."""
        self._list = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        told = {name: value or "" for name, value in attrs}
        name, value = told.get("name", ""), told.get("value", "")
        if tag == "form":
            self._in = _Form()
            self.found.append(self._in)
        if self._in is None:
            return
        if tag == "input" and name:
            kind = told.get("type", "").lower()
            if kind not in ("checkbox", "radio") or "checked" in told:
                (self._in.hidden if kind == "hidden" else self._in.open).setdefault(name, []).append(value)
        elif tag == "select":
            self._list = name
        elif tag == "option" and self._list and "selected" in told:
            self._in.open.setdefault(self._list, []).append(value)
        elif tag == "textarea" and name:
            self._text = name, []

    def handle_data(self, data: str) -> None:
        if self._text:
            self._text[1].append(data)

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._in = None
        elif tag == "select":
            self._list = ""
        elif tag == "textarea" and self._text and self._in is not None:
            self._in.open.setdefault(self._text[0], []).append("".join(self._text[1]))
            self._text = None


def hidden_copies(documents: Sequence[str]) -> frozenset[str]:
    """Give the names of fields that are hidden copies wherever they stand.

    Args:
        documents: HTML.
    """
    copies: set[str] = set()
    others: set[str] = set()
    for html in documents:
        parser = _Forms()
        parser.feed(html)
        parser.close()
        for form in parser.found:
            own = form.copies()
            copies |= own
            others |= (form.hidden.keys() | form.open.keys()) - own
    return frozenset(copies - others)
