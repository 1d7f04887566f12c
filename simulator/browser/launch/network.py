"""Which hosts the browser may reach. Not responsible for: downloads outside the browser.

Requests are refused by the browser itself, without a handler on any of them: every context has a proxy that cannot be
reached, and only the allowed host and port pairs bypass it; names are not even resolved.
"""

from __future__ import annotations

import ipaddress
import socket
from collections.abc import Iterable
from dataclasses import dataclass

from playwright.async_api import ProxySettings

from simulator.addresses import urlsplit

_DEFAULT_PORT = {"http": 80, "https": 443, "ws": 80, "wss": 443}


@dataclass(frozen=True, slots=True)
class Endpoint:
    """A host and a port."""

    host: str
    port: int

    def __str__(self) -> str:
        """Write it as a URL does."""
        return f"[{self.host}]:{self.port}" if ":" in self.host else f"{self.host}:{self.port}"


def endpoints(base_url: str, allowed: Iterable[str] = ()) -> tuple[Endpoint, ...]:
    """Give every host and port that may be reached.

    Args:
        base_url: the site's URL; its own host and port are always among them.
        allowed: ``host``, ``host:port`` or ``[address]:port``; without a port both 80 and 443 are meant.
    """
    parts = urlsplit(base_url)
    found = [Endpoint(parts.hostname or "", parts.port or _DEFAULT_PORT.get(parts.scheme, 80))]
    for entry in allowed:
        split = urlsplit(f"//{entry}")
        ports = [split.port] if split.port else [80, 443]
        found += [Endpoint(split.hostname or "", port) for port in ports]
    return tuple(dict.fromkeys(found))


def is_loopback(host: str) -> bool:
    """Return whether a host is this machine's loopback, by its spelling alone."""
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host.strip("[]")).is_loopback
    except ValueError:
        return False


def resolver_args(allowed: Iterable[Endpoint]) -> list[str]:
    """Give the arguments that keep a browser from resolving any name but those of what it may reach."""
    excluded = ", ".join(f"EXCLUDE {host}" for host in sorted({endpoint.host for endpoint in allowed}))
    return [
        f"--host-resolver-rules=MAP * ~NOTFOUND, {excluded}",
        "--webrtc-ip-handling-policy=disable_non_proxied_udp",
        "--force-webrtc-ip-handling-policy",
        "--disable-quic",
        "--dns-prefetch-disable",
    ]


class NetworkPolicy:
    """Refuses everything but the given endpoints.

    Holds a loopback port that nobody listens on: what is not allowed is sent there and refused at once.

    Args:
        allowed: the endpoints that may be reached.
    """

    def __init__(self, allowed: Iterable[Endpoint]) -> None:
        self.allowed = tuple(allowed)
        self._dead_end = socket.socket(socket.AF_INET, socket.SOCK_STREAM)
        self._dead_end.bind(("127.0.0.1", 0))

    def close(self) -> None:
        """Give the port back."""
        self._dead_end.close()

    def proxy(self) -> ProxySettings:
        """Give a context's proxy settings: a dead end for everything but what is allowed."""
        host, port = self._dead_end.getsockname()
        bypass = ",".join(["<-loopback>", *(str(endpoint) for endpoint in self.allowed)])
        return {"server": f"http://{host}:{port}", "bypass": bypass}

    def allows(self, url: str) -> bool:
        """Return whether a URL's host and port may be reached."""
        parts = urlsplit(url)
        if parts.scheme not in _DEFAULT_PORT:
            return False
        try:
            port = parts.port or _DEFAULT_PORT[parts.scheme]
        except ValueError:
            return False
        return Endpoint(parts.hostname or "", port) in self.allowed
