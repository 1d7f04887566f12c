"""Other ids in the shop's addresses, forms and pages than in its database: numbers from elsewhere on, or UUIDs."""

from __future__ import annotations

import re
import uuid
from collections.abc import Callable
from hashlib import sha256

from starlette.datastructures import MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from simulator.demo.mutations.serving import rewriting

OFFSET = 3
"""Small, so that most ids of the changed shop are those of other things of the unchanged one."""

_ID = r"([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}|\d+)"
_SHOWN = re.compile(
    rf'(/books/|/this-or-that/|[?&;](?:listing|first|second)=|name="listing" value="|<option value="|"book-){_ID}\b'
)
_SENT = re.compile(
    rf"(/books/|/this-or-that/|next=%2F(?:books|this-or-that)%2F|(?:^|[?&])(?:listing|first|second)=){_ID}\b"
)
_LOW = 2**62 - 1


class OtherIds:
    """Gives everything another id.

    Args:
        app: the shop.
        encode: the id that is shown for one of the database.
        decode: the id of the database for one that was shown.
    """

    def __init__(self, app: ASGIApp, encode: Callable[[int], str], decode: Callable[[str], int]) -> None:
        self._app = app
        self._encode = encode
        self._decode = decode

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Pass the request on."""
        scope = dict(scope)
        scope["path"] = self._inwards(scope["path"])
        scope["raw_path"] = scope["path"].encode()
        scope["query_string"] = self._inwards(scope["query_string"].decode()).encode()
        headers = MutableHeaders(scope=scope)
        if headers.get("content-type", "").startswith("application/x-www-form-urlencoded"):
            receive = await self._form(receive, headers)

        async def send_shown(message: Message) -> None:
            if message["type"] == "http.response.start":
                answer = MutableHeaders(scope=message)
                if "location" in answer:
                    answer["location"] = self._outwards(answer["location"])
            await send(message)

        await self._app(scope, receive, rewriting(send_shown, self._outwards))

    async def _form(self, receive: Receive, headers: MutableHeaders) -> Receive:
        body, more = b"", True
        while more:
            message = await receive()
            body += message.get("body", b"")
            more = message.get("more_body", False)
        body = self._inwards(body.decode()).encode()
        headers["content-length"] = str(len(body))
        whole: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive_form() -> Message:
            return whole.pop() if whole else await receive()

        return receive_form

    def _inwards(self, text: str) -> str:
        return _SENT.sub(lambda found: f"{found.group(1)}{self._decode(found.group(2))}", text)

    def _outwards(self, text: str) -> str:
        def shown(found: re.Match[str]) -> str:
            return found.group(1) + self._encode(int(found.group(2))) if found.group(2).isdigit() else found.group(0)

        return _SHOWN.sub(shown, text)


def offset(app: ASGIApp) -> ASGIApp:
    """Number everything from elsewhere on, as on a site where others have been before."""
    return OtherIds(
        app, lambda number: str(number + OFFSET), lambda shown: max(0, int(shown) - OFFSET) if shown.isdigit() else 0
    )


def uuids(app: ASGIApp) -> ASGIApp:
    """Give everything a UUID."""
    return OtherIds(app, _uuid_of, _number_of)


def _uuid_of(number: int) -> str:
    high = int.from_bytes(sha256(str(number).encode()).digest()[:8], "big")
    return str(uuid.UUID(int=(high << 64) | (number ^ _LOW), version=4))


def _number_of(shown: str) -> int:
    number = 0 if shown.isdigit() else (uuid.UUID(shown).int & _LOW) ^ _LOW
    return number if _uuid_of(number) == shown else 0
