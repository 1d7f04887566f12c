"""Whether a repaired task dealt with whom and what the recorded one dealt with, where no page can be read for it.

To whom something went, what a button was about, under whose name an account was opened, which file was given: pure
functions over what was recorded and what was done instead. Not responsible for: what pages show.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.recording.rows import ActionRow
from simulator.template import placeholders
from simulator.tools.families.account import EMAIL, USERNAME

_OPENS_ANEW = frozenset({"goto", "back", "forward", "reload"})
_NAMES = frozenset({USERNAME, EMAIL})


def elsewhere(action: ActionRow, now: Sequence[ActionRow], shown: Shown) -> str:
    """Return what a press was about instead of what it was about when it was recorded; empty where that is the same.

    Args:
        action: what sent something when it was recorded.
        now: what sent it now, and the forms that led to it.
        shown: puts values into a template.
    """
    target = action.target
    if target is None:
        return ""
    forms = [shown(one.target.form) for one in now if one.target and one.target.form]
    if placeholders(target.form) and forms and shown(target.form) not in forms:
        return f"one that was sent to {', '.join(forms)}"
    values = [shown("{{" + name + "}}") for name in placeholders(target.name)]
    pressed = [shown(one.target.name) for one in now if one.target and one.kind in ("click", "dblclick", "press")]
    if values and not any(all(value in name for value in values) for name in pressed):
        return f"a press of {', '.join(pressed)}"
    return ""


def unnamed(recorded: Sequence[ActionRow], now: Sequence[ActionRow]) -> list[str]:
    """Give the user's own names that the recorded task gave together with a secret, and that were not given now."""
    secrets = [one for one in recorded if one.target is not None and one.target.secret]
    asked = {one.value for one in recorded if one.value in _NAMES} if secrets else set()
    given = {one.value for one in now} & _NAMES
    if len(asked) == 1 and given:
        return []  # one may log in by either
    return sorted(value for value in asked - given if value)


def too_few_files(
    put: Sequence[ActionRow], recorded: Sequence[ActionRow], begun: Sequence[ActionRow], now: Sequence[ActionRow]
) -> bool:
    """Return whether fewer files were given than when the task was recorded; a form that is opened again holds none.

    Args:
        put: what had been put into a form by the steps before.
        recorded: what was to follow.
        begun: what of its first step was performed.
        now: what was done instead.
    """
    anew = any(one.kind in _OPENS_ANEW for one in now)
    held = 0 if anew else _uploads(put) + _uploads(begun)
    return held + _uploads(now) < _uploads(put) + _uploads(recorded)


def _uploads(actions: Sequence[ActionRow]) -> int:
    return sum(one.kind == "upload" for one in actions)


Shown = Callable[[str], str]
