"""Keeps the state of the page as the last look found it, and takes in the secrets that it holds.

Not responsible for: looking (``page_view``).
"""

from __future__ import annotations

from typing import Any

from playwright.async_api import BrowserContext
from playwright.async_api import Error as PlaywrightError

from simulator.browser.acting.dialogs import DialogAnswers
from simulator.browser.action_recorder import PageState
from simulator.browser.launch.access import is_key
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.secret_keeper import SecretKeeper
from simulator.browser.views.refusals import read_refusals
from simulator.browser.views.template_writer import TemplateWriter, name_part
from simulator.browser.wire.server_values import UrlTemplates


class PageTracker:
    """The state of the page that one user looks at.

    Args:
        context: the browser context.
        dialogs: of the user.
        urls: knows what the site generates in addresses.
        writer: writes what pages say.
        vault: gets the secrets that pages hold.
        policy: which hosts may be reached.
    """

    def __init__(
        self,
        context: BrowserContext,
        dialogs: DialogAnswers,
        urls: UrlTemplates,
        writer: TemplateWriter,
        vault: SecretKeeper,
        policy: NetworkPolicy,
    ) -> None:
        self.here = PageState(url="")
        """The page as the last look found it."""
        self.document = ""
        """Names the document that the last look found: another one has come where it differs."""
        self.held: tuple[str, ...] = ()
        """What stood in secret fields at the last look."""
        self.reads: tuple[str, ...] = ()
        """What the page had asked for and not got at the last look, as shapes of requests."""
        self.learnt = False
        """Whether a secret was not known before: then it may stand in what was reported of the page before."""
        self._context = context
        self._dialogs = dialogs
        self._urls = urls
        self._writer = writer
        self._vault = vault
        self._policy = policy

    def see(self, raw: dict[str, Any]) -> dict[str, str]:
        """Take in a page state; gives the values that the site generated and that are new."""
        self.document = raw["doc"]
        self._writer.learn_addresses(raw["keyed"])
        self.held = tuple(raw["secrets"])
        self.reads = tuple(raw.get("reads", ()))
        self.learnt |= self._vault.see(self.held)
        url, generated = self._urls.write(self._vault.mask(raw["url"]))
        written = self._writer.written
        words = written({key: raw[key] for key in ("title", "alerts", "refusals", "dialogs", "notes")})
        self.here = PageState(
            url=url,
            title=words["title"],
            status=raw["status"],
            requests=tuple(
                (method, written(self._urls.recognise(shape)), status)
                for method, shape, status in raw["requests"]
                if not self._is_refused_here(method, shape)
            ),
            alerts=tuple(words["alerts"]),
            refusals=read_refusals(words["refusals"]),
            dialogs=tuple(words["dialogs"]),
            notes=(*words["notes"], *(written(self._dialogs.said))),
        )
        return generated

    def _is_refused_here(self, method: str, address: str) -> bool:
        """Return whether something was to be read of a host that nobody may reach here: that it failed, is no news.

        When that comes out is the network's own affair: with another action than when it was recorded, often.
        """
        elsewhere = address.startswith(("http://", "https://"))
        return elsewhere and method in ("GET", "HEAD", "OPTIONS") and not self._policy.allows(address)

    def take_learnt(self) -> bool:
        """Return whether a secret was not known before, since this was asked last."""
        learnt, self.learnt = self.learnt, False
        return learnt

    async def learn_keys(self) -> None:
        """Take in the cookies that no script may read: they are keys, which a careless page may show."""
        try:
            cookies = await self._context.cookies()
        except PlaywrightError:
            return  # the context is gone, and with it the page that could show them
        for cookie in cookies:
            if cookie.get("httpOnly") and is_key(value := cookie.get("value", "")):
                self._vault.learn(f"cookie_{name_part(cookie.get('name', ''))}", value)
