"""A page after an action: what of it is not as recorded, judged again as long as it may still come about.

Not responsible for: the comparison itself (``verify``), or what follows from it.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from simulator.browser.action_recorder import PageState
from simulator.browser.actor import Actor
from simulator.browser.effects.met import bare
from simulator.browser.views.refusals import MARKED, Refusal
from simulator.replay.checks import Check
from simulator.replay.verify import Compared, Mismatch

_PUT_OFF_S = 3.0
"""How long a script may put off a request that it made at once when it was recorded."""
_LEAVING_MS = 250.0
"""How long a page that is leaving, or has still to say why, is followed before it is read again."""
_READING = ("GET", "HEAD", "OPTIONS")


@dataclass(slots=True)
class Arrival:
    """A page after an action.

    Args:
        actor: whose page.
        now: the page; its addresses as templates.
        judge: compares it with the recorded one.
        before: the page before the action.
        arrived: whether its address is the recorded one.
        visited: whether the action was a visit, which sends nothing that the page could refuse.
    """

    actor: Actor
    now: PageState
    judge: Callable[..., Compared]
    before: PageState | None
    arrived: bool
    visited: bool = False
    wrong: Mismatch | None = None
    """What is not as recorded; None while everything is."""
    made: Sequence[Check] = ()
    """What was compared."""
    _came: float = field(default_factory=time.monotonic)
    _asked: float = field(default_factory=time.monotonic)
    """When the page was last seen waiting for something that it had asked for."""

    def look(self) -> None:
        """Compare the page as it is known."""
        self.wrong, self.made = self.judge(with_values(self.now, self.actor.bindings.shown))

    def judge_again(self, *, arrived: bool | None = None, above: Sequence[Refusal] = ()) -> None:
        """Compare once more where the address is said to be right, or a form that came back says why.

        Args:
            arrived: whether the address is the recorded one after all; None: that stays as it was.
            above: what stands above the form that came back.
        """
        shown = with_values(self.now, self.actor.bindings.shown)
        if arrived is None:
            self.wrong, _ = self.judge(shown, above=above)
        else:
            self.wrong, self.made = self.judge(shown, arrived=arrived)

    async def settle(self) -> None:
        """Compare; what may still come about is waited for."""
        self.look()
        # What saves at intervals saved at once then, as an agent takes its time.
        while self.lacks("request") and (left := self._left_ms()) > 0:
            known = Counter(self.now.requests)
            await self.actor.view.follow(late_ms=left)
            more = (Counter(self.actor.here.requests) - known).elements()
            self.now = replace(self.now, requests=(*self.now.requests, *more))
            self.look()
        # A page that routes itself shows the form of the last one until the next is drawn, and has emptied it by then.
        # What its fields say goes with them; a message that belongs to no field stays said.
        while self._may_be_leaving() and (left := self._left_ms()) > 0:
            await self.actor.view.follow(late_ms=min(left, _LEAVING_MS))
            here = self.actor.here
            alerts = tuple(alert for alert in self.now.alerts if alert in here.alerts)
            refusals = tuple(one for one in self.now.refusals if one in here.refusals)
            self.now = replace(self.now, alerts=alerts, refusals=refusals)
            self.look()

        # A field is marked as wrong before the page says why: what it said when it was recorded is still to come. What
        # a page says while it waits for what it has asked for may be that it loads.
        while (left := self._left_ms() if self._may_say_why() else self._loading_ms()) > 0:
            await self.actor.view.follow(late_ms=min(left, _LEAVING_MS))
            here = self.actor.here
            self.now = replace(self.now, alerts=here.alerts, refusals=here.refusals)
            self.look()

    def lacks(self, kind: str) -> bool:
        """Return whether it is something of a kind that is not as recorded."""
        return self.wrong is not None and self.wrong.kind == kind

    def _may_be_leaving(self) -> bool:
        """Return whether all that a page refuses is said by fields of the page before."""
        if not (self.lacks("refusal") and self.arrived and self.before):
            return False
        of_fields = {one.words for one in self.now.refusals if one.field}
        return self.before.url != self.actor.here.url and of_fields >= set(self.now.alerts)

    def _loading_ms(self) -> float:
        """Return for how long what a page says, and should not, may be gone once it has what it has asked for.

        A busy machine takes as long for that as for the page. Where something was sent, and the page is still the one
        that has sent it, what it says is soon taken for its answer: a message may go by itself. Modules that a script
        imports come unseen, as does what it draws of an answer: where what was sent has been taken, or nothing was, the
        page is given a moment more.
        """
        if not (self.lacks("refusal") and self.arrived):
            return 0
        answers = self.before is not None and bare(self.before.url) == bare(self.actor.here.url)
        sent = [status for method, _, status in self.now.requests if method not in _READING]
        if self.actor.tracker.reads:
            self._asked = time.monotonic()
            return self._left_ms(self.actor.timeouts.page / 1000 if not (sent and answers) else _PUT_OFF_S)
        taken = bool(sent) and not answers and all(200 <= status < 300 for status in sent)
        still = _PUT_OFF_S - (time.monotonic() - self._asked) if self.visited or taken else 0
        return max(0.0, min(still * 1000, self._left_ms(self.actor.timeouts.page / 1000)))

    def _may_say_why(self) -> bool:
        """Return whether all that is wrong is that a field is marked as wrong, without a word."""
        return self.wrong is not None and self.lacks("refusal") and self.wrong.found.endswith(f"'{MARKED}'")

    def _left_ms(self, patience: float = _PUT_OFF_S) -> float:
        return (self._came + patience - time.monotonic()) * 1000


async def lacking_by_then(actor: Actor, lost: Callable[[PageState], str]) -> str:
    """Give what a page does not say once it has had the time to: a script may say it when it has what it asked for.

    Args:
        actor: whose page.
        lost: gives the first text that a page has to say and does not; empty where it says all.
    """
    came = asked = time.monotonic()
    while missing := lost(actor.here):
        now = time.monotonic()
        if actor.tracker.reads:
            asked = now
        left = min(asked + _PUT_OFF_S, came + actor.timeouts.page / 1000) - now
        if left <= 0:
            return missing
        await actor.view.follow(late_ms=min(left * 1000, _LEAVING_MS))
    return ""


def with_values(state: PageState, shown: Callable[[str], str]) -> PageState:
    """Put values into the addresses of a page's requests: two users' are alike in their templates alone."""
    return replace(
        state, requests=tuple((method, shown(address), status) for method, address, status in state.requests)
    )
