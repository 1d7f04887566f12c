"""Mail that a mail server of this machine puts into a maildir. Not responsible for: putting it there.

Files are read where they are, in ``new`` and ``cur``; none is moved. https://cr.yp.to/proto/maildir.html
"""

from __future__ import annotations

import asyncio
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path

from simulator.errors import MailboxUnreachable
from simulator.tools.mail.message import MAX_BYTES, Mail, read_mail_source


class Maildir:
    """A maildir.

    Args:
        folder: which holds ``new`` and ``cur``, once mail has come.
    """

    pause_s = 0.1

    def __init__(self, folder: Path) -> None:
        self.words = f"the maildir {folder}"
        self._folder = folder
        self._mails: dict[str, Mail] = {}

    async def ids(self) -> frozenset[str]:
        """Give the ids of all mail that is there.

        Raises:
            MailboxUnreachable: the folder cannot be read.
        """
        return frozenset(id for _, id, _ in await asyncio.to_thread(lambda: list(self._files())))

    async def find(self, to: str, read: Collection[str]) -> Sequence[Mail]:
        """Give the mail to an address that was not read, the oldest first.

        Raises:
            MailboxUnreachable: the folder cannot be read.
        """
        return [mail for mail in await asyncio.to_thread(self._read) if to in mail.to and mail.id not in read]

    def _read(self) -> list[Mail]:
        found: list[Mail] = []
        for _, id, file in sorted(self._files()):
            if id not in self._mails:
                try:
                    with file.open("rb") as opened:
                        self._mails[id] = read_mail_source(opened.read(MAX_BYTES), id)
                except FileNotFoundError:
                    continue  # its reader has moved it meanwhile: it is found at its new place the next time
                except OSError as error:
                    raise MailboxUnreachable(f"the mail {file} cannot be read: {error.strerror}") from error
            found.append(self._mails[id])
        return found

    def _files(self) -> Iterator[tuple[int, str, Path]]:
        """Give each mail: when it came, what its name stays when it is moved and marked, and where it is."""
        for folder in (self._folder / "new", self._folder / "cur"):
            try:
                for file in folder.iterdir():
                    if not file.name.startswith("."):
                        yield file.stat().st_mtime_ns, file.name.partition(":")[0], file
            except FileNotFoundError:
                if not self._folder.is_dir():
                    raise MailboxUnreachable(f"there is no maildir {self._folder}") from None
            except OSError as error:
                raise MailboxUnreachable(f"the maildir {folder} cannot be read: {error.strerror}") from error
