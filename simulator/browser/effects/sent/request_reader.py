"""What the requests of one user are: as writes, of which thing, and which ids the site has given with their answers.

Not responsible for: what they carried, or which of them were meant (``sending``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import replace

from simulator.addresses import urljoin, urlsplit
from simulator.browser.effects.addresses import codes_of_page, generated_in, words_in
from simulator.browser.effects.echoes import Echoes
from simulator.browser.effects.fields import Field, MetForms
from simulator.browser.effects.met import History
from simulator.browser.effects.model import Rules, Write
from simulator.browser.effects.places import Thing
from simulator.browser.effects.pressed import Pressed
from simulator.browser.effects.sent.answered_ids import ToldIds
from simulator.browser.effects.sent.answers import REFUSED, learn_answer, of_another
from simulator.browser.effects.sent.batch import Batch, names_in
from simulator.browser.effects.sent.brought import Brought, page_of
from simulator.browser.effects.sent.naming import does_by_visit
from simulator.browser.effects.sent.objects import OF_LIST, ids_given
from simulator.browser.effects.sent.of_data import things_of_data
from simulator.browser.effects.sent.sockets import Message
from simulator.browser.effects.sent.things import given_in, made_in, texts_of_form, thing_of
from simulator.browser.effects.sent.writes import Sent
from simulator.browser.effects.spots import TELLING_DIGITS
from simulator.browser.effects.user_input import UserInput, opens_session, telling
from simulator.browser.effects.watched import Watched
from simulator.canonical import calls_an_id, is_generated


class RequestReader:
    """Reads the requests of one user.

    Args:
        origin: scheme, host and port of the site.
        template: writes an absolute address as a template.
        own: gives the names of the user.
        history: what the user has met.
        echoes: gets what opens a session, and the ids that the site has given.
        ids: gets what answers call things.
        met_forms: what the forms of the documents held that the user came to.
        brought: hears what the pages fetch.
    """

    def __init__(
        self,
        origin: str,
        template: Callable[[str], str],
        own: Callable[[], tuple[str, ...]],
        *,
        history: History,
        echoes: Echoes,
        ids: ToldIds,
        met_forms: MetForms,
        brought: Brought,
    ) -> None:
        self._brought = brought
        self._origin, self._template, self._own = origin, template, own
        self._history = history
        self._echoes = echoes
        self._ids = ids
        self._met_forms = met_forms
        self.lists: Callable[[str], str] = lambda address: ""
        """Gives, of the path that something is sent to, the one at which the site is said to list all that its user
        sends there; empty for none."""
        self.rules = Rules()
        """By which it is judged what is a write, and what shows it."""
        self._given: dict[str, frozenset[str]] = {}
        """Of each id that the site gave first, what pages had called elements by then."""

    def given_in(self, sent: Sent) -> frozenset[str]:
        """Give the steps of a request's address that the site has given to the user."""
        given = given_in(sent.request.url, self._given)
        if not self.rules.by_words:
            return given
        called = {name for one in self._echoes.watched if one.by_card for name in one.thing.names}
        return given | (called & words_in(sent.request.url).keys())

    def known_in(self, sent: Sent) -> frozenset[str]:
        """Give the ids anywhere in a request of a script that the site has given to the user, and words for things."""
        counts = self.rules.by_given and sent.initiator == "fetch"
        given = frozenset(self._given.keys() & names_in(sent)) if counts else frozenset[str]()
        return given | sent.of_data | self.called_in(sent)

    def does_by_visit(self, sent: Sent, pressed: Pressed | None) -> bool:
        """Return whether a link may have done something to the thing at which it was pressed."""
        return pressed is not None and does_by_visit(sent, pressed, self.rules)

    def called_in(self, sent: Sent) -> frozenset[str]:
        """Give the words by which a request of a script names a thing that a page was about, or led to."""
        if sent.called is None:
            counts = sent.initiator == "fetch" and self.rules.slugs_apart
            parts = sent.parts or () if counts else ()
            steps = words_in(sent.request.url).values() if counts else ()
            naming = {*steps, *(text for name, text in parts if calls_an_id(name))}
            sent.called = self._history.called({*naming, *(text for _, text in parts)}, naming)
        return sent.called

    async def know_of_data(self, sent: Sent, pressed: Pressed | None) -> None:
        """Take in which things of the page's data a request names.

        Args:
            sent: the request.
            pressed: what was pressed for it; None: only several in a list count.
        """
        request = sent.request
        if sent.initiator != "fetch" or not self.rules.by_data or isinstance(request, Message):
            return
        parts = sent.parts or ()
        # What is for no card, and names nothing that a site may have generated, is not worth asking for.
        for_card = pressed is not None and bool(pressed.levels or pressed.ticked or pressed.says)
        if (for_card or any(is_generated(text) for _, text in parts)) and (page := page_of(request)):
            found = things_of_data(request.url, parts, pressed, await self._brought.objects(page))
            sent.several, sent.of_data, sent.says_data = found.several, found.ids, found.texts

    async def know_what_was_there(self, sent: Sent) -> None:
        """Take in what stood at the address of a request before, where the request sends a list."""
        request = sent.request
        if sent.initiator != "fetch" or not self.rules.by_data or isinstance(request, Message):
            return
        if any(OF_LIST.search(name) for name, _ in sent.parts or ()) and (page := page_of(request)):
            sent.there = await self._brought.before(page, request)

    async def hear_out(self, sent: Sent, batch: Batch, inputs: Sequence[UserInput] = ()) -> None:
        """Take in what the answer to a request says, and the page that a script has gone to with it.

        An id in the address of that page is the thing's, whatever the answer calls it; where a script has left the
        document with the answer, nobody can read that any more.
        """
        known = self._history.names if self.rules.by_markup else None
        apart, by_data = self.rules.returns_apart, self.rules.by_data
        await learn_answer(sent, inputs, returns_apart=apart, by_data=by_data, known=known)
        await self._leave_out_known(sent)
        url = batch.answer_to(sent)[1] if sent.unheard or sent.said else ""
        if url.startswith(self._origin) and not self._history.knows(urlsplit(url).path):
            sent.names |= generated_in(url) if sent.unheard else generated_in(url) & sent.said
        if self.rules.by_data and sent.initiator == "fetch":
            sent.names |= ids_given(sent.parts or ())
        # What the request itself says the site has not called anything: a user may have put it in.
        said = {text for _, text in sent.parts or ()} | {text for one in inputs for text in one.spellings}
        self._ids.answered(sent.request.method, sent.request.url, sent.told, sent.action_id, said, carried=bool(inputs))

    async def _leave_out_known(self, sent: Sent) -> None:
        """Leave out what the answer to a POST at ``/things/7`` names instead of that, and was there before.

        Such a request may make something of the 7: that is new then.
        """
        request = sent.request
        if sent.initiator != "fetch" or not self.rules.posts_apart or isinstance(request, Message):
            return
        if not (others := of_another(sent, ("POST",))):
            return
        page = page_of(request)
        fetched = await self._brought.ids_before(page, request) if page else frozenset[str]()
        sent.names -= {one for one in others if one in fetched or self._history.names(one)}

    def watched(self, sent: Sent, write: Write, inputs: tuple[UserInput, ...], batch: Batch, secrets: int) -> Watched:
        """Give what is watched of a write.

        Args:
            sent: the request.
            write: what it is reported as.
            inputs: those that it carried.
            batch: what was sent with it.
            secrets: how many secrets were put in before it.
        """
        document, url = batch.answer_to(sent)
        answers = {document} if sent.initiator == "document" and not sent.leads_to else set()
        counted = telling(inputs, self._own(), secrets)
        if opens_session(inputs, secrets) and sent.answered < REFUSED:
            self._echoes.have_session(inputs)
            if self.rules.sessions_apart:  # the number of the user, as of a first one, is that of many a thing
                sent.names -= {one for one in sent.names if one.isdecimal() and len(one) < TELLING_DIGITS}
        if answers and all(one.told for one in counted):
            counted = ()  # a question: it gives back what the site had shown, and the page that comes is the answer
        met = self._met_forms.of(batch.before.documents) if self.rules.texts_apart else []
        thing = self._thing(sent, inputs, met, {one.part for one in write.carried})
        if self.rules.codes_of_pages:
            pages = (sent.page, url, *([batch.pressed.url] if batch.pressed else ()))
            thing = replace(thing, names=thing.names | codes_of_page(sent.request.url, pages, write.url))
        led = (sent.leads_to, url, sent.page, *sent.named_at)
        near = tuple(dict.fromkeys(one for one in led if one.startswith(self._origin)))
        fresh = frozenset(sent.names - generated_in(sent.request.url))
        if self.rules.adds and self._history.knows_page(sent.leads_to):
            fresh -= generated_in(sent.leads_to)  # where the remark was made that it leads back from
        fresh |= self.new_ids(sent, sent.leads_to)
        self.know_given(fresh)
        self._echoes.pass_on(fresh, write, sent.page)
        path = self.lists(urlsplit(sent.request.url).path)
        listed = urljoin(self._origin, path) if path else ""
        asked = batch.before.documents | answers
        return Watched(
            write, inputs, thing, asked, self._history.count, near, listed, counted, secrets > 0, fresh,
            sent_from=batch.before.documents, by_document=not self.rules.surroundings_apart,
            adds=self.rules.adds, values_apart=self.rules.values_apart, times_apart=self.rules.times_apart,
            forms_apart=self.rules.forms_apart, fields_apart=self.rules.fields_apart,
            steps_apart=self.rules.steps_apart,
        )  # fmt: skip

    def written(self, sent: Sent) -> Write:
        """Give a request as a write that carries nothing."""
        leads_to = self._template(sent.leads_to) if sent.leads_to else ""
        url = self._template(sent.request.url)
        return Write(
            sent.number, sent.action_id, sent.initiator, sent.request.method, url, sent.operation, sent.answered,
            leads_to, (),
        )  # fmt: skip

    def _thing(self, sent: Sent, inputs: Sequence[UserInput], met: Sequence[Field], carrying: Collection[str]) -> Thing:
        made = self.new_ids(sent, sent.leads_to) | self.given_in(sent)
        apart = {"texts_apart": self.rules.texts_apart, "rows_apart": self.rules.rows_apart}
        thing = thing_of(sent, inputs, met, carrying, made=made, **apart)
        page = self._history.page_of(sent.page, sent.leads_to, texts_of_form(met, thing.forms))
        return replace(
            thing, page=page, own=self._own(), given=self._given, by_spelling=self.rules.spellings_apart,
            by_words=self.rules.by_words, by_goals=self.rules.goals_apart, by_links=self.rules.by_links,
            by_pages=self.rules.fields_apart, lists=thing.lists if self.rules.filters_apart else frozenset(),
        )  # fmt: skip

    def new_ids(self, sent: Sent, leads_to: str) -> set[str]:
        """Give what the site has made in the address to which it answers, where no page had led there."""
        known = sent.initiator != "document" or self._history.knows(urlsplit(leads_to).path)
        return set() if known else made_in(sent, leads_to)

    def know_given(self, names: Collection[str]) -> None:
        """Know ids that the site has given for the first time."""
        new = [name for name in names if name not in self._given]
        self._given |= dict.fromkeys(new, self._history.ids()) if new else {}
