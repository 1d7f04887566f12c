"""What of a run's recorded actions a test is made of. Not responsible for: recording or reading them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Protocol

from simulator.browser.action_recorder import ActionKind, PageState, Settled
from simulator.browser.evidence import Target


class RecordedAction(Protocol):
    """One action of a run, as it was recorded."""

    @property
    def actor(self) -> str:
        """Name of the actor."""

    @property
    def kind(self) -> ActionKind:
        """What was done."""

    @property
    def target(self) -> Target | None:
        """The evidence of the element, a template."""

    @property
    def value(self) -> str | None:
        """What was typed, chosen, pressed or visited, a template."""

    @property
    def recorded_value(self) -> str | None:
        """The same without variables; None for secrets."""

    @property
    def options(self) -> Mapping[str, Any]:
        """How it was done."""

    @property
    def status(self) -> str:
        """What came of it; ``done`` is success."""

    @property
    def settled(self) -> Settled | None:
        """How the page came to rest."""

    @property
    def before(self) -> PageState | None:
        """The page before it, with templates."""

    @property
    def after(self) -> PageState | None:
        """The page after it, with templates."""


@dataclass(frozen=True, slots=True)
class Shown:
    """What the site kept of what a user did, as it was read back when it was recorded."""

    actor: str
    url: str
    """A template: where it is to be read."""
    texts: tuple[str, ...] = ()
    """What is to be read there."""
    numbers: tuple[str, ...] = ()
    """Numbers that are to be read there, as they were put in; a page may write them otherwise."""
    absent: tuple[str, ...] = ()
    """Buttons that are not offered there again."""
    here: bool = False
    """The user is on that page."""
    gone: bool = False
    """Nothing is there any more."""
