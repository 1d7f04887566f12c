"""Where a site gave an id that is visited later: in the answer to a write, or on a page that had not shown it before.

So another performance visits its own, and acts on its own: what a write made is known by the only new name of its kind
on a page that the user had seen before. Not responsible for: ids in addresses that a page leads to
(``browser.wire.server_values``), or in links that are there when somebody visits them.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Set
from dataclasses import asdict, dataclass
from typing import Any, Final, Literal, NamedTuple
from urllib.parse import parse_qsl

from simulator.addresses import urlsplit
from simulator.browser.effects.met import MOST_TOKENS
from simulator.browser.effects.model import Write
from simulator.canonical import is_code, is_generated, url_shape

TOLD: Final = "told_ids"
"""Option of a visit: by variable, where the site gave its value first, as :class:`ToldBy` has it."""
MADE_BY: Final = "made_by"
"""Option of what is done to a thing that the user has made: how that is known, as ``operations.Made`` has it."""
TOLD_BY: Final = ": "
"""Between the request and the path in its answer, in the kind of what an answer names: ``POST /plots: id``."""
_ENDS = ("/", "=", "#")
_MOST = 50
"""Ids of one answer: an answer that lists more identifies none of them."""
_MOST_STOOD = 20_000
"""Of what identifies things on pages. From then on nothing is known to be new."""
_MOST_OLDER = 300
_LETTER = re.compile(r"[^\W\d_]")
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


class _Made(NamedTuple):
    """How the site calls what a write has made."""

    part: str
    """What stands before its id where that identifies a card: ``things/``, ``?id=``; empty for any."""
    by: str
    """The action that sent it."""
    how: str
    """``address``: it was led to. ``page``: it was the only new one there. Else the path in the answer that gave it."""


class MadeThings:
    """What the writes of one user have made, as the site calls it in addresses and attributes.

    A thing is known by that where nothing else tells it from another one that says the same: as what the same user has
    made in an earlier performance, on a site that nobody has restored since.
    """

    def __init__(self) -> None:
        self._writers: dict[str, frozenset[str]] = {}
        """The actions that have sent something, and the words of the user's that it said."""
        self._reported: dict[str, None] = {}
        """Those of them that a recording has with what the user had put in."""
        self._stood: dict[str, int] = {}
        """What identifies a thing to how many had sent something when it was seen first."""
        self._seen_at: dict[str, int] = {}
        """The path of a page to how many had sent something when it was seen last."""
        self._made: dict[_Made, str] = {}

    def sent(self, action_id: str, told: Collection[tuple[str, str]], known: Set[str], *, made: bool) -> None:
        """Take in that an action has sent something.

        Args:
            action_id: the action.
            told: path and text of each id in the answer: that is the thing's where it gives no other.
            known: what the request itself had said.
            made: whether the user had put in anything for it: what was only pressed makes nothing.
        """
        words = {text.casefold() for text in known if made and len(text) > 2 and _LETTER.search(text)}
        self._writers[action_id] = self._writers.get(action_id, frozenset()) | words
        given = {text: path for path, text in told if text not in known}
        if len(given) == 1 and made:
            ((text, path),) = given.items()
            how = _Made("", action_id, path)
            # Where two answers to one action name two things, nobody says which is which.
            self._made[how] = text if self._made.get(how, text) == text else ""

    def report(self, writes: Iterable[Write]) -> None:
        """Take in what a recording has of what was sent."""
        self._reported |= dict.fromkeys(one.action_id for one in writes if one.carried)

    def see(self, url: str, tokens: Collection[str], sent_by: str = "") -> None:
        """Take in what identifies the things on a document.

        Args:
            url: absolute address of the document.
            tokens: as the page script gives them.
            sent_by: the action that sent something, and led to the document by that; empty for none.
        """
        self.lead(url, sent_by)
        path, own, count = urlsplit(url).path, _steps_of(url), len(self._writers)
        since = [*self._writers.items()][self._seen_at.get(path, count) :]
        if len(since) == 1 and since[0][1] and len(tokens) < MOST_TOKENS:
            self._take("page", tokens, since[0][0])
        self._seen_at[path] = count
        for token in (*tokens, *own) if len(self._stood) < _MOST_STOOD else ():
            self._stood.setdefault(token, count)

    def lead(self, url: str, sent_by: str) -> None:
        """Take in where an action has led.

        Args:
            url: absolute address.
            sent_by: the action; empty where none has sent something.
        """
        if self._writers.get(sent_by):
            self._take("address", _steps_of(url), sent_by)

    def _take(self, how: str, tokens: Collection[str], by: str) -> None:
        """Know what is new of its kind alone as what an action has made: nothing named it before that."""
        new: dict[str, list[str]] = {}
        nth = self._nth(by)
        for token in tokens:
            part = _part_of(token)
            if part and self._stood.get(token, nth) >= nth and len(self._stood) < _MOST_STOOD:
                new.setdefault(part, []).append(token.removeprefix(part))
        for part, ids in new.items():
            if len(ids) == 1:
                self._made.setdefault(_Made(part, by, how), ids[0])

    def _nth(self, action_id: str) -> int:
        return 1 + [*self._writers].index(action_id)

    def known_as(self, tokens: Collection[str], texts: Collection[str]) -> list[dict[str, Any]]:
        """Give how a thing was made, as options; nothing where the user has not made it.

        What the site calls it is told, too, where that is a name: another performance may get one with a number.

        Args:
            tokens: identify it on its page.
            texts: what it shows there: a word of what was put in is among that.
        """
        found: dict[tuple[str, int, str], dict[str, Any]] = {}
        shown, order = "\n".join(texts).casefold(), [*self._reported]
        for token in tokens:
            part = _part_of(token)
            for made, called in self._made.items():
                if made.by not in order or not any(word in shown for word in self._writers[made.by]):
                    continue  # such as the next page of a list that has become longer
                if part and made.part in ("", part) and token == part + called:
                    named = {} if is_generated(called) else {"was": called}
                    nth = 1 + order.index(made.by)
                    found[part, nth, made.how] = {"part": part, "nth": nth, "how": made.how, **named}
        return list(found.values())

    def called(self, told: Mapping[str, Any], by: str) -> str:
        """Give what the site calls in this performance what is known so; empty where nobody knows.

        Args:
            told: as :meth:`known_as` gives it.
            by: the action that has made it in this performance.
        """
        return self._made.get(_Made(told["part"], by, told["how"])) or self._made.get(_Made("", by, told["how"])) or ""

    def before(self, known: Iterable[Mapping[str, Any]]) -> list[str]:
        """Give what identifies the things that were there before one that is known so in this very performance."""
        order = [*self._reported]
        return [token for one in known for token in self.older(one["part"], order[one["nth"] - 1])]

    def older(self, part: str, by: str) -> list[str]:
        """Give what identifies the things that were there before a write, the newest of them.

        Args:
            part: what stands before their ids.
            by: the action that has sent it in this performance; nothing is known of an earlier one.
        """
        nth = self._nth(by) if by in self._writers else 0
        return [token for token, count in self._stood.items() if count < nth and _part_of(token) == part][-_MOST_OLDER:]

    def is_called(self, name: str) -> bool:
        """Return whether the site calls something so that the user has made."""
        return name in self._made.values()


class ToldIds:
    """The ids that a site gave to one user, in order."""

    def __init__(self) -> None:
        self._told: dict[tuple[str, str, str], list[str]] = {}
        self._known: set[tuple[str, str]] = set()
        self._named: set[tuple[str, str]] = set()
        """What pages have called things by a word with a number, each with its kind."""
        self._paths: set[str] = set()
        self._made: dict[str, dict[str, str]] = {}
        self.made = MadeThings()

    def answered(
        self,
        method: str,
        url: str,
        told: Collection[tuple[str, str]],
        action_id: str = "",
        said: Set[str] = frozenset(),
        *,
        carried: bool = True,
    ) -> None:
        """Take in what the answer to a write names.

        Args:
            method: of the request.
            url: its absolute address.
            told: path and text of each id in the answer.
            action_id: by which it was sent; empty where none is known.
            said: what the request itself had said. That, and what stands in its address, the action has not made.
            carried: whether the user had put in anything of it.
        """
        at = f"{method} {_shape(url)}"
        known = {*said, *urlsplit(url).path.split("/")}
        codes: dict[str, set[str]] = {}
        for path, text in [*told][:_MOST]:
            self._told.setdefault(("answer", at, path), []).append(text)
            if text not in known and any(map(str.isalpha, text)) and (is_code(text) or is_generated(text)):
                codes.setdefault(f"{at}{TOLD_BY}{path}", set()).add(text)
        self.made.sent(action_id, told, known, made=carried)
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
        self.made.see(url, tokens, sent_by)
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


def _part_of(token: str) -> str:
    """Give what stands before the id in a token; empty where none stands there."""
    at = max(map(token.rfind, _ENDS)) + 1
    if token.startswith("#"):
        return token[:at] + token[at:].rstrip("0123456789") if token[-1:].isdigit() else ""
    # `7/edit` is what can be done with a thing, and not the thing.
    return token[:at] if at and token[at:] and not is_generated(token[:at].rstrip("/")) else ""


def _steps_of(url: str) -> list[str]:
    """Give what identifies the thing of a document in its own address, as the page script writes that."""
    parts = urlsplit(url)
    found = []
    route = parts.fragment.removeprefix("!")
    for address in (f"{parts.path}?{parts.query}", route if route.startswith("/") else ""):
        path, _, query = address.partition("?")
        steps = [step for step in path.split("/") if step]
        found += [f"{before}/{step}" for before, step in zip(("", *steps), steps, strict=False)]
        found += [f"?{name}={value}" for name, value in parse_qsl(query)]
    return found


def _shape(url: str) -> str:
    return url_shape(url).partition("?")[0]
