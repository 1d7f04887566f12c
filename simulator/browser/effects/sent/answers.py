"""What the answer to a writing request says: what the site calls what was written, and what of it was refused.

Not responsible for: what a page says after it (``refused``), or hearing of answers (``writes``).
"""

from __future__ import annotations

import json
import re
from collections import deque
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from contextlib import suppress
from dataclasses import replace
from itertools import islice
from typing import Any, Final
from urllib.parse import SplitResult, parse_qsl

from playwright.async_api import Error as PlaywrightError

from simulator.addresses import urljoin, urlsplit
from simulator.browser.effects.addresses import generated_in, id_in
from simulator.browser.effects.sent.calls import given_by, has_failed, is_call, service_of
from simulator.browser.effects.sent.carried import last_step
from simulator.browser.effects.sent.objects import NAMES_IT, Kind, objects
from simulator.browser.effects.sent.payloads import MOST_PARTS, leaves
from simulator.browser.effects.sent.sockets import Message, names_beside
from simulator.browser.effects.sent.writes import Sent
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched
from simulator.browser.wire.markup import Element, elements_of
from simulator.canonical import is_generated, url_shape
from simulator.meaning import find_in

REFUSED: Final = 400
"""HTTP status from which on nothing was written."""
_MOST_ANSWER = 2**16
"""Bytes of an answer beyond which it is not looked into."""
_WRONG = ("errors", "validation_errors", "invalid-params", "violations")
"""Under which names answers in JSON say what is wrong, as the reader of refusals has them (``page/7_refusals.js``)."""
_OWN_ERRORS = re.compile(r"errors$", re.IGNORECASE)
_IN_MARKUP: Final = "<>"
"""Path of an id in an answer that is HTML."""
_SAYS = 3
"""Characters from which on a text says what was put in."""
_KIND_OF_OBJECT = "__typename"
_MOST_UNREAD = 8
"""How many requests that carry nothing are kept, for who asks what their answers tell."""


async def learn_answer(
    sent: Sent,
    inputs: Sequence[UserInput] = (),
    *,
    returns_apart: bool = True,
    by_data: bool = True,
    known: Callable[[str], bool] | None = None,
) -> None:
    """Take in what the site calls what was written, and what it refused.

    That says where its answer leads, JSON, and a piece of HTML that a script has asked for.

    Args:
        sent: the request.
        inputs: what it carried.
        returns_apart: whether what only the address says that the request itself had named is no id.
        by_data: whether of several objects in JSON only those count that say what was put in, where some do.
        known: whether a page has called something by an id; None: HTML does not count.
    """
    if isinstance(sent.request, Message):
        texts = {text for one in inputs if one.kind == "text" for text in one.spellings}
        for said in sent.request.heard:
            named = names_beside(said, texts, NAMES_IT)
            sent.names |= {one for name in named for one in (generated_in(name) if "/" in name else {name})}
        return
    response = sent.response
    if response is None:
        return
    sent.refused = response.status >= REFUSED
    where = response.headers.get("location", "")
    for address in filter(None, (where, sent.leads_to)):
        if not _is_next_step(sent, address):
            sent.names |= generated_in(address) - (_only_returned_to(sent, address) if returns_apart else frozenset())
    kind = response.headers.get("content-type", "")
    by_markup = known is not None and "html" in kind and not (sent.refused or where or sent.leads_to)
    if sent.initiator != "fetch" or not ("json" in kind or by_markup):
        return
    length = response.headers.get("content-length", "0")
    if length.isdecimal() and int(length) > _MOST_ANSWER:
        return
    try:
        data = await response.body()
    except PlaywrightError:
        sent.unheard = True
        return
    with suppress(ValueError, RecursionError):
        if len(data) > _MOST_ANSWER:
            return
        put = _words_of(inputs)
        if known is not None and "json" not in kind:
            _take_in_markup(sent, data.decode("utf-8", "replace"), put, known)
            return
        answer = json.loads(data)
        _take_in(sent, answer, put if by_data else frozenset())
        if by_data:
            sent.names -= of_another(sent, ("PUT", "PATCH"))
        if known is not None and not (sent.names or sent.refused):
            for _, text in islice(leaves(answer), MOST_PARTS):
                _take_in_markup(sent, text, put, known)


class OnSockets:
    """What was said on sockets: what answers it may come at any time."""

    def __init__(self) -> None:
        self._left: list[tuple[Sent, Watched]] = []

    def add(self, sent: Sent, watched: Watched) -> None:
        """Keep what was said, and is watched."""
        self._left.append((sent, watched))

    async def learn(self) -> list[frozenset[str]]:
        """Take in what the site has called by now what was said; gives what of each is new."""
        found: list[frozenset[str]] = []
        for sent, watched in self._left:
            known = set(sent.names)
            await learn_answer(sent, watched.inputs)
            if new := sent.names - known:
                watched.thing = replace(watched.thing, names=watched.thing.names | new)
                watched.fresh |= new - generated_in(sent.request.url)
                found.append(watched.fresh)
        self._left = [one for one in self._left if one[1].lacks()]
        return found


def told_within(told: Sequence[tuple[str, str]]) -> frozenset[str]:
    """Give the ids of objects within an object that has an id itself, such as the owner of a new thing.

    The site has not made them with it: the page of the thing with the number of its owner is not the page of what is
    new. What stands in a list, as the lines of an order, may be new. It costs that an object is taken for known that
    was made with the one it stands in; what was put into it proves that.

    Args:
        told: path and text of each id in a JSON answer.
    """
    parents = {path: path.split(".")[:-1] for path, _ in told}
    own = {tuple(steps) for steps in parents.values()}

    def is_within(steps: list[str]) -> bool:
        around = (at for at in range(len(steps)) if tuple(steps[:at]) in own)
        return any(not any(step.isdigit() for step in steps[at:]) for at in around)

    within = {text for path, text in told if is_within(parents[path])}
    return frozenset(within - {text for path, text in told if not is_within(parents[path])})


class Unread:
    """The last requests that carry nothing of the user's: of their answers only the ids are read, once one asks."""

    def __init__(self) -> None:
        self._left: deque[Sent] = deque(maxlen=_MOST_UNREAD)
        self._ids: set[str] = set()

    def add(self, sent: Sent) -> None:
        """Keep a request."""
        self._left.append(sent)

    async def ids(self) -> frozenset[str]:
        """Give the ids in the answers, and those given before."""
        while self._left:
            heard = replace(self._left.popleft(), names=set(), said=set(), told=[])
            await learn_answer(heard)
            self._ids |= {text for _, text in heard.told}
        return frozenset(self._ids)


def _only_returned_to(sent: Sent, address: str) -> frozenset[str]:
    """Give what an address holds to which the request itself had said to return, and the request does not say else.

    Such as `?next=/notes/?page_size=10`: a list that is shown in tens is no thing that is called 10.
    """
    parts = urlsplit(sent.request.url)
    said = (*(text for _, text in parse_qsl(parts.query)), *(text for _, text in sent.parts or ()))
    goal = urlsplit(urljoin(sent.page, address))
    returns = {one for one in said if "/" in one and _is_at(urlsplit(urljoin(sent.page, one)), goal)}
    if not returns:
        return frozenset()
    page = urlsplit(sent.page)
    known = {text for text in said if text not in returns} | generated_in(sent.request.url)
    known |= generated_in(page.path if _is_at(goal, page) else sent.page)
    return generated_in(address) - known


def _is_at(one: SplitResult, goal: SplitResult) -> bool:
    return one.path == goal.path and set(parse_qsl(one.query)) <= set(parse_qsl(goal.query))


def _is_next_step(sent: Sent, address: str) -> bool:
    """Return whether an answer leads from a form to another one of its kind: `/order/2` comes after `/order/1`.

    The number is that of the step, or of what is next in a list, and not what the site calls what was sent.
    """
    own, there = urlsplit(sent.page).path, urlsplit(urljoin(sent.page, address)).path
    by_itself = own == urlsplit(sent.request.url).path
    return by_itself and there != own and url_shape(there) == url_shape(own)


def _words_of(inputs: Iterable[UserInput]) -> frozenset[str]:
    texts = (text for one in inputs if one.kind == "text" for text in one.spellings)
    return frozenset(text for text in texts if len(text) >= _SAYS and any(map(str.isalpha, text)))


def _take_in(sent: Sent, answer: Any, put: frozenset[str]) -> None:
    if called := is_call(sent.operation):
        if any(map(has_failed, answer if isinstance(answer, list) else [answer])):
            sent.refused = True
            return
        answer = given_by(sent.operation, answer)
    several = isinstance(answer, list) and bool(sent.operation)
    no = [place for place, one in enumerate(answer if several else [answer]) if refuses(one)]
    if several and len(no) < len(answer):
        sent.refused_parts = tuple(f"{place}." for place in no)
        answer = [one for place, one in enumerate(answer) if place not in no]
    else:
        sent.refused |= bool(no)
    # A site may answer with all that it has: what was written is that which says what was put in.
    own = [one for one in islice(objects(answer), MOST_PARTS) if put and not put.isdisjoint(one.holds.values())]
    ids = frozenset[str]().union(*(one.ids for one in own))
    for path, text in islice(leaves(answer), MOST_PARTS):
        if NAMES_IT.match(last_step(path)) and (text in ids or not own):
            sent.names |= generated_in(text) if "/" in text else {text}
        if NAMES_IT.match(last_step(path)):
            sent.told.append((path, text))
        if is_generated(text):
            sent.said.add(text)
    if sent.operation:
        sent.kinds = frozenset(one.kind for one in islice(objects(answer), MOST_PARTS))
        sent.kinds |= {Kind("", service_of(sent.operation))} if called else set()


def of_another(sent: Sent, methods: Collection[str]) -> frozenset[str]:
    """Give the ids by which an answer calls another thing than its request was for.

    What is put at ``/things/7`` is that thing: an answer that names an 8 and no 7 tells of another one. What is called
    otherwise, as by a slug beside a number, may be the same thing.

    Args:
        sent: the request.
        methods: only a request by one of these is for what its address ends in.
    """
    last = urlsplit(sent.request.url).path.rstrip("/").rpartition("/")[2]
    if sent.request.method not in methods or not is_generated(last) or last in sent.names:
        return frozenset()
    return frozenset(name for name in sent.names if is_generated(name) and _is_numbered_as(name, last))


def _is_numbered_as(one: str, other: str) -> bool:
    """Return whether two ids may come from one sequence: both are numbers, or tokens of one length."""
    return one.isdecimal() if other.isdecimal() else len(one) == len(other) and not one.isdecimal()


def _take_in_markup(sent: Sent, text: str, put: frozenset[str], known: Callable[[str], bool]) -> None:
    """Take in what a piece of HTML calls what was written: the only id, new to the user, in what says an input."""
    root = elements_of(text)
    if root is None:
        return
    own = generated_in(sent.request.url) | {text for _, text in sent.parts or ()}
    ids = frozenset[str]().union(*(_named(one) for one in _saying(root, put) or [root]))
    new = [one for one in ids - own if not known(one)]
    if len(new) == 1:
        sent.names.update(new)
        sent.told.append((_IN_MARKUP, new[0]))
        links = [one.addresses[0] for one in root.within() if one.tag == "a" and one.addresses]
        sent.named_at = tuple(dict.fromkeys(urljoin(sent.page, one) for one in links if generated_in(one) == {*new}))


def _saying(at: Element, put: frozenset[str]) -> list[Element]:
    """Give the innermost elements that name something and say what was put in."""
    inside = [each for one in at.inside for each in _saying(one, put)]
    return inside or ([at] if _named(at) and any(find_in(text, at.text) for text in put) else [])


def _named(at: Element) -> frozenset[str]:
    """Give the ids by which an element is called; of one without any, those in all that it holds."""
    if own := frozenset(map(id_in, at.called)) - {""}:
        return own
    found = (
        (*map(id_in, one.called), *(id for led in one.addresses for id in generated_in(led))) for one in at.within()
    )
    return frozenset(name for names in found for name in names if name)


def refuses(answer: Any) -> bool:
    """Return whether an answer in JSON says that something is wrong, and gives nothing else.

    GraphQL answers with 200 whatever became of an operation: it failed where it gives no data beside its errors, or
    where all that it gives of its data are errors of their own.

    Args:
        answer: to one request.
    """
    if not isinstance(answer, Mapping):
        return False
    error = answer.get("error")
    wrong = any(map(_holds, map(answer.get, _WRONG))) or (isinstance(error, Mapping) and bool(error))
    data = answer.get("data")
    if not isinstance(data, Mapping):
        return wrong
    given = [one for one in data.values() if one is not None]
    return not given if wrong else bool(given) and all(map(_is_refusal, given))


def _holds(part: object) -> bool:
    return bool(part) and isinstance(part, str | list | Mapping)


def _is_refusal(value: object) -> bool:
    """Return whether what an operation gives are errors, and nothing that it made or changed."""
    if not isinstance(value, Mapping):
        return False
    own = {name: one for name, one in value.items() if _OWN_ERRORS.search(name)}
    others = [one for name, one in value.items() if name not in own and name != _KIND_OF_OBJECT]
    return any(map(_holds, own.values())) and not any(map(_holds, others))
