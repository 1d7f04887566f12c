"""Whether a repaired task dealt with whom and what the recorded one dealt with, where no page can be read for it.

Who got a message, for which of two a vote was, under whose name an account was opened, which file was given: pure
functions over what was recorded and what was done instead. Not responsible for: what can be read back.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from simulator.recording.rows import ActionRow, CreatedRow
from simulator.runner.repair_effect import taken_write
from simulator.template import placeholders
from simulator.tools.account import EMAIL, USERNAME
from simulator.tools.created import DEED, MESSAGE

_OPENS_ANEW = frozenset({"goto", "back", "forward", "reload"})
_NAMES = frozenset({USERNAME, EMAIL})


def elsewhere(made: CreatedRow, recorded: Sequence[ActionRow], now: Sequence[ActionRow], shown: Shown) -> str:
    """Tell where something went instead of where it went when it was recorded; empty where it went there.

    Args:
        made: what the recorded task made.
        recorded: what it did.
        now: what was done instead, with what its first step did before it came to an end.
        shown: puts values into a template.
    """
    if made.kind == MESSAGE:
        to = {_receiver(one, shown) for one in recorded if one.step_id == made.step_id and taken_write(one)}
        sent = [_receiver(one, shown) for one in now if taken_write(one)]
        return "" if not to or to & set(sent) else f"it was sent to {', '.join(sent)}"
    if made.kind == DEED:
        button = made.fields.get("button", "")
        values = [shown("{{" + name + "}}") for name in placeholders(button)]
        pressed = [shown(one.target.name) for one in now if one.target and one.kind in ("click", "dblclick", "press")]
        meant = any(name == shown(button) or (values and all(value in name for value in values)) for name in pressed)
        return "" if meant else f"pressed were {', '.join(pressed)}"
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
    """Tell whether fewer files were given than when the task was recorded; a form that is opened anew holds none.

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


def _receiver(action: ActionRow, shown: Shown) -> str:
    return shown(action.target.form) if action.target else ""


Shown = Callable[[str], str]
