"""Observes what one user's actions do: what was put in, what was sent of it, and where it is seen again.

Responsible for giving the parts what pages say, at which time: ``echoes`` of inputs, ``acts`` without one. Not
responsible for: asking pages (``asking``), what was sent (``sending``), storing, or what a replay requires.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager, suppress
from functools import partial
from typing import Any

from playwright.async_api import BrowserContext, Frame, Page, Request, Response
from playwright.async_api import Error as PlaywrightError

from simulator.addresses import urlsplit
from simulator.browser.action_recorder import ActionStart
from simulator.browser.effects.act import Act
from simulator.browser.effects.acts import Acts
from simulator.browser.effects.asking import Asking
from simulator.browser.effects.displaced import Displaced
from simulator.browser.effects.echoes import Echoes, repeats
from simulator.browser.effects.fields import MetForms
from simulator.browser.effects.inputs import Inputs
from simulator.browser.effects.lasting import Lasting
from simulator.browser.effects.look_back import LookBack
from simulator.browser.effects.met import MOST_TEXT, History
from simulator.browser.effects.model import Effect, Observed, Rules, Write
from simulator.browser.effects.proofs import Proofs
from simulator.browser.effects.scene import Scene, Sight, Where
from simulator.browser.effects.search import EffectSearch
from simulator.browser.effects.sent.answered_ids import ToldIds
from simulator.browser.effects.sent.fetched import Fetches
from simulator.browser.effects.sent.refused import PageSays, Refusing, is_held
from simulator.browser.effects.sent.request_reader import RequestReader
from simulator.browser.effects.sent.sending import PRESSES, Sending
from simulator.browser.effects.sent.sent_forms import SentForms
from simulator.browser.effects.user_input import UserInput
from simulator.browser.launch.script import ask
from simulator.browser.listeners import of_one
from simulator.browser.views.refusals import Refusal

_VISITS = frozenset({"goto", "back", "forward"})
_PRESSED = "el => window.__sim ? __sim.actedOn(el) : null"


class Observer:
    """Observes the actions of one user.

    Args:
        origin: scheme, host and port of the site.
        template: writes an absolute address as a template.
        render: puts values in place of variables.
        answered: gets a write that carries inputs as soon as the site has answered it.
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
        self._answered, self._own = answered, own
        self._inputs = Inputs(render)
        self.history = History()
        """The documents that the user has met."""
        self.lasting = Lasting(template)
        """The places whose documents are not asked for once more."""
        self.displaced = Displaced(self.lasting)
        """Where other texts stand than a recording saw there."""
        self._echoes = Echoes(self.history, template, self._inputs.waiting, self.lasting, recognise)
        self._acts = Acts(self.history, template, recognise, self._echoes)
        self.forms = SentForms(template, recognise)
        """What the forms of things show of what was sent."""
        self._met_forms = MetForms()
        self.pages = Asking(self.lasting, own)
        """Asks pages."""
        self.pages.named = self._echoes.named
        self.pages.repeats = partial(repeats, self._echoes)
        self._fetches = Fetches(
            origin, self.forms.ids, self.pages.itself,
            asks=lambda request: self.sending.writes.asks(request), put_in=self.forms.say_what_was_put_in,
        )  # fmt: skip
        self.ids = ToldIds()
        """Where the site gave ids that may be visited later."""
        self.requests = RequestReader(
            origin, template, own, history=self.history, echoes=self._echoes, ids=self.ids,
            met_forms=self._met_forms, brought=self.pages.brought,
        )  # fmt: skip
        """Reads what is sent."""
        self.sending = Sending(
            origin, template, answered, requests=self.requests, inputs=self._inputs, echoes=self._echoes,
            acts=self._acts, forms=self.forms, met_forms=self._met_forms,
        )  # fmt: skip
        """What has been sent."""
        self.proofs = Proofs(
            sending=self.sending, echoes=self._echoes, acts=self._acts, forms=self.forms, displaced=self.displaced
        )
        """What is proven of it."""
        self.search = EffectSearch(
            template=template, pages=self.pages, inputs=self._inputs, sending=self.sending, fetches=self._fetches,
            echoes=self._echoes, acts=self._acts, forms=self.forms, displaced=self.displaced,
        )  # fmt: skip
        """Looks for what is still to be seen of it."""
        self.look_back = LookBack(
            origin=origin, pages=self.pages, inputs=self._inputs, history=self.history, sending=self.sending,
            fetches=self._fetches, echoes=self._echoes, acts=self._acts, forms=self.forms, search=self.search,
        )  # fmt: skip
        """Looks for it beside the user's windows."""
        self._drawn = ""
        """The document that a script has redrawn since it came, for something that the user did."""
        self._refusing = Refusing()
        self._document, self._path = "", ""
        self._frames: Mapping[Frame, str] = {}
        """What the frames of the page show, as far as they may be looked at."""
        self._asked_acts: list[Act] = []
        self._asked: list[UserInput] = []
        """The inputs that the document which comes next is asked for."""

    def report_by(
        self, rules: Rules, *, recorded: bool, compares_presses: bool = True, names_users: bool = True
    ) -> None:
        """Report by some rules: by those of a recording while it is performed, and by those of the run after its end.

        Args:
            rules: by which effects are reported.
            recorded: whether what is observed now was recorded before, so that it is known what the site calls things.
            compares_presses: whether what a press sent is compared with what the form of its thing shows.
            names_users: whether it counts that inputs stand with names of their users.
        """
        self._inputs.rules = self.requests.rules = self.pages.rules = self._acts.rules = rules
        self.forms.by_data, self.forms.whole_lists = rules.by_data, rules.whole_lists
        self.forms.stays, self.forms.late = rules.forms_stay, rules.late_looks
        self.forms.loose, self.displaced.own_places = rules.loose_fields, rules.own_places
        self.forms.offers, self.forms.left.counts = rules.offered_apart, rules.choices_left
        self.sending.writes.reads_escaped = rules.escaped
        self.sending.learns, self.sending.compares_presses = not recorded, compares_presses
        self.pages.named = self._echoes.named if names_users else lambda watched, reading: ()

    def attend(self, context: BrowserContext) -> None:
        """Listen to the user's context, once for all parts: Playwright looks into each listener at each event."""
        self.sending.writes.attend(context)
        self.pages.brought.attend(context)
        context.on("request", of_one(self._hear))
        context.on("response", of_one(self._hear_answer))

    def _hear(self, request: Request) -> None:
        self.sending.writes.hear(request)
        self._fetches.hear(request)
        self.pages.brought.hear(request)

    def _hear_answer(self, response: Response) -> None:
        self.sending.writes.hear_answer(response)
        self._fetches.hear_answer(response)
        self.pages.brought.hear_answer(response)

    async def look_at_pressed(self, where: Page | Frame, selector: str, url: str, patience: float) -> None:
        """Take in what is about to be pressed, in a replay.

        Args:
            where: the page or the frame that it is in.
            selector: of the element.
            url: absolute address of the page.
            patience: how long the element may take to appear, in milliseconds.
        """
        with suppress(PlaywrightError):  # it is not there: the action itself will say so
            self.sending.pressing(await _about_pressed(where, selector, patience), url)

    def asking(self) -> dict[str, Any]:
        """Give what a document that an action leads to is asked for by whoever waits until it has come to rest.

        So it is read in the call that waits, and only where it is another one than the last.
        """
        self._asked, self._asked_acts = self.search.sought(), self._acts.sought()
        return {
            "known": self._document,
            "most": MOST_TEXT,
            "own": list(self._own()),
            "shown": self.pages.shown(self._asked) if self._asked else None,
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
            asked = {"most": MOST_TEXT, "own": list(self._own()), "shown": None, "things": None, "fields": True}
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
        turned: bool = False,
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
            told: what the page reports of that field afterwards.
            followed: whether the page was followed to rest; else nothing is looked for.
            turned: whether the page shows something else since then, or is at another address.
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
        says = PageSays(self._refusing, refusals, known, lambda frame: self._fields_in(sights, frame), self.pages, page)
        writes = await self.sending.take(start, before, after, says)
        if any(one.carried for one in writes):
            self._fetches.forget()
        self._inputs.leave(id(page), after.documents)
        await self._give_up(action_id, page, sights, routed=document == before.document)
        if not followed:
            return Observed(tuple(writes))
        effects = [*self.forms.left.told(), *await self.search.look([one for one in sights if one.new or writes])]
        if turned and document == before.document:
            self._drawn = document
        rules = self.requests.rules
        turns = start.kind in PRESSES or (start.kind in _VISITS and rules.views_by_visits)
        if turned and not writes and turns and rules.surroundings_apart:
            effects += await self._look_at_views([one for one in sights if not one.new])
        sent = any(one.carried or one.initiator == "document" for one in writes)
        self.ids.made.report(writes)
        self.ids.made.lead(page.url, action_id)
        for one in sights:
            if one.new:
                await self._meet(one.where, one.document, one.met, action_id if sent else "")
        return Observed(tuple(writes), tuple(effects))

    async def catch_up(self, page: Page) -> Observed:
        """Take in what the page has put off, and sent since the last action ended, and look what the page shows of it.

        Args:
            page: the page that the user looks at.
        """
        now = Scene(page, self._document, self._frames)
        sights = [Sight(page, now.document, False)]
        says = PageSays(self._refusing, (), (), lambda frame: self._fields_in(sights, frame), self.pages, page)
        writes = await self.sending.take_put_off(now, says)
        for one in writes:
            self._answered(one)
        shown = [Sight(page, self._document, new=False)]
        shown += [Sight(frame, document, new=False) for frame, document in self._frames.items()]
        return Observed(tuple(writes), tuple(await self.search.look(shown) if writes else ()))

    async def ids_told(self) -> frozenset[str]:
        """Give the ids in the answers of the site to all that was sent with inputs, and to what was sent beside."""
        return self.ids.answers | await self.sending.unread.ids()

    async def _look_at_views(self, sights: Sequence[Sight]) -> list[Effect]:
        """Look what a script shows on a document that was there already, and know it as it is for later writes.

        While something is put in that nothing has sent a view may show just that.
        """
        effects = await self.search.look_at_views(sights)
        for one in sights:
            if any(one.kind != "tick" or not one.loose for one in self._inputs.waiting()):
                break
            if raw := await self.pages.read_whole(one.where):
                self.history.meet(one.where.url, raw, shown_by=one.document)
                self.ids.made.see(one.where.url, raw["tokens"])
        return effects

    async def _give_up(self, action_id: str, page: Page, sights: Sequence[Sight], *, routed: bool) -> None:
        """Know what was refused as given up, once its application has gone on to a view without its form.

        It may still be sent as a part of a whole, as in steps, but nothing waits for that.
        """
        known, self._path = self._path, urlsplit(page.url)._replace(query="").geturl()
        refused = self._inputs.refused_before(action_id, id(page)) if routed and known != self._path else []
        if refused:
            fields = await self._fields_in(sights, None)
            self._inputs.told_as_typed(one for one in refused if not is_held(one, fields))

    async def _meet(self, where: Where, document: str, met: Mapping[str, Any] | None = None, sent_by: str = "") -> None:
        """Know a document that the user has come to, and what its forms hold by now.

        Args:
            where: shows it.
            document: names it.
            met: what it has answered; None: it is asked.
            sent_by: the action that sent something, and led there by that; empty for none.
        """
        await self.know(where, met and met["whole"], sent_by, document)
        told = met or await self.pages.read_fields(where) or {}
        self._met_forms.meet(document, told.get("fields") or ())

    @property
    def last_action(self) -> str:
        """Id of the action that was begun last; empty where none was."""
        return self.sending.last_action

    async def know(
        self, page: Where, raw: Mapping[str, Any] | None = None, sent_by: str = "", document: str = ""
    ) -> None:
        """Know a document as it is: what stands there already is no effect of a later write.

        Args:
            page: shows the document, and has come to rest.
            raw: what it says, as ``readWhole`` gives it; None: it is asked.
            sent_by: the action that sent something, and led there by that; empty for none.
            document: names it; empty where that is not known.
        """
        if raw := raw or await self.pages.read_whole(page):
            self.history.meet(page.url, raw, document, answers=document in self.sending.answers)
            self.ids.meet(page.url, raw["tokens"], sent_by)

    async def _fields_in(self, sights: Sequence[Sight], frame: Frame | None) -> Sequence[Mapping[str, Any]]:
        """Give what the fields of a page hold, or of a frame in it."""
        sight = next((one for one in sights if one.where is frame), sights[0])
        if sight.met and sight.met["fields"] is not None:
            known: list[Mapping[str, Any]] = sight.met["fields"]
            return known
        told = await self.pages.read_fields(sight.where)
        return told["fields"] if told else ()

    def is_incidental(self, method: str, url: str) -> None:
        """Know a request that pages send by themselves: it keeps nobody from looking at them."""
        self.sending.writes.is_incidental(method, url)

    @contextmanager
    def aside(self, page: Page) -> Iterator[None]:
        """Take what is sent meanwhile for what pages send by themselves, and what a page sends, also afterwards.

        Args:
            page: is only looked at.
        """
        with self.sending.writes.aside(page):
            yield

    def can_load_again(self, document: str) -> bool:
        """Return whether a document can be loaded again without sending anything, or losing what was put in or drawn.

        What a script has drawn since the document came, view by view, is not there when it is loaded again.
        """
        is_view = self.requests.rules.surroundings_apart and self._drawn == document
        return document not in self.sending.answers and not is_view and not self._inputs.waiting()


async def _about_pressed(where: Page | Frame, selector: str, patience: float) -> Any:
    """Give what a page says of what is about to be pressed: in one call where it is there, otherwise waiting for it.

    Raises:
        PlaywrightError: it does not appear.
    """
    with suppress(PlaywrightError, TimeoutError):  # the document has gone, or does not answer: the next one is asked
        async with asyncio.timeout(patience / 1000):
            if told := await ask(where, "aboutPressed", selector):
                return told["pressed"]
    return await where.locator(selector).evaluate(_PRESSED, timeout=patience)
