"""Whether, how often, and after which pauses a page is looked at again for what may take its time to show.

Not responsible for: looking.
"""

from __future__ import annotations

from itertools import accumulate

from simulator.browser.actor import Actor
from simulator.errors import TemplateError
from simulator.recording.rows import EffectRow

_PAUSES_S = (0.2, 0.5, 1.0, 2.0)


def pauses(waits_s: float) -> tuple[float, ...]:
    """Give what is waited before each further look, in seconds; at all but the first the page is reloaded.

    What the looks themselves take is not counted: a busy machine looks as often as an idle one.

    Args:
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    waited = accumulate(_PAUSES_S)
    return tuple(pause for pause, by_then in zip(_PAUSES_S, waited, strict=True) if by_then <= waits_s)


def can_look(actor: Actor, effect: EffectRow) -> bool:
    """Return whether it is known by now where a visit of its own saw an effect; of any other one nothing has to be.

    A write that was cut off has no page that followed. Where it leads is learnt from the page that follows it now.

    Args:
        actor: who looks.
        effect: as it was recorded.
    """
    if not effect.looked:
        return True
    try:
        actor.urls.render(effect.url)
    except TemplateError:
        return actor.urls.capture(effect.url, actor.addresses.relative(actor.page.url)) is not None
    return True
