"""What pages are asked about effects: where they show inputs, how things and controls on them stand, what forms hold.

A page that has gone, or does not answer, shows nothing. Not responsible for: which pages, or what follows from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from typing import Any

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from simulator.browser.effects.again import Again, load_again
from simulator.browser.effects.echoes import Watched
from simulator.browser.effects.inputs import UserInput
from simulator.browser.effects.lasting import Lasting
from simulator.browser.effects.met import MOST_TEXT
from simulator.browser.effects.places import Reading, Spot, asked_of, holding
from simulator.browser.effects.pressed import Things

_LOOK_S = 5.0
"""How long a page may take to tell what it shows, in seconds."""
_READ = "asked => window.__sim ? __sim.readShown(asked) : null"
_THINGS = "asked => window.__sim ? __sim.readThings(asked) : null"
_FIELDS = "names => window.__sim ? __sim.readFields(names) : null"
_WHOLE = "most => window.__sim ? __sim.readWhole(most) : null"


class Asking:
    """Asks pages.

    Args:
        lasting: knows the places that are there again when their document is.
    """

    def __init__(self, lasting: Lasting) -> None:
        self._lasting = lasting
        self.asking_itself: Callable[[str], AbstractContextManager[None]] = lambda url: nullcontext()
        """Is told of an address that is asked for and that no user asked for."""

    async def read(self, page: Page, inputs: Sequence[UserInput], *, stored: bool = False) -> Reading | None:
        """Read where a page shows inputs; None where it has gone, or does not answer.

        Args:
            page: the page.
            inputs: what is sought.
            stored: whether what the browser itself keeps is a place like any other.
        """
        raw = await _ask(page, _READ, asked_of(inputs))
        if raw is None:
            return None
        reading = Reading.of(raw, page.url)
        return reading if stored else reading.without_stored()

    async def read_things(self, page: Page, asked: Sequence[Mapping[str, Any]]) -> Things | None:
        """Read whether a page shows things, and how a control of each stands; None where it does not answer."""
        raw = await _ask(page, _THINGS, list(asked))
        return Things.of(raw, page.url) if raw else None

    async def read_fields(self, page: Page, names: Sequence[str]) -> dict[str, Any] | None:
        """Read what fields of some names hold, as ``readFields`` gives it; None where the page does not answer."""
        return await _ask(page, _FIELDS, list(names))

    async def read_whole(self, page: Page) -> dict[str, Any] | None:
        """Read all that a page says, as ``readWhole`` gives it; None where it does not answer."""
        return await _ask(page, _WHOLE, MOST_TEXT)

    async def load_again(self, page: Page, spots: Sequence[Spot] = (), *, things: bool = False) -> Again:
        """Load the document of a page again, and tell what of it is there."""
        with self.asking_itself(page.url.partition("#")[0]):
            return await load_again(page, spots, things=things)

    async def what_lasts(
        self, page: Page, reading: Reading, watching: Sequence[Watched], *, second: bool = False
    ) -> Reading:
        """Tell what a document says once from what it shows whenever it is loaded.

        Whatever would prove an input is sought in what the site answers when it is asked for the document once more.

        Args:
            page: shows the document.
            reading: what it shows.
            watching: the writes whose inputs are looked for.
            second: whether the page was loaded before for the same look.
        """
        spots: dict[Spot, bool] = {}
        for watched in watching:
            if reading.document not in watched.asked:
                for spot in (each for one in watched.lacks() for each in holding(one, reading, watched.thing)):
                    if self._lasting.knows(reading.url, spot):
                        continue
                    spots[spot] = spots.get(spot, False) or (watched.documents <= 1 and not second)
        if not spots:
            return reading
        again = await self.load_again(page, list(spots))
        # Of what a script has drawn the HTML tells nothing: a document that comes later does.
        told = zip(spots.items(), again.places, strict=True)
        once = {spot for (spot, first), there in told if there is False or (first and not there)}
        self._lasting.take_in(reading.url, spots.keys() - once, once)
        return reading.with_said(once) if once else reading


async def _ask(page: Page, script: str, asked: Any) -> dict[str, Any] | None:
    """Ask a page; None where it has gone, or does not answer."""
    try:
        async with asyncio.timeout(_LOOK_S):
            told: dict[str, Any] | None = await page.evaluate(script, asked)
    except (PlaywrightError, TimeoutError):
        return None
    return told
