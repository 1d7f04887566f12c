"""Observes what one user's actions do: what was put in, what was sent of it, and where it is seen again.

Responsible for asking the page, and for telling the parts what it says: ``echoes`` of inputs, ``deeds`` without one.
Not responsible for: storing, or what a replay requires.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import replace
from typing import Any

from playwright.async_api import BrowserContext, Frame, Page
from playwright.async_api import Error as PlaywrightError

from simulator.addresses import urljoin, urlsplit
from simulator.browser.effects.again import Again, load_again
from simulator.browser.effects.deeds import Deed, Deeds, related
from simulator.browser.effects.echoes import Echoes, Watched
from simulator.browser.effects.forms import SentForms
from simulator.browser.effects.inputs import Inputs, UserInput, opens_session, telling
from simulator.browser.effects.lasting import Lasting
from simulator.browser.effects.met import MOST_TEXT, History, bare
from simulator.browser.effects.model import Effect, Kind, Observed, Told, Write
from simulator.browser.effects.places import Reading, Spot, Thing, another, asked_of, holding, holds, minted_in
from simulator.browser.effects.pressed import Pressed, Things
from simulator.browser.effects.writes import Sent, Writes, carried_by, learn_names
from simulator.browser.sink import ActionStart
from simulator.browser.written import WRITING

_MOST_LOOKS = 4
"""How many addresses are looked at between two tasks."""
_FAILED = 400
"""HTTP status from which on nothing was done."""
_LOOK_S = 5.0
"""How long a page may take to tell what it shows, in seconds."""
_READ = "asked => window.__sim ? __sim.readShown(asked) : null"
_THINGS = "asked => window.__sim ? __sim.readThings(asked) : null"
_FIELDS = "names => window.__sim ? __sim.readFields(names) : null"
_WHOLE = "most => window.__sim ? __sim.readWhole(most) : null"
_PRESSED = "el => window.__sim ? __sim.actedOn(el) : null"
_PRESSES = frozenset({"click", "dblclick", "press", "check", "uncheck", "drag"})
"""What may be a deed of its own; what is sent at other times pages send by themselves."""


class Observer:
    """Observes the actions of one user.

    Args:
        origin: scheme, host and port of the site.
        template: writes an absolute address as a template.
        render: puts values in place of variables.
        answered: is told of a write that carries inputs as soon as the site has answered it.
        own: gives the names of the user: what stands in a card beside one of them is the user's own.
        recognise: writes a text as a template.
    """

    def __init__(
        self,
        origin: str,
        template: Callable[[str], str],
        own: Callable[[], tuple[str, ...]],
        render: Callable[[str], str],
        answered: Callable[[Write], None],
        recognise: Callable[[str], str],
    ) -> None:
        self._origin = origin
        self._template = template
        self._own = own
        self._answered = answered
        self._inputs = Inputs(render)
        self._writes = Writes(origin, self._hear_answer)
        self._history = History()
        self.lasting = Lasting(template)
        """The places whose documents are not asked for once more."""
        self._echoes = Echoes(self._history, template, self._inputs.waiting, self.lasting)
        self._deeds = Deeds(self._history, template, recognise, self._echoes.shows)
        self.forms = SentForms(template)
        """What the forms of things show of what was sent."""
        self._given: dict[str, frozenset[str]] = {}
        """Of each id that the site gave first, what pages had called elements by then."""
        self._revoked: dict[str, list[str]] = {}
        """Of what an action has sent, what a replay says that the thing's own form shows otherwise."""
        self._document = ""
        self._last_action = ""
        self._asked: list[UserInput] = []
        """The inputs that the document which comes next is asked for."""
        self._asked_deeds: list[Deed] = []
        """The same of what was pressed."""
        self._pressed: Pressed | None = None
        self._expected: frozenset[Kind] = frozenset()
        self._not_again: set[str] = set()
        self._unsure: set[str] = set()
        """Addresses that are not looked at beside the user's windows any more."""
        self._answers: set[str] = set()
        """Documents that are the answer to a write themselves."""
        self.asking_itself: Callable[[str], AbstractContextManager[None]] = lambda url: nullcontext()
        """Is told of an address that is asked for and that no user asked for."""
        self._on_sockets: list[tuple[Sent, Watched]] = []
        """What was said on sockets: what answers it may come at any time."""
        self._order: list[tuple[str, int]] = []
        """The writes by their actions, in the order in which they were sent."""
        self.lists: Callable[[str], str] = lambda address: ""
        """Gives, of the path that something is sent to, the one at which the site is said to list all that its user
        sends there; empty for none."""

    def attend(self, context: BrowserContext) -> None:
        """Listen to the user's context."""
        self._writes.attend(context)

    def pressing(self, raw: Mapping[str, Any] | None, url: str) -> None:
        """Take in what is about to be pressed.

        Args:
            raw: as ``actedOn`` gives it; None where it is nothing that is pressed.
            url: absolute address of the page.
        """
        self._pressed = Pressed.of(raw, url) if raw else None

    def expect(self, kinds: frozenset[Kind]) -> None:
        """Say what a recording saw of the action that comes next."""
        self._expected = kinds

    async def look_at_pressed(self, where: Page | Frame, selector: str, url: str, patience: float) -> None:
        """Take in what is about to be pressed, in a replay.

        Args:
            where: the page or the frame that it is in.
            selector: of the element.
            url: absolute address of the page.
            patience: how long the element may take to appear, in milliseconds.
        """
        with suppress(PlaywrightError):  # it is not there: the action itself will say so
            self.pressing(await where.locator(selector).evaluate(_PRESSED, timeout=patience), url)

    def asking(self) -> dict[str, Any]:
        """Give what a document that an action leads to is asked for by whoever waits until it has come to rest.

        So it is read in the call that waits, and only where it is another one than the last.
        """
        self._asked, self._asked_deeds = self._sought(), self._deeds.sought()
        return {
            "known": self._document,
            "most": MOST_TEXT,
            "shown": asked_of(self._asked) if self._asked else None,
            "things": self._deeds.asked_of(self._asked_deeds) if self._asked_deeds else None,
            "fields": bool(self._inputs.waiting() or self.forms.names()),
        }

    def begin(self, action_id: str) -> None:
        """Say that an action begins."""
        self._last_action = action_id
        self._writes.acting(action_id)

    async def end(
        self,
        action_id: str,
        start: ActionStart,
        page: Page,
        document: str,
        *,
        given: str,
        told: Mapping[str, Any],
        followed: bool,
        met: Mapping[str, Any] | None = None,
    ) -> Observed:
        """Observe what an action did, once it has been followed to its end.

        Args:
            action_id: the action.
            start: what it was.
            page: the page that the user looks at now.
            document: names the document that it shows.
            given: what the action put into a field, without variables.
            told: what the page tells of that field afterwards.
            followed: whether the page was followed to rest; else nothing is looked for.
            met: what a document that was not known yet has said to :meth:`asking`; None where it was not asked.
        """
        self._inputs.put(action_id, start, given, told, id(page), self._document or document)
        before, self._document = self._document, document
        writes = await self._sent(start, before, document, page.url)
        self._pressed, self._expected = None, frozenset()
        self._inputs.leave(id(page), document)
        if not followed:
            return Observed(tuple(writes))
        if met is not None and met["document"] != document:
            met = None  # another one has come since
        effects = await self._look(page, document, met, new=document != before, fresh=bool(writes))
        if document != before:
            await self.know(page, met and met["whole"])
        return Observed(tuple(writes), tuple(effects))

    def seen(self, input_id: str, kind: Kind = "echo") -> Effect | None:
        """Give the best that was seen so far of what an action did; None for nothing.

        Args:
            input_id: the action that put something in, or pressed.
            kind: of the effect.
        """
        if kind == "echo":
            return self._echoes.seen(input_id)
        deed = self._deeds.of(input_id)
        return deed.effects.get(kind) if deed else None

    def against(self, action_id: str) -> str:
        """Give what the last document that shows a thing says against what was done to it; empty for nothing."""
        deed = self._deeds.of(action_id)
        return deed.against if deed else ""

    def told(self) -> list[Told]:
        """Tell of each write that the user made what was seen of it again, in order.

        What a session was opened with is not counted: that session proves it.
        """
        counted = [one for one in self._echoes.watched if one.counted]
        made = {(one.write.action_id, one.write.number): self._told(one) for one in counted}
        for deed in self._deeds.watched:
            if deed.is_made and not deed.bears:
                made.setdefault((deed.write.action_id, deed.write.number), deed.told())
        order = {key: place for place, key in enumerate(self._order)}
        return [made[key] for key in sorted(made, key=lambda key: order.get(key, 0))]

    def _told(self, watched: Watched) -> Told:
        """Tell what was seen of a write again, and is not contradicted by the form of the thing."""
        told, write = watched.told(), watched.write
        otherwise = self.forms.otherwise(write)
        parts = {one.input: one.part for one in write.carried}
        against = [one.called for one in watched.counted if parts.get(one.action_id) in otherwise]
        unseen = dict.fromkeys((*told.unseen, *against, *self._revoked.get(write.action_id, ())))
        return replace(told, unseen=tuple(unseen))

    def revoke(self, action_id: str, what: str) -> None:
        """Take the proof from what an action has sent; by nothing, that is left as it is."""
        if what:
            self._revoked.setdefault(action_id, []).append(what)

    @property
    def last_action(self) -> str:
        """Id of the action that was begun last; empty where none was."""
        return self._last_action

    def to_look_at(self) -> list[str]:
        """Give the addresses at which may be seen what no later document has shown so far.

        These are the list that the site section names for it, where the answer of their write led to, the pages before
        and after it, and what the user visited before; none where something is put in that nothing has sent, or that
        has been looked at for this write.
        """
        if self._inputs.waiting():
            return []
        found: dict[str, None] = {}
        for one in self._echoes.watched:
            if one.is_open:
                own = (one.listed,) if one.listed else ()
                for url in (*own, *one.near, *(url for url in self._history.visited() if url not in one.read)):
                    if url not in one.read and url not in self._not_again:
                        found.setdefault(url)
        for deed in self._deeds.watched:
            if deed.is_open and not deed.bears:
                for url in deed.near:
                    if url.startswith(self._origin) and url not in deed.read and url not in self._not_again:
                        found.setdefault(url)
        for url in self.forms.to_look_at():
            if url.startswith(self._origin) and url not in self._not_again:
                found.setdefault(url)
        return list(found)[:_MOST_LOOKS]

    @property
    def seeks_pictures(self) -> bool:
        """Whether a file was sent that is not settled: a page that is looked at has to have its pictures."""
        return any(one.kind == "file" for watched in self._echoes.lacking() for one in watched.lacks())

    async def look_at(self, page: Page, url: str) -> list[Effect]:
        """Look for what has not been seen again on a page beside the user's windows.

        Args:
            page: shows the address, and has come to rest.
            url: the address, absolute; where it led elsewhere, or sent something by itself, nothing counts and it is
                not looked at again.
        """
        await self._learn_from_sockets()
        watching, deeds = self._echoes.lacking(), self._deeds.sought(everywhere=True)
        names = self.forms.names()
        if bare(page.url) != bare(url) or self._writes.by_itself or not (watching or deeds or names):
            self._not_again.add(url)
            return []
        effects: list[Effect] = []
        reading = await self.read(page, [each for one in watching for each in one.lacks()]) if watching else None
        if reading is not None:
            lasting = await self._lasting(page, reading, watching, second=url in self._unsure)
            effects += self._echoes.take_in(lasting, watching, lasting.document)
            if lasting is not reading and url not in self._unsure:
                self._unsure.add(url)
            else:
                self._unsure.discard(url)
                for one in watching:
                    one.read.add(url)
        effects += await self._look_for(page, deeds)
        effects += await self.look_at_forms(page)
        self.forms.looked(url)
        return [replace(one, looked=True) for one in effects]

    async def look_at_forms(
        self, page: Page, known: Sequence[Mapping[str, Any]] | None = None, document: str = ""
    ) -> list[Effect]:
        """Look what the fields of a page hold of what was sent.

        Args:
            page: the page.
            known: its fields, as ``readFields`` gives them; None: it is asked.
            document: names the document that has them.
        """
        names = self.forms.names()
        if names and known is not None:
            return self.forms.take_in(known, document, page.url)
        told: dict[str, Any] | None = await _ask(page, _FIELDS, names) if names else None
        return self.forms.take_in(told["fields"], told["document"], page.url) if told else []

    async def know(self, page: Page, raw: Mapping[str, Any] | None = None) -> None:
        """Know a document as it is: what stands there already is no effect of a later write.

        Args:
            page: shows the document, and has come to rest.
            raw: what it says, as ``readWhole`` gives it; None: it is asked.
        """
        if raw := raw or await _ask(page, _WHOLE, MOST_TEXT):
            self._history.meet(page.url, raw)

    def is_unsure(self, url: str) -> bool:
        """Tell whether a look at an address met what may have been said once: another look tells."""
        return url in self._unsure

    def is_incidental(self, method: str, url: str) -> None:
        """Know a request that pages send by themselves: it keeps nobody from looking at them."""
        self._writes.is_incidental(method, url)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take what is sent meanwhile for what a page sends by itself."""
        with self._writes.aside():
            yield

    async def missing(
        self, page: Page, input_id: str, label: str, *, lasting: bool = True, stored: bool = False
    ) -> str | None:
        """Look once more for an input on the page that the user looks at.

        Args:
            page: the page.
            input_id: the action that put it in.
            label: what its place was called when it was recorded.
            lasting: whether what the page shows once, and not when it is loaded again, does not count.
            stored: whether what the browser itself keeps counts.

        Returns:
            None where it is there by now, at a place that is tied to what was written, or where more is shown than
            can be read; else what such a place shows instead, empty where none says otherwise.
        """
        await self._learn_from_sockets()
        known = self._echoes.of(input_id)
        if known is None:
            return ""
        watched, one = known
        reading = await self.read(page, [one], stored=stored)
        if reading is None:
            return None  # the page has gone, or does not answer: what follows tells that
        if lasting:
            reading = await self._lasting(page, reading, [watched])
        found = [each for each in self._echoes.found(watched, one, reading) if not each.spot.says]
        # Where the site has named the thing nowhere, what is shown may be of another one that is called alike.
        if any(each.keyed for each in found) or (found and not (watched.thing.names or watched.thing.path)):
            return None
        if reading.partial or holds(one, reading, watched.thing):
            return None
        return another(one, reading, watched.thing, label) or ""

    async def read(self, page: Page, inputs: Sequence[UserInput], *, stored: bool = False) -> Reading | None:
        """Read where a page shows inputs; None where it has gone, or does not answer.

        Args:
            page: the page.
            inputs: what is sought.
            stored: whether what the browser itself keeps is a place like any other.
        """
        raw = await _ask(page, _READ, asked_of(inputs))
        if raw is None:
            return None
        reading = Reading.of(raw, page.url)
        return reading if stored else reading.without_stored()

    async def read_things(self, page: Page, asked: Sequence[Mapping[str, Any]]) -> Things | None:
        """Read whether a page shows things, and how a control of each stands; None where it does not answer."""
        raw = await _ask(page, _THINGS, list(asked))
        return Things.of(raw, page.url) if raw else None

    async def look_again(self, page: Page) -> list[Effect]:
        """Look once more, on the page that the user looks at, for what was done without an input."""
        return await self._look_for(page, self._deeds.sought(everywhere=True))

    def can_load_again(self, document: str) -> bool:
        """Tell whether a document can be loaded again without sending anything, or losing what was put in."""
        return document not in self._answers and not self._inputs.waiting()

    async def _sent(self, start: ActionStart, before: str, document: str, url: str) -> list[Write]:
        """Take in what has been sent, and watch what carried an input, and what was pressed."""
        writes: list[Write] = []
        pressed = self._pressed if start.kind in _PRESSES else None
        wanted = pressed is not None or bool(self._expected)
        may_be: list[tuple[Sent, Write, bool]] = []
        for sent in self._writes.take():
            socket = sent.initiator == "socket"
            waiting = self._inputs.may_be_sent()
            carried = carried_by(sent, waiting, start.target.form if start.target else "")
            write = self._written(sent)
            self._order.append((write.action_id, write.number))
            if sent.initiator == "document" and not sent.leads_to:
                self._answers.add(document)
            if carried:
                inputs = tuple(one for one in waiting if one.action_id in {each.input for each in carried})
                await learn_names(sent, inputs)
                write = replace(self._written(sent), carried=carried)
                writes += self._superseded(inputs)
                if socket and start.kind in WRITING:
                    self._inputs.told_as_typed(inputs)
                else:
                    self._inputs.sent({one.action_id for one in inputs})
                watched = self._watch(sent, write, inputs, before, document, url)
                self._echoes.watched.append(watched)
                if socket:
                    self._on_sockets.append((sent, watched))
                self.forms.watch(sent, watched)
                may_be.append((sent, write, True))
            else:
                tied = pressed is not None and bool(related(sent, pressed))
                if socket and not tied:
                    self._writes.is_unasked(sent)
                    continue  # a heartbeat: pages say things on sockets all the time
                if not wanted or sent.action_id != self._last_action:
                    self._writes.is_unasked(sent)
                elif self._writes.may_be_asked(sent, tied=tied):
                    may_be.append((sent, write, tied))
                if not tied:
                    self.is_incidental(sent.request.method, sent.request.url)
            writes.append(write)
        if may_be:
            await self._watch_deed(pressed, may_be, before, document, url)
        return writes

    async def _learn_from_sockets(self) -> None:
        """Take in what the site has called by now what was said on a socket."""
        for sent, watched in self._on_sockets:
            known = set(sent.names)
            await learn_names(sent, watched.inputs)
            if new := sent.names - known:
                watched.thing = replace(watched.thing, names=watched.thing.names | new)
                watched.fresh |= new - minted_in(sent.request.url)
                self._are_given(watched.fresh)
        self._on_sockets = [one for one in self._on_sockets if one[1].lacks()]

    def _are_given(self, names: Collection[str]) -> None:
        """Know ids that the site has given for the first time."""
        new = [name for name in names if name not in self._given]
        self._given |= dict.fromkeys(new, self._history.ids()) if new else {}

    def _superseded(self, inputs: Sequence[UserInput]) -> list[Write]:
        """Give what a socket had been told of some inputs as they were put in: it is incidental once they are sent."""
        sent = {one.action_id for one in inputs}
        told = [
            one
            for one in self._echoes.watched
            if one.write.initiator == "socket" and {each.action_id for each in one.inputs} <= sent
        ]
        self._echoes.watched = [one for one in self._echoes.watched if one not in told]
        return [replace(one.write, carried=()) for one in told]

    async def _watch_deed(
        self, pressed: Pressed | None, may_be: Sequence[tuple[Sent, Write, bool]], before: str, document: str, url: str
    ) -> None:
        """Watch what was pressed, by the request that says most of it: one with inputs, one that names the thing."""
        rarity = self._writes.rarity

        def worth(one: tuple[Sent, Write, bool]) -> tuple[bool, bool, bool, int, int]:
            sent, write, tied = one
            return bool(write.carried), tied, sent.initiator == "document", rarity(sent), sent.number

        sent, write, tied = max(may_be, key=worth)
        if not write.carried:
            await learn_names(sent)
            write = self._written(sent)
        elif not sent.names - minted_in(sent.request.url):
            return  # its inputs say all of it
        answers = frozenset({document} if sent.initiator == "document" and not sent.leads_to else ())
        self._deeds.watch(
            sent, write, pressed, document=before, url=url, answers=answers, tied=tied, expected=self._expected
        )

    def _watch(
        self, sent: Sent, write: Write, inputs: tuple[UserInput, ...], before: str, document: str, url: str
    ) -> Watched:
        answers = {document} if sent.initiator == "document" and not sent.leads_to else set()
        secrets = self._inputs.take_secrets()
        counted = telling(inputs, self._own(), secrets)
        if opens_session(inputs, secrets) and sent.answered < _FAILED:
            self._echoes.have_session(inputs)
        if answers and all(one.told for one in counted):
            counted = ()  # a question: it gives back what the site had told, and the page that comes is the answer
        thing = self._thing(sent, inputs)
        come_from = sent.request.headers.get("referer", "")
        near = tuple(dict.fromkeys(one for one in (sent.leads_to, url, come_from) if one.startswith(self._origin)))
        fresh = frozenset(sent.names - minted_in(sent.request.url))
        self._are_given(fresh)
        path = self.lists(urlsplit(sent.request.url).path)
        listed = urljoin(self._origin, path) if path else ""
        asked = frozenset({before, *answers})
        return Watched(write, inputs, thing, asked, self._history.count, near, listed, counted, secrets > 0, fresh)

    def _hear_answer(self, sent: Sent) -> None:
        """Tell of a write whose answer has come; where it leads is asked for after that."""
        carried = carried_by(sent, self._inputs.waiting())
        if carried and sent.response is not None:
            where = sent.response.headers.get("location", "")
            leads_to = self._template(urljoin(sent.request.url, where)) if where else ""
            self._answered(replace(self._written(sent), carried=carried, leads_to=leads_to))

    def _written(self, sent: Sent) -> Write:
        leads_to = self._template(sent.leads_to) if sent.leads_to else ""
        url = self._template(sent.request.url)
        return Write(
            sent.number, sent.action_id, sent.initiator, sent.request.method, url, sent.operation, sent.answered,
            leads_to, (),
        )  # fmt: skip

    def _thing(self, sent: Sent, inputs: Sequence[UserInput]) -> Thing:
        from_address = minted_in(sent.request.url)
        texts = tuple(text for one in inputs if one.kind == "text" for text in one.spellings)
        forms = frozenset(one.form for one in inputs if one.form)
        put_in = {name for one in inputs for name in one.names}
        filled = ((name,) for name, text in sent.parts or () if name and text.strip() and name not in put_in)
        fields = (*(one.names for one in inputs), *filled)
        return Thing(frozenset(sent.names | from_address), self._own(), texts, forms, fields, self._given)

    def _sought(self) -> list[UserInput]:
        """Give the inputs that a document which comes now may show: what was sent, and what is yet to be."""
        sent = (one for watched in self._echoes.sought() for one in watched.lacks())
        return list(dict.fromkeys((*self._inputs.waiting(), *sent)))

    async def _look(
        self, page: Page, document: str, met: Mapping[str, Any] | None, *, new: bool, fresh: bool
    ) -> list[Effect]:
        """Look for what is still to be seen of what has been sent."""
        if not (new or fresh):
            return []
        effects: list[Effect] = []
        await self._learn_from_sockets()
        watching = self._echoes.sought()
        reading: Reading | None = None
        inputs = [one for watched in watching for one in watched.lacks()]
        if watching and met and met["shown"] and all(one in self._asked for one in inputs):
            reading = Reading.of(met["shown"], page.url).without_stored()
        elif watching:
            reading = await self.read(page, inputs)
        if reading is not None:
            for watched in watching:
                watched.documents += new
                if document not in watched.asked:
                    watched.read.add(page.url)
            reading = await self._lasting(page, reading, watching)
            effects += self._echoes.take_in(reading, watching, document)
        deeds = self._deeds.sought()
        for deed in deeds:
            deed.documents += new
        # What shows an input of a thing, and lasts, shows the thing.
        sure = {one.write_action for one in effects if one.strength == "kept" and one.place.keyed}
        told = met["things"] if met and deeds == self._asked_deeds else None
        effects += await self._look_for(page, deeds, sure, told)
        return [*effects, *(await self.look_at_forms(page, met["fields"] if met else None, document) if new else ())]

    async def _look_for(
        self, page: Page, deeds: Sequence[Deed], sure: Collection[str] = frozenset(),
        told: Mapping[str, Any] | None = None,
    ) -> list[Effect]:  # fmt: skip
        """Look for what some deeds did; ``told`` is what the document has told of them already."""
        if not deeds:
            return []
        things = Things.of(told, page.url) if told else await self.read_things(page, self._deeds.asked_of(deeds))
        if things is None:
            return []
        unsure = (one for one in deeds if one.action_id not in sure and things.document not in one.asked)
        if any(things.names(deed.fresh) for deed in unsure):
            again = await self._load_again(page, things=True)
            if not again.asks:
                things = replace(things, tokens=things.tokens & again.tokens)
        return self._deeds.take_in(things, deeds, things.document)

    async def _lasting(
        self, page: Page, reading: Reading, watching: Sequence[Watched], *, second: bool = False
    ) -> Reading:
        """Tell what a document says once from what it shows whenever it is loaded.

        Whatever would prove an input is sought in what the site answers when it is asked for the document once more.

        Args:
            page: shows the document.
            reading: what it shows.
            watching: the writes whose inputs are looked for.
            second: whether the page was loaded before for the same look.
        """
        spots: dict[Spot, bool] = {}
        for watched in watching:
            if reading.document not in watched.asked:
                for spot in (each for one in watched.lacks() for each in holding(one, reading, watched.thing)):
                    if self.lasting.knows(reading.url, spot):
                        continue
                    spots[spot] = spots.get(spot, False) or (watched.documents <= 1 and not second)
        if not spots:
            return reading
        again = await self._load_again(page, list(spots))
        # Of what a script has drawn the HTML tells nothing: a document that comes later does.
        told = zip(spots.items(), again.places, strict=True)
        once = {spot for (spot, first), there in told if there is False or (first and not there)}
        self.lasting.take_in(reading.url, spots.keys() - once, once)
        return reading.with_said(once) if once else reading

    async def _load_again(self, page: Page, spots: Sequence[Spot] = (), *, things: bool = False) -> Again:
        with self.asking_itself(page.url.partition("#")[0]):
            return await load_again(page, spots, things=things)


async def _ask(page: Page, script: str, asked: Any) -> dict[str, Any] | None:
    """Ask a page; None where it has gone, or does not answer."""
    try:
        async with asyncio.timeout(_LOOK_S):
            told: dict[str, Any] | None = await page.evaluate(script, asked)
    except (PlaywrightError, TimeoutError):
        return None
    return told
