"""What a user pressed: the control as it stood, and the thing that it belongs to.

Pure functions over what the page script reports (``8_things.js``). Not responsible for: asking the page.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final
from urllib.parse import (
    parse_qsl,
    urlsplit,  # noqa: TID251 (what cannot be split has no steps)
)

from simulator.browser.effects.model import Rules
from simulator.canonical import is_generated

_PARTS = re.compile(r"[/=]")
_ROUTE = re.compile(r"!?/(?P<path>[^?]*)\??(?P<query>.*)", re.DOTALL)
"""A fragment that is a route of a script."""
DRAWN_OTHERWISE: Final = "drawn-otherwise"
"""The state of a control that says by its drawing alone that it was pressed."""


@dataclass(frozen=True, slots=True)
class Standing:
    """How a control stands: what it is, what it is called without numbers, and what of it is switched on."""

    role: str
    name: str
    states: tuple[str, ...]
    drawn: str = field(default="", compare=False)
    """Classes and pictures by which it is drawn."""

    @classmethod
    def of(cls, raw: Mapping[str, Any] | None) -> Standing | None:
        """Take in what the page script reports."""
        return cls(raw["role"], raw["name"], tuple(raw["states"]), raw.get("drawn", "")) if raw else None

    def otherwise(self) -> Standing:
        """Give it as one that is drawn otherwise than before: of what, only the page knows."""
        return replace(self, states=(*self.states, DRAWN_OTHERWISE))

    def __str__(self) -> str:
        """Say it, as it is stored."""
        return " ".join((f"{self.role} '{self.name}'", *self.states))


@dataclass(frozen=True, slots=True)
class Level:
    """A card around a control, by what none of its siblings has."""

    tokens: tuple[str, ...]
    called: str
    texts: tuple[str, ...] = ()
    """All that only it says, what it is called first."""
    ticked: bool = False
    """Whether it is the card of what is ticked for a control that stands beside it."""
    opens: bool = False
    """Whether the control came into sight as something was pressed in it: it counts only if the request names it."""
    words: tuple[str, ...] | None = None
    """All that it says in words, without the control; None for more than can be compared."""
    numbered: tuple[str, ...] = ()
    """What only it says with a number in it, as *Lantern 2000*: that may count something, and be another one later."""

    def belongs(self, keys: tuple[str, ...]) -> Belongs:
        """Give the thing of a control in it, known by some keys."""
        return Belongs(keys, self.called, page=False, texts=self.texts, ticked=self.ticked, words=self.words)


@dataclass(frozen=True, slots=True)
class Belongs:
    """How the thing of a control is known on other documents."""

    keys: tuple[str, ...]
    """Steps of addresses and values of attributes; with none it is known by what it is called."""
    called: str
    page: bool
    """Whether it is the whole page that the control stands on."""
    texts: tuple[str, ...] = ()
    """What its card alone says: where the site has generated no id for it, it is gone when none of that is left."""
    ticked: bool = False
    """Whether the control stands beside its card, in which it was ticked: how the control stands says nothing of it."""
    words: tuple[str, ...] | None = None
    """What its card, or its page, said in words before the control was pressed; None where that is not known."""

    def values(self) -> set[str]:
        """Give what the site generated in its keys."""
        return generated_parts(self.keys)

    @property
    def still_listed(self) -> str:
        """Say that it is where it should be gone."""
        return (f"'{self.called}'" if self.called else "it") + " is still listed where it was deleted"


@dataclass(frozen=True, slots=True)
class Pressed:
    """A control, as it stood before it was pressed."""

    standing: Standing
    own: tuple[str, ...]
    """What it sends of itself, with the form that it is in."""
    lasting: tuple[str, ...]
    path: str
    levels: tuple[Level, ...]
    """The cards around it, the innermost first."""
    here: tuple[str, ...]
    """The steps of the document's address."""
    document: str
    url: str
    ticked: tuple[tuple[Level, ...], ...] = ()
    """Of each thing that is ticked for it the cards around its box, the innermost first: of several, or of those whose
    boxes are sent with its form."""
    rests: bool = False
    """Whether it was disabled until the user put something in: that it is so again says nothing."""
    opened: bool = False
    """Whether it came into sight since the user first acted here, as an item of a menu does: that a document does not
    show it says nothing."""
    renamed: str = ""
    """How it was called before a press that sent nothing renamed it, as one that asks back in its own place. That it is
    called so again says nothing. Empty where nothing renamed it."""

    beside: frozenset[str] = frozenset()
    """Role and name of the other controls of its card, as they were then."""
    says: tuple[str, ...] | None = None
    """What its page said in words, where it stands in no card that is known; None for more than can be compared."""

    @classmethod
    def of(cls, raw: Mapping[str, Any], url: str) -> Pressed:
        """Take in what the page script reports.

        Args:
            raw: as ``actedOn`` gives it.
            url: absolute address of the document.
        """
        return cls(
            Standing(raw["role"], raw["name"], tuple(raw["states"]), raw.get("drawn", "")),
            tuple(raw["own"]),
            tuple(raw["lasting"]),
            raw["path"],
            _levels(raw["levels"]),
            tuple(raw["here"]),
            raw["document"],
            url,
            tuple(map(_levels, raw.get("ticked", ()))),
            raw.get("rests", False),
            raw.get("opened", False),
            raw.get("renamed", ""),
            frozenset(raw.get("beside", ())),
            _words(raw.get("says")),
        )

    def is_at_rest(self, now: Standing) -> bool:
        """Return whether it only stands again as it did before the user put something in: disabled."""
        same = (now.role, now.name) == (self.standing.role, self.standing.name)
        return self.rests and same and {*now.states} ^ {*self.standing.states} == {"disabled"}

    def is_asked_anew(self, now: Standing | None) -> bool:
        """Return whether it is called as before it asked back in its own place, as on every new document."""
        return now is not None and bool(self.renamed) and now.name == self.renamed

    def leads_to(self, url: str) -> bool:
        """Return whether it is a link, and an address is where that leads, away from where it stood."""
        there = set(tokens_of(url))
        return self.standing.role == "link" and there != set(self.here) and there <= set(self.own)

    def control(self, rules: Rules) -> dict[str, Any]:
        """Give what the page script looks for it by on another document."""
        own, lasting = list(self.own), list(self.lasting)
        return {
            "role": self.standing.role,
            "name": self.standing.name,
            "own": own,
            "lasting": lasting,
            "path": self.path,
            "beside": sorted(self.beside) if rules.beside_apart else [],
            "here": list(self.here) if rules.rows_apart else [],
        }

    def names(self, thing: Belongs, address: str) -> bool:
        """Return whether an address is that of the control, or of its form, and names its thing."""
        tokens = tokens_of(address)
        return set(tokens) <= set(self.own) and not thing.values().isdisjoint(generated_parts(tokens))

    def belongs(self, address: str, sent: Iterable[str], called: Collection[str], rules: Rules) -> Belongs | None:
        """Return which thing it belongs to: the card that has what the request names, or the page.

        Args:
            address: of the request, absolute.
            sent: the texts of its parts.
            called: words by which the request names a thing.
            rules: by which that is judged. Where nothing stands beside a card, what the address of its page says would
                be its own as well, as the club in `/club/48213/works/51022` would be of the only work.
        """
        related = {*self.own, *tokens_of(address)}
        related |= {one for each in self.levels for one in each.tokens if one.rpartition("/")[2] in {*called} - {""}}
        values = generated_parts(related) | {text for text in sent if is_generated(text)}
        best: tuple[int, Level, list[str]] | None = None
        own = [level for level in self.levels if not level.opens]
        for level in (*own, *(level for level in self.levels if level.opens)):
            if level.opens and best is not None and not best[1].opens:
                break
            hits = [token for token in level.tokens if token in related or generated_parts((token,)) & values]
            if hits and (best is None or len(hits) > best[0]):
                best = len(hits), level, hits  # further out there are only more cards, with no more of this thing
        if best is not None:
            _, level, hits = best
            generated = generated_parts(hits)
            if rules.rows_apart:
                generated = generated - generated_parts(self.here) or generated
            keys = [token for token in level.tokens if generated_parts((token,)) & generated] if generated else hits
            return level.belongs(tuple(keys))
        for level in own:
            if level.called or level.tokens:
                return level.belongs(() if level.called else level.tokens)
        keys = [token for token in (*related, *self.here) if generated_parts((token,))] or list(self.here[-1:])
        return Belongs(tuple(dict.fromkeys(keys)), "", page=True, words=self.says)

    def ticked_things(self, named: Collection[str]) -> tuple[Belongs, ...]:
        """Give those of the things that are ticked for it which its requests name; none where they name one of several.

        Args:
            named: what the requests name: texts of their parts, and what the site has generated in their addresses.
        """
        found: dict[tuple[str, ...], Belongs] = {}
        for levels in self.ticked:
            for level in levels:
                ids = generated_parts(level.tokens) & set(named)
                keys = tuple(token for token in level.tokens if generated_parts((token,)) & ids)
                texts = not keys and not set(named).isdisjoint(level.texts)
                if keys or texts:
                    found.setdefault(keys or level.texts, replace(level.belongs(keys), ticked=False))
                    break  # further out there are the other things, too
        return tuple(found.values()) if len(found) > 1 or len(self.ticked) == 1 else ()


def _levels(raw: Iterable[Mapping[str, Any]]) -> tuple[Level, ...]:
    return tuple(
        Level(
            tuple(one["tokens"]),
            one["called"],
            tuple(one.get("texts", ())),
            one.get("ticked", False),
            one.get("opens", False),
            _words(one.get("words")),
            tuple(one.get("numbered", ())),
        )
        for one in raw
    )


def _words(raw: Iterable[str] | None) -> tuple[str, ...] | None:
    return None if raw is None else tuple(raw)


def tokens_of(address: str) -> list[str]:
    """Give neighbouring steps of an address, as the page script does: one step alone is the id of anything."""
    try:
        parts = urlsplit(address)
    except ValueError:
        return []
    steps = [step for step in parts.path.split("/") if step]
    pairs = [f"{before}/{step}" for before, step in zip(["", *steps], steps, strict=False)]
    found = [*pairs, *(f"?{name}={value}" for name, value in parse_qsl(parts.query))]
    route = _ROUTE.match(parts.fragment)
    return [*found, *tokens_of(f"/{route['path']}?{route['query']}")] if route else found


def generated_parts(tokens: Iterable[str]) -> set[str]:
    """Give what the site generated in some tokens."""
    return {part for token in tokens for part in _PARTS.split(token) if part and is_generated(part.lstrip("#?@"))}


@dataclass(frozen=True, slots=True)
class Seen:
    """What a document shows of a thing."""

    held: int
    """How many elements have one of its keys."""
    titled: int
    """How many show what it is called."""
    traces: int
    """How many of the texts that its card alone said are there, where nothing else of it is."""
    scopes: int
    """How many cards of it there are."""
    stands: Standing | None
    """How the control stands; None where it is not there."""
    stored: bool = False
    """Whether a store of the browser says an id or the name of the thing: a script may draw how it stands from that."""
    says: tuple[str, ...] | None = None
    """What its card, or its page, says in words, where that was asked; None where there is none, or too much."""
    strange: bool = False
    """Whether what stands, on another page, is called otherwise than the control, and sends nothing that it did."""

    @property
    def is_there(self) -> bool:
        """Whether the thing is on the document at all."""
        return bool(self.held or self.titled)


@dataclass(frozen=True, slots=True)
class Things:
    """What a document shows of some things."""

    document: str
    url: str
    seen: tuple[Seen, ...]
    status: int
    failed: bool
    """Whether something that it asked for was not answered: what is not there may have been in that."""
    tokens: frozenset[str]
    """What identifies the things on it."""
    acted_on: bool = False
    """Whether the user has done something there since it came."""

    @classmethod
    def of(cls, raw: Mapping[str, Any], url: str) -> Things:
        """Take in what the page script reports.

        Args:
            raw: as ``readThings`` gives it.
            url: absolute address of the document.
        """
        seen = tuple(
            Seen(
                one["held"], one["titled"], one["traces"], one["scopes"], Standing.of(one["stands"]),
                one.get("stored", False), _words(one.get("says")), one.get("strange", False),
            )
            for one in raw["things"]
        )  # fmt: skip
        return cls(raw["document"], url, seen, raw["status"], raw["failed"] or raw["loading"], frozenset(raw["tokens"]))

    def names(self, ids: frozenset[str]) -> bool:
        """Return whether something on it has one of some ids."""
        return bool(ids) and not ids.isdisjoint(generated_parts(self.tokens))

    def tells(self, *, kept: bool) -> bool:
        """Return whether what is not there is gone: a page that does not answer in full is no absence.

        Args:
            kept: whether it is to prove that: what is missing where something was done may be out of sight by that.
        """
        return self.status < 400 and not self.failed and not (kept and self.acted_on)
