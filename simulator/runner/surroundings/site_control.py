"""The site under a batch: whether it answers, starting the bundled one, resetting it and reading its state.

Not responsible for: acting on it.
"""

from __future__ import annotations

import asyncio
import json
import os
import secrets
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPException, HTTPSConnection
from pathlib import Path
from typing import TYPE_CHECKING, Any
from urllib.parse import quote, urlunsplit

from simulator.addresses import urlsplit
from simulator.browser.launch.access import Access
from simulator.canonical import content_hash
from simulator.config import NO_BOOKSHOP, Site, has_bookshop
from simulator.errors import ConfigError, SiteUnreachable, UsageError
from simulator.runner.surroundings.access import client

if TYPE_CHECKING:
    import httpx

_TOKEN = "SIM_BOOKSHOP_TOKEN"
_START_S = 20.0
_SNAPSHOT_S = 60.0
_AS_IT_IS = "/?%:@!$&'()*+,;=~-._[]"
"""What stands in an address unescaped."""


@dataclass(frozen=True, slots=True)
class SiteControl:
    """A site that answers, at the address where it answers."""

    site: Site
    token: str | None = None
    """Opens the control addresses of a bookshop that this program started."""
    access: Access = field(default_factory=Access)
    """What the site demands of every request."""

    @property
    def reports_state(self) -> bool:
        """Whether the site's state can be read."""
        return self.token is not None or self.site.state is not None

    async def state(self) -> Any:
        """Read the site's state.

        Returns:
            A JSON value; None where the site does not give it.

        Raises:
            SiteUnreachable: it does not answer as it should.
        """
        if self.token is not None:
            return (await self._ask("GET", self.site.url("/_control/state"), self.token)).json()
        if self.site.state is not None:
            token = self.site.state.token.reveal() if self.site.state.token else None
            return (await self._ask(self.site.state.method, self.site.url(self.site.state.url), token)).json()
        return None

    async def snapshot(self) -> str | None:
        """Hash what the site's own snapshot holds; a JSON value, however it is written, is one.

        Returns:
            None where the site section names no snapshot.

        Raises:
            SiteUnreachable: the address does not answer as it should, or the command fails.
        """
        given = self.site.snapshot
        if given is None:
            return None
        if given.url is not None:
            token = given.token.reveal() if given.token else None
            text = (await self._ask("GET", self.site.url(given.url), token)).text
        else:
            text = await _output_of(given.command)
        try:
            return content_hash(json.loads(text))
        except (ValueError, RecursionError):
            return content_hash(text.strip())

    async def reset(self) -> None:
        """Throw away everything on the site.

        Raises:
            UsageError: it is not marked as disposable, or there is no way to reset it.
            SiteUnreachable: it does not answer as it should.
        """
        if not self.site.disposable:
            raise UsageError(f"the site '{self.site.name}' is not marked 'disposable = true': it is not reset")
        if self.token is not None:
            await self._ask("POST", self.site.url("/_control/reset"), self.token)
        elif self.site.reset is not None:
            token = self.site.reset.token.reveal() if self.site.reset.token else None
            await self._ask(self.site.reset.method, self.site.url(self.site.reset.url), token)
        else:
            ways = f'give it an address for that: reset = {{ url = "/reset" }} in [site.{self.site.name}] of sim.toml'
            if self.site.bundled:
                ways = (
                    "another process serves it; 'sim demo reset' empties it, then go on without --reset. Or stop that "
                    "process, and the command starts a bookshop of its own"
                )
            raise UsageError(f"the site '{self.site.name}' at {self.site.base_url} cannot be reset from here: {ways}")

    async def _ask(self, method: str, url: str, token: str | None) -> httpx.Response:
        import httpx

        headers = {"Authorization": f"Bearer {token}"} if token else {}
        try:
            async with client(self.site, self.access) as asking:
                answer = await asking.request(method, url, headers=headers)
                answer.raise_for_status()
                return answer
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            raise SiteUnreachable(f"{method} {url} did not work: {error}") from error


async def _output_of(command: tuple[str, ...]) -> str:
    """Run a command, and give what it writes."""
    pipe = asyncio.subprocess.PIPE
    try:
        process = await asyncio.create_subprocess_exec(*command, stdin=asyncio.subprocess.DEVNULL, stdout=pipe)
    except OSError as error:
        raise SiteUnreachable(f"the snapshot command '{command[0]}' cannot be run: {error.strerror}") from error
    try:
        out, _ = await asyncio.wait_for(process.communicate(), _SNAPSHOT_S)
    except TimeoutError:
        process.kill()
        await process.wait()
        raise SiteUnreachable(f"the snapshot command '{command[0]}' took longer than {_SNAPSHOT_S:g} s") from None
    if process.returncode:
        raise SiteUnreachable(f"the snapshot command '{command[0]}' ended with {process.returncode}")
    return out.decode(errors="replace")


async def answers(site: Site, access: Access, *, timeout_s: float = 5) -> bool:
    """Return whether anything speaks HTTP at the address of a site."""
    return await asyncio.to_thread(_speaks, site, access, timeout_s)


def _speaks(site: Site, access: Access, timeout_s: float) -> bool:
    # Any answer will do: for that the standard library does, and the command begins without loading a whole client.
    parts = urlsplit(site.base_url)
    asking: HTTPConnection
    if parts.scheme == "https":
        context = access.tls(verified=False)
        asking = HTTPSConnection(parts.hostname or "", parts.port, timeout=timeout_s, context=context)
    else:
        asking = HTTPConnection(parts.hostname or "", parts.port, timeout=timeout_s)
    try:
        path = quote(urlunsplit(("", "", parts.path or "/", parts.query, "")), safe=_AS_IT_IS)
        asking.request("GET", path, headers={name: value.encode() for name, value in access.headers.items()})
        asking.getresponse()
    except (OSError, HTTPException, ValueError):  # a header may hold what none can
        return False
    finally:
        asking.close()
    return True


@asynccontextmanager
async def running_site(
    site: Site, *, database: Path | None = None, access: Access | None = None
) -> AsyncIterator[SiteControl]:
    """Give a site that answers; start the bundled bookshop where nothing does.

    Args:
        site: the site's section.
        database: file of the bundled bookshop, when it is not the one of the section.
        access: what the site demands of every request.

    Raises:
        SiteUnreachable: nothing answers, and it is not the bundled site, or that is not there.
        ConfigError: there is no place for the bundled site's database.
    """
    access = access or Access()
    if database is None and await answers(site, access):
        yield SiteControl(site, access=access)
        return
    if not site.bundled:
        raise SiteUnreachable(
            f"nothing answers at {site.base_url}, the address of the site '{site.name}'; start it, or name another "
            "with --base-url"
        )
    if not has_bookshop():
        raise SiteUnreachable(NO_BOOKSHOP)
    file = database or site.database
    if file is None:
        raise ConfigError(f"the site '{site.name}' is bundled but names no 'database'")
    async with _bookshop(file) as (url, token):
        yield SiteControl(site.model_copy(update={"base_url": url}), token)


@asynccontextmanager
async def _bookshop(database: Path) -> AsyncIterator[tuple[str, str]]:
    """Run the bundled bookshop in a process of its own that ends with this one."""
    token = secrets.token_urlsafe(24)
    try:
        database.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise ConfigError(f"the bookshop's database {database} cannot be made: {error.strerror}") from error
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(database),
        "--control-token-env", _TOKEN, "--exit-with-parent",
        stdin=asyncio.subprocess.DEVNULL, stdout=asyncio.subprocess.PIPE, stderr=asyncio.subprocess.PIPE,
        env={**os.environ, _TOKEN: token}, start_new_session=True,
    )  # fmt: skip
    assert process.stdout is not None
    assert process.stderr is not None
    errors = asyncio.create_task(process.stderr.read())
    try:
        try:
            line = await asyncio.wait_for(process.stdout.readline(), _START_S)
        except TimeoutError:
            raise SiteUnreachable(f"the bundled bookshop did not start within {_START_S:g} s") from None
        if not line:
            reason = (await errors).decode(errors="replace").strip().splitlines()
            raise SiteUnreachable(f"the bundled bookshop did not start: {reason[-1] if reason else 'no reason given'}")
        yield json.loads(line)["url"], token
    finally:
        if process.returncode is None:
            process.terminate()
            try:
                await asyncio.wait_for(process.wait(), 5)
            except TimeoutError:
                process.kill()
                await process.wait()
        await errors
