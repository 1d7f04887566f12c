"""The documents that a user looks at, and what a replay asks of them.

Playwright's words end here, and those of the page script. Not responsible for: what is asked and what follows from it
(``simulator.replay``), or acting.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any, TypeAlias

from playwright.async_api import BrowserContext, Frame, Page, Route
from playwright.async_api import Error as BrowserError
from playwright.async_api import TimeoutError as BrowserTimeout

from simulator.browser.effects.sent.payloads import only_asks
from simulator.browser.launch.script import ask
from simulator.errors import BrowserCrashed

__all__ = ["BrowserError", "BrowserTimeout", "Context", "Document", "Window"]

Window: TypeAlias = Page
"""A window of a user, with whichever document it shows."""
Document: TypeAlias = Page | Frame
"""What a window shows, or a frame in it."""
Context: TypeAlias = BrowserContext
"""What the windows of one user share: cookies, storage, permissions."""
Query: TypeAlias = Mapping[str, Any]
"""What is sought, as the page script takes it."""

_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_OPTIONS = "el => [...(el.options || [])].filter(one => !one.disabled && one.value).map(one => [one.value, one.label])"
_HREF = "asked => window.__sim && __sim.choices(asked).exact?.href"


async def _told(where: Document, name: str, *asked: Any) -> Any:
    """Ask a document that runs the page script."""
    told = await ask(where, name, *asked)
    if told is None:
        raise BrowserError(f"the document at {where.url} does not answer")
    return told


async def explain(where: Document, query: Query, act: str = "point") -> dict[str, Any]:
    """Ask what a query finds now, and what speaks against what is like it.

    Args:
        where: the document.
        query: what is sought.
        act: what it is to be fit for: ``point`` or ``type``.

    Raises:
        BrowserError: the document has gone, or does not answer.
    """
    found: dict[str, Any] = await _told(where, "explain", query, act)
    return found


async def pieces(where: Document, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Ask which elements each piece of evidence speaks for.

    Raises:
        BrowserError: the document has gone, or does not answer.
    """
    found: dict[str, Any] = await _told(where, "piecesOf", asked)
    return found


async def choices(where: Document, asked: Mapping[str, Any]) -> dict[str, Any]:
    """Ask what a user can choose from.

    Raises:
        BrowserError: the document has gone, or does not answer.
    """
    found: dict[str, Any] = await _told(where, "choices", asked)
    return found


async def next_page(where: Document, number: int) -> dict[str, str]:
    """Give the next page of the list that a document shows: its ``url``, or the ``ref`` of what leads to it, if any.

    Args:
        where: the document.
        number: which page of the list it is, from 1.

    Raises:
        BrowserError: the document has gone, or does not answer.
    """
    found: dict[str, str] = await _told(where, "nextPage", number)
    return found


async def turned_how(where: Document) -> str:
    """Ask what became of a list since :func:`next_page`: ``grown``, ``turned``, or nothing, where it is as it was.

    Args:
        where: the document; another one than was asked then has turned.

    Raises:
        BrowserError: the document has gone, or does not answer.
    """
    return str(await _told(where, "turnedHow"))


async def on_page(where: Document, query: Query, own: Sequence[str]) -> tuple[int, bool]:
    """Ask how many elements a query admits, and whether the only one is of a thing of the user's.

    Args:
        where: the document.
        query: what is sought.
        own: by what the thing is identified.

    Raises:
        BrowserError: the document has gone, or does not answer.
    """
    told = await _told(where, "onPage", query, own)
    return int(told["found"]), bool(told["own"])


async def changed_words(where: Document, query: Query, own: Sequence[str]) -> list[str]:
    """Ask which words that identified a card are others now, where its own address identifies it as well.

    Args:
        where: the document.
        query: what admits nothing with these words.
        own: addresses of the thing.

    Raises:
        BrowserError: the document has gone.
    """
    return list(await ask(where, "changedWords", query, own) or ())


async def dismissible(
    window: Window, query: Query, rules: Sequence[Mapping[str, str]], *, covered: bool
) -> dict[str, str] | None:
    """Ask for what lies over an element and may be dismissed; None where nothing does.

    Args:
        window: the window.
        query: the element.
        rules: what may be dismissed, and by which button.
        covered: whether it is in the way of a pointer alone.

    Raises:
        BrowserError: the document has gone.
    """
    found: dict[str, str] | None = await ask(window, "dismissing", query, rules, not covered)
    return found


async def arrivals(window: Window) -> list[str]:
    """Ask for the addresses that answers to the requests of the last action led to.

    Raises:
        BrowserError: the document has gone.
    """
    return list(await ask(window, "arrivals") or ())


async def dialog_over(window: Window, query: Query) -> dict[str, str] | None:
    """Ask for the dialog that lies over an element and opened by itself; None where there is none.

    Raises:
        BrowserError: the document has gone.
    """
    found: dict[str, str] | None = await ask(window, "strangeDialog", query)
    return found


async def dialog_closed(window: Window) -> bool:
    """Ask whether the dialog that was reported last has closed, and nothing else has changed.

    Raises:
        BrowserError: the document has gone.
    """
    return bool(await ask(window, "dialogClosed"))


async def options_of(where: Document, selector: str) -> list[tuple[str, str]]:
    """Give value and label of each option that can be chosen in a list.

    Raises:
        BrowserError: there is no such list.
    """
    return [(value, label) for value, label in await where.locator(selector).evaluate(_OPTIONS)]


async def href_of(window: Window, asked: Mapping[str, Any], timeout_ms: float) -> str:
    """Give where the one link leads that is meant, once it is there.

    Args:
        window: the window.
        asked: what is meant, as :func:`choices` takes it.
        timeout_ms: how long it may take to appear.

    Raises:
        BrowserError: it did not.
    """
    found = await window.wait_for_function(_HREF, arg=asked, timeout=timeout_ms)
    return str(await found.json_value())


async def appears(where: Document, selector: str, timeout_ms: float) -> None:
    """Wait until an element is there.

    Raises:
        BrowserError: it does not come in time.
    """
    await where.locator(selector).wait_for(state="attached", timeout=timeout_ms)


async def arrives(window: Window, there: Callable[[str], bool], timeout_ms: float) -> bool:
    """Wait until a window is at an address; returns whether it is in time."""
    try:
        await window.wait_for_url(there, wait_until="commit", timeout=timeout_ms)
    except BrowserError:
        return False
    return True


def has_left(where: Document) -> bool:
    """Return whether a document is that of a frame that has left its page."""
    return isinstance(where, Frame) and where.is_detached()


async def is_alive(context: Context, origin: str) -> bool:
    """Ask whether the browser behind a user still runs, and the driver that speaks to it.

    Args:
        context: the user's.
        origin: of the site.
    """
    try:
        await context.cookies(origin)
    except BrowserError:
        return False
    return context.browser is not None and context.browser.is_connected()


async def open_window(context: Context, before: Callable[[Context], Awaitable[None]] | None = None) -> Window:
    """Open the first window of a user.

    Args:
        context: the user's.
        before: what is done to it first.

    Raises:
        BrowserCrashed: the browser died.
    """
    try:
        if before is not None:
            await before(context)
        return await context.new_page()
    except BrowserError as failure:
        raise BrowserCrashed(f"the browser died while a user was starting: {failure.message}") from failure


@asynccontextmanager
async def held_back(window: Window) -> AsyncIterator[list[str]]:
    """Hold back what writes and what leads away; gives what was tried."""
    attempts: list[str] = []

    async def judge(route: Route) -> None:
        request = route.request
        asks = request.method in _READING or only_asks(request.post_data_buffer or b"")
        if asks and not request.is_navigation_request():
            await route.fallback()
            return
        attempts.append(f"{request.method} {request.url}")
        await route.abort()

    await window.route("**/*", judge)
    try:
        yield attempts
    finally:
        await window.unroute("**/*", judge)
