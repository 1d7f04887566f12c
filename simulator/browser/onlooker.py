"""One simulated user's eyes: reads a page, waits until it has settled, and writes what it sees as templates.

Not responsible for: acting.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout
from pydantic import TypeAdapter

from simulator.browser.find import Find
from simulator.browser.follow import Followed, follow, translate
from simulator.browser.minted import UrlTemplates
from simulator.browser.network import NetworkPolicy
from simulator.browser.reading import FormInfo, LinkInfo, PageButton
from simulator.browser.script import SECRET_FIELDS, selector
from simulator.browser.sink import PageState
from simulator.browser.windows import Windows
from simulator.canonical import map_strings
from simulator.errors import ToolError
from simulator.template import Bindings

_FORMS = TypeAdapter(tuple[FormInfo, ...])
_LINKS = TypeAdapter(tuple[LinkInfo, ...])
_BUTTONS = TypeAdapter(tuple[PageButton, ...])


class SecretKeeper(Protocol):
    """What an actor needs of a vault."""

    def adopt(self, literal: str) -> str:
        """Take over a literal that is typed into a secret field.

        Returns:
            The name under which it is known from now on.
        """
        ...

    def mask(self, text: str) -> str:
        """Put placeholders in place of secrets."""
        ...


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Bounds in milliseconds."""

    action: float = 5_000
    navigation: float = 15_000
    settle: float = 5_000


class Onlooker:
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
        self.context = context
        self.bindings = bindings
        self.urls = UrlTemplates(bindings)
        self.timeouts = timeouts
        self._origin = origin
        self._policy = policy
        self._vault = vault
        self._doc = ""
        self._now = PageState(url="")
        context.set_default_timeout(self.timeouts.action)
        self._windows = Windows(context, page)

    @property
    def page(self) -> Page:
        """The page that the user looks at: the newest window."""
        return self._windows.page

    @property
    def here(self) -> PageState:
        """The page as the last look found it."""
        return self._now

    async def follow(self) -> Followed:
        """Wait until the page has settled, and take in what it is now."""
        page = self.page
        try:
            raw = await follow(page, self.timeouts.settle, self.timeouts.navigation)
        except ToolError:
            if self.page is page:
                raise
            raw = await follow(self.page, self.timeouts.settle, self.timeouts.navigation)
        if await self._windows.changed(raw.opened):
            raw = await follow(self.page, self.timeouts.settle, self.timeouts.navigation)
        before = self._doc
        minted = self._see(raw.state)
        navigated = bool(before) and self._doc != before
        settled = "navigated" if navigated else raw.settled
        return replace(raw, settled=settled, minted=minted)

    async def look(self) -> PageState:
        """Take in the page as it is now."""
        self._see(await self._read("() => __sim.pageState()"))
        return self._now

    async def forms(self) -> tuple[FormInfo, ...]:
        """Read the page's forms."""
        return _FORMS.validate_python(await self._read("() => __sim.readForms()"))

    async def links(self) -> tuple[LinkInfo, ...]:
        """Read the page's visible links, at most 300."""
        return _LINKS.validate_python(await self._read("() => __sim.readLinks()"))

    async def buttons(self) -> tuple[PageButton, ...]:
        """Read the page's visible buttons, at most 200."""
        return _BUTTONS.validate_python(await self._read("() => __sim.readButtons()"))

    async def text(self, limit: int) -> tuple[str, int]:
        """Read the page's visible text.

        Args:
            limit: characters to give at most.

        Returns:
            The text, and how many characters there are in all.
        """
        read = await self._read("limit => __sim.readText(limit)", limit)
        return self._vault.mask(read["text"]), read["total"]

    async def screenshot(self, *, full_page: bool = False) -> bytes:
        """Take a picture of the page as PNG, with secret fields covered."""
        covered = [frame.locator(SECRET_FIELDS) for frame in self.page.frames]
        try:
            return await self.page.screenshot(full_page=full_page, mask=covered, timeout=self.timeouts.navigation)
        except PlaywrightError as error:
            raise translate(error, "take a picture of the page") from error

    async def wait_for(self, find: Find, timeout_ms: float) -> None:
        """Wait until something visible fits a description.

        Raises:
            ToolError: ``timeout``.
        """
        body = {"how": find.how, "value": self.bindings.render(find.value), "name": self.bindings.render(find.name)}
        try:
            await self.page.locator(selector("simfind", body)).first.wait_for(state="visible", timeout=timeout_ms)
        except PlaywrightTimeout:
            raise ToolError("timeout", f"{find} did not appear within {timeout_ms / 1000:g} s") from None
        except PlaywrightError as error:
            raise translate(error, f"wait for {find}") from error

    async def visible(self, find: Find) -> bool:
        """Tell whether something visible fits a description now."""
        body = {"how": find.how, "value": self.bindings.render(find.value), "name": self.bindings.render(find.name)}
        return bool(await self._read("find => __sim.sought(find).some(el => __sim.visible(el))", body))

    async def lacks(self, texts: Sequence[str], url: str) -> list[str]:
        """Tell which texts are not to be read on a page of the site.

        Args:
            texts: templates.
            url: the page, a template; another than the current one is read without leaving this one.
        """
        rendered = {self.bindings.render(text): text for text in texts}
        missing = await self._read("([texts, url]) => __sim.lacks(texts, url)", [list(rendered), self.absolute(url)])
        return [rendered[text] for text in missing]

    async def _read(self, script: str, argument: Any = None) -> Any:
        try:
            return await self.page.evaluate(script, argument)
        except PlaywrightError as error:
            raise translate(error, "read the page") from error

    def absolute(self, url: str) -> str:
        """Give the full address of a URL template."""
        address = self.urls.render(url)
        return self._origin + address if address.startswith("/") else address

    def may_visit(self, address: str) -> bool:
        """Tell whether an address is one of those that this actor may reach."""
        return self._policy.allows(address)

    def relative(self, url: str) -> str:
        """Give a URL relative to the site, or whole when it is elsewhere."""
        return url[len(self._origin) :] or "/" if url.startswith(self._origin + "/") or url == self._origin else url

    def _allowed(self) -> str:
        return ", ".join(str(endpoint) for endpoint in self._policy.allowed)

    def _written(self, value: Any) -> Any:
        return map_strings(value, lambda text: self._vault.mask(self.bindings.recognise(text)))

    def _see(self, raw: dict[str, Any]) -> dict[str, str]:
        """Take in a page state; gives the values that the site minted and that are new."""
        self._doc = raw["doc"]
        url, minted = self.urls.write(self._vault.mask(raw["url"]))
        words = self._written({key: raw[key] for key in ("title", "alerts", "notes")})
        self._now = PageState(
            url=url,
            title=words["title"],
            status=raw["status"],
            requests=tuple((method, self._vault.mask(shape), status) for method, shape, status in raw["requests"]),
            alerts=tuple(words["alerts"]),
            notes=(*words["notes"], *(self._written(self._windows.dialogs))),
        )
        return minted
