"""Whether a write that was cut off happened on the site: by the answer that was heard, and by what pages show.

It knows nothing of what a site is about. Not responsible for: what follows from it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass

from simulator.agent.reading import Page
from simulator.browser.actor import Actor
from simulator.browser.effects.inputs import UserInput
from simulator.browser.effects.places import Reading, Thing, find_in, is_own, likeness, look, minted_in
from simulator.recording.rows import ActionRow, EffectRow, WriteRow
from simulator.replay.kept import inputs_of
from simulator.template import Bindings

_MADE = frozenset({201, 202, 204})
"""How a site answers that it has taken something; 200 says as much of a form that it shows once more."""
_LATER_S = 2.0
"""After so many seconds a list is looked at once more, before it is said that something is not in it."""
_MOST = 6
"""How many addresses are looked at."""
_TOLD = 3
"""How many fields are named."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of something that was cut off."""

    took: bool | None
    """Whether it took effect; None: that cannot be told."""
    seen: str
    """By what, or what was looked for and where."""
    url: str = ""
    """Where what was made is now, a template; empty where nothing new was found."""
    fields: Mapping[str, str] | None = None
    """What it was given, as far as that is to be read there."""


@dataclass(frozen=True, slots=True)
class Deed:
    """An action that may have written something."""

    action: ActionRow
    inputs: tuple[UserInput, ...]
    """What it sent, if it did."""
    heard: tuple[WriteRow, ...] = ()
    """What of its requests had been answered."""
    earlier: int = 0
    """How often the run had written the same before."""
    places: tuple[str, ...] = ()
    """Where the like was kept, and where the run was: addresses as templates, the likeliest first."""
    likes: tuple[tuple[UserInput, ...], ...] = ()
    """What the run had sent by the same form before: a list that shows all of it would show this, too."""

    @staticmethod
    def of(
        action: ActionRow,
        fields: Iterable[ActionRow],
        actions: Sequence[ActionRow],
        writes: Sequence[WriteRow],
        effects: Sequence[EffectRow],
        bindings: Bindings,
    ) -> Deed:
        """Read what is known of an action.

        Args:
            action: what may have written something.
            fields: what was put into its form.
            actions: of the run.
            writes: of the run, as far as they were answered.
            effects: of the run.
            bindings: its variables.
        """
        given = inputs_of(actions, bindings)
        inputs = tuple(inputs_of(fields, bindings).values())
        form = action.target.form if action.target else ""
        like = [
            one
            for one in writes
            if one.action_id != action.id
            and one.status < 400
            and any(given[each.input].form == form for each in one.carried if each.input in given)
        ]
        sent = [tuple(given[each.input] for each in one.carried if each.input in given) for one in like]
        kept: dict[str, set[str]] = {}
        for effect in effects:
            if effect.strength == "kept" and not minted_in(bindings.shown(effect.url)):
                kept.setdefault(effect.url, set()).add(effect.write_id)
        near = [url for url, ids in kept.items() if ids & {one.id for one in like}]
        visited = [page.url for one in reversed(actions) for page in (one.after, one.before) if page is not None]
        places = [*near, *(url for url in visited if not minted_in(bindings.shown(url)))]
        return Deed(
            action,
            inputs,
            tuple(one for one in writes if one.action_id == action.id and one.status),
            sum(_texts(one) == _texts(inputs) for one in sent),
            tuple(dict.fromkeys(places)),
            tuple(one for one in sent if _texts(one)),
        )

    def answer(self, bindings: Bindings) -> Finding | None:
        """Tell what the answers say that had been heard; None where they say nothing for sure."""
        known = {name for url in self._known for name in minted_in(bindings.shown(url))}
        for write in self.heard:
            sent = f"{write.method} {bindings.shown(write.url)}"
            if write.status >= 400:
                return Finding(False, f"the site answered {sent} with status {write.status}")
            if write.status in _MADE:
                return Finding(True, f"the site answered {sent} with status {write.status}")
            if minted_in(bindings.shown(write.leads_to)) - known:
                where = bindings.shown(write.leads_to)
                return Finding(True, f"the site answered {sent} by leading to {where}")
        return None

    @property
    def _known(self) -> list[str]:
        """Addresses whose ids were there before."""
        form = self.action.target.form.partition(" ")[2] if self.action.target else ""
        return [form, self.action.before.url if self.action.before else ""]


async def took_effect(
    actor: Actor, deed: Deed, visit: Callable[[str], Awaitable[Page]], goes_on: Callable[[], Awaitable[bool]]
) -> Finding:
    """Tell whether an action's write happened on the site.

    Args:
        actor: who acted, logged in as then.
        deed: the action.
        visit: opens an address, a template.
        goes_on: tells whether the page is one of several of a list.
    """
    if told := deed.answer(actor.bindings):
        return told
    if not deed.inputs:
        return Finding(None, "it carried nothing that a page could show")
    before = deed.action.before.url if deed.action.before else ""
    led_to = [one.leads_to for one in deed.heard if one.leads_to]
    looked: list[str] = []
    for url in list(dict.fromkeys(one for one in (before, *led_to, *deed.places) if one))[:_MOST]:
        page, address = await visit(url), actor.bindings.shown(url)
        asked = [*deed.inputs, *(one for like in deed.likes for one in like)]
        reading = await actor.reading(asked) if page.status < 400 else None
        if reading is None:
            continue
        looked.append(address)
        finding = (_on_form(deed, reading, address) if url == before else None) or _in_cards(deed, reading, address)
        if finding is None and _is_whole(deed, reading) and not await goes_on():
            await asyncio.sleep(_LATER_S)
            await visit(url)
            again = await actor.reading(asked)
            if again is not None and _is_whole(deed, again):
                no = Finding(False, f"{address} shows what was sent like it before, and not this")
                finding = _in_cards(deed, again, address) or no
        if finding is not None:
            return finding
    return Finding(None, f"what was sent is not to be seen at {', '.join(looked) or 'any page that is known'}")


def _on_form(deed: Deed, reading: Reading, address: str) -> Finding | None:
    """Judge by the form itself, loaded anew: one that edits something shows what that is now."""
    fields = [spot for spot in reading.spots if spot.kind == "field" and spot.form and spot.text.strip()]
    held: list[bool] = []
    for one in deed.inputs:
        own = [spot for spot in fields if spot.form == one.form and set(spot.labels) & set(one.names)]
        if one.kind == "text" and own:
            held.append(any(likeness(each, own[0].text) is not None for each in one.spellings))
    if held and all(held):
        return Finding(True, f"the form on {address} shows the new values")
    if held and not any(held) and minted_in(address):
        return Finding(False, f"the form on {address} still shows other values")
    return None


def _is_whole(deed: Deed, reading: Reading) -> bool:
    """Tell whether a page lists everything that the run had sent by the same form before."""
    return bool(deed.likes) and not reading.partial and all(_cards(like, reading) for like in deed.likes)


def _in_cards(deed: Deed, reading: Reading, address: str) -> Finding | None:
    """Judge by what shows it: one card more than the run had written before, or the page of what it went into."""
    texts = [one for one in deed.inputs if _tells(one)]
    cards = _cards(deed.inputs, reading)
    if cards > deed.earlier:
        told = ", ".join(one.called for one in texts[:_TOLD])
        return Finding(True, f"{address} shows {told} as they were sent")
    thing = Thing(frozenset(minted_in(address)), others=tuple(text for one in texts for text in one.spellings))
    seen = [one for one in texts if any(each.keyed and not each.spot.edits for each in look(one, reading, thing))]
    if thing.names and not deed.earlier and len(seen) >= _ENOUGH:
        return Finding(True, f"{address} shows {', '.join(one.called for one in seen[:_TOLD])} as they were sent")
    return None


_ENOUGH = 2
"""So many texts of one form stand together by no chance; one may be anybody's."""


def _cards(inputs: Sequence[UserInput], reading: Reading) -> int:
    """Count the innermost cards that show what was put in, two texts of it at least."""
    texts = [one for one in inputs if _tells(one)]
    holding = {
        at
        for at, card in enumerate(reading.cards)
        if len([one for one in texts if any(find_in(each, card.text) for each in one.spellings)]) >= _ENOUGH
    }
    return len(holding - {reading.cards[at].outer for at in holding})


def _tells(one: UserInput) -> bool:
    return one.kind == "text" and any(map(is_own, one.spellings))


def _texts(inputs: Iterable[UserInput]) -> dict[str, str]:
    return {one.called: one.spellings[0] for one in inputs if _tells(one)}
