"""Asks the site once more for a document that proves something: what it says once, such as a message, is gone then.

The page asks, without its scripts' knowing, and nothing of the answer runs. Not responsible for: what follows from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass

from playwright.async_api import Error as PlaywrightError

from simulator.browser.effects.scene import Where
from simulator.browser.effects.spots import Spot
from simulator.browser.launch.script import ask

_PATIENCE_S = 4.0


@dataclass(frozen=True, slots=True)
class Again:
    """What a document holds when it is loaded again."""

    places: Sequence[bool | None]
    """Of each place that was asked for, whether it is there again; None where that is not known."""
    tokens: frozenset[str] = frozenset()
    """What identifies the things on it."""
    asks: bool = True
    """Whether its HTML does not say all: it asks for more, or could not be loaded again."""


async def load_again(page: Where, spots: Sequence[Spot] = (), *, things: bool = False) -> Again:
    """Load a document again, and report what of it is there.

    Args:
        page: the page or the frame that shows the document.
        spots: the places that are looked for.
        things: whether to report what identifies the things on it.
    """
    asked = [{"kind": one.kind, "text": one.text, "labels": list(one.labels), "on": one.on} for one in spots]
    try:
        async with asyncio.timeout(_PATIENCE_S):
            told = await ask(page, "readAgain", asked, things)
    except (PlaywrightError, TimeoutError):
        told = None  # the page has gone, or does not answer: what follows shows that
    return Again(told["places"], frozenset(told["tokens"]), told["asks"]) if told else Again([None] * len(spots))
