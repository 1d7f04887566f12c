"""What a tool works with: the run's site, browser, values and journal. Not responsible for: any tool."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from simulator.bindings import Bindings
from simulator.domain import Pictures
from simulator.tools.registry import Registry

if TYPE_CHECKING:
    from simulator.browser.actor import Actor
    from simulator.config import Settings, Site
    from simulator.tools.compat.computer.mouse import Mouse
    from simulator.tools.exporting.actions import RecordedAction
    from simulator.tools.mail.mailbox import Inbox
    from simulator.tools.mail.reading import Taken
    from simulator.tools.workspace.folder import Workspace

VariableKind = Literal["file", "site", "identity", "secret"]


class Journal(Protocol):
    """Where a run keeps what it learned."""

    def put_blob(self, data: bytes, media_type: str) -> str:
        """Store bytes once, by their hash.

        Returns:
            Their SHA-256.
        """
        ...

    def blob(self, sha256: str) -> bytes:
        """Give stored bytes by their hash."""
        ...

    def actions(self) -> Sequence[RecordedAction]:
        """Give what was done on the site so far, in order."""
        ...

    def set_variable(self, name: str, value: str, *, kind: VariableKind) -> None:
        """Note a variable's value, for this run's recording; a secret's is not kept."""
        ...


class ActorSession(Protocol):
    """The actors of a run."""

    @property
    def current(self) -> Actor:
        """The actor whose browser the tools use."""
        ...

    async def open(self, name: str) -> Actor:
        """Make an actor the current one, with a session of its own that is begun where it is new."""
        ...

    def names(self) -> tuple[str, ...]:
        """Give the names of the actors that have been opened."""
        ...


class SecretMask(Protocol):
    """Takes secrets out of texts, and knows what they are called."""

    def names(self) -> tuple[str, ...]:
        """Give the names of the user's secrets, without ``secret.``."""
        ...

    def hold(self, name: str, value: str) -> None:
        """Take in a secret that the site has sent to its user."""
        ...

    def mask(self, text: str) -> str:
        """Put placeholders in place of known secrets."""
        ...


@dataclass(slots=True, kw_only=True)
class RunContext:
    """One run, as its tools see it."""

    site: Site
    settings: Settings
    bindings: Bindings
    vault: SecretMask
    pictures: Pictures
    """Where pictures come from that users give to the site."""
    session: ActorSession
    journal: Journal
    workdir: Path
    """The run's own temporary folder."""
    seed: str = ""
    """What free choices of this user are drawn from."""
    skips: Callable[[str], bool] = lambda name: False
    """Says whether this user leaves the optional field of a name empty."""
    answers: Mapping[str, str] = field(default_factory=dict)
    """What the persona says to put into a field, by the field's label or name."""
    ask: Callable[[str], Awaitable[str]] | None = None
    """Puts a question to the person at the terminal; None where nobody attends."""
    workspace: Workspace | None = None
    """What the agent may work in beside the site; None: nothing."""
    registry: Registry = field(default_factory=Registry)
    """The tools of the run; one that is registered here can be called by the next call."""
    inbox: Inbox | None = None
    """The mail of the run's users; None: no mailbox is set up."""
    mail: Taken | None = None
    """The mail that was read last."""
    task: str = ""
    """What the agent is at, in words; the agent's loop sets it."""
    logged_in_as: dict[str, str] = field(default_factory=dict)
    """Actor to the login name, as a template, that it last logged in with."""
    registered: dict[str, dict[str, str]] = field(default_factory=dict)
    """Actor to what it registered with, as templates by meaning."""
    mice: dict[str, Mouse] = field(default_factory=dict)
    """Actor to where its mouse is, for models that point at pictures."""

    @property
    def actor(self) -> Actor:
        """The actor whose browser the tools use."""
        return self.session.current

    def set_variable(self, name: str, value: str, *, kind: VariableKind) -> None:
        """Bind a variable for the rest of the run, and note it."""
        self.bindings.set(name, value)
        self.journal.set_variable(name, value, kind=kind)

    def offer_file(self, kind: str, address: str) -> str:
        """Bind the next ``file.KIND_N`` to a file that was found.

        Args:
            kind: what it is, in small letters, such as ``picture``.
            address: where it is.

        Returns:
            The variable's name.
        """
        names = (f"file.{kind}_{number}" for number in count(1))
        name = next(each for each in names if self.bindings.get(each) is None)
        self.set_variable(name, address, kind="file")
        return name
