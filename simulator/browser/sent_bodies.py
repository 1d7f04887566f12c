"""Bodies of requests that the browser does not tell: of forms with files, and of what scripts put together.

Responsible for putting them together from what the form held, what the script sent and the files that were given, and
for proving it by their length. Not responsible for: what of them is told.
"""

from __future__ import annotations

import base64
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

from playwright.async_api import CDPSession, Request
from playwright.async_api import Error as PlaywrightError

from simulator.browser.bodies import Part, boundary_of, join, lines_of_form, split

_MAX_FORMS = 20
_MAX_ASKED = 100


class SentBodies:
    """What one user's pages sent.

    Args:
        size_of: tells the size of a file that was uploaded, by its hash.
    """

    def __init__(self, size_of: Callable[[str], int | None]) -> None:
        self._size_of = size_of
        self._uploads: list[tuple[str, str, str]] = []
        """Name of the field, name of the file and its hash, the last one first."""
        self._forms: list[Sequence[Sequence[Any]]] = []
        self._asked: list[tuple[str, str, bytes]] = []
        """Method, address and body."""

    def add_upload(self, field: str, name: str, sha256: str) -> None:
        """Know a file that was given to a field."""
        self._uploads.insert(0, (field, name, sha256))

    def add_form(self, entries: Sequence[Sequence[Any]]) -> None:
        """Know what a form sends: each field with its text, or with name, type and size of its file."""
        self._forms = [*self._forms, entries][-_MAX_FORMS:]

    async def ask(self, session: CDPSession, request_id: str, method: str, url: str) -> None:
        """Ask for what a script sent; of files it holds nothing."""
        try:
            told = await session.send("Network.getRequestPostData", {"requestId": request_id})
        except PlaywrightError:
            return  # a file itself, or the body of a form that was sent
        data = base64.b64decode(told["postData"]) if told.get("base64Encoded") else told["postData"].encode()
        self._asked = [*self._asked, (method, url, data)][-_MAX_ASKED:]

    def of(self, request: Request, headers: Sequence[tuple[str, str]]) -> tuple[tuple[Part, ...] | None, bytes | None]:
        """Give the body of a request.

        Args:
            request: one that is over.
            headers: as they were sent.

        Returns:
            Its parts, or its bytes where it has none; neither where it has no body, or none that can be proven.
        """
        named = {name.lower(): value for name, value in headers}
        content_type, length = named.get("content-type", ""), named.get("content-length", "")
        data = request.post_data_buffer
        if data is not None:
            parts = split(content_type, data)
            return parts, None if parts is not None else data
        if not length.isdigit() or length == "0":
            return None, None
        for known in self._candidates(request, content_type):
            body = join(content_type, known) if isinstance(known, tuple) else known
            if len(body) == int(length):
                return (known, None) if isinstance(known, tuple) else (None, known)
        return None, None

    def _candidates(self, request: Request, content_type: str) -> list[tuple[Part, ...] | bytes]:
        """Give what the body may be, the likeliest first."""
        found: list[tuple[Part, ...] | bytes] = []
        for method, url, data in reversed(self._asked):
            if (method, url) == (request.method, request.url):
                parts = split(content_type, data)
                found.append(data if parts is None else tuple(map(self._filled, parts)))
        if boundary_of(content_type):
            found += [tuple(map(self._entry, form)) for form in reversed(self._forms)]
        return found

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
