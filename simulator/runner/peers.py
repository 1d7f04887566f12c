"""Who waits for whom in a batch: users that use what others have made. Not responsible for: planning whom."""

from __future__ import annotations

import asyncio
from typing import NamedTuple, Protocol

from simulator.agent.contracts import PeerItem, address_name
from simulator.bindings import Bindings
from simulator.recording.rows import VariableKind
from simulator.replay.bind import shared_variables
from simulator.runner.performing.journal import Need
from simulator.template import ADDRESSES


class Source(NamedTuple):
    """Where something came from."""

    run_id: str
    step_id: str | None
    bindings: Bindings
    address: str = ""
    """Where it is, a template of who made it; empty: not known."""


class Board:
    """What each user of a batch has made so far, and who has ended."""

    def __init__(self) -> None:
        self._made: dict[tuple[int, str, int], Source] = {}
        self._ended: set[int] = set()
        self._waiting: set[asyncio.Event] = set()

    def post(self, number: int, task_type: str, index: int, source: Source) -> None:
        """Report that a user has made something."""
        self._made[number, task_type, index] = source
        self._wake()

    def end(self, number: int) -> None:
        """Report that a user makes nothing more."""
        self._ended.add(number)
        self._wake()

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float) -> Source | None:
        """Wait until a user has made something, or has ended without it, or the time is over."""
        key = (number, task_type, index)
        news = asyncio.Event()
        self._waiting.add(news)
        try:
            async with asyncio.timeout(timeout_s):
                while key not in self._made and number not in self._ended:
                    news.clear()
                    await news.wait()
        except TimeoutError:
            return None
        finally:
            self._waiting.discard(news)
        return self._made.get(key)

    def _wake(self) -> None:
        for news in self._waiting:
            news.set()


class Needs(Protocol):
    """Keeps what a run uses of others."""

    last_step: str | None
    """The step that was begun last."""

    def need(self, need: Need) -> None:
        """Note that the next step uses what another run made."""
        ...

    def set_variable(self, name: str, value: str, *, kind: VariableKind) -> None:
        """Store a variable of the run."""
        ...


class RunPeers:
    """The other users of the batch, as one run sees them.

    Args:
        board: of the batch.
        number: this run's place in the batch.
        run_id: this run.
        bindings: this run's variables; those of others are bound into them.
        journal: gets the dependencies.
    """

    def __init__(self, board: Board, *, number: int, run_id: str, bindings: Bindings, journal: Needs) -> None:
        self._board = board
        self._number = number
        self._run_id = run_id
        self._bindings = bindings
        self._journal = journal

    def made(self, task_type: str, index: int, address: str = "") -> None:
        """Let the others know what this run has made with its last step, and where it is."""
        if address:
            self._journal.set_variable(address_name(task_type, index), address, kind="text")
        source = Source(self._run_id, self._journal.last_step, self._bindings, address)
        self._board.post(self._number, task_type, index, source)

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float, known_as: str) -> PeerItem | None:
        """Wait until a user has made something, and bind that user's variables into this run."""
        source = await self._board.wait(number, task_type, index, timeout_s)
        if source is None:
            return None
        own = source.bindings.values() | ({address_name(task_type, index): source.address} if source.address else {})
        values = shared_variables(number, own, source.bindings.naming)
        for name, value in values.items():
            if ADDRESSES not in name:
                self._bindings.set(name, value)
        self._journal.need(Need(source.run_id, source.step_id, known_as))
        return PeerItem(number, task_type, index, values)


class NoPeers:
    """No other users: what is used of theirs is known already."""

    def made(self, task_type: str, index: int, address: str = "") -> None:
        """Nobody waits for it."""

    async def wait(self, number: int, task_type: str, index: int, timeout_s: float, known_as: str) -> PeerItem | None:
        """Give nothing, at once."""
        return None
