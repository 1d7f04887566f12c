"""What any of a collection would have done for, and the one that was chosen of it, as later evidence speaks of it."""

from __future__ import annotations

from itertools import count

from simulator.bindings import Bindings
from simulator.browser.evidence import Target
from simulator.template import CHOICE


def bind_choice(bindings: Bindings, name: str) -> dict[str, str]:
    """Bind the name of what was chosen, so that later evidence that speaks of it is understood.

    Returns:
        The variable and its value.
    """
    # By what is bound already, not by what this actor chose: the actors of a run share its variables.
    variable = next(each for each in map(f"{CHOICE}{{}}".format, count(1)) if bindings.get(each) is None)
    learned = {variable: bindings.render(name)}
    bindings.set(variable, learned[variable])
    return learned


def as_member(bindings: Bindings, target: Target, member: str) -> Target:
    """Write evidence with the template that made this one of a group the right one, where it is called just that."""
    value = bindings.render(member).casefold()
    changed = {key: member for key in ("name", "label", "text") if getattr(target, key).casefold() == value}
    return target.model_copy(update=changed)
