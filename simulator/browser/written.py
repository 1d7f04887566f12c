"""What became of what an action put into a field: whether the field holds it, or what the page did with it.

Success is what the field holds, or what the page is seen to have done with it instead. Not responsible for: reading the
field, which the page does (``page/4_written.js``); a secret is compared there, and never comes here.
"""

from __future__ import annotations

import re
import unicodedata
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final, Literal, Self

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page

from simulator.browser.action_recorder import ActionKind, ActionStart, PageState, Settled
from simulator.browser.evidence import Target
from simulator.browser.launch.script import ask
from simulator.errors import ToolError
from simulator.template import SECRET

WRITING: frozenset[ActionKind] = frozenset({"fill", "type", "select", "check", "uncheck", "upload"})
READS: Final = "reads"
"""Option of an action: what the field held afterwards, where the page made something else of what was put in."""
_TICKS_NOTHING = frozenset({"a", "button"})
_BOXES = frozenset({"checkbox", "switch"})
"""Roles of what is ticked all the same, as a script draws it of a button."""
_CHOSEN = frozenset({"option", "radio"})
"""Roles of what is chosen from others, as a script draws it of a button."""
_SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
_UNPICKED = "its list is open, and none of its options is chosen: what is typed may be lost; select chooses an option"
_LONGEST = 300
"""Characters of a field that are reported."""

Became = Literal["held", "changed", "reacted", "nothing"]


@dataclass(frozen=True, slots=True)
class Written:
    """What became of what was put into a field."""

    became: Became
    """``held``: the field holds it, by its meaning. ``changed``: the field holds something that the page made of it.
    ``reacted``: the field does not hold it, and the page is seen to have taken it. ``nothing``: nothing was taken.
    """
    reads: str | None = None
    """What the field holds now, where that is written otherwise than what was put in; None for a secret."""
    note: str = ""
    """What the page did instead, why nothing of it was taken, or what is still to be done; a phrase."""
    untouched: bool = False
    """The field is as it was before."""


class NotTaken(ToolError):
    """Nothing of what was put into a field was taken, as the page is seen to show.

    Args:
        message: what was done, to what, and what is there instead.
        report: what the action was and came to.
    """

    def __init__(self, message: str, report: Any) -> None:
        super().__init__("not_actionable", message)
        self.report = report


@dataclass(frozen=True, slots=True)
class Input:
    """What is put into a field, as the page compares it."""

    kind: ActionKind
    given: Any
    """A text, an option, the names and sizes of files, or whether it is to be ticked; of a secret its length."""
    secret: bool
    firm: bool = False
    """Whether the page is known to leave it as it is until something is pressed."""

    @classmethod
    def of(cls, start: ActionStart, value: str) -> Self:
        """Give what an action puts into its field.

        Args:
            start: the action.
            value: what is typed or chosen, without variables; or the path of a file.
        """
        secret = bool(start.target and start.target.secret) or "{{" + SECRET in (start.value or "")
        given: Any = value
        if start.kind == "upload":
            given = [[start.options["name"], Path(value).stat().st_size]]
        elif start.kind in ("check", "uncheck"):
            given = start.kind == "check"
        elif secret:
            given = len(value.encode("utf-16-le")) // 2  # as the page counts
        return cls(start.kind, given, secret)

    @classmethod
    def ticked(cls, start: ActionStart) -> Self | None:
        """Give what a click, or a key, may put into a box, whose page shows that afterwards; None for others."""
        target = start.target
        if target is None or not (start.kind == "click" or (start.kind == "press" and _is_box(target))):
            return None
        if target.tag in _TICKS_NOTHING and target.role not in _BOXES | _CHOSEN:
            return None
        return cls("click", None, target.secret)

    @property
    def asked(self) -> list[Any]:
        """What the page is asked by."""
        return [self.kind, self.given, self.secret, self.firm]

    async def read_back(self, where: Page | Frame) -> dict[str, Any]:
        """Ask the page or the frame what the field holds now; nothing where it has gone."""
        try:
            told: dict[str, Any] = await ask(where, "readBack", *self.asked)
        except PlaywrightError:
            return {}  # its document has gone, and the field with it
        return told or {}


def _is_box(target: Target) -> bool:
    return target.type in ("checkbox", "radio") or target.role in _BOXES


def judge(put: Input, told: Mapping[str, Any], settled: Settled, page: PageState | None) -> Written:
    """Judge what became of what was put in; whatever a click ticks was meant.

    Args:
        put: what was put in.
        told: what the page reports of the field.
        settled: what the action led to.
        page: the page after that; None where it was not followed.
    """
    kind, given = put.kind, put.given
    if kind == "click":
        return Written("held")
    if not told.get("there"):
        return Written("reacted", note="another page came" if settled == "navigated" else "the field has left the page")
    if told["barred"]:
        return Written("nothing", note="it is disabled", untouched=True)
    if kind == "upload":
        found = _upload(given, told)
    elif kind == "select":
        found = _select(given, told)
    elif kind in ("check", "uncheck"):
        found = _tick(given, told)
    else:
        found = _secret(given, told) if told.get("secret") else _text(kind, given, told)
    if found.became == "held" and told.get("unpicked"):
        return replace(found, note=_UNPICKED)
    if found.became != "nothing":
        return found
    reaction = "" if told.get("overwritten") else _reaction(kind, given, told, page)
    return Written("reacted", found.reads, reaction) if reaction else found


def _reaction(kind: ActionKind, given: Any, told: Mapping[str, Any], page: PageState | None) -> str:
    """Say what the page is seen to have done with what its field does not hold; empty for nothing."""
    if kind in ("check", "uncheck"):
        return ""  # a box that shows the other state was not ticked, whatever else happened
    for method, url, status in page.requests if page else ():
        if method not in _SAFE and 200 <= status < 400:
            return f"the page sent it: {method} {url} was answered with {status}"
    if told.get("echo"):
        return "the page shows it elsewhere"
    if kind == "type" and isinstance(given, str) and "\n" in given and told.get("field"):
        return "the page took it with the Enter that ends it"
    if told.get("handled") and (not told.get("field") or told.get("stand_in")):
        return "the page took the keys itself"
    return ""


def _upload(given: Sequence[Sequence[Any]], told: Mapping[str, Any]) -> Written:
    if "files" not in told:
        return Written("nothing", note="it takes no file", untouched=True)
    files = told["files"]
    if files == [list(one) for one in given]:
        return Written("held")
    before = (told.get("was") or {}).get("files")
    reads = ", ".join(f"{name} ({size} bytes)" for name, size in files)
    if not files or files == before:
        return Written(
            "nothing", reads, "it holds no file" if not files else f"it still holds {reads}", files == before
        )
    return Written("changed", reads)


def _select(given: str, told: Mapping[str, Any]) -> Written:
    if "picked" in told:
        return _picked(given, told["picked"], told["was"])
    chosen = told.get("chosen")
    if chosen is None:
        return Written("held")  # no list of the browser's own: Playwright itself saw that it took the option
    own = [{fold(value), fold(label)} for value, label in chosen]
    if all(any(fold(each) in one for one in own) for each in given.split("\n")):
        return Written("held")
    reads = ", ".join(label or value for value, label in chosen)
    untouched = chosen == (told.get("was") or {}).get("chosen")
    return Written("nothing", reads, f"'{reads}' is chosen in it" if reads else "nothing is chosen in it", untouched)


def _picked(given: str, picked: Mapping[str, Any], was: Mapping[str, Any]) -> Written:
    """Judge a choice in a list that a script draws, by what its field shows since then."""
    if picked["shown"]:
        return Written("held")
    anew = [str(text) for text in picked["anew"]]
    label = picked["label"] or given
    if any(fold(text) in fold(label) or fold(label) in fold(text) for text in anew):
        return Written("changed", ", ".join(anew)[:_LONGEST])
    if anew:
        return Written("nothing", ", ".join(anew)[:_LONGEST], f"it shows '{', '.join(anew)[:_LONGEST]}'")
    shows = ", ".join(was["texts"])[:_LONGEST]
    return Written("nothing", None, f"it still shows '{shows}'" if shows else "it shows nothing of it", untouched=True)


def _tick(given: bool, told: Mapping[str, Any]) -> Written:
    ticked, was = told.get("ticked"), told.get("was") or {}
    if ticked in (None, given) or (told.get("says") == given and was.get("says") == (not given)):
        return Written("held")
    before = was.get("ticked")
    return Written("nothing", None, "it is ticked" if ticked else "it is not ticked", ticked == before)


def _secret(given: str | int, told: Mapping[str, Any]) -> Written:
    if told["exact"] or (told["empty"] and not given):
        return Written("held")
    if told["empty"]:
        return Written("nothing", note="it is empty", untouched=bool(told["same"]))
    if told["same"] or not told["put"] or not told["shares"] or told.get("overwritten"):
        return Written("nothing", note="it holds something else", untouched=bool(told["same"]))
    return Written("changed", note="the page took only a part of it, or changed it")


def _text(kind: ActionKind, given: str, told: Mapping[str, Any]) -> Written:
    if "now" not in told:
        if not told.get("textless") and (kind == "fill" or not given):
            return Written("held")
        return Written("nothing", note="it takes no text", untouched=True)
    now, before = str(told["now"]), str(told["before"])
    plainly = fold(now) in (fold(given), fold(before + given) if kind == "type" else None)
    reads = None if plainly else now.strip()[:_LONGEST]
    if means(now, given) or (kind == "type" and _typed_into(now, before, given)):
        return Written("held", reads)
    if told["bad"]:
        return Written("changed", note="what it holds is not complete yet")
    if told["most"] >= 0 and now and now == given[: told["most"]]:
        return Written("changed", reads, f"it takes {told['most']} characters")
    untouched = bool(told["same"])
    if told.get("overwritten"):
        return Written("nothing", reads, f"the page has written '{now.strip()[:_LONGEST]}' over it", untouched)
    part = now[len(before) :] if kind == "type" and now.startswith(before) else now
    if not untouched and (_shares(part, given) or (not given and now)):
        return Written("changed", reads)
    return Written(
        "nothing", reads, f"it reads '{now.strip()[:_LONGEST]}'" if now.strip() else "it is empty", untouched
    )


def _typed_into(now: str, before: str, given: str) -> bool:
    whole, added = fold(now), fold(given)
    return now != before and (whole == fold(before + given) or added in whole)


def fold(text: str) -> str:
    """Give a text without what a field does not keep apart: forms of one letter, kinds and amounts of white space."""
    return " ".join(unicodedata.normalize("NFKC", text).replace("\u200b", "").split())


def means(one: str, other: str) -> bool:
    """Return whether two texts of a field say the same: as numbers, as dates, or letter by letter."""
    if fold(one).casefold() == fold(other).casefold():
        return True
    numbers = _number(one), _number(other)
    if None not in numbers:
        return numbers[0] == numbers[1]
    bare, other_bare = _bare(one), _bare(other)
    if bare and bare == other_bare:
        return True
    digits = [Counter(part.lstrip("0") for part in re.split(r"\W+", text.strip()) if part) for text in (one, other)]
    dated = all(
        len(parts) > 1 and re.fullmatch(r"[\d\W]+", text) for parts, text in zip(digits, (one, other), strict=True)
    )
    return dated and digits[0] == digits[1]


def _bare(text: str) -> str:
    return "".join(char for char in unicodedata.normalize("NFKC", text).casefold() if char.isalnum())


_NUMBER = re.compile(r"[^\w+-]*([+-]?)(\d[\d.,'\s\u00a0\u202f]*)\W*")
"""A number with what groups its digits; a sign of a currency or of percent may stand beside it."""


def _number(text: str) -> float | None:
    """Read a number as people write it: the last sign between digits parts the decimals, unless three follow it."""
    match = _NUMBER.fullmatch(text.strip())
    if match is None:
        return None
    digits = re.sub(r"['\s\u00a0\u202f]", "", match.group(2)).rstrip(".,")
    whole, sign, decimals = re.match(r"(.*?)(?:([.,])(\d*))?$", digits).groups()  # type: ignore[union-attr]
    groups = re.split(r"[.,]", whole)
    grouped = all(len(group) == 3 for group in groups[1:])
    if sign and len(decimals) == 3 and 0 < len(groups[0]) <= 3 and grouped and groups[0] != "0":
        whole, decimals = whole + decimals, ""
    elif not grouped:
        return None
    return float(f"{match.group(1)}{re.sub(r'[.,]', '', whole) or '0'}.{decimals or '0'}")


def _shares(now: str, given: str) -> bool:
    """Return whether a text has anything of another one: a letter or a digit, or any character where that has none."""
    here, there = _bare(now), _bare(given)
    return bool(set(here) & set(there)) if there else bool(set(now.strip()) & set(given))
