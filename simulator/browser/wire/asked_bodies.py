"""What scripts send as a form with a file: the browser tells that only to who asks, and only of a page it listens to.

Responsible for listening from the moment when a file is given to a page, as nothing else is sent so. Not responsible
for: the bytes of files, or what a form of the document itself sends, which the browser tells nobody.
"""

from __future__ import annotations

import asyncio
import base64
from typing import Any, Final
from weakref import WeakSet

from playwright.async_api import CDPSession, Page, Request
from playwright.async_api import Error as PlaywrightError

from simulator.browser.wire.bodies import Part, boundary_of, read

_PATIENCE_S: Final = 2.0
"""How long the browser may take to tell a body, in seconds; what it has not told then nobody knows."""
_MOST: Final = 50
"""How many bodies are kept that nobody has asked for: those that were sent last."""


class AskedBodies:
    """What one user's scripts have sent with files.

    A request is known by what separates its parts, as no other one has the same.
    """

    def __init__(self) -> None:
        self._pages: WeakSet[Page] = WeakSet()
        self._told: dict[str, asyncio.Task[bytes | None]] = {}

    async def listen(self, page: Page) -> None:
        """Listen to a page that gets a file.

        Args:
            page: it has sent nothing of the file yet.
        """
        if page in self._pages:
            return
        self._pages.add(page)
        try:
            session = await page.context.new_cdp_session(page)
            session.on("Network.requestWillBeSent", lambda event: self._hear(session, event))
            await session.send("Network.enable")
        except PlaywrightError:
            self._pages.discard(page)  # it has closed already

    async def of(self, request: Request) -> tuple[Part, ...] | None:
        """Give the parts of a request, its files without their bytes; None where the browser does not tell.

        Args:
            request: of a script.
        """
        content_type = request.headers.get("content-type", "")
        asked = self._told.pop(boundary_of(content_type), None)
        if asked is None:
            return None
        await asyncio.wait([asked], timeout=_PATIENCE_S)
        data = asked.result() if asked.done() else None
        return None if data is None else read(content_type, data)

    def _hear(self, session: CDPSession, event: dict[str, Any]) -> None:
        request = event["request"]
        named = {name.lower(): value for name, value in request["headers"].items()}
        boundary = boundary_of(named.get("content-type", ""))
        if boundary and request.get("hasPostData") and not request.get("postData"):
            self._told[boundary] = asyncio.create_task(_body(session, event["requestId"]))
            for old in [*self._told][:-_MOST]:
                self._told.pop(old).cancel()


async def _body(session: CDPSession, request_id: str) -> bytes | None:
    """Ask for what a request holds; of files that is nothing."""
    try:
        told = await session.send("Network.getRequestPostData", {"requestId": request_id})
    except PlaywrightError:
        return None  # the page has gone on, or a form of the document sent it
    return base64.b64decode(told["postData"]) if told.get("base64Encoded") else str(told["postData"]).encode()
