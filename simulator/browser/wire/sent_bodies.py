"""Bodies of requests that the browser does not give: of forms with files, and of what scripts put together.

Responsible for putting them together from what the form held, what the script sent and the files that were given, and
for proving it by their length. Not responsible for: what of them is recorded.
"""

from __future__ import annotations

import base64
from collections import Counter
from collections.abc import Callable, Coroutine, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from playwright.async_api import CDPSession, Request
from playwright.async_api import Error as PlaywrightError

from simulator.browser.wire.bodies import Part, boundary_of, join, lines_of_form, split

_MAX_FORMS = 20
_Key = tuple[str, str]
"""Method and address."""


@dataclass(frozen=True, slots=True)
class _Form:
    """What a form sent."""

    action: str
    entries: Sequence[Sequence[Any]]


class SentBodies:
    """What one user's pages sent.

    The browser reports a request in two ways, and nothing in one of them names it in the other: so what goes without
    a body to the same address is counted on both.

    Args:
        size_of: returns the size of a file that was uploaded, by its hash.
    """

    def __init__(self, size_of: Callable[[str], int | None]) -> None:
        self._size_of = size_of
        self._uploads: list[tuple[str, str, str]] = []
        """Name of the field, name of the file and its hash, the last one first."""
        self._forms: list[_Form] = []
        self._begun: Counter[_Key] = Counter()
        self._asked: Counter[_Key] = Counter()
        self._places: dict[Request, int] = {}
        self._told: dict[tuple[_Key, int], bytes] = {}

    def add_upload(self, field: str, name: str, sha256: str) -> None:
        """Know a file that was given to a field."""
        self._uploads.insert(0, (field, name, sha256))

    def add_form(self, action: str, entries: Sequence[Sequence[Any]]) -> None:
        """Know what a form sends: each field with its text, or with name, type and size of its file."""
        self._forms = [*self._forms, _Form(action, entries)][-_MAX_FORMS:]

    def begin(self, request: Request) -> None:
        """Count a request that begins."""
        if not request.post_data_buffer:
            key = request.method, request.url
            self._places[request] = self._begun[key]
            self._begun[key] += 1

    def heard(self, session: CDPSession, event: Mapping[str, Any]) -> Coroutine[Any, Any, None] | None:
        """Count a request that the other way reports.

        Returns:
            What asks for its body, where it has one.
        """
        request = event["request"]
        if request.get("postData"):
            return None
        key = request["method"], request["url"]
        place, self._asked[key] = self._asked[key], self._asked[key] + 1
        return self._ask(session, event["requestId"], (key, place)) if request.get("hasPostData") else None

    async def _ask(self, session: CDPSession, request_id: str, place: tuple[_Key, int]) -> None:
        """Ask for what a script sent; of files it holds nothing."""
        try:
            told = await session.send("Network.getRequestPostData", {"requestId": request_id})
        except PlaywrightError:
            return  # a file itself, or the body of a form that was sent
        data = base64.b64decode(told["postData"]) if told.get("base64Encoded") else told["postData"].encode()
        self._told[place] = data

    def of(self, request: Request, headers: Sequence[tuple[str, str]]) -> tuple[tuple[Part, ...] | None, bytes | None]:
        """Give the body of a request.

        Args:
            request: one that is over.
            headers: as they were sent.

        Returns:
            Its parts, or its bytes where it has none; neither where it has no body, or none that can be proven.
        """
        place = self._places.pop(request, -1)
        named = {name.lower(): value for name, value in headers}
        content_type, length = named.get("content-type", ""), named.get("content-length", "")
        data = request.post_data_buffer
        if data is not None:
            parts = split(content_type, data)
            return parts, None if parts is not None else data
        if not length.isdigit() or length == "0":
            return None, None
        for known in self._candidates(request, content_type, place):
            body = join(content_type, known) if isinstance(known, tuple) else known
            if len(body) == int(length):
                return (known, None) if isinstance(known, tuple) else (None, known)
        return None, None

    def _candidates(self, request: Request, content_type: str, place: int) -> list[tuple[Part, ...] | bytes]:
        """Give what the body may be, the likeliest first."""
        data = self._told.pop(((request.method, request.url), place), None)
        if data is not None:
            parts = split(content_type, data)
            return [data if parts is None else tuple(map(self._filled, parts))]
        if not boundary_of(content_type):
            return []
        newest = self._forms[::-1]
        own = [form for form in newest if form.action == request.url]
        return [tuple(map(self._entry, form.entries)) for form in (own or newest)]

    def _entry(self, entry: Sequence[Any]) -> Part:
        name, value = lines_of_form(entry[0]), entry[1]
        if isinstance(value, str):
            return Part(name, lines_of_form(value))
        part = Part(name, filename=value["name"], media_type=value["type"] or "application/octet-stream", data=b"")
        return self._filled(part, value["size"]) if value["size"] or value["name"] else part

    def _filled(self, part: Part, size: int | None = None) -> Part:
        """Put the file that was given into a part that lacks its bytes."""
        if part.filename is None or part.data:
            return part
        given = [one for one in self._uploads if one[1] == part.filename]
        own = next((one for one in given if one[0] == part.name), given[0] if given else None)
        if own is None:
            return replace(part, data=None, size=size) if size else part
        return replace(part, sha256=own[2], data=None, size=self._size_of(own[2]) or 0)
