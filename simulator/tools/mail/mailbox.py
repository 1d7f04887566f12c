"""The mailbox of one run: which mail is new, and waiting for it.

Not responsible for: where mail is kept, or what stands in it.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Collection, Sequence
from typing import TYPE_CHECKING, NamedTuple, Protocol

from simulator.errors import MailboxUnreachable, ToolError

if TYPE_CHECKING:
    from simulator.tools.mail.message import Mail


class Source(Protocol):
    """Where mail arrives."""

    words: str
    """What it is, for people."""
    pause_s: float
    """How long to wait, in seconds, until it is asked again."""

    async def ids(self) -> frozenset[str]:
        """Give the ids of all mail that is there.

        Raises:
            MailboxUnreachable: it cannot be read.
        """
        ...

    async def find(self, to: str, read: Collection[str]) -> Sequence[Mail]:
        """Give the mail to an address, the oldest first.

        Args:
            to: the address, in small letters.
            read: ids of mail that is left out.

        Raises:
            MailboxUnreachable: it cannot be read.
        """
        ...


class Arrived(NamedTuple):
    """A mail that was waited for."""

    mail: Mail
    place: int
    """Which one it was of those that were not read, from 1."""


class Inbox:
    """What a run reads of a mailbox: no mail that was there before it began, and none twice.

    Args:
        source: where the mail arrives.
        known: ids of mail that was there before.
    """

    def __init__(self, source: Source, known: Collection[str] = ()) -> None:
        self._source = source
        self._read = set(known)

    async def receive(self, to: str, about: str, timeout_s: float, *, place: int | None = None) -> Arrived:
        """Wait for a mail that was not read yet, and take the newest, or the one at a place.

        Args:
            to: the address it was sent to.
            about: what its subject holds, in any case; empty: anything.
            timeout_s: how long to wait, in seconds.
            place: which one of those that were not read, from 1; None: the newest that is there.

        Raises:
            ToolError: ``timeout``: there is none; ``unavailable``: the mailbox cannot be read.
        """
        deadline = time.monotonic() + timeout_s
        while True:
            try:
                mails = await self._source.find(to.lower(), self._read)
            except MailboxUnreachable as error:
                raise ToolError("unavailable", str(error)) from error
            fitting = [mail for mail in mails if about.casefold() in mail.subject.casefold()]
            taken = len(fitting) if place is None else place
            if 0 < taken <= len(fitting):
                self._read.update(mail.id for mail in fitting[:taken])
                return Arrived(fitting[taken - 1], taken)
            if time.monotonic() >= deadline:
                sought = f"mail to {to}" + (f" about '{about}'" if about else "")
                there = ", ".join(f"'{mail.subject}'" for mail in mails) or "none"
                raise ToolError(
                    "timeout",
                    f"no new {sought} came within {timeout_s:g} s into {self._source.words}; not read yet: {there}",
                )
            await asyncio.sleep(self._source.pause_s)
