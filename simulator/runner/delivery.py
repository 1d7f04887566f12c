"""Handing events on: what a listener does wrong or slowly breaks no run, and what it misses is reported and counted.

Not responsible for: any listener.
"""

from __future__ import annotations

import logging
import threading
import time
from collections import Counter, deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from types import TracebackType
from typing import Generic, Self, TypeVar

from simulator.runner.events import Event, Listener

T = TypeVar("T")
ROOM = 10_000
"""Events that wait for a listener at most: some minutes of a hundred users."""
CLOSE_S = 10.0
"""Seconds that a listener has at the end for what it has not taken yet."""
_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class TimedEvent:
    """An event, and when it happened."""

    event: Event
    at_ns: int
    """Nanoseconds since 1970."""


class Losses:
    """Counts what listeners miss.

    Args:
        say: reports to a person the first event that each of them misses; without it, the log gets that.
    """

    def __init__(self, say: Callable[[str], object] | None = None) -> None:
        self._say = say
        self._lock = threading.Lock()
        self._counts: Counter[str] = Counter()
        self._why: dict[str, str] = {}

    @property
    def counts(self) -> Mapping[str, int]:
        """How many each has missed so far, by its name."""
        with self._lock:
            return dict(self._counts)

    def lost(self, name: str, why: str | Exception, count: int = 1) -> None:
        """Note that a listener missed something.

        Args:
            name: of the listener, as a person knows it.
            why: a sentence, or what it raised.
            count: how many events.
        """
        said = why if isinstance(why, str) else _sentence(why)
        with self._lock:
            first = name not in self._counts
            self._counts[name] += count
            self._why.setdefault(name, said)
        if not first:
            return
        error = why if isinstance(why, Exception) else None
        _log.log(logging.INFO if self._say else logging.WARNING, "%s loses events: %s", name, said, exc_info=error)
        if self._say:
            try:
                self._say(f"events are being lost: {name}: {said}")
            except Exception:
                _log.info("nobody got the warning", exc_info=True)

    def lines(self) -> list[str]:
        """Sum up what was missed, a line for each listener."""
        with self._lock:
            counts = self._counts.items()
            return [f"{count:,} events did not get to {name}: {self._why[name]}" for name, count in counts]


class Outlet(Generic[T]):
    """ToolClient items to somebody who takes them in a thread of its own, so that nobody else waits. A context manager.

    Args:
        name: whose outlet it is, as a person knows it.
        take: is called with every item, in their order.
        losses: counts what it did not take: because it raised, was too slow, or was not done at the end.
        finish: is called in that thread after the last item.
        room: how many items may wait.
        close_s: seconds to wait at the end.
    """

    def __init__(
        self,
        name: str,
        take: Callable[[T], object],
        losses: Losses,
        *,
        finish: Callable[[], object] = lambda: None,
        room: int = ROOM,
        close_s: float = CLOSE_S,
    ) -> None:
        self._name = name
        self._take = take
        self._losses = losses
        self._finish = finish
        self._room = room
        self._close_s = close_s
        self._waiting: deque[T] = deque()
        self._changed = threading.Condition()
        self._closed = False
        self._thread = threading.Thread(target=self._work, name=f"events to {name}", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        """Wait until all was taken, for a while."""
        with self._changed:
            self._closed = True
            self._changed.notify()
        self._thread.join(self._close_s)
        if self._thread.is_alive():
            with self._changed:
                left = len(self._waiting) + 1
                self._waiting.clear()
            self._losses.lost(self._name, f"it did not take them within {self._close_s:g} s at the end", left)

    def put(self, item: T) -> None:
        """Hand an item over; it is lost where too many wait."""
        with self._changed:
            full = len(self._waiting) >= self._room
            if not full:
                self._waiting.append(item)
                self._changed.notify()
        if full:
            self._losses.lost(self._name, f"it is too slow: {self._room:,} events wait for it")

    def _work(self) -> None:
        while True:
            with self._changed:
                while not self._waiting and not self._closed:
                    self._changed.wait()
                if not self._waiting:
                    break
                item = self._waiting.popleft()
            try:
                self._take(item)
            except Exception as error:
                self._losses.lost(self._name, error)
        try:
            self._finish()
        except Exception as error:
            self._losses.lost(self._name, error)


def guarded(listener: Listener, losses: Losses, name: str = "the listener") -> Listener:
    """Give a listener that raises nothing: what the other one raises is a loss."""

    def guard(event: Event) -> None:
        try:
            listener(event)
        except Exception as error:
            losses.lost(name, error)

    return guard


def spread(takers: Iterable[Callable[[TimedEvent], object]]) -> Listener:
    """Give a listener that hands each event to several, with the time; none of them may raise."""
    takers = tuple(takers)

    def hand_over(event: Event) -> None:
        timed = TimedEvent(event, time.time_ns())
        for take in takers:
            take(timed)

    return hand_over


def _sentence(error: Exception) -> str:
    if isinstance(error, OSError) and error.strerror:
        return error.strerror
    return f"{type(error).__name__}: {error}"
