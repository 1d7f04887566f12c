"""Things that one request names in a list: those that were ticked for it, or all of them in an order.

Pure. Not responsible for: comparing what was sent with them (``forms``).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from simulator.browser.effects.sent.objects import Named


@dataclass(frozen=True, slots=True)
class Several:
    """Things that a request names in one list."""

    part: str
    """What the list is called, as ``last_step`` gives it."""
    ids: tuple[str, ...]
    """In the order of the request."""
    moves: bool
    """Whether the page's data has them in another order."""

    @classmethod
    def of(cls, part: str, ids: Iterable[str], objects: Sequence[Named]) -> Several:
        """Know a list.

        Args:
            part: what it is called.
            ids: in the order of the request.
            objects: in what the page has fetched, in their order.
        """
        listed = tuple(dict.fromkeys(ids))
        return cls(part, listed, in_order(listed, objects) != list(listed))


def in_order(ids: Iterable[str], objects: Iterable[Named]) -> list[str]:
    """Give those of some ids that objects have, in the order of these.

    Args:
        ids: of things.
        objects: in their order.
    """
    wanted = {*ids}
    return [*dict.fromkeys(text for one in objects for text in one.ids & wanted)]
