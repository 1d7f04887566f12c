"""What a site demands before it shows anything: a password, headers, a login, a certificate; and whom it is trusted by.

Not responsible for: where the secrets come from, or the forms of the site itself.
"""

from __future__ import annotations

import asyncio
import base64
import hashlib
import re
import ssl
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, BrowserContext, Route
from playwright.async_api import Error as PlaywrightError
from pydantic_core import from_json

from simulator.browser.launch.network import Endpoint
from simulator.secret_parts import PHRASE, bits, is_ordinary

_CONNECT_S = 10.0
_MIN_COOKIE = 8
"""Shorter values of cookies that no script may read are flags, not keys."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A certificate that this user shows to the site, and its key, as PEM files."""

    certificate: Path
    key: Path
    passphrase: str | None = field(default=None, repr=False)


@dataclass(frozen=True, slots=True)
class Access:
    """What a site demands of every request before it shows anything. Holds secrets: never stored."""

    username: str | None = None
    password: str | None = field(default=None, repr=False)
    headers: dict[str, str] = field(default_factory=dict, repr=False)
    login: Mapping[str, Any] | None = field(default=None, repr=False)
    """Cookies and local storage of somebody who is logged in, as Playwright stores them."""
    authority: Path | None = None
    """Certificates of a private authority, as a PEM file."""
    certificate: Certificate | None = None
    mark: str | None = None
    """Name of the header that marks synthetic traffic."""

    def secrets(self) -> dict[str, str]:
        """Give what must never be seen, by a name that says what it is."""
        found = {header_secret(name): value for name, value in self.headers.items()}
        if self.password:
            found["basic_auth"] = self.password
            found["basic_auth_header"] = base64.b64encode(f"{self.username}:{self.password}".encode()).decode()
        for number, value in enumerate(dict.fromkeys(_held(self.login or {})), 1):
            found[f"login_{number}"] = value
        return found

    def tls(self, *, verified: bool = True) -> ssl.SSLContext:
        """Give what a client of this program connects with, beside the browser.

        Args:
            verified: False to connect to whoever answers.

        Raises:
            OSError: a file cannot be read, or holds no such thing.
        """
        context = ssl.create_default_context()
        if self.authority is not None:
            context.load_verify_locations(self.authority)
        if self.certificate is not None:
            held = self.certificate
            context.load_cert_chain(held.certificate, held.key, held.passphrase)
        if not verified:
            context.check_hostname = False
            context.verify_mode = ssl.CERT_NONE
        return context

    async def install(self, context: BrowserContext, origin: str, marking: Callable[[], str]) -> None:
        """Send the headers with each request to the site itself: they are no business of other hosts.

        Args:
            context: whose requests.
            origin: the site's scheme, host and port.
            marking: gives the text that marks a request, when it is sent.
        """
        if not self.headers and not self.mark:
            return

        async def send(route: Route) -> None:
            marks = {self.mark: marking()} if self.mark else {}
            await route.continue_(headers={**route.request.headers, **self.headers, **marks})

        await context.route(re.compile(f"^{re.escape(origin)}/"), send)

    async def keep_home(self, browser: Browser, elsewhere: Iterable[Endpoint]) -> None:
        """Take the headers off what goes to other hosts: where the site redirects there, the browser brings them along.

        Args:
            browser: nobody has used it with these headers before.
            elsewhere: what may be reached besides the site.
        """
        ours = {name.lower() for name in (*self.headers, *([self.mark] if self.mark else []))}
        patterns = [{"urlPattern": pattern} for place in elsewhere for pattern in _urls(place)]
        if not ours or not patterns:
            return
        # By the browser's own session: the requests of every page, frame, worker and window pass it last of all.
        session = await browser.new_browser_cdp_session()

        async def pass_on(paused: dict[str, Any]) -> None:
            sent: dict[str, str] = paused["request"]["headers"]
            kept = [{"name": name, "value": value} for name, value in sent.items() if name.lower() not in ours]
            changed = {"headers": kept} if len(kept) < len(sent) else {}
            with suppress(PlaywrightError):  # its page has gone meanwhile, and the request with it
                await session.send("Fetch.continueRequest", {"requestId": paused["requestId"], **changed})

        session.on("Fetch.requestPaused", pass_on)
        await session.send("Fetch.enable", {"patterns": patterns})


def _urls(place: Endpoint) -> Iterator[str]:
    """Give the patterns of all addresses at a place."""
    yield f"*://{place}/*"
    if place.port in (80, 443):
        yield f"{'http' if place.port == 80 else 'https'}://{str(place).removesuffix(f':{place.port}')}/*"


def header_secret(header: str) -> str:
    """Give the name of the secret that a header holds."""
    return f"header_{re.sub(r'[^a-z0-9]', '_', header.lower())}"


def _held(login: Mapping[str, Any]) -> Iterator[str]:
    """Give the keys that a stored login holds; what may be a usual word is not one."""
    for cookie in login.get("cookies", ()):
        if is_key(cookie["value"]) if cookie.get("httpOnly") else _is_stored_key(cookie["value"]):
            yield cookie["value"]
    for origin in login.get("origins", ()):
        for entry in origin.get("localStorage", ()):
            yield from _keys(entry["value"])


def is_key(value: str) -> bool:
    """Return whether the value of a cookie that no script may read is a key; others are flags and words."""
    return len(value) >= _MIN_COOKIE and not is_ordinary(value)


def _is_stored_key(value: str) -> bool:
    """Return whether what a script may read is a key: much of it is names, dates and choices."""
    return bits(value) >= PHRASE and not re.search(r"\s", value)


def _keys(stored: Any) -> Iterator[str]:
    if isinstance(stored, str):
        try:
            inner = from_json(stored)  # it refuses what is nested without end
        except ValueError:
            inner = None
        if isinstance(inner, dict | list | str) and inner != stored:
            yield from _keys(inner)
        elif _is_stored_key(stored):
            yield stored
    elif isinstance(stored, dict | list):
        for each in stored.values() if isinstance(stored, dict) else stored:
            yield from _keys(each)


async def trusted_keys(access: Access, places: Iterable[Endpoint]) -> list[str]:
    """Give the keys of the servers whose certificates the private authority has signed.

    The browser takes no authority of ours, but keys: each is looked up here, where its certificate is verified for
    its host.

    Args:
        access: names the authority.
        places: where to look; a place that speaks no TLS, or is signed by somebody else, has no such key.

    Returns:
        SHA-256 of each public key, in base64.
    """
    if access.authority is None:
        return []
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    context.load_verify_locations(access.authority)
    if access.certificate is not None:
        context.load_cert_chain(access.certificate.certificate, access.certificate.key, access.certificate.passphrase)
    found = await asyncio.gather(*(_key_at(place, context) for place in places))
    return [key for key in dict.fromkeys(found) if key]


async def _key_at(place: Endpoint, context: ssl.SSLContext) -> str:
    try:
        async with asyncio.timeout(_CONNECT_S):
            _, writer = await asyncio.open_connection(place.host, place.port, ssl=context)
    except (OSError, TimeoutError):
        return ""
    try:
        certificate = writer.get_extra_info("ssl_object").getpeercert(binary_form=True)
    finally:
        writer.transport.abort()
    return base64.b64encode(hashlib.sha256(public_key(certificate)).digest()).decode()


def public_key(certificate: bytes) -> bytes:
    """Cut the SubjectPublicKeyInfo out of a certificate (RFC 5280, 4.1), both in DER."""
    _, body, _ = _element(certificate, 0)
    _, at, _ = _element(certificate, body)
    tag, _, end = _element(certificate, at)
    if tag == 0xA0:  # the version, which the first one leaves out
        at = end
    for _ in ("serial number", "algorithm", "issuer", "validity", "subject"):
        _, _, at = _element(certificate, at)
    _, _, end = _element(certificate, at)
    return certificate[at:end]


def _element(data: bytes, at: int) -> tuple[int, int, int]:
    """Read the head of a DER element: its tag, and where its content begins and ends."""
    tag, length = data[at], data[at + 1]
    start = at + 2
    if length & 0x80:
        size = length & 0x7F
        length = int.from_bytes(data[start : start + size], "big")
        start += size
    return tag, start, start + length
