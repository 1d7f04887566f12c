"""Where the browser reports each action: before it happens, and what came of it.

Not responsible for: storing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal, Protocol

from simulator.browser.acting.sightings import Sighting
from simulator.browser.effects.model import NOTHING_OBSERVED, Observed, Write
from simulator.browser.evidence import Choice, Target
from simulator.browser.views.refusals import Refusal

SETS: Final = "sets"
SENT: Final = "sent"
"""Option of an action on a member of a widget: the field of the form that it set, by its name, and its value."""
STOPPED: Final = "stopped"
"""Option of an action that the guard stopped: how much the page heard of it (:data:`Reached`). A replay does that."""
CLOSES: Final = "closes"
"""Option of an action: dialogs that may lie over its element, as they opened by themselves; they are closed first."""
Reached = Literal["hovered", "pressed", "acted"]
"""The pointer came there; it was pressed and not released; or more than that, so that nobody knows what it did."""

ActionKind = Literal[
    "goto", "click", "dblclick", "fill", "press", "type", "select", "check", "uncheck", "hover", "focus", "drag",
    "upload", "back", "forward", "reload", "scroll", "wait", "open_tab", "switch_tab", "close_tab",
]  # fmt: skip

Settled = Literal["navigated", "changed", "quiet", "unsettled"]

_CONSOLE = "console: "


@dataclass(frozen=True, slots=True)
class PageState:
    """A page as one look found it, after it had settled or before an action."""

    url: str
    """Path, query and fragment, relative to the site's base URL; absolute elsewhere. Minted values and variables
    are written as templates where they are known."""
    title: str = ""
    status: int = 0
    """HTTP status of the document; 0 where there is none."""
    requests: tuple[tuple[str, str, int], ...] = ()
    """What the action caused besides the document: (method, URL shape, status); status 0 means it failed."""
    alerts: tuple[str, ...] = ()
    """Texts by which the page refuses something, by the rules that the run was recorded under."""
    notes: tuple[str, ...] = ()
    """Texts of role status, a site's word that something worked; what native dialogs asked, after ``confirm: `` and
    the like; and what went wrong in scripts, after ``console: ``."""

    refusals: tuple[Refusal, ...] = field(default=(), compare=False)
    """All that it refuses, by the rules of today: with the field, and in which way. Not stored."""
    dialogs: tuple[str, ...] = field(default=(), compare=False)
    """The dialogs of the page itself that are open, by what they are called. Not stored."""

    @property
    def said(self) -> tuple[str, ...]:
        """The notes without what went wrong in scripts."""
        return tuple(note for note in self.notes if not note.startswith(_CONSOLE))

    @property
    def errors(self) -> tuple[str, ...]:
        """What no script of the document caught, and what scripts wrote to the console as errors."""
        return tuple(note.removeprefix(_CONSOLE) for note in self.notes if note.startswith(_CONSOLE))


@dataclass(frozen=True, slots=True)
class ActionStart:
    """One browser operation that is about to happen."""

    kind: ActionKind
    actor: str
    target: Target | None = None
    value: str | None = None
    """What is typed, chosen, pressed, visited or waited for, as a template; the number of a tab."""
    recorded_value: str | None = None
    """The value with its variables rendered; None for secrets."""
    aim: Literal["exact", "choice"] = "exact"
    choice: Choice | None = None
    before: PageState | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    sighted: tuple[Sighting, ...] = ()
    """Codes in the value that the site showed after an earlier action, and that are variables from now on."""


@dataclass(frozen=True, slots=True)
class ActionOutcome:
    """What came of an action."""

    status: Literal["done", "failed", "cancelled"]
    """``cancelled``: the event was stopped before the page saw it, because its element was not the proven one.
    ``failed`` where nothing came of it; with an error beside ``done`` the page took nothing of what was put into its
    field, and reacted in another way."""
    settled: Settled = "quiet"
    after: PageState | None = None
    error: str | None = None
    stopped: Reached | None = None
    """Of what was cancelled, how much the page heard of it; None where that is nothing."""
    dismissed: bool = False
    """It did nothing but make the part of the page go away that its button stood in: a banner, a tour."""
    put_away: bool = False
    """It did that, and sent something; the part had opened by itself."""
    generated: dict[str, str] = field(default_factory=dict)
    """Values that the site generated and that appeared first here: variable name to value."""
    reads: str | None = None
    """What the field held afterwards, where the page made something else of what was put in; of an option that was
    chosen by another word what it says."""
    sent: str | None = None
    """What the option of a list is sent as that was chosen by its words, where that is a word and nothing the site has
    generated."""
    sets: Sequence[str] | None = None
    """Which field of the form it set, by its name, and to what; None where it set none, or several."""
    proved: dict[str, str] = field(default_factory=dict)
    """Actions, this one or earlier ones, whose text has proved to be a secret, as it stands in a secret field now: by
    id, with what stands for it."""
    observed: Observed = NOTHING_OBSERVED
    """What was seen of its effects, and of those of earlier actions."""
    learnt: bool = False
    """Whether a secret field holds what was not known as a secret: it may stand in what was stored before."""


class ActionRecorder(Protocol):
    """Gets each action before it happens and again when it is over.

    ``begin`` returns only when the action is safely stored as pending: what happens after that may be lost to a
    kill, but never unknown.
    """

    def begin(self, action: ActionStart) -> str:
        """Store an action as pending.

        Returns:
            The action's id.
        """
        ...

    def answered(self, write: Write) -> None:
        """Store a write that the site has just answered: what follows may be lost, and this is known all the same."""
        ...

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Store what came of it."""
        ...
