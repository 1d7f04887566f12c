"""Lets a resumed run go on looking for what it wrote before it was cut off, and reports a write that nobody heard of.

What had been seen of a write stands. What a page showed before it was sent is not known any more, so only a place that
is tied to it counts from now on, and where it was found that it took effect. Not responsible for: whether it did
(``took_effect``).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

from simulator.bindings import Bindings
from simulator.browser.actor import Actor
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.model import Carried, Effect, KnownThing, Place, Write, WriteProof
from simulator.browser.effects.user_input import UserInput, telling
from simulator.browser.effects.watched import Watched
from simulator.recording.generations import plain_name
from simulator.recording.rows import ActionRow, EffectRow, WriteRow
from simulator.replay.left.kept import inputs_of, thing_of
from simulator.runner.interrupted.resume_past import Past, Sent
from simulator.runner.interrupted.took_press import Finding
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
        if row.status < 400 and not row.carried and row.action_id in done:
            await _know_press(ctx, row, actions[row.action_id], seen.get(row.id, ()))
        if not row.carried or row.status >= 400 or row.action_id not in done or _secrets(row, actions):
            continue
        name = plain_name(actions[row.action_id].actor)
        if name not in ctx.session.names():
            continue  # nobody comes back as this user: what was seen stands in the recording
        actor = await ctx.session.open(name)
        actor.observer.proofs.watch_again(_watched(actor, row, inputs, seen.get(row.id, ()), ctx.bindings))
    await ctx.session.open(current)


async def _know_press(ctx: RunContext, row: WriteRow, pressed: ActionRow, seen: Sequence[EffectRow]) -> None:
    """Report what was pressed without an input as it was proven before the run was cut off."""
    name = plain_name(pressed.actor)
    kept = [one for one in seen if one.kind != "echo" and one.strength == "kept" and not one.of_form]
    if kept and name in ctx.session.names():
        actor = await ctx.session.open(name)
        proof = WriteProof(row.method, row.url, 0, (), row.operation)
        actor.observer.proofs.know(row.action_id, row.ordinal, proof)


@dataclass(frozen=True, slots=True)
class Cut:
    """A write that was cut off, and took effect."""

    row: WriteRow
    inputs: Mapping[str, UserInput]
    sooner: tuple[WriteRow, ...]
    """What a page had sent of it as it was typed: it is nothing of its own once the whole was sent."""
    earlier: tuple[WriteRow, ...] = ()
    """What had been sent without an input: one of it may have made empty what this was written into."""

    @staticmethod
    def of(past: Past, sent: Sent, bindings: Bindings, like: WriteRow | None = None) -> Cut | None:
        """Read what is known of it: what had been heard, or what the form says that sends it, or what was sent then.

        Args:
            past: what the run did.
            sent: the action, and what was put into its form.
            bindings: the run's variables.
            like: what the same action of the recorded run has sent, with the inputs of this one; None where that is
                not known.

        Returns:
            None where it carried nothing that a page could show, or nobody knows what was sent.
        """
        inputs, target = inputs_of(sent.fields, bindings), sent.action.target
        if not inputs or target is None or sent.opens_session:
            return None
        row = next((one for one in past.writes if one.action_id == sent.action.id and one.carried), None)
        method, _, address = target.form.partition(" ")
        at = 1 + max((one.ordinal for one in past.writes if one.action_id == sent.action.id), default=-1)
        if row is None and like is not None and like.carried:
            row = replace(like, id="", run_id=past.run.id, action_id=sent.action.id, ordinal=at, status=0, leads_to="")
        elif row is None and method and address:
            carried = tuple(Carried(one.field, one.action_id) for one in inputs.values())
            row = WriteRow(
                "", past.run.id, sent.action.id, at, "document", method.upper(), address, "", 0, "", carried
            )  # fmt: skip
        if row is None:
            return None
        own = {one.input for one in row.carried}
        sooner = [one for one in past.writes if one.action_id != row.action_id and one.carried]
        sooner = [one for one in sooner if {each.input for each in one.carried} <= own]
        earlier = [one for one in past.writes if not one.carried and 200 <= one.status < 300]
        return Cut(row, inputs, tuple(sooner), tuple(earlier))

    def made_by(self, bindings: Bindings) -> tuple[WriteRow, str] | None:
        """Give what made empty the thing that this was written into, and what the site calls that; None for nothing."""
        address, _, called = bindings.shown(self.row.url).partition("?")[0].rstrip("/").rpartition("/")
        if not generated_in(f"/{called}"):
            return None
        stems = ((one, bindings.shown(one.url).partition("?")[0].rstrip("/")) for one in reversed(self.earlier))
        return next(((one, called) for one, stem in stems if one.method == "POST" and stem == address), None)


def forget_sooner(cut: Cut, past: Past, store: Callable[[Write], None]) -> Past:
    """Leave out of what a run did a write that was cut off, and what was sent of it as it was typed.

    It is watched by itself, as it took effect as a whole.

    Args:
        cut: the write.
        past: what the run did.
        store: stores what is known of a write.
    """
    for one in cut.sooner:
        store(_write(replace(one, carried=())))
    return replace(past, writes=tuple(one for one in past.writes if one not in (cut.row, *cut.sooner)))


def watch_cut(actor: Actor, cut: Cut, leads_to: str, bindings: Bindings, *, answered_at: str = "") -> Watched:
    """Watch a write that was cut off, and took effect; its ``write`` is to be stored.

    Args:
        actor: who wrote.
        cut: the write.
        leads_to: where what it made is, a template; empty where it made nothing, or that is not known.
        bindings: the run's variables.
        answered_at: where the answer leads, a template, as a recording of the same write knows it: a page of what was
            written to, new or not.
    """
    row = replace(cut.row, leads_to=cut.row.leads_to or answered_at or leads_to)
    watched = _watched(actor, row, cut.inputs, (), bindings, leads_to)
    actor.observer.proofs.watch_again(watched)
    return watched


async def look_where_found(
    actor: Actor, cut: Cut, watched: Watched, finding: Finding, others: Sequence[str] = (), *, at: str = ""
) -> list[Effect]:
    """Look for a write where it was found that it took effect, and where the like of it was seen; gives what is seen.

    The page that told it was loaded by a browser that had nothing of it, and it showed texts of the write together,
    once more than they had been sent before: they are kept there, whatever names the thing.

    Where it was written into what a press had made empty, the press is proven by that, too.

    Args:
        actor: who wrote.
        cut: the write.
        watched: the same, as it is watched.
        finding: by what it is known that it took effect.
        others: more addresses, without variables.
        at: the page of what it was written into, a template; empty where that is not known.
    """
    effects: list[Effect] = []
    page = actor.bindings.shown(finding.url)
    own = [page] if "{{" not in page else []
    for url in dict.fromkeys(one for one in (*own, finding.at, *others) if one):
        if not watched.is_open:
            break
        known = dict(watched.shown)
        watched.only_tied = not (finding.shows and url == finding.at)
        seen = await actor.effects.look_back([actor.addresses.absolute(url)])
        watched.only_tied = True
        for one in list(seen):
            of_it = (one.write_action, one.write) == (watched.write.action_id, watched.write.number)
            if of_it and one.kind == "echo" and not one.place.keyed and one.input not in finding.shows:
                seen.remove(one)  # it may have stood there before
                watched.shown.pop(one.input, None)
                watched.shown.update({one.input: known[one.input]} if one.input in known else {})
        effects += seen
    kept = max((one for one in watched.shown.values() if one.strength == "kept"), key=_worth, default=None)
    if kept is not None and (made := cut.made_by(actor.bindings)) is not None:
        press, called = made
        at = next((one.thing.at for one in watched.shown.values() if one.thing.at), at)
        thing = KnownThing((called,), new=True, at=at if called in generated_in(actor.bindings.shown(at)) else "")
        effects.append(
            Effect(
                press.action_id,
                press.action_id,
                press.ordinal,
                "kept",
                "same",
                replace(kept.place, label="", spot=""),
                looked=True,
                kind="appearance",
                thing=thing,
            )
        )
        proof = WriteProof(press.method, press.url, 0, (), press.operation)
        actor.observer.proofs.know(press.action_id, press.ordinal, proof)
    return effects


def _worth(effect: Effect) -> tuple[bool, ...]:
    return effect.worth


def _write(row: WriteRow, leads_to: str = "") -> Write:
    return Write(
        row.ordinal, row.action_id, row.initiator, row.method, row.url, row.operation, row.status,
        row.leads_to or leads_to, row.carried,
    )  # fmt: skip


def _watched(
    actor: Actor,
    row: WriteRow,
    inputs: Mapping[str, UserInput],
    seen: Sequence[EffectRow],
    bindings: Bindings,
    leads_to: str = "",
) -> Watched:
    write = _write(row, leads_to)
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
            known, effect = watched.shown.get(one.input_id), _effect(one, write)
            if known is None or effect.worth >= known.worth:
                watched.shown[one.input_id] = effect
    return watched


def _effect(row: EffectRow, write: Write) -> Effect:
    place = Place(row.url, row.by, row.label, row.keyed, row.spot)
    return Effect(
        row.input_id,
        write.action_id,
        write.number,
        row.strength,
        row.likeness,
        place,
        row.looked,
        thing=row.thing,
        shows=row.shows,
        was=row.was,
    )


def _secrets(row: WriteRow, actions: Mapping[str, ActionRow]) -> bool:
    """Return whether a secret was sent with a write, by the form that its inputs went into."""
    forms = {one.target.form for one in _put(row, actions) if one.target is not None and one.target.form}
    return any(one.target is not None and one.target.secret and one.target.form in forms for one in actions.values())


def _put(row: WriteRow, actions: Mapping[str, ActionRow]) -> list[ActionRow]:
    return [actions[one.input] for one in row.carried if one.input in actions]
