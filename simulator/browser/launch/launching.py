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

from simulator.browser.launch.driver_process import DriverProcess, taken, variables
from simulator.browser.launch.edge import start_driver
from simulator.browser.launch.executable import Executable
from simulator.browser.launch.network import Endpoint, resolver_args
from simulator.browser.launch.script import register_engines
from simulator.scratch import scratch_folder

_LOG = logging.getLogger(__name__)

_Handler = Callable[[asyncio.AbstractEventLoop, dict[str, Any]], object]
_DRIVER_GONE = "Connection closed while reading from the driver"
_ONE_RENDERER = "--renderer-process-limit=1"
"""Windows of one context share a process: what is looked at beside the user's windows needs none of its own. Another
context still has its own, so users of one browser are as far apart as before."""
_QUIET = (
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
    "--no-default-browser-check",
    _ONE_RENDERER,
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
        return await drive(temporary, self.authority)

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
    """A driver that starts before anything is known, and a browser that starts before it is known to be the needed one.

    The driver begins at once, or runs already: it takes longest, and no settings change it but an authority.
    """

    def __init__(self) -> None:
        self._folder = ExitStack()
        self._driving: asyncio.Task[Playwright] | None = asyncio.create_task(self._drive(), name="driver ahead")
        self._command: Command | None = None
        self._starting: asyncio.Task[Started] | None = None

    async def _drive(self) -> Playwright:
        if process := taken():
            self._folder.callback(process.remove_folder)
            return await _start(process)
        return await drive(self._folder.enter_context(scratch_folder()), None)

    def launch(self, command: Command) -> None:
        """Start the browser that is probably needed, once the driver is there.

        Args:
            command: what it is started with; one that names an authority is left to whoever needs it.
        """
        if command.authority is None:
            self._command = command
            self._starting = asyncio.create_task(self._launch(command), name="browser ahead")

    async def _launch(self, command: Command) -> Started:
        assert self._driving is not None, "the driver is not stopped before this task"
        driver = await self._driving
        return Started(driver, await command.launch(driver))

    async def take(self, command: Command) -> Started | None:
        """Hand out what was started, to the first who asks; its temporary files live until :meth:`close`.

        Args:
            command: what is needed.

        Returns:
            None where it is another one, or did not start: whoever needs it starts it, and sees why it does not start.
        """
        if self._starting is None or command != self._command:
            return None
        starting, self._starting = self._starting, None
        try:
            started = await starting
        except (PlaywrightError, OSError) as failure:
            _LOG.info("the browser did not start ahead: %s", failure)
            return None
        self._driving = None
        return started

    async def close(self) -> None:
        """Stop what nobody has taken, and remove the temporary files."""
        starting, self._starting = self._starting, None
        driving, self._driving = self._driving, None
        try:
            # Not cancelled: a driver that is just being started would be left alone.
            with suppress(PlaywrightError, OSError):
                if starting is not None:
                    await starting
            with suppress(PlaywrightError, OSError):
                if driving is not None:
                    await (await driving).stop()
        finally:
            self._folder.close()


async def drive(temporary: Path | None, authority: Path | None) -> Playwright:
    """Start a driver.

    Args:
        temporary: where it and its browsers keep temporary files; None: where the system keeps them.
        authority: certificates that it trusts in connections that it makes itself.
    """
    with _environment(variables(temporary, authority)):
        return await _start()


async def _start(process: DriverProcess | None = None) -> Playwright:
    _expect_dying(asyncio.get_running_loop())
    driver = await start_driver(process)
    await register_engines(driver)
    return driver


def _expect_dying(loop: asyncio.AbstractEventLoop) -> None:
    """Have a loop say nothing of a driver that has died: what it was doing fails, and the pool reports it."""
    before = loop.get_exception_handler()
    if isinstance(before, partial) and before.func is _unhandled:
        return
    loop.set_exception_handler(partial(_unhandled, before))


def _unhandled(before: _Handler | None, loop: asyncio.AbstractEventLoop, context: dict[str, Any]) -> None:
    if _DRIVER_GONE in str(context.get("exception")):
        return
    if before is not None:
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
