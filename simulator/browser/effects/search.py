"""Looks on documents for what is still to be seen of what one user has sent.

Not responsible for: asking pages (``asking``), what an effect is (``echoes``, ``acts``, ``forms``), or which pages are
looked at.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from simulator.browser.effects.act import Act
from simulator.browser.effects.acts import Acts
from simulator.browser.effects.asking import Asking
from simulator.browser.effects.displaced import Displaced, another
from simulator.browser.effects.echoes import Echoes
from simulator.browser.effects.inputs import Inputs
from simulator.browser.effects.lasting import holds
from simulator.browser.effects.model import Effect
from simulator.browser.effects.pressed import Things
from simulator.browser.effects.scene import Sight, Where
from simulator.browser.effects.sent.fetched import Fetches
from simulator.browser.effects.sent.sending import Sending
from simulator.browser.effects.sent.sent_forms import SentForms
from simulator.browser.effects.spots import Reading, Spot, is_called_as
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched
from simulator.meaning import likeness


@dataclass(frozen=True, slots=True, kw_only=True)
class EffectSearch:
    """Looks for the effects of one user's actions.

    Attributes:
        template: writes an absolute address as a template.
        pages: asks pages.
        inputs: what is put in and not sent.
        sending: what has been sent.
        fetches: the data that pages have fetched.
        echoes: judges what shows inputs.
        acts: judges what shows that something was pressed.
        forms: judges what the forms of things show.
        displaced: judges where other texts stand.
    """

    template: Callable[[str], str]
    pages: Asking
    inputs: Inputs
    sending: Sending
    fetches: Fetches
    echoes: Echoes
    acts: Acts
    forms: SentForms
    displaced: Displaced

    async def look_again(self, wheres: Sequence[Where]) -> list[Effect]:
        """Look once more, on the page that the user looks at and in its frames, for what was done without an input."""
        acts = self.acts.sought(everywhere=True)
        return [effect for where in wheres for effect in await self.look_for(where, acts)]

    async def look_at_forms(
        self, page: Where, known: Sequence[Mapping[str, Any]] | None = None, document: str = ""
    ) -> list[Effect]:
        """Look what the fields of a page hold of what was sent, and the data that its scripts have fetched.

        Args:
            page: the page, or a frame.
            known: its fields, as ``readFields`` gives them; None: it is asked.
            document: names the document that has them.
        """
        names = self.forms.names()
        if not names:
            return []
        fetched = self.forms.take_in_fetched(await self.fetches.take(), page.url)
        if known is None:
            told = await self.pages.read_fields(page, names)
            if told is None:
                return fetched
            known, document = told["fields"], told["document"]
        return [*fetched, *self.forms.take_in(await self.pages.brought_fields(page, known), document, page.url)]

    async def look_at_details(self, page: Where) -> list[Effect]:
        """Look what a page shows of what the form of a thing had filled, and nobody touched."""
        sought = self.forms.untouched()
        reading = await self.pages.read(page, sought) if sought else None
        return self.forms.take_in_places(reading, self.echoes.own_of) if reading else []

    async def missing(
        self, wheres: Sequence[Where], input_id: str, label: str, *, lasting: bool = True, stored: bool = False,
        whole: bool = False, other: bool = False, listed: bool = False,
    ) -> str | None:  # fmt: skip
        """Look once more for an input on what the user looks at.

        Args:
            wheres: the page, and the frames in it.
            input_id: the action that put it in.
            label: what its place was called when it was recorded.
            lasting: whether what the page shows once, and not when it is loaded again, does not count.
            stored: whether what the browser itself keeps counts.
            whole: whether its beginning does not do.
            other: whether it is another one than was recorded: a browser shows an option where none is said to be
                chosen, and then nothing shows whether it was kept.
            listed: whether it was kept in a list: the form beside that is the one of the next thing.

        Returns:
            None where it is there by now, at a place that is tied to what was written, or where that is not known, as
            where more is shown than can be read; else what such a place shows instead, empty where none says otherwise.
        """
        await self.sending.learn_from_sockets()
        known = self.echoes.of(input_id)
        if known is None:
            return ""
        watched, one = known
        if one.file and not one.file.is_sought(one.spellings):
            return None
        if listed:
            watched = replace(watched, thing=replace(watched.thing, forms=frozenset()))
        instead = ""
        for where in wheres:
            reading = await self.pages.read(where, [one], stored=stored)
            if reading is None and where is wheres[0]:
                return None  # the page has gone, or does not answer: what follows shows that
            if reading is None:
                continue
            if lasting:
                reading = await self.pages.what_lasts(where, reading, [watched])
            if other and any(_is_shown_by_default(one, spot) for spot in reading.spots):
                return None
            shown = self._instead(watched, one, reading, label, whole=whole)
            if shown is None and self.displaced.instead(input_id):
                shown = await self._displaced(where, watched, one) or None
            if shown is None:
                return None
            instead = instead or shown
        return instead

    async def instead(self, wheres: Sequence[Where], input_id: str, label: str) -> str:
        """Give what the user looks at shows in place of an input, at a place tied to what was written; empty for none.

        Args:
            wheres: the page, and the frames in it.
            input_id: the action that put it in.
            label: what its place was called when it was recorded.
        """
        known = self.echoes.of(input_id)
        if known is None:
            return ""
        watched, one = known
        for where in wheres:
            reading = await self.pages.read(where, [one])
            if reading is None or any(each.keyed for each in self.echoes.found(watched, one, reading)):
                continue
            if shown := another(one, reading, watched.thing, label):
                return shown
        return ""

    def _instead(self, watched: Watched, one: UserInput, reading: Reading, label: str, *, whole: bool) -> str | None:
        """Give what a document shows instead of an input; empty where none says otherwise, None where it is there."""
        found = [
            each
            for each in self.echoes.found(watched, one, reading)
            if not each.spot.says and not (whole and each.likeness == "beginning")
        ]
        # Where the site has named the thing nowhere, what is shown may be of another one that is called alike.
        if any(each.keyed for each in found) or (found and not (watched.thing.names or watched.thing.paths)):
            return None
        reading = self.echoes.own_of(watched, one, reading)
        instead = another(one, reading, watched.thing, label)
        # What is shown under the name of the place that is sought is what stands there: a short value that stands
        # elsewhere on the page, as "5 remarks", is not it. What is being put in there says nothing.
        if instead and label and not self.inputs.waiting():
            return instead
        if reading.partial or holds(one, reading, watched.thing, whole=whole):
            return None
        return instead or ""

    def sought(self) -> list[UserInput]:
        """Give the inputs that a document which comes now may show: what was sent, and what is yet to be."""
        sent = (one for watched in self.echoes.sought() for one in watched.lacks())
        return list(dict.fromkeys((*self.inputs.waiting(), *sent)))

    async def look(self, sights: Sequence[Sight]) -> list[Effect]:
        """Look for what is still to be seen of what has been sent."""
        if not sights:
            return []
        await self.sending.learn_from_sockets()
        new = any(one.new for one in sights)
        for watched in self.echoes.sought():
            watched.documents += new
        for act in self.acts.sought():
            act.documents += new
        return [effect for one in sights for effect in await self._look_on(one)]

    async def _look_on(self, sight: Sight) -> list[Effect]:
        """Look on one document for what is still to be seen."""
        effects: list[Effect] = []
        where, met = sight.where, sight.met
        watching = self.echoes.sought()
        reading: Reading | None = None
        inputs = [one for watched in watching for one in watched.lacks()]
        shown = met and met["shown"]
        if watching and shown and not shown["coming"] and all(one in sight.asked for one in inputs):
            reading = replace(Reading.of(shown, where.url), whole=met["whole"]["text"] if met else None)
            reading = await self.pages.without_stored(where, reading, inputs)
        elif watching:
            reading = await self.pages.read(where, inputs)
        if reading is not None:
            lasting = await self.pages.what_lasts(where, reading, watching)
            for watched in watching:
                # Another look decides what it may have said once: that has to be taken at some time.
                if sight.document not in watched.asked and lasting is reading:
                    watched.read.add(where.url)
            new = self.echoes.take_in(lasting, watching, sight.document)
            await self.find_displaced(where, new)
            effects += new
        # What shows an input of a thing, and lasts, shows the thing.
        sure = {one.write_action for one in effects if one.strength == "kept" and one.place.keyed}
        acts = self.acts.sought()
        told = met["things"] if met and acts == sight.asked_acts else None
        effects += await self.look_for(where, acts, sure, told, acted_on=not sight.new)
        if sight.new:
            effects += await self.look_at_forms(where, met["fields"] if met else None, sight.document)
            effects += await self.look_at_details(where)
        return effects

    async def look_at_views(self, sights: Sequence[Sight]) -> list[Effect]:
        """Look for inputs on documents that were there when something was pressed, and show something else since.

        A document that sent a write, or answers it, proves nothing of it in any view.
        """
        effects: list[Effect] = []
        for sight in sights:
            watching = [one for one in self.echoes.sought() if sight.document not in one.asked | one.sent_from]
            inputs = [each for one in watching for each in one.lacks()]
            reading = await self.pages.read(sight.where, inputs) if inputs else None
            if reading is not None:
                lasting = await self.pages.what_lasts(sight.where, reading, watching, second=True)
                new = self.echoes.take_in(lasting, watching, sight.document)
                await self.find_displaced(sight.where, new)
                effects += new
        return effects

    async def find_displaced(self, where: Where, effects: Sequence[Effect]) -> None:
        """Look what stands where a recording saw what a page shows elsewhere now."""
        for effect in effects:
            if self.displaced.may_be(effect) and (known := self.echoes.of(effect.input)):
                await self._displaced(where, *known)

    async def _displaced(self, where: Where, watched: Watched, one: UserInput) -> str:
        reading = await self.pages.read(where, self.displaced.sought(watched, one))
        return self.displaced.judge(watched, one, reading, self.template(where.url)) if reading else ""

    async def look_for(
        self, page: Where, acts: Sequence[Act], sure: Collection[str] = frozenset(),
        told: Mapping[str, Any] | None = None, *, acted_on: bool = False,
    ) -> list[Effect]:  # fmt: skip
        """Look for what some acts did; ``told`` is what the document has shown of them already.

        On one that was acted on since it came what is missing may be out of sight by that, as by a filter.
        """
        if not acts:
            return []
        things = Things.of(told, page.url) if told else await self.pages.read_things(page, self.acts.asked_of(acts))
        if things is None:
            return []
        unsure = (one for one in acts if one.action_id not in sure and things.document not in one.asked)
        if any(things.names(act.fresh) for act in unsure):
            again = await self.pages.load_again(page, things=True)
            if not again.asks:
                things = replace(things, tokens=things.tokens & again.tokens)
        things = replace(things, acted_on=acted_on and self.acts.rules.stood_first)
        return self.acts.take_in(things, acts, things.document)


def _is_shown_by_default(one: UserInput, spot: Spot) -> bool:
    """Return whether a list shows what was chosen, and does not say that it is."""
    if not spot.unsaid or not any(is_called_as(label, one.names) for label in spot.labels):
        return False
    return one.kind == "choice" and any(
        likeness(each, text) for each in one.spellings for text in (spot.text, *spot.parts) if text
    )
