"""Many fresh users of a few recorded ones: who begins when, and when nobody else does.

The first copy of each cast is a canary: it has to pass, and to be proven, before more of its kind begin. Where a
seeding goes on, what a canary did may have been cut off from what would have proven it: then the next copy is one as
well. Of users whose cast is done, only what each came to stays. Not responsible for: who they are (``members``), or
performing anybody.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from simulator.recording.reader import Recording
from simulator.replay.bind import Part, PartKey
from simulator.replay.learning.agreement import Seen, writes_unseen
from simulator.replay.seeding.casts import Cast, Seat, copies, met_among
from simulator.runner import events
from simulator.runner.replays.population import PERFORMED, Member
from simulator.runner.seeding.fan_out import FanOut
from simulator.runner.seeding.members import CastMembers, key_of
from simulator.runner.seeding.seats import Source, earlier_of, left_over, numbered, seats_of
from simulator.runner.stop import Stop

if TYPE_CHECKING:
    from simulator.runner.replays.begun import Begun


class FannedPopulation:
    """The users of a seeding.

    Args:
        fan_out: how many there are, and under which conditions.
        source: what they are made of.
        db: where they land: there it is read whether a canary is proven.
        stop: asks for an early end.
        begun: who had begun before, where a seeding goes on.

    Raises:
        UsageError: there is room for no cast, the same would be said by all, or who was recorded would come again.
        RecordingError: a run holds no persona.
    """

    def __init__(self, fan_out: FanOut, source: Source, db: Path, stop: Stop, begun: Begun | None = None) -> None:
        self.fan_out, self.source, self.begun = fan_out, source, begun
        self.earlier = earlier_of(fan_out, source, db, without=begun.batch if begun else "")
        if begun and begun.shared:
            self.earlier = replace(self.earlier, shared=begun.shared)
        every = numbered(source, fan_out, begun.numbers) if begun else seats_of(fan_out, source, self.earlier)
        self.seats = tuple(seat for seat in every if not (begun and begun.is_over(seat.number)))
        self.halted = ""
        self.pairings: dict[PartKey, dict[str, str]] = {}
        self._db, self._stop = db, stop
        self._every, self._by_copy = _by_copy(every), _by_copy(self.seats)
        self._left = {copy: len(seats) for copy, seats in self._by_copy.items()}
        self._canaries: list[Seat] = []
        self._unproven: dict[int, str] = {}
        """By cast what is said of its canary, where another one is to be proven instead."""
        self._again: set[int] = set()
        """The casts of which another one was."""
        self.members = CastMembers(fan_out, source, self._every, self.earlier, begun)
        once = next(copies(source.plans, **fan_out.dealing))
        met = met_among(source.plans, fan_out.deals_with)
        before = [Seat(plan, 0, 1, 0, Cast(0, (plan,))) for plan in met]
        self._first = _by_copy((*once, *every))
        first_of = {seat.plan.run.id: seat for seat in reversed((*before, *once, *every))}
        self.parts = [self.members.draw(first_of[plan.run.id]) for plan in source.plans if plan.run.id in first_of]
        self.done = {PartKey(one, 0): PERFORMED for one in self.earlier.shared if 0 not in self._every}
        self.done |= {PartKey(plan.run.original, 0): PERFORMED for plan in met}
        for copy in {0, *self._by_copy}:
            over = [seat for seat in self._every.get(copy, ()) if seat not in self._by_copy.get(copy, ())]
            self.done |= {key_of(seat): self._reached(seat) for seat in over}
        self._since: float | None = None
        self._begun, self._next, self._failed = 0, 0.0, begun.failed() if begun else 0

    @property
    def total(self) -> int:
        """How many users there are."""
        return len(self.seats)

    def waves(self) -> Iterator[Sequence[Member]]:
        """Give the first cast alone, then the first copies of the others, then everybody else."""
        known: dict[int, int] = {}
        for copy, seats in self._every.items():
            known.setdefault(seats[0].cast.number, copy)
        firsts = [copy for number, copy in known.items() if number]
        canaries = [[0, *firsts[:1]] if 0 in self._every else firsts[:1], firsts[1:]]
        rest = [copy for copy in self._by_copy if copy and copy not in firsts]
        for wave in canaries:
            yield self._as_canaries(wave)
            if instead := self._instead(rest):
                rest = [copy for copy in rest if copy not in instead]
                yield self._as_canaries(instead)
        self.pairings.clear()
        self._canaries.clear()
        yield self._of_wave(rest)

    def _as_canaries(self, wave: Sequence[int]) -> list[Member]:
        members = self._of_wave(wave)
        self.pairings.update({member.key: {} for member in members})
        self._canaries = [seat for copy in wave for seat in self._every[copy]]
        return members

    def _instead(self, rest: Sequence[int]) -> list[int]:
        """Give the next copy of each cast whose canary was not proven, and say so where there is none."""
        first = {self._by_copy[copy][0].cast.number: copy for copy in reversed(rest)}
        unproven, self._unproven = self._unproven, {}
        self._again.update(unproven)
        self.halted = self.halted or next((why for number, why in unproven.items() if number not in first), "")
        return [] if self.halted else [first[number] for number in unproven]

    @property
    def _given(self) -> int:
        """How many were given to a cluster before, and are left out: nobody knows what they did."""
        return len(self.begun.given) if self.begun else 0

    def casts(self, wave: Sequence[Member]) -> list[list[Seat]]:
        """Give the seats of a wave, cast by cast; who all share comes with the first one."""
        wanted = {member.key for member in wave}
        found: list[list[Seat]] = []
        for copy, seats in self._by_copy.items():
            own = [seat for seat in seats if key_of(seat) in wanted]
            if own and found and not found[-1][0].copy and copy:
                found[-1] += own
            elif own:
                found.append(own)
        return found

    def standing_for(self, seats: Sequence[Seat]) -> list[Seat]:
        """Give users of whom a worker has to know who they are: its own, and one who stands for each recorded run."""
        first = [seat for copy in (0, 1) for seat in self._first.get(copy, ())]
        return list({seat.number: seat for seat in (*first, *seats)}.values())

    def _reached(self, seat: Seat) -> int:
        """Give up to where a user who is over had performed its plan."""
        assert self.begun is not None
        run = self.begun.runs.get(seat.number)
        if run is None:
            return -1
        return PERFORMED if run.status == "passed" else self.begun.reached(seat.number, self.members.plan(seat))

    def _of_wave(self, wave: Sequence[int]) -> list[Member]:
        return [
            Member(seat.plan.run.id, key_of(seat), partial(self.members.part, seat))
            for copy in wave
            for seat in self._by_copy.get(copy, ())
        ]

    def fit(self, part: Part) -> Part:
        """Let a user do what it does as often as the seed has it."""
        return replace(part, plan=self.members.varying.fit(part))

    def others(self, part: Part) -> Mapping[str, str]:
        """Give what the user of a part knows of the others from the beginning, by variable."""
        return self.members.others(part)

    async def begin(self) -> bool:
        """Wait for the turn of the next user, as the rate and the ramp have it; False where nobody else may begin."""
        now = time.monotonic()
        self._since = now if self._since is None else self._since
        ramped = self._since + self.fan_out.ramp_s * self._begun / max(self.total, 1)
        at = max(now, self._next, ramped)
        self._begun += 1
        self._next = at + self.fan_out.interval_s
        if at > now:
            await self._stop.pause(at - now)
        return not self.halted

    def ended(self, part: Part, run: events.ReplayedRun) -> Sequence[PartKey]:
        """Count what a user came to, and let go of a cast that is done."""
        assert part.seat is not None
        failed = run.drifted and run.verdict != "interrupted" and not self._stop.requested
        self._failed += failed
        if failed and not self.halted:
            if self.fan_out.on_drift == "stop":
                self.halted = f"user {part.number} drifted (--on-drift stop)"
            elif self.fan_out.max_failures.is_exceeded(self._failed, sum(map(len, self._every.values()))):
                self.halted = f"{self._failed} users failed (--max-failures {self.fan_out.max_failures})"
        copy = part.seat.copy
        self._left[copy] -= 1
        if self._left[copy] or not copy:
            return ()
        return self.members.let_go(copy)

    def judge(self, runs: Sequence[events.ReplayedRun]) -> None:
        """See whether the canaries of a wave passed and are proven; nobody else begins where they are not."""
        if self._stop.requested:
            return
        performed = {run.number: run for run in runs}
        for seat in self._canaries:
            run = performed.get(seat.number)
            if why := self._why_not(seat, run):
                said = f"the first cast has to be proven before others begin: user {seat.number}, {why}"
            elif lost := self._lost(seat, run):
                why = f"no page showed again what was sent by {', '.join(lost)}, as one did when it was recorded"
                said = f"the first cast has to be proven before others begin: user {seat.number}, {why}"
                if self._began_before(seat) and seat.cast.number not in self._again:
                    self._unproven[seat.cast.number] = said
                    continue
            else:
                continue
            self.halted = said
            return

    def _began_before(self, seat: Seat) -> bool:
        """Return whether a user had begun before the seeding was gone on with."""
        return self.begun is not None and seat.number in self.begun.runs

    def _why_not(self, seat: Seat, run: events.ReplayedRun | None) -> str:
        """Say why a canary has not passed; empty where it has."""
        if run is not None:
            return (run.drift.sentence if run.drift else str(run.verdict)) if run.drifted else ""
        if self.begun and (row := self.begun.runs.get(seat.number)):
            return "" if row.status == "passed" else row.reason or row.ending
        return (
            "of whom nobody knows anything: a worker of a cluster was given it; --scheduler takes back what it did"
            if self._given
            else "who never began"
        )

    def _lost(self, seat: Seat, run: events.ReplayedRun | None) -> list[str]:
        """Give what sent something of which a page showed nothing again, as one did when it was recorded."""
        plan = self.members.plan(seat)
        if run is not None:
            run_id, pairing = run.run_id, self.pairings.get(key_of(seat), {})
        else:
            assert self.begun is not None
            run_id, pairing = self.begun.runs[seat.number].id, self.begun.pairing(seat.number, plan)
        with Recording.open(self._db) as recording:
            seen = Seen(recording.writes(run_id), recording.effects(run_id))
        return list(writes_unseen(plan, seen, pairing))

    def summary(self, runs: Sequence[events.ReplayedRun]) -> events.Seeded:
        """Sum the seeding up, beside what each user came to."""
        times = Counter(seats[0].cast.number for copy, seats in self._by_copy.items() if copy)
        casts = {seat.cast.number: seat.cast for seat in self.seats}
        return events.Seeded(
            asked=self.fan_out.count,
            first=self.seats[0].number if self.seats else 0,
            planned=self.total,
            seed=self.source.seed,
            casts=tuple(events.CastCount(casts[number].personas, times[number]) for number in sorted(times)),
            shared=casts[0].personas if 0 in casts else (),
            left_over=0 if self.begun else left_over(self.fan_out, self.seats, self.earlier),
            passed=sum(not run.drifted for run in runs),
            there=(len(self.earlier.passed) if self.fan_out.ensure else 0) + (self.begun.passed() if self.begun else 0),
            earlier=self.earlier.batches,
            cut_off=sum(run.verdict == "interrupted" for run in runs)
            + (self.earlier.cut_off if self.fan_out.ensure else 0)
            + self._given,
            not_begun=self.total - len(runs),
            halted=self.halted,
        )


def _by_copy(seats: Sequence[Seat]) -> dict[int, list[Seat]]:
    found: dict[int, list[Seat]] = {}
    for seat in seats:
        found.setdefault(seat.copy, []).append(seat)
    return found
