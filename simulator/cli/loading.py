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
    from simulator.browser.launch.launching import Ahead, Command
    from simulator.config import Settings

_SWITCH_S = 0.0005
"""How long a thread that imports keeps the others waiting: the driver's start is a dozen messages, each answered."""


class Prepared(NamedTuple):
    """What a command knows of its browser before it is loaded."""

    settings: Settings
    command: Command | None
    """What the browser is probably started with; None where only the site can say."""


class Loaded(NamedTuple):
    """What a command goes on with."""

    runner: asyncio.Runner
    settings: Settings
    ahead: Ahead
    """The browser that is starting, or has started."""


@contextmanager
def loading(prepare: Callable[[], Prepared], load: Callable[[], object]) -> Iterator[Loaded]:
    """Load a command's modules while the browser that it probably needs is starting.

    The driver starts first: neither the settings nor the modules are needed for that.

    Args:
        prepare: reads the settings; called in a thread.
        load: imports the modules; called in a thread.

    Raises:
        SimulatorError: what ``prepare`` raises.
    """
    with asyncio.Runner() as runner:
        loaded = runner.run(_load(runner, prepare, load))
        try:
            yield loaded
        finally:
            runner.run(loaded.ahead.close())


async def _load(runner: asyncio.Runner, prepare: Callable[[], Prepared], load: Callable[[], object]) -> Loaded:
    usual = sys.getswitchinterval()
    sys.setswitchinterval(_SWITCH_S)
    # What modules make stays: looking through it for garbage, again and again, takes a tenth of the time. Nor is it
    # looked through later.
    gc.disable()
    try:
        from simulator.browser.launch.launching import Ahead

        ahead = Ahead()
        try:
            prepared = await asyncio.to_thread(prepare)
            if prepared.command is not None:
                ahead.launch(prepared.command)
            await asyncio.to_thread(load)
        except BaseException:
            await ahead.close()
            raise
    finally:
        sys.setswitchinterval(usual)
        gc.freeze()
        gc.enable()
    return Loaded(runner, prepared.settings, ahead)
