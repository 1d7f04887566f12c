"""Visiting an address, whatever the page does that is left for it. Not responsible for: what the visit leads to.

A page can send itself elsewhere again and again, ask whether it may be left, or be at work for ever. A user who has had
enough of it closes the window and opens another one; so does a visit, when the window does not come to its address and
the page that it shows is to blame. What is kept for a window alone (``sessionStorage``, the history) is then gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page, Request, Response
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.browser.listeners import of_one
from simulator.browser.windows import Windows

_TRIES = 5
"""How often an address is visited at most in one window, when something else takes the place of the visit."""
_LOADING_MS = 2_000.0
"""How long that something is given before the next try."""
_ANSWER_S = 2.0
"""How long a page may take to answer that it is there, after a visit that ran out of time. One that is only slow, and
takes longer, loses its window, which costs what is kept for that."""
_LOOK_S = 0.1
_CLOSE_S = 5.0
"""How long a window may take to close; afterwards it is left to itself."""
_BROKE_OFF = ("ERR_EMPTY_RESPONSE", "ERR_CONNECTION_RESET", "ERR_CONNECTION_CLOSED")
_INTERRUPTED, _ABORTED = "interrupted by another navigation", "ERR_ABORTED"


@dataclass(slots=True)
class _Course:
    """What came of a visit, beside its end."""

    own: set[str] = field(default_factory=set)
    """Where the visit leads: its address, and what that is redirected to."""
    strayed: bool = False
    """Whether the page went elsewhere meanwhile than where it is sent."""
    answered: bool = False
    """Whether the site has answered. What it answers may be no page: a file to download, or nothing."""

    def taken_over(self, error: PlaywrightError) -> bool:
        """Return whether something else took the place of the visit."""
        aborted = _ABORTED in error.message and (self.strayed or not self.answered)
        return aborted or _INTERRUPTED in error.message


async def visit(windows: Windows, address: str, timeout_ms: float) -> None:
    """Begin to load an address in the window that is looked at, or in one that takes its place.

    Args:
        windows: of the user.
        address: the whole address.
        timeout_ms: until its first answer, in each of the two windows.

    Raises:
        PlaywrightError: it cannot be loaded.
    """
    page = windows.page
    with _watched(page, address) as course:
        try:
            await _load(page, address, timeout_ms, course)
            return
        except PlaywrightError as error:
            late = isinstance(error, PlaywrightTimeout)
            if page.is_closed() or not (late or course.taken_over(error)):
                raise
            if late:
                await _stop(page)
            alive = not late or await _answers(page)
            if alive and late and not course.strayed:
                raise
    if not alive:
        # Its process may be the new window's as well, as long as it is there.
        await _close(page)
    async with windows.instead_of(page) as another:
        await _load(another, address, timeout_ms, _Course(answered=True))
    await _close(page)


async def _load(page: Page, address: str, timeout_ms: float, course: _Course) -> None:
    """Begin to load an address; once more where the answer broke off, as an address that is visited is only read."""
    broke_off = False
    for place in range(_TRIES):
        course.strayed = False
        try:
            await page.goto(address, wait_until="commit", timeout=timeout_ms)
            if not course.strayed:
                return
            # What the page that is left had begun may yet come after it. A visit from the page that is there by now,
            # which begins nothing of its own, takes its place.
            if place == _TRIES - 1:
                raise PlaywrightError(f"Page.goto: {_INTERRUPTED} to {page.url}")
        except PlaywrightError as error:
            broken = any(sign in error.message for sign in _BROKE_OFF)
            # The browser's own page about a visit that failed before may come in between; nothing of the site did.
            # So may one of these visits, when it arrives after it was given up for another.
            again = (broken and not broke_off) or course.taken_over(error)
            if not again or place == _TRIES - 1:
                raise
            broke_off = broke_off or broken
            await _loaded(page)


async def _loaded(page: Page) -> None:
    try:
        await page.wait_for_load_state("domcontentloaded", timeout=_LOADING_MS)
    except PlaywrightTimeout:
        return  # it is on its way somewhere for ever


@contextmanager
def _watched(page: Page, address: str) -> Iterator[_Course]:
    """Watch whether the page goes elsewhere by itself, and whether the site answers."""
    found = _Course({_bare(address)})

    def asked(request: Request) -> None:
        if not request.is_navigation_request() or not _is_main(page, request):
            return
        if _leads(request, address):
            found.own.add(_bare(request.url))
        else:
            found.strayed = True

    def answered(response: Response) -> None:
        found.answered |= response.request.is_navigation_request() and _leads(response.request, address)

    def moved(frame: Frame) -> None:
        found.strayed |= frame is page.main_frame and _bare(frame.url) not in found.own

    request, response, frame = of_one(asked), of_one(answered), of_one(moved)
    page.on("request", request)
    page.on("response", response)
    page.on("framenavigated", frame)
    try:
        yield found
    finally:
        page.remove_listener("request", request)
        page.remove_listener("response", response)
        page.remove_listener("framenavigated", frame)


def _leads(request: Request, address: str) -> bool:
    """Return whether a request is the visit of an address, or what that was redirected to."""
    first = request
    while first.redirected_from:
        first = first.redirected_from
    return _bare(first.url) == _bare(address)


def _is_main(page: Page, request: Request) -> bool:
    try:
        return request.frame is page.main_frame
    except PlaywrightError:
        return True  # the frame of a document that has yet to come is reported later: only a page has such


def _bare(address: str) -> str:
    return address.partition("#")[0].rstrip("/")


async def _stop(page: Page) -> None:
    """Stop what the window is loading, as a user does: a document whose successor is asked for may answer nothing."""
    try:
        async with asyncio.timeout(_ANSWER_S):
            session = await page.context.new_cdp_session(page)
            await session.send("Page.stopLoading")
            await session.detach()
    except (PlaywrightError, TimeoutError):
        return  # whether it answers is asked next


async def _answers(page: Page) -> bool:
    """Return whether the page does anything that it is asked for."""
    try:
        async with asyncio.timeout(_ANSWER_S):
            while not page.is_closed():
                try:
                    await page.evaluate("0")
                except PlaywrightError:
                    await asyncio.sleep(_LOOK_S)  # a document comes or goes
                else:
                    return True
    except TimeoutError:
        return False
    return False


async def _close(page: Page) -> None:
    try:
        async with asyncio.timeout(_CLOSE_S):
            await page.close()
    except (PlaywrightError, TimeoutError):
        return  # nobody looks at it any more, and it goes with the context
