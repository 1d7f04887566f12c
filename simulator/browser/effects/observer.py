"""Observes what one user's actions do: what was put in, what was sent of it, and where it is seen again.

Responsible for asking the page, and for what proves a write. Not responsible for: storing, or what a replay requires.

A write is watched until each of its inputs is kept at a place that is tied to what was written, or for so many
documents. A value that stood at an address before it was sent is no effect there, unless its place is tied to it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from typing import Any
from urllib.parse import urljoin, urlsplit

from playwright.async_api import BrowserContext, Page
from playwright.async_api import Error as PlaywrightError

from simulator.browser.effects.inputs import Inputs, UserInput
from simulator.browser.effects.model import Effect, Observed, Place, Strength, Told, Write
from simulator.browser.effects.places import Found, Reading, Thing, another, asked_of, asks_for, holds, look, minted_in
from simulator.browser.effects.writes import Sent, Writes, carried_by, learn_names
from simulator.browser.sink import ActionStart
from simulator.meaning import find_in

_MOST_DOCUMENTS = 12
"""How many documents a write is watched on."""
_MOST_LOOKS = 4
"""How many addresses are looked at between two tasks."""
_MOST_BEFORE = 30
"""How many documents are known as they were."""
_MOST_TEXT = 200_000
"""Characters of a document that are known as they were."""
_LOOK_S = 5.0
"""How long a page may take to tell what it shows, in seconds."""
_READ = "asked => window.__sim ? __sim.readShown(asked) : null"
_WHOLE = "most => window.__sim ? __sim.readWhole(most) : null"


@dataclass(slots=True)
class _Watched:
    """A write whose inputs are looked for."""

    write: Write
    inputs: tuple[UserInput, ...]
    thing: Thing
    asked: frozenset[str]
    """Documents that sent it, or that are its answer: what they show is not kept."""
    since: int
    """How many documents had been met when it was sent."""
    near: tuple[str, ...] = ()
    """Absolute addresses at which it may be seen first: where its answer led to, and the pages after and before it."""
    read: set[str] = field(default_factory=set)
    """Addresses that have been looked at since it was answered."""
    documents: int = 0
    counted: tuple[UserInput, ...] = ()
    """The inputs that can be seen again."""
    shown: dict[str, Effect] = field(default_factory=dict)
    """The best effect of each input so far."""

    def lacks(self) -> list[UserInput]:
        """Give the inputs that are still looked for."""
        return [one for one in self.inputs if not _is_settled(self.shown.get(one.action_id))]


@dataclass(frozen=True, slots=True)
class _Met:
    """A document as it was when the user came to it."""

    url: str
    path: str
    text: str
    pictures: frozenset[str]


class Observer:
    """Observes the actions of one user.

    Args:
        origin: scheme, host and port of the site.
        template: writes an absolute address as a template.
        render: puts values in place of variables.
        answered: is told of a write that carries inputs as soon as the site has answered it.
        own: gives the names of the user: what stands in a card beside one of them is the user's own.
    """

    def __init__(
        self,
        origin: str,
        template: Callable[[str], str],
        own: Callable[[], tuple[str, ...]],
        render: Callable[[str], str],
        answered: Callable[[Write], None],
    ) -> None:
        self._origin = origin
        self._template = template
        self._own = own
        self._answered = answered
        self._inputs = Inputs(render)
        self._writes = Writes(origin, self._hear_answer)
        self._watched: list[_Watched] = []
        self._met: list[_Met] = []
        self._count = 0
        self._document = ""
        self._last_action = ""
        self._not_again: set[str] = set()
        """Addresses that are not looked at beside the user's windows any more."""
        self._answers: set[str] = set()
        """Documents that are the answer to a write themselves."""

    def attend(self, context: BrowserContext) -> None:
        """Listen to the user's context."""
        self._writes.attend(context)

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
        """
        self._inputs.put(action_id, start, given, told, id(page), self._document or document)
        before, self._document = self._document, document
        writes = await self._sent(before, document, page.url)
        self._inputs.leave(id(page), document)
        if not followed:
            return Observed(tuple(writes))
        effects = await self._look(page, document, new=document != before, fresh=bool(writes))
        if document != before:
            await self._meet(page)
        return Observed(tuple(writes), tuple(effects))

    def seen(self, input_id: str) -> Effect | None:
        """Give the best place at which an input was seen again so far; None where it was not."""
        return next((one.shown[input_id] for one in self._watched if input_id in one.shown), None)

    def told(self) -> list[Told]:
        """Tell of each write that carried inputs what was seen of them again, in order.

        The user's login names are not counted where a secret is sent with them: the session that follows proves them.
        """
        return [
            Told(
                one.write.method,
                one.write.url,
                len(one.counted),
                tuple(each.called for each in one.counted if not _is_kept(one.shown.get(each.action_id))),
            )
            for one in self._watched
            if one.counted
        ]

    @property
    def last_action(self) -> str:
        """Id of the action that was begun last; empty where none was."""
        return self._last_action

    def to_look_at(self) -> list[str]:
        """Give the addresses at which inputs may be seen that no later document has shown so far.

        These are where the answer of their write led to, the pages before and after it, and what the user visited
        before; none where something is put in that nothing has sent, or that has been looked at for this write.
        """
        if self._inputs.waiting():
            return []
        found: dict[str, None] = {}
        for one in self._watched:
            if all(_is_kept(one.shown.get(each.action_id)) for each in one.counted):
                continue
            visited = [met.url for met in reversed(self._met) if met.url not in one.read]
            for url in (*one.near, *visited):
                if url not in one.read and url not in self._not_again:
                    found.setdefault(url)
        return list(found)[:_MOST_LOOKS]

    async def look_at(self, page: Page, url: str) -> list[Effect]:
        """Look for what has not been seen again on a page beside the user's windows.

        Args:
            page: shows the address, and has come to rest.
            url: the address, absolute; where it led elsewhere, or sent something by itself, nothing counts and it is
                not looked at again.
        """
        watching = [one for one in self._watched if one.lacks()]
        if _bare(page.url) != _bare(url) or self._writes.by_itself or not watching:
            self._not_again.add(url)
            return []
        reading = await self.read(page, [each for one in watching for each in one.lacks()])
        if reading is None:
            return []
        effects = [replace(one, looked=True) for one in self._seen_in(reading, watching, reading.document)]
        for one in watching:
            one.read.add(url)
        return effects

    async def know(self, page: Page) -> None:
        """Know a document as it is, beside the user's windows: what stands there already is no effect of a later write.

        Args:
            page: shows the document, and has come to rest.
        """
        await self._meet(page)

    def is_incidental(self, method: str, url: str) -> None:
        """Know a request that pages send by themselves: it keeps nobody from looking at them."""
        self._writes.is_incidental(method, url)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take what is sent meanwhile for what a page sends by itself."""
        with self._writes.aside():
            yield

    async def missing(self, page: Page, input_id: str, label: str) -> str | None:
        """Look once more for an input on the page that the user looks at.

        Args:
            page: the page.
            input_id: the action that put it in.
            label: what its place was called when it was recorded.

        Returns:
            None where it is there by now, at a place that is tied to what was written, or where more is shown than
            can be read; else what such a place shows instead, empty where none says otherwise.
        """
        watched = next((one for one in self._watched if any(each.action_id == input_id for each in one.inputs)), None)
        if watched is None:
            return ""
        one = next(each for each in watched.inputs if each.action_id == input_id)
        reading = await self.read(page, [one])
        if reading is None:
            return None  # the page has gone, or does not answer: what follows tells that
        if any(found.keyed and not found.spot.says for found in self._found(watched, one, reading)):
            return None
        if reading.partial or holds(one, reading, watched.thing):
            return None
        return another(one, reading, watched.thing, label) or ""

    async def read(self, page: Page, inputs: Sequence[UserInput]) -> Reading | None:
        """Read where a page shows inputs; None where it has gone, or does not answer."""
        raw = await _ask(page, _READ, asked_of(inputs))
        return Reading.of(raw, page.url) if raw else None

    def can_load_again(self, document: str) -> bool:
        """Tell whether a document can be loaded again without sending anything, or losing what was put in."""
        return document not in self._answers and not self._inputs.waiting()

    async def _sent(self, before: str, document: str, url: str) -> list[Write]:
        """Take in what has been sent, and watch what carried an input."""
        writes: list[Write] = []
        for sent in self._writes.take():
            waiting = self._inputs.waiting()
            carried = carried_by(sent, waiting)
            write = self._written(sent)
            if sent.initiator == "document" and not sent.leads_to:
                self._answers.add(document)
            if not carried:
                self.is_incidental(sent.request.method, sent.request.url)
            else:
                await learn_names(sent)
                write = replace(self._written(sent), carried=carried)
                inputs = tuple(one for one in waiting if one.action_id in {each.input for each in carried})
                self._inputs.sent({one.action_id for one in inputs})
                self._watched.append(self._watch(sent, write, inputs, before, document, url))
            writes.append(write)
        return writes

    def _watch(
        self, sent: Sent, write: Write, inputs: tuple[UserInput, ...], before: str, document: str, url: str
    ) -> _Watched:
        answers = {document} if sent.initiator == "document" and not sent.leads_to else set()
        names = {text.casefold() for text in self._own()} if self._inputs.take_secret() else set()
        counted = tuple(one for one in inputs if not any(text.casefold() in names for text in one.spellings))
        thing = self._thing(sent, inputs)
        come_from = sent.request.headers.get("referer", "")
        near = tuple(dict.fromkeys(one for one in (sent.leads_to, url, come_from) if one.startswith(self._origin)))
        return _Watched(write, inputs, thing, frozenset({before, *answers}), self._count, near, counted=counted)

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
            sent.number,
            sent.action_id,
            sent.initiator,
            sent.request.method,
            url,
            sent.operation,
            sent.answered,
            leads_to,
            (),
        )

    def _thing(self, sent: Sent, inputs: Sequence[UserInput]) -> Thing:
        from_address = minted_in(sent.request.url)
        texts = tuple(text for one in inputs if one.kind == "text" for text in one.spellings)
        forms = frozenset(one.form for one in inputs if one.form)
        return Thing(frozenset(sent.names | from_address), self._own(), texts, forms)

    async def _look(self, page: Page, document: str, *, new: bool, fresh: bool) -> list[Effect]:
        """Look for what is still to be seen of what has been sent."""
        watching = [one for one in self._watched if one.documents < _MOST_DOCUMENTS and one.lacks()]
        if not watching or not (new or fresh):
            return []
        reading = await self.read(page, [one for watched in watching for one in watched.lacks()])
        if reading is None:
            return []
        for watched in watching:
            watched.documents += new
            if document not in watched.asked:
                watched.read.add(page.url)
        return self._seen_in(reading, watching, document)

    def _seen_in(self, reading: Reading, watching: Sequence[_Watched], document: str) -> list[Effect]:
        """Take in what a document shows that was not seen as well before."""
        effects: list[Effect] = []
        for watched in watching:
            for one in watched.lacks():
                effect = self._effect(watched, one, reading, document)
                known = watched.shown.get(one.action_id)
                if effect is not None and (known is None or _worth(effect) > _worth(known)):
                    watched.shown[one.action_id] = effect
                    effects.append(effect)
        return effects

    def _effect(self, watched: _Watched, one: UserInput, reading: Reading, document: str) -> Effect | None:
        best: Effect | None = None
        for found in self._found(watched, one, reading):
            kept = document not in watched.asked and not found.spot.says
            kept = kept and not any(asks_for(reading.url, text) for text in one.spellings if one.kind == "text")
            strength: Strength = "kept" if kept else "shown"
            place = Place(self._template(reading.url), found.by, found.label, found.keyed)
            effect = Effect(
                one.action_id, watched.write.action_id, watched.write.number, strength, found.likeness, place
            )
            if best is None or _worth(effect) > _worth(best):
                best = effect
        return best

    def _found(self, watched: _Watched, one: UserInput, reading: Reading) -> list[Found]:
        """Find where an input is shown, but for what stood there before, and for what is being put in."""
        path = urlsplit(reading.url).path
        before = [met for met in self._met[: self._kept_until(watched.since)] if met.path == path]
        acted = self._inputs.waiting()
        found: list[Found] = []
        for each in look(one, reading, watched.thing):
            if each.spot.edits and any(
                other.form == each.spot.form and set(other.names) & set(one.names) for other in acted
            ):
                continue
            if each.by == "picture":
                stood = any(each.spot.text in met.pictures for met in self._met[: self._kept_until(watched.since)])
                if stood or not each.keyed:
                    continue
            elif not each.keyed and any(find_in(text, met.text) for met in before for text in one.spellings):
                continue
            found.append(each)
        return found

    def _kept_until(self, since: int) -> int:
        """Give how many of the documents that are known were met before so many had been."""
        return max(0, len(self._met) - (self._count - since))

    async def _meet(self, page: Page) -> None:
        """Know a document as it is when the user comes to it."""
        raw = await _ask(page, _WHOLE, _MOST_TEXT)
        if raw:
            met = _Met(page.url, urlsplit(page.url).path, raw["text"], frozenset(raw["pictures"]))
            self._met = [*self._met, met][-_MOST_BEFORE:]
            self._count += 1


async def _ask(page: Page, script: str, asked: Any) -> dict[str, Any] | None:
    """Ask a page; None where it has gone, or does not answer."""
    try:
        async with asyncio.timeout(_LOOK_S):
            told: dict[str, Any] | None = await page.evaluate(script, asked)
    except (PlaywrightError, TimeoutError):
        return None
    return told


def _bare(url: str) -> str:
    return url.partition("#")[0] if "#/" not in url and "#!" not in url else url


def _worth(effect: Effect) -> tuple[bool, bool, bool]:
    return effect.strength == "kept", effect.place.keyed, effect.likeness == "same"


def _is_kept(effect: Effect | None) -> bool:
    return effect is not None and effect.strength == "kept"


def _is_settled(effect: Effect | None) -> bool:
    return effect is not None and effect.strength == "kept" and effect.place.keyed
