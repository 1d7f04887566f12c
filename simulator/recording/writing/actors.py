"""Records the actors of a run: who acts, each in a browser context of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from simulator.recording.generations import name_in
from simulator.recording.stamps import new_id
from simulator.recording.writer import Writer


class ActorWriter:
    """Records the actors of one run.

    Args:
        writer: the open recording.
        run_id: the run, already stored.
        first: how many actors it has already.
        generation: of the run; actors of another one are others to a replay.
    """

    def __init__(self, writer: Writer, run_id: str, first: int, generation: int) -> None:
        self.ids: dict[str, str] = {}
        """By the names by which actions call them."""
        self._writer = writer
        self._run_id = run_id
        self._first = first
        self._generation = generation

    def add(
        self, name: str, *, identity: Mapping[str, Any] | None = None, context: Mapping[str, Any] | None = None
    ) -> None:
        """Store an actor: an identity with its own browser context.

        Args:
            name: how actions call it.
            identity: its values where it is not the run's own identity; a password among them is left out.
            context: viewport, locale, time zone and user agent.
        """
        with self._writer.transaction():
            self._insert(name, identity, context)

    def of(self, name: str) -> str:
        """Give the id of an actor, within a transaction; one that is not stored yet is."""
        return self.ids.get(name) or self._insert(name, None, None)

    def _insert(self, name: str, identity: Mapping[str, Any] | None, context: Mapping[str, Any] | None) -> str:
        actor_id = new_id()
        writer = self._writer
        writer.insert(
            "actor",
            id=actor_id,
            run_id=self._run_id,
            ordinal=self._first + len(self.ids),
            name=name_in(name, self._generation),
            identity=writer.identity(identity),
            context=writer.json(dict(context)) if context else None,
        )
        self.ids[name] = actor_id
        return actor_id
