"""Takes up what a site section says about access: reads its files, reveals its secrets.

Not responsible for: how the browser uses them.
"""

from __future__ import annotations

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from simulator.browser.access import Access, Certificate
from simulator.config import Site, host_port
from simulator.errors import ConfigError
from simulator.totp import one_time_code


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
        access.tls()
    except OSError as error:
        named = " or ".join(
            str(file) for file in (site.authority, shown and shown.certificate, shown and shown.key) if file is not None
        )
        raise ConfigError(f"site '{site.name}': {named} cannot be used: {error.strerror or error}") from None
    return access


def _login(site: Site, file: Path) -> dict[str, Any]:
    try:
        state = json.loads(file.read_text("utf-8"))
        if not {"cookies", "origins"} & state.keys():
            raise ValueError
    except OSError as error:
        raise ConfigError(f"site '{site.name}': login_state {file} cannot be read: {error.strerror}") from None
    except (ValueError, AttributeError):
        raise ConfigError(
            f"site '{site.name}': login_state {file}: expected JSON with cookies and origins, as Playwright's "
            "storage_state writes it"
        ) from None
    return dict(state)


def code_source(site: Site) -> Callable[[], str] | None:
    """Give what tells the one-time code of the moment, where the site asks for one.

    Raises:
        KeyMissing: its secret is not set.
        ConfigError: its secret is none.
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
