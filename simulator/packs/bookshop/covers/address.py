"""From where on the network a cover may be fetched. Not responsible for: fetching it."""

from __future__ import annotations

import asyncio
import ipaddress
import socket
from collections.abc import Awaitable, Callable, Collection
from urllib.parse import urlsplit  # noqa: TID251 (what cannot be split is refused)

from simulator.config import HostPort, host_port
from simulator.errors import ToolError
from simulator.packs.bookshop.settings import Covers

Resolve = Callable[[str, int], Awaitable[list[str]]]
"""Looks up a host name for a port: addresses, best first."""

_NAT64 = ipaddress.IPv6Network("64:ff9b::/96")


async def look_up(host: str, port: int) -> list[str]:
    """Ask the system's resolver.

    Raises:
        OSError: the name is not known, or nobody answers.
    """
    found = await asyncio.get_running_loop().getaddrinfo(host, port, type=socket.SOCK_STREAM)
    return list(dict.fromkeys(str(address[0]) for *_, address in found))


def is_public(address: str) -> bool:
    """Return whether an IP address is one of the public internet, also one that is wrapped in IPv6."""
    found = ipaddress.ip_address(address.partition("%")[0])
    if isinstance(found, ipaddress.IPv6Address):
        inner = found.ipv4_mapped or found.sixtofour or (found.teredo[1] if found.teredo else None)
        if found in _NAT64:
            inner = ipaddress.IPv4Address(int(found) & 0xFFFFFFFF)
        if inner is not None:
            return is_public(str(inner))
    return found.is_global and not found.is_multicast


class Gate:
    """Lets through what leads to the hosts of the configured sources, at public addresses.

    Args:
        settings: their base addresses, and whether private addresses and plain http are allowed.
        hosts: allowed besides them, over https; ``.example.com`` stands for every host below.
        resolve: looks up names.
    """

    def __init__(self, settings: Covers, hosts: Collection[str], resolve: Resolve) -> None:
        bases = {
            "open_library": (settings.open_library_url, settings.open_library_covers_url),
            "google_books": (settings.google_books_url,),
        }
        own = {host_port(base) for source in settings.sources for base in bases.get(source, ())}
        self._targets = own | {HostPort(host, 443) for host in hosts}
        self._suffixes = tuple(host for host in hosts if host.startswith("."))
        self._private = settings.allow_private
        self._resolve = resolve

    def target(self, url: str) -> HostPort:
        """Give the host and port that a URL leads to.

        Raises:
            ToolError: ``blocked``: its scheme, host or port is not allowed.
        """
        try:
            parts, target = urlsplit(url), host_port(url)
        except ValueError as error:
            raise ToolError("blocked", f"a cover cannot be fetched from {url!r}: {error}") from None
        if parts.scheme != "https" and not (parts.scheme == "http" and self._private):
            raise ToolError("blocked", f"a cover may not be fetched over {parts.scheme}: {url}")
        if "@" in parts.netloc:
            raise ToolError("blocked", f"a cover may not be fetched with a user name: {target.host}")
        below = target.port == 443 and any(target.host.endswith(suffix) for suffix in self._suffixes)
        if target not in self._targets and not below:
            raise ToolError("blocked", f"{target.host}:{target.port} is none of the hosts that covers may come from")
        return target

    async def addresses(self, target: HostPort) -> list[str]:
        """Look up a host now, and give its addresses.

        Raises:
            ToolError: ``blocked``: one of them is not allowed.
            OSError: the host cannot be looked up.
        """
        found = await self._resolve(*target)
        inside = [] if self._private else [address for address in found if not is_public(address)]
        if inside:
            raise ToolError("blocked", f"{target.host} leads to {inside[0]}, which is no public address")
        return found
