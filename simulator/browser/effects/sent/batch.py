"""What was sent until an action had ended, and which of it says more than other requests of the same press.

Not responsible for: what it carried (``writes``), or putting it under watch (``sending``).
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field

from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.inputs import leads_on
from simulator.browser.effects.met import bare
from simulator.browser.effects.model import Carried, Initiator, Kind, Rules, Write
from simulator.browser.effects.pressed import Pressed, generated_parts
from simulator.browser.effects.scene import Scene
from simulator.browser.effects.sent.beside import Beside
from simulator.browser.effects.sent.boxes import named_by
from simulator.browser.effects.sent.refused import PageSays
from simulator.browser.effects.sent.sockets import SAYS, Message
from simulator.browser.effects.sent.writes import Sent
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched
from simulator.browser.evidence import Target

_FIELDS = frozenset({
    "checkbox", "combobox", "listbox", "option", "radio", "searchbox", "slider", "spinbutton", "switch", "textbox",
})  # fmt: skip
_WEIGHT: Mapping[Initiator, int] = {"document": 3, "fetch": 2, "socket": 1, "beacon": 0}


@dataclass(frozen=True, slots=True)
class Taken:
    """A request of an action that carried inputs, and is watched."""

    sent: Sent
    watched: Watched
    typed: bool
    """Whether it was sent while the inputs were put in."""


@dataclass(slots=True)
class Batch:
    """What was sent until an action had ended."""

    pressed: Pressed | None
    before: Scene
    after: Scene
    page_says: PageSays
    expected: frozenset[Kind] = frozenset()
    """What a recording saw of the press."""
    button: str = ""
    """What was clicked is called; empty for nothing, or where that is not known."""
    put_off: frozenset[str] | None = None
    """Of what was sent after the press had ended, the documents that were there before it; None for anything else."""
    asked: Sent | None = None
    """The request that the press was for, as far as that is known."""
    bore: bool = False
    """Whether that request carried inputs."""
    beside: tuple[str, ...] | None = None
    """Where what was pressed stands (``UserInput.stands_in``); None for nothing, or for what is an input itself."""
    submits: bool = False
    """Whether what was clicked is the button of a form."""
    target: Target | None = None
    """What was pressed; None for nothing."""
    said: frozenset[str] | None = frozenset()
    """What the handlers of the press have said on sockets, by the rules; None where their document has gone."""
    writes: list[Write] = field(default_factory=list)
    taken: list[Taken] = field(default_factory=list)
    may_be: list[tuple[Sent, Write, bool]] = field(default_factory=list)
    """What the press may have been for, and whether that names the thing."""

    def put_off_now(self, before: Scene, after: Scene, page_says: PageSays, rules: Rules) -> Batch:
        """Give what the page has put off for the same press, while nothing else has been done.

        Args:
            before: what the user looked at before it was sent.
            after: what the user looks at now.
            page_says: what the page refuses by now.
            rules: by which what was sent before may have been a check of it, and is no write then.
        """
        known = self.before.documents
        return Batch(
            self.pressed,
            before,
            after,
            page_says,
            self.expected,
            self.button,
            known,
            self.asked,
            self.bore,
            self.beside,
            self.submits,
            self.target,
            self.said or frozenset(),
            taken=self.taken if rules.late_whole else [],
        )

    async def hear_said(self, told: Iterable[Sent]) -> None:
        """Ask the page what the handlers of the press have said on sockets; once, as it has ended.

        Args:
            told: what was sent.
        """
        if self.target and self.put_off is None and any(one.initiator == "socket" for one in told):
            gone = self.before.document != self.after.document
            self.said = None if gone else frozenset(await self.page_says.said_by_hand())

    def answer_to(self, sent: Sent) -> tuple[str, str]:
        """Give the document that is there after a request, and its address."""
        return self.after.shown_in(sent.frame)


def names_in(sent: Sent) -> set[str]:
    """Give what a request may name: what the site has generated in its address, and what its parts say."""
    parts = {named for name, text in sent.parts or () for named in named_by(name, text)}
    return parts | generated_in(sent.request.url)


def told_to(sent: Sent) -> tuple[str, str]:
    """Give where a request goes: all that is said on a socket is said to the same."""
    return (SAYS, sent.request.url) if isinstance(sent.request, Message) else sent.sort


def is_by_hand(sent: Sent, batch: Batch) -> bool:
    """Return whether what was pressed has sent a request at once, and no clock of the page."""
    if batch.target is None or sent.initiator == "beacon":
        return False
    if not isinstance(sent.request, Message):
        return not came_later(sent, batch)
    if batch.said is None:
        return sent.request.opened_by != sent.action_id and not leads_on(batch.target)
    return sent.request.text in batch.said


def may_tell_one(sent: Sent, batch: Batch) -> bool:
    """Return whether a request may say what one field holds now: a press has sent it, and it is for no one thing."""
    return is_by_hand(sent, batch) and not generated_in(sent.request.url)


def is_told_alone(sent: Sent, carried: Collection[Carried], batch: Batch) -> bool:
    """Return whether something is said on a socket only of what one field holds: it may be sent as a whole yet.

    Where the site itself draws its pages, each field tells it what it holds, as a choice in a list does when it is
    pressed. A text may be told late, when something else is pressed. A request that says a choice alone saves that.
    """
    inputs = {one.input for one in carried}
    if sent.initiator != "socket" or len(inputs) != 1:
        return False
    return may_tell_one(sent, batch) if inputs == {sent.action_id} else not is_by_hand(sent, batch)


def told_one_by_one(
    sent: Sent, carried: Collection[Carried], told: Iterable[UserInput], batch: Batch
) -> tuple[Carried, ...]:
    """Give what a press sends that was told to the site as it was put in, and that it does not say once more.

    That is what stands beside it. A press in a field fills that in, and a request for one thing is for that.

    Args:
        sent: the request.
        carried: what it says.
        told: what was told there.
        batch: of the request.
    """
    may_send = batch.target is not None and batch.target.role not in _FIELDS and may_tell_one(sent, batch)
    beside = beside_of(sent, batch) if may_send else None
    known = {one.input for one in carried}
    own = [one for one in told if beside and one.action_id not in known and beside.has(one)]
    return tuple(Carried("", one.action_id) for one in own)


def beside_of(sent: Sent, batch: Batch) -> Beside | None:
    """Give what stands beside the control whose press has sent a request; None where that is not what was pressed for.

    Of the controls of a thing's card only what stands in that is beside, where the request names the thing.
    """
    by_script = sent.initiator == "fetch" or (sent.initiator == "socket" and is_by_hand(sent, batch))
    if batch.beside is None or not by_script or came_later(sent, batch):
        return None
    levels = [level for level in batch.pressed.levels if not level.ticked] if batch.pressed else []
    ids = generated_parts(token for level in levels for token in level.tokens) & names_in(sent)
    return Beside(batch.beside, frozenset(ids), next((level.called for level in levels if level.called), ""))


def came_later(sent: Sent, batch: Batch) -> bool:
    """Return whether a request is one of the page that a press has led to: nobody has pressed anything there.

    Pages say that somebody looks at them, under the name of the thing that they show: seen of an editor that shows
    others who is in it. What a page sends by itself, where the link to it was for that, then counts as no write.
    """
    if sent.initiator != "fetch" or batch.pressed is None or isinstance(sent.request, Message):
        return False
    document, url = batch.after.shown_in(sent.frame)
    come_from = bare(sent.page)
    # A route of the same document: what its view asks for names what the link leads to.
    if batch.pressed.leads_to(url):
        return True
    if batch.put_off is not None:
        return come_from != bare(batch.pressed.url) and batch.put_off.isdisjoint(batch.before.documents)
    return document not in batch.before.documents and come_from == bare(url) != bare(batch.pressed.url)


def inputs_in(carried: Iterable[Carried], inputs: Iterable[UserInput]) -> tuple[UserInput, ...]:
    """Give those of some inputs that a request carried."""
    ids = {one.input for one in carried}
    return tuple(one for one in inputs if one.action_id in ids)


def says_more(sent: Sent, carried: Iterable[Carried], earlier: Taken) -> bool:
    """Return whether a request says all that an earlier one of the same press has said, and no less surely.

    A page has what was put in checked, and sends it then: seen on forms with a check by the server. Where the second
    only reports the first, as a script that counts does, the write is reported under the wrong address; what was put in
    is looked for all the same.
    """
    own = {one.input for one in carried}
    return {one.action_id for one in earlier.watched.inputs} <= own and _weight(sent) >= _weight(earlier.sent)


def _weight(sent: Sent) -> tuple[int, bool]:
    return _WEIGHT[sent.initiator], bool(sent.names | generated_in(sent.request.url))
