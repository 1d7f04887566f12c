"""When a user does what: the pauses before actions, and the time between keys.

A replay knows them before anything is done; who acts for the first time draws them one by one. Not responsible for:
what a page needs to settle.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
from collections.abc import Awaitable, Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import NormalDist
from typing import Literal, NamedTuple, Protocol

from simulator.browser.action_recorder import ActionKind, Settled
from simulator.browser.evidence import Target

Pace = Literal["none", "recorded", "human"]
Speed = Literal["slow", "normal", "fast"]

_SLOWER: Mapping[Speed, float] = {"slow": 1.6, "normal": 1.0, "fast": 0.6}
_ARRIVED_MS = 2_500.0
"""Median of the time in which somebody finds their way on a page that is new to them."""
_NEXT_MS = 900.0
"""Median of the time from one action to the next on a page."""
_SPREAD = 0.5
"""Standard deviation of the logarithm of a pause: pauses are skewed, few are long."""
_KEY_MS = 230.0
"""Between two keys, on average: 52 words a minute (Dhakal and others, Observations on Typing from 136 Million
Keystrokes, 2018)."""
_KEY_SPREAD = 0.2
_EXTREME = 0.02
"""Draws are taken from between the rarest this many at either end."""
_TYPED = frozenset({"", "text", "search", "email", "password", "tel", "url", "number"})


class Beat(NamedTuple):
    """When an action is done."""

    pause_ms: float
    """Before it."""
    key_ms: float | None = None
    """Between the keys of what is typed; None: it is put in at once, or nothing is typed."""


class Timed(Protocol):
    """What of a recorded action its time depends on."""

    @property
    def id(self) -> str:
        """Its id."""
        ...

    @property
    def kind(self) -> ActionKind:
        """What was done."""
        ...

    @property
    def target(self) -> Target | None:
        """To what."""
        ...

    @property
    def settled(self) -> Settled | None:
        """What it led to."""
        ...

    @property
    def started_ns(self) -> int:
        """When it began, by a monotonic clock."""
        ...

    @property
    def ended_ns(self) -> int | None:
        """When it was over, by the same clock."""
        ...


def recorded_beats(actions: Iterable[Timed]) -> dict[str, Beat]:
    """Give the pauses that there were: from the end of one action to the beginning of the next.

    Args:
        actions: of a run, in their order.

    Returns:
        By the action's id; the first has none.
    """
    return {
        after.id: Beat(max(0, after.started_ns - (before.ended_ns or before.started_ns)) / 1e6)
        for before, after in pairwise(actions)
    }


def human_beats(actions: Iterable[Timed], speed: Speed, *drawn_from: object) -> dict[str, Beat]:
    """Draw the pauses of a person, and the time between their keys.

    Args:
        actions: of a run, in their order.
        speed: how fast the person is.
        drawn_from: the seed, and what distinguishes the user from every other.

    Returns:
        By the action's id; the same for the same arguments, whatever the ids are.
    """
    beats: dict[str, Beat] = {}
    arrived = True
    for place, action in enumerate(actions):
        beat = _human_beat(speed, arrived, place, *drawn_from)
        beats[action.id] = beat if is_typed(action.kind, action.target) else Beat(beat.pause_ms)
        arrived = action.settled == "navigated"
    return beats


@dataclass(slots=True)
class Pacer:
    """Lets one user take the time of a person while they act for the first time, drawn when it is due.

    Args:
        speed: how fast the person is.
        drawn_from: the seed, and what distinguishes the user from every other.
        rest: waits for this many seconds.
    """

    speed: Speed
    drawn_from: tuple[object, ...]
    rest: Callable[[float], Awaitable[None]] = asyncio.sleep
    _place: int = 0
    _arrived: bool = True
    _limits: list[asyncio.Timeout] = field(default_factory=list)

    async def pause(self) -> None:
        """Wait as the person does before the next action."""
        beat = _human_beat(self.speed, self._arrived, self._place, *self.drawn_from)
        self._place += 1
        self._grant(beat.pause_ms)
        await self.rest(beat.pause_ms / 1000)

    def between_keys(self, kind: ActionKind, target: Target | None, text: str) -> float | None:
        """Give the milliseconds between the keys of what is typed now; None: it is put in at once."""
        if not is_typed(kind, target):
            return None
        keys = _human_beat(self.speed, self._arrived, self._place - 1, *self.drawn_from).key_ms or 0
        self._grant(keys * len(text))
        return keys

    def arrived(self, settled: Settled | None) -> None:
        """Take in what the action led to."""
        self._arrived = settled == "navigated"

    @contextmanager
    def unhurried(self, limit: asyncio.Timeout) -> Iterator[None]:
        """Keep what the person takes out of the time that a call may take."""
        self._limits.append(limit)
        try:
            yield
        finally:
            self._limits.remove(limit)

    def _grant(self, ms: float) -> None:
        for limit in self._limits:
            if (end := limit.when()) is not None:
                limit.reschedule(end + ms / 1000)


def _human_beat(speed: Speed, arrived: bool, place: int, *drawn_from: object) -> Beat:
    slower = _SLOWER[speed]
    pause = (_ARRIVED_MS if arrived else _NEXT_MS) * slower * _spread(_SPREAD, *drawn_from, place, "pause")
    return Beat(pause, _KEY_MS * slower * _spread(_KEY_SPREAD, *drawn_from, place, "keys"))


def is_typed(kind: ActionKind, target: Target | None) -> bool:
    """Return whether a person does an action key by key: not where a field takes no keys one after the other."""
    if kind == "type":
        return True
    if kind != "fill" or target is None:
        return False
    return target.tag == "textarea" or (target.tag == "input" and target.type in _TYPED)


def _spread(sigma: float, *drawn_from: object) -> float:
    """Draw a factor around 1 with a log-normal distribution."""
    digest = hashlib.sha256("|".join(map(str, drawn_from)).encode()).digest()
    share = (int.from_bytes(digest[:8], "big") + 0.5) / 2**64
    share = _EXTREME + share * (1 - 2 * _EXTREME)
    return math.exp(sigma * NormalDist().inv_cdf(share))
