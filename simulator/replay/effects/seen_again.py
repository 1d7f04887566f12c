"""Whether a replay sees again what the recording saw of its writes.

An effect that was kept at a place that is tied to what was written has to be there again: another value there, or
none, is drift. Elsewhere what is not there was *not seen again*: that is reported, and is no drift.
"""

from __future__ import annotations

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, field

from simulator.browser.actor import Actor
from simulator.browser.effects.act import Act
from simulator.browser.effects.cards import UNREAD
from simulator.browser.effects.met import bare
from simulator.browser.effects.model import Effect
from simulator.meaning.folding import typed
from simulator.recording.rows import ActionRow, EffectRow
from simulator.replay.checks import Check
from simulator.replay.effects.company import altered, stands_beside, stands_elsewhere
from simulator.replay.effects.expected import Expected, is_by_card
from simulator.replay.effects.sent_again import Unlike, compare_left
from simulator.replay.effects.standing import quoted, shows_so
from simulator.replay.left.looks import can_look, pauses
from simulator.template import placeholders

_GENERATED = re.compile(r"\{\{(?:user\.\d+\.)?(?:site|choice)\.[^}]*\}\}")


@dataclass(slots=True)
class SeenAgain:
    """What one replay has seen.

    Attributes:
        expected: of the recording.
        effect_ms: how long what was written may take to show: waited in all, whatever time the looks take themselves.
        keep: stores what was seen by a visit of its own after an action, by the action's id.
        checks: counts what was compared.
        fresh: whether other users do it.
        actions: what each recorded action that was performed is in this replay.
    """

    expected: Expected
    effect_ms: float
    keep: Callable[[str, Sequence[Effect]], None]
    checks: Counter[Check]
    fresh: bool = False
    actions: dict[str, str] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    """Codes of pages that only another browser would be shown."""
    _rows: dict[str, ActionRow] = field(default_factory=dict)
    """The recorded actions that were performed, by id."""

    def performed(self, recorded: ActionRow, action_id: str) -> None:
        """Take in what an action has become."""
        self.actions[recorded.id], self._rows[recorded.id] = action_id, recorded

    async def unseen(self, actor: Actor, recorded: ActionRow) -> Unlike | None:
        """Give what is not seen again that was kept after the action when it was recorded.

        Args:
            actor: who acted.
            recorded: the action.
        """
        told = self.expected.effects.get(recorded.id, ())
        effects = [one for one in told if self.gone.isdisjoint(placeholders(one.url)) and can_look(actor, one)]
        await self._look_back(actor, [one for one in effects if one.looked])
        for effect in effects:
            input_id = self.actions.get(effect.input_id)
            if effect.came_with and input_id and not self.fresh:  # another user's form may come otherwise
                compare_left(actor, input_id, effect)
            elif effect.strength == "shown" and input_id:
                unlike = await self._answered(actor, input_id, effect)
                if unlike := unlike or await self._named(actor, input_id, effect):
                    return unlike
            if effect.strength != "kept" or input_id is None:
                continue
            if not effect.keyed:
                await self._anothers(actor, input_id, effect)
                if unlike := await self._beside_others(actor, input_id, effect):
                    return unlike
                continue
            self._want(actor, input_id, effect)
            if effect.kind == "appearance" and effect.by == "card":
                continue  # a list may have pages: what is not there is reported
            self.checks["effect"] += 1
            if self.is_kept(actor, effect):
                if unlike := await self._anothers(actor, input_id, effect):
                    return unlike
                continue
            if effect.of_form:
                if unlike := await self._other_form(actor, input_id, effect):
                    return unlike
                continue
            if effect.kind != "echo":
                if unlike := await self._undone(actor, input_id, effect):
                    return unlike
                continue
            if effect.was and await stands_elsewhere(actor, input_id, effect, self.effect_ms / 1000):
                there = f"{actor.bindings.shown(effect.url)} in '{actor.bindings.shown(effect.was)}'"
                return Unlike(f"'{self._text_of(actor, effect)}' for {self._called(effect)} at {there}", "it elsewhere")
            instead = await self._look_again(actor, input_id, effect)
            if instead == "" and is_by_card(effect) and self.expected.rules.by_company:
                instead = await altered(actor, input_id, effect, self.effect_ms / 1000)
            if instead is None or (not instead and is_by_card(effect) and not await self._card_stands(actor, effect)):
                continue  # a list may have pages: what is not there is reported
            put_in, name = self._rows.get(effect.input_id), self._called(effect)
            shown = self._text_of(actor, effect) if put_in and put_in.kind != "upload" else ""
            address = actor.urls.render(effect.url) if effect.looked else actor.addresses.relative(actor.page.url)
            pressed = put_in is not None and put_in.kind == "click"
            what = f"'{shown}'" if shown else "what it does" if pressed else "what was put in"
            found = f"'{instead}' instead" if instead else f"{address} without it"
            return Unlike(f"the site to keep {what} for {name} at {address}", found)
        return None

    async def _card_stands(self, actor: Actor, effect: EffectRow) -> bool:
        """Return whether the card of a thing is there by another input of its write: it shows this one no more."""
        echoes = actor.observer.proofs.echoes
        known = echoes.of(self.actions.get(effect.input_id, ""))
        others = [one for one in known[0].counted if one is not known[1]] if known else []
        if not (known and others):
            return False
        if effect.looked:
            there = actor.addresses.absolute(effect.url)
            with actor.effects.patiently():
                readings = [await actor.effects.read_beside(there, others, known[0])]
        else:
            readings = [await actor.observer.pages.read(where, others) for where in actor.frames.shown]
        return any(
            each.keyed for reading in readings if reading for one in others
            for each in echoes.found(known[0], one, reading)
        )  # fmt: skip

    def _text_of(self, actor: Actor, effect: EffectRow) -> str:
        put_in = self._rows.get(effect.input_id)
        return actor.bindings.shown(put_in.value or "") if put_in else ""

    def _called(self, effect: EffectRow) -> str:
        put_in = self._rows.get(effect.input_id)
        return put_in.target.words if put_in and put_in.target else effect.label

    async def _look_back(self, actor: Actor, looked: Sequence[EffectRow]) -> None:
        """Look again at what was looked at between two tasks, and once more for what may take its time to show."""
        if not looked:
            return
        sent = (one for some in self.expected.writes.values() for one in some)
        for write in (one for one in sent if not self.expected.requires(one)):
            actor.observer.is_incidental(write.method, _GENERATED.sub("{id}", write.url))
        for pause in (0.0, *pauses(self.effect_ms / 1000)):
            left = [one for one in looked if not self.is_kept(actor, one)]
            if not left:
                break
            await asyncio.sleep(pause)
            there = list(dict.fromkeys(self._address(actor, one) for one in left))
            # A page that holds a request open is not waited for where it shows by then what is looked for.
            with actor.effects.patiently() if pause else nullcontext():
                seen = await actor.effects.look_back(there)
            if seen:
                self.keep(actor.observer.last_action, seen)

    def _address(self, actor: Actor, effect: EffectRow) -> str:
        """Give the absolute address at which an effect is looked for: what was gone from there had stood there."""
        act = actor.observer.proofs.acts.of(self.actions.get(effect.input_id, ""))
        url = _address_of(actor, effect, self._rows.get(effect.input_id), act)
        if act is not None and effect.kind == "disappearance":
            act.gone_from.add(bare(url))
        return url

    def is_kept(self, actor: Actor, effect: EffectRow) -> bool:
        """Return whether what a recording saw is kept by now, where it has to be."""
        if effect.of_form:
            sent = self.actions.get(effect.input_id, "")
            return actor.observer.forms.is_held(sent, effect.of_form, beside=effect.by == "label")
        seen = actor.observer.proofs.seen(self.actions.get(effect.input_id, ""), effect.kind)
        tied = effect.keyed and not is_by_card(effect)
        if seen is None or seen.strength != "kept" or (tied and not seen.place.keyed):
            return False
        if effect.kind == "echo" and effect.was and not seen.was:
            return False
        if actor.observer.displaced.instead(self.actions.get(effect.input_id, "")):
            return False
        if seen.likeness == "beginning" and self._is_whole(actor, effect):
            return False
        return effect.kind == "echo" or shows_so(seen, effect)

    def _is_whole(self, actor: Actor, effect: EffectRow) -> bool:
        """Return whether an input has to be shown as a whole: it was, and what is put in now is no longer than that."""
        whole = ("same", "transformed") if self.expected.rules.whole_texts else ("same",)
        if effect.likeness not in whole:
            return False
        put_in = self._rows.get(effect.input_id)
        if put_in is None or put_in.recorded_value is None:
            return effect.looked
        return len(self._text_of(actor, effect)) <= len(put_in.recorded_value)

    async def _answered(self, actor: Actor, input_id: str, effect: EffectRow) -> Unlike | None:
        """Give what the answer shows in a field instead of what was put in, where it gave that back, given time.

        That it gives it back proves nothing; what it shows instead is what the site has taken.
        """
        observer = actor.observer
        if effect.kind != "echo" or not effect.keyed or effect.by != "field":
            return None
        shown = ""
        for pause in (0.0, *pauses(self.effect_ms / 1000)):
            if observer.proofs.echoes.seen(input_id) is not None:
                return None
            await asyncio.sleep(pause)
            await actor.view.answered()
            shown = await observer.search.instead(actor.frames.shown, input_id, effect.label)
            if not shown:
                return None
        expected = f"the answer to show '{self._text_of(actor, effect)}' for {self._called(effect)}"
        return Unlike(expected, f"'{shown}' instead")

    async def _named(self, actor: Actor, input_id: str, effect: EffectRow) -> Unlike | None:
        """Give what is missing where a place of its own thing had shown a tick by the name of its box.

        That name may stand there in any case, so it proves nothing; but where it has gone, the site has lost the tick.
        """
        known = actor.observer.proofs.echoes.of(input_id)
        is_name = effect.kind == "echo" and effect.keyed and effect.likeness == "transformed"
        if not is_name or known is None or known[1].kind != "tick":
            return None
        self.checks["effect"] += 1
        seen = known[0].shown.get(input_id)
        if (seen and seen.place.keyed) or await self._look_again(actor, input_id, effect, lasting=False) is None:
            return None
        address = actor.urls.render(effect.url) if effect.looked else actor.addresses.relative(actor.page.url)
        return Unlike(f"the site to keep the tick of {self._called(effect)} at {address}", f"{address} without it")

    async def _anothers(self, actor: Actor, input_id: str, effect: EffectRow) -> Unlike | None:
        """Give what differs where an input that stood in a card with its user's name stands there without, given time.

        No proof of it is left then: it may have become another user's.
        """
        echoes = actor.observer.proofs.echoes
        seen, known = echoes.seen(input_id), echoes.of(input_id)
        named = effect.kind == "echo" and effect.shows not in ("", UNREAD)
        if not named or seen is None or known is None or seen.shows or seen.place.url != effect.url:
            return None
        for pause in (0.0, *pauses(self.effect_ms / 1000)):
            await asyncio.sleep(pause)
            there = actor.addresses.absolute(effect.url)
            looks, asked = actor.effects, (known[1:], known[0])
            if not effect.looked:
                await actor.view.answered()
            with looks.patiently():
                reading = await (looks.read_beside(there, *asked) if effect.looked else looks.reading(*asked))
            if reading is None or echoes.has_own_name(input_id, reading, tied=effect.keyed):
                return None
        actor.observer.proofs.revoke(known[0].write.action_id, known[1].called)
        own, address = actor.bindings.shown(effect.shows), actor.bindings.shown(effect.url)
        if typed(own) == typed(self._text_of(actor, effect)):
            return None  # it is the user's own name that was put in: many a site says it once then
        expected = f"{address} to show what was put in for {self._called(effect)} beside '{own}'"
        return Unlike(expected, f"it without '{own}'")

    async def _beside_others(self, actor: Actor, input_id: str, effect: EffectRow) -> Unlike | None:
        """Give what stands in place of an input where others of its write have come."""
        seen = actor.observer.proofs.seen(input_id, effect.kind)
        rules, kept = self.expected.rules, seen is not None and seen.strength == "kept"
        # What stands elsewhere now than under its name may stand under that of another field, and that under its own.
        moved = rules.own_places and effect.by == "label" and seen is not None and seen.place.by != "label"
        if not rules.by_company or (kept and not moved):
            return None
        instead = await stands_beside(actor, input_id, effect, self.effect_ms / 1000, elsewhere=kept)
        instead = instead or ("" if kept else await altered(actor, input_id, effect, self.effect_ms / 1000))
        if not instead:
            return None
        if known := actor.observer.proofs.echoes.of(input_id) if kept else None:
            actor.observer.proofs.revoke(known[0].write.action_id, known[1].called)
        address, text = actor.bindings.shown(effect.url), self._text_of(actor, effect)
        return Unlike(f"{address} to show '{text}' for {self._called(effect)}", f"'{instead}' instead")

    @staticmethod
    def _want(actor: Actor, action_id: str, effect: EffectRow) -> None:
        """Say which words have to come to the card of what was pressed, where a recording saw some."""
        act = actor.observer.proofs.acts.of(action_id) if effect.is_of_card else None
        if act is not None:
            act.wanted |= {*actor.bindings.shown(effect.shows).split("\n")}

    async def _undone(self, actor: Actor, action_id: str, effect: EffectRow) -> Unlike | None:
        """Give how the thing that was pressed stands where that is as if nothing had been done, given time."""
        if not effect.looked:
            act = actor.observer.proofs.acts.of(action_id)
            if act is not None and effect.kind == "disappearance":
                act.gone_from.add(bare(actor.page.url))
            for place, pause in enumerate((0.0, *pauses(self.effect_ms / 1000))):
                await asyncio.sleep(pause)
                if place > 1 and actor.observer.can_load_again(actor.tracker.document):
                    await actor.view.load_again()
                await actor.view.answered()
                await actor.observer.search.look_again(actor.frames.shown)
                if self.is_kept(actor, effect) or not actor.observer.proofs.against(action_id):
                    break
        against = actor.observer.proofs.against(action_id)
        seen = actor.observer.proofs.seen(action_id, effect.kind)
        if not against and seen is not None and seen.strength == "kept":
            # As neither before nor when it was recorded.
            against = f"it says {quoted(seen.shows)}" if seen.place.by == "card" else f"it shows {seen.shows}"
        if not against or self.is_kept(actor, effect):
            return None
        shows = actor.bindings.shown(effect.shows)
        act = actor.observer.proofs.acts.of(action_id)
        if effect.is_of_card and act is not None and act.has_said(shows.split("\n")):
            return None
        address = actor.bindings.shown(effect.url)
        called = actor.bindings.shown(effect.thing.called or effect.label)
        if effect.kind == "disappearance":
            what = f"'{called}'" if called else "what was deleted"
            return Unlike(f"{what} to be gone from {address}", f"that {against}")
        expected = shows
        if effect.is_of_card:
            it = f"'{called}'" if called else "the page"
            expected = f"{it} to say {quoted(shows)}"
            against = against if against.startswith("it says") else "it does not"
        return Unlike(f"{expected} at {address}", f"that {against}")

    async def _other_form(self, actor: Actor, action_id: str, effect: EffectRow) -> Unlike | None:
        """Give what the thing's own form shows instead of what was sent, given time; no proof is left then."""
        if effect.by == "label":
            return await self._other_detail(actor, action_id, effect)
        observer, names = actor.observer, effect.of_form
        if not effect.looked:
            for place, pause in enumerate(pauses(self.effect_ms / 1000)):
                against = observer.forms.against(action_id, names)
                if not against and not observer.forms.awaits_data(action_id, names):
                    break
                await asyncio.sleep(pause)
                if place and against and observer.can_load_again(actor.tracker.document):
                    await actor.view.load_again()
                await actor.view.answered()
                for where in actor.frames.shown:
                    await observer.search.look_at_forms(where)
        if not (against := observer.forms.against(action_id, names)):
            observer.proofs.revoke(action_id, observer.forms.lacking(action_id, names))
            return None
        observer.proofs.revoke(action_id, against.partition(" '")[0])
        address = actor.bindings.shown(effect.url)
        return Unlike(f"{address} to show what was sent, in its form or its data", against)

    async def _other_detail(self, actor: Actor, action_id: str, effect: EffectRow) -> Unlike | None:
        """Give what the page of a thing lacks of what its form had filled, or shows instead, given time."""
        forms, names = actor.observer.forms, effect.of_form
        for place, pause in enumerate(pauses(self.effect_ms / 1000)):
            if forms.is_held(action_id, names, beside=True):
                return None
            await asyncio.sleep(pause)
            if place and actor.observer.can_load_again(actor.tracker.document):
                await actor.view.load_again()
            await actor.view.answered()
            for where in actor.frames.shown:
                await actor.observer.search.look_at_forms(where)
                await actor.observer.search.look_at_details(where)
        against = forms.against(action_id, names)
        lacking = forms.lacking(action_id, names, beside=True)
        if not (against or lacking):
            return None
        actor.observer.proofs.revoke(action_id, lacking or against.partition(" '")[0])
        address = actor.bindings.shown(effect.url)
        found = against or f"{address} without what its form had filled: {lacking}"
        return Unlike(f"{address} to show what was sent", found)

    async def _look_again(self, actor: Actor, input_id: str, effect: EffectRow, *, lasting: bool = True) -> str | None:
        """Look again for what may take its time to show; None where it is there by then.

        Args:
            actor: who looks.
            input_id: the action that put it in.
            effect: as it was recorded.
            lasting: whether what the page shows once does not count.
        """
        then = put_in.recorded_value if (put_in := self._rows.get(effect.input_id)) else None
        counts = {
            "lasting": self.expected.rules.lasting and lasting,
            "stored": not self.expected.rules.unstored,
            "whole": self._is_whole(actor, effect),
            "other": then is not None and then != self._text_of(actor, effect),
            "listed": is_by_card(effect),
        }
        if effect.looked:  # it was waited for when the page was looked at
            there = actor.addresses.absolute(effect.url)
            with actor.effects.patiently():
                return await actor.effects.missing_beside(there, input_id, effect.label, **counts)
        await actor.view.answered()
        instead = await actor.observer.search.missing(actor.frames.shown, input_id, effect.label, **counts)
        for place, pause in enumerate(pauses(self.effect_ms / 1000)):
            if instead is None:
                break
            await asyncio.sleep(pause)
            if place and actor.observer.can_load_again(actor.tracker.document):
                await actor.view.load_again()
            await actor.view.answered()
            instead = await actor.observer.search.missing(actor.frames.shown, input_id, effect.label, **counts)
        return instead


def _address_of(actor: Actor, effect: EffectRow, pressed: ActionRow | None, act: Act | None) -> str:
    """Give the absolute address at which a replay looks for an effect.

    A site may say in an address what it has done: that is another one each time. Where a thing was looked for on the
    page that it was pressed on, that is the page that it is pressed on now.

    Args:
        actor: who looks.
        effect: as it was recorded.
        pressed: the recorded action that it is of; None where it is not known.
        act: what has become of that; None for what was put in.
    """
    where = pressed.before.url if effect.kind != "echo" and pressed and pressed.before else ""
    if act and act.pressed and where and bare(where) == bare(effect.url):
        return act.pressed.url
    return actor.addresses.absolute(effect.url)
