"""Who had begun when a batch of fresh users was cut off: who is done, who goes on, and who never began.

Not responsible for: going on (``coming_back``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from simulator.errors import KeyMissing
from simulator.persona import Identity
from simulator.recording.reader import Recording
from simulator.recording.rows import RunRow
from simulator.replay.bind import Part, read_row, shared_variables
from simulator.replay.learning.pairing import Unlike, pair_actions, pair_steps
from simulator.replay.plan import Plan
from simulator.runner.replays.cut_off import CutOff
from simulator.secrets import MachineKey


@dataclass(frozen=True, slots=True)
class Begun:
    """The users of a batch that goes on, as they are recorded.

    Attributes:
        db: the recording.
        batch: its id.
        numbers: of all users who were to be made, in order.
        runs: of those who had begun, by the user's number.
        assumed: what a person says of steps of the one run that is named, by their place from 1.
        only: the one user who goes on, by number; None: all.
        given: of those who were given to a cluster, and came back from there no more: nobody knows what they did.
        identities: of users who are drawn elsewhere, by number.
        shared: what is known of the users whom all share, where they are performed elsewhere.
        keep: keeps the recording elsewhere before anything may change the site; None: nobody does.
    """

    db: Path
    batch: str
    numbers: tuple[int, ...]
    runs: Mapping[int, RunRow]
    assumed: Mapping[int, bool] = field(default_factory=dict)
    only: int | None = None
    given: frozenset[int] = frozenset()
    identities: Mapping[int, Identity] = field(default_factory=dict)
    shared: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    keep: Callable[[], None] | None = None

    def identity(self, number: int) -> Identity | None:
        """Give a user who is known, whatever has become of the data since; None: one that is drawn."""
        if (run := self.runs.get(number)) is not None:
            return read_row(Identity, run.identity, run)
        return self.identities.get(number)

    def is_over(self, number: int) -> bool:
        """Return whether a user is not gone on with: it came to its own end, or others are meant."""
        if self.only is not None and number != self.only:
            return True
        if number not in self.runs:
            return number in self.given
        return not goes_on(self.runs[number])

    def passed(self) -> int:
        """Give how many had done all that was recorded."""
        return sum(run.status == "passed" for run in self.runs.values())

    def failed(self) -> int:
        """Give how many had come to an end that was none of the plan's."""
        return sum(run.status == "failed" and not goes_on(run) for run in self.runs.values())

    def require_key(self, key: MachineKey) -> None:
        """See that the users who were cut off can log in: their passwords are drawn from the machine's key.

        Raises:
            KeyMissing: they were made with another one.
        """
        for number, run in self.runs.items():
            if not self.is_over(number) and run.key_fingerprint not in (None, key.fingerprint):
                raise KeyMissing(
                    f"the secrets of run {run.id} come from another key ({run.key_fingerprint}) than the one of this "
                    f"machine ({key.fingerprint}); set SIM_KEY to the key that it was made with"
                )

    def cut_off(self, part: Part) -> CutOff | None:
        """Read what the user of a part had done; None where it never began.

        Raises:
            Unlike: it did not perform its plan.
        """
        if part.number not in self.runs:
            return None
        with Recording.open(self.db) as recording:
            return CutOff.read(recording, self.runs[part.number], part.plan)

    def reached(self, number: int, plan: Plan) -> int:
        """Give up to where a user who is over has performed its plan, as others wait for it; -1: not at all."""
        with Recording.open(self.db) as recording:
            done = [at for at, step in pair_steps(plan, recording.steps(self.runs[number].id)) if step.success]
        return plan.steps[max(done)].place if done else -1

    def known(self, number: int) -> dict[str, str]:
        """Give what others of its cast know of a user who is over."""
        run = self.runs[number]
        with Recording.open(self.db) as recording:
            learnt = {one.name: one.value for one in recording.variables(run.id) if one.value is not None}
        identity = read_row(Identity, run.identity, run)
        return shared_variables(run.known_as, identity.variables() | learnt, identity.naming)

    def pairing(self, number: int, plan: Plan) -> dict[str, str]:
        """Give the id of what each recorded action has become, by its id; empty where that is not known."""
        run = self.runs[number]
        with Recording.open(self.db) as recording:
            rows = recording.actions(run.id)
            try:
                steps = pair_steps(plan, recording.steps(run.id))
                by_step = {step.id: [row for row in rows if row.step_id == step.id] for _, step in steps}
                return {one.recorded.id: one.row.id for one in pair_actions(plan, steps, by_step)}
            except Unlike:
                return {}


def goes_on(run: RunRow) -> bool:
    """Return whether a run of a replay did not come to its own end: it was cut off, or lost its browser or its site."""
    return run.status == "interrupted" or (run.status == "failed" and run.verdict == "environment")
