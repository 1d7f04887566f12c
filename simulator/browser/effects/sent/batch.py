"""What was sent until an action had ended, and which of it says more than other requests of the same press.

Not responsible for: what it carried (``writes``), or putting it under watch (``sending``).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.met import bare
from simulator.browser.effects.model import Carried, Initiator, Kind, Rules, Write
from simulator.browser.effects.pressed import Pressed, generated_parts
from simulator.browser.effects.scene import Scene
from simulator.browser.effects.sent.beside import Beside
from simulator.browser.effects.sent.boxes import named_by
from simulator.browser.effects.sent.refused import PageSays
from simulator.browser.effects.sent.sockets import Message
from simulator.browser.effects.sent.writes import Sent
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched

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
            taken=self.taken if rules.late_whole else [],
        )

    def answer_to(self, sent: Sent) -> tuple[str, str]:
        """Give the document that is there after a request, and its address."""
        return self.after.shown_in(sent.frame)


def names_in(sent: Sent) -> set[str]:
    """Give what a request may name: what the site has generated in its address, and what its parts say."""
    parts = {named for name, text in sent.parts or () for named in named_by(name, text)}
    return parts | generated_in(sent.request.url)


def beside_of(sent: Sent, batch: Batch) -> Beside | None:
    """Give what stands beside the control whose press has sent a request; None where that is not what was pressed for.

    Of the controls of a thing's card only what stands in that is beside, where the request names the thing.
    """
    if batch.beside is None or sent.initiator != "fetch" or came_later(sent, batch):
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
