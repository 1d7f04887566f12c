"""Where a recording saw the inputs of a run kept, and whether a page shows them there now.

Not responsible for: who looks, or what is done about what is seen.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from simulator.addresses import urlsplit
from simulator.bindings import Bindings
from simulator.browser.action_recorder import ActionStart
from simulator.browser.actor import Actor
from simulator.browser.effects.addresses import generated_in, is_of
from simulator.browser.effects.displaced import another
from simulator.browser.effects.files import UploadedFile
from simulator.browser.effects.lasting import holds
from simulator.browser.effects.model import Rules
from simulator.browser.effects.places import Thing, look
from simulator.browser.effects.spots import Reading, Spot
from simulator.browser.effects.user_input import UserInput, input_of
from simulator.browser.written import READS
from simulator.errors import RecordingError, ToolError
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, EffectRow, WriteRow
from simulator.replay.left.looks import pauses
from simulator.replay.left.removed import removals
from simulator.replay.plan import effects_version

MAIN = "user"
"""The actor that every run begins with."""
_OWN = ("username", "display_name", "email")
Became = Literal["shown", "contradicted", "not seen"]


class Finding(NamedTuple):
    """What a place shows of an input now."""

    became: Became
    """``contradicted``: a place that is tied to what was written shows another value, or none."""
    found: str = ""
    """What is there instead."""


class _Anything(Thing):
    """What every place is tied to."""

    def ties(self, spot: Spot, reading: Reading, one: UserInput) -> bool:
        """Say yes."""
        return True


_ANYTHING = _Anything()
_NO_ANSWER = Finding("not seen", "the page does not answer")


@dataclass(frozen=True, slots=True)
class KeptPlace:
    """A place at which an input was kept."""

    write: WriteRow
    """What sent it."""
    input: UserInput
    thing: Thing
    """What it went into."""
    url: str
    """The document's address, absolute or relative to the site, without variables."""
    label: str
    """What the place is called."""
    tied: bool
    """Whether it is tied to what was written, so that what is not there is red."""
    own: bool = False
    """Whether it is a list of the user's own, by the site section: there anything that shows the input is it."""

    def judge(self, reading: Reading) -> Finding:
        """Judge what a document shows at this place.

        Args:
            reading: of the document, asked for this input.
        """
        found = [one for one in look(self.input, reading, self.thing) if not one.spot.says]
        if any(one.keyed or not self.tied for one in found) or holds(self.input, reading, self.thing):
            return Finding("shown")
        if self.tied and (self.own or not self.thing.names) and look(self.input, reading, _ANYTHING):
            return Finding("shown")  # the recording does not say what the site calls the thing
        if not self.tied or reading.partial:
            return Finding("not seen", "the page shows more than was read" if reading.partial else "")
        instead = another(self.input, reading, self.thing, self.label)
        if not instead:
            return Finding("contradicted", "it is not there")
        put = "" if self.input.kind == "file" else f" where '{self.input.spellings[0]}' was put in"
        return Finding("contradicted", f"the site shows '{instead}'{put}")


def kept_places(recording: Recording, run_id: str, bindings: Bindings, gone: Collection[str] = ()) -> list[KeptPlace]:
    """Give the places at which the inputs of a run were kept, in the order in which they were seen.

    A place at which the run itself has put something else later is left out.

    Args:
        recording: holds the run.
        run_id: the run.
        bindings: its variables.
        gone: addresses of what the run has deleted, without variables; a place of that is left out.
    """
    actions = {one.id: one for one in recording.actions(run_id)}
    writes = {one.id: one for one in recording.writes(run_id)}
    inputs = inputs_of(actions.values(), bindings)
    if Rules.of(effects_version(recording.run(run_id))).files_by_look:
        files = [one for one in inputs.values() if one.kind == "file"]
        hashes = {one.action_id: actions[one.action_id].options.get("sha256", "") for one in files}
        inputs |= {one.action_id: replace(one, file=_file(recording, hashes[one.action_id])) for one in files}
    effects = recording.effects(run_id)
    called: dict[str, set[str]] = {}
    for one in effects:
        called.setdefault(one.write_id, set()).update(map(bindings.shown, one.thing.ids))
    things = {one.id: thing_of(one, called.get(one.id, set()), inputs, bindings) for one in writes.values()}
    away = {name for address in gone for name in generated_in(address)}
    removed = removals(effects, writes, bindings)
    kept = [one for one in effects if one.kind == "echo" and one.strength == "kept" and one.input_id in inputs]
    order = {write_id: place for place, write_id in enumerate(writes)}
    found: list[KeptPlace] = []
    for effect in kept:
        thing, put = things[effect.write_id], inputs[effect.input_id]
        place, url = order[effect.write_id], bindings.shown(effect.url)
        if any(one.takes(place, thing.names, texts_of(writes[effect.write_id], inputs), url) for one in removed):
            continue
        later = [one for one in kept if order[one.write_id] > place and _is_same_field(inputs[one.input_id], put)]
        if not thing.names and any(
            order[one.id] > place and is_of(url, things[one.id].names) and _sends_field(one, inputs, put)
            for one in writes.values()
        ):
            continue  # it was seen on a page of what the run has changed then, whatever was seen of that
        if thing.names & away or any(effect.label and _spot(one) == _spot(effect) for one in later):
            continue
        changed = any(_is_same_thing(thing, things[one.write_id]) for one in later)
        own = {actions[effect.action_id].actor, actions[effect.input_id].actor} == {MAIN}
        tied = effect.keyed and own and not changed
        listed = effect.keyed and effect.looked and not effect.thing.ids
        at = KeptPlace(writes[effect.write_id], put, thing, url, effect.label, tied, listed)
        if at not in found:
            found.append(at)
    return found


def _file(recording: Recording, sha256: str) -> UploadedFile | None:
    """Give what a file looks like that was uploaded; None where the recording does not hold it any more."""
    try:
        return UploadedFile(io.BytesIO(recording.blobs.read(sha256)))
    except RecordingError:
        return None


async def visit(actor: Actor, places: Sequence[KeptPlace], waits_s: float) -> list[tuple[KeptPlace, Finding]]:
    """Visit one address, and say what its places show.

    Args:
        actor: who looks.
        places: all of them at one address.
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    url = actor.addresses.absolute(places[0].url)
    try:
        page = (await actor.navigation.goto(url)).page
    except ToolError as error:
        return [(one, Finding("not seen", error.message)) for one in places]
    there = actor.page.url
    if page.status >= 400:
        return [(one, Finding("not seen", f"status {page.status}")) for one in places]
    if urlsplit(there).path != urlsplit(url).path:
        return [(one, Finding("not seen", f"it leads to {actor.addresses.relative(there)}")) for one in places]
    findings: dict[int, Finding] = {}
    for place, pause in enumerate((0.0, *pauses(waits_s))):
        left = [one for one in places if findings.get(id(one), _NO_ANSWER).became != "shown"]
        if not left:
            break
        await asyncio.sleep(pause)
        if place > 1:
            with contextlib.suppress(ToolError):
                await actor.navigation.reload()
        if place:
            await actor.view.answered()
        reading = await actor.effects.reading([one.input for one in left])
        findings |= {id(one): one.judge(reading) if reading else _NO_ANSWER for one in left}
    return [(one, findings[id(one)]) for one in places]


def unseen_writes(recording: Recording, run_id: str) -> list[WriteRow]:
    """Give the writes of a run that carried inputs of which nothing was kept anywhere.

    What was sent with a secret is left out: the session that follows proves it.
    """
    actions = {one.id: one for one in recording.actions(run_id)}
    secret = {one.target.form for one in actions.values() if one.target is not None and one.target.secret}
    kept = {one.write_id for one in recording.effects(run_id) if one.strength == "kept" and not one.of_form}
    return [
        one
        for one in recording.writes(run_id)
        if one.carried
        and one.id not in kept
        and secret.isdisjoint(_form(actions.get(put.input)) for put in one.carried)
    ]


def _form(action: ActionRow | None) -> str:
    return action.target.form if action is not None and action.target is not None else ""


def inputs_of(actions: Iterable[ActionRow], bindings: Bindings) -> dict[str, UserInput]:
    """Give what recorded actions put into fields, by the action; without what is secret."""
    return {one.id: put for one in actions if (put := _input(one, bindings)) is not None}


def texts_of(write: WriteRow, inputs: Mapping[str, UserInput]) -> tuple[str, ...]:
    """Give the texts that a write carried, in each of their spellings."""
    carried = [inputs[one.input] for one in write.carried if one.input in inputs]
    return tuple(text for one in carried if one.kind == "text" for text in one.spellings)


def _input(action: ActionRow, bindings: Bindings) -> UserInput | None:
    """Give what a recorded action put into a field."""
    start = ActionStart(
        action.kind, action.actor, action.target, action.value, action.recorded_value, options=action.options
    )
    given = bindings.shown(action.value or "")
    told: dict[str, object] = {}
    reads = action.options.get(READS)
    if action.kind == "select":
        options = bindings.shown(str(action.options.get("option", given))).split("\n")
        told["chosen"] = [[one, one if len(options) > 1 else bindings.shown(str(reads or ""))] for one in options]
    elif reads is not None:
        told["now"] = bindings.shown(str(reads))
    return input_of(action.id, start, given, told, bindings.shown)


def thing_of(write: WriteRow, called: Collection[str], inputs: Mapping[str, UserInput], bindings: Bindings) -> Thing:
    """Give what a recorded write went into, as far as the recording says.

    Args:
        write: the write.
        called: what the site calls it.
        inputs: by the actions that put them in.
        bindings: the run's variables.
    """
    carried = [inputs[one.input] for one in write.carried if one.input in inputs]
    names = {*called, *generated_in(bindings.shown(write.url)), *generated_in(bindings.shown(write.leads_to))}
    own = tuple(name for key in _OWN if (name := bindings.get(f"identity.{key}")))
    return Thing(frozenset(names), own, texts_of(write, inputs), frozenset(one.form for one in carried if one.form))


def _is_same_field(one: UserInput, other: UserInput) -> bool:
    return bool(set(one.names) & set(other.names))


def _sends_field(write: WriteRow, inputs: Mapping[str, UserInput], put: UserInput) -> bool:
    return any(_is_same_field(inputs[one.input], put) for one in write.carried if one.input in inputs)


def _is_same_thing(one: Thing, other: Thing) -> bool:
    return bool(one.names & other.names) if one.names or other.names else bool(one.forms & other.forms)


def _spot(effect: EffectRow) -> tuple[str, str, str]:
    return effect.url, effect.by, effect.label
