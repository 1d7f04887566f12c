"""Which browser a command needs, as its settings alone say, so that one can start while the rest still loads.

Not responsible for: the command. This module and what it imports are loaded before anything else is.
"""

from __future__ import annotations

from simulator.browser.launch.executable import Executable, find_executable
from simulator.browser.launch.launching import Command
from simulator.browser.launch.network import Endpoint, endpoints
from simulator.config import Settings, Site


def browser_of(settings: Settings, *, headed: bool) -> Executable:
    """Find the browser that ``sim.toml`` names, or the best of this machine.

    Raises:
        BrowserMissing: there is none.
    """
    named = settings.browser.executable
    return Executable(named, "sim.toml") if named else find_executable(headed=headed)


def reachable(site: Site) -> tuple[Endpoint, ...]:
    """Give what browsers may reach from a site: itself, and the hosts that its section allows."""
    others = [] if site.determinism.third_parties == "blocked" else [str(rule) for rule in site.allowed_hosts]
    return endpoints(site.base_url, others)


def probable(settings: Settings, site: Site, *, headed: bool) -> Command | None:
    """Give what the browser of a site is probably started with: only the site itself can say its keys.

    Returns:
        None where the site's section names an authority: whose keys are trusted is asked of the site.

    Raises:
        BrowserMissing: there is no browser.
    """
    if site.authority is not None:
        return None
    executable = browser_of(settings, headed=headed)
    return Command.of(executable, reachable(site), headed=headed, args=settings.browser.args)
