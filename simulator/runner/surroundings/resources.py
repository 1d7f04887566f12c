"""What the runs of one batch share: the site, the browser, the pictures, the machine key.

Not responsible for: any single run.
"""

from __future__ import annotations

import os
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, AsyncExitStack, asynccontextmanager, nullcontext
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.browser.launch.access import Access, trusted_keys
from simulator.browser.launch.launching import Ahead
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.pool import BrowserPool, default_concurrency
from simulator.browser.timeouts import Crowd, Timeouts
from simulator.config import Settings, Site, check_target
from simulator.domain import Pictures, PictureSource, packs_in_use
from simulator.runner.surroundings.access import code_source, known_secrets, open_access
from simulator.runner.surroundings.ahead import browser_of, reachable
from simulator.runner.surroundings.site_control import SiteControl, running_site
from simulator.scratch import scratch_folder
from simulator.secrets import PASSWORD, MachineKey, Vault, Vaults, load_key, scope_of
from simulator.tools.mail.opening import open_mailbox

if TYPE_CHECKING:
    from simulator.tools.mail.mailbox import Inbox, Source


@dataclass(slots=True)
class Resources:
    """Open for the time of a batch."""

    settings: Settings
    control: SiteControl
    pool: BrowserPool
    policy: NetworkPolicy
    access: Access
    pictures: Pictures
    key: MachineKey
    secrets: Mapping[str, str]
    """Those that users may type, by name: the site section refers to them."""
    hidden: Mapping[str, str]
    """Those that nobody is shown, by name, and that are masked all the same."""
    code: Callable[[], str] | None
    """Gives the one-time code of the moment."""
    vaults: Vaults
    timeouts: Timeouts
    folder: Path
    """A temporary folder; each run has its own in it."""
    mailbox: Source | None = None
    """Where the mail of users arrives."""

    @property
    def site(self) -> Site:
        """The site, at the address where it answers."""
        return self.control.site

    def vault(self, persona: str, seed: str, number: int, username: str = "") -> Vault:
        """Give the secrets of one identity; its password is that of its account, where the site section names one."""
        account = self.site.account(username)
        given = {**self.secrets, PASSWORD: account.password.reveal()} if account else self.secrets
        hidden = {name: value for name, value in self.hidden.items() if value != given.get(PASSWORD)}
        scope = scope_of(self.site.name, persona, seed, number)
        vault = Vault(self.key.secret, scope=scope, given=given, hidden=hidden, code=self.code)
        vault.reveal(PASSWORD)  # a site that knows it from before may show it before it is typed
        return self.vaults.add(vault)

    async def inbox(self, *, known: bool = True) -> Inbox | None:
        """Give the mail of the users of a run that begins now; None where no mailbox is set up.

        Args:
            known: whether what is there counts as read: False for a run that goes on.

        Raises:
            MailboxUnreachable: it cannot be read.
        """
        if self.mailbox is None:
            return None
        from simulator.tools.mail.mailbox import Inbox

        return Inbox(self.mailbox, await self.mailbox.ids() if known else ())

    def concurrency(self, asked: int | None, runs: int) -> int:
        """Decide how many users act at once."""
        if runs <= 1:
            return 1
        configured = self.settings.run.concurrency
        wanted = asked or (configured if isinstance(configured, int) else default_concurrency())
        return max(1, min(wanted, runs))


@asynccontextmanager
async def open_resources(
    settings: Settings,
    site: Site,
    *,
    vaults: Vaults,
    headed: bool,
    alone: bool = False,
    database: Path | None = None,
    mailbox: Source | None = None,
    ahead: Ahead | None = None,
    crowd: Crowd | None = None,
) -> AsyncIterator[Resources]:
    """Open what a batch needs, in the order in which its absence is reported: browser, target, site.

    Args:
        settings: of ``sim.toml``.
        site: the site's section, with the address that was asked for.
        vaults: collects the secrets of the batch.
        headed: whether browser windows are shown.
        alone: whether nothing but the site may be reached: pictures come from no public service.
        database: of a bundled site that is started for this batch alone; None: the one that answers, or the section's.
        mailbox: where mail arrives, where that is open already.
        ahead: a browser that may have been started before.
        crowd: counts who acts at once; None: each user is alone.

    Raises:
        BrowserMissing: there is no browser, or it does not start.
        HostRefused: the site is neither on loopback nor allowed.
        SiteUnreachable: nothing answers there.
        KeyMissing: a secret that the site section refers to is not set.
        MailboxUnreachable: the mailbox cannot be opened.
    """
    executable = browser_of(settings, headed=headed)
    browser = settings.browser
    check_target(site)
    access = open_access(site)
    code = code_source(site)
    secrets = {name: value.reveal() for name, value in site.secrets.items()}
    key = load_key(os.environ)
    async with running_site(site, database=database, access=access) as control:
        policy = NetworkPolicy(reachable(control.site))
        keys = await trusted_keys(access, policy.allowed)
        with scratch_folder() as scratch:
            files, temporary = scratch / "files", scratch / "browser"
            files.mkdir()
            temporary.mkdir()
            pool = BrowserPool(
                executable,
                policy,
                origin=control.site.origin,
                headed=headed,
                args=browser.args,
                authority=access.authority,
                scratch=temporary,
                keys=keys,
                ahead=ahead,
            )
            opening = nullcontext(mailbox) if mailbox else mailbox_of(settings, site)
            async with pool, open_pictures(settings, site, alone=alone) as pictures, opening as opened:
                await pool.start()
                yield Resources(
                    settings=settings,
                    control=control,
                    pool=pool,
                    policy=policy,
                    access=access,
                    pictures=pictures,
                    key=key,
                    secrets=secrets,
                    hidden=known_secrets(settings, control.site, access, key),
                    code=code,
                    vaults=vaults,
                    timeouts=Timeouts(browser.action_ms, browser.navigation_ms, browser.settle_ms, crowd or Crowd()),
                    folder=files,
                    mailbox=opened,
                )


@asynccontextmanager
async def open_pictures(settings: Settings, site: Site, *, alone: bool) -> AsyncIterator[Pictures]:
    """Give where the packs in use have their pictures from: no pack is loaded before a picture is asked for."""
    async with AsyncExitStack() as stack:

        async def opened() -> dict[str, PictureSource]:
            return {
                pack.name: await stack.enter_async_context(pack.pictures(settings, site, alone))
                for pack in packs_in_use()
                if pack.pictures
            }

        yield Pictures(opened)


def mailbox_of(settings: Settings, site: Site) -> AbstractAsyncContextManager[Source | None]:
    """Open the mailbox of a site's users, where one is set up.

    Raises:
        MailboxUnreachable: it cannot be opened.
    """
    section = settings.mailbox_for(site)
    return open_mailbox(section) if section else nullcontext()
