"""What one user's browser asks of sites and what it is answered, as it happens.

Responsible for hearing of every exchange, putting together what the browser leaves out of it, and writing it without
secrets. Not responsible for: storing it, or what is secret by its name (``withheld``).

The browser tells nothing of what a page sends while it goes away (a beacon on ``pagehide``), nor the body of an answer
that leads elsewhere. Where its cache answers, the request has no ``Host``: it was never sent.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from typing import Any, Protocol

from playwright.async_api import BrowserContext, CDPSession, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from simulator.browser.bodies import Part
from simulator.browser.minted import UrlTemplates
from simulator.browser.script import SECRET_FIELDS
from simulator.browser.sent_bodies import SentBodies
from simulator.browser.sink import ActionStart
from simulator.browser.withheld import Withheld
from simulator.config.settings import Exchanges
from simulator.template import Bindings, literal

ORIGIN = "{{site.origin}}"
"""Stands for scheme, host and port of the site, which are told of a run once: in its environment."""
HOST = "{{site.host}}"
OWN = "simulator"
"""Initiator of what this program itself looks up."""
MAX_BODY = 2 * 2**20
"""Bytes of a body beyond which it is not kept."""
_ENDING_S = 0.5
"""How long an action waits for the end of an answer that has begun, in seconds."""
_REST_S = 3.0
"""How long an action waits for what the browser still has to tell of its exchanges, in seconds."""
_PHASES = {
    "domainLookupStart": "lookup",
    "connectStart": "connect",
    "secureConnectionStart": "secure",
    "connectEnd": "connected",
    "requestStart": "sent",
    "responseStart": "answered",
    "responseEnd": "ended",
}
_WITHOUT_BODY = (204, 205, 304)
_MAX_LED = 20
_TELL = "__simSent"
_FORMS = """(() => {
  const tell = window[NAME];
  delete window[NAME];
  if (!tell) return;
  const told = (it) => (typeof it === "string" ? it : { name: it.name, type: it.type, size: it.size });
  const look = ({ target, formData }) => {
    tell(JSON.stringify([target.action, [...formData].map(([name, value]) => [name, told(value)])]));
  };
  addEventListener("formdata", look, true);
  addEventListener("formdata", look);
})();""".replace("NAME", json.dumps(_TELL))
"""Tells what a form sends when it is sent: of one with files, the browser tells nothing.

A page may change it, or keep the event from going up: so it is told before anybody else hears of it, and after."""


@dataclass(frozen=True, slots=True)
class WrittenExchange:
    """An exchange as it is stored, but for the secrets that the vault knows."""

    actor: str
    action_id: str | None
    initiator: str
    method: str
    url: str
    """A template; relative where it is on the site."""
    request_headers: Sequence[tuple[str, str]]
    request_parts: Sequence[dict[str, Any]] | None
    """Each with its ``name``, and ``value`` as a template or ``file``: a hash, or bytes; None where nobody knows them.
    Besides ``filename`` and ``type``."""
    request_body: bytes | None
    request_type: str
    status: int
    response_headers: Sequence[tuple[str, str]]
    response_body: bytes | None
    response_type: str
    error: str | None
    timings: dict[str, float]


@dataclass(slots=True, eq=False)
class Exchange:
    """One request and its answer, as far as they have come."""

    request: Request
    action_id: str | None
    initiator: str
    redirect_of: Exchange | None
    write: Callable[[Exchange], WrittenExchange]
    headers: Sequence[tuple[str, str]] = ()
    parts: tuple[Part, ...] | None = None
    body: bytes | None = None
    """Of the request, where it has no parts."""
    response: Response | None = None
    answer_headers: Sequence[tuple[str, str]] = ()
    answer: bytes | None = None
    awaited: bool = True
    """Whether its end is worth waiting for, once its answer has begun: one that goes on is waited for once."""
    over: bool = False
    """Whether nothing more comes."""
    remarks: list[str] = field(default_factory=list)
    """Why no answer came, or what is not kept of it."""
    id: str = ""
    """As the sink knows it."""

    def written(self) -> WrittenExchange:
        """Write it as it is stored, as it is now."""
        return self.write(self)


class ExchangeSink(Protocol):
    """Gets exchanges in the order in which they were sent."""

    def sent(self, exchange: Exchange) -> None:
        """Take in one that begins."""
        ...

    def changed(self, exchange: Exchange) -> None:
        """Note that more is known of one."""
        ...

    def size_of(self, sha256: str) -> int | None:
        """Tell the size of a file that was uploaded, in bytes."""
        ...


class Traffic:
    """Hears of the exchanges of one user's browser context.

    Args:
        actor: name of the user.
        level: which of them are recorded.
        others: whether all with other hosts than the site's are recorded, whatever the level.
        origin: the site's scheme, host and port.
        bindings: the run's variables.
        withheld: what is not told of the run's traffic.
        sink: gets them.
    """

    def __init__(
        self,
        actor: str,
        *,
        level: Exchanges,
        origin: str,
        bindings: Bindings,
        withheld: Withheld,
        sink: ExchangeSink,
        others: bool = False,
    ) -> None:
        self._actor = actor
        self._all = level == "all"
        self._documents = level != "none"
        self._others = others
        self._origin = origin
        self._host = origin.partition("://")[2]
        self._bindings = bindings
        self._withheld = withheld
        self._sink = sink
        self._bodies = SentBodies(sink.size_of)
        self._open: dict[Request, Exchange] = {}
        self._led: dict[Request, Exchange] = {}
        """Those that are over and may have led elsewhere: the last ones."""
        self._news = asyncio.Event()
        """Set when one is over."""
        self._tasks: set[asyncio.Task[None]] = set()
        self._asking: set[asyncio.Task[None]] = set()
        self._mistakes: list[BaseException] = []
        """Of this program, while it took in an exchange."""
        self._action: str | None = None
        self._own: str | None = None
        self._urls: UrlTemplates | None = None

    async def attend(self, context: BrowserContext, urls: UrlTemplates) -> None:
        """Listen to a context that has visited nothing yet.

        Args:
            context: the user's.
            urls: writes addresses of the run.
        """
        self._urls = urls
        context.on("request", self._sent)
        context.on("response", self._answered)
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
        """Take in the password fields of a page: what stands in them is not told, whatever sends it."""
        script = "found => found.map(el => [el.name || '', el.value || ''])"
        for frame in page.frames:
            try:
                self._withheld.add_fields(await frame.eval_on_selector_all(SECRET_FIELDS, script))
            except PlaywrightError:
                continue  # it goes away, or is a document of the browser's own

    @contextmanager
    def own(self, address: str) -> Iterator[None]:
        """Know an address that this program asks for itself."""
        self._own = address
        try:
            yield
        finally:
            self._own = None

    async def rest(self) -> None:
        """Wait until everything is told of the exchanges that are over, and those that are about to be."""
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
        before = request.redirected_from
        own = self._own is not None and request.url == self._own and request.resource_type == "fetch"
        exchange = Exchange(
            request,
            self._action,
            OWN if own else request.resource_type,
            self._open.get(before) or self._led.get(before) if before else None,
            self._written,
            awaited=request.resource_type != "eventsource",
            headers=tuple(request.headers.items()),
        )
        self._open[request] = exchange
        self._bodies.begin(request)
        self._sink.sent(exchange)

    def _answered(self, response: Response) -> None:
        exchange = self._open.get(response.request)
        if exchange is not None:
            exchange.response = response
            exchange.answer_headers = tuple(response.headers.items())
            self._sink.changed(exchange)

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
        headers, answer_headers, answer = await asyncio.gather(
            _told(request.headers_array(), exchange.headers),
            _told(response.headers_array(), exchange.answer_headers) if response else _nothing(),
            self._answer(exchange, failure),
        )
        exchange.headers, exchange.answer_headers, exchange.answer = headers, answer_headers, answer
        if failure and not (response and _whole_anyway(request, response)):
            exchange.remarks.insert(0, failure)
        if self._asking and request.post_data_buffer is None and _length(headers):
            await asyncio.wait(self._asking, timeout=_REST_S)
        exchange.parts, exchange.body = self._bodies.of(request, headers)
        if exchange.parts is None and exchange.body is None and (length := _length(headers)):
            exchange.remarks.append(f"the browser does not tell the {length} bytes of the request's body")
        exchange.over = True
        self._sink.changed(exchange)

    async def _answer(self, exchange: Exchange, failure: str | None) -> bytes | None:
        request, response = exchange.request, exchange.response
        if response is None or request.method == "HEAD" or response.status in _WITHOUT_BODY or _leads_on(response):
            return None
        length = _length(tuple(response.headers.items()))
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

    def _written(self, exchange: Exchange) -> WrittenExchange:
        assert self._urls is not None, "attend a context first"
        request, response, hide = exchange.request, exchange.response, self._withheld
        url = request.url.removeprefix(self._origin) if self._on_site(request.url) else request.url
        body, parts = exchange.body, None
        if exchange.parts is not None:
            parts = [self._part(part) for part in exchange.parts]
        elif body is not None and len(body) > MAX_BODY:
            exchange.remarks.append(f"the request's body is not kept: {len(body)} bytes are more than {MAX_BODY}")
            body = None
        elif body is not None and (text := readable(body)) is not None:
            body = self._template(hide.text(literal(text))).encode("utf-8", "surrogateescape")
        answer = exchange.answer
        if answer is not None and (text := readable(answer)) is not None:
            answer = self._placeless(hide.text(text)).encode("utf-8", "surrogateescape")
        cached = bool(exchange.headers) and not any(
            name.lower() in ("host", ":authority") for name, _ in exchange.headers
        )
        timing: dict[str, Any] = dict(request.timing)
        timings = {name: round(timing[phase], 3) for phase, name in _PHASES.items() if timing.get(phase, -1) >= 0}
        over = exchange.over
        return WrittenExchange(
            actor=self._actor,
            action_id=exchange.action_id,
            initiator=exchange.initiator,
            method=request.method,
            url=self._placeless(self._urls.recognise(hide.url(url))),
            request_headers=self._headers(exchange.headers),
            request_parts=parts,
            request_body=body,
            request_type=_named(exchange.headers, "content-type"),
            status=response.status if response else 0,
            response_headers=self._headers(exchange.answer_headers),
            response_body=answer,
            response_type=_named(exchange.answer_headers, "content-type"),
            error="; ".join(exchange.remarks) or (None if over else "it had not ended when this was recorded"),
            timings=timings if over and not cached else {},
        )

    def _headers(self, headers: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
        shown = self._withheld.headers([(name, literal(value)) for name, value in headers])
        return [(name, self._template(value)) for name, value in shown]

    def _part(self, part: Part) -> dict[str, Any]:
        told: dict[str, Any] = {"name": part.name}
        if part.filename is not None:
            told |= {"filename": self._template(literal(part.filename)), "file": part.sha256 or part.data}
        else:
            told["value"] = self._template(self._withheld.value(part.name, literal(part.value)))
        return told | ({"type": part.media_type} if part.media_type else {})

    def _template(self, text: str) -> str:
        return self._bindings.recognise(self._placeless(text))

    def _placeless(self, text: str) -> str:
        """Write a text without the place of the site: it is told of a run once, in its environment."""
        text = text.replace(self._origin, ORIGIN)
        return HOST if text == self._host else text

    def _is_wanted(self, request: Request) -> bool:
        if self._all or (self._others and not self._on_site(request.url)):
            return True
        return self._documents and request.is_navigation_request()

    def _on_site(self, url: str) -> bool:
        return url.startswith(f"{self._origin}/")


def readable(data: bytes) -> str | None:
    """Give bytes as the text that they are; None where they are none."""
    if b"\0" in data:
        return None
    try:
        return data.decode()
    except UnicodeDecodeError:
        return None


async def _told(asked: Awaitable[list[Any]], known: Sequence[tuple[str, str]]) -> Sequence[tuple[str, str]]:
    """Give headers as they were on the wire; those that are known where the browser does not tell them any more."""
    try:
        return [(one["name"], one["value"]) for one in await asked]
    except PlaywrightError:
        return known


async def _nothing() -> Sequence[tuple[str, str]]:
    return ()


def _named(headers: Sequence[tuple[str, str]], name: str) -> str:
    return next((value for key, value in headers if key.lower() == name), "")


def _length(headers: Sequence[tuple[str, str]]) -> int:
    value = _named(headers, "content-length")
    return int(value) if value.isdigit() else 0


def _leads_on(response: Response) -> bool:
    """Tell whether an answer sends the browser elsewhere: its body is nobody's to read."""
    return 300 <= response.status < 400 and "location" in response.headers


def _whole_anyway(request: Request, response: Response) -> bool:
    """Tell whether an answer is whole though the browser calls it aborted: there is nothing more to come."""
    return request.failure == "net::ERR_ABORTED" and (request.method == "HEAD" or response.status in _WITHOUT_BODY)
