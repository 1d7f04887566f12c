"""How a browser process is started, and one that starts while the rest of the program still loads.

Not responsible for: what is done with a browser (``pool``).
"""

from __future__ import annotations

import asyncio
import logging
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

from playwright.async_api import Browser, Playwright
from playwright.async_api import Error as PlaywrightError

from simulator.browser.edge import start_driver
from simulator.browser.executable import Executable
from simulator.browser.network import Endpoint, resolver_args
from simulator.browser.script import register_engines
from simulator.scratch import scratch_folder

_LOG = logging.getLogger(__name__)

_Handler = Callable[[asyncio.AbstractEventLoop, dict[str, Any]], object]
_DRIVER_GONE = "Connection closed while reading from the driver"
_AUTHORITIES = "NODE_EXTRA_CA_CERTS"
_TEMPORARY = "TMPDIR"
_QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
)


@dataclass(frozen=True, slots=True)
class Command:
    """What a browser is started with: two that are equal start browsers that behave alike."""

    executable: Path
    headed: bool
    args: tuple[str, ...]
    authority: Path | None = None
    """Certificates that Playwright's driver trusts in connections that it makes itself."""

    @classmethod
    def of(
        cls,
        executable: Executable,
        allowed: Sequence[Endpoint],
        *,
        headed: bool = False,
        args: Sequence[str] = (),
        authority: Path | None = None,
        keys: Sequence[str] = (),
    ) -> Command:
        """Put a command together.

        Args:
            executable: the browser.
            allowed: what it may reach.
            headed: whether windows are shown.
            args: further arguments.
            authority: certificates of a private authority.
            keys: of servers that are trusted whoever has signed their certificate.
        """
        trusted = [f"--ignore-certificate-errors-spki-list={','.join(keys)}"] if keys else []
        rootless = ["--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else []
        every = (*_QUIET, *resolver_args(allowed), *args, *trusted, *rootless)
        return cls(executable.path, headed, every, authority)

    async def drive(self, temporary: Path | None) -> Playwright:
        """Start a driver.

        Args:
            temporary: where it and its browsers keep temporary files; None: where the system keeps them.
        """
        _tell_of_drivers(asyncio.get_running_loop())
        told = {_AUTHORITIES: self.authority, _TEMPORARY: temporary}
        # The driver is told of both by the environment alone.
        with _environment({name: str(path) for name, path in told.items() if path is not None}):
            driver = await start_driver()
        await register_engines(driver)
        return driver

    async def launch(self, driver: Playwright) -> Browser:
        """Start a browser.

        Raises:
            PlaywrightError: it does not start.
        """
        return await driver.chromium.launch(
            executable_path=self.executable,
            headless=not self.headed,
            args=list(self.args),
            # A browser's own temporary files include sockets, whose paths have to be short.
            env=dict(os.environ),
            handle_sigint=False,
            handle_sigterm=False,
            handle_sighup=False,
        )


class Started(NamedTuple):
    """A driver and the browser that it has started."""

    driver: Playwright
    browser: Browser


class Ahead:
    """A browser that is started before it is known whether it is the one that is needed.

    Args:
        command: what is probably needed.
    """

    def __init__(self, command: Command) -> None:
        self._command = command
        self._folder = ExitStack()
        self._starting: asyncio.Task[Started] | None = asyncio.create_task(self._start(), name="browser ahead")

    async def _start(self) -> Started:
        driver = await self._command.drive(self._folder.enter_context(scratch_folder()))
        try:
            return Started(driver, await self._command.launch(driver))
        except BaseException:
            await driver.stop()
            raise

    async def take(self, command: Command) -> Started | None:
        """Hand out what was started, to the first who asks; its temporary files live until :meth:`close`.

        Args:
            command: what is needed.

        Returns:
            None where it is another one, or did not start: whoever needs it starts it, and is told why not.
        """
        if self._starting is None or command != self._command:
            return None
        starting, self._starting = self._starting, None
        try:
            return await starting
        except (PlaywrightError, OSError) as failure:
            _LOG.info("the browser did not start ahead: %s", failure)
            return None

    async def close(self) -> None:
        """Stop what nobody has taken, and remove the temporary files."""
        starting, self._starting = self._starting, None
        try:
            if starting is not None:
                # Not cancelled: a driver that is just being started would be left alone.
                with suppress(PlaywrightError, OSError):
                    await (await starting).driver.stop()
        finally:
            self._folder.close()


def _tell_of_drivers(loop: asyncio.AbstractEventLoop) -> None:
    """Have a loop log that a driver has died, of which nobody else asks; what it was doing fails on its own."""
    before = loop.get_exception_handler()
    if isinstance(before, partial) and before.func is _unhandled:
        return
    loop.set_exception_handler(partial(_unhandled, before))


def _unhandled(before: _Handler | None, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if _DRIVER_GONE in str(context.get("exception")):
        _LOG.warning("the driver of the browser has died")
    elif before is not None:
        before(loop, context)
    else:
        loop.default_exception_handler(context)


@contextmanager
def _environment(more: Mapping[str, str]) -> Iterator[None]:
    """Start processes meanwhile with more in their environment."""
    before = {name: os.environ.get(name) for name in more}
    os.environ.update(more)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                del os.environ[name]
            else:
                os.environ[name] = value
