"""What commands were called before: each says what the new one is. Not responsible for: any command."""

from __future__ import annotations

import shlex
from collections.abc import Sequence

from simulator.errors import UsageError

_REPLAY = {"--from": "continue", "--plan": "plan", "--offline": "offline", "--update": "accept"}
"""Options of ``sim replay`` that are commands now."""


def refuse_old_spelling(words: Sequence[str]) -> None:
    """See that a command is not called as it once was.

    Args:
        words: those after ``sim``.

    Raises:
        UsageError: it is; says what to give instead.
    """
    match words:
        case ["runs", "learn", *rest]:
            raise UsageError(_now("runs learn", "prove", rest or ["RUN"]))
        case ["runs", "show", *rest] if "--plan" in rest:
            raise UsageError(_now("runs show --plan", "plan", [word for word in rest if word != "--plan"]))
        case ["covers", *rest]:
            raise UsageError(_now("covers", "packs pictures", rest or ["QUERY"]))
        case ["replay", *rest]:
            given = {word.partition("=")[0] for word in rest}
            for option, command in _REPLAY.items():
                if option in given:
                    # The step stays: 'sim continue' takes it by the same option.
                    kept = rest if option == "--from" else [word for word in rest if word != option]
                    raise UsageError(_now(f"replay {option}", command, kept))


def _now(old: str, new: str, rest: Sequence[str]) -> str:
    return f"'sim {old}' is 'sim {new}' now: give '{shlex.join(['sim', *new.split(), *rest])}'"
