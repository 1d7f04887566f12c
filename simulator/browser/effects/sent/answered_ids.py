"""Where a site gave an id that is visited later: in the answer to a write, or on a page that had not shown it before.

So another performance visits its own, and acts on its own: what a write made is known by the only new name of its kind
on a page that the user had seen before. Not responsible for: ids in addresses that a page leads to
(``browser.wire.server_values``), or in links that are there when somebody visits them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Set
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal

from simulator.addresses import urlsplit
from simulator.browser.effects.met import MOST_TOKENS
from simulator.canonical import is_code, is_generated, url_shape

TOLD: Final = "told_ids"
"""Option of a visit: by variable, where the site gave its value first, as :class:`ToldBy` has it."""
TOLD_BY: Final = ": "
"""Between the request and the path in its answer, in the kind of what an answer names: ``POST /plots: id``."""
_ENDS = ("/", "=", "#")
_MOST = 50
"""Ids of one answer: an answer that lists more identifies none of them."""
_NAMED = re.compile(r"([^\W\d_]{2,}[-_]?)\d+")
"""A word with a number, as some sites call things: ``msg2``, ``BUG-7``."""


@dataclass(frozen=True, slots=True)
class ToldBy:
    """Where the site gave an id."""

    how: Literal["answer", "page"]
    at: str
    """Of an answer method and shape of the address of its request; of a page the shape of its own address."""
    part: str
    """Of an answer the path in its JSON; of a page what stands before the id in an address or an attribute."""
    nth: int
    """Which of the ids that were given so, from 0."""

    def as_json(self) -> dict[str, Any]:
        """Give it as an option of an action."""
        return asdict(self)


class ToldIds:
    """The ids that a site gave to one user, in order."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str, str], list[str]] = {}
        self._known: set[tuple[str, str]] = set()
        self._named: set[tuple[str, str]] = set()
        """What pages have called things by a word with a number, each with its kind."""
        self._paths: set[str] = set()
        self._made: dict[str, dict[str, str]] = {}

    def answered(
        self,
        method: str,
        url: str,
        told: Collection[tuple[str, str]],
        action_id: str = "",
        said: Set[str] = frozenset(),
    ) -> None:
        """Take in what the answer to a write names.

        Args:
            method: of the request.
            url: its absolute address.
            told: path and text of each id in the answer.
            action_id: by which it was sent; empty where none is known.
            said: what the request itself had said. That, and what stands in its address, the action has not made.
        """
        at = f"{method} {_shape(url)}"
        known = {*said, *urlsplit(url).path.split("/")}
        codes: dict[str, set[str]] = {}
        for path, text in [*told][:_MOST]:
            self._told.setdefault(("answer", at, path), []).append(text)
            if text not in known and any(map(str.isalpha, text)) and (is_code(text) or is_generated(text)):
                codes.setdefault(f"{at}{TOLD_BY}{path}", set()).add(text)
        made = self._made.setdefault(action_id, {})
        for kind, texts in codes.items():
            # Where one action sends several, nobody says which is which: an empty name is that of none.
            made[kind] = "" if len(texts) > 1 or kind in made else min(texts)

    def meet(self, url: str, tokens: Collection[str], sent_by: str = "") -> None:
        """Take in what identifies the things on a document: it gives the only new id of its kind there.

        Args:
            url: absolute address of the document.
            tokens: as the page script gives them.
            sent_by: the action that sent something, and led to the document by that; empty for none.
        """
        self._take_names(urlsplit(url).path, tokens, sent_by)
        new: dict[str, set[str]] = {}
        for token in tokens:
            at = max(map(token.rfind, _ENDS)) + 1
            part, text = token[:at], token[at:]
            if at and is_generated(text) and (part, text) not in self._known:
                new.setdefault(part, set()).add(text)
        for part, texts in new.items():
            self._known |= {(part, text) for text in texts}
            if len(texts) == 1:
                self._told.setdefault(("page", _shape(url), part), []).append(*texts)

    def _take_names(self, path: str, tokens: Collection[str], sent_by: str) -> None:
        """Take in what a document calls things by a word with a number, and which of them a write has made.

        That is the only new one of its kind, where the user had seen the document before: one that nobody had seen
        lists what others have made, too.
        """
        new: dict[str, list[str]] = {}
        for token in tokens:
            at = max(map(token.rfind, _ENDS)) + 1
            found = _NAMED.fullmatch(token, at)
            one = (token[:at] + found[1], found[0]) if found else None
            if one and one not in self._named:
                self._named.add(one)
                new.setdefault(one[0], []).append(one[1])
        if sent_by and path in self._paths and len(tokens) < MOST_TOKENS:
            named = {kind: names[0] for kind, names in new.items() if len(names) == 1}
            self._made[sent_by] = {**self._made.get(sent_by, {}), **named}
        self._paths.add(path)

    def made_by(self, action_id: str) -> Mapping[str, str]:
        """Give what the things are called that an action has made by a write, by their kind.

        That is a word with a number on a later page, or a code in the answer.
        """
        return {kind: name for kind, name in self._made.get(action_id, {}).items() if name}

    @property
    def answers(self) -> frozenset[str]:
        """Give all ids that the site gave in answers to writes with inputs."""
        return frozenset(text for (how, _, _), texts in self._told.items() if how == "answer" for text in texts)

    def where(self, value: str) -> ToldBy | None:
        """Give where the site gave an id first; None where it never did so in a way that is known again."""
        for (how, at, part), texts in self._told.items():
            if texts.count(value) == 1:
                return ToldBy("answer" if how == "answer" else "page", at, part, texts.index(value))
        return None

    def value(self, told: ToldBy) -> str | None:
        """Give the id that the site gave at a place in this performance; None where it gave none."""
        texts = self._told.get((told.how, told.at, told.part), [])
        return texts[told.nth] if told.nth < len(texts) else None


def _shape(url: str) -> str:
    return url_shape(url).partition("?")[0]
