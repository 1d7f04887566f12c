"""What stands in place of an input where other inputs of its write have come since.

A list without ids, or a page that no address ties to a thing, says all the same what the site has kept: the row with
the name that was put in says another price. Not responsible for: places that are tied to what was written.
"""

from __future__ import annotations

import asyncio

from simulator.browser.actor import Actor
from simulator.browser.effects.displaced import beside, company, reads_otherwise, words_of
from simulator.recording.rows import EffectRow
from simulator.replay.left.looks import pauses


async def stands_beside(actor: Actor, input_id: str, effect: EffectRow, waits_s: float) -> str:
    """Give what stands under the name of an input beside others of its write, given time; empty where nothing does.

    Args:
        actor: who looks.
        input_id: the action that put it in.
        effect: where the recording saw it.
        waits_s: how long what is not there yet may take to show, in seconds.
    """
    known = actor.observer.proofs.echoes.of(input_id)
    if known is None or not effect.label or effect.kind != "echo":
        return ""
    instead = await _shown(actor, input_id, effect)
    for place, pause in enumerate(pauses(waits_s)):
        if not instead:
            break
        await asyncio.sleep(pause)
        if place and not effect.looked and actor.observer.can_load_again(actor.tracker.document):
            await actor.view.load_again()
        instead = await _shown(actor, input_id, effect)
    return instead


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
    for pause in (0.0, *pauses(waits_s)):
        await asyncio.sleep(pause)
        there = actor.addresses.absolute(effect.url)
        looks, asked = actor.effects, ((one,), watched)
        reading = await (looks.read_beside(there, *asked) if effect.looked else looks.reading(*asked))
        places = echoes.found(watched, one, reading) if reading else ()
        if not any(each.keyed for each in places) or any(watched.thing.inside(each.spot) for each in places):
            return False
    actor.observer.proofs.revoke(watched.write.action_id, one.called)
    return True


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
    there, looks, instead = actor.addresses.absolute(effect.url), actor.effects, ""
    for place, pause in enumerate((0.0, *pauses(waits_s))):
        await asyncio.sleep(pause)
        if place > 1 and not effect.looked and actor.observer.can_load_again(actor.tracker.document):
            await actor.view.load_again()
        asked = ([one, *words], watched)
        reading = await (looks.read_beside(there, *asked) if effect.looked else looks.reading(*asked))
        if reading is None or echoes.found(watched, one, reading):
            return ""
        instead = reads_otherwise(echoes, watched, one, reading)
        if not instead:
            return ""
    return instead


async def _shown(actor: Actor, input_id: str, effect: EffectRow) -> str:
    echoes = actor.observer.proofs.echoes
    known = echoes.of(input_id)
    if known is None:
        return ""
    watched, one = known
    there = actor.addresses.absolute(effect.url)
    looks, asked = actor.effects, (watched.inputs, watched)
    reading = await (looks.read_beside(there, *asked) if effect.looked else looks.reading(*asked))
    card = None if reading is None or reading.partial else company(echoes, watched, one, reading)
    return "" if reading is None or card is None else beside(watched, one, reading, effect.label, card)
