"""Commands that take their options in groups, each a named tuple. Not responsible for: what any option means.

A named tuple is made in a quarter of the time of a frozen dataclass, and every command waits for the groups of all.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, wraps
from inspect import Parameter, Signature, signature
from typing import Any, get_type_hints


def grouped(command: Callable[..., None]) -> Callable[..., None]:
    """Show typer each field of a group as an option of its own, and give the command the groups.

    A parameter whose type is a named tuple is a group. Its fields are annotated as parameters of a command are.

    Args:
        command: what the options are for.
    """
    hints = get_type_hints(command, include_extras=True)
    groups = {name: kind for name, kind in hints.items() if hasattr(kind, "_field_defaults")}
    shown: list[Parameter] = []
    for name, parameter in signature(command).parameters.items():
        alone = parameter.replace(annotation=hints[name], kind=Parameter.KEYWORD_ONLY)
        shown += _options(groups[name]) if name in groups else [alone]

    @wraps(command)
    def flat(**given: object) -> None:
        made = {name: kind(**{one: given.pop(one) for one in kind._fields}) for name, kind in groups.items()}
        command(**given, **made)

    flat.__signature__ = Signature(shown)  # type: ignore[attr-defined]
    flat.__annotations__ = {one.name: one.annotation for one in shown}
    return flat


@cache
def _options(group: Any) -> tuple[Parameter, ...]:
    return tuple(
        Parameter(
            name,
            Parameter.KEYWORD_ONLY,
            default=group._field_defaults.get(name, Parameter.empty),
            annotation=annotation,
        )
        for name, annotation in get_type_hints(group, include_extras=True).items()
    )
