"""Whether what is acted on is of a thing that its user has made, and how that is known again.

Not responsible for: what the user has made (``browser.effects.sent.answered_ids``), or finding it again
(``simulator.replay``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.bindings import Bindings
from simulator.browser.effects.sent.answered_ids import MADE_BY, MadeThings
from simulator.browser.evidence import Target


def made_by(
    target: Target, pressed: Mapping[str, Any] | None, things: MadeThings, bindings: Bindings
) -> dict[str, Any]:
    """Give how the thing was made that is acted on, as an option of the action; nothing where the user has not made it.

    Args:
        target: the evidence of the element.
        pressed: what the page reports of the thing around it; None where it cannot be pressed.
        things: what the user has made.
        bindings: the run's variables.
    """
    levels = pressed["levels"] if pressed else []
    tokens = {*(pressed["own"] if pressed else ()), *(token for level in levels for token in level["tokens"])}
    texts = (*target.said, *target.beside, *(text for level in levels for text in level["texts"]))
    made = things.known_as(sorted(tokens), [*map(bindings.shown, texts)])
    named = [{**one, "was": bindings.recognise(one["was"])} if "was" in one else one for one in made]
    return {MADE_BY: named} if named else {}
