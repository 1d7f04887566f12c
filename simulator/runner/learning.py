"""Learning from a second user what of a run is always so: a fresh replay, compared with the recording.

Not responsible for: the comparison (``simulator.replay.learn``), or how a revision is stored.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from simulator.errors import UsageError
from simulator.persona import Identity
from simulator.recording.reader import Recording
from simulator.recording.recorder import Recorder
from simulator.recording.revise import Changes, write_revision
from simulator.recording.rows import ActionRow, RunRow, StepRow
from simulator.replay.bind import bind_identity, recorded_values
from simulator.replay.learn import LEARNT, Learnt, learn, learnt_of
from simulator.replay.plan import plan_run
from simulator.runner import events
from simulator.runner.replaying import ReplayOptions, replay
from simulator.runner.stop import Stop


@dataclass(frozen=True, slots=True)
class Lesson:
    """What was learnt of the page after an action."""

    place: str
    """``step.action``, from 1."""
    required: tuple[str, ...]
    volatile: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Learned:
    """What came of learning."""

    result: events.ReplayResult
    """The replay as a fresh user; where it drifted, nothing is learnt."""
    run: str = ""
    """The new revision; empty where there is none."""
    source: str = ""
    revision: int = 0
    lessons: tuple[Lesson, ...] = ()

    def lines(self) -> list[str]:
        """Give the lines to show."""
        required = sum(len(one.required) for one in self.lessons)
        volatile = sum(len(one.volatile) for one in self.lessons)
        lines = [
            f"revision {self.revision} of run {self.source}: {self.run}",
            f"{required} texts are required from now on, {volatile} change and are not checked",
        ]
        for one in self.lessons:
            lines += [f"  step {one.place}: '{text}'" for text in one.required]
            lines += [f"  step {one.place}: not checked: '{text}'" for text in one.volatile]
        return lines


async def learn_run(options: ReplayOptions, listener: events.Listener, stop: Stop) -> Learned:
    """Replay a run as a fresh user, and write a revision of it that requires what both showed.

    Args:
        options: of the replay; its target is one run, and its source gets the revision.
        listener: told what happens.
        stop: asks for an early end; then nothing is learnt.

    Raises:
        UsageError: the run is itself a replay.
        SimulatorError: the replay could not start or go on.
    """
    with Recording.open(options.source) as recording:
        run = recording.run(options.target if isinstance(options.target, str) else options.target[0])
    if run.kind == "replay":
        raise UsageError(f"the run {run.id} is a replay; learn from its source, {run.source_run}")
    options = replace(options, target=run.id)
    result = await replay(options, listener, stop)
    again = next((one.run_id for one in result.runs if one.source_run == run.id), "")
    if not result.passed or result.interrupted or not again:
        return Learned(result)
    with Recording.open(options.source) as recording, Recording.open(options.db) as other:
        lessons: list[Lesson] = []
        flags: dict[str, dict[str, object]] = {}
        for step, action, found in _found(recording, other, run, other.run(again)):
            flags.setdefault(step.id, {LEARNT: dict(step.flags.get(LEARNT, {}))})
            marks = flags[step.id][LEARNT]
            assert isinstance(marks, dict)
            marks[str(action.ordinal)] = found.as_json()
            place = f"{step.ordinal + 1}.{action.ordinal + 1}"
            lessons.append(Lesson(place, found.required, found.volatile))
        required = sum(len(lesson.required) for lesson in lessons)
        changes = Changes(flags=flags, notes=(f"{required} texts were learnt from a fresh user",))
        with Recorder.open(options.source) as recorder:
            revision = write_revision(recorder.writer, recording, run.id, changes, kind=run.kind)
    with Recording.open(options.source) as recording:
        number = recording.run(revision).revision
    return Learned(result, revision, run.id, number, tuple(lessons))


def _found(
    recording: Recording, other: Recording, run: RunRow, again: RunRow
) -> Iterator[tuple[StepRow, ActionRow, Learnt]]:
    """Compare the pages after each action; of what was learnt before, only what is new to be learnt is given."""
    plan = plan_run(recording, run)
    was = recorded_values(bind_identity(plan, "same", ""))
    now = Identity.model_validate(again.identity).variables()
    now |= {one.name: one.value for one in other.variables(again.id) if one.value is not None}
    was |= {one.name: one.value for one in plan.variables if one.value is not None}
    performed = other.actions(again.id)
    recorded = [(planned.step, action) for planned in plan.steps for action in planned.actions]
    for (step, action), second in zip(recorded, performed, strict=True):
        if action.after is None or second.after is None or learnt_of(step.flags, action.ordinal):
            continue
        found = learn(action.after, second.after, was, now)
        if found or found.volatile:
            yield step, action, found
