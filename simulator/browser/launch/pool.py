"""One browser process with an isolated context for each actor. Not responsible for: what actors do, or how many run.

A browser that dies is noticed, and so is Playwright's driver: what it held fails as :class:`BrowserCrashed`, and the
next context gets a new one. A browser and a driver that have served many contexts are renewed, for both grow with every
one: those of before close with their last context.
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from types import TracebackType
from typing import Any, Self, cast

from playwright.async_api import (
    Browser,
    BrowserContext,
    Playwright,
    ProxySettings,
    StorageState,
)
from playwright.async_api import Error as PlaywrightError

from simulator.browser.follow import is_closed
from simulator.browser.launch.access import Access
from simulator.browser.launch.determinism import Stillness
from simulator.browser.launch.executable import Executable
from simulator.browser.launch.launching import Ahead, Command
from simulator.browser.launch.leftovers import Leftovers
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.script import page_script
from simulator.browser.launch.tunnel import tunnel
from simulator.errors import BrowserCrashed, BrowserMissing, ConfigError

_LOG = logging.getLogger(__name__)
_CONTEXT_MEMORY = 120 * 2**20
"""Bytes that one context of a usual page takes in the headless shell; for the default bound only."""

_RENEWED_AFTER = 100
"""Contexts after which browser and driver are renewed. The driver was seen to grow by 0.35 MB with each context of ten
actions, and does not give that back."""
_STORED = "Error setting storage state:"
"""How Playwright's driver begins where it does not take a stored login; what is wrong stands in the next line."""


@dataclass(frozen=True, slots=True)
class ContextProfile:
    """What a site can find out about an actor's browser. Stored with the run."""

    locale: str = "en-GB"
    timezone: str = "Europe/London"
    width: int = 1280
    height: int = 800
    user_agent: str | None = None
    """None: the browser's own."""
    reduced_motion: bool = True

    def as_dict(self) -> dict[str, Any]:
        """Give the values as a recording stores them."""
        return asdict(self)


def default_concurrency() -> int:
    """Choose how many actors act at once: four for each core, as far as the free memory goes."""
    import psutil  # a command of one user does not ask

    by_memory = psutil.virtual_memory().available // 2 // _CONTEXT_MEMORY
    return int(max(1, min((os.cpu_count() or 1) * 4, by_memory)))


@dataclass(slots=True, eq=False)
class _Serving:
    """A browser and its driver, and whom they serve."""

    playwright: Playwright
    browser: Browser
    given: int = 0
    """Contexts so far."""
    open: int = 0
    """How many of these are not closed yet."""
    renewed: bool = False
    """Whether others serve the next contexts: these close with the last one."""


class BrowserPool:
    """Hands out contexts of one browser, started at the first demand.

    Args:
        executable: the browser.
        policy: which hosts it may reach.
        origin: the site's scheme, host and port.
        headed: whether windows are shown.
        args: further arguments for the browser.
        guarding: whether trusted input that was not expected is stopped in the page.
        authority: certificates of a private authority, which vouch for a site that is shown a certificate.
        scratch: where temporary files of browsers are kept; None: where the system keeps them.
        keys: of servers that are trusted whoever has signed their certificate, as ``access.trusted_keys`` gives them.
        ahead: a browser that may have been started before: taken where it is such a one.
        renewed_after: how many contexts one browser gives; then a new one takes its place.
    """

    def __init__(
        self,
        executable: Executable,
        policy: NetworkPolicy,
        *,
        origin: str,
        headed: bool = False,
        args: tuple[str, ...] = (),
        guarding: bool = True,
        authority: Path | None = None,
        scratch: Path | None = None,
        keys: Sequence[str] = (),
        ahead: Ahead | None = None,
        renewed_after: int = _RENEWED_AFTER,
    ) -> None:
        self._policy = policy
        self._renewed_after = renewed_after
        self._serving: dict[Browser, _Serving] = {}
        self._command = Command.of(executable, policy.allowed, headed=headed, args=args, authority=authority, keys=keys)
        self._scratch = scratch
        self._ahead = ahead
        self._closing = AsyncExitStack()
        self._tunnel: str | None = None
        self._origin = origin
        self._guarding = guarding
        self._playwright: Playwright | None = None
        self._browser: Browser | None = None
        self._kept_home: Browser | None = None
        self._starting = asyncio.Lock()
        self.blocked: list[str] = []
        """URLs that the policy refused, in the order they were asked for."""
        self.version = ""

    async def __aenter__(self) -> Self:
        """Start Playwright's driver, or take what was started ahead."""
        started = await self._ahead.take(self._command) if self._ahead else None
        if started is None:
            self._playwright = await self._command.drive(self._scratch)
        else:
            self._playwright, self._browser = started
            self.version = started.browser.version
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """Close the browser, its contexts and the driver."""
        try:
            for one in [*self._serving.values()]:
                if one.renewed:
                    await self._close(one)
            if self._browser is not None and self._browser.is_connected():
                await self._browser.close()
        except PlaywrightError as failure:
            _LOG.warning("the browser did not close cleanly: %s", failure)
        finally:
            if self._playwright is not None:
                await self._playwright.stop()
            await self._closing.aclose()
            self._policy.close()

    async def start(self) -> None:
        """Start the browser now, so that a machine without one says so before anything else happens.

        Raises:
            BrowserMissing: it does not start.
        """
        await self._running()

    @property
    def alive(self) -> bool:
        """Whether a browser runs now."""
        return self._browser is not None and self._browser.is_connected()

    async def _running(self) -> Browser:
        async with self._starting:
            await self._renew()
            if self._browser is None or not self._browser.is_connected():
                assert self._playwright is not None, "use the pool as a context manager"
                try:
                    try:
                        self._browser = await self._command.launch(self._playwright)
                    except PlaywrightError as failure:
                        # One that has never run has not died: it does not start.
                        if not (self.version and is_closed(failure)):
                            raise
                        _LOG.warning("the driver of the browser has died, and the browser with it")
                        self._playwright = await self._command.drive(self._scratch)
                        self._browser = await self._command.launch(self._playwright)
                except PlaywrightError as failure:
                    reason = failure.message.strip().splitlines()[0]
                    path = self._command.executable
                    raise BrowserMissing(f"the browser {path} does not start: {reason}") from failure
                self.version = self._browser.version
            return self._browser

    async def _renew(self) -> None:
        """Let go of a browser that has served enough contexts: it closes with the last one that is open."""
        before = self._serving.get(self._browser) if self._browser is not None else None
        if before is None or before.given < self._renewed_after or not before.browser.is_connected():
            return
        self._browser, self._playwright = None, await self._command.drive(self._scratch)
        before.renewed = True
        await self._left(before, closed=0)

    async def _left(self, one: _Serving, *, closed: int = 1) -> None:
        """Note that contexts of a browser are closed; with the last one it goes, where it has been renewed."""
        one.open -= closed
        if one.renewed and not one.open:
            await self._close(one)

    async def _close(self, one: _Serving) -> None:
        """Close a browser that has been renewed, and its driver."""
        self._serving.pop(one.browser, None)
        try:
            if one.browser.is_connected():
                await one.browser.close()
            await one.playwright.stop()
        except PlaywrightError as failure:
            _LOG.warning("a browser that was renewed did not close cleanly: %s", failure)

    def _serves(self, browser: Browser) -> _Serving:
        """Note that a browser serves one context more."""
        assert self._playwright is not None, "use the pool as a context manager"
        one = self._serving.setdefault(browser, _Serving(self._playwright, browser))
        one.given += 1
        one.open += 1
        return one

    @asynccontextmanager
    async def context(
        self,
        profile: ContextProfile,
        access: Access | None = None,
        *,
        still: Stillness | None = None,
        marking: Callable[[], str] = str,
    ) -> AsyncIterator[BrowserContext]:
        """Give an isolated context, closed whatever happens.

        Args:
            profile: what the site can find out about the browser.
            access: what the site demands of every request.
            still: what is held still in its pages.
            marking: gives the text that marks a request as synthetic, where the site wants it marked.

        Raises:
            BrowserMissing: no browser starts.
            BrowserCrashed: it died while the context was made.
            ConfigError: it does not take the stored login.
        """
        access, still = access or Access(), still or Stillness()
        browser = await self._running()
        serving = self._serves(browser)
        try:
            context = await self._new_context(browser, profile, access, still)
        except PlaywrightError as first:
            # A browser that dies is noticed a moment later than its pages are: once more, in the next one.
            if is_closed(first) and self._browser is browser:
                self._browser = None
            await self._left(serving)
            browser = await self._running()
            serving = self._serves(browser)
            try:
                context = await self._new_context(browser, profile, access, still)
            except PlaywrightError as failure:
                await self._left(serving)
                _, stored, said = failure.message.partition(_STORED)
                if stored:
                    why = said.strip().splitlines()[0]
                    raise ConfigError(f"the browser does not take what login_state holds: {why}") from None
                raise BrowserCrashed(f"the browser died while a user was starting: {failure.message}") from failure
        try:
            await access.install(context, self._origin, marking)
        except BaseException:
            await self._left(serving)
            raise
        Leftovers(context, crowded=lambda: serving.open > 1)
        context.on("requestfailed", lambda request: self._refused(request.url))
        context.on("page", lambda page: page.on("websocket", lambda socket: self._refused(socket.url)))
        try:
            yield context
        finally:
            if context.browser is not None and context.browser.is_connected():
                try:
                    await context.close()
                except PlaywrightError as failure:
                    _LOG.warning("a context did not close cleanly: %s", failure)
            await self._left(serving)

    async def _new_context(
        self, browser: Browser, profile: ContextProfile, access: Access, still: Stillness
    ) -> BrowserContext:
        await self._keep_home(browser, access)
        context = await browser.new_context(
            locale=profile.locale,
            timezone_id=profile.timezone,
            viewport={"width": profile.width, "height": profile.height},
            user_agent=profile.user_agent,
            reduced_motion="reduce" if profile.reduced_motion else "no-preference",
            proxy=await self._proxy(access),
            http_credentials={"username": access.username, "password": access.password or "", "origin": self._origin}
            if access.username
            else None,
            client_certificates=[
                {
                    "origin": self._origin,
                    "certPath": access.certificate.certificate,
                    "keyPath": access.certificate.key,
                    "passphrase": access.certificate.passphrase,
                }
            ]
            if access.certificate
            else None,
            storage_state=cast(StorageState, access.login) if access.login else None,
            service_workers="block",
            accept_downloads=False,
        )
        await still.stop_clock(context)
        script = page_script(
            self._origin,
            guarding=self._guarding,
            evidence=still.evidence,
            refusals=still.refusals,
            effects=still.effects,
        )
        await context.add_init_script(f"{script}\n{still.script()}")
        return context

    async def _keep_home(self, browser: Browser, access: Access) -> None:
        """See once for each browser that what is sent with the site's requests stays with the site."""
        if browser is not self._kept_home:
            home = endpoints(self._origin)
            await access.keep_home(browser, [one for one in self._policy.allowed if one not in home])
            self._kept_home = browser if access.headers or access.mark else None

    async def _proxy(self, access: Access) -> ProxySettings:
        if access.certificate is None:
            return self._policy.proxy()
        # Playwright makes these connections itself, and knows hosts that are allowed, but not ports.
        if self._tunnel is None:
            self._tunnel = await self._closing.enter_async_context(tunnel(self._policy))
        return {"server": self._tunnel}

    def _refused(self, url: str) -> None:
        if url.startswith(("http", "ws")) and not self._policy.allows(url):
            self.blocked.append(url)
