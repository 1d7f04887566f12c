"""Where text comes out of the browser: every message of Playwright's driver passes here, and leaves as text.

A page may say what no text holds: half a character, as a cut through an emoji leaves it, or NUL. SQLite, the models'
APIs and UTF-8 itself take no half, and little takes NUL. Either is replaced, as an encoder would, by U+FFFD; the page
script does the same before it compares (``whole`` in ``page/1_dom.js``), so what is known by such a
text is found by it again. Not responsible for: what is allowed in XML or on a terminal, which their writers know.
"""

from __future__ import annotations

import asyncio
import re
from functools import partial
from typing import Any

from playwright._impl.out_of_process import PlaywrightClient
from playwright.async_api import Playwright

from simulator.browser.launch.driver_process import DriverProcess

_KEPT = rb"(?P<kept>\\\\|\\u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2})"
_HALF = rb"\\u[dD][89a-fA-F][0-9a-fA-F]{2}"
_HALVES = re.compile(_KEPT + rb"|" + _HALF)
_HALVES_AND_NUL = re.compile(_KEPT + rb"|\\u0000|" + _HALF)
"""In JSON: a backslash that stands for itself, and a whole character in two parts, are left; halves and NUL are not."""
_BODY = b'"postData":"'
"""What a request sent is bytes, and NUL is one of them. Only the browser itself writes this key: in what a page says,
quotes are escaped."""
_SUSPECTED = (b"\\ud", b"\\uD", b"\\u0000")
"""Few messages hold any of these, and only those are looked through. What is sent raw is whole, as it is UTF-8."""


async def start_driver(process: DriverProcess | None = None) -> Playwright:
    """Start Playwright's driver; what it says is text.

    Args:
        process: one that runs already; None: it is started.
    """
    client = PlaywrightClient()
    transport: Any = client._transport
    if process:
        transport.connect = partial(_connect, transport, process)
    parse = transport.deserialize_message
    transport.deserialize_message = lambda data: parse(well_formed(data))
    driver = Playwright(await client._playwright)
    driver.stop = client.stop  # type: ignore[method-assign]
    return driver


async def _connect(transport: Any, process: DriverProcess) -> None:
    """Do what the transport does with a process that it starts itself."""
    transport._stopped_future = asyncio.get_running_loop().create_future()
    await process.attach()
    transport._proc, transport._output = process, process.stdin


def well_formed(message: bytes) -> bytes:
    """Give a JSON message without halves of characters, and without NUL."""
    if not any(sign in message for sign in _SUSPECTED):
        return message
    unfit = _HALVES if _BODY in message else _HALVES_AND_NUL
    return unfit.sub(lambda found: found["kept"] or rb"\ufffd", message)
