"""What is sent with a file: the browser tells that only to who asks, and only of a page that is listened to.

Responsible for listening from the moment when a file is given to a page, as nothing else is sent so. Not responsible
for: the bytes of files.
"""

from __future__ import annotations

import asyncio
import base64
import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from typing import Any, Final
from weakref import WeakKeyDictionary

from playwright.async_api import CDPSession, Page, Request
from playwright.async_api import Error as PlaywrightError

from simulator.browser.listeners import of_one
from simulator.browser.wire.bodies import Part, boundary_of, read

_PATIENCE_S: Final = 2.0
"""How long the browser may take to tell a body, in seconds; what it has not told then nobody knows."""
_MOST: Final = 50
"""How many bodies are kept that nobody has asked for: those that were sent last."""
_WORLD: Final = "simulator-forms"
"""The scripts of the page see nothing of what runs there."""
_TELL: Final = "tellForm"
_FORMS: Final = f"""(() => {{
  if (globalThis.hears) return;
  globalThis.hears = true;
  const told = (it) => (typeof it === "string" ? it : null);
  const look = ({{ target, formData }}) => {{
    const entries = [...formData].map(([name, value]) => [name, told(value), value.name || ""]);
    {_TELL}(JSON.stringify([new URL(target.getAttribute("action") || "", document.baseURI).href, entries]));
  }};
  addEventListener("formdata", look, true);
  addEventListener("formdata", look);
}})()"""
"""Tells what a form sends. A page may change it, or keep the event from going up: so it is told before anybody else
hears it, and after."""


class AskedBodies:
    """What one user has sent with files.

    What a script sends is known by what separates its parts, as no other request has the same. What a form of the
    document sends is the last that a form has told.
    """

    def __init__(self) -> None:
        self._sessions: WeakKeyDictionary[Page, CDPSession] = WeakKeyDictionary()
        self._told: dict[str, asyncio.Task[bytes | None]] = {}
        self._forms: list[tuple[str, tuple[Part, ...]]] = []

    async def listen(self, page: Page) -> None:
        """Listen to a page that gets a file.

        Args:
            page: it has sent nothing of the file yet.
        """
        try:
            session = self._sessions.get(page) or await self._session_of(page)
            tree = (await session.send("Page.getFrameTree"))["frameTree"]
            for frame in _frames_in(tree):
                world = {"frameId": frame, "worldName": _WORLD}
                context = (await session.send("Page.createIsolatedWorld", world))["executionContextId"]
                # By its name the world would have it only for who hears of all contexts of the page.
                await session.send("Runtime.addBinding", {"name": _TELL, "executionContextId": context})
                await session.send("Runtime.evaluate", {"expression": _FORMS, "contextId": context})
        except PlaywrightError:
            return  # it has closed already, or a frame in it goes on

    async def _session_of(self, page: Page) -> CDPSession:
        session = await page.context.new_cdp_session(page)

        def hear(event: dict[str, Any]) -> None:
            self._hear(session, event)

        session.on("Network.requestWillBeSent", of_one(hear))
        session.on("Runtime.bindingCalled", of_one(self._hear_form))
        await session.send("Network.enable")
        self._sessions[page] = session
        page.once("domcontentloaded", self._leave)
        return session

    async def _leave(self, page: Page) -> None:
        """Listen no more to a page whose next document has come: the file is not there any more."""
        if session := self._sessions.pop(page, None):
            with suppress(PlaywrightError):  # the page has closed
                await session.detach()

    async def of(self, request: Request) -> tuple[Part, ...] | None:
        """Give the parts of a request, its files without their bytes; None where the browser does not tell.

        Args:
            request: with a file.
        """
        if request.is_navigation_request():
            return self._of_form(request)
        content_type = request.headers.get("content-type", "")
        asked = self._told.pop(boundary_of(content_type), None)
        if asked is None:
            return None
        await asyncio.wait([asked], timeout=_PATIENCE_S)
        data = asked.result() if asked.done() else None
        return None if data is None else read(content_type, data)

    def _of_form(self, request: Request) -> tuple[Part, ...] | None:
        """Give what a form has told last that goes to the address of a request; its button may send it elsewhere."""
        own = [parts for action, parts in self._forms if action == request.url]
        told = own or [parts for _, parts in self._forms]
        self._forms.clear()
        return told[-1] if told else None

    def _hear(self, session: CDPSession, event: Mapping[str, Any]) -> None:
        request = event["request"]
        named = {name.lower(): value for name, value in request["headers"].items()}
        boundary = boundary_of(named.get("content-type", ""))
        if boundary and request.get("hasPostData") and not request.get("postData"):
            self._told[boundary] = asyncio.create_task(_body(session, event["requestId"]))
            for old in [*self._told][:-_MOST]:
                self._told.pop(old).cancel()

    def _hear_form(self, event: Mapping[str, Any]) -> None:
        if event["name"] == _TELL:
            action, entries = json.loads(event["payload"])
            parts = tuple(
                Part(name, text) if text is not None else Part(name, filename=file) for name, text, file in entries
            )
            self._forms = [*self._forms, (action, parts)][-_MOST:]


def _frames_in(tree: Mapping[str, Any]) -> Iterator[str]:
    yield tree["frame"]["id"]
    for child in tree.get("childFrames", ()):
        yield from _frames_in(child)


async def _body(session: CDPSession, request_id: str) -> bytes | None:
    """Ask for what a request holds; of files that is nothing."""
    try:
        told = await session.send("Network.getRequestPostData", {"requestId": request_id})
    except PlaywrightError:
        return None  # the page has gone on, or a form of the document sent it
    return base64.b64decode(told["postData"]) if told.get("base64Encoded") else str(told["postData"]).encode()
