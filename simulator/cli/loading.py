"""The event loop of a command, in which its browser starts while the command's modules still load.

Not responsible for: what the command does. This module is loaded before anything else of it.
"""

from __future__ import annotations

import asyncio
import gc
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from simulator.browser.launching import Ahead
    from simulator.config import Settings, Site

_SWITCH_S = 0.0005
"""How long a thread that imports keeps the others waiting: the driver's start is a dozen messages, each answered."""


class Loaded(NamedTuple):
    """What a command goes on with."""

    runner: asyncio.Runner
    ahead: Ahead | None
    """The browser that is starting, or has started."""


@contextmanager
def loading(load: Callable[[], object], settings: Settings, site: Site, *, headed: bool) -> Iterator[Loaded]:
    """Load a command's modules while the browser that it probably needs is starting.

    Args:
        load: imports the modules; called in a thread.
        settings: of ``sim.toml``.
        site: the section that is probably meant.
        headed: whether browser windows are shown.

    Raises:
        BrowserMissing: there is no browser.
    """
    with asyncio.Runner() as runner:
        ahead = runner.run(_load(load, settings, site, headed=headed))
        try:
            yield Loaded(runner, ahead)
        finally:
            if ahead is not None:
                runner.run(ahead.close())


async def _load(load: Callable[[], object], settings: Settings, site: Site, *, headed: bool) -> Ahead | None:
    from simulator.browser.launching import Ahead
    from simulator.runner.ahead import probable

    command = probable(settings, site, headed=headed)
    ahead = Ahead(command) if command else None
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    # What modules make stays: looking through it for garbage, again and again, takes a tenth of the time.
    gc.disable()
    try:
        await asyncio.to_thread(load)
    except BaseException:
        if ahead is not None:
            await ahead.close()
        raise
    finally:
        sys.setswitchinterval(usual)
        gc.enable()
    return ahead
