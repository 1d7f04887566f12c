"""The requests of one user's browser that can change the site, and what of the user's input each of them carries.

Responsible for hearing of every one, whatever sends it: a form of the document, a script, a beacon, a message on a web
socket. Not responsible for: what it led to on the page.

Of a request with files the browser gives no body: it is asked for. What it does not tell carries what was put into the
form that was sent, and into what is in no form.
"""

from __future__ import annotations

import json
import re
from collections import Counter, deque
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final
from urllib.parse import parse_qsl

from playwright.async_api import BrowserContext, Frame, Page, Request, Response, WebSocket
from playwright.async_api import Error as PlaywrightError

from simulator.addresses import urlsplit
from simulator.browser.effects.model import Initiator
from simulator.browser.effects.sent.calls import is_call
from simulator.browser.effects.sent.objects import Kind
from simulator.browser.effects.sent.payloads import operation_of, parts_of
from simulator.browser.effects.sent.several import Several
from simulator.browser.effects.sent.sockets import Message, asks_only, text_of
from simulator.browser.wire.asked_bodies import AskedBodies
from simulator.browser.wire.bodies import Part, read, split
from simulator.canonical import url_shape

GUARDS: Final = re.compile(r"csrf|token|nonce|authenticity|^_|^(?:utf8|commit|submit)$", re.IGNORECASE)
"""Names of parts that guard a form, or only say that it was sent; it costs a visit where one is not known as that."""
_READING = frozenset({"GET", "HEAD", "OPTIONS"})
_BEACONS = frozenset({"ping", "cspviolationreport"})
_MOST_HEARD = 20
"""How many messages on a socket are kept, and how many after each, as what may answer it: heartbeats come between."""
_FAILED = 400
"""HTTP status from which on nothing was written."""
_MOST_BODY = 2**20
"""Characters of a body beyond which it is not looked into."""


@dataclass(slots=True, eq=False)
class Sent:
    """A writing request that has been sent."""

    action_id: str
    number: int
    """Its place among the writes of its action, from 0."""
    request: Request | Message
    initiator: Initiator
    operation: str = ""
    parts: tuple[tuple[str, str], ...] | None = None
    """Name and text of each part of its body and its query; None where the browser does not say."""
    response: Response | None = None
    leads_to: str = ""
    """Where its answer sent the browser, an absolute address."""
    names: set[str] = field(default_factory=set)
    """What the site calls what was written: ids and addresses that its answer names."""
    named_at: tuple[str, ...] = ()
    """Where the links lead, absolute, with which its answer names what was written."""
    said: set[str] = field(default_factory=set)
    """What in its answer the site has generated, whatever it is called there."""
    unheard: bool = False
    """Whether its answer cannot be read any more: a script has gone to another page with it."""
    told: list[tuple[str, str]] = field(default_factory=list)
    """Path and text of each id in its answer."""
    kinds: frozenset[Kind] = frozenset()
    """Of the objects with an id in the answer to an operation of GraphQL, or to a call."""
    of_data: frozenset[str] = frozenset()
    """The ids in it of things that the page shows by no id, and has fetched."""
    says_data: frozenset[str] = frozenset()
    """What the data of these things says and their cards show."""
    called: frozenset[str] | None = None
    """The words in it by which it names a thing that a page was about, or led to; None until that was asked."""
    several: Several | None = None
    """Those of the ids that it names in one list."""
    there: frozenset[str] = frozenset()
    """What stood at its address before, as far as its page had fetched that."""
    refused: bool = False
    """Whether the site has answered that it did not take it."""
    refused_parts: tuple[str, ...] = ()
    """Of several operations in one request those that were not taken, by how the names of their parts begin."""

    page: str = field(init=False)
    """Absolute address of the document that sent it; empty where it does not say."""

    def __post_init__(self) -> None:
        """Know who sent it: each look at the headers of a request puts them together anew."""
        self.page = self.request.headers.get("referer", "")

    @property
    def form(self) -> str:
        """The form that goes to its address: method and shape of that."""
        address = urlsplit(self.request.url)._replace(scheme="", netloc="", fragment="").geturl()
        return f"{self.request.method.lower()} {url_shape(address)}"

    @property
    def form_of_page(self) -> str:
        """The same of a form without an address, which goes to that of its page; empty where it goes elsewhere."""
        return self.form.partition("?")[0] if self.request.url == self.page.partition("#")[0] else ""

    @property
    def frame(self) -> Frame | None:
        """The frame of a page that sent it, or that shows its answer; None for the page itself."""
        if isinstance(self.request, Message):
            return None
        try:
            frame = self.request.frame
        except PlaywrightError:
            return None  # a worker sent it
        return frame if frame.parent_frame is not None else None

    @property
    def sort(self) -> tuple[str, str]:
        """Which kind of request it is: its method, the shape of its address, and what it calls there."""
        return _kind_of(self)

    @property
    def is_visit(self) -> bool:
        """Whether it is a link that was followed, and that led elsewhere at once."""
        return not isinstance(self.request, Message) and self.request.method == "GET"

    @property
    def answered(self) -> int:
        """The HTTP status of its answer; 0 while there is none."""
        return self.response.status if self.response else 0


class Writes:
    """Listens to the writing requests of one user's context.

    Args:
        origin: scheme, host and port of the site.
        answered: is given what the site has answered, while its action goes on.
    """

    def __init__(self, origin: str, answered: Callable[[Sent], None]) -> None:
        self._origin = origin
        self._answered = answered
        self._action = ""
        self._sent: list[Sent] = []
        self._open: dict[Request, Sent] = {}
        self._counts: Counter[str] = Counter()
        self._aside = False
        self._beside: Page | None = None
        """A page that is only looked at."""
        self._by_itself: set[tuple[str, str]] = set()
        self._habits: set[tuple[str, str]] = set()
        """What pages of the site send without any input: heartbeats, analytics."""
        self._unasked: set[tuple[str, str]] = set()
        self._heard: Counter[tuple[str, str]] = Counter()
        """How often each was sent, by method and shape of the address."""
        self.bodies = AskedBodies()
        """What is sent with files."""
        self.reads_escaped = True
        """Whether a form is read that a script has escaped otherwise than browsers do."""
        self._said: dict[str, deque[Message]] = {}
        """What was said last on each socket, by its address."""

    def attend(self, context: BrowserContext) -> None:
        """Listen to the sockets of a context; who listens to its requests has them heard here."""
        for page in context.pages:
            self._attend_page(page)
        context.on("page", self._attend_page)

    def _attend_page(self, page: Page) -> None:
        page.on("websocket", lambda socket: self._attend_socket(page, socket))

    def _attend_socket(self, page: Page, socket: WebSocket) -> None:
        opened_by = self._action
        socket.on("framesent", lambda payload: self._hear_message(page, socket, payload, opened_by))
        socket.on("framereceived", lambda payload: self._hear_said(socket, payload))

    def acting(self, action_id: str) -> None:
        """Say what the requests from now on belong to."""
        self._action = action_id

    @contextmanager
    def aside(self, page: Page) -> Iterator[None]:
        """Take what is sent meanwhile for what pages send by themselves.

        Args:
            page: is only looked at; so what it sends when it is left again is no write of the user, either.
        """
        self._beside = page
        self._aside, self._by_itself = True, set()
        try:
            yield
        finally:
            self._aside = False

    @property
    def by_itself(self) -> frozenset[tuple[str, str]]:
        """What a page that was only looked at has sent that can change the site: methods, and addresses as they are."""
        return frozenset(self._by_itself)

    def is_incidental(self, method: str, url: str) -> None:
        """Know a request as one that pages send by themselves.

        Args:
            method: of it.
            url: its address; what the site generates in it does not count.
        """
        self._habits.add((method, _shape(url)))

    def asks(self, request: Request) -> Sequence[str] | None:
        """Give the texts that a request by POST says, where pages send such by themselves, or it is a query of GraphQL.

        By JSON-RPC everything goes to one address: what calls there has to say something of what was put in to write.

        None where it may write, or the browser does not say what it sends.
        """
        body = _parts_of(request, escaped=self.reads_escaped)
        if body is None or body.parts is None or (body.operation and not is_call(body.operation)):
            return None
        is_query = body.operation is None or (request.method, _shape(request.url)) in self._habits
        return [text for _, text in body.parts] if is_query else None

    def is_unasked(self, sent: Sent) -> None:
        """Know a request as one that was sent when nothing had been pressed: as the user types, or by a clock."""
        self._unasked.add(_kind_of(sent))

    def rarity(self, sent: Sent) -> int:
        """Return how rare a request is: what is sent at every press reports the press, and does nothing."""
        return -self._heard[_kind_of(sent)]

    def may_be_asked(self, sent: Sent, *, tied: bool) -> bool:
        """Return whether a request may be what the user wanted by pressing something.

        Args:
            sent: the request.
            tied: whether it names what was pressed, or is the form of that.
        """
        if sent.initiator == "beacon" or sent.answered >= _FAILED:
            return False
        return tied or _kind_of(sent) not in self._unasked

    def take(self) -> list[Sent]:
        """Give what was sent since the last call."""
        sent, self._sent = self._sent, []
        return sent

    def take_answered(self) -> list[Sent]:
        """Give of that what the site has answered, and leave the rest."""
        done = [one for one in self._sent if isinstance(one.request, Message) or one.response is not None]
        self._sent = [one for one in self._sent if one not in done]
        return done

    def hear(self, request: Request) -> None:
        """Hear of a request of the context."""
        before = request.redirected_from
        if before is not None and (first := self._open.get(before)) is not None:
            first.leads_to = request.url
            self._open[request] = first
            return
        if before is not None and self._may_be_made_by(before, request) and not self._aside:
            sent = self._take_in(before, "document")
            sent.leads_to, sent.parts = request.url, tuple(parse_qsl(urlsplit(before.url).query))
            self._open[request] = sent
            return
        if request.method in _READING or not self._action or not request.url.startswith("http"):
            return
        body = _parts_of(request, escaped=self.reads_escaped)
        if body is not None and body.operation is None:
            return  # a query by POST
        if self._aside or (self._beside is not None and _comes_from(self._beside, request)):
            if (request.method, _shape(request.url)) not in self._habits:
                self._by_itself.add((request.method, request.url.partition("?")[0]))
            return
        document = request.is_navigation_request()
        initiator: Initiator = "document" if document else "beacon" if request.resource_type in _BEACONS else "fetch"
        sent = self._take_in(request, initiator)
        if body is not None:
            sent.operation, sent.parts = body.operation or "", body.parts
        self._open[request] = sent

    def _may_be_made_by(self, visit: Request, leads_to: Request) -> bool:
        """Return whether a link may have done something: on many a site a link deletes, or votes, and leads back."""
        ours = visit.url.startswith(self._origin) and leads_to.url.startswith(self._origin)
        return (
            bool(self._action) and visit.method == leads_to.method == "GET" and visit.is_navigation_request() and ours
        )

    def _take_in(self, request: Request | Message, initiator: Initiator) -> Sent:
        sent = Sent(self._action, self._counts[self._action], request, initiator)
        self._counts[self._action] += 1
        self._heard[_kind_of(sent)] += 1
        self._sent.append(sent)
        return sent

    def _hear_message(self, page: Page, socket: WebSocket, payload: str | bytes, opened_by: str) -> None:
        """Hear what a page says on a socket; one that is only looked at talks as soon as it is there."""
        if not self._action or self._aside or page is self._beside:
            return
        message = Message.of(socket.url, page.url, payload, opened_by)
        if asks_only(message.text):
            return
        self._said.setdefault(socket.url, deque(maxlen=_MOST_HEARD)).append(message)
        self._take_in(message, "socket").parts = message.parts

    def _hear_said(self, socket: WebSocket, payload: str | bytes) -> None:
        text = text_of(payload)
        for message in self._said.get(socket.url, ()):
            if len(message.heard) < _MOST_HEARD:
                message.heard.append(text)

    def hear_answer(self, response: Response) -> None:
        """Hear of an answer in the context."""
        sent = self._open.get(response.request)
        if sent is None:
            return
        if sent.response is None:
            sent.response = response
            if sent in self._sent:
                self._answered(sent)
        if not 300 <= response.status < 400:
            self._open.pop(response.request)


async def read_bodies(told: Sequence[Sent], bodies: AskedBodies) -> None:
    """Take in what was sent with files, as far as the browser tells.

    Args:
        told: what was sent.
        bodies: asks the browser.
    """
    for sent in told:
        if sent.parts is None and not isinstance(sent.request, Message):
            parts = await bodies.of(sent.request)
            sent.parts = None if parts is None else (*_asked(sent.request), *_texts_of(parts))


def _comes_from(page: Page, request: Request) -> bool:
    """Return whether a page has sent a request."""
    try:
        return request.frame.page is page
    except PlaywrightError:
        return False  # a worker sent it, or a window that is just opening


def _shape(url: str) -> str:
    return url_shape(url).partition("?")[0]


def _kind_of(sent: Sent) -> tuple[str, str]:
    """Return which kind of request it is: all that is said on a socket, or called by JSON-RPC, has one address."""
    request = sent.request
    return request.method, request.kind if isinstance(request, Message) else f"{_shape(request.url)} {sent.operation}"


@dataclass(frozen=True, slots=True)
class _Body:
    parts: tuple[tuple[str, str], ...] | None
    operation: str | None = ""
    """None: it asks, and changes nothing."""


def _parts_of(request: Request, *, escaped: bool) -> _Body | None:
    """Take a request apart, also one that a script has escaped; None where the browser does not say what it sent."""
    asked = _asked(request)
    try:
        data = request.post_data_buffer
    except (PlaywrightError, UnicodeDecodeError):
        return None
    content_type = request.headers.get("content-type", "")
    if data is None:
        return None if content_type.startswith("multipart/") else _Body(tuple(asked))
    if len(data) > _MOST_BODY:
        return None
    parts = (read if escaped else split)(content_type, data)
    if parts is not None:
        return _Body((*asked, *_texts_of(parts)))
    try:
        value = json.loads(data)
    except (ValueError, RecursionError):
        return _Body((*asked, ("", data.decode("utf-8", "replace"))))
    return _Body((*asked, *parts_of(value)), operation_of(value))


def _asked(request: Request) -> list[tuple[str, str]]:
    """Give what the query of a request says."""
    return parse_qsl(urlsplit(request.url).query, keep_blank_values=True)


def _texts_of(parts: Sequence[Part]) -> list[tuple[str, str]]:
    """Give name and text of the parts of a form; of a file its name."""
    return [(one.name, one.filename if one.filename is not None else one.value) for one in parts]
