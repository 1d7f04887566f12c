"""A run of one actor of which nothing is kept, for rows about single tools. Not responsible for: measuring."""

from __future__ import annotations

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass

from benchmarks.stage import Stage
from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionOutcome, ActionStart
from simulator.browser.actor import Actor
from simulator.browser.effects.model import Write
from simulator.browser.launch.pool import ContextProfile
from simulator.canonical import sha256
from simulator.secrets import Vault
from simulator.tools.context import RunContext, VariableKind
from simulator.tools.exporting.actions import RecordedAction


class Nowhere:
    """An action recorder and a journal that keep nothing."""

    def begin(self, action: ActionStart) -> str:
        """Give an action's id."""
        return ""

    def answered(self, write: Write) -> None:
        """Forget it."""

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Forget it."""

    def put_blob(self, data: bytes, media_type: str) -> str:
        """Give the hash of what is not kept."""
        return sha256(data)

    def blob(self, sha256: str) -> bytes:
        """Have none."""
        raise KeyError(sha256)

    def actions(self) -> Sequence[RecordedAction]:
        """Have none."""
        return ()

    def set_variable(self, name: str, value: str, *, kind: VariableKind) -> None:
        """Forget it."""


@dataclass(frozen=True, slots=True)
class _Alone:
    """A session of one actor, who stays."""

    current: Actor

    async def open(self, name: str) -> Actor:
        """Give the only one."""
        return self.current

    def names(self) -> tuple[str, ...]:
        """Give the name of the only one."""
        return (self.current.name,)


@asynccontextmanager
async def unrecorded(on: Stage) -> AsyncIterator[RunContext]:
    """Open a run with a new browser context, on a page that is still empty."""
    vault, bindings = Vault(b"k" * 32, scope="unrecorded"), Bindings()
    async with on.resources.pool.context(ContextProfile()) as context:
        actor = Actor(
            "user",
            context,
            await context.new_page(),
            origin=on.site.origin,
            policy=on.resources.policy,
            recorder=Nowhere(),
            bindings=bindings,
            vault=vault,
        )
        yield RunContext(
            site=on.site,
            settings=on.settings,
            bindings=bindings,
            vault=vault,
            pictures=on.resources.pictures,
            session=_Alone(actor),
            journal=Nowhere(),
            workdir=on.folder,
        )
