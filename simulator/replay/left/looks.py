"""How often, and after which pauses, a page is looked at again for what may take its time to show.

Not responsible for: looking.
"""

from __future__ import annotations

from itertools import accumulate

_PAUSES_S = (0.2, 0.5, 1.0, 2.0)


def pauses(waits_s: float) -> tuple[float, ...]:
    """Give what is waited before each further look, in seconds; at all but the first the page is reloaded.

    What the looks themselves take is not counted: a busy machine looks as often as an idle one.

    Args:
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    waited = accumulate(_PAUSES_S)
    return tuple(pause for pause, by_then in zip(_PAUSES_S, waited, strict=True) if by_then <= waits_s)
