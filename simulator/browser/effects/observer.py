"""Observes what one user's actions do: what was put in, what was sent of it, and where it is seen again.

Responsible for telling the parts what pages say, at which time: ``echoes`` of inputs, ``acts`` without one. Not
responsible for: asking pages (``asking``), what was sent (``sending``), storing, or what a replay requires.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Any

from playwright.async_api import BrowserContext, Frame, Page
from playwright.async_api import Error as PlaywrightError

from simulator.browser.action_recorder import ActionStart
from simulator.browser.effects.acts import Act, Acts
from simulator.browser.effects.asking import Asking
from simulator.browser.effects.displaced import Displaced
from simulator.browser.effects.echoes import Echoes, Watched
from simulator.browser.effects.fields import MetForms
from simulator.browser.effects.forms import SentForms
from simulator.browser.effects.inputs import Inputs, UserInput
from simulator.browser.effects.lasting import Lasting
from simulator.browser.effects.met import MOST_TEXT, History, bare
from simulator.browser.effects.model import Effect, Kind, Observed, Told, Write
from simulator.browser.effects.places import Reading, another, asked_of, holds
from simulator.browser.effects.pressed import Things
from simulator.browser.effects.scene import Scene, Sight, Where
from simulator.browser.effects.sent.answered_ids import ToldIds
from simulator.browser.effects.sent.fetched import Fetches
from simulator.browser.effects.sent.refused import PageSays, Refusing
from simulator.browser.effects.sent.sending import Sending
from simulator.browser.views.refusals import Refusal

_MOST_LOOKS = 4
"""How many addresses are looked at between two tasks of which nothing says that something is shown there."""
_MOST_LIKELY = 8
"""How many are looked at where what is sought was shown."""
_PRESSED = "el => window.__sim ? __sim.actedOn(el) : null"


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
        self._inputs = Inputs(render)
        self._history = History()
        self.lasting = Lasting(template)
        """The places whose documents are not asked for once more."""
        self.displaced = Displaced(self.lasting)
        """Where other texts stand than a recording saw there."""
        self._echoes = Echoes(self._history, template, self._inputs.waiting, self.lasting, recognise)
        self._acts = Acts(self._history, template, recognise, self._echoes.shows)
        self.forms = SentForms(template, recognise)
        """What the forms of things show of what was sent."""
        self._met_forms = MetForms()
        self._fetches = Fetches(origin, self.forms.ids)
        self.ids = ToldIds()
        """Where the site told ids that may be visited later."""
        self.sending = Sending(
            origin, template, own, answered, inputs=self._inputs, history=self._history, echoes=self._echoes,
            acts=self._acts, forms=self.forms, ids=self.ids, met_forms=self._met_forms,
        )  # fmt: skip
        """What has been sent."""
        self.pages = Asking(self.lasting)
        """Asks pages."""
        self._revoked: dict[str, list[str]] = {}
        """Of what an action has sent, what a replay says that the thing's own form shows otherwise."""
        self._refusing = Refusing()
        self._document = ""
        self._frames: Mapping[Frame, str] = {}
        """What the frames of the page show, as far as they may be looked at."""
        self._asked_acts: list[Act] = []
        self._asked: list[UserInput] = []
        """The inputs that the document which comes next is asked for."""
        self._not_again: set[str] = set()
        self._unsure: set[str] = set()
        """Addresses that are not looked at beside the user's windows any more."""

    def know_files_by_address(self) -> None:
        """Take any picture at a new address for a file that was put in, as older recordings did."""
        self._inputs.by_look = False

    def attend(self, context: BrowserContext) -> None:
        """Listen to the user's context."""
        self.sending.writes.attend(context)
        self._fetches.attend(context)

    async def look_at_pressed(self, where: Page | Frame, selector: str, url: str, patience: float) -> None:
        """Take in what is about to be pressed, in a replay.

        Args:
            where: the page or the frame that it is in.
            selector: of the element.
            url: absolute address of the page.
            patience: how long the element may take to appear, in milliseconds.
        """
        with suppress(PlaywrightError):  # it is not there: the action itself will say so
            self.sending.pressing(await where.locator(selector).evaluate(_PRESSED, timeout=patience), url)

    def asking(self) -> dict[str, Any]:
        """Give what a document that an action leads to is asked for by whoever waits until it has come to rest.

        So it is read in the call that waits, and only where it is another one than the last.
        """
        self._asked, self._asked_acts = self._sought(), self._acts.sought()
        return {
            "known": self._document,
            "most": MOST_TEXT,
            "shown": asked_of(self._asked) if self._asked else None,
            "things": self._acts.asked_of(self._asked_acts) if self._asked_acts else None,
            "fields": bool(self._inputs.waiting() or self.forms.names()),
        }

    async def begin(self, action_id: str, frames: Sequence[Frame] = ()) -> None:
        """Say that an action begins.

        Args:
            action_id: the action.
            frames: those of the page that may be looked at: what they show by now was there before it.
        """
        self.sending.begin(action_id)
        known, self._frames = self._frames, await self.pages.documents_in(frames)
        late = [frame for frame, document in self._frames.items() if document != known.get(frame)]
        if late:  # they came after the page had come to rest
            asked = {"most": MOST_TEXT, "shown": None, "things": None, "fields": True}
            for one in await self.pages.meet_in(late, {}, asked, (), ()):
                await self._meet(one.where, one.document, one.met)
                self._frames = {**self._frames, **({one.where: one.document} if isinstance(one.where, Frame) else {})}

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
        acted_in: Where | None = None,
        frames: Sequence[Frame] = (),
        refusals: Sequence[Refusal] = (),
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
            acted_in: the page, or the frame in it, that the action was done in.
            frames: those of the page that may be looked at.
            refusals: what the page refuses now, and its frames.
        """
        before = Scene(page, self._document, self._frames)
        own = self._frames.get(acted_in) if isinstance(acted_in, Frame) else None
        self._inputs.put(action_id, start, given, told, id(page), own or self._document or document)
        if met is not None and met["document"] != document:
            met = None  # another one has come since
        sights = [Sight(page, document, document != self._document, met, self._asked, self._asked_acts)]
        if followed and frames:
            asked = self.asking()
            sights += await self.pages.meet_in(frames, self._frames, asked, self._asked, self._asked_acts)
            self._frames = {one.where: one.document for one in sights if isinstance(one.where, Frame)}
        self._document = document
        after = Scene(page, document, self._frames)
        known = start.before.refusals if start.before else ()
        says = PageSays(self._refusing, refusals, known, lambda frame: self._fields_in(sights, frame))
        writes = await self.sending.take(start, before, after, says)
        if any(one.carried for one in writes):
            self._fetches.forget()
        self._inputs.leave(id(page), after.documents)
        if not followed:
            return Observed(tuple(writes))
        effects = await self._look([one for one in sights if one.new or writes])
        for one in sights:
            if one.new:
                await self._meet(one.where, one.document, one.met)
        return Observed(tuple(writes), tuple(effects))

    async def _meet(self, where: Where, document: str, met: Mapping[str, Any] | None = None) -> None:
        """Know a document that the user has come to, and what its forms hold by now; ``met`` is what it has told."""
        await self.know(where, met and met["whole"])
        told = met or await self.pages.read_fields(where) or {}
        self._met_forms.meet(document, told.get("fields") or ())

    def seen(self, input_id: str, kind: Kind = "echo") -> Effect | None:
        """Give the best that was seen so far of what an action did; None for nothing.

        Args:
            input_id: the action that put something in, or pressed.
            kind: of the effect.
        """
        if kind == "echo":
            return self._echoes.seen(input_id)
        act = self._acts.of(input_id)
        return act.effects.get(kind) if act else None

    def against(self, action_id: str) -> str:
        """Give what the last document that shows a thing says against what was done to it; empty for nothing."""
        act = self._acts.of(action_id)
        return act.against if act else ""

    def told(self) -> list[Told]:
        """Tell of each write that the user made what was seen of it again, in order.

        What a session was opened with is not counted: that session proves it.
        """
        counted = [one for one in self._echoes.watched if one.counted]
        made = {(one.write.action_id, one.write.number): self._told(one) for one in counted}
        for act in self._acts.watched:
            if act.is_made and not act.bears:
                made.setdefault((act.write.action_id, act.write.number), act.told())
        order = {key: place for place, key in enumerate(self.sending.order)}
        return [made[key] for key in sorted(made, key=lambda key: order.get(key, 0))]

    def _told(self, watched: Watched) -> Told:
        """Tell what was seen of a write again, and is not contradicted by the form of the thing."""
        told, write = watched.told(), watched.write
        otherwise = self.forms.otherwise(write)
        parts = {one.input: one.part for one in write.carried}
        against = [one.called for one in watched.counted if parts.get(one.action_id) in otherwise]
        against += [one.called for one in watched.counted if self.displaced.instead(one.action_id)]
        left = self.forms.unseen(write)
        unseen = dict.fromkeys((*told.unseen, *against, *left, *self._revoked.get(write.action_id, ())))
        return replace(told, unseen=tuple(unseen))

    def watch_again(self, watched: Watched) -> None:
        """Go on looking for what was sent in another browser, which is lost."""
        self._echoes.watched.append(watched)
        self.sending.order.append((watched.write.action_id, watched.write.number))

    def take_over(self, other: Observer) -> None:
        """Go on looking for what another context of the same user has sent, which is not acted in any more."""
        for watched in other._echoes.watched:
            watched.only_tied, watched.since = True, 0
        self._echoes.watched = [*other._echoes.watched, *self._echoes.watched]
        self.sending.order = [*other.sending.order, *self.sending.order]
        other._echoes.watched = []

    def revoke(self, action_id: str, what: str) -> None:
        """Take the proof from what an action has sent; by nothing, that is left as it is."""
        if what:
            self._revoked.setdefault(action_id, []).append(what)

    def is_proven(self, action_id: str) -> bool:
        """Tell whether something that an action has sent is told as proven by now."""
        return any(self._told(one).proven for one in self._echoes.watched if one.write.action_id == action_id)

    def revoke_last(self) -> None:
        """Take the proof from the last write that was made: what came after it is not as recorded."""
        echoes = {(one.write.action_id, one.write.number): one for one in self._echoes.watched if one.counted}
        acts = {(one.write.action_id, one.write.number) for one in self._acts.watched if one.is_made and not one.bears}
        last = next((key for key in reversed(self.sending.order) if key in echoes or key in acts), None)
        sent = echoes.get(last) if last else None
        if sent is not None and self._told(sent).proven:
            for one in sent.counted:
                self.revoke(sent.write.action_id, one.called)

    @property
    def last_action(self) -> str:
        """Id of the action that was begun last; empty where none was."""
        return self.sending.last_action

    def to_look_at(self) -> list[str]:
        """Give the addresses at which may be seen what no later document has shown so far.

        These are where it was shown without proof, the list that the site section names for it, where the answer of
        their write led to, the pages before and after it, and what the user visited before; none where something is put
        in that nothing has sent, or that has been looked at for this write.
        """
        if self._inputs.waiting():
            return []
        likely = [url for url in self._echoes.likely() if url not in self._not_again][:_MOST_LIKELY]
        found: dict[str, None] = {}
        for one in self._echoes.watched:
            if one.is_open:
                own = (one.listed,) if one.listed else ()
                for url in (*own, *one.near, *(url for url in self._history.visited() if url not in one.read)):
                    if url not in one.read and url not in self._not_again:
                        found.setdefault(url)
        for act in self._acts.watched:
            if act.is_open and not act.bears:
                for url in act.near:
                    if url.startswith(self._origin) and url not in act.read and url not in self._not_again:
                        found.setdefault(url)
        for url in self.forms.to_look_at():
            if url.startswith(self._origin) and url not in self._not_again:
                found.setdefault(url)
        return [*likely, *[url for url in found if url not in likely][:_MOST_LOOKS]]

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
        await self.sending.learn_from_sockets()
        watching, acts = self._echoes.lacking(), self._acts.sought(everywhere=True)
        names = self.forms.names()
        if bare(page.url) != bare(url) or self.sending.writes.by_itself or not (watching or acts or names):
            self._not_again.add(url)
            return []
        effects: list[Effect] = []
        inputs = [each for one in watching for each in one.lacks()]
        told = await self.pages.read_all(page, inputs, self._acts.asked_of(acts), names)
        if told is None:
            return []
        if told["shown"]:
            reading = Reading.of(told["shown"], page.url).without_stored()
            lasting = await self.pages.what_lasts(page, reading, watching, second=url in self._unsure)
            effects += self._echoes.take_in(lasting, watching, lasting.document)
            await self._find_displaced(page, effects)
            if lasting is not reading and url not in self._unsure:
                self._unsure.add(url)
            else:
                self._unsure.discard(url)
                for one in watching:
                    one.read.add(url)
        effects += await self._look_for(page, acts, told=told["things"])
        if told["fields"] is not None:
            effects += self.forms.take_in(told["fields"], told["document"], page.url)
        effects += self.forms.take_in_fetched(await self._fetches.take(), page.url)
        self.forms.looked(url)
        return [replace(one, looked=True) for one in effects]

    async def look_at_forms(
        self, page: Where, known: Sequence[Mapping[str, Any]] | None = None, document: str = ""
    ) -> list[Effect]:
        """Look what the fields of a page hold of what was sent, and the data that its scripts have fetched.

        Args:
            page: the page, or a frame.
            known: its fields, as ``readFields`` gives them; None: it is asked.
            document: names the document that has them.
        """
        names = self.forms.names()
        if not names:
            return []
        fetched = self.forms.take_in_fetched(await self._fetches.take(), page.url)
        if known is not None:
            return [*fetched, *self.forms.take_in(known, document, page.url)]
        told = await self.pages.read_fields(page, names)
        return [*fetched, *(self.forms.take_in(told["fields"], told["document"], page.url) if told else ())]

    async def look_at_details(self, page: Where) -> list[Effect]:
        """Look what a page shows of what the form of a thing had filled, and nobody touched."""
        sought = self.forms.untouched()
        reading = await self.pages.read(page, sought) if sought else None
        return self.forms.take_in_places(reading) if reading else []

    async def know(self, page: Where, raw: Mapping[str, Any] | None = None) -> None:
        """Know a document as it is: what stands there already is no effect of a later write.

        Args:
            page: shows the document, and has come to rest.
            raw: what it says, as ``readWhole`` gives it; None: it is asked.
        """
        if raw := raw or await self.pages.read_whole(page):
            self._history.meet(page.url, raw)
            self.ids.meet(page.url, raw["tokens"])

    async def _fields_in(self, sights: Sequence[Sight], frame: Frame | None) -> Sequence[Mapping[str, Any]]:
        """Give what the fields of a page hold, or of a frame in it."""
        sight = next((one for one in sights if one.where is frame), sights[0])
        if sight.met and sight.met["fields"] is not None:
            known: list[Mapping[str, Any]] = sight.met["fields"]
            return known
        told = await self.pages.read_fields(sight.where)
        return told["fields"] if told else ()

    def is_unsure(self, url: str) -> bool:
        """Tell whether a look at an address met what may have been said once: another look tells."""
        return url in self._unsure

    def is_incidental(self, method: str, url: str) -> None:
        """Know a request that pages send by themselves: it keeps nobody from looking at them."""
        self.sending.writes.is_incidental(method, url)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Take what is sent meanwhile for what a page sends by itself."""
        with self.sending.writes.aside():
            yield

    async def missing(
        self, wheres: Sequence[Where], input_id: str, label: str, *, lasting: bool = True, stored: bool = False,
        whole: bool = False,
    ) -> str | None:  # fmt: skip
        """Look once more for an input on what the user looks at.

        Args:
            wheres: the page, and the frames in it.
            input_id: the action that put it in.
            label: what its place was called when it was recorded.
            lasting: whether what the page shows once, and not when it is loaded again, does not count.
            stored: whether what the browser itself keeps counts.
            whole: whether its beginning does not do.

        Returns:
            None where it is there by now, at a place that is tied to what was written, or where more is shown than
            can be read; else what such a place shows instead, empty where none says otherwise.
        """
        await self.sending.learn_from_sockets()
        known = self._echoes.of(input_id)
        if known is None:
            return ""
        instead = ""
        for where in wheres:
            reading = await self.pages.read(where, [known[1]], stored=stored)
            if reading is None and where is wheres[0]:
                return None  # the page has gone, or does not answer: what follows tells that
            if reading is None:
                continue
            if lasting:
                reading = await self.pages.what_lasts(where, reading, [known[0]])
            shown = self._instead(*known, reading, label, whole=whole)
            if shown is None and self.displaced.instead(input_id):
                shown = await self._displaced(where, *known) or None
            if shown is None:
                return None
            instead = instead or shown
        return instead

    def _instead(self, watched: Watched, one: UserInput, reading: Reading, label: str, *, whole: bool) -> str | None:
        """Give what a document shows instead of an input; empty where none says otherwise, None where it is there."""
        found = [
            each
            for each in self._echoes.found(watched, one, reading)
            if not each.spot.says and not (whole and each.likeness == "beginning")
        ]
        # Where the site has named the thing nowhere, what is shown may be of another one that is called alike.
        if any(each.keyed for each in found) or (found and not (watched.thing.names or watched.thing.paths)):
            return None
        if reading.partial or holds(one, reading, watched.thing, whole=whole):
            return None
        return another(one, reading, watched.thing, label) or ""

    async def look_again(self, wheres: Sequence[Where]) -> list[Effect]:
        """Look once more, on the page that the user looks at and in its frames, for what was done without an input."""
        acts = self._acts.sought(everywhere=True)
        return [effect for where in wheres for effect in await self._look_for(where, acts)]

    def can_load_again(self, document: str) -> bool:
        """Tell whether a document can be loaded again without sending anything, or losing what was put in."""
        return document not in self.sending.answers and not self._inputs.waiting()

    def _sought(self) -> list[UserInput]:
        """Give the inputs that a document which comes now may show: what was sent, and what is yet to be."""
        sent = (one for watched in self._echoes.sought() for one in watched.lacks())
        return list(dict.fromkeys((*self._inputs.waiting(), *sent)))

    async def _look(self, sights: Sequence[Sight]) -> list[Effect]:
        """Look for what is still to be seen of what has been sent."""
        if not sights:
            return []
        await self.sending.learn_from_sockets()
        new = any(one.new for one in sights)
        for watched in self._echoes.sought():
            watched.documents += new
        for act in self._acts.sought():
            act.documents += new
        return [effect for one in sights for effect in await self._look_on(one)]

    async def _look_on(self, sight: Sight) -> list[Effect]:
        """Look on one document for what is still to be seen."""
        effects: list[Effect] = []
        where, met = sight.where, sight.met
        watching = self._echoes.sought()
        reading: Reading | None = None
        inputs = [one for watched in watching for one in watched.lacks()]
        shown = met and met["shown"]
        if watching and shown and not shown["coming"] and all(one in sight.asked for one in inputs):
            reading = Reading.of(shown, where.url).without_stored()
        elif watching:
            reading = await self.pages.read(where, inputs)
        if reading is not None:
            for watched in watching:
                if sight.document not in watched.asked:
                    watched.read.add(where.url)
            reading = await self.pages.what_lasts(where, reading, watching)
            new = self._echoes.take_in(reading, watching, sight.document)
            await self._find_displaced(where, new)
            effects += new
        # What shows an input of a thing, and lasts, shows the thing.
        sure = {one.write_action for one in effects if one.strength == "kept" and one.place.keyed}
        acts = self._acts.sought()
        told = met["things"] if met and acts == sight.asked_acts else None
        effects += await self._look_for(where, acts, sure, told)
        if sight.new:
            effects += await self.look_at_forms(where, met["fields"] if met else None, sight.document)
            effects += await self.look_at_details(where)
        return effects

    async def _find_displaced(self, where: Where, effects: Sequence[Effect]) -> None:
        """Look what stands where a recording saw what a page shows elsewhere now."""
        for effect in effects:
            if self.displaced.may_be(effect) and (known := self._echoes.of(effect.input)):
                await self._displaced(where, *known)

    async def _displaced(self, where: Where, watched: Watched, one: UserInput) -> str:
        reading = await self.pages.read(where, self.displaced.sought(watched, one))
        return self.displaced.judge(watched, one, reading, self._template(where.url)) if reading else ""

    async def _look_for(
        self, page: Where, acts: Sequence[Act], sure: Collection[str] = frozenset(),
        told: Mapping[str, Any] | None = None,
    ) -> list[Effect]:  # fmt: skip
        """Look for what some acts did; ``told`` is what the document has told of them already."""
        if not acts:
            return []
        things = Things.of(told, page.url) if told else await self.pages.read_things(page, self._acts.asked_of(acts))
        if things is None:
            return []
        unsure = (one for one in acts if one.action_id not in sure and things.document not in one.asked)
        if any(things.names(act.fresh) for act in unsure):
            again = await self.pages.load_again(page, things=True)
            if not again.asks:
                things = replace(things, tokens=things.tokens & again.tokens)
        return self._acts.take_in(things, acts, things.document)
