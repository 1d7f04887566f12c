"""Codes that the site has told a script, and that the script has written into the query of its address.

An application of one page keeps what its user sees at the site (``POST /boards/7/state``), and calls that by the code
of the answer (``?state=kT_ORC0e9RY``): another one for each visit. Such a code may look like a word, so the answer says
what it is. Not responsible for: what such an address is written as (``server_values``).
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Iterator
from contextlib import suppress
from typing import Any, Final
from urllib.parse import parse_qsl

from playwright.async_api import BrowserContext, Response
from playwright.async_api import Error as PlaywrightError

from simulator.addresses import urlsplit
from simulator.browser.listeners import of_one
from simulator.browser.wire.numbered_words import noun_of
from simulator.browser.wire.server_variables import ServerVariables
from simulator.canonical import hash_route, is_told_code

_SAFE: Final = frozenset({"GET", "HEAD", "OPTIONS"})
_BY_SCRIPTS: Final = frozenset({"fetch", "xhr"})
_MOST_ANSWERS: Final = 8
_MOST_BYTES: Final = 2**16
_READ_S: Final = 1.0
"""How long an answer is waited for. One that a script has read already is there."""


class ToldCodes:
    """Listens to what the site answers the scripts of one user, and reads it once an address may say a part of it.

    Args:
        variables: learn which values the site has drawn.
    """

    def __init__(self, variables: ServerVariables) -> None:
        self._variables = variables
        self._answers: deque[Response] = deque(maxlen=_MOST_ANSWERS)

    def attend(self, context: BrowserContext) -> None:
        """Listen to a context."""
        context.on("response", of_one(self._hear))

    def _hear(self, response: Response) -> None:
        request = response.request
        is_json = "json" in response.headers.get("content-type", "")
        if is_json and request.method not in _SAFE and request.resource_type in _BY_SCRIPTS:
            self._answers.append(response)

    async def learn(self, url: str) -> None:
        """Know the codes in the query of an address that an answer has told.

        Args:
            url: absolute address of the page.
        """
        known = self._variables
        sought = {pair for pair in _codes_in(url) if not (known.is_known(*pair) or known.says_own(pair[1]))}
        for answer in [*reversed(self._answers)] if sought else ():
            texts = await _texts_of(answer)
            for noun, code in sought:
                if code in texts:
                    self._variables.call_so(noun, code)
            sought = {pair for pair in sought if pair[1] not in texts}
            if not sought:
                return


def _codes_in(url: str) -> Iterator[tuple[str, str]]:
    parts = urlsplit(url)
    _, route = hash_route(parts.fragment)
    for query in filter(None, (parts.query, urlsplit(route).query if route else "")):
        yield from ((noun_of(key), value) for key, value in parse_qsl(query) if is_told_code(value))


async def _texts_of(answer: Response) -> set[str]:
    """Give the texts in the JSON of an answer; none where it is gone, or long, or does not come."""
    with suppress(PlaywrightError, TimeoutError, ValueError, RecursionError):
        async with asyncio.timeout(_READ_S):
            data = await answer.body()
        return set(_texts(json.loads(data))) if len(data) <= _MOST_BYTES else set()
    return set()


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list):
        for one in value.values() if isinstance(value, dict) else value:
            yield from _texts(one)
