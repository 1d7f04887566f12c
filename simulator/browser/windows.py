"""The windows of one actor, and what the browser itself puts before a page. Not responsible for: acting on them.

A user looks at the newest window, or at the one that was chosen last; when it closes, at the one before. Windows are
known by a number, in the order in which they were opened, from 1: the same when the same is done again.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Sequence, Set
from contextlib import asynccontextmanager
from typing import NamedTuple, TypedDict

from playwright.async_api import BrowserContext, Dialog, Page, Request
from playwright.async_api import Error as PlaywrightError

from simulator.browser.acting.dialogs import Answer, reply
from simulator.errors import ToolError

_OPENING = 2.0
"""Seconds that the browser may take to open a window which a page has asked for."""
_LOOKING = 0.25
"""Seconds between looks for one that is on its way."""
_EMPTY = ("", "about:blank")
"""Addresses of a window before its first page."""


class Opened(TypedDict):
    """A window that a page opened, as the page script tells it."""

    address: str
    """Of its first page; empty where it stays without one."""
    name: str
    """By which pages know it; empty for none. One that is open already is used again."""


class Tab(NamedTuple):
    """One window that is open."""

    number: int
    page: Page
    current: bool


class Windows:
    """Follows the windows of a context.

    Native dialogs are answered as :attr:`answer` says; by default as a user who meant the action would: alerts are
    read, questions confirmed, prompts left as they are, and leaving a page is never refused.

    Args:
        context: the actor's.
        page: its first window.
    """

    def __init__(self, context: BrowserContext, page: Page) -> None:
        self.dialogs: list[str] = []
        """What native dialogs said, as ``confirm: Delete it?``."""
        self._reply = Answer()
        self._context = context
        self._numbers: dict[Page, int] = {}
        self._names: dict[Page, str] = {}
        self._stack: list[Page] = []
        self._crashed: set[Page] = set()
        self._opening_aside = False
        self._beside: Page | None = None
        """A page that is no window of the user."""
        self._add(page)
        self._shown = page
        self._given_up: set[str] = set()
        self._news = asyncio.Event()
        context.on("page", self._opened)
        context.on("dialog", self._answer)
        context.on("requestfailed", self._gave_up)

    @property
    def page(self) -> Page:
        """The window that the user looks at."""
        return self._stack[-1]

    @property
    def acted_in(self) -> Page:
        """The window that the last action was done in; or the one that is looked at now, where that has closed."""
        return self.page if self._shown.is_closed() else self._shown

    @property
    def lost(self) -> bool:
        """Whether the user looks at nothing any more: the window has closed, or its page has crashed."""
        return self.page.is_closed() or self.page in self._crashed

    @property
    def crashed(self) -> bool:
        """Whether the page that the user looks at has crashed."""
        return self.page in self._crashed

    def begin(self, answer: Answer) -> None:
        """Prepare for an action in the window that the user looks at.

        Args:
            answer: how dialogs are answered from now on, without variables.
        """
        self.dialogs.clear()
        self._reply = answer
        self._given_up.clear()
        self._shown = self.page

    async def closes(self) -> bool:
        """Tell whether the window that the last action was done in goes away, while another stays."""
        try:
            async with asyncio.timeout(_OPENING):
                while not self._shown.is_closed():
                    self._news.clear()
                    await self._news.wait()
        except TimeoutError:
            return False
        return not self.page.is_closed()

    def tabs(self) -> tuple[Tab, ...]:
        """Give the windows that are open, in the order in which they were opened."""
        listed = sorted(self._stack, key=self._numbers.__getitem__)
        return tuple(Tab(self._numbers[page], page, page is self.page) for page in listed)

    async def open(self) -> None:
        """Open a window and look at it."""
        self._look(await self._context.new_page())

    async def open_again(self) -> None:
        """Open a window where the user has lost the one that was looked at; a page that has crashed shows no other."""
        if not self.lost:
            return
        crashed = self.page
        await self.open()
        if not crashed.is_closed():
            await crashed.close()

    @asynccontextmanager
    async def aside(self) -> AsyncIterator[Page]:
        """Open a page that is none of the user's windows, in the same context; it closes again."""
        self._opening_aside = True
        try:
            page = await self._context.new_page()
        finally:
            self._opening_aside = False
        self._beside = page
        try:
            yield page
        finally:
            self._beside = None
            await page.close()

    @asynccontextmanager
    async def instead_of(self, page: Page) -> AsyncIterator[Page]:
        """Open a window that takes the place and the number of another one, once the work with it is done.

        Where that fails the window closes again, and the other one stays as long as it is open.
        """
        another = await self._context.new_page()
        self._numbers[another] = self._numbers[page]
        try:
            yield another
        except BaseException:
            if not page.is_closed():
                await another.close()
                raise
            self._put(another, page)
            raise
        self._put(another, page)

    def _put(self, another: Page, page: Page) -> None:
        """Put a window in the place of another one."""
        rest = [one for one in self._stack if one is not another]
        self._stack = [another if one is page else one for one in rest]
        if another not in self._stack:
            self._stack.append(another)
        if self._shown in (page, another):
            self._shown = another
        self._numbers.pop(page, None)

    async def show(self, number: int) -> None:
        """Look at a window.

        Raises:
            ToolError: ``not_found``.
        """
        page = self._tab(number)
        self._look(page)
        await page.bring_to_front()

    async def close(self, number: int) -> None:
        """Close a window.

        Raises:
            ToolError: ``not_found``; or ``not_allowed``, as it is the only one.
        """
        page = self._tab(number)
        if len(self._stack) == 1:
            raise ToolError("not_allowed", f"tab {number} is the only one; open another before closing it")
        await page.close()
        self._closed(page)
        self._shown = self.page

    def _tab(self, number: int) -> Page:
        for tab in self.tabs():
            if tab.number == number:
                return tab.page
        there = ", ".join(str(tab.number) for tab in self.tabs())
        raise ToolError("not_found", f"there is no tab {number}; there are: {there}")

    async def changed(self, opened: Sequence[Opened], timeout_ms: float) -> bool:
        """Tell whether another window is to be looked at than the one that the action was done in.

        Args:
            opened: what that page opened. The browser tells of a window when the first answer for it has come.
            timeout_ms: how long that may take.

        Raises:
            ToolError: ``timeout``.
        """
        addresses = {_bare(one["address"]) for one in opened if one["address"]}
        try:
            async with asyncio.timeout(timeout_ms / 1000):
                if opened and self.page is self._shown and not self._use_again(opened):
                    await self._come(addresses)
                if addresses and self.page is not self._shown:
                    await self._begin_page(addresses)
        except TimeoutError:
            raise ToolError(
                "timeout", f"the window that was opened did not answer within {timeout_ms / 1000:g} s"
            ) from None
        changed = self.page is not self._shown
        if changed and len(opened) == 1:
            self._names[self.page] = opened[0]["name"]
        self._shown = self.page
        return changed

    def _use_again(self, opened: Sequence[Opened]) -> bool:
        """Look at the window that a page has opened by the name of one that was open already; tell if there is one."""
        for page in [one for one in self._stack if one is not self._shown]:
            if any(one["name"] and one["name"] == self._names.get(page) for one in opened):
                self._raise(page)
                return True
        return False

    async def _come(self, addresses: Set[str]) -> None:
        """Wait until there is another window, or until none is on its way any longer."""
        patience = _OPENING
        while self.page is self._shown and not (addresses and addresses <= self._given_up):
            self._news.clear()
            try:
                async with asyncio.timeout(patience):
                    await self._news.wait()
            except TimeoutError:
                if not await self._on_its_way():
                    return
                patience = _LOOKING

    async def _on_its_way(self) -> bool:
        """Ask the browser whether it has more windows than it has told of."""
        browser = self._context.browser
        if browser is None:
            return False
        try:
            own = await self._context.new_cdp_session(self.page)
            context = (await own.send("Target.getTargetInfo"))["targetInfo"].get("browserContextId")
            await own.detach()
            session = await browser.new_browser_cdp_session()
            targets = (await session.send("Target.getTargets"))["targetInfos"]
            await session.detach()
        except PlaywrightError:
            return False  # the window has closed, or the browser
        # A page that the browser fetches ahead is of a type of its own.
        kinds = [(one["type"], one.get("subtype", "")) for one in targets if one.get("browserContextId") == context]
        return kinds.count(("page", "")) > len(self._stack)

    async def _begin_page(self, addresses: Set[str]) -> None:
        """Wait until a window that has come shows its first page, or gives up to do so."""
        page = self.page
        page.on("framenavigated", lambda _: self._news.set())
        while page is self.page and page.url in _EMPTY and not addresses <= self._given_up:
            self._news.clear()
            await self._news.wait()

    def _opened(self, page: Page) -> None:
        if self._opening_aside:
            return
        self._add(page)
        self._news.set()

    def _look(self, page: Page) -> None:
        """Look at a window of the user's own choice."""
        self._add(page)
        self._raise(page)
        self._shown = page

    def _raise(self, page: Page) -> None:
        self._stack = [*(one for one in self._stack if one is not page), page]

    def _add(self, page: Page) -> None:
        if page not in self._numbers:
            self._numbers[page] = len(self._numbers) + 1
            self._stack = [*(one for one in self._stack if not one.is_closed()), page]
            page.on("close", self._closed)
            page.on("crash", self._crash)

    def _closed(self, page: Page) -> None:
        if len(self._stack) > 1 and page in self._stack:
            self._stack.remove(page)
            self._news.set()

    def _crash(self, page: Page) -> None:
        self._crashed.add(page)

    async def _answer(self, dialog: Dialog) -> None:
        if dialog.page is not None and dialog.page is self._beside:
            await dialog.dismiss()
            return
        if dialog.type != "beforeunload":
            self.dialogs.append(f"{dialog.type}: {dialog.message}")
        await reply(dialog, self._reply)

    async def _gave_up(self, request: Request) -> None:
        """Tell a page that a navigation has ended without a document: a download, or an answer without content."""
        if not request.is_navigation_request() or request.failure != "net::ERR_ABORTED":
            return
        first = request
        while first.redirected_from:
            first = first.redirected_from
        self._given_up.add(_bare(first.url))
        self._news.set()
        try:
            await self.page.evaluate("url => window.__sim && __sim.stays(url)", first.url)
        except PlaywrightError:
            return  # another navigation has replaced the document


def _bare(address: str) -> str:
    """Give an address without what a form or the page may still change in it."""
    return address.partition("#")[0].partition("?")[0]
