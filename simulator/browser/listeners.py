"""Listeners of events that come often. Not responsible for: what they hear."""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any, TypeVar

Event = TypeVar("Event")

_ONE = inspect.Signature([inspect.Parameter("event", inspect.Parameter.POSITIONAL_OR_KEYWORD)])


def of_one(hear: Callable[[Event], Any]) -> Callable[[Event], Any]:
    """Give a listener that says at once that it takes one thing, the event.

    Playwright looks into each listener at each event for what it takes. A page has some hundred requests and answers,
    and to look into what is written with types takes longer than most listeners do.

    Args:
        hear: gets the event.
    """

    def heard(event: Event) -> Any:
        return hear(event)

    heard.__signature__ = _ONE  # type: ignore[attr-defined]
    return heard
