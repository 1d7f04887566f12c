"""The rule by which a healing replay knows an element that strict evidence does not locate any more.

Pure functions over evidence; the page only says what each piece of it points to (``browser/page/5_pieces.js``).

Pieces of evidence: what locates in a strict replay, each for itself, where it was unique when it was recorded; and
weaker ones: id, placeholder, ``autocomplete``, ``value`` of one of a group, and where a link leads. An element is
healed onto when one piece locates it alone, at least one other thing speaks for it, nothing contradicts it but that it
stands in a dialog now, no piece points to another element, the card that it stood in shows what it showed, and strict
evidence does not prove it to be another element of the recording. Being the only button that sends its form says
nothing: where "Save" has gone, the button that is left may be "Delete". Position, box, class and CSS path play no
part.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal

from pydantic import BaseModel, ConfigDict

from simulator.browser.evidence import Target
from simulator.canonical import is_generated
from simulator.replay.evidence.query import By, Query, Render, ScopeQuery
from simulator.replay.evidence.resolve import pressed, primaries

Kind = By | Literal["id", "placeholder", "autocomplete", "value", "href", "plain", "request"]

_PAGE_WIDE = frozenset({"test_id", "id"})
"""What stands once on a page, wherever."""
_UNIQUE_WHEN_RECORDED = frozenset({"test_id", "role", "parts", "label", "name_attr", "id"})
_STRONG = frozenset({"test_id", "role", "label", "name_attr", "plain", "request"})
_SIGNS = re.compile("[\ue000-\uf8ff\U000f0000-\U000ffffd\U00100000-\U0010fffd]")
"""Characters of private use, as icon fonts draw their signs with. The page has its twin."""
_TEXT, _NUMBER = ("text", "textbox"), ("number", "spinbutton")
_LIST, _SUGGESTING = ("select-one", "combobox"), ("text", "combobox")
_RETYPED = {kind: {_TEXT, _NUMBER, _LIST, _SUGGESTING} - {kind} for kind in (_TEXT, _NUMBER, _SUGGESTING)}
"""Types and roles of fields, and what a site may make of each, with nothing else.

What was chosen from a list is not put into a text: nobody knows whether the site wants what the option was called, or
what it was sent as.
"""
_ELSEWHERE = frozenset({"form", "dialog", "landmark", "card", "section", "group"})
"""Contradictions of where an element is, not of what it is."""
WORDS: dict[str, str] = {
    "test_id": "test id",
    "role": "role and name",
    "parts": "lasting texts",
    "name_attr": "name attribute",
    "href": "where it leads",
    "plain": "role and name without signs",
    "request": "the request that it sends",
}


class _Value(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid", defer_build=True)


class Piece(_Value):
    """One piece of evidence, and what the page is asked for by it."""

    by: Kind
    value: str
    role: str = ""
    scope: ScopeQuery | None = None

    @property
    def words(self) -> str:
        """Name it."""
        said = WORDS.get(self.by, self.by)
        return said if self.by in ("href", "request") else f"{said} '{self.value}'"


class Candidate(_Value):
    """An element that a piece of evidence points to, as the page reports it."""

    ref: str
    evidence: Target
    against: tuple[tuple[str, str, str], ...] = ()
    """(kind, expected, found) of each contradiction."""
    known: str = ""
    """The other element of the recording that strict evidence proves it to be, in words."""
    offers: tuple[tuple[str, str], ...] = ()
    """Of a list the options that can be chosen: how each is sent, and what it is called."""

    @property
    def words(self) -> str:
        """Name it."""
        return self.evidence.words


class Seen(_Value):
    """What a page reports of the pieces."""

    pieces: tuple[tuple[int, ...], ...]
    """For each piece the places of its elements in :attr:`candidates`."""
    candidates: tuple[Candidate, ...]


class Found(_Value):
    """The element that is healed onto, and why."""

    candidate: Candidate
    agreed: tuple[str, ...]
    lost: tuple[str, ...]
    """What does not point to it any more."""

    @property
    def is_list(self) -> bool:
        """Whether it is a list, from which one chooses."""
        return (self.candidate.evidence.type, self.candidate.evidence.role) == _LIST


class Refused(_Value):
    """Why nothing is healed."""

    why: str
    nowhere: bool = False
    """Nothing of the evidence is on the page."""


def compile_pieces(target: Target, render: Render, *, same: bool) -> tuple[Piece, ...]:
    """Compile the evidence of an element into pieces, the strongest first.

    Args:
        target: the evidence as it was recorded, a template.
        render: puts the values of this replay into a template.
        same: whether variables have the values that they had when it was recorded: what stands for a value of theirs
            without saying so means nothing otherwise.

    Raises:
        TemplateError: a variable has no value.
    """
    if target.unprovable:
        return ()
    means = same or "{{" not in target.name + target.label
    found = [
        Piece(
            by=by,
            value=render(value),
            role=target.role if by == "role" else "",
            scope=ScopeQuery.of(target.scopes[target.scope_depth], render, version=target.version) if scoped else None,
        )
        for by, value, scoped in primaries(target)
        if by != "leads" and (means or "{{" in value)
    ]
    if target.role and _plain(target.name) and target.alike.plain == 1 and not target.hidden and means:
        found.append(Piece(by="plain", value=render(_plain(target.name)), role=target.role))
    given: list[tuple[Kind, str]] = [("placeholder", target.placeholder), ("request", _request(target))]
    if not is_generated(target.id, target.version):
        given.insert(0, ("id", target.id))
    if target.autocomplete not in ("on", "off"):
        given.append(("autocomplete", target.autocomplete))
    if not is_generated(target.value, target.version):
        given.append(("value", target.value))
    if target.tag == "a":
        given.append(("href", target.href))
    weaker = [Piece(by=by, value=render(value)) for by, value in given if value and (means or "{{" in value)]
    return (*found, *weaker)


def decide(target: Target, pieces: Sequence[Piece], seen: Seen, render: Render, *, given: str = "") -> Found | Refused:
    """Decide which element is healed onto.

    Args:
        target: the evidence as it was recorded.
        pieces: of :func:`compile_pieces`.
        seen: what the page reports of them.
        render: puts the values of this replay into a template.
        given: the text that is put into it, without variables; empty where something else is done to it.
    """
    fits = {
        place
        for place, one in enumerate(seen.candidates)
        if not any(map(_matters, one.against)) or _is_retyped(target, one, render, given)
    }
    located = {
        piece: () if _has_other_sign(target, piece, seen, places) else tuple(at for at in places if at in fits)
        for piece, places in zip(pieces, seen.pieces, strict=True)
    }
    alone = {places[0] for places in located.values() if len(places) == 1}
    if not alone:
        return Refused(why=_why_none(seen), nowhere=not seen.candidates)
    if len(alone) > 1:
        return Refused(why="its evidence points to several: " + ", ".join(seen.candidates[at].words for at in alone))
    (chosen,) = alone
    candidate = seen.candidates[chosen]
    for piece, places in zip(pieces, seen.pieces, strict=True):
        others = [seen.candidates[place] for place in places if place != chosen]
        conflict = next((one for one in others if _conflicts(piece, one, chosen in places)), None)
        if conflict:
            return Refused(why=f"its {piece.words} points to {conflict.words} now")
    if candidate.known:
        return Refused(why=f"{candidate.words} is another element of the recording: {candidate.known}")
    sends = next((piece.value for piece in pieces if piece.by == "value"), candidate.evidence.value)
    if candidate.evidence.value != sends:
        return Refused(why=f"{candidate.words} sends '{candidate.evidence.value}', not '{sends}'")
    around, other = _surroundings(target, candidate.evidence, render)
    if other:
        return Refused(why=f"{candidate.words} does not stand in the card that shows '{other}'")
    locating = [piece for piece, places in located.items() if places == (chosen,)]
    # A name that is given by the label is one piece with it, and the texts that last are a part of the name.
    same = {"label"} if target.label == target.name else set()
    named = {"parts", "plain"} if any(piece.by == "role" for piece in locating) else set()
    apart = [piece for piece in locating if piece.by not in same | named] or locating
    agreed = [piece.words for piece in apart] + around
    if target.form and any(piece.by in _STRONG for piece in locating):
        agreed.append(f"form '{render(target.form)}'")
    if len(agreed) < 2:
        return Refused(why=f"only its {agreed[0]} speaks for {candidate.words}")
    lost = [f"{kind} '{expected}', now '{found}'" for kind, expected, found in candidate.against]
    lost += [piece.words for piece, places in located.items() if chosen not in places]
    return Found(candidate=candidate, agreed=tuple(agreed), lost=tuple(lost))


def mended(query: Query, found: Found) -> Query:
    """Give the query that admits the element that is healed onto, and checks it once more when it is acted on."""
    evidence = found.candidate.evidence
    place = {"place": "dialog" if any(scope.kind == "dialog" for scope in evidence.scopes) else "page"}
    own = {"tag": evidence.tag, "role": evidence.role, "type": evidence.type}
    must = {**pressed(evidence, str), **query.must, **own, **place, "called": evidence.name}
    return Query(
        by="ref",
        value=found.candidate.ref,
        must=must,
        bound=query.bound,
        named=query.named,
        hidden=query.hidden,
        shows=query.shows,
        also=query.also,
        renamed=query.renamed,
        beside=query.beside,
    )


def _matters(against: tuple[str, str, str]) -> bool:
    """Return whether a contradiction stops: all do, but that what was on the page is in a dialog that is open."""
    return against != ("place", "page", "dialog")


def _is_retyped(target: Target, one: Candidate, render: Render, given: str) -> bool:
    """Return whether nothing but a field's type is another one, and all else agrees.

    A number may have become a text, and the other way round; either may have become a list of which exactly one option
    is what is put in. A password, a code, a date and a file are kinds of their own.
    """
    now = one.evidence
    kind = now.type, now.role
    if kind not in _RETYPED.get((target.type, target.role), ()):
        return False
    if kind in (_LIST, _SUGGESTING) and sum(given in option for option in one.offers if given) != 1:
        return False
    called = bool(target.label and target.name_attr and target.form) and not (target.secret or now.secret)
    agrees = (render(target.label), render(target.name_attr), render(target.form)) == (
        now.label,
        now.name_attr,
        now.form,
    )
    of_type = all(against in ("tag", "role", "type") for against, _, _ in filter(_matters, one.against))
    return called and agrees and of_type and "one-time-code" not in (
        *target.autocomplete.split(), *now.autocomplete.split()
    )  # fmt: skip


def _has_other_sign(target: Target, piece: Piece, seen: Seen, places: Sequence[int]) -> bool:
    """Return whether a name that agrees but for signs of an icon font has another sign now: that may be another act."""
    was = _SIGNS.findall(target.name)
    now = [_SIGNS.findall(seen.candidates[place].evidence.name) for place in places]
    return piece.by == "plain" and any(was and one and was != one for one in now)


def _plain(name: str) -> str:
    return " ".join(_SIGNS.sub(" ", name).split())


def _request(target: Target) -> str:
    """Give the whole request of a button; empty where any part of it is, as being the only one locates nothing."""
    press = target.press
    if press is None or not (press.sends and press.submitter and target.carries):
        return ""
    return "\n".join((press.sends, press.submitter, press.override, target.carries))


def _conflicts(piece: Piece, other: Candidate, points_to_chosen: bool) -> bool:
    """Return whether a piece of evidence speaks for another element than the chosen one."""
    elsewhere = any(kind in _ELSEWHERE for kind, _, _ in other.against)
    if piece.by in _PAGE_WIDE:
        return True
    return not elsewhere and (piece.by in _UNIQUE_WHEN_RECORDED or not points_to_chosen)


def _surroundings(target: Target, found: Target, render: Render) -> tuple[list[str], str]:
    """Name the nearest named part of the page that is around the element still; and what its card lacks."""
    named = {(scope.kind, scope.name) for scope in found.scopes if scope.name}
    shown = [text for scope in found.scopes if scope.kind == "card" for text in scope.texts]
    around: list[str] = []
    for scope in target.scopes:
        card = ScopeQuery.of(scope, render, version=target.version)
        if scope.tells:
            holds = all(any(one in text for text in shown) for one in card.holds)
            if not (holds and set(card.must) <= set(shown)):
                return [], card.words
            around = around or [f"card '{card.words}'"]
        elif (scope.kind, card.name) in named:
            around = around or [f"{scope.kind} '{card.name}'"]
    return around, ""


def _why_none(seen: Seen) -> str:
    if not seen.candidates:
        return "nothing of its evidence is on the page"
    return "its evidence points to no single element: " + ", ".join(map(_with_differences, seen.candidates[:3]))


def _with_differences(one: Candidate) -> str:
    differences = ", ".join(f"{kind}: expected '{expected}', found '{found}'" for kind, expected, found in one.against)
    return one.words + (f" ({differences})" if differences else "")
