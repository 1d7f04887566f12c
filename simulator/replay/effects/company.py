"""What stands in place of an input where other inputs of its write have come since.

A list without ids, or a page that no address ties to a thing, says all the same what the site has kept: the row with
the name that was put in says another price. Not responsible for: places that are tied to what was written.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import nullcontext

from simulator.browser.actor import Actor
from simulator.browser.effects.displaced import beside, company, exchanged, reads_otherwise, words_of
from simulator.browser.effects.spots import Reading
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched
from simulator.recording.rows import EffectRow
from simulator.replay.left.looks import pauses


async def stands_beside(
    actor: Actor, input_id: str, effect: EffectRow, waits_s: float, *, elsewhere: bool = False
) -> str:
    """Give what stands under the name of an input beside others of its write, given time; empty where nothing does.

    Args:
        actor: who looks.
        input_id: the action that put it in.
        effect: where the recording saw it.
        waits_s: how long what is not there yet may take to show, in seconds.
        elsewhere: whether it was kept under another name: it has to have exchanged places with that field then.
    """
    echoes = actor.observer.proofs.echoes
    known = echoes.of(input_id)
    called = actor.bindings.shown(effect.thing.called)
    if known is None or not (effect.label or called) or effect.kind != "echo":
        return ""
    watched, one = known

    def instead(reading: Reading) -> str:
        card = None if reading.partial else company(echoes, watched, one, reading)
        if card is None:
            return ""
        told = actor.observer.displaced.own_places and effect.by == "label"
        there = exchanged(watched, one, reading, effect.label, card) if told else ""
        return there or ("" if elsewhere else beside(watched, one, reading, effect.label, card, called))

    return await _lasting(actor, effect, watched, watched.inputs, instead, waits_s)


async def stands_elsewhere(actor: Actor, input_id: str, effect: EffectRow, waits_s: float) -> bool:
    """Return whether an input stands in another element than the one that its write names: an answer to another remark.

    Args:
        actor: who looks.
        input_id: the action that put it in.
        effect: where the recording saw it.
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    echoes = actor.observer.proofs.echoes
    seen, known = echoes.seen(input_id), echoes.of(input_id)
    if known is None or seen is None or not seen.place.keyed or seen.was:
        return False
    watched, one = known

    def elsewhere(reading: Reading) -> str:
        places = [each.spot for each in echoes.found(watched, one, reading) if each.keyed]
        return "" if any(map(watched.thing.inside, places)) else next((each.text for each in places), "")

    is_so = bool(await _lasting(actor, effect, watched, (one,), elsewhere, waits_s))
    if is_so:
        actor.observer.proofs.revoke(watched.write.action_id, one.called)
    return is_so


async def altered(actor: Actor, input_id: str, effect: EffectRow, waits_s: float) -> str:
    """Give the text that has come where an input was kept, and reads almost as that; empty where none has.

    Args:
        actor: who looks.
        input_id: the action that put it in.
        effect: where the recording saw it.
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    echoes = actor.observer.proofs.echoes
    known = echoes.of(input_id) if effect.kind == "echo" else None
    if known is None or not (words := words_of(known[1])):
        return ""
    watched, one = known

    def instead(reading: Reading) -> str:
        return "" if echoes.found(watched, one, reading) else reads_otherwise(echoes, watched, one, reading)

    return await _lasting(actor, effect, watched, (one, *words), instead, waits_s)


async def _lasting(
    actor: Actor, effect: EffectRow, watched: Watched, asked: Sequence[UserInput], judge: Callable[[Reading], str],
    waits_s: float,
) -> str:  # fmt: skip
    """Give what a page shows against an effect each time that it is looked at; else nothing.

    The first time does not count where the page waits for something that it has asked for.

    Args:
        actor: who looks.
        effect: where the recording saw it.
        watched: the write.
        asked: what the page is asked for.
        judge: gives what a reading shows against it, empty for nothing.
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    against = ""
    for place, pause in enumerate((0.0, *pauses(waits_s))):
        await asyncio.sleep(pause)
        if place > 1 and not effect.looked and actor.observer.can_load_again(actor.tracker.document):
            await actor.view.load_again()
        if place and not effect.looked:
            await actor.view.answered()
        looks, there = actor.effects, actor.addresses.absolute(effect.url)
        with looks.patiently() if place else nullcontext():
            reading = await (
                looks.read_beside(there, asked, watched) if effect.looked else looks.reading(asked, watched)
            )
        against = judge(reading) if reading else ""
        if not against and (place or effect.looked or not actor.tracker.reads):
            break
    return against
