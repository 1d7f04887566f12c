"""Which things of a page's own data a request names, though the page shows no id of them.

Pure. Not responsible for: hearing what pages fetch (``brought``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from simulator.browser.effects.pressed import Pressed
from simulator.browser.effects.sent.carried import last_step
from simulator.browser.effects.sent.objects import OF_LIST, Named
from simulator.browser.effects.sent.several import Several
from simulator.canonical import is_generated

_TELLS = 3
"""Characters from which on a text of a card names its thing."""


def may_name_several(parts: Iterable[tuple[str, str]]) -> bool:
    """Return whether a request names in one list several things that a site may have named.

    Args:
        parts: name and text of each part of the request.
    """
    return any(len(set(texts)) > 1 for texts in _lists(parts).values())


def things_of_data(
    parts: Sequence[tuple[str, str]], pressed: Pressed | None, objects: Sequence[Named]
) -> frozenset[str] | Several:
    """Give the ids in a request that the page's data has for several things, or for the one whose card was pressed.

    One id alone says little: what counts presses names the user, too.

    Args:
        parts: name and text of each part of the request.
        pressed: what was pressed; None: only a list counts.
        objects: in what the page has fetched, in their order.
    """
    sent = {text for _, text in parts if is_generated(text)}
    named = [one for one in objects if not sent.isdisjoint(one.ids)] if sent else []
    ids = frozenset(text for one in named for text in one.ids & sent)
    for part, listed in _lists(parts).items():
        if len(ids.intersection(listed)) > 1:
            return Several.of(part, (text for text in listed if text in ids), named)
    levels = pressed.levels if pressed else ()
    shown = {text.casefold() for level in levels for text in (level.called, *level.texts) if len(text) >= _TELLS}
    own = [one for one in named if shown & {text.casefold() for text in one.holds.values()}]
    return frozenset(text for one in own for text in one.ids & sent)


def _lists(parts: Iterable[tuple[str, str]]) -> dict[str, list[str]]:
    """Give the ids in each list of a request: a list of objects is one of ids only where these hold nothing else."""
    told = [(name, text, of_list["list"] or "[]" if (of_list := OF_LIST.search(name)) else "") for name, text in parts]
    held: dict[str, set[str]] = {}
    for name, _, called in told:
        held.setdefault(called, set()).add(last_step(name))
    lists: dict[str, list[str]] = {}
    for name, text, called in told:
        if is_generated(text) and (not called or len(held[called]) == 1):
            lists.setdefault(last_step(name), []).append(text)
    return lists
