"""Addresses as a user meets them: relative to the site or whole, and whether they may be reached."""

from __future__ import annotations

from dataclasses import dataclass

from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.wire.server_values import UrlTemplates


@dataclass(frozen=True, slots=True)
class SiteAddresses:
    """The addresses of one user's site.

    Attributes:
        origin: the site's scheme, host and port.
        policy: which hosts may be reached.
        urls: knows what the site generates in addresses.
    """

    origin: str
    policy: NetworkPolicy
    urls: UrlTemplates

    def relative(self, url: str) -> str:
        """Give a URL relative to the site, or whole when it is elsewhere."""
        return url[len(self.origin) :] or "/" if url.startswith(self.origin + "/") or url == self.origin else url

    def absolute(self, url: str) -> str:
        """Give the full address of a URL template."""
        address = self.urls.render(url)
        return self.origin + address if address.startswith("/") else address

    def may_visit(self, address: str) -> bool:
        """Return whether an address is one of those that the user may reach."""
        return self.policy.allows(address)

    def allowed(self) -> str:
        """Say which hosts may be reached."""
        return ", ".join(str(endpoint) for endpoint in self.policy.allowed)
