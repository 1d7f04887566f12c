"""A mail server on loopback that takes mail for everybody and sends none on. Not responsible for: who reads it."""

from __future__ import annotations

import asyncio
import itertools
from collections import deque
from collections.abc import AsyncIterator, Collection, Sequence
from contextlib import asynccontextmanager

from aiosmtpd.smtp import SMTP, AuthResult, Envelope, Session

from simulator.errors import MailboxUnreachable
from simulator.tools.mail.message import MAX_BYTES, Mail, read_mail_source

HOST = "127.0.0.1"
_KEPT = 5_000
"""Mails that are kept; older ones are forgotten."""
_TURNS = 5
"""Of the event loop: in the first ones a connection that was just accepted begins, in the last ones it is closed."""


class SmtpSink:
    """Keeps in memory what it is sent.

    Args:
        port: on which it listens.
    """

    pause_s = 0.05

    def __init__(self, port: int) -> None:
        self.words = f"the mailbox at {HOST}:{port}"
        self._mails: deque[Mail] = deque(maxlen=_KEPT)
        self._numbers = itertools.count(1)

    async def ids(self) -> frozenset[str]:
        """Give the ids of all mail that is there."""
        return frozenset(mail.id for mail in self._mails)

    async def find(self, to: str, read: Collection[str]) -> Sequence[Mail]:
        """Give the mail to an address that was not read, the oldest first."""
        return [mail for mail in self._mails if to in mail.to and mail.id not in read]

    async def handle_DATA(self, server: SMTP, session: Session, envelope: Envelope) -> str:
        """Take a mail, as ``aiosmtpd`` calls it."""
        content = envelope.content or b""
        data = content.encode() if isinstance(content, str) else content
        self._mails.append(read_mail_source(data, str(next(self._numbers)), envelope.rcpt_tos))
        return "250 taken"


class _Sessions:
    """The connections that are open."""

    def __init__(self) -> None:
        self._transports: set[asyncio.WriteTransport] = set()
        self._ended = False

    def add(self, transport: asyncio.WriteTransport) -> None:
        self._transports.add(transport)
        if self._ended:
            transport.abort()

    def discard(self, transport: asyncio.WriteTransport) -> None:
        self._transports.discard(transport)

    def end(self) -> None:
        """Cut off those that are open, and those that are about to be."""
        self._ended = True
        for transport in self._transports:
            transport.abort()


class _Session(SMTP):
    """A connection; it takes any user and password."""

    def __init__(self, sink: SmtpSink, sessions: _Sessions) -> None:
        super().__init__(
            sink,
            data_size_limit=10 * MAX_BYTES,
            enable_SMTPUTF8=True,
            hostname="localhost",
            auth_require_tls=False,
            authenticator=lambda *_: AuthResult(success=True),
            loop=asyncio.get_running_loop(),
        )
        self._sessions = sessions

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Note a connection, as asyncio calls it."""
        super().connection_made(transport)
        assert isinstance(transport, asyncio.WriteTransport)
        self._sessions.add(transport)

    def connection_lost(self, error: Exception | None) -> None:
        """Forget a connection, as asyncio calls it."""
        if isinstance(self.transport, asyncio.WriteTransport):
            self._sessions.discard(self.transport)
        super().connection_lost(error)


@asynccontextmanager
async def smtp_sink(port: int) -> AsyncIterator[SmtpSink]:
    """Take mail at a port of this machine.

    Raises:
        MailboxUnreachable: somebody else listens there.
    """
    sink = SmtpSink(port)
    sessions = _Sessions()
    loop = asyncio.get_running_loop()
    try:
        server = await loop.create_server(lambda: _Session(sink, sessions), HOST, port)
    except OSError as error:
        raise MailboxUnreachable(
            f"no mail can be taken at {HOST}:{port} ({error.strerror}): is another program, or another run, "
            "listening there? The mailbox of sim.toml names this smtp_port"
        ) from None
    try:
        yield sink
    finally:
        # First no more is accepted: asyncio leaves open what a server that is closed has accepted a moment before.
        for listening in server.sockets:
            loop.remove_reader(listening.fileno())
        sessions.end()
        for _ in range(_TURNS):
            await asyncio.sleep(0)
        server.close()
        await server.wait_closed()
