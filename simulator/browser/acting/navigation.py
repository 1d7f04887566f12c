"""What a user does to the page as a whole and to the windows: visits, moves in the history, scrolls, waits.

Text arguments are templates. Not responsible for: following the page that it leads to (``action_runner``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Literal
from urllib.parse import parse_qsl, unquote

from playwright.async_api import Error as PlaywrightError

from simulator.addresses import urlsplit
from simulator.bindings import Bindings
from simulator.browser.acting.action_report import ActionReport
from simulator.browser.acting.action_runner import ActionRunner
from simulator.browser.acting.element_resolver import ElementResolver
from simulator.browser.effects.sent.answered_ids import TOLD, ToldIds
from simulator.browser.evidence import LINK, Target
from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.site_addresses import SiteAddresses
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.windows import Windows
from simulator.errors import ToolError
from simulator.template import SITE_SECRETS, placeholders


@dataclass(frozen=True, slots=True, kw_only=True)
class Navigation:
    """Moves the windows of one user.

    Attributes:
        runner: carries out actions.
        windows: of the user.
        addresses: the site's.
        bindings: the run's variables.
        writer: writes what is stored.
        script: asks documents.
        resolver: keeps the codes that pages show.
        ids: know where the site gave ids that are visited later.
    """

    runner: ActionRunner
    windows: Windows
    addresses: SiteAddresses
    bindings: Bindings
    writer: TemplateWriter
    script: ScriptClient
    resolver: ElementResolver
    ids: ToldIds

    async def goto(self, url: str, *, mailed: bool = False) -> ActionReport:
        """Visit an address.

        Args:
            url: absolute, or a path on the site; a template.
            mailed: whether the site has sent this address to the user, secrets included.

        Raises:
            ToolError: ``blocked``, ``not_allowed``, ``navigation`` or ``timeout``.
        """
        address, template, options = await self._address(url, mailed=mailed)
        return await self.runner.act_on_page("goto", address, template=template, options=options)

    async def back(self) -> ActionReport:
        """Go back in the page's history."""
        return await self.runner.act_on_page("back")

    async def forward(self) -> ActionReport:
        """Go forward in the page's history."""
        return await self.runner.act_on_page("forward")

    async def reload(self) -> ActionReport:
        """Load the page again."""
        return await self.runner.act_on_page("reload")

    async def scroll(self, dy: float, dx: float = 0) -> ActionReport:
        """Scroll the page by this many CSS pixels, down and to the right if positive."""
        return await self.runner.act_on_page("scroll", f"{dy:g}", options={"dx": dx} if dx else None)

    async def wait(self, until: Find | Literal["text", "url"], value: str = "", *, timeout_ms: float) -> ActionReport:
        """Wait until something is there; a replay waits for the same.

        Args:
            until: a visible element, a text of the page, or the page's address.
            value: the text, or the address; a template. In an address ``*`` stands for anything.
            timeout_ms: how long.

        Raises:
            ToolError: ``timeout``.
        """
        options: dict[str, Any] = {"timeout": timeout_ms}
        if isinstance(until, Find):
            value = until.value
            options |= {"until": "element", "how": until.how}
            if until.name:
                options["name"] = self.bindings.recognise(until.name)
        else:
            options["until"] = until
        return await self.runner.act_on_page(
            "wait", self.bindings.render(value), template=self.bindings.recognise(value), options=options
        )

    async def open_tab(self, url: str = "") -> ActionReport:
        """Open a window and look at it.

        Args:
            url: what to visit in it, as for :meth:`goto`; empty for nothing.
        """
        if not url:
            return await self.runner.act_on_page("open_tab")
        address, template, options = await self._address(url)
        return await self.runner.act_on_page("open_tab", address, template=template, options=options)

    async def switch_tab(self, number: int) -> ActionReport:
        """Look at another window, by its number."""
        return await self.runner.act_on_page("switch_tab", str(number))

    async def close_tab(self, number: int) -> ActionReport:
        """Close a window, by its number."""
        return await self.runner.act_on_page("close_tab", str(number))

    async def tab_titles(self) -> list[tuple[int, str, str]]:
        """Give number, address and title of each window."""
        try:
            found = [
                (tab.number, self.addresses.relative(tab.page.url), await tab.page.title())
                for tab in self.windows.tabs()
            ]
        except PlaywrightError as error:
            raise translate(error, "read the titles of the tabs") from error
        return [(number, *self.writer.written([url, title])) for number, url, title in found]

    async def _address(self, url: str, *, mailed: bool = False) -> tuple[str, str, dict[str, Any]]:
        """Give the whole address of a URL that may be visited, its template, and where the page shows it."""
        address = self.addresses.absolute(url)
        if any(one in url for one in SITE_SECRETS) and not mailed and self.addresses.relative(address) == address:
            raise ToolError(
                "not_allowed",
                f"a secret of the site is only given to {self.addresses.origin}, and to where a mail leads",
            )
        if not self.addresses.may_visit(address):
            raise ToolError(
                "blocked", f"'{address}' is not on this site; only {self.addresses.allowed()} may be visited"
            )
        if any(map(str.isdigit, url)):
            await self.resolver.see_codes()
        sighted = self.resolver.sightings.write(
            unquote(self.addresses.urls.recognise(url))
        )  # what is known needs no code to identify it
        # Variables that the caller names say more than values that are recognised.
        if "{{" in url:
            return address, self.bindings.recognise(url), {}
        template, generated = self.addresses.urls.write(self.addresses.relative(address), visited=True)
        if not generated:
            return address, template, {}
        options = await self._told_by(address, generated) or self._told_before(generated)
        if options:
            return address, template, options
        # A number that a page has said in words is read from there again.
        said = {self.bindings.get(name): name for name in placeholders(sighted)}
        for name, value in generated.items():
            template = template.replace(f"{{{{{name}}}}}", f"{{{{{said.get(value, name)}}}}}")
        return address, template, {}

    def _told_before(self, generated: Mapping[str, str]) -> dict[str, Any]:
        """Give where the site gave before what is new in an address, as an option; nothing where it did not."""
        told = {name: self.ids.where(value) for name, value in generated.items()}
        known = {name: one.as_json() for name, one in told.items() if one is not None}
        return {TOLD: known} if len(known) == len(generated) else {}

    async def _told_by(self, address: str, generated: Mapping[str, str]) -> dict[str, Any]:
        """Give the link by which the page shows what is new in an address, as an option; nothing where none does."""
        path, asked = urlsplit(address).path, parse_qsl(urlsplit(address).query)
        ends = [path.find(f"/{value}") + len(value) + 1 for value in generated.values() if f"/{value}" in path]
        stem = path[: max(ends)] if len(ends) == len(generated) else path
        if self.windows.lost:
            return {}
        if any(value in generated.values() for _, value in asked):
            stem = ""  # a link to the same page may be about another thing
        script = "([address, stem]) => window.__sim ? __sim.linkTo(address, stem) : null"
        found = await self.script.parting(self.script.read(script, [address, stem]), None)
        if not found:
            return {}
        link = self.writer.evidence(Target.model_validate(found["evidence"])).model_dump(
            mode="json", exclude_defaults=True
        )
        return {LINK: {"link": link, "url": self.addresses.urls.recognise(found["href"])}}
