"""Takes up what a site section says about access: reads its files, reveals its secrets, and knows all of them.

Not responsible for: how the browser uses them, or masking them.
"""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.browser.launch.access import Access, Certificate, header_secret
from simulator.browser.wire.withheld import is_secret_name
from simulator.config import Settings, Site, host_port
from simulator.config.values import references
from simulator.errors import ConfigError
from simulator.runner.surroundings.login_state import read_login
from simulator.secret_parts import PHRASE, bits, is_ordinary
from simulator.secrets import KEY_VARIABLE, MachineKey
from simulator.totp import one_time_code, spellings

if TYPE_CHECKING:
    import httpx

_KEY_BLOCK = re.compile(r"-----BEGIN [A-Z ]*PRIVATE KEY-----(.*?)-----END", re.DOTALL)
_NAMES_KEY = re.compile(r"(?:^|_)(?:KEY|TOKEN|SECRET|PASSWORD|PASSWD|PASSPHRASE|CREDENTIALS?)(?:_|$)", re.IGNORECASE)
_IN_NAMES = re.compile(r"[^a-z0-9]+")


def open_access(site: Site) -> Access:
    """Give what a site demands of every request.

    Raises:
        KeyMissing: a secret that the site section refers to is not set.
        ConfigError: a file that it names cannot be used.
    """
    shown = site.client_certificate
    access = Access(
        username=site.basic_auth.username if site.basic_auth else None,
        password=site.basic_auth.password.reveal() if site.basic_auth else None,
        headers={name: value.reveal() for name, value in site.headers.items()},
        login=_login(site, site.login_state) if site.login_state else None,
        authority=site.authority,
        certificate=Certificate(shown.certificate, shown.key, shown.passphrase.reveal() if shown.passphrase else None)
        if shown
        else None,
        mark=site.mark_header,
    )
    try:
        if site.authority is not None or shown is not None:
            access.tls()
    except OSError as error:
        named = " or ".join(
            str(file) for file in (site.authority, shown and shown.certificate, shown and shown.key) if file is not None
        )
        raise ConfigError(f"site '{site.name}': {named} cannot be used: {error.strerror or error}") from None
    return access


def _login(site: Site, file: Path) -> dict[str, Any]:
    try:
        return read_login(file)
    except ConfigError as error:
        raise ConfigError(f"site '{site.name}': {error}") from None


def known_secrets(settings: Settings, site: Site, access: Access, key: MachineKey) -> dict[str, str]:
    """Give everything that is secret by where it comes from, whether it is used or not, by names of its own.

    What ``sim.toml`` refers to for this site; what it demands, and a stored login; the private key of its user; the
    machine's own key; and the keys in the environment of this process, of models for one: a page or a program that a
    model runs may show them.

    Args:
        settings: of ``sim.toml``.
        site: the site's section.
        access: what the site demands.
        key: the machine's.
    """
    found = {f"access_{name}": value for name, value in access.secrets().items()}
    for name, value in access.headers.items():
        if is_ordinary(value) and not is_secret_name(name):
            del found[f"access_{header_secret(name)}"]  # no key, but a choice: it is withheld where it stands
    packs = {f"{pack}_": section for pack, section in site.sections.items()}
    sections = {"": site, "mailbox_": settings.mailbox_for(site), **packs}
    for place, section in sections.items():
        for name, reference in references(section, place) if section else ():
            if not name.startswith(("headers_", "secrets_")):  # known by better names, or none: a header may be a word
                found[f"access_{name}"] = reference.value
    if site.totp is not None:
        found |= {f"access_totp_{number}": text for number, text in enumerate(spellings(site.totp.value), 1)}
    if access.certificate is not None:
        found |= {f"access_key_{number}": line for number, line in enumerate(_key_lines(access.certificate.key), 1)}
    found["machine_key"] = os.environ.get(KEY_VARIABLE) or key.secret.hex()
    found |= {f"environment_{name}": value for name, value in _keys_of(os.environ)}
    return {_IN_NAMES.sub("_", name.lower()): value for name, value in found.items() if value}


def _key_lines(file: Path) -> Iterator[str]:
    """Give the lines of the private keys in a PEM file, and each key as one line."""
    for block in _KEY_BLOCK.findall(file.read_text("ascii", errors="replace")):
        lines = [line.strip() for line in block.split("\n") if bits(line) >= PHRASE]
        yield from lines
        yield "".join(lines)


def _keys_of(environ: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """Give what goes by the name of a key in an environment; a file that holds one does not count, nor does a word."""
    for name, value in environ.items():
        if _NAMES_KEY.search(name) and bits(value) >= PHRASE and not value.startswith(("/", "~", ".")):
            yield name, value


def code_source(site: Site) -> Callable[[], str] | None:
    """Give what makes the one-time code of the moment, where the site asks for one.

    Raises:
        KeyMissing: its secret is not set.
        ConfigError: its secret is not one.
    """
    if site.totp is None:
        return None
    secret = site.totp.reveal()
    try:
        one_time_code(secret, 0)
    except ValueError as error:
        raise ConfigError(f"site '{site.name}': totp: {site.totp.env}: {error}") from None
    return lambda: one_time_code(secret, time.time())


def client(site: Site, access: Access, *, verified: bool = True, timeout_s: float = 30) -> httpx.AsyncClient:
    """Give a client of this program that the site lets in as it does the browser.

    What it demands goes to the site alone: the client follows no redirect.

    Args:
        site: the site.
        access: what it demands.
        verified: False where only an answer matters, whoever gives it.
        timeout_s: for each request.
    """
    import httpx

    async def let_in(request: httpx.Request) -> None:
        if host_port(str(request.url)) == site.host_port:
            request.headers.update(access.headers)
            if access.username and "Authorization" not in request.headers:
                password = access.password or ""
                next(httpx.BasicAuth(access.username, password).auth_flow(request))

    return httpx.AsyncClient(
        trust_env=False,
        timeout=timeout_s,
        verify=access.tls(verified=verified),
        event_hooks={"request": [let_in]},
    )
