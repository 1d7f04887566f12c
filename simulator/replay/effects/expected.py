"""What a recording has of the effects of a run, and which request is the like of a recorded one."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from simulator.browser.action_recorder import PageState
from simulator.browser.effects.model import Kind, Rules, Write
from simulator.browser.effects.sent.calls import is_call
from simulator.browser.effects.sent.sockets import SAYS
from simulator.browser.written import READS
from simulator.canonical import url_shape
from simulator.recording.rows import ActionRow, EffectRow, WriteRow

_VARIABLE = re.compile(r"\{\{[^}]*\}\}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Expected:
    """What a recording has of the effects of a run, by the action after which each was seen."""

    writes: Mapping[str, Sequence[WriteRow]] = field(default_factory=dict)
    effects: Mapping[str, Sequence[EffectRow]] = field(default_factory=dict)
    version: int = 0
    """Of the rules by which the effects were observed; 0: nobody observed them."""
    unheard: frozenset[str] = frozenset()
    """Actions that were cut off and took effect: a request that nobody heard answered is known by its form alone."""
    idle: Mapping[str, float] = field(default_factory=dict)
    """By action how long, in seconds, nobody did anything after it: what its page put off may have been sent then."""
    presses: frozenset[str] = frozenset()
    """Actions that press something."""
    moved: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """By its address those that a page gave itself until somebody acted on it, where they had another query: a list
    that filters itself as one types has one for each search."""
    went_on: Mapping[str, PageState] = field(default_factory=dict)
    """By action the page that its user was on before doing more, where the page after it had gone on there by itself:
    a clock, or a script that was slow, decided on which of the two the action ended."""

    makers: Mapping[str, Sequence[str]] = field(default_factory=dict)
    """The actions that have sent what was put in, by their user, in order."""

    @property
    def tells(self) -> bool:
        """Whether the recording distinguishes what a run wrote from what pages send by themselves: it was observed."""
        return self.version > 0

    @property
    def rules(self) -> Rules:
        """The rules by which the effects were observed."""
        return Rules.of(self.version)

    @property
    def names_users(self) -> bool:
        """Whether an input stood with a name of its user."""
        return any(one.kind == "echo" and one.shows for some in self.effects.values() for one in some)

    @property
    def compares_presses(self) -> bool:
        """Whether what a press sent without an input was compared with what the thing's own form showed later."""
        bare = {one.id for some in self.writes.values() for one in some if not one.carried}
        shown = (one for some in self.effects.values() for one in some)
        return not self.tells or any(one.of_form and one.write_id in bare for one in shown)

    def places(self) -> list[tuple[str, str]]:
        """Give the places that last: the template of each document's address, and the name of the place there."""
        return [(one.url, one.spot.partition(" ")[0]) for some in self.effects.values() for one in some if one.spot]

    def places_of(self, recorded: ActionRow) -> list[tuple[str, str]]:
        """Give where the recording saw what an action had put in, at places that last.

        These are tied to what was written, or say several texts of it in an order.
        """
        shown = (one for some in self.effects.values() for one in some if one.input_id == recorded.id)
        return [
            (one.url, one.spot) for one in shown if one.kind == "echo" and one.spot and (one.keyed or " " in one.spot)
        ]

    def led_to(self, recorded: ActionRow) -> list[str]:
        """Give the addresses that an action led to, and those to which it sent something: templates."""
        sent = [one.url for one in self.writes.get(recorded.id, ())]
        return [*([recorded.after.url] if recorded.after else []), *sent]

    def to_know(self, recorded: ActionRow) -> list[str]:
        """Give the pages that prove what is put in from this action on, and that only texts tie to what is written.

        What the first performance left there would prove the second one: they have to be known as they are before.

        Returns:
            Templates of addresses.
        """
        began = [
            write.id
            for writes in self.writes.values()
            for write in writes
            if recorded.id == min((one.input for one in write.carried), default="")
        ]
        shown = (one for some in self.effects.values() for one in some)
        return list(
            dict.fromkeys(one.url for one in shown if one.write_id in began and (not one.keyed or is_by_card(one)))
        )

    def incidental(self, action: ActionRow) -> list[tuple[str, str]]:
        """Give the writing requests after an action that carried nothing of the user's, and of which nothing was seen.

        Analytics, searches while one types, what is sent at intervals: another performance may do without. What a form
        of the document sends is not incidental: the page that follows is its answer. GraphQL asks by the same method,
        at the same address: how often a view does so is its own affair. Names distinguish its mutations. Calls by
        JSON-RPC may only ask, too: those count that the user made.

        Returns:
            Method and address of each, as the page after the action has them.
        """
        if not self.tells or action.after is None:
            return []
        writes = self.writes.get(action.id, ())
        requests = [(method, address) for method, address, _ in action.after.requests]
        found: list[tuple[str, str]] = []
        for one in dict.fromkeys(requests):
            made = requests.count(one)
            if any(each.operation for some in self.writes.values() for each in some if _is_at(*one, each)):
                own = [each for each in writes if _is_at(*one, each)]
                calls = [each for each in own if is_call(each.operation) or self._is_of_the_page(each)]
                needed = len(own) - len(calls) + len(self.meant(calls))
                found += [one] * (made - needed)
            elif self._is_incidental(one, action.id):
                found += [one] * made
        return found

    def _is_incidental(self, request: tuple[str, str], action_id: str) -> bool:
        """Return whether a request after an action is incidental, by the writes of that action.

        What a clock sends between two actions may be recorded as a write of the other one, the last before that has
        sent such a request; where none has, those of the run count.
        """
        sent = {at: own for at, some in self.writes.items() if (own := [one for one in some if _is_at(*request, one)])}
        last = max((at for at in sent if at <= action_id), default=None)
        told = sent[last] if last else [one for some in sent.values() for one in some]
        return bool(told) and not self.meant(told)

    def meant(self, writes: Iterable[WriteRow]) -> list[WriteRow]:
        """Give those of some writes that the user made: what they carried, what was seen of them, or a form shows.

        What an input sent while it was put in carries nothing any more once that was sent as a whole.
        """
        seen = {one.write_id for some in self.effects.values() for one in some if one.kind != "echo"}
        return [one for one in writes if one.carried or one.id in seen or one.initiator == "document"]

    def kinds(self, action_id: str) -> frozenset[Kind]:
        """Give the kinds of effects that a press had without any input."""
        rows = (one for some in self.effects.values() for one in some)
        return frozenset(
            one.kind for one in rows if one.input_id == action_id and one.kind != "echo" and not one.of_form
        )

    def visits(self, action_id: str) -> bool:
        """Return whether a press followed a link that did something: only what was pressed identifies such a link."""
        sent = self.writes.get(action_id, ())
        return any(one.initiator == "document" and one.method == "GET" for one in sent)

    def asks(self, action_id: str) -> bool:
        """Return whether an action sent something without an input that may name a thing: what was seen is recorded."""
        sent = self.writes.get(action_id, ())
        return any(not one.carried and one.initiator in ("document", "fetch") for one in sent)

    def holds(self, action: ActionRow) -> bool:
        """Return whether a field kept what an action put into it until something was pressed: that sent it, as it was.

        What its page made of it later did not come of that. A page that sends as one types may go on as it likes.
        """
        sent = [
            one for some in self.writes.values() for one in some if action.id in {each.input for each in one.carried}
        ]
        return (
            bool(sent) and READS not in action.options and {one.action_id for one in sent} <= self.presses - {action.id}
        )

    def requires(self, write: WriteRow) -> bool:
        """Return whether a write has to be sent again: it carried an input, or what it did is known, and to what."""
        if write.carried:
            return bool(write.status) or write.action_id not in self.unheard
        if write.operation and not is_call(write.operation) and write.action_id in self.presses:
            return 0 < write.status < 400 and not self._is_of_the_page(write)
        names_it = write.initiator == "document" or None in _steps(write.url)
        rows = (one for some in self.effects.values() for one in some)
        return names_it and any(one.write_id == write.id and one.strength == "kept" for one in rows)

    def _is_of_the_page(self, write: WriteRow) -> bool:
        """Return whether a mutation of GraphQL is the page's own, as one that keeps how somebody has set up a view.

        It carried nothing, nothing was seen of it, and the press was for another one, which carried what was put in; or
        pages send it by themselves, too. Whether a page sends it depends on what the site has kept of that before.
        """
        if write.carried or not write.operation or self.meant([write]) or not self.rules.mutations_apart:
            return False
        beside = (one for one in self.writes.get(write.action_id, ()) if one.carried)
        alike = (one for some in self.writes.values() for one in some if one.operation == write.operation)
        return any(one.operation != write.operation for one in beside) or any(
            not one.carried and one.action_id not in self.presses for one in alike
        )


def is_by_card(effect: EffectRow) -> bool:
    """Return whether an input was kept in a list, in a card by which alone the thing was known."""
    return effect.kind == "echo" and bool(effect.thing.called) and effect.url != effect.thing.at


def is_like(write: Write, recorded: WriteRow) -> bool:
    """Return whether a write is the like of a recorded one: what it is, and where it goes."""
    # A recording from before calls were distinguished names none.
    alike = _are_alike(write.operation, recorded.operation) or (is_call(write.operation) and not recorded.operation)
    same = write.method == recorded.method and alike
    if write.method == SAYS:
        # Where a socket leads is redrawn for each connection by some, such as SockJS.
        return same and bool(write.carried) >= bool(recorded.carried)
    return same and _goes(write.url, recorded.url) and bool(write.carried) >= bool(recorded.carried)


def _are_alike(one: str, other: str) -> bool:
    """Return whether two requests have an operation in common: pages send several at once as they come."""
    return one == other or not set(one.split()).isdisjoint(other.split())


def _steps(url: str) -> list[str | None]:
    """Give the steps of an address; None for one that is a variable, or was server-generated: it may be anything.

    What an agent reads may become a variable in a replay that was none yet when it was recorded.
    """
    bare = _VARIABLE.sub("{id}", url)
    return [None if "{id}" in step else step for step in url_shape(bare).partition("?")[0].split("/")[1:]]


def words_of(write: WriteRow) -> str:
    """Say what was sent, and where to."""
    return f"{write.method} {write.url}" + (f" ({write.operation})" if write.operation else "")


def _is_at(method: str, address: str, write: WriteRow) -> bool:
    """Return whether a request that a page made is the one of a write."""
    return method == write.method and _goes(address, write.url)


def _goes(one: str, other: str) -> bool:
    """Return whether two addresses are the like of each other."""
    here, there = _steps(one), _steps(other)
    return len(here) == len(there) and all(None in (a, b) or a == b for a, b in zip(here, there, strict=True))
