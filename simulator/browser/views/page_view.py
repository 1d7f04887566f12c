"""One simulated user's eyes: waits until a page has settled, takes in its state, and writes that as templates.

Not responsible for: acting, or the readings of a page for an agent (``reader``).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Protocol

from playwright.async_api import BrowserContext, Frame, Locator, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.browser.acting.inside import Inside
from simulator.browser.action_recorder import PageState
from simulator.browser.find import Find
from simulator.browser.follow import Followed, follow, translate
from simulator.browser.launch.access import is_key
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.script import PASSWORD_FIELDS, SECRET_FIELDS, ask, selector
from simulator.browser.views.frames import wait_until_seen
from simulator.browser.views.modules import Modules
from simulator.browser.views.own_words import own_words
from simulator.browser.views.places import SecretMask, Timeouts
from simulator.browser.views.reader import Reader
from simulator.browser.views.readying import Readying
from simulator.browser.views.refusals import FormTexts, read_refusals
from simulator.browser.windows import Windows
from simulator.browser.wire.server_values import UrlTemplates
from simulator.browser.wire.withheld import keys_in
from simulator.canonical import map_strings
from simulator.errors import ToolError
from simulator.masking import ADDRESSED
from simulator.meaning import Text, Value
from simulator.template import Bindings

_PICTURES = 4
"""Pictures of a whole page until two in a row have secrets in the same places."""
_NO_NAME = re.compile(r"[^a-z0-9]+")
_IN_FRAMES = ("requests", "alerts", "refusals", "notes", "secrets", "keyed")
"""What frames tell as their page does."""
_MIN_SEEN = 4
"""Shorter texts stand on every page by chance."""


class SecretKeeper(SecretMask, Protocol):
    """What an actor needs of a vault."""

    def adopt(self, literal: str) -> str:
        """Take over a literal that is typed into a secret field.

        Returns:
            The name under which it is known from now on.
        """
        ...

    def see(self, values: Iterable[str]) -> bool:
        """Take in what stands in secret fields, and may still be typed.

        Returns:
            Whether any was not known.
        """
        ...

    def settle(self) -> None:
        """Note that nothing is being typed any more."""
        ...

    def learn(self, name: str, value: str) -> None:
        """Take in a key that the site has given to the browser."""
        ...

    def values(self) -> Mapping[str, str]:
        """Give the known secrets by name."""
        ...


class PageView(Reader):
    """What a user sees in a context of its own.

    Args:
        context: the browser context, with the page script.
        page: its page.
        origin: the site's scheme, host and port.
        policy: which hosts may be reached.
        bindings: the run's variables.
        vault: keeps secrets out of what is reported.
        timeouts: bounds.
    """

    def __init__(
        self,
        context: BrowserContext,
        page: Page,
        *,
        origin: str,
        policy: NetworkPolicy,
        bindings: Bindings,
        vault: SecretKeeper,
        timeouts: Timeouts,
    ) -> None:
        super().__init__(origin=origin, bindings=bindings, vault=vault, timeouts=timeouts)
        self.context = context
        self.urls = UrlTemplates(bindings, vault.mask)
        self._policy = policy
        self._vault = vault
        self._doc = ""
        self._held: tuple[str, ...] = ()
        """What stood in secret fields at the last look."""
        self._learnt = False
        """Whether one of them was not known before: then it may stand in what was told of the page before."""
        context.set_default_timeout(self.timeouts.action)
        self._windows = Windows(context, page)
        self._modules = Modules()
        self._readying = Readying()

    @property
    def page(self) -> Page:
        """The page that the user looks at: the newest window."""
        return self._windows.page

    @property
    def document(self) -> str:
        """Names the document that the last look found: another one has come where it differs."""
        return self._doc

    @property
    def crashed(self) -> bool:
        """Whether the process that showed the page has died."""
        return self._windows.crashed

    @property
    def lost(self) -> bool:
        """Whether the page has gone for good, its window closed or the page crashed: a visit opens another one."""
        return self._windows.lost

    async def follow(
        self,
        inside: Inside | None = None,
        *,
        late_ms: float = 0,
        put: Sequence[Any] | None = None,
        asked: Mapping[str, Any] | None = None,
    ) -> Followed:
        """Wait until the page has settled, and take in what it is now.

        Args:
            inside: what the action led to in frames of it.
            late_ms: how long a page that had settled is given for a writing request that it puts off.
            put: what was put into a field of the page, as ``Input.asked`` gives it.
            asked: what a document that is not known yet is asked for, as ``Observer.asking`` gives it.
        """
        page = self._windows.acted_in
        bounds = self.timeouts.settle, self.timeouts.navigation
        try:
            raw = await follow(page, self._modules, *bounds, late_ms, put, asked, self._readying.begin)
        except ToolError as error:
            gone = self.page is not page or (error.type == "page_closed" and await self._windows.closes())
            if not gone:
                raise
            raw = await follow(self.page, self._modules, *bounds, asked=asked)
        opened = raw.opened + (inside.opened if inside else ())
        if await self._windows.changed(opened, self.timeouts.navigation):
            there = await follow(self.page, self._modules, *bounds, asked=asked)
            raw = replace(
                there,
                stopped=raw.stopped + there.stopped,
                passed=raw.passed + there.passed,
                reached=raw.reached | there.reached,
            )
        before = self._doc
        state = _with(raw.state, inside) if inside else raw.state
        if state["doc"] != before or state["requests"]:
            await self._learn_keys()
        generated = self._see(state)
        navigated = bool(before) and self._doc != before
        settled = "navigated" if navigated else "changed" if inside and inside.changed else raw.settled
        return replace(raw, settled=settled, generated=generated)

    async def load_again(self) -> None:
        """Load the page again, unreported; one that does not come stays as it is."""
        with suppress(PlaywrightError):
            await self.page.reload(timeout=self.timeouts.navigation)
            await self.follow()

    async def look(self) -> PageState:
        """Take in the page as it is now."""
        self._see(await self._read("() => __sim.pageState()"))
        return self._now

    async def form_texts(self) -> FormTexts:
        """Read the texts in and above each form that is sent: what one that has come back says besides is a refusal."""
        told = self._written(await self._asked(ask(self.page, "formTexts")) or [])
        return tuple((shape, tuple(texts)) for shape, texts in told)

    async def screenshot(self, *, full_page: bool = False, find: Find | None = None) -> bytes:
        """Take a picture of the page, or of one element, as PNG, with secret fields and shown secrets covered."""
        hidden = [SECRET_FIELDS, PASSWORD_FIELDS]
        shown = [value for value in self._vault.values().values() if len(value) >= _MIN_SEEN]
        if shown:
            hidden.append(selector("simholding", shown))
        covered = [frame.locator(one) for frame in self.page.frames for one in hidden]
        timeout = self.timeouts.navigation
        try:
            if full_page:
                return await self._whole_page(covered)
            if find is None:
                return await self.page.screenshot(mask=covered, timeout=timeout)
            place = await self.place(find)
            await self._one(place.find, "visible", where=place.where)
            found = place.where.locator(selector("simfind", self._rendered(place.find)))
            return await found.screenshot(mask=covered, timeout=self.timeouts.action)
        except PlaywrightError as error:
            raise translate(error, f"take a picture of {find or 'the page'}") from error

    async def _whole_page(self, covered: Sequence[Locator]) -> bytes:
        """Take a picture of the whole page, from its top.

        The browser may lay the page out anew for that, or scroll it: then covers are out of place in the first one.
        """
        boxes = "found => found.map(el => el.getBoundingClientRect()).map(box => [box.x, box.y, box.width, box.height])"
        go = "([left, top]) => scrollTo({left, top, behavior: 'instant'})"
        at = await self.page.evaluate("() => [scrollX, scrollY]")
        before = None
        try:
            for _ in range(_PICTURES):
                await self.page.evaluate(go, [0, 0])
                picture = await self.page.screenshot(full_page=True, mask=covered, timeout=self.timeouts.navigation)
                after = [await one.evaluate_all(boxes) for one in covered]
                if after == before or not any(after):
                    return picture
                before = after
        finally:
            await self.page.evaluate(go, at)
        raise ToolError("unavailable", "the page moves, so secrets in it cannot be covered; picture what is in view")

    async def wait_for(self, find: Find, timeout_ms: float) -> None:
        """Wait until something visible fits a description.

        Raises:
            ToolError: ``timeout``.
        """
        body = self._rendered(find)
        try:
            place = await self._addressed(find)
            if place is None:
                await wait_until_seen(self.page, selector("simfind", body), self.may_visit, timeout_ms)
            else:
                found = place.where.locator(selector("simfind", self._rendered(place.find)))
                await found.first.wait_for(state="visible", timeout=timeout_ms)
        except PlaywrightTimeout:
            raise ToolError("timeout", f"{find} did not appear within {timeout_ms / 1000:g} s") from None
        except PlaywrightError as error:
            raise translate(error, f"wait for {find}") from error

    async def lacks(self, texts: Sequence[str], url: str, *, exact: bool = False) -> list[str]:
        """Tell which texts are not to be read on a page of the site, by what they mean.

        Args:
            texts: templates.
            url: the page, a template; another than the current one is read without leaving this one.
            exact: whether they are to be read word for word, as the name of a button is.
        """
        rendered = {self.bindings.render(text): text for text in texts}
        read = await self._read("([texts, url]) => __sim.lacks(texts, url)", [list(rendered), self.absolute(url)])
        shown = Text.of("" if exact else read["shown"])
        return [rendered[text] for text in read["missing"] if not (shown.tidy and Value.of(text).find_in(shown))]

    async def own_words(self, where: Page | Frame, asked: Mapping[str, Any]) -> Mapping[str, str]:
        """Tell in which words a page says what evidence of some elements says with secrets left out.

        Args:
            where: the page, or a frame in it.
            asked: which elements, as ``__sim.evidenceOf`` takes it.

        Returns:
            The page's words, by what they are with secrets left out.
        """
        evidence = await self._read("asked => window.__sim ? __sim.evidenceOf(asked) : []", asked, where=where)
        return own_words(evidence, self._vault.mask)

    def absolute(self, url: str) -> str:
        """Give the full address of a URL template."""
        address = self.urls.render(url)
        return self._origin + address if address.startswith("/") else address

    def may_visit(self, address: str) -> bool:
        """Tell whether an address is one of those that this actor may reach."""
        return self._policy.allows(address)

    def _allowed(self) -> str:
        return ", ".join(str(endpoint) for endpoint in self._policy.allowed)

    def _written(self, value: Any) -> Any:
        return map_strings(value, lambda text: self._vault.mask(self.bindings.recognise(self.urls.write_told(text))))

    async def _learn_keys(self) -> None:
        """Take in the cookies that no script may read: they are keys, which a careless page may show."""
        try:
            cookies = await self.context.cookies()
        except PlaywrightError:
            return  # the context is gone, and with it the page that could show them
        for cookie in cookies:
            if cookie.get("httpOnly") and is_key(value := cookie.get("value", "")):
                self._vault.learn(f"cookie_{_NO_NAME.sub('_', cookie.get('name', '').lower())}", value)

    def _learn_addresses(self, addresses: Iterable[str]) -> None:
        """Take in what addresses hold under the names of secrets."""
        for name, value in keys_in(addresses).items():
            self._vault.learn(f"{ADDRESSED}{_NO_NAME.sub('_', name.lower())}", value)

    def _see(self, raw: dict[str, Any]) -> dict[str, str]:
        """Take in a page state; gives the values that the site generated and that are new."""
        self._doc = raw["doc"]
        self._learn_addresses(raw["keyed"])
        self._held = tuple(raw["secrets"])
        self._learnt |= self._vault.see(self._held)
        url, generated = self.urls.write(self._vault.mask(raw["url"]))
        words = self._written({key: raw[key] for key in ("title", "alerts", "refusals", "dialogs", "notes")})
        self._now = PageState(
            url=url,
            title=words["title"],
            status=raw["status"],
            requests=tuple((method, self._written(shape), status) for method, shape, status in raw["requests"]),
            alerts=tuple(words["alerts"]),
            refusals=read_refusals(words["refusals"]),
            dialogs=tuple(words["dialogs"]),
            notes=(*words["notes"], *(self._written(self._windows.dialogs))),
        )
        return generated


def _with(state: dict[str, Any], inside: Inside) -> dict[str, Any]:
    """Add to a page's state what its frames did and say because of the action."""
    more = {key: [one for each in inside.states for one in each[key]] for key in _IN_FRAMES}
    return {**state, **{key: [*state[key], *more[key]] for key in more}}
