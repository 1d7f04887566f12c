"""Closing a dialog that opened by itself and that nobody recorded, with all that it could send held back.

Not responsible for: whether there is one, and by what it closes, which the page reports (``page/6_strange.js``).
"""

from __future__ import annotations

import asyncio
from typing import NamedTuple

from simulator.browser import documents
from simulator.browser.actor import Actor
from simulator.browser.find import Find
from simulator.errors import ToolError
from simulator.replay.evidence.query import Query


class StrangeDialog(NamedTuple):
    """A dialog that opened by itself."""

    name: str
    ref: str
    """Of the icon that closes it; empty where Escape has to."""


async def strange_dialog(actor: Actor, query: Query) -> StrangeDialog | None:
    """Find the dialog that lies over what is acted on and opened without an act of ours; None where there is none.

    Args:
        actor: who acts.
        query: what is acted on.
    """
    try:
        told = await documents.dialog_over(actor.page, query.model_dump(exclude_defaults=True))
    except documents.BrowserError:
        return None  # its document is being left
    return StrangeDialog(told["name"], told["ref"]) if told else None


async def close_dialog(actor: Actor, dialog: StrangeDialog, watched_s: float) -> str:
    """Close a dialog, and see that nothing else comes of it.

    Args:
        actor: who acts.
        dialog: what is closed.
        watched_s: how long nothing may be sent afterwards.

    Returns:
        Why it is not closed, or what closing it would have done; empty where it is closed.
    """
    address = actor.page.url
    async with documents.held_back(actor.page) as attempts:
        try:
            if dialog.ref:
                await actor.click(Find("ref", dialog.ref))
            else:
                await actor.press("Escape")
        except ToolError as error:
            return f"the dialog '{dialog.name}' could not be closed: {error.message}"
        await asyncio.sleep(watched_s)
    if attempts:
        return f"to close the dialog '{dialog.name}' would have sent {attempts[0]}"
    try:
        closed = await documents.dialog_closed(actor.page)
    except documents.BrowserError:
        closed = False
    if not closed or actor.page.url != address:
        return f"a dialog opened: '{dialog.name}', which does not close by itself alone"
    return ""
