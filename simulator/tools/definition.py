"""Whether a tool's description of itself can be used: its name, its levels, what it needs. Not responsible for: a call.

A tool that is described wrongly is refused where it is defined or registered. Later, its safety level would be compared
with a ceiling, its name sent to a model's API, and the run would break there.
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection, Iterable

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
"""What the APIs of models take for the name of a tool
(https://platform.openai.com/docs/api-reference/chat/create, which takes the fewest)."""


class ToolDefinitionError(TypeError):
    """A tool that is described wrongly: which tool, what of it, and what is allowed."""


def check_name(name: object, *, of: str = "") -> None:
    """See that a tool can be called by a name.

    Args:
        name: of the tool, or an alias.
        of: the tool whose alias it is.

    Raises:
        ToolDefinitionError: it cannot.
    """
    if not isinstance(name, str) or not NAME.fullmatch(name):
        whose = f"tool {of!r}: the alias {name!r}" if of else f"tool {name!r}: the name"
        raise ToolDefinitionError(
            f"{whose} is none that a model can call; expected 1 to 64 of the letters a-z and A-Z, digits, '_' and '-'"
        )


def check_choice(tool: str, what: str, value: object, allowed: Collection[str]) -> None:
    """See that a value is one of those that are allowed.

    Args:
        tool: its name.
        what: the value is.
        value: as the tool gives it.
        allowed: the values that there are.

    Raises:
        ToolDefinitionError: it is none of them.
    """
    if not isinstance(value, str) or value not in allowed:
        raise ToolDefinitionError(f"tool {tool!r}: there is no {what} {value!r}; there are: {', '.join(allowed)}")


def check_choices(tool: str, what: str, values: Iterable[object], allowed: Collection[str]) -> None:
    """See that values are all of those that are allowed.

    Raises:
        ToolDefinitionError: one is none of them.
    """
    for value in values:
        check_choice(tool, what, value, allowed)


def check_seconds(tool: str, seconds: object) -> None:
    """See that a time-out is one.

    Raises:
        ToolDefinitionError: it is not one.
    """
    if isinstance(seconds, bool) or not isinstance(seconds, int | float) or not 0 < seconds < math.inf:
        raise ToolDefinitionError(f"tool {tool!r}: its time-out is {seconds!r}; expected a number of seconds above 0")


def check_parameters(tool: str, names: Iterable[object]) -> None:
    """See that parameters can be passed by their names.

    Raises:
        ToolDefinitionError: they cannot, or two have one name.
    """
    seen: set[object] = set()
    for name in names:
        if not isinstance(name, str) or not name.isidentifier() or name.startswith("_"):
            raise ToolDefinitionError(
                f"tool {tool!r}: no parameter can be called {name!r}; expected a name of Python, without '_' before it"
            )
        if name in seen:
            raise ToolDefinitionError(f"tool {tool!r}: two parameters are called {name!r}")
        seen.add(name)
