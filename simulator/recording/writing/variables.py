"""Records the variables of a run, and where the site showed a code that one stands for."""

from __future__ import annotations

import json

from simulator.browser.acting.sightings import SHOWS, Sighting
from simulator.recording.rows import VariableKind
from simulator.recording.writer import Writer
from simulator.recording.writing import statements
from simulator.template import SECRET


class VariableWriter:
    """Records the variables of one run.

    Args:
        writer: the open recording.
        run_id: the run, already stored.
    """

    def __init__(self, writer: Writer, run_id: str) -> None:
        self.learnt = False
        """Whether a secret has come up that may stand in what was stored before."""
        self._writer = writer
        self._run_id = run_id

    def set(
        self,
        name: str,
        value: str | None,
        *,
        kind: VariableKind,
        step_id: str | None = None,
        action_id: str | None = None,
    ) -> None:
        """Store a variable; a later value replaces an earlier one.

        A new secret may stand openly in what was stored before: that is masked when the step ends.

        Args:
            name: as templates write it.
            value: its recorded value; for a secret nothing is stored, whatever is given.
            kind: where it comes from.
            step_id: the step that generated it.
            action_id: the action after which it appeared.
        """
        with self._writer.transaction():
            self.insert(name, value, kind, step_id, action_id)
        self.learnt |= kind == "secret"

    def insert(
        self, name: str, value: str | None, kind: VariableKind, step_id: str | None, action_id: str | None
    ) -> None:
        """Store a variable within a transaction."""
        if kind == "secret" or name.startswith(SECRET):
            kind, value = "secret", None
        text = self._writer.text(value)
        self._writer.execute(statements.SET_VARIABLE, (self._run_id, name, kind, text, step_id, action_id))

    def insert_sighting(self, one: Sighting) -> None:
        """Store a code that the site showed after an earlier action, and with that step where it stood."""
        writer = self._writer
        step_id, ordinal, flags = writer.execute(
            "SELECT step.id, action.ordinal, step.flags FROM action JOIN step ON step.id = step_id WHERE action.id = ?",
            (one.action_id,),
        ).fetchone()
        self.insert(one.name, one.value, "site", step_id, one.action_id)
        marks = json.loads(flags or "{}")
        made = {"made": True} if one.made else {}
        marks.setdefault(SHOWS, {})[one.name] = {"action": ordinal, "words": one.words, **made}
        writer.execute("UPDATE step SET flags = ? WHERE id = ?", (writer.json(marks), step_id))
