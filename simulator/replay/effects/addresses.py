"""At which address of today that is which a recording saw at one of then.

Not responsible for: looking there.
"""

from __future__ import annotations

from simulator.browser.actor import Actor
from simulator.browser.effects.act import Act
from simulator.browser.effects.met import bare
from simulator.recording.rows import ActionRow, EffectRow


def address_of(actor: Actor, effect: EffectRow, pressed: ActionRow | None, act: Act | None) -> str:
    """Give the absolute address at which a replay looks for an effect.

    A site may say in an address what it has done: that is another one each time. Where a thing was looked for on the
    page that it was pressed on, that is the page that it is pressed on now.

    Args:
        actor: who looks.
        effect: as it was recorded.
        pressed: the recorded action that it is of; None where it is not known.
        act: what has become of that; None for what was put in.
    """
    where = pressed.before.url if effect.kind != "echo" and pressed and pressed.before else ""
    if act and act.pressed and where and bare(where) == bare(effect.url):
        return act.pressed.url
    return actor.addresses.absolute(effect.url)
