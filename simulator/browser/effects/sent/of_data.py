"""Which things of a page's own data a request names, though the page shows no id of them.

Pure. Not responsible for: hearing what pages fetch (``brought``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from simulator.browser.effects.pressed import Pressed
from simulator.browser.effects.sent.carried import last_step
from simulator.browser.effects.sent.objects import Named
from simulator.canonical import is_generated

_TELLS = 3
"""Characters from which on a text of a card names its thing."""


def things_of_data(parts: Sequence[tuple[str, str]], pressed: Pressed, objects: Iterable[Named]) -> frozenset[str]:
    """Give the ids in a request that the page's data has for several things, or for the one whose card was pressed.

    One id alone says little: what counts presses names the user, too.

    Args:
        parts: name and text of each part of the request.
        pressed: what was pressed.
        objects: in what the page has fetched.
    """
    sent = {text for _, text in parts if is_generated(text)}
    named = [one for one in objects if not sent.isdisjoint(one.ids)] if sent else []
    ids = frozenset(text for one in named for text in one.ids & sent)
    lists: dict[str, set[str]] = {}
    for name, text in parts:
        if text in ids:
            lists.setdefault(last_step(name), set()).add(text)
    if several := {text for ids_of_list in lists.values() if len(ids_of_list) > 1 for text in ids_of_list}:
        return frozenset(several)
    shown = {
        text.casefold() for level in pressed.levels for text in (level.called, *level.texts) if len(text) >= _TELLS
    }
    own = [one for one in named if shown & {text.casefold() for text in one.holds.values()}]
    return frozenset(text for one in own for text in one.ids & sent)
