"""Opens the mailbox that ``sim.toml`` names. Not responsible for: any kind of it."""

from __future__ import annotations

from contextlib import AbstractAsyncContextManager, nullcontext
from typing import TYPE_CHECKING

from simulator.config.mailbox import Mailbox

if TYPE_CHECKING:
    from simulator.tools.mail.mailbox import Source


def open_mailbox(section: Mailbox) -> AbstractAsyncContextManager[Source]:
    """Open a mailbox.

    Raises:
        MailboxUnreachable: its port is taken.
        KeyMissing: the password that it demands is not set.
    """
    # Only what is used is imported: nobody who has no such mailbox waits for a mail server to be loaded.
    if section.smtp_port is not None:
        from simulator.tools.mail.sink import smtp_sink

        return smtp_sink(section.smtp_port)
    if section.mailpit is not None:
        from simulator.tools.mail.mailpit import mailpit

        return mailpit(section.mailpit, section.basic_auth)
    from simulator.tools.mail.maildir import Maildir

    assert section.maildir is not None
    return nullcontext(Maildir(section.maildir))
