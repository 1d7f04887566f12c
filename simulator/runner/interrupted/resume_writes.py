"""Lets a resumed run go on looking for what it wrote before it was cut off, and reports a write that nobody heard of.

What had been seen of a write stands. What a page showed before it was sent is not known any more, so only a place that
is tied to it counts from now on. Not responsible for: whether it took effect (``took_effect``).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from simulator.bindings import Bindings
from simulator.browser.actor import Actor
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.model import Carried, Effect, Place, Write
from simulator.browser.effects.user_input import UserInput, telling
from simulator.browser.effects.watched import Watched
from simulator.recording.generations import plain_name
from simulator.recording.rows import ActionRow, EffectRow, WriteRow
from simulator.replay.left.kept import inputs_of, thing_of
from simulator.runner.interrupted.resume_past import Past, Sent
from simulator.tools.context import RunContext


async def watch_again(ctx: RunContext, past: Past) -> None:
    """Let each user go on looking for what the run had written.

    Args:
        ctx: the tools' context, with a new browser context for each user.
        past: what the run did.
    """
    current = ctx.actor.name
    actions = {one.id: one for own in past.actions.values() for one in own}
    done = {action.id for step in past.steps for action in past.actions.get(step.id, ())}
    inputs = inputs_of(actions.values(), ctx.bindings)
    seen: dict[str, list[EffectRow]] = {}
    for effect in past.effects:
        seen.setdefault(effect.write_id, []).append(effect)
    for row in past.writes:
        # What opened a session is proven by that; what was refused is no write.
        if not row.carried or row.status >= 400 or row.action_id not in done or _secrets(row, actions):
            continue
        name = plain_name(actions[row.action_id].actor)
        if name not in ctx.session.names():
            continue  # nobody comes back as this user: what was seen stands in the recording
        actor = await ctx.session.open(name)
        actor.observer.proofs.watch_again(_watched(actor, row, inputs, seen.get(row.id, ()), ctx.bindings))
    await ctx.session.open(current)


def watch_cut(
    actor: Actor, past: Past, sent: Sent, leads_to: str, bindings: Bindings, *, answered_at: str = ""
) -> Write | None:
    """Watch a write that was cut off, and took effect; gives it, to be stored, and None where it carried nothing.

    What had been heard of it is known; else it is what the form says that sends it.

    Args:
        actor: who wrote.
        past: what the run did.
        sent: the action, and what was put into its form.
        leads_to: where what it made is, a template; empty where it made nothing, or that is not known.
        bindings: the run's variables.
        answered_at: where the answer leads, a template, as a recording of the same write knows it: a page of what was
            written to, new or not.
    """
    inputs = inputs_of(sent.fields, bindings)
    target = sent.action.target
    if not inputs or target is None or sent.opens_session:
        return None
    heard = next((one for one in past.writes if one.action_id == sent.action.id and one.carried), None)
    method, _, address = target.form.partition(" ")
    if heard is None and not (method and address):
        return None
    carried = tuple(Carried(one.field, one.action_id) for one in inputs.values())
    row = heard or WriteRow(
        "", past.run.id, sent.action.id, 0, "document", method.upper(), address, "", 0, leads_to, carried
    )  # fmt: skip
    row = replace(row, leads_to=row.leads_to or answered_at)
    watched = _watched(actor, row, inputs, (), bindings, leads_to)
    actor.observer.proofs.watch_again(watched)
    return watched.write


def _watched(
    actor: Actor,
    row: WriteRow,
    inputs: Mapping[str, UserInput],
    seen: tuple[EffectRow, ...] | list[EffectRow],
    bindings: Bindings,
    leads_to: str = "",
) -> Watched:
    write = Write(
        row.ordinal, row.action_id, row.initiator, row.method, row.url, row.operation, row.status,
        row.leads_to or leads_to, row.carried,
    )  # fmt: skip
    own = tuple(inputs[one.input] for one in row.carried if one.input in inputs)
    called = {bindings.shown(name) for one in seen for name in one.thing.ids}
    new = {bindings.shown(name) for one in seen if one.thing.new for name in one.thing.ids}
    new |= generated_in(bindings.shown(leads_to))
    thing = thing_of(row, {*called, *generated_in(bindings.shown(write.leads_to))}, inputs, bindings)
    near = tuple(actor.addresses.absolute(one) for one in dict.fromkeys((write.leads_to, leads_to)) if one)
    watched = Watched(
        write, own, thing, frozenset(), 0, near,
        counted=telling(own, thing.own, 0), fresh=frozenset(new), only_tied=True,
    )  # fmt: skip
    for one in seen:
        if one.kind == "echo":
            known = watched.shown.get(one.input_id)
            if known is None or (one.strength, one.keyed) >= (known.strength, known.place.keyed):
                watched.shown[one.input_id] = _effect(one, write)
    return watched


def _effect(row: EffectRow, write: Write) -> Effect:
    place = Place(row.url, row.by, row.label, row.keyed, row.spot)
    return Effect(
        row.input_id, write.action_id, write.number, row.strength, row.likeness, place, row.looked, thing=row.thing
    )


def _secrets(row: WriteRow, actions: Mapping[str, ActionRow]) -> bool:
    """Return whether a secret was sent with a write, by the form that its inputs went into."""
    forms = {one.target.form for one in _put(row, actions) if one.target is not None and one.target.form}
    return any(one.target is not None and one.target.secret and one.target.form in forms for one in actions.values())


def _put(row: WriteRow, actions: Mapping[str, ActionRow]) -> list[ActionRow]:
    return [actions[one.input] for one in row.carried if one.input in actions]
