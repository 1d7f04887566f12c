"""Mail that a Mailpit has taken, by its API. Not responsible for: the Mailpit, in which nothing is changed.

https://mailpit.axllent.org/docs/api-v1/: messages are listed newest first. The source of one is read, as that leaves
it marked as unread.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Collection, Mapping, Sequence
from contextlib import asynccontextmanager
from typing import Any

import httpx

from simulator.config import BasicAuth
from simulator.errors import MailboxUnreachable
from simulator.tools.mail.message import Mail, read_mail_source

_PAGE = 200
_TIMEOUT_S = 10.0


class Mailpit:
    """A Mailpit.

    Args:
        url: where it is.
        client: asks it.
    """

    pause_s = 0.25

    def __init__(self, url: str, client: httpx.AsyncClient) -> None:
        self.words = f"the Mailpit at {url}"
        self._url = url
        self._client = client
        self._mails: dict[str, Mail] = {}

    async def version(self) -> str:
        """Return which version answers.

        Raises:
            MailboxUnreachable: none does.
        """
        return str((await self._json("info")).get("Version", "of no version"))

    async def ids(self) -> frozenset[str]:
        """Give the ids of all mail that is there.

        Raises:
            MailboxUnreachable: it does not answer as it should.
        """
        return frozenset([str(one["ID"]) async for one in self._listed("messages")])

    async def find(self, to: str, read: Collection[str]) -> Sequence[Mail]:
        """Give the mail to an address that was not read, the oldest first: what was read is not asked for.

        Raises:
            MailboxUnreachable: it does not answer as it should.
        """
        found = [one async for one in self._listed("search", query=f'to:"{to}"')]
        new = [one for one in reversed(found) if to in _receivers(one) and one["ID"] not in read]
        return [await self._mail(one) for one in new]

    async def _mail(self, told: Mapping[str, Any]) -> Mail:
        id = str(told["ID"])
        if id not in self._mails:
            source = (await self._ask(f"message/{id}/raw")).content
            self._mails[id] = read_mail_source(source, id, _receivers(told))
        return self._mails[id]

    async def _listed(self, what: str, **asked: str) -> AsyncIterator[Mapping[str, Any]]:
        """Give the messages of a list, page by page."""
        start = 0
        while True:
            page = await self._json(what, start=str(start), limit=str(_PAGE), **asked)
            messages = page.get("messages") or []
            for one in messages:
                if not isinstance(one, dict) or "ID" not in one:
                    raise MailboxUnreachable(f"{self.words} lists something that is no message; is it a Mailpit?")
                yield one
            start += len(messages)
            if len(messages) < _PAGE:
                return

    async def _json(self, what: str, **asked: str) -> Mapping[str, Any]:
        answer = await self._ask(what, **asked)
        try:
            told = answer.json()
        except ValueError:
            told = None
        if not isinstance(told, dict):
            raise MailboxUnreachable(f"{self.words} does not answer as a Mailpit does; is this its address?")
        return told

    async def _ask(self, what: str, **asked: str) -> httpx.Response:
        try:
            answer = await self._client.get(f"{self._url}/api/v1/{what}", params=asked)
            answer.raise_for_status()
        except httpx.HTTPStatusError as error:
            raise MailboxUnreachable(f"{self.words} answers with status {error.response.status_code}") from None
        except httpx.HTTPError as error:
            raise MailboxUnreachable(f"{self.words} does not answer: {error or type(error).__name__}") from None
        return answer


def _receivers(told: Mapping[str, Any]) -> list[str]:
    """Give the addresses that a message was sent to."""
    people = [one for kind in ("To", "Cc", "Bcc") for one in told.get(kind) or []]
    return [str(one.get("Address", "")).lower() for one in people if isinstance(one, dict)]


@asynccontextmanager
async def mailpit(url: str, access: BasicAuth | None) -> AsyncIterator[Mailpit]:
    """Ask a Mailpit.

    Raises:
        KeyMissing: the password that it demands is not set.
    """
    auth = (access.username, access.password.reveal()) if access else None
    async with httpx.AsyncClient(trust_env=False, timeout=_TIMEOUT_S, auth=auth) as client:
        yield Mailpit(url, client)
