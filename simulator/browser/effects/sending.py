"""What one user's actions have sent, put under watch: inputs, presses, and the forms that went with them.

Responsible for which request is whose: what of the user's it carried, what was pressed, what is incidental. Not
responsible for: hearing of requests (``writes``), or seeing anything again.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from simulator.addresses import urljoin, urlsplit
from simulator.browser.effects.deeds import Deeds, related
from simulator.browser.effects.echoes import Echoes, Watched
from simulator.browser.effects.forms import SentForms
from simulator.browser.effects.inputs import Inputs, UserInput, opens_session, telling
from simulator.browser.effects.met import History
from simulator.browser.effects.model import Kind, Write
from simulator.browser.effects.places import Thing, minted_in
from simulator.browser.effects.pressed import Pressed
from simulator.browser.effects.scene import Scene
from simulator.browser.effects.writes import Sent, Writes, carried_by, learn_names
from simulator.browser.sink import ActionStart
from simulator.browser.written import WRITING

_FAILED = 400
"""HTTP status from which on nothing was done."""
_PRESSES = frozenset({"click", "dblclick", "press", "check", "uncheck", "drag"})
"""What may be a deed of its own; what is sent at other times pages send by themselves."""


class Sending:
    """Takes in what one user has sent.

    Args:
        origin: scheme, host and port of the site.
        template: writes an absolute address as a template.
        own: gives the names of the user.
        answered: is told of a write that carries inputs as soon as the site has answered it.
        inputs: what is put in and not sent.
        history: what the user has met.
        echoes: gets the writes that carried inputs.
        deeds: gets what was pressed.
        forms: gets the forms that were sent.
    """

    def __init__(
        self,
        origin: str,
        template: Callable[[str], str],
        own: Callable[[], tuple[str, ...]],
        answered: Callable[[Write], None],
        *,
        inputs: Inputs,
        history: History,
        echoes: Echoes,
        deeds: Deeds,
        forms: SentForms,
    ) -> None:
        self._origin = origin
        self._template = template
        self._own = own
        self._answered = answered
        self._inputs = inputs
        self._history = history
        self._echoes = echoes
        self._deeds = deeds
        self._forms = forms
        self.writes = Writes(origin, self._hear_answer)
        self.last_action = ""
        """Id of the action that was begun last."""
        self.order: list[tuple[str, int]] = []
        """The writes by their actions, in the order in which they were sent."""
        self.answers: set[str] = set()
        """Documents that are the answer to a write themselves."""
        self.lists: Callable[[str], str] = lambda address: ""
        """Gives, of the path that something is sent to, the one at which the site is said to list all that its user
        sends there; empty for none."""
        self._pressed: Pressed | None = None
        self._expected: frozenset[Kind] = frozenset()
        self._given: dict[str, frozenset[str]] = {}
        """Of each id that the site gave first, what pages had called elements by then."""
        self._on_sockets: list[tuple[Sent, Watched]] = []
        """What was said on sockets: what answers it may come at any time."""

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

    async def take(self, start: ActionStart, before: Scene, after: Scene) -> list[Write]:
        """Take in what has been sent, and watch what carried an input, and what was pressed.

        Args:
            start: the action that has ended.
            before: what the user looked at before it.
            after: what the user looks at now.
        """
        writes: list[Write] = []
        pressed = self._pressed if start.kind in _PRESSES else None
        wanted = pressed is not None or bool(self._expected)
        may_be: list[tuple[Sent, Write, bool]] = []
        for sent in self.writes.take():
            socket = sent.initiator == "socket"
            waiting = self._inputs.may_be_sent()
            carried = carried_by(sent, waiting, start.target.form if start.target else "")
            write = self._written(sent)
            self.order.append((write.action_id, write.number))
            if sent.initiator == "document" and not sent.leads_to:
                self.answers.add(after.shown_in(sent.frame)[0])
            if carried:
                inputs = tuple(one for one in waiting if one.action_id in {each.input for each in carried})
                await learn_names(sent, inputs)
                write = replace(self._written(sent), carried=carried)
                writes += self._superseded(inputs)
                if socket and start.kind in WRITING:
                    self._inputs.told_as_typed(inputs)
                else:
                    self._inputs.sent({one.action_id for one in inputs})
                watched = self._watch(sent, write, inputs, before, after)
                self._echoes.watched.append(watched)
                if socket:
                    self._on_sockets.append((sent, watched))
                self._forms.watch(sent, watched)
                may_be.append((sent, write, True))
            else:
                tied = pressed is not None and bool(related(sent, pressed))
                if socket and not tied:
                    self.writes.is_unasked(sent)
                    continue  # a heartbeat: pages say things on sockets all the time
                if not wanted or sent.action_id != self.last_action:
                    self.writes.is_unasked(sent)
                elif self.writes.may_be_asked(sent, tied=tied):
                    may_be.append((sent, write, tied))
                if not tied:
                    self.writes.is_incidental(sent.request.method, sent.request.url)
            writes.append(write)
        if may_be:
            await self._watch_deed(pressed, may_be, before, after)
        self._pressed, self._expected = None, frozenset()
        return writes

    async def learn_from_sockets(self) -> None:
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
        self, pressed: Pressed | None, may_be: Sequence[tuple[Sent, Write, bool]], before: Scene, after: Scene
    ) -> None:
        """Watch what was pressed, by the request that says most of it: one with inputs, one that names the thing."""
        rarity = self.writes.rarity

        def worth(one: tuple[Sent, Write, bool]) -> tuple[bool, bool, bool, int, int]:
            sent, write, tied = one
            return bool(write.carried), tied, sent.initiator == "document", rarity(sent), sent.number

        sent, write, tied = max(may_be, key=worth)
        if not write.carried:
            await learn_names(sent)
            write = self._written(sent)
        elif not sent.names - minted_in(sent.request.url):
            return  # its inputs say all of it
        document, url = after.shown_in(sent.frame)
        answers = frozenset({document} if sent.initiator == "document" and not sent.leads_to else ())
        self._deeds.watch(
            sent,
            write,
            pressed,
            documents=before.documents,
            url=url,
            answers=answers,
            tied=tied,
            expected=self._expected,
        )

    def _watch(self, sent: Sent, write: Write, inputs: tuple[UserInput, ...], before: Scene, after: Scene) -> Watched:
        document, url = after.shown_in(sent.frame)
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
        asked = before.documents | answers
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
