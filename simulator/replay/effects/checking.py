"""What a recording saw of its writes, required of a replay: that they are sent again, and are seen again.

Not responsible for: observing.
"""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from simulator.browser.actor import Actor
from simulator.browser.effects.model import Effect, Write
from simulator.browser.evidence import Target
from simulator.recording.rows import ActionRow
from simulator.replay.checks import Check
from simulator.replay.effects.expected import Expected
from simulator.replay.effects.seen_again import SeenAgain
from simulator.replay.effects.sent_again import SentAgain, Unlike

_PUT_OFF_S = 3.0
"""How much longer than in the recording a page may put off what it sends."""
LONGEST_IDLE_S = 30.0
"""The most that a user who did nothing is waited for: a model may have thought for minutes."""
_PAUSE_S = 0.05


@dataclass(frozen=True, slots=True)
class SecondPerformance:
    """Makes a replay one that is to prove what it performs."""

    performed: dict[str, str] = field(default_factory=dict)
    """Gets the id of what each recorded action has become, by its id."""
    addresses: dict[str, str] = field(default_factory=dict)
    """Gets the address that an action leads to, where it is another one each time, by the recorded action."""
    targets: dict[str, Target] = field(default_factory=dict)
    """Gets the evidence of what is acted on without words of its card that are others each time, by the action."""


@dataclass(slots=True)
class EffectChecker:
    """Checks the effects of one run, action by action.

    Attributes:
        expected: of the recording.
        effect_ms: how long what was written may take to show: waited in all, whatever time the looks take themselves.
        keep: stores what was seen by a visit of its own after an action, by the action's id.
        checks: how often what was compared.
        fresh: whether other users do it than the recorded ones.
    """

    expected: Expected
    effect_ms: float = 5_000
    keep: Callable[[str, Sequence[Effect]], None] = lambda action_id, effects: None
    checks: Counter[Check] = field(default_factory=Counter)
    fresh: bool = False
    _sent: SentAgain = field(init=False)
    _seen: SeenAgain = field(init=False)

    def __post_init__(self) -> None:
        """Know what has to be sent and seen again."""
        self._sent = SentAgain(self.expected)
        self._seen = SeenAgain(self.expected, self.effect_ms, self.keep, self.checks, self.fresh)

    def performed(self, recorded: ActionRow, action_id: str, writes: Iterable[Write]) -> None:
        """Take in what an action has become, and what was sent by then."""
        self._seen.performed(recorded, action_id)
        self._sent.take_in(writes)

    def let_go(self, codes: frozenset[str]) -> None:
        """Look at no page whose address has one of some variables: only another browser would be shown it."""
        self._seen.gone = codes

    @property
    def performed_as(self) -> Mapping[str, str]:
        """By the id of each recorded action that was performed, the id of what it has become."""
        return self._seen.actions

    def maker(self, user: str, nth: int) -> str:
        """Give the action that has become of one that had sent what was put in; empty where it was not performed.

        Args:
            user: who did it.
            nth: which of those of that user it was, from 1.
        """
        known = self.expected.makers.get(user, ())
        return self.performed_as.get(known[nth - 1], "") if nth <= len(known) else ""

    async def wait_for_put_off(self, actor: Actor, recorded: ActionRow, action_id: str) -> None:
        """Wait for what a page sends by a clock, as long as the recorded user waited after the action, and a little.

        Args:
            actor: who acted.
            recorded: the action.
            action_id: what it has become.
        """
        deadline = time.monotonic() + min(self.expected.idle.get(recorded.id, 0.0), LONGEST_IDLE_S) + _PUT_OFF_S
        while self._sent.is_lacking(recorded, actor.urls.anew) and time.monotonic() < deadline:
            await asyncio.sleep(_PAUSE_S)
            observed = await actor.observer.catch_up(actor.page)
            self.performed(recorded, action_id, observed.writes)
            self.keep(action_id, observed.effects)

    async def unlike(self, actor: Actor, recorded: ActionRow) -> Unlike | None:
        """Give what is not sent again of what an action sent, or not seen again of what was kept after it.

        Args:
            actor: who acted.
            recorded: the action.
        """
        return self._sent.unsent(recorded, self.checks, actor.urls.anew) or await self._seen.unseen(actor, recorded)

    def stopped(self, actor: Actor, others: Iterable[Actor]) -> None:
        """Take the proof from writes of a replay that stopped: what it sent last, and what it had still to look at.

        A page may show one value of a write as it was recorded, and a later one show another value of it as it was not.

        Args:
            actor: who acted.
            others: all actors.
        """
        actor.observer.proofs.revoke_last()
        sent = {one.id: one for some in self.expected.writes.values() for one in some}
        for effect in (one for some in self.expected.effects.values() for one in some):
            write = sent.get(effect.write_id)
            action_id = self._seen.actions.get(write.action_id) if write else None
            if effect.strength != "kept" or not effect.keyed or action_id is None:
                continue
            for one in others:
                if one.observer.proofs.is_proven(action_id) and not self._seen.is_kept(one, effect):
                    names = effect.of_form
                    beside = effect.by == "label"
                    what = one.observer.forms.lacking(action_id, names, beside=beside) if names else effect.label
                    one.observer.proofs.revoke(action_id, what or "what was kept of it")
