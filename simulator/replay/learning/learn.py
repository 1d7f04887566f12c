"""What two runs of the same steps show of a page: which of its texts always stand there, and which change.

Pure functions over page states. Not responsible for: performing the second run, or storing what is learnt.

A text that both pages show is required from then on. Of one that differs in places, the places are variables where the
two users' own values stand there, and else :data:`CHANGING`, for which anything may stand; what little is left of a
text then may be nothing that one could look for, and it is not checked at all.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from typing import Any, Final

from simulator.browser.action_recorder import PageState
from simulator.template import CHANGING as NAME
from simulator.template import PLACEHOLDER

LEARNT: Final = "learnt"
"""Mark of a step: what the pages after its actions show each time, by the ordinal of the action."""
CHANGING = "{{" + NAME + "}}"
"""Stands in a learnt text for what is another one each time."""

_PARTS = re.compile(r"\{\{[^{}]*\}\}|\w+|\s+|[^\w\s]")
_WORD = re.compile(r"[^\W\d_]{3,}")
_OF_THE_SITE = ("site.", "made.", "file.")
"""Groups of variables that nobody was dealt."""
_NUMBER = r"(?:(?<=[#№])|(?<=[#№]\s)|(?<=\bn[or]\.\s)|(?<=\bn[°º]\s))"
"""What says of a number that it calls something."""
_MIN_ALIKE = 0.5
"""Share of a text that has to be the same for its differences to be places in it."""


@dataclass(frozen=True, slots=True)
class Learnt:
    """What the page after an action shows each time."""

    title: str = ""
    """A template; empty where the titles differ, or there is none."""
    notes: tuple[str, ...] = ()
    """Texts that it shows as status, and what native dialogs say."""
    alerts: tuple[str, ...] = ()
    """Texts that it shows as errors."""
    volatile: tuple[str, ...] = field(default=(), compare=False)
    """Texts that are not checked, as one of the pages had them."""
    requests: tuple[str, ...] = ()
    """Method and address of requests that a page sends by itself, and sends each time."""

    def __bool__(self) -> bool:
        return bool(self.title or self.notes or self.alerts or self.requests)

    @property
    def required(self) -> tuple[str, ...]:
        """All that is checked."""
        return (*([self.title] if self.title else []), *self.notes, *self.alerts)

    def as_json(self) -> dict[str, Any]:
        """Give it as a step's mark holds it."""
        found = {"title": self.title, "notes": list(self.notes), "alerts": list(self.alerts)}
        found["requests"] = list(self.requests)
        return {name: value for name, value in {**found, "volatile": list(self.volatile)}.items() if value}


def learnt_of(flags: Mapping[str, Any], ordinal: int) -> Learnt:
    """Read what was learnt of an action.

    Args:
        flags: marks of its step.
        ordinal: its place in the step.
    """
    held = flags.get(LEARNT, {}).get(str(ordinal), {})
    texts = {name: tuple(held.get(name, ())) for name in ("notes", "alerts", "requests", "volatile")}
    return Learnt(title=held.get("title", ""), **texts)


def learn(first: PageState, second: PageState, was: Mapping[str, str], now: Mapping[str, str]) -> Learnt:
    """Compare a page with what it is for another user.

    Args:
        first: as it was recorded.
        second: as it was the second time.
        was: the variables of the recorded user.
        now: those of the other one.
    """
    volatile: list[str] = []
    alike = _alike_by_chance(was, now)

    def both(one: Sequence[str], other: Sequence[str]) -> tuple[str, ...]:
        left = list(other)
        required: list[str] = []
        open_: list[str] = []
        for text in one:
            if text in left:
                left.remove(text)
                required.append(text)
            else:
                open_.append(text)
        for text in open_:
            near = max(left, key=lambda each: _alike(text, each), default=None)
            common = None if near is None else _common(text, near, was, now)
            if near is None or common is None:
                volatile.append(text)
            else:
                left.remove(near)
                required.append(common)
        volatile.extend(left)
        loose = [(text, _without(alike, text)) for text in required]
        volatile.extend(text for text, left_of_it in loose if left_of_it is None)
        return tuple(text for _, text in loose if text is not None)

    titles = both([first.title] if first.title else [], [second.title] if second.title else [])
    return Learnt("".join(titles), both(first.said, second.said), both(first.alerts, second.alerts), tuple(volatile))


def lacking(learnt: Learnt, now: PageState, render: Callable[[str], str], shown: Callable[[str], str]) -> str:
    """Give the first text that a page has to show and does not; empty where it shows all.

    Args:
        learnt: what it shows each time.
        now: the page as it is, its texts as templates.
        render: puts the values of this replay into a template.
        shown: the same for texts of the page, in which unknown variables stay as they are.
    """
    for texts, there in (((learnt.title,), (now.title,)), (learnt.notes, now.notes), (learnt.alerts, now.alerts)):
        seen = [_folded(shown(text)) for text in there]
        fits = [[at for at, one in enumerate(seen) if _pattern(text, render).fullmatch(one)] for text in texts]
        taken: dict[int, int] = {}
        for place, text in enumerate(texts):
            if text and not _assign(place, fits, taken, set()):
                return text
    return ""


def _assign(place: int, fits: Sequence[Sequence[int]], taken: dict[int, int], tried: set[int]) -> bool:
    """Give a required text one of those that it fits, moving others where they fit elsewhere, too."""
    for at in fits[place]:
        if at not in tried:
            tried.add(at)
            if at not in taken or _assign(taken[at], fits, taken, tried):
                taken[at] = place
                return True
    return False


def _pattern(text: str, render: Callable[[str], str]) -> re.Pattern[str]:
    parts = (re.escape(_folded(render(part), strip=False)) for part in text.strip().split(CHANGING))
    return re.compile(".*?".join(parts), re.DOTALL)


def _folded(text: str, *, strip: bool = True) -> str:
    folded = re.sub(r"\s+", " ", text)
    return folded.strip() if strip else folded


def _alike_by_chance(was: Mapping[str, str], now: Mapping[str, str]) -> re.Pattern[str] | None:
    """Give what finds values that two users were dealt or given alike, being among few: the next one has others."""
    own = {name: value for name, value in was.items() if value and not name.startswith(_OF_THE_SITE)}
    same = {value for name, value in own.items() if now.get(name) == value}
    if all(now.get(name, value) == value for name, value in own.items()):
        return None  # it is the same user once more
    values = "|".join(re.escape(value) for value in sorted(same, key=len, reverse=True))
    # An id that a site which was reset has given twice: in an address that a text says it is that of this thing, and so
    # behind what says that a number is one (`Bug #3`); elsewhere it may count something.
    given = {value for name, value in was.items() if name.startswith("site.") and value and now.get(name) == value}
    ids = "|".join(re.escape(value) for value in sorted(given, key=len, reverse=True))
    found = [rf"(?<!\w)(?:{values})(?!\w)"] * bool(same)
    found += [rf"(?<=/)(?:{ids})(?![\w.-])", rf"{_NUMBER}(?:{ids})(?!\w|[.-]\w)"] * bool(given)
    return re.compile("|".join(found), re.IGNORECASE) if found else None


def _without(alike: re.Pattern[str] | None, text: str) -> str | None:
    """Write a text with what is another one each time in the place of such values; None where too little is left."""
    if alike is None:
        return text
    parts = re.split(r"(\{\{[^{}]*\}\})", text)
    loose = "".join(part if part.startswith("{{") else alike.sub(CHANGING, part) for part in parts)
    return loose if loose == text or _WORD.search(PLACEHOLDER.sub("", loose)) else None


def _alike(one: str, other: str) -> float:
    return SequenceMatcher(None, _PARTS.findall(one), _PARTS.findall(other), autojunk=False).ratio()


def _common(one: str, other: str, was: Mapping[str, str], now: Mapping[str, str]) -> str | None:
    """Write what two texts have in common, with variables for what the users explain; None where it is too little."""
    parts, others = _PARTS.findall(one), _PARTS.findall(other)
    matcher = SequenceMatcher(None, parts, others, autojunk=False)
    written: list[str] = []
    told = 0
    for kind, begin, end, at, to in matcher.get_opcodes():
        if kind == "equal":
            same = "".join(parts[begin:end])
            written.append(same)
            told += len(_WORD.findall(PLACEHOLDER.sub("", same)))
        else:
            written.append(_explained("".join(parts[begin:end]), "".join(others[at:to]), was, now) or CHANGING)
    if CHANGING in written and (matcher.ratio() < _MIN_ALIKE or not told):
        return None
    text = "".join(written)
    return re.sub(f"(?:{re.escape(CHANGING)})+", CHANGING, text)


def _explained(one: str, other: str, was: Mapping[str, str], now: Mapping[str, str]) -> str:
    for name, value in was.items():
        if value == one and now.get(name) == other:
            return "{{" + name + "}}"
    return ""
