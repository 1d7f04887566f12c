"""What a run was seen to do without an input: a state, a thing gone or come; and whether a page shows so now.

Not responsible for: who looks, or what was put into fields (``kept``).
"""

from __future__ import annotations

import asyncio
import contextlib
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from simulator.addresses import urlsplit
from simulator.bindings import Bindings
from simulator.browser.actor import Actor
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.model import By, Kind
from simulator.browser.effects.pressed import Seen, Standing, Things, generated_parts, tokens_of
from simulator.errors import ToolError
from simulator.recording.reader import Recording
from simulator.recording.rows import EffectRow, WriteRow
from simulator.replay.left.kept import MAIN, Finding, inputs_of, texts_of
from simulator.replay.left.looks import pauses
from simulator.replay.left.removed import removals

_STANDING = re.compile(r"^(\S+) '(.*)'((?: \S+)*)$", re.DOTALL)
_GONE = (404, 410)


@dataclass(frozen=True, slots=True)
class ActPlace:
    """A place that showed what was done."""

    write: WriteRow
    kind: Kind
    by: By
    url: str
    """The document's address, absolute or relative to the site, without variables."""
    ids: frozenset[str]
    """What the site calls the thing."""
    at: str
    """Its own address; empty where none is known."""
    sent_to: str
    """The address of the write, without variables."""
    called: str
    was: Standing | None
    """Of a state: the control before."""
    shows: Standing | None
    """Of a state: the control since then; None where it was not offered any more."""
    tied: bool
    """Whether it is tied to the thing, so that another state there is red."""
    says: tuple[str, ...] = ()
    """Of a state that the card of the thing says in words: these."""

    @property
    def words(self) -> str:
        """Say what was done."""
        what = f"'{self.called}'" if self.called else "it"
        if self.says:
            return f"{what} says '{self.says[0]}'"
        if self.kind == "state":
            return str(self.shows) if self.shows else f"no {self.was} any more"
        return f"{what} is gone" if self.kind == "disappearance" else f"{what} is there"

    def asked(self, tokens: Sequence[str]) -> list[dict[str, Any]]:
        """Give what a page is asked for.

        Args:
            tokens: what can name things on it.
        """
        named = {token for address in (self.at, self.sent_to, self.url) for token in tokens_of(address)}
        marks = {token for token in tokens if token[0] in "@#="}
        keys = sorted(token for token in named | marks if generated_parts((token,)) & self.ids)
        own = tokens_of(self.sent_to) if self.write.initiator == "document" else []
        at_own = not self.ids and not self.called
        page = at_own or any(self.ids & generated_parts((token,)) for token in tokens_of(self.url))
        if self.says:
            whole = page and not self.called
            return [{"keys": keys, "called": self.called, "control": None, "page": whole, "words": True}]
        controls: list[dict[str, Any] | None] = [_sought(one, own) for one in (self.was, self.shows) if one is not None]
        return [{"keys": keys, "called": self.called, "control": one, "page": page} for one in controls or [None]]

    def judge(self, things: Things) -> Finding:
        """Judge what a document shows of the thing.

        Args:
            things: of the document, asked for this place.
        """
        if self.kind == "disappearance":
            return self._judge_gone(things)
        if things.status in _GONE and any(self.ids & generated_parts((token,)) for token in tokens_of(self.url)):
            return Finding("contradicted", f"status {things.status}")
        if things.status >= 400:
            return Finding("not seen", f"status {things.status}")
        if self.kind == "appearance":
            there = self.by == "address" or any(one.is_there for one in things.seen)
            return Finding("shown") if there else Finding("not seen")
        return self._judge_state(things.seen)

    def _judge_gone(self, things: Things) -> Finding:
        if self.by == "address":
            if things.status in _GONE:
                return Finding("shown")
            if things.status >= 400:
                return Finding("not seen", f"status {things.status}")
            return Finding("contradicted", "it is still there")
        if not things.tells(kept=True):
            return Finding("not seen", f"status {things.status}" if things.status >= 400 else "it is not answered")
        there = any(one.held if self.ids else one.titled for one in things.seen)
        return Finding("contradicted", "it is still listed") if there else Finding("shown")

    def _judge_state(self, seen: Sequence[Seen]) -> Finding:
        stands = [one.stands for one in seen if one.stands is not None]
        if self.says:
            said = [one.says for one in seen if one.says is not None]
            if any(not {*self.says}.isdisjoint(one) for one in said):
                return Finding("shown")
            return Finding("contradicted", f"it does not say '{self.says[0]}'") if said else Finding("not seen")
        if self.shows is None:
            if self.was in stands:
                return Finding("contradicted", f"the site shows {self.was}")
            return Finding("shown") if any(one.scopes for one in seen) else Finding("not seen")
        if self.shows in stands:
            return Finding("shown")
        if not stands:
            return Finding("not seen", "no such control")
        return Finding("contradicted", f"the site shows {stands[0]}")


def act_places(recording: Recording, run_id: str, bindings: Bindings) -> list[ActPlace]:
    """Give the places that showed what a run did without an input, in the order in which they were seen.

    What the run itself has done otherwise later is left out, and so is what it has deleted since.

    Args:
        recording: holds the run.
        run_id: the run.
        bindings: its variables.
    """
    actions = {one.id: one for one in recording.actions(run_id)}
    writes = {one.id: one for one in recording.writes(run_id)}
    effects = [one for one in recording.effects(run_id) if not one.of_form]
    order = {write_id: place for place, write_id in enumerate(writes)}
    removed = removals(effects, writes, bindings)
    inputs = inputs_of(actions.values(), bindings)
    made = [(order[one.id], texts_of(one, inputs)) for one in writes.values()]
    echoed = {one.write_id for one in effects if one.kind == "echo" and one.strength == "kept"}
    found: list[ActPlace] = []
    for effect in effects:
        if effect.kind == "echo" or effect.strength != "kept":
            continue
        if effect.kind == "appearance" and effect.write_id in echoed:
            continue  # what was put into it says more
        write, place = writes[effect.write_id], order[effect.write_id]
        ids, called = frozenset(map(bindings.shown, effect.thing.ids)), bindings.shown(effect.thing.called)
        url = bindings.shown(effect.url)
        texts = (called, *texts_of(write, inputs))
        if any(one.write_id != write.id and one.takes(place, ids, texts, url) for one in removed):
            continue
        named = called or ids & generated_in(bindings.shown(write.url))
        if effect.kind == "state" and not named:
            continue  # it says something of the session, such as a log-out: the one who looks has another
        if effect.kind == "state" and any(_is_later(one, effect, order) for one in effects):
            continue
        later = [put for at, put in made if at > place]
        again = effect.kind == "disappearance" and not ids and any(called in put for put in later)
        own = {actions[effect.action_id].actor, actions[effect.input_id].actor} == {MAIN}
        alike = any(
            order[one.id] > place and (one.method, one.url) == (write.method, write.url) for one in writes.values()
        )
        tied = effect.keyed and own and not again and not (effect.kind == "state" and alike and ids)
        own_url, sent_to = bindings.shown(effect.thing.at), bindings.shown(write.url)
        was = standing(bindings.shown(effect.was))
        said = bindings.shown(effect.shows)
        says = tuple(said.split("\n")) if effect.is_of_card else ()
        shows = None if says else standing(said)
        found.append(
            ActPlace(write, effect.kind, effect.by, url, ids, own_url, sent_to, called, was, shows, tied, says)
        )
    return found


async def visit_act(actor: Actor, place: ActPlace, waits_s: float) -> Finding:
    """Visit a place, and say what it shows of what was done.

    Args:
        actor: who looks.
        place: the place.
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    url = actor.addresses.absolute(place.url)
    finding = Finding("not seen", "the page does not answer")
    try:
        page = (await actor.navigation.goto(url)).page
    except ToolError as error:
        return Finding("not seen", error.message)
    if page.status < 400 and urlsplit(actor.page.url).path != urlsplit(url).path:
        return Finding("not seen", f"it leads to {actor.addresses.relative(actor.page.url)}")
    for look, pause in enumerate((0.0, *pauses(waits_s))):
        await asyncio.sleep(pause)
        if look > 1:
            with contextlib.suppress(ToolError):
                await actor.navigation.reload()
        if look:
            await actor.view.answered()
        there = await actor.effects.things([])
        things = there and await actor.effects.things(place.asked(sorted(there.tokens)))
        if things:
            finding = place.judge(things)
        if finding.became == "shown":
            break
    return finding


def _sought(control: Standing, own: Sequence[str]) -> dict[str, Any]:
    return {"role": control.role, "name": control.name, "own": list(own), "lasting": [], "path": ""}


def standing(words: str) -> Standing | None:
    """Read how a control stood, as it is stored; None where it was not offered."""
    match = _STANDING.match(words)
    return Standing(match[1], match[2], tuple(match[3].split())) if match else None


def _is_later(one: EffectRow, effect: EffectRow, order: dict[str, int]) -> bool:
    """Return whether a later state is that of the same control of the same thing."""
    if one.kind != "state" or order[one.write_id] <= order[effect.write_id]:
        return False
    known = one.thing.ids or one.thing.called
    same = (one.thing.ids, one.thing.called) == (effect.thing.ids, effect.thing.called)
    return bool(known) and same and (one.was == effect.shows or one.label == effect.label)
