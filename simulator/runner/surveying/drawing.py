"""Reads a page once its script has drawn it. Not responsible for: where it is, or what it means."""

from __future__ import annotations

import asyncio
import time

from simulator.browser.actor import Actor
from simulator.browser.views.survey import Survey

FEW_LINKS = 4
"""A page with fewer leads on by buttons, as some single pages do."""
_DRAWN_S, _BETWEEN_S = 4.0, 0.4
"""How long a page is waited for that shows little, and how long between two looks at it. Seen on an application that
draws its list a second after its frame."""


async def drawn(actor: Actor, *, longest_s: float = _DRAWN_S) -> Survey:
    """Read a page that may still be drawn by a script: where it has little, until it does not change any more.

    Args:
        actor: whose page.
        longest_s: how long it is waited for; a page that has links or forms is not waited for.
    """
    survey = await actor.reader.survey()
    until = time.monotonic() + longest_s
    while len(survey.links) + len(survey.forms) < FEW_LINKS and time.monotonic() < until:
        await asyncio.sleep(_BETWEEN_S)
        now = await actor.reader.survey()
        there = _size(now)
        if there == _size(survey) and any(there[1:]) and time.monotonic() > until - longest_s + 3 * _BETWEEN_S:
            return now
        survey = now
    return survey


def _size(survey: Survey) -> tuple[str, int, int, int]:
    return survey.address, len(survey.links), len(survey.forms), len(survey.buttons)
