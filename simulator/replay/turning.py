"""Turning the pages of a list until one has the thing of the user, which stood on the first when it was recorded.

What others have put there since moves it on. Not responsible for: which element is the right one (``page/5_query.js``),
what a next page is (``page/8_turning.js``), or acting on it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Sequence

from simulator.browser import documents
from simulator.browser.acting.sightings import SITE
from simulator.browser.actor import Actor
from simulator.browser.effects.sent.answered_ids import MADE_BY
from simulator.browser.evidence import Target
from simulator.browser.find import Find
from simulator.recording.rows import ActionRow
from simulator.replay.evidence.query import Query
from simulator.template import literal, placeholders

_IN_ROWS = frozenset({"click", "dblclick", "check", "uncheck", "select", "fill", "type", "hover"})
"""What is done to a thing in a list."""
_MOST_PAGES = 60
"""How many pages of a list are looked at: a user who turned more would search."""
_TO_THE_END, _BACK = 1_000_000, -2_000
"""How far is scrolled for what a list shows only then, in CSS pixels down."""
_LATE_S = (0.0, 0.2, 0.6)
"""After which pauses it is seen whether it shows more: it may ask for that only a while after its end is in view."""
_GROWN = "grown"
_LONGEST_S = 30.0
"""How long pages are turned: an action has to come to its end in time, to tell what was missing."""


def own_tokens(action: ActionRow, actor: Actor, maker: Callable[[str, int], str]) -> tuple[str, ...] | None:
    """Give by what the thing of an action is identified, as the site has told in this performance.

    Args:
        action: what is done to it.
        actor: who acts.
        maker: gives the action by which a user has made something.

    Returns:
        That; nothing where the thing is known by words of the user's alone. None where it is not known to be its own,
        and where the page would lose what nothing has sent yet.
    """
    unsent = actor.observer.look_back.inputs.may_be_sent()
    if action.target is None or action.kind not in _IN_ROWS or unsent:
        return None
    made = actor.observer.ids.made
    told = [(one["part"], made.called(one, maker(action.actor, one["nth"]))) for one in action.options.get(MADE_BY, ())]
    if told and all(called for _, called in told):
        return tuple(part + called for part, called in told)
    return () if _says_of_user(action.target) else None


def _says_of_user(target: Target) -> bool:
    """Return whether a variable of the user stands in what an element, or its card, says."""
    said = (target.name, *(text for scope in target.scopes for text in scope.texts))
    return any(not name.startswith(SITE) for text in said for name in placeholders(text))


async def turn_to(actor: Actor, query: Query, own: Sequence[str]) -> int:
    """Turn the pages of the list that the user looks at, until one has what is sought.

    What the site has not identified is taken only if all other pages have none of it.

    Args:
        actor: who looks at the list.
        query: what is sought.
        own: by what its thing is identified; empty where the site has not told.

    Returns:
        Which page it is, from 2. 0 where there is none: then the page is shown that was.

    Raises:
        ToolError: a page cannot be visited.
        BrowserError: its document does not answer.
    """
    first, asked, number = actor.page.url, query.model_dump(exclude_defaults=True), 1
    found: dict[int, int] = {}
    ends = time.monotonic() + _LONGEST_S
    while how := await _turned(actor, number):
        number += 1
        count, is_own = await documents.on_page(actor.page, asked, own)
        if is_own:
            return number
        if how == _GROWN:
            found.clear()  # what was on the pages before is on this one, too
        if count and not own:
            found[number] = count
        if number == _MOST_PAGES or time.monotonic() > ends:
            found.clear()  # nobody knows whether another page has it, too
            break
    if number == 1:
        return 0
    [at] = found if [*found.values()] == [1] else [0]
    if at == number:
        return at
    await _visit(actor, first)
    for turned in range(1, at):
        if not await _turned(actor, turned):
            return 0
    return at


async def _turned(actor: Actor, number: int) -> str:
    """Turn a list from the page of some number to the next one; returns how, and nothing where there is none."""
    following = await documents.next_page(actor.page, number)
    url = following.get("url", "")
    if ref := following.get("ref"):
        async with documents.held_back(actor.page) as attempts:
            await actor.click(Find("ref", ref))
        return "" if attempts else await documents.turned_how(actor.page)
    if not url:
        return await _grown(actor, following.get("end", ""), again=number > 1)
    if not actor.addresses.may_visit(url):
        return ""
    await _visit(actor, url)
    return "turned"


async def _grown(actor: Actor, end: str, *, again: bool) -> str:
    """Scroll a list to its end; returns whether it shows more then.

    Args:
        actor: who looks at the list.
        end: reference to the last element of a part of the page that is scrolled by itself; empty for none.
        again: whether it has grown before: its end may still be in view, and has to come into it anew.
    """
    for moves in [[_TO_THE_END], [_BACK, _TO_THE_END]][: 1 + again]:
        for move in moves:
            await actor.runner.act_on_page("scroll", str(move))
            if end:
                await actor.scroll_around(Find("ref", end), 0, move)
        for pause in _LATE_S:
            await asyncio.sleep(pause)
            if await documents.turned_how(actor.page) == _GROWN:
                return _GROWN
    return ""


async def _visit(actor: Actor, url: str) -> None:
    await actor.runner.act_on_page("goto", url, template=literal(actor.writer.mask(actor.addresses.relative(url))))
