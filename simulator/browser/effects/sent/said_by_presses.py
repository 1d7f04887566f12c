"""What a request says of controls that were pressed before: a day of a calendar, a colour, a size.

A script may draw a field of anything. What it sends says all the same what was pressed. Not responsible for: what is
pressed in lists and boxes that say what they are (``inputs``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from itertools import chain

from simulator.browser.effects.model import Carried
from simulator.browser.effects.sent.carried import last_step
from simulator.browser.effects.sent.payloads import unfolded
from simulator.browser.effects.sent.writes import GUARDS, Sent
from simulator.browser.effects.user_input import UserInput
from simulator.meaning import Text, likeness, stems

_MOST = 40
"""Characters of what a control says that may be a value of a field."""
_MOST_BESIDE = 4
"""Words beside the date that a day of a calendar is called by: the day of the week, *today*, what follows a number."""


def said_by_presses(
    sent: Sent, pressed: Sequence[UserInput], carried: Iterable[Carried], filled: Mapping[str, Collection[str]]
) -> list[tuple[Carried, UserInput]]:
    """Give the parts of a request that say what was pressed, and each of them as an input.

    Args:
        sent: the request.
        pressed: what was pressed before, and sent nothing, the oldest first.
        carried: what the request carries of other inputs.
        filled: by the name of a field what its form had held as the page came.
    """
    taken = {last_step(one.part) for one in carried}
    found: dict[str, tuple[Carried, UserInput]] = {}
    for name, text in unfolded(sent.parts or ()):
        called = last_step(name)
        if called in taken or GUARDS.search(name) or text in filled.get(name, ()) or len(text) > _MOST:
            continue
        own = next((one for one in reversed(pressed) if any(_says(text, each) for each in one.spellings)), None)
        if own is not None and own.action_id not in found:
            spelt = [each for each in own.spellings if likeness(text, each)]
            one = replace(own, spellings=tuple(dict.fromkeys((text, *spelt))), names=(called,), field=name, said=True)
            found[own.action_id] = Carried(name, one.action_id), one
    return list(found.values())


def button_said(sent: Sent, pressed: UserInput | None) -> UserInput | None:
    """Give the button that sent something as an input, where a page may say in another form what it is called.

    Args:
        sent: the request.
        pressed: what was pressed for it; None where nothing was.
    """
    if pressed is None:
        return None
    # Of several words the first one says what it does; what it is sent as says nothing else: *Close issue*, `close`.
    called = [(each.split() or [""])[0] for each in pressed.spellings]
    own = {text for _, text in sent.parts or ()} & {*pressed.spellings}
    spellings = tuple(dict.fromkeys(each for each in (*sorted(own), *called) if stems(each)))
    return replace(pressed, spellings=spellings, names=(), sends=True) if spellings else None


@lru_cache(maxsize=1024)
def _says(text: str, control: str) -> bool:
    """Return whether a part says what a control is called: the same, or the date of which that is the day.

    A calendar may call its days by their whole date, with the day of the week (``Wednesday, November 18th, 2026``), and
    a script may send one as the moment at which it begins (``2026-11-18T00:00:00.000Z``).
    """
    if likeness(control, text) in ("same", "transformed"):
        return True
    moments, own = Text(text).moments, Text(control).moments
    days = {day for readings in moments.days for day in readings}
    if len(moments.days) != 1 or any((at.hour, at.minute, at.second or 0) != (0, 0, 0) for at in chain(*moments.times)):
        return False
    if len(own.days) == 1 and not own.times and len(own.rest.split()) <= _MOST_BESIDE:
        return all(day.year and day.day for day in own.days[0]) and not days.isdisjoint(own.days[0])
    return {str(day.day) for day in days} == {control.strip().lstrip("0")}
