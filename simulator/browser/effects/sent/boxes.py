"""What a request says of boxes that a user ticked. Not responsible for: other inputs (``writes``)."""

from __future__ import annotations

import re
from collections.abc import Sequence

from simulator.browser.effects.model import Carried
from simulator.browser.effects.sent.beside import Beside
from simulator.browser.effects.user_input import UserInput
from simulator.meaning import likeness

_BETWEEN = re.compile(r"[\s,;|\[\]]+")
"""What stands between the ids of several things in one text, and around one in the name of a part."""
_TICKED = frozenset({"1", "true", "on", "yes"})
_UNTICKED = frozenset({"", "0", "false", "off", "no", "null"})


def part_of_box(one: UserInput, named: Sequence[tuple[str, str]], *, by_its_form: bool) -> str | None:
    """Return in which part a request says that a box is ticked or not; None where it says nothing of it.

    A form says nothing of a box that is not ticked: that is in the part which is not there. Boxes of one name may be
    called by numbers: ``1`` is another box then than ``3``, and no word for *yes*.

    Args:
        one: what was done with the box.
        named: the parts that are called as it is.
        by_its_form: whether the form of the box was sent.
    """
    said = [(name, text) for name, text in named if text.strip().casefold() not in _UNTICKED]
    numbered = any(each.strip().isdecimal() for each in one.spellings)
    yes = frozenset(word for word in _TICKED if not (numbered and word.isdecimal()))
    own = [name for name, text in said if text.casefold() in yes or any(likeness(each, text) for each in one.spellings)]
    if one.on:
        return next(iter((*own, *(name for name, _ in said))), None)
    if own or not (named or by_its_form):
        return None
    return named[0][0] if named else one.field or None


def unnamed_ticks(
    parts: Sequence[tuple[str, str]],
    inputs: Sequence[UserInput],
    found: Sequence[Carried],
    beside: Beside | None,
) -> list[Carried]:
    """Give the ticks that a script's request may carry under names of its own: a yes or a no that is no other input.

    What it calls them, nobody knows, nor which way round: a box "Public" may be sent as ``isPrivate``. They count as
    sent, so that the write is not proven without them. A request that carries nothing else is one of these boxes where
    it was sent by a press beside them.

    Args:
        parts: of the request.
        inputs: what no part carries by its name.
        found: what the request carries.
        beside: what stands beside the control that was pressed for it; None where nothing was.
    """
    taken = {one.part for one in found}
    answers = [name for name, text in parts if text in ("true", "false") and name not in taken]
    ticks = [one for one in inputs if one.kind == "tick" and not one.apart] if answers else []
    ticks = [one for one in ticks if found or (beside and beside.has(one))]
    part = answers[0] if len(answers) == len(ticks) == 1 else ""
    return [Carried(part, one.action_id) for one in ticks]


def named_by(name: str, text: str) -> set[str]:
    """Give what a part of a request may name: by its text, by each of several in that, or by what it is called.

    Args:
        name: of the part.
        text: of the part.
    """
    return {text.strip(), *_BETWEEN.split(text), *_BETWEEN.split(name)} - {""}


def ticked_cards(parts: Sequence[tuple[str, str]], inputs: Sequence[UserInput]) -> list[Carried]:
    """Give the ticks of several things of a list that a request names, each by what the site calls its thing.

    Where one thing alone was ticked, what was pressed belongs to that (``8_things.js``), and is proven by it.

    Args:
        parts: of the request.
        inputs: what the user has put in before what sent it, and no other part holds.
    """
    ticked = [one for one in inputs if one.kind == "tick" and one.on]
    told = [(name, named_by(name, text)) for name, text in parts]
    named = ((next((name for name, called in told if called & one.ids), None), one) for one in ticked)
    found = [Carried(name, one.action_id) for name, one in named if name is not None]
    return found if len(found) > 1 else []
