"""Opens the menus of a page whose items a script draws when they are opened, to see what they hold.

Nothing but what says of itself that it opens a menu is pressed. Not responsible for: menus whose items are in the page
before they are opened, which are read there, or those of the site, such as that of an account.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Collection

from simulator.browser.actor import Actor
from simulator.browser.find import Find
from simulator.browser.views.reading import PageButton
from simulator.browser.views.survey import Survey
from simulator.errors import ToolError

_MOST = 4
"""Menus of one page that are opened: those of its first thing, and those that stand beside none."""


async def with_menus(
    actor: Actor, page: Survey, elsewhere: Collection[str], back: Callable[[], Awaitable[bool]]
) -> Survey:
    """Give a page with the links and buttons that its menus hold, in the cards in which the menus stand.

    Args:
        actor: whose page it is, as it was loaded.
        page: what was read of it.
        elsewhere: what buttons of other kinds of pages say.
        back: reloads it; false where it cannot.

    Returns:
        The page itself where it has no such menu; otherwise it has been reloaded since.
    """
    for place in range(_MOST):
        openers = _unknown(await actor.reader.buttons(), elsewhere)
        if place >= len(openers):
            break
        opener = openers[place]
        try:
            await actor.click(Find("ref", opener.ref))
            opened = await actor.reader.survey()
        except ToolError:
            opened = page
        if opened.address == page.address:
            page = _joined(page, opened, bool(opener.card))
        if not await back():
            break
    return page


def _unknown(buttons: tuple[PageButton, ...], elsewhere: Collection[str]) -> list[PageButton]:
    """Give what opens menus whose content the page does not show: of things that are alike the first's."""
    of_page = [one for one in buttons if one.opens == "page" or (one.opens == "part" and one.name not in elsewhere)]
    closed = [one for one in of_page if not one.holds and not one.disabled]
    first = next((one.card for one in closed if one.card), None)
    return [one for one in closed if one.card in ((), first)][:_MOST]


def _joined(page: Survey, opened: Survey, in_card: bool) -> Survey:
    """Give a page with what has come since a menu of it was opened."""
    known = {(one.words, one.href) for one in page.links}
    told = {one.ref for one in page.buttons}
    cards = [*(one.card for one in page.links), *(one.card for one in page.buttons)]
    card = max(cards, default=0) + 1 if in_card else 0
    links = [one for one in opened.links if one.shown and (one.words, one.href) not in known]
    buttons = [one for one in opened.buttons if one.shown and one.ref not in told]
    return page.model_copy(
        update={
            "links": (*page.links, *(one.model_copy(update={"card": card}) for one in links)),
            "buttons": (*page.buttons, *(one.model_copy(update={"card": card}) for one in buttons)),
        }
    )
