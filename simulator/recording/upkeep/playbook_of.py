"""Recorded runs as a playbook. Not responsible for: what one says (``playbook.py``), or its YAML."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from simulator.browser.action_recorder import PageState
from simulator.browser.effects.model import KnownThing
from simulator.browser.operations import options_json
from simulator.filenames import stored_names
from simulator.recording.journal import SHOWN
from simulator.recording.layout import hashes
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, EffectRow, RunRow, StepRow, WriteRow
from simulator.recording.upkeep.playbook import (
    Act,
    Actor,
    At,
    Carries,
    File,
    Known,
    Made,
    Need,
    Page,
    Playbook,
    Proven,
    Run,
    Seen,
    Sent,
    Step,
    Variable,
    rendered,
)

_ELSEWHERE = ("base_url", "bundled", "browser", "versions", "seed")
"""What of a run's environment is of the machine that recorded it, or stands beside it."""
_KEPT = ("state",)
"""What of a run's summary a replay compares with."""
_TOLD = ("variables", "mail", SHOWN)
"""What of a step's metadata a replay or an export reads."""


def read_playbook(recording: Recording, runs: Sequence[RunRow]) -> Playbook:
    """Read runs as a playbook.

    Args:
        recording: where they stand.
        runs: with those that they depend on; the newest revision of each is enough.
    """
    names = _names(runs)
    places = {step.id: step.ordinal + 1 for run in runs for step in recording.steps(run.id)}
    for run in runs:
        if run.original != run.id:  # what depends on it names the steps of its first revision
            places |= {step.id: step.ordinal + 1 for step in recording.steps(run.original)}
    batches = list(dict.fromkeys(run.batch_id for run in runs))
    told = tuple(_run(recording, run, batches.index(run.batch_id) + 1, names, places) for run in runs)
    uploads = sorted(_uploads(action for run in runs for action in recording.actions(run.id)))
    kinds = {sha256: recording.blobs.media_type(sha256) or "application/octet-stream" for sha256 in uploads}
    files = {sha256: File(name=name, media_type=kinds[sha256]) for sha256, name in stored_names(kinds).items()}
    return Playbook(playbook=1, runs=told, files=files)


def _names(runs: Iterable[RunRow]) -> dict[str, str]:
    """Name runs, by the ids of their first revisions."""
    named: dict[str, str] = {}
    for run in runs:
        base = f"{run.persona or 'run'}-{run.number}"
        name, at = base, 1
        while name in named.values():
            name, at = f"{base}-{at + 1}", at + 1
        named[run.original] = name
    return named


def _uploads(actions: Iterable[ActionRow]) -> set[str]:
    return hashes({"value": action.value, "sha256": action.options.get("sha256")} for action in actions
                  if action.kind == "upload")  # fmt: skip


def _run(recording: Recording, run: RunRow, batch: int, names: Mapping[str, str], places: Mapping[str, int]) -> Run:
    actions: dict[str, list[ActionRow]] = {}
    acts: dict[str, int] = {}
    for action in recording.actions(run.id):
        actions.setdefault(action.step_id, []).append(action)
        acts[action.id] = action.ordinal + 1
    made: dict[str, list[Made]] = {}
    for one in recording.created(run.id):
        made.setdefault(one.step_id, []).append(Made(kind=one.kind, url=one.url, fields=one.fields))
    needs: dict[str, list[Need]] = {}
    for need in recording.dependencies(run.id):
        producer = places.get(need.producer_step or "")
        needs.setdefault(need.step_id, []).append(Need(run=names[need.producer_run], step=producer, name=need.name))
    shown: dict[str, PageState | None] = {}
    observed = _Observed.of(recording, run.id)
    steps = tuple(
        _step(step, actions.get(step.id, ()), made.get(step.id, ()), needs.get(step.id, ()), shown, observed)
        for step in recording.steps(run.id)
    )
    variables = {
        one.name: Variable(
            kind=one.kind, value=one.value, step=places.get(one.step_id or ""), action=acts.get(one.action_id or "")
        )
        for one in recording.variables(run.id)
    }
    told = Run(
        run=names[run.original],
        batch=batch,
        number=run.number,
        seed=str(run.environment.get("seed", "")) or recording.batch(run.batch_id).seed,
        site=run.site,
        persona=run.persona,
        label=run.label,
        origin=run.origin,
        agent=run.agent,
        key_fingerprint=run.key_fingerprint,
        identity=run.identity,
        environment={name: value for name, value in run.environment.items() if name not in _ELSEWHERE},
        summary={name: value for name, value in (run.summary or {}).items() if name in _KEPT},
        actors=tuple(Actor(name=a.name, identity=a.identity, context=a.context) for a in recording.actors(run.id)),
        variables=variables,
        steps=steps,
    )
    proofs = (run.summary or {}).get("proofs", {})
    own = told.sha256
    proven = {
        policy: Proven(run=one["run"], at=one["at"], writes=one["writes"], proven=one["proven"], of=own)
        for policy, one in proofs.items()
    }
    return told.model_copy(update={"proven": proven})


def _step(
    step: StepRow,
    actions: Sequence[ActionRow],
    made: Sequence[Made],
    needs: Sequence[Need],
    shown: dict[str, PageState | None],
    observed: _Observed,
) -> Step:
    failed = step.error_type and step.error_message is not None
    return Step(
        tool=step.tool,
        task=step.task,
        replay=step.replay,
        input=step.input,
        withheld=step.withheld,
        success=step.success,
        error=(step.error_type, step.error_message) if failed else None,
        result=step.result if step.replay == "result" else None,
        metadata={name: value for name, value in step.metadata.items() if name in _TOLD},
        flags=step.flags,
        needs=tuple(needs),
        actions=tuple(_act(action, shown, observed) for action in actions),
        made=tuple(made),
    )


@dataclass(frozen=True, slots=True)
class _Observed:
    """What was observed of a run, by action."""

    at: Mapping[str, At]
    writes: Mapping[str, WriteRow]
    effects: Sequence[EffectRow]

    @classmethod
    def of(cls, recording: Recording, run_id: str) -> Self:
        steps = {step.id: step.ordinal + 1 for step in recording.steps(run_id)}
        actions = recording.actions(run_id)
        at = {one.id: At(step=steps[one.step_id], action=one.ordinal + 1) for one in actions}
        return cls(at, {one.id: one for one in recording.writes(run_id)}, recording.effects(run_id))

    def sent(self, action_id: str) -> tuple[Sent, ...]:
        """Give what an action sent."""
        return tuple(
            Sent(
                method=one.method, url=one.url, initiator=one.initiator, operation=one.operation, status=one.status,
                leads_to=one.leads_to,
                carried=tuple(Carries(part=each.part, **dict(self.at[each.input])) for each in one.carried),
            )
            for one in self.writes.values()
            if one.action_id == action_id
        )  # fmt: skip

    def seen(self, action_id: str) -> tuple[Seen, ...]:
        """Give what was seen again after an action."""
        return tuple(
            Seen(
                input=self.at[one.input_id], sent=self.at[self.writes[one.write_id].action_id],
                write=self.writes[one.write_id].ordinal, strength=one.strength, likeness=one.likeness, url=one.url,
                by=one.by, label=one.label, keyed=one.keyed, looked=one.looked, kind=one.kind,
                thing=_known(one.thing), was=one.was, shows=one.shows, spot=one.spot,
            )
            for one in self.effects
            if one.action_id == action_id
        )  # fmt: skip


def _known(thing: KnownThing) -> Known:
    return Known(ids=thing.ids, new=thing.new, at=thing.at, called=thing.called)


def _act(action: ActionRow, shown: dict[str, PageState | None], observed: _Observed) -> Act:
    known = shown.get(action.actor)
    shown[action.actor] = action.after or action.before or known
    same = action.before == known
    return Act(
        kind=action.kind,
        value=action.value,
        was=None if action.recorded_value == rendered(action.value) else action.recorded_value,
        by=action.actor,
        aim=action.aim,
        choice=action.choice,
        target=action.target,
        options=options_json(action.kind, action.options),
        before=None if same else _page(action.before),
        settled=action.settled,
        after=_page(action.after),
        status=action.status,
        error=action.error,
        sent=observed.sent(action.id),
        seen=observed.seen(action.id),
    )


def _page(state: PageState | None) -> Page | None:
    if state is None:
        return None
    return Page(url=state.url, title=state.title, status=state.status, requests=state.requests,
                alerts=state.alerts, notes=state.notes)  # fmt: skip
