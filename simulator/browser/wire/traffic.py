"""What one user's browser asks of sites and what it is answered, as it happens.

Responsible for hearing of every exchange, and of all that the browser knows of it. Not responsible for: what it leaves
out of requests (``sent_bodies``), writing an exchange without secrets (``exchange_redaction``), or storing it.

The browser reports nothing of what a page sends while it goes away (a beacon on ``pagehide``), nor the body of an
answer that leads elsewhere. Where its cache answers, the request has no ``Host``: it was never sent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Coroutine, Iterator
from contextlib import contextmanager, suppress
from typing import Any

from playwright.async_api import BrowserContext, CDPSession, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionStart
from simulator.browser.launch.script import SECRET_FIELDS
from simulator.browser.listeners import of_one
from simulator.browser.wire.exchange import MAX_BODY, OWN, Exchange, ExchangeRecorder, Headers, is_cached, length_of
from simulator.browser.wire.exchange_redaction import ExchangeTeller
from simulator.browser.wire.sent_bodies import SentBodies
from simulator.browser.wire.server_values import UrlTemplates
from simulator.browser.wire.withheld import Withheld
from simulator.config.settings import Exchanges

_ENDING_S = 0.5
"""How long an action waits for the end of an answer that has begun, in seconds."""
_REST_S = 3.0
"""How long an action waits for what the browser still has to report of its exchanges, in seconds."""
_LOOK_S = 5.0
"""Seconds that a document may take to report what its fields hold."""
_WITHOUT_BODY = (204, 205, 304)
_STATIC = ("image", "stylesheet", "script", "font")
_KEPT, _MAX_KEPT = 60, 2**18
"""How many answers are known again when a cache gives them, and how large they are, in bytes."""
_MAX_LED = 20
_TELL = "__simSent"
_FORMS = """(() => {
  const tell = window[NAME];
  delete window[NAME];
  if (!tell) return;
  const told = (it) => (typeof it === "string" ? it : { name: it.name, type: it.type, size: it.size });
  const look = ({ target, formData }) => {
    const action = new URL(target.getAttribute("action") || "", document.baseURI).href;
    tell(JSON.stringify([action, [...formData].map(([name, value]) => [name, told(value)])]));
  };
  addEventListener("formdata", look, true);
  addEventListener("formdata", look);
})();""".replace("NAME", json.dumps(_TELL))
"""Reports what a form sends when it is sent: of one with files, the browser reports nothing.

A page may change it, or keep the event from going up: so it is reported before anybody else hears it, and after."""


class Traffic:
    """Listens to the exchanges of one user's browser context.

    Args:
        actor: name of the user.
        level: which of them are recorded.
        others: whether all with other hosts than the site's are recorded, whatever the level.
        origin: the site's scheme, host and port.
        bindings: the run's variables.
        withheld: what is left out of the run's traffic.
        recorder: gets them.
    """

    def __init__(
        self,
        actor: str,
        *,
        level: Exchanges,
        origin: str,
        bindings: Bindings,
        withheld: Withheld,
        recorder: ExchangeRecorder,
        others: bool = False,
    ) -> None:
        self._actor = actor
        self._all = level == "all"
        self._documents = level != "none"
        self._others = others
        self._origin = origin
        self._bindings = bindings
        self._withheld = withheld
        self._recorder = recorder
        self._bodies = SentBodies(recorder.size_of)
        self._open: dict[Request, Exchange] = {}
        self._led: dict[Request, Exchange] = {}
        """Those that are over and may have led elsewhere: the last ones."""
        self._kept: dict[str, tuple[Headers, bytes | None]] = {}
        """Headers and body of what pages are made of, by address: the last ones that came over the wire."""
        self._news = asyncio.Event()
        """Set when one is over."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._asking: set[asyncio.Task[None]] = set()
        self._mistakes: list[BaseException] = []
        """Of this program, while it took in an exchange."""
        self._action: str | None = None
        self._own: tuple[str, ...] = ()
        self._teller: ExchangeTeller | None = None

    async def attend(self, context: BrowserContext, urls: UrlTemplates) -> None:
        """Listen to a context that has visited nothing yet.

        Args:
            context: the user's.
            urls: writes addresses of the run.
        """
        self._teller = ExchangeTeller(self._actor, self._origin, self._bindings, urls, self._withheld)
        context.on("request", of_one(self._sent))
        context.on("response", of_one(self._answered))
        context.on("requestfinished", lambda request: self._over(request, None))
        context.on("requestfailed", lambda request: self._over(request, request.failure or "no reason given"))
        await context.expose_binding(_TELL, lambda source, told: self._bodies.add_form(*json.loads(told)))
        await context.add_init_script(_FORMS)
        if self._all:
            for page in context.pages:
                await self._listen(page)
            context.on("page", lambda page: self._start(self._listen(page)))

    def acting(self, action_id: str, action: ActionStart) -> None:
        """Say what the exchanges from now on belong to."""
        self._action = action_id
        if action.kind == "upload" and action.target is not None:
            given = action.options
            self._bodies.add_upload(action.target.name_attr, str(given["name"]), str(given["sha256"]))

    async def look(self, page: Page) -> None:
        """Take in the password fields of a page: what stands in them is left out, whatever sends it."""
        script = "found => found.map(el => [el.name || '', el.value || ''])"
        for frame in page.frames:
            try:
                # A document whose successor is asked for, and does not come, answers nothing until then.
                async with asyncio.timeout(_LOOK_S):
                    self._withheld.add_fields(await frame.eval_on_selector_all(SECRET_FIELDS, script))
            except (PlaywrightError, TimeoutError):
                continue  # it goes away, or is a document of the browser's own

    @contextmanager
    def own(self, *addresses: str) -> Iterator[None]:
        """Know addresses that this program asks for itself."""
        self._own = addresses
        try:
            yield
        finally:
            self._own = ()

    async def rest(self) -> None:
        """Wait until everything is known of the exchanges that are over, and those that are about to be."""
        ending = [one for one in self._open.values() if one.response and one.awaited]
        with suppress(TimeoutError):
            async with asyncio.timeout(_ENDING_S):
                while any(one.request in self._open for one in ending):
                    self._news.clear()
                    await self._news.wait()
        for one in ending:
            one.awaited = False
        if self._tasks:
            await asyncio.wait(self._tasks, timeout=_REST_S)
        if self._mistakes:
            raise self._mistakes.pop()

    def _start(self, work: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (mistake := task.exception()):
            self._mistakes.append(mistake)

    async def _listen(self, page: Page) -> None:
        """Hear of bodies that scripts put together."""
        try:
            session = await page.context.new_cdp_session(page)
            await session.send("Network.enable")
        except PlaywrightError:
            return  # it has closed already
        session.on("Network.requestWillBeSent", lambda event: self._heard(session, event))

    def _heard(self, session: CDPSession, event: dict[str, Any]) -> None:
        asking = self._bodies.heard(session, event)
        if asking is not None:
            task = self._start(asking)
            self._asking.add(task)
            task.add_done_callback(self._asking.discard)

    def _sent(self, request: Request) -> None:
        if not request.url.startswith("http") or not self._is_wanted(request):
            return
        assert self._teller is not None, "attend a context first"
        before = request.redirected_from
        own = request.url in self._own and request.resource_type == "fetch"
        exchange = Exchange(
            request,
            self._action,
            OWN if own else request.resource_type,
            self._open.get(before) or self._led.get(before) if before else None,
            self._teller.tell,
            awaited=request.resource_type != "eventsource",
            headers=tuple(request.headers.items()),
        )
        self._open[request] = exchange
        self._bodies.begin(request)
        self._recorder.sent(exchange)

    def _answered(self, response: Response) -> None:
        exchange = self._open.get(response.request)
        if exchange is not None:
            exchange.response = response
            exchange.answer_headers = tuple(response.headers.items())
            self._recorder.changed(exchange)

    def _over(self, request: Request, failure: str | None) -> None:
        exchange = self._open.pop(request, None)
        self._news.set()
        if exchange is None:
            return
        if exchange.response and _leads_on(exchange.response):
            self._led = dict([*self._led.items(), (request, exchange)][-_MAX_LED:])
        self._start(self._take(exchange, failure))

    async def _take(self, exchange: Exchange, failure: str | None) -> None:
        """Take in all that the browser knows of an exchange that is over."""
        request, response = exchange.request, exchange.response
        exchange.headers = headers = await _told(request.headers_array(), exchange.headers)
        kept = self._kept.get(request.url) if is_cached(headers) and not failure else None
        exchange.answer_headers, exchange.answer = kept or await asyncio.gather(
            _told(response.headers_array(), exchange.answer_headers) if response else _nothing(),
            self._answer(exchange, failure),
        )
        if not is_cached(headers):
            self._keep(exchange)
        if failure and not (response and _whole_anyway(request, response)):
            exchange.remarks.insert(0, failure)
        if self._asking and request.post_data_buffer is None and length_of(headers):
            await asyncio.wait(self._asking, timeout=_REST_S)
        exchange.parts, exchange.body = self._bodies.of(request, headers)
        if exchange.parts is None and exchange.body is None and (length := length_of(headers)):
            exchange.remarks.append(f"the browser does not give the {length} bytes of the request's body")
        exchange.over = True
        self._recorder.changed(exchange)

    def _keep(self, exchange: Exchange) -> None:
        """Know what came over the wire, for when the browser's cache answers the same."""
        request, body = exchange.request, exchange.answer
        self._kept.pop(request.url, None)
        if request.resource_type in _STATIC and body is not None and len(body) <= _MAX_KEPT:
            newest = list(self._kept.items())[-_KEPT:]
            self._kept = dict([*newest, (request.url, (exchange.answer_headers, body))])

    async def _answer(self, exchange: Exchange, failure: str | None) -> bytes | None:
        request, response = exchange.request, exchange.response
        if response is None or request.method == "HEAD" or response.status in _WITHOUT_BODY or _leads_on(response):
            return None
        length = length_of(tuple(response.headers.items()))
        if length <= MAX_BODY and failure is None:
            try:
                body = await response.body()
            except PlaywrightError:
                exchange.remarks.append("the browser did not keep the body of the answer")
                return None
            if len(body) <= MAX_BODY:
                return body
            length = len(body)
        if failure is None:
            exchange.remarks.append(f"the body of the answer is not kept: {length} bytes are more than {MAX_BODY}")
        return None

    def _is_wanted(self, request: Request) -> bool:
        if self._all or (self._others and not self._on_site(request.url)):
            return True
        return self._documents and request.is_navigation_request()

    def _on_site(self, url: str) -> bool:
        return url.startswith(f"{self._origin}/")


async def _told(asked: Awaitable[list[Any]], known: Headers) -> Headers:
    """Give headers as they were on the wire; those that are known where the browser does not report them any more."""
    try:
        return [(one["name"], one["value"]) for one in await asked]
    except PlaywrightError:
        return known


async def _nothing() -> Headers:
    return ()


def _leads_on(response: Response) -> bool:
    """Return whether an answer sends the browser elsewhere: its body is nobody's to read."""
    return 300 <= response.status < 400 and "location" in response.headers


def _whole_anyway(request: Request, response: Response) -> bool:
    """Return whether an answer is whole though the browser calls it aborted: there is nothing more to come."""
    return request.failure == "net::ERR_ABORTED" and (request.method == "HEAD" or response.status in _WITHOUT_BODY)
