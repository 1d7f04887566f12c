"""What a run created on the site, as it was observed: where it is, and by which texts it is known again.

Not responsible for: looking whether it is there still, or deleting it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from simulator.addresses import urlsplit
from simulator.bindings import Bindings
from simulator.browser.effects.addresses import generated_in, is_of
from simulator.browser.effects.model import KnownThing
from simulator.browser.effects.user_input import UserInput
from simulator.browser.written import READS
from simulator.canonical import is_generated
from simulator.recording.journal import CHANGE, DELETION
from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, CreatedRow, EffectRow, WriteRow
from simulator.replay.left.kept import inputs_of, texts_of
from simulator.replay.left.removed import Removal, removals
from simulator.template import PLACEHOLDER, placeholders, stem_of

CLEANED = "cleaned"
"""Entry of the summary of a cleanup's run: ids of the writes of which what they made is gone."""
_SITE = "site."
"""Begins the name of a variable that was first read from the site."""
_WORDS = re.compile(r"[^\W\d_]{3,}")


@dataclass(frozen=True, slots=True)
class MadeThing:
    """Something that a write created."""

    id: str
    """Of the write."""
    step: int
    """The step that made it, from 0."""
    kind: str
    """What its address calls it, in the singular."""
    url: str
    """Its own address, or that of a document with its card; a template."""
    own: bool
    """Whether the address is of this thing alone."""
    texts: Mapping[str, str]
    """What it shows, by what that is called: what was put into it, or the text of its card. Templates."""


def made_things(
    recording: Recording, run_id: str, bindings: Bindings, deleted: Collection[str] = ()
) -> list[MadeThing]:
    """Give what a run created and has not deleted since, and what it changed of others, in the order of the writes.

    Args:
        recording: holds the run.
        run_id: the run.
        bindings: its variables.
        deleted: addresses of what the run has deleted, without variables.
    """
    order = {step.id: step.ordinal for step in recording.steps(run_id)}
    actions = {one.id: one for one in recording.actions(run_id)}
    writes = {one.id: one for one in recording.writes(run_id)}
    inputs = inputs_of(actions.values(), bindings)
    by_write: dict[str, list[EffectRow]] = {}
    for one in (each for each in recording.effects(run_id) if not each.of_form):
        by_write.setdefault(one.write_id, []).append(one)
    order_of = {write_id: at for at, write_id in enumerate(writes)}
    removed = removals(recording.effects(run_id), writes, bindings)
    gone = {name for address in deleted for name in generated_in(address)}
    sessions = _sessions(writes.values(), inputs, actions.values())
    found: list[MadeThing] = []
    made: set[str] = set()
    called_of: dict[str, set[str]] = {}
    """What the site calls each thing, by the write that made it."""
    others: list[tuple[str, list[EffectRow]]] = []
    for write_id, effects in sorted(by_write.items(), key=lambda one: order_of[one[0]]):
        write = writes[write_id]
        sending = actions[write.action_id]
        if write_id in sessions:
            continue
        if write.status >= 400:
            continue  # the site refused it; a later write with the same values is what made something
        put_in = [actions[one.input].value or "" for one in write.carried if one.input in actions]
        new = [one.thing for one in effects if one.thing.new] or _led_to(write, sending, effects, put_in, bindings)
        ids = {bindings.shown(one_id) for thing in new for one_id in thing.ids}
        if not new or any(_goes_on(write, writes[one.id], called_of[one.id], bindings) for one in found):
            others.append((write_id, effects))
            new = []
        made |= ids
        texts = texts_of(write, inputs)
        if not new or ids & gone or any(one.takes(order_of[write_id], ids, texts) for one in removed):
            continue
        asking = sending.before.url if sending.before else ""
        at, card, there = _shown_at(next((one.at for one in new if one.at), ""), asking, effects)
        called = next((one.called for one in new if one.called), "")
        # An address with a place in it may be that of a page about something else.
        address = bindings.shown(at)
        own = bool(at) and not urlsplit(address).fragment and is_of(address, ids)
        url = at if own else card or at
        shown = _texts(there, inputs, actions)
        if not shown and own:
            shown = _texts([one for one in effects if one.url == url], inputs, actions)
        shown = shown or ({"called": called} if called else {})
        called_of[write_id] = ids
        found.append(MadeThing(write_id, order[sending.step_id], kind_of(at or write.url), url, own, shown))
    for write_id, effects in others:
        write = writes[write_id]
        ids = {bindings.shown(name) for one in effects for name in one.thing.ids}
        ids |= generated_in(bindings.shown(write.url))
        titles = [bindings.shown(one.thing.called) for one in effects if one.thing.called]
        texts = (*texts_of(write, inputs), *titles)
        away = any(one.write_id == write_id or one.takes(order_of[write_id], ids, texts) for one in removed)
        for place, thing in enumerate(found):
            names = called_of.get(thing.id, set())
            if not thing.texts and _goes_on(write, writes[thing.id], names, bindings):
                found[place] = _written_into(thing, effects, names, bindings, inputs, actions)
            elif ids & names:
                found[place] = _changed(thing, write, inputs, actions)
        if not away and not ids & (made | gone) and any(one.strength == "kept" for one in effects):
            step = order[actions[write.action_id].step_id]
            found.append(MadeThing(write_id, step, CHANGE, write.url, False, {}))
    return sorted(found, key=lambda one: order_of[one.id])


def _shown_at(at: str, asking: str, effects: Sequence[EffectRow]) -> tuple[str, str, list[EffectRow]]:
    """Give the address of a thing, a page that shows it, and what is to be seen there.

    The page of its form was there before: with a code for the visit, it and its like are of that visit alone.

    Args:
        at: the address at which it was met first; empty for none.
        asking: that of the page of the form.
        effects: of the write that made it.
    """
    shows = [one.url for one in effects if one.by == "card" or one.keyed]
    pages = (*shows, *(one.url for one in effects if one.kind == "echo" and one.strength == "kept"))
    apart = [url for url in pages if url != asking and not {*placeholders(url)} & {*placeholders(asking)}]
    if at != asking or not apart:
        return at, next(iter(shows), ""), [one for one in effects if one.keyed]
    return "", apart[0], [one for one in effects if one.url == apart[0]]


def _goes_on(write: WriteRow, first: WriteRow, called: Collection[str], bindings: Bindings) -> bool:
    """Return whether a write goes to the address of an earlier one, followed by what the site calls what that made.

    A script makes an empty thing so, and writes into it what its user puts in: that is one thing.
    """
    paths = [urlsplit(bindings.shown(one.url)).path.rstrip("/") for one in (first, write)]
    return any(f"{paths[0]}/{name}" == paths[1] for name in called)


def _written_into(
    thing: MadeThing,
    effects: Sequence[EffectRow],
    called: Collection[str],
    bindings: Bindings,
    inputs: Mapping[str, UserInput],
    actions: Mapping[str, ActionRow],
) -> MadeThing:
    """Give a thing that was made empty by what was written into it: with its own page, where that followed."""
    own = [one.thing for one in effects if one.thing.at and not urlsplit(bindings.shown(one.thing.at)).fragment]
    at = next((one.at for one in own if one.ids and {*map(bindings.shown, one.ids)} <= set(called)), "")
    there = {one.input_id for one in effects if at and one.url == at}
    told = [[one for one in effects if one.input_id in there], [one for one in effects if one.keyed], effects]
    texts = next(filter(None, (_texts(one, inputs, actions) for one in told)), {})
    return replace(thing, url=at or thing.url, own=bool(at) or thing.own, texts=texts)


def _sessions(
    writes: Iterable[WriteRow], inputs: Mapping[str, UserInput], actions: Iterable[ActionRow]
) -> frozenset[str]:
    """Give the writes that opened a session, or the user's own account: they sent a secret.

    Who has logged in with another secret by then has made somebody else's account, which is a thing like any other.
    """
    secrets: dict[str, set[str]] = {}
    for one in actions:
        if one.target is not None and one.target.secret:
            secrets.setdefault(one.target.form, set()).add(one.value or "")
    found: set[str] = set()
    told: set[str] = set()
    for write in writes:
        forms = {inputs[one.input].form for one in write.carried if one.input in inputs}
        sent = {name for form in forms for name in secrets.get(form, ())}
        if sent and (not told or told & sent):
            found.add(write.id)
        told |= sent
    return frozenset(found)


def cleaned_by(recording: Recording) -> frozenset[str]:
    """Give the writes of which a cleanup has taken back what they had made."""
    summaries = [run.summary or {} for run in recording.runs() if run.kind == "cleanup"]
    gone = [summary.get(CLEANED) for summary in summaries]
    return frozenset(str(one) for some in gone if isinstance(some, list) for one in some)


def deleted_by(journal: Iterable[CreatedRow], bindings: Bindings) -> list[str]:
    """Give the addresses of what the journal of a run says is gone, without variables."""
    return [bindings.shown(one.url) for one in journal if one.kind == DELETION or one.status == "removed"]


def left_of(journal: Iterable[CreatedRow], removed: Collection[Removal], bindings: Bindings) -> tuple[CreatedRow, ...]:
    """Give what the journal of a run says is there, without what the run was seen to have deleted."""
    found = []
    for one in journal:
        url, texts = bindings.shown(one.url), [bindings.shown(text) for text in one.fields.values()]
        away = any(each.takes(-1, generated_in(url), texts, url) for each in removed)
        if one.status == "live" and (one.kind == DELETION or not away):
            found.append(one)
    return tuple(found)


def _led_to(
    write: WriteRow, sending: ActionRow, effects: list[EffectRow], put_in: Collection[str], bindings: Bindings
) -> list[KnownThing]:
    """Give the thing that an answer led to first, where its page kept what was put in.

    Recordings of the first effects do not say which thing a write created; nor do those of sites that name things by
    words and chance, which look like no id.
    """
    before = sending.before.url if sending.before else ""
    known = generated_in(bindings.shown(write.url)) | generated_in(bindings.shown(before))
    ids = generated_in(bindings.shown(write.leads_to)) - known
    there = [one for one in effects if one.strength == "kept" and one.url == write.leads_to]
    kept = any(one.keyed for one in there)
    if not kept and before != write.leads_to:
        ids = frozenset(_named_after(write.leads_to, put_in, bindings))
        kept = bool(there)
    return [KnownThing(tuple(sorted(ids)), new=True, at=write.leads_to)] if ids and kept else []


def _named_after(url: str, put_in: Collection[str], bindings: Bindings) -> set[str]:
    """Give the steps of an address that are words of what was put in, and something of the site's.

    Args:
        url: a template.
        put_in: templates.
        bindings: the run's variables.
    """
    known = {stem_of(name) for text in put_in for name in placeholders(text)}
    said = " ".join(put_in).casefold()
    found = set()
    for step in urlsplit(url).path.split("/"):
        names = [*placeholders(step)]
        own = [stem_of(name) for name in names if not name.startswith(_SITE)]
        words = _WORDS.findall(PLACEHOLDER.sub(" ", step).casefold())
        if len(own) < len(names) and (own or words) and known.issuperset(own) and all(one in said for one in words):
            found.add(bindings.shown(step))
    return found


def _changed(
    thing: MadeThing, write: WriteRow, inputs: Mapping[str, UserInput], actions: Mapping[str, ActionRow]
) -> MadeThing:
    """Give a thing as a later write to it has left it: by the fields that it is known by, with their new values."""
    put = {inputs[one.input].called: one.input for one in write.carried if one.input in inputs}
    now = {name: _said(actions[put[name]]) if name in put else text for name, text in thing.texts.items()}
    return replace(thing, texts={name: text for name, text in now.items() if text})


def _said(action: ActionRow) -> str:
    """Give what an action put in, as a template."""
    chosen = action.target.name if action.target is not None else ""
    return str(action.options.get(READS, action.value) or chosen)


def _texts(
    effects: Sequence[EffectRow], inputs: Mapping[str, UserInput], actions: Mapping[str, ActionRow]
) -> dict[str, str]:
    """Give what was put into a thing and kept, as templates."""
    kept = [one.input_id for one in effects if one.kind == "echo" and one.strength == "kept"]
    texts: dict[str, str] = {}
    for one in dict.fromkeys(kept):
        if one in inputs and inputs[one].kind in ("text", "choice"):
            texts[inputs[one].called] = _said(actions[one])
    return texts


def kind_of(url: str) -> str:
    """Give the word of an address before what the site generated in it, in the singular."""
    words = [step for step in urlsplit(url).path.split("/") if step and not is_generated(step) and "{{" not in step]
    return (words[-1] if words else "thing").removesuffix("s") or "thing"
