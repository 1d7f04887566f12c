"""Records one run: its steps and actions, and with them its actors, variables, exchanges and calls of models.

Not responsible for: deciding what is a secret field or a variable. By contract a secret's value is never written.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.effects.model import Effect, Observed, Write
from simulator.browser.operations import options_json
from simulator.canonical import canonical_json
from simulator.errors import SimulatorError, ToolError
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, RunStatus, StepReplay
from simulator.recording.stamps import new_id, wall_time
from simulator.recording.upkeep.masking_again import mask_again
from simulator.recording.writer import Writer
from simulator.recording.writing import statements
from simulator.recording.writing.actors import ActorWriter
from simulator.recording.writing.effects import store_observed
from simulator.recording.writing.exchanges import ExchangeRecorder
from simulator.recording.writing.model_calls import ModelCallRecorder
from simulator.recording.writing.variables import VariableWriter
from simulator.recording.writing.withholding import kept_values
from simulator.template import SECRET
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.recording_dispatcher import TOLD


class RunRecorder:
    """Records one run. It is the browser's ``ActionRecorder``: actions belong to the step in progress.

    Args:
        writer: the open recording.
        run_id: the run, already stored.
        batch_id: its batch.
        steps: how many it has already.
        actors: how many it has already.
        generation: 1, and one more each time the run is resumed: its actors act in new browser contexts, and are others
            to a replay.
    """

    def __init__(
        self,
        writer: Writer,
        *,
        run_id: str,
        batch_id: str,
        steps: int = 0,
        actors: int = 0,
        generation: int = 1,
    ) -> None:
        self.id = run_id
        self.batch_id = batch_id
        self.current_step: str | None = None
        """The step in progress, to which actions belong."""
        self.model_calls = ModelCallRecorder(writer, run_id)
        """What the run asks of models."""
        self._writer = writer
        self.actors = ActorWriter(writer, run_id, actors, generation)
        self.variables = VariableWriter(writer, run_id)
        self.exchanges = ExchangeRecorder(writer, run_id, self.actors.ids)
        """What its browsers ask of sites; stored with the actions that cause it."""
        self._steps = steps
        self._actions = 0
        self._pending: set[str] = set()
        self._inputs: dict[str, str] = {}
        """The inputs of steps as they stood before they proved to hold no secret, by step."""
        self._call_id: str | None = None
        """Of the call that the step in progress is."""

    def begin_step(
        self, *, call: ToolCall | None, replay: StepReplay, task: str | None = None, withheld: bool = False
    ) -> str:
        """Store a step as pending. When this returns, the step survives the death of the process.

        Args:
            call: the tool call, its input as templates; None for what a human does by hand.
            replay: what a replay does with it.
            task: the persona's task it serves.
            withheld: whether a typed text was left out of the input, because it may prove to be a secret.

        Returns:
            The step's id, also in :attr:`current_step` until it ends.

        Raises:
            RuntimeError: another step of the run is still in progress.
        """
        if self.current_step is not None:
            raise RuntimeError(f"the step {self.current_step} of the run {self.id} is still in progress")
        step_id = new_id()
        writer = self._writer
        self._call_id = call.id if call else None
        name, call_id, given = (call.name, call.id, call.input) if call else (None, None, {})
        name, call_id, told, text = writer.texts(name, call_id, task, canonical_json(given))
        with writer.transaction() as change:
            writer.execute(
                statements.BEGIN_STEP,
                (
                    step_id, self.id, self._steps, writer.next_batch_ordinal(self.batch_id), name, call_id,
                    replay, told, text, withheld, wall_time(), time.monotonic_ns(), change,
                ),
            )  # fmt: skip
            self.model_calls.lead(step_id, call_id)
        if withheld:
            self._inputs[step_id] = text or "{}"
        self._steps += 1
        self._actions = 0
        self.current_step = step_id
        return step_id

    def mark(self) -> str:
        """Say which run and step what happens now belongs to, for the site's own logs."""
        return f"run={self.id}" + (f"; step={self.current_step}" if self.current_step else "")

    def add_summary(self, summary: Mapping[str, Any]) -> None:
        """Add entries to the summary of the run, also when it has ended."""
        self._writer.add_summary(self.id, summary)

    def amend_step_input(self, step_id: str, input: Mapping[str, Any]) -> None:
        """Store the whole input of a step whose withheld text proved to be no secret.

        Args:
            step_id: the step.
            input: the call's input as templates.
        """
        text = self._writer.json(dict(input))
        with self._writer.transaction() as change:
            self._writer.execute(
                "UPDATE step SET input = ?, withheld = 0, change = ? WHERE id = ?", (text, change, step_id)
            )

    def end_step(self, step_id: str, result: ToolResult) -> None:
        """Store what a step came to. Its images become blobs; an action still pending is interrupted."""
        writer = self._writer
        images = [
            {"sha256": self.put_blob(image.data, image.media_type), "media_type": image.media_type}
            for image in result.images
        ]
        error = result.error
        kept = {name: value for name, value in result.metadata.items() if name != TOLD}
        if isinstance(told := result.metadata.get(TOLD), dict):
            self.model_calls.withhold(self._call_id, told)
        data, message, metadata = writer.texts(
            None if result.data is None else canonical_json(result.data),
            error.message if error else None,
            canonical_json(kept) if kept else None,
        )
        exchanges = self.exchanges.rows()
        with writer.transaction() as change:
            self.exchanges.store(exchanges)
            writer.execute(
                statements.END_STEP,
                (
                    result.success,
                    data,
                    error.type if error else None,
                    message,
                    canonical_json(images) if images else None,
                    metadata,
                    "done" if result.success else "failed",
                    wall_time(),
                    time.monotonic_ns(),
                    change,
                    step_id,
                ),
            )
            if self._pending:
                writer.execute(statements.INTERRUPT_ACTIONS, (change, step_id))
        self._pending.clear()
        if self.variables.learnt:
            mask_again(writer, self.id)
            self.model_calls.forget_request()
            self.variables.learnt = False
        if self.current_step == step_id:
            self.current_step = None

    def begin(self, action: ActionStart) -> str:
        """Store an action of the step in progress as pending.

        Raises:
            RuntimeError: no step is in progress.
            ToolError: ``invalid_input``: an option does not belong to an action of this kind, so nothing is done.
        """
        step_id = self.current_step
        if step_id is None:
            raise RuntimeError(f"the run {self.id} has no step in progress that '{action.kind}' could belong to")
        writer = self._writer
        action_id = new_id()
        try:
            given = options_json(action.kind, action.options)
        except ValidationError as error:
            wrong = error.errors(include_url=False)[0]
            place = ".".join(map(str, wrong["loc"]))
            raise ToolError("invalid_input", f"{action.kind}: {place}: {wrong['msg']}") from None
        target, choice, value, recorded, options = writer.texts(
            action.target.model_dump_json(exclude_defaults=True) if action.target else None,
            action.choice.model_dump_json(exclude_defaults=True) if action.choice else None,
            *kept_values(action),
            canonical_json(given),
        )
        if value is not None and "{{" + SECRET in value:
            recorded = None
        with writer.transaction() as change:
            actor_id = self.actors.of(action.actor)
            before = writer.put_page(action.before) if action.before else None
            writer.execute(
                statements.BEGIN_ACTION,
                (
                    action_id, step_id, self._actions, actor_id, action.kind, target, value, recorded,
                    action.aim, choice, options, before, wall_time(), time.monotonic_ns(), change,
                ),
            )  # fmt: skip
            for one in action.sighted:
                self.variables.insert_sighting(one)
        self._actions += 1
        self._pending.add(action_id)
        return action_id

    def answered(self, write: Write) -> None:
        """Store a write that the site has just answered.

        What cannot be stored now is stored when the action ends, or the error comes then.
        """
        with contextlib.suppress(SimulatorError), self._writer.transaction():
            store_observed(self._writer, self.id, write.action_id, Observed((write,)))

    def end(self, action_id: str, outcome: ActionOutcome) -> None:
        """Store what came of an action, and what the site generated with it."""
        writer = self._writer
        exchanges = self.exchanges.rows()
        with writer.transaction() as change:
            self.exchanges.store(exchanges)
            after = writer.put_page(outcome.after) if outcome.after else None
            writer.execute(
                statements.END_ACTION,
                (
                    outcome.status, outcome.settled, after, writer.text(outcome.error), wall_time(),
                    time.monotonic_ns(), change, action_id,
                ),
            )  # fmt: skip
            if outcome.stopped:
                writer.execute(statements.STOPPED, (outcome.stopped, action_id))
            if outcome.dismissed:
                writer.execute(statements.OPTIONAL, (action_id,))
            if outcome.put_away:
                writer.execute(statements.PUT_AWAY, (action_id,))
            if outcome.reads is not None:
                writer.execute(statements.READS, (writer.text(outcome.reads), action_id))
            if outcome.sent is not None:
                writer.execute(statements.SENT, (writer.text(outcome.sent), action_id))
            if outcome.sets is not None:
                writer.execute(statements.SETS, (writer.text(canonical_json(list(outcome.sets))), action_id))
            for name, value in outcome.generated.items():
                self.variables.insert(name, value, "site", self.current_step, action_id)
            store_observed(writer, self.id, action_id, outcome.observed)
            for proved, stands in outcome.proved.items():
                self._withhold(proved, stands, change)
        self.variables.learnt |= outcome.learnt
        self._pending.discard(action_id)

    def add_dependency(self, *, step_id: str, producer_run: str, producer_step: str | None, name: str) -> None:
        """Store that a step used what another run's step produced, carried by the variable ``name``."""
        with self._writer.transaction():
            self._writer.execute(
                "INSERT INTO dependency VALUES (?, ?, ?, ?) ON CONFLICT DO NOTHING",
                (step_id, producer_run, producer_step, name),
            )

    def add_effects(self, action_id: str, effects: Sequence[Effect]) -> None:
        """Store what was seen again by visits of their own, after an action."""
        with self._writer.transaction():
            store_observed(self._writer, self.id, action_id, Observed(effects=tuple(effects)))

    def actions(self) -> list[ActionRow]:
        """Give the actions of the run so far, in order, as they stand in the recording."""
        with Recording.open(self._writer.path) as recording:
            return recording.actions(self.id)

    def blob(self, sha256: str) -> bytes:
        """Give the bytes of a blob.

        Raises:
            RecordingError: it is not there.
        """
        with Recording.open(self._writer.path) as recording:
            return recording.blobs.read(sha256)

    def put_blob(self, data: bytes, media_type: str) -> str:
        """Store bytes once by their hash, compressed where that helps. Texts are masked first.

        Returns:
            The SHA-256 of what was stored.
        """
        return self._writer.put_blob(data, media_type)

    def keep_snapshot(self, page: PageState, text: str) -> None:
        """Store how a page looks as a tree, where an action of the run has met it; secrets are masked.

        Args:
            page: as the last look found it.
            text: the tree.
        """
        self._writer.keep_snapshot(page, text)

    def end_run(
        self,
        *,
        status: RunStatus,
        verdict: str | None = None,
        reason: str | None = None,
        summary: Mapping[str, Any] | None = None,
    ) -> None:
        """Store how the run ended. What is still pending in it becomes interrupted.

        Args:
            status: how it ended.
            verdict: ``passed``, ``healed``, ``repaired`` or a class of drift.
            reason: why, for a person.
            summary: what a report needs of it.
        """
        self.model_calls.settle()
        writer = self._writer
        exchanges = self.exchanges.rows()
        with writer.transaction() as change:
            self.exchanges.store(exchanges)
            writer.close_run(self.id, change)
            writer.execute(
                "UPDATE run SET status = ?, verdict = ?, reason = ?, summary = ?, ended_at = ?, ended_ns = ?, "
                "change = ? WHERE id = ?",
                (
                    status, verdict, writer.text(reason), writer.json(dict(summary)) if summary else None,
                    wall_time(), time.monotonic_ns(), change, self.id,
                ),
            )  # fmt: skip
        self.current_step = None

    def _withhold(self, action_id: str, stands: str, change: int) -> None:
        """Take back what an action typed: it has proved to be a secret. Its step's input goes with it."""
        writer = self._writer
        writer.execute(
            "UPDATE action SET value = ?, recorded_value = NULL, change = ? WHERE id = ?", (stands, change, action_id)
        )
        (step_id,) = writer.execute("SELECT step_id FROM action WHERE id = ?", (action_id,)).fetchone()
        if (text := self._inputs.get(step_id)) is not None:
            writer.execute("UPDATE step SET input = ?, withheld = 1, change = ? WHERE id = ?", (text, change, step_id))
