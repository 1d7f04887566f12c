"""What one user's actions have sent, put under watch: inputs, presses, and the forms that went with them.

Responsible for which request is whose: what of the user's it carried, what was pressed, what is incidental. Not
responsible for: hearing of requests (``writes``), or seeing anything again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator.addresses import urljoin
from simulator.browser.action_recorder import ActionStart
from simulator.browser.effects.acts import Acts
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.echoes import Echoes
from simulator.browser.effects.fields import MetForms
from simulator.browser.effects.inputs import Inputs
from simulator.browser.effects.model import Kind, Write
from simulator.browser.effects.pressed import Pressed
from simulator.browser.effects.scene import Scene
from simulator.browser.effects.sent.answers import OnSockets, Unread
from simulator.browser.effects.sent.batch import (
    Batch,
    Taken,
    beside_of,
    came_later,
    inputs_in,
    is_by_hand,
    is_told_alone,
    may_tell_one,
    names_in,
    says_more,
    told_one_by_one,
    told_to,
)
from simulator.browser.effects.sent.beside import place_of
from simulator.browser.effects.sent.carried import carried_by
from simulator.browser.effects.sent.given_back import AsTyped, Previews
from simulator.browser.effects.sent.naming import related
from simulator.browser.effects.sent.of_data import may_name_several
from simulator.browser.effects.sent.refused import PageSays
from simulator.browser.effects.sent.request_reader import RequestReader
from simulator.browser.effects.sent.said_by_presses import button_said, said_by_presses
from simulator.browser.effects.sent.sent_forms import SentForms
from simulator.browser.effects.sent.writes import Sent, Writes, read_bodies
from simulator.browser.effects.user_input import ENTERS, opens_session
from simulator.browser.effects.watched import Watched, may_remove
from simulator.browser.written import WRITING

PRESSES = frozenset({"click", "dblclick", "press", "check", "uncheck", "drag"})
"""What may be an act of its own; what is sent at other times pages send by themselves."""
_NO_PART = "\0"
"""No name of a part begins so."""


class Sending:
    """Takes in what one user has sent.

    Args:
        origin: scheme, host and port of the site.
        template: writes an absolute address as a template.
        answered: gets a write that carries inputs as soon as the site has answered it.
        requests: reads what was sent.
        inputs: what is put in and not sent.
        echoes: gets the writes that carried inputs.
        acts: gets what was pressed.
        forms: gets the forms that were sent.
        met_forms: what the forms of the documents held that the user came to.
    """

    def __init__(
        self,
        origin: str,
        template: Callable[[str], str],
        answered: Callable[[Write], None],
        *,
        requests: RequestReader,
        inputs: Inputs,
        echoes: Echoes,
        acts: Acts,
        forms: SentForms,
        met_forms: MetForms,
    ) -> None:
        self._template, self._answered, self._requests = template, answered, requests
        self._inputs = inputs
        self._echoes = echoes
        self._acts = acts
        self._forms = forms
        self._met_forms = met_forms
        self.writes = Writes(origin, self._hear_answer)
        self.last_action = ""
        """Id of the action that was begun last."""
        self.order: list[tuple[str, int]] = []
        """The writes by their actions, in the order in which they were sent."""
        self.answers: set[str] = set()
        """Documents that are the answer to a write themselves."""
        self.made: Callable[[str, Collection[str]], None] = lambda address, codes: None
        """Gets an address that ends in a word with a number, where a form's answer led to, and no page before."""
        self.learns = True
        """Whether such an address is given on."""
        self.compares_presses = True
        """Whether what a press sends without an input is compared with what the thing's own form shows later."""
        self._pressed: Pressed | None = None
        self._expected: frozenset[Kind] = frozenset()
        self._typing = False
        """Whether the last action put something into a field."""
        self.unread = Unread()
        """What was sent last and carries nothing of the user's."""
        self._last_press: tuple[str, Batch] | None = None
        """What was pressed last, by its action, while nothing else was done: its page may put off what it sends."""
        self._clicked = ("", "")
        """The last action, and what it has clicked is called; empty for nothing."""
        self._sent_by_pages: set[tuple[str, str]] = set()
        """Which kinds of requests pages send as they come: that somebody is there."""
        self._controls: dict[tuple[str, str], set[tuple[str, str]]] = {}
        """Of each kind of request that carried nothing what was pressed as it was sent."""
        self._has_come = False
        """Whether the last action neither pressed anything nor put anything in."""
        self._as_typed = AsTyped()
        self._previews = Previews()
        self._on_sockets = OnSockets()

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

    def begin(self, action_id: str) -> None:
        """Say that an action begins."""
        self.last_action = action_id
        self.writes.acting(action_id)

    async def take(self, start: ActionStart, before: Scene, after: Scene, page_says: PageSays) -> list[Write]:
        """Take in what has been sent, and watch what carried an input, and what was pressed.

        Args:
            start: the action that has ended.
            before: what the user looked at before it.
            after: what the user looks at now.
            page_says: what the page refuses by now.
        """
        pressed = self._pressed if start.kind in PRESSES else None
        told = [one for one in self.writes.take() if not one.is_visit or self._requests.does_by_visit(one, pressed)]
        put_off = await self._take([one for one in told if one.action_id != self.last_action], before, after, page_says)
        self._previews.leave(self._inputs)
        form, called = (start.target.form, start.target.name) if start.target else ("", "")
        batch = Batch(pressed, before, after, page_says, self._expected, called if start.kind == "click" else "")
        batch.beside = place_of(self.last_action, start, self._inputs) if start.kind in PRESSES else None
        batch.target = start.target if start.kind in PRESSES else None
        batch.submits = bool(batch.button and start.target and start.target.type == "submit" and form)
        own = [one for one in told if one.action_id == self.last_action]
        await self._take_in(own, batch, form, typed=start.kind in WRITING)
        await self._previews.look_again(page_says, after)
        if self._requests.rules.told_one_by_one:
            self._know_told([one for one in own if may_tell_one(one, batch)])
        # What was sent as something was chosen, and says nothing of it, is what that press was for.
        if any(one.sort not in self._sent_by_pages for one in own):
            self._inputs.sent({one.action_id for one in self._inputs.waiting() if one.loose} & {self.last_action})
        self._has_come = start.kind not in PRESSES and start.kind not in ENTERS
        self._know_by_page(own)
        self._last_press = (self.last_action, batch) if pressed else None
        self._clicked = self.last_action, batch.button
        self._pressed, self._expected, self._typing = None, frozenset(), start.kind in WRITING
        return [*put_off, *batch.writes]

    def _know_told(self, sent: Sequence[Sent]) -> None:
        """Know what was chosen by a press as told to the site by what that has sent, and may say in its own way."""
        chosen = [one for one in self._inputs.waiting() if one.action_id == self.last_action]
        for one in sent[-1:]:
            own = [each for each in chosen if one.initiator == "socket" or not each.loose]
            self._inputs.told_as_typed(own, told_to(one))

    async def take_put_off(self, now: Scene, page_says: PageSays) -> list[Write]:
        """Take in what a page has put off: what it has sent, and the site answered, since the last action ended.

        Args:
            now: what the user looks at.
            page_says: what the page refuses by now.
        """
        return await self._take([one for one in self.writes.take_answered() if not one.is_visit], now, now, page_says)

    async def _take(self, told: Sequence[Sent], before: Scene, after: Scene, page_says: PageSays) -> list[Write]:
        """Take in what was sent after an action had ended: where that was a press, it may be what it was for."""
        self._know_by_page(told)
        batch = Batch(None, before, after, page_says)
        if all(one.action_id == self._clicked[0] for one in told):
            batch.button = self._clicked[1]
        if self._last_press and all(one.action_id == self._last_press[0] for one in told):
            batch = self._last_press[1].put_off_now(before, after, page_says, self._requests.rules)
        await self._take_in(told, batch, "", typed=self._typing)
        return batch.writes

    def _know_by_page(self, told: Sequence[Sent]) -> None:
        if self._has_come:
            self._sent_by_pages |= {one.sort for one in told if one.action_id == self.last_action}

    async def _take_in(self, told: Sequence[Sent], batch: Batch, form: str, *, typed: bool) -> None:
        if self._requests.rules.bodies:
            await read_bodies(told, self.writes.bodies)
        if self._requests.rules.told_one_by_one:
            await batch.hear_said(told)
        for sent in told:
            self.order.append((sent.action_id, sent.number))
            if sent.initiator == "document" and not sent.leads_to:
                self.answers.add(batch.after.shown_in(sent.frame)[0])
            if sent.is_visit or not await self._carries(sent, batch, form, typed=typed):
                await self._carries_nothing(sent, batch)
        if not all(one.typed for one in batch.taken):
            self._inputs.forget_secrets()
        if batch.may_be:
            await self._watch_act(batch)

    async def _carries(self, sent: Sent, batch: Batch, form: str, *, typed: bool) -> bool:
        """Watch a request that carries inputs; returns whether it does."""
        waiting = self._inputs.may_be_sent()
        # What one press sends several times, to have it checked and then saved, is one write: the one that says most.
        own = [one for one in batch.taken if one.sent.action_id == sent.action_id and not one.typed]
        earlier = [] if typed else own
        again = [each for one in earlier for each in one.watched.inputs if each not in waiting]
        by_form = form or (sent.form_of_page if self._requests.rules.by_page else "")
        naming = self._requests.called_in(sent)
        carried = carried_by(sent, (*waiting, *again), by_form, beside_of(sent, batch), naming)
        if self._requests.rules.told_one_by_one and not typed:
            typed = is_told_alone(sent, carried, batch)
            told = [] if typed else self._inputs.were_told(told_to(sent))
            carried = (*carried, *told_one_by_one(sent, carried, told, batch))
        carried = self._previews.without_drafts(sent, carried, self._inputs, batch)
        if not carried:
            return False
        said = said_by_presses(sent, self._inputs.said(sent.action_id), carried, self._filled(sent, batch))
        carried, waiting = (*carried, *(one for one, _ in said)), (*waiting, *(one for _, one in said))
        await self._requests.hear_out(sent, batch, inputs_in(carried, (*waiting, *again)))
        less = [one for one in earlier if says_more(sent, carried, one)]
        kept = {each.action_id for one in earlier if one not in less for each in one.watched.inputs}
        carried = tuple(one for one in carried if one.input not in kept)
        if not carried:
            return False
        inputs = inputs_in(carried, (*waiting, *again))
        write = replace(self._requests.written(sent), carried=carried)
        if self._requests.rules.refusals:
            taken = tuple(one for one in carried if not one.part.startswith(sent.refused_parts or _NO_PART))
            if sent.refused or not taken or await batch.page_says.refuse(sent, inputs):
                sent.refused = True
                batch.writes.append(write)
                if typed:
                    self._as_typed.refuse(write)
                ids = [one.action_id for one in inputs]
                self._inputs.stay(ids, id(batch.after.page), batch.answer_to(sent)[0], sent.action_id)
                return True
            inputs, carried = inputs_in(taken, inputs), taken
            write = replace(write, carried=carried)
        previews = self._previews.sent_by(self._echoes.watched, inputs, batch)
        over = (*self._as_typed.superseded(self._echoes.watched, inputs), *(one.watched for one in less), *previews)
        batch.writes += [*map(self._is_superseded, over), *self._as_typed.refused_before(inputs)]
        batch.may_be = [one for one in batch.may_be if one[1] not in [each.watched.write for each in less]]
        if typed:
            self._inputs.told_as_typed(inputs, told_to(sent))
            self._as_typed.know(write)
        else:
            self._inputs.sent({one.action_id for one in inputs})
            if held := await batch.page_says.given_back(sent, inputs):
                self._inputs.given_back(held, id(batch.after.page), batch.answer_to(sent)[0], told_to(sent))
                self._previews.know(sent, write, held, batch)
        await self._requests.know_what_was_there(sent)
        if may_name_several(sent.parts or ()):
            await self._requests.know_of_data(sent, None)
        secrets = 0 if typed else self._inputs.secrets
        watched = self._requests.watched(sent, write, inputs, batch, secrets)
        watched.previewed = self._previews.shown_by(previews)
        self._echoes.watched.append(watched)
        if sent.initiator == "socket":
            self._on_sockets.add(sent, watched)
        self._forms.watch(sent, watched, self._met_forms.of(batch.before.documents))
        if self._requests.rules.by_button and not typed:
            watched.button = button_said(sent, self._inputs.said_by(sent.action_id))
        batch.taken.append(Taken(sent, watched, typed))
        opens = opens_session(inputs, secrets) and self._requests.rules.sessions_apart
        batch.may_be += [] if opens else [(sent, write, True)]
        batch.bore |= opens and self._requests.rules.mutations_apart  # what else is sent is of the view that follows
        batch.writes.append(write)
        return True

    def _filled(self, sent: Sent, batch: Batch) -> dict[str, tuple[str, ...]]:
        """Give what the fields of the form that is sent had held as the page came: nobody has pressed that."""
        met = self._met_forms.of(batch.before.documents) if sent.initiator == "document" else ()
        return {one.name: one.holds for one in met}

    async def _carries_nothing(self, sent: Sent, batch: Batch) -> None:
        """Take in a request that carries nothing of the user's: it may be what a press was for."""
        write = self._requests.written(sent)
        self.unread.add(sent)
        ways = related(sent, batch.pressed) if batch.pressed else ""
        if batch.pressed:
            await self._requests.know_of_data(sent, batch.pressed)
        tied = batch.pressed is not None and bool(ways or self._requests.known_in(sent))
        said = sent.initiator == "socket" and (batch.pressed or batch.expected) and is_by_hand(sent, batch)
        if sent.initiator == "socket" and not (tied or said):
            self.writes.is_unasked(sent)
            return  # a heartbeat: pages say things on sockets all the time
        if batch.pressed and not said:  # on a socket all presses may be said in one way
            controls = self._controls.setdefault(sent.sort, set())
            controls.add((batch.pressed.standing.role, batch.pressed.standing.name))
            if len(controls) > 1:
                self._acts.counts(sent.sort)
        wanted = (batch.pressed is not None and not came_later(sent, batch)) or bool(batch.expected)
        if not wanted:
            self.writes.is_unasked(sent)
        elif said or self.writes.may_be_asked(sent, tied=tied and (batch.put_off is None or bool(batch.expected))):
            batch.may_be.append((sent, write, tied))
        if not (tied and wanted):
            self.writes.is_incidental(sent.request.method, sent.request.url)
        batch.writes.append(write)

    async def learn_from_sockets(self) -> None:
        """Take in what the site has called by now what was said on a socket."""
        for fresh in await self._on_sockets.learn():
            self._requests.know_given(fresh)

    def _is_superseded(self, watched: Watched) -> Write:
        """Watch a write no more; gives it as one that carried nothing."""
        self._echoes.watched = [one for one in self._echoes.watched if one is not watched]
        self._forms.drop(watched.write)
        return replace(watched.write, carried=())

    async def _watch_act(self, batch: Batch) -> None:
        """Watch what was pressed, by the request that says most of it: one with inputs, one that names the thing."""
        rarity = self.writes.rarity
        named = {name for sent, _, _ in batch.may_be for name in (*names_in(sent), *sent.says_data)}
        several = batch.pressed.ticked_things(named) if batch.pressed else ()
        ids = {value for one in several for value in one.values()}

        def worth(one: tuple[Sent, Write, bool]) -> tuple[bool, bool, bool, bool, int, int]:
            sent, write, tied = one
            names = not ids.isdisjoint(names_in(sent))
            return bool(write.carried), names, tied, sent.initiator == "document", rarity(sent), sent.number

        sent, write, tied = max(batch.may_be, key=worth)
        if batch.bore and not (write.carried or batch.expected):
            return  # what was put in says all of the press: this is of the view that it has led to
        tied = tied or bool(several)
        known = self._acts.of(write.action_id)
        if known is not None:  # before what a page puts off, a clock may have sent that somebody looks
            if known.tied or not (tied or (batch.asked and rarity(sent) > rarity(batch.asked))):
                return
            self._acts.watched.remove(known)
        batch.asked, batch.bore = sent, bool(write.carried)
        if not write.carried:
            await self._requests.hear_out(sent, batch)
            write = self._requests.written(sent)
            if sent.refused and self._requests.rules.refusals:
                return
            made = self._requests.new_ids(sent, sent.leads_to)
            self._echoes.pass_on((sent.names - generated_in(sent.request.url)) | made, write, sent.page)
            if self.compares_presses and tied and (sent.several or not several):
                self._forms.watch(sent, self._requests.watched(sent, write, (), batch, 0))
        elif not (several or sent.names - generated_in(sent.request.url)):
            rules = self._inputs.rules
            unspelt = rules.sent_beside and not any(one.part for one in write.carried)
            if not tied or not (unspelt or (rules.removed_with_words and may_remove(self._echoes.watched, write))):
                return  # its inputs say all of it
        document, url = batch.answer_to(sent)
        answers = frozenset({document} if sent.initiator == "document" and not sent.leads_to else ())
        self._acts.watch(
            sent, write, batch.pressed, documents=batch.before.documents | (batch.put_off or frozenset()), url=url,
            answers=answers, tied=tied, several=several,
            given=self._requests.given_in(sent) | self._requests.known_in(sent),
            on_answer=batch.pressed is not None and batch.pressed.document in self.answers, expected=batch.expected,
            by_itself=self._is_sent_by_itself(sent),
        )  # fmt: skip

    def _is_sent_by_itself(self, sent: Sent) -> bool:
        """Return whether pages send such requests by themselves, or several controls do, as what counts presses."""
        several = len(self._controls.get(sent.sort, ())) > 1
        return several or sent.sort in self._sent_by_pages or not self.writes.may_be_asked(sent, tied=False)

    def _hear_answer(self, sent: Sent) -> None:
        """Report a write whose answer has come; where it leads is asked for after that. A visit may be none."""
        carried = carried_by(sent, self._inputs.may_be_sent(), naming=self._requests.called_in(sent))
        if carried and sent.response is not None and not sent.is_visit:
            where = sent.response.headers.get("location", "")
            goal = urljoin(sent.request.url, where)
            if where and self.learns and (new := self._requests.new_ids(sent, goal)):
                self.made(goal, new)
            leads_to = self._template(goal) if where else ""
            self._answered(replace(self._requests.written(sent), carried=carried, leads_to=leads_to))
