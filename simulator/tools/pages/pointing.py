"""What a selector of a reading or of a careful action means on the page as it is. Not responsible for: reading it."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, TypeVar

from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.tools.selectors import read_selector

if TYPE_CHECKING:
    from simulator.browser.actor import Actor
    from simulator.browser.views.element_reader import Act

PATIENCE_S = 1.5
"""How long an element may take until it can be acted on."""
_POLL_S = 0.1
Answer = TypeVar("Answer")


async def first_fit(
    actor: Actor, selector: str, read: Callable[[Find], Awaitable[Answer]], *, field: bool = False
) -> Answer:
    """Read by the first meaning of a selector that fits something, without waiting for it.

    Args:
        actor: whose page.
        selector: as :func:`~simulator.tools.selectors.read_selector` takes it.
        read: reads what a meaning fits, or raises ``not_found``.
        field: whether plain words are a field's label before they are a text.

    Raises:
        ToolError: ``not_found``; nothing fits, and the message says what was tried; or what ``read`` raises.
    """
    finds = read_selector(selector, field=field)
    for find in finds:
        try:
            return await read(find)
        except ToolError as error:
            # Words are seldom valid CSS, and the page says so.
            unread = find.how == "css" and error.type == "not_actionable"
            if not (error.type == "not_found" or (unread and len(finds) > 1)):
                raise
    tried = ", ".join(find.how for find in finds)
    raise ToolError("not_found", f"nothing on {actor.here.url} fits {selector!r} (tried as {tried})")


async def reachable(actor: Actor, selector: str, act: Act, *, field: bool = False) -> Find:
    """Find the one element that is meant, once it can be acted on.

    Args:
        actor: whose page.
        selector: as there.
        act: what it is to be fit for.
        field: as there.

    Raises:
        ToolError: ``not_found``, ``ambiguous``, or ``not_actionable``, which says whether it is not visible, disabled,
            not editable, read-only, or covered, and by what.
    """

    async def look(find: Find) -> tuple[Find, str]:
        return find, await actor.elements.obstacle(find, act)

    deadline = time.monotonic() + PATIENCE_S
    while True:
        try:
            find, obstacle = await first_fit(actor, selector, look, field=field)
            if not obstacle:
                return find
            failure = ToolError("not_actionable", f"{selector} {obstacle}")
        except ToolError as error:
            if error.type != "not_found":
                raise
            failure = error
        if time.monotonic() > deadline:
            raise failure
        await asyncio.sleep(_POLL_S)
