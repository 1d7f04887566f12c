"""Looks, beside the user's own windows, whether places show what a run wrote. Nothing of it is an action of the user.

Not responsible for: which places (``kept``, ``acts``), or what follows from what they show.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from contextlib import nullcontext

from simulator.browser.actor import Actor
from simulator.replay.left.acts import ActPlace
from simulator.replay.left.kept import Finding, KeptPlace
from simulator.replay.left.looks import pauses

_NO_ANSWER = Finding("not seen", "the page does not answer")


async def see_beside(actor: Actor, place: KeptPlace | ActPlace, waits_s: float) -> Finding:
    """Return what a place shows, given time.

    Args:
        actor: who looks.
        place: the place.
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    url, finding = actor.addresses.absolute(place.url), _NO_ANSWER
    for pause in (0.0, *pauses(waits_s)):
        await asyncio.sleep(pause)
        with actor.effects.patiently() if pause else nullcontext():
            if isinstance(place, KeptPlace):
                reading = await actor.effects.read_beside(url, [place.input])
                finding = place.judge(reading) if reading else _NO_ANSWER
            else:
                things = await actor.effects.things_beside(url, place.asked)
                finding = place.judge(things) if things else _NO_ANSWER
        if finding.became == "shown":
            break
    return finding


def addresses(places: Sequence[KeptPlace | ActPlace], actor: Actor) -> list[str]:
    """Give the addresses of places, absolute, each once."""
    return list(dict.fromkeys(actor.addresses.absolute(one.url) for one in places))
