"""What a page shows of something that was sent, or was not: by its form, by its cards, by how often it shows it.

Pure functions over what a page shows. Not responsible for: which pages are looked at (``took_effect``).
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping, Sequence

from simulator.bindings import Bindings
from simulator.browser.effects.addresses import generated_in
from simulator.browser.effects.places import Thing, look
from simulator.browser.effects.spots import Reading, is_own
from simulator.browser.effects.user_input import UserInput
from simulator.meaning import find_in, likeness
from simulator.runner.interrupted.took_press import Finding
from simulator.template import placeholders
from simulator.tools.pages.vocabulary import normal

_TOLD = 3
"""How many fields are named."""
_ENOUGH = 2
"""This many texts of one form stand together by no chance; one may be anybody's."""

Texts = Sequence[tuple[str, ...]]
"""Of each input the texts that stand for it."""


def told_by(inputs: Iterable[UserInput], values: Mapping[str, str], bindings: Bindings) -> tuple[tuple[str, ...], ...]:
    """Give the texts by which a page distinguishes what was sent from other things: what was typed, or else chosen.

    Of an option a page shows what it is called, or what that begins with: "Oak table (old)" is called Oak table.

    Args:
        inputs: what was sent.
        values: of the actions that put it in, as templates.
        bindings: the variables of the run.
    """
    inputs = list(inputs)
    typed = [own for one in inputs if one.kind == "text" and (own := tuple(filter(is_own, one.spellings)))]
    if typed:
        return tuple(typed)
    found = []
    for one in inputs:
        name = next(iter(placeholders(values.get(one.action_id, ""))), "")
        begins = [bindings.get(name) or ""]
        own = tuple(filter(is_own, (*begins, *one.spellings))) if one.kind == "choice" else ()
        found += [own] if own else []
    return tuple(found)


def on_form(inputs: Sequence[UserInput], reading: Reading, address: str) -> Finding | None:
    """Judge by the form itself, reloaded: one that edits something shows what that is now."""
    fields = [spot for spot in reading.spots if spot.kind == "field" and spot.form and spot.text.strip()]
    held: list[bool] = []
    for one in inputs:
        own = [spot for spot in fields if spot.form == one.form and set(spot.labels) & set(one.names)]
        if one.kind == "text" and own:
            held.append(any(likeness(each, own[0].text) is not None for each in one.spellings))
    if held and all(held):
        return Finding(True, f"the form on {address} shows the new values")
    if held and not any(held) and generated_in(address):
        return Finding(False, f"the form on {address} still shows other values")
    return None


def is_whole(likes: Sequence[Sequence[UserInput]], reading: Reading, own: Sequence[str] = ()) -> bool:
    """Return whether a page lists everything that the run had sent by the same form before.

    Args:
        likes: what it had sent.
        reading: of the page.
        own: what nobody else than the user is called.
    """
    texts = [
        [one.spellings for one in like if one.kind == "text" and any(map(is_own, one.spellings))] for like in likes
    ]
    return bool(likes) and not reading.partial and all(_cards(one, reading, own=own) for one in texts)


def in_cards(
    inputs: Sequence[UserInput], texts: Texts, earlier: int, reading: Reading, address: str, own: Sequence[str] = ()
) -> Finding | None:
    """Judge by what shows it: one card more than the run had written before, or the page of what it went into.

    Args:
        inputs: what was sent.
        texts: by which a page distinguishes it from others.
        earlier: how often the run had written the same before.
        reading: of the page.
        address: of the page.
        own: what nobody else than the user is called: a single text, such as a comment, is its own beside that.
    """
    named = [one for one in inputs if one.kind == "text" and any(map(is_own, one.spellings))]
    cards = _holding(texts, reading, own=own)
    if len(cards) > earlier:
        told = ", ".join(one.called for one in (named or inputs)[:_TOLD])
        said = [each for card in cards for each in card]
        shows = tuple(
            one.action_id for one in named if any(find_in(text, each) for text in one.spellings for each in said)
        )
        return Finding(True, f"{address} shows {told} as they were sent", shows=shows)
    thing = Thing(frozenset(generated_in(address)), others=tuple(text for one in named for text in one.spellings))
    seen = [one for one in named if any(each.keyed and not each.spot.edits for each in look(one, reading, thing))]
    if thing.names and not earlier and len(seen) >= _ENOUGH:
        return Finding(True, f"{address} shows {', '.join(one.called for one in seen[:_TOLD])} as they were sent")
    return None


def tells_of(inputs: Sequence[UserInput], saved: Collection[str], text: str) -> bool | None:
    """Return whether the data of a thing (JSON) have what was put in beside what was saved sooner.

    Args:
        inputs: all that was put in.
        saved: the actions whose inputs were saved as they were typed.
        text: the data.

    Returns:
        None where they do not say so for sure: they are no data, have not even what was saved, or no such field.
    """
    try:
        data = json.loads(text)
    except ValueError:
        return None
    known = {normal(str(name)): value for name, value in data.items()} if isinstance(data, dict) else {}
    texts = [value for value in known.values() if isinstance(value, str)]

    def has(one: UserInput) -> bool:
        return any(likeness(each, text) is not None for each in one.spellings for text in texts)

    own = [one for one in inputs if one.kind == "text" and any(map(is_own, one.spellings))]
    left = [one for one in own if one.action_id not in saved]
    if not left or not all(has(one) for one in own if one not in left):
        return None
    if all(map(has, left)):
        return True
    named = all({*map(normal, one.names)} & known.keys() for one in left)
    return False if named and not any(map(has, left)) else None


def count_in(texts: Texts, reading: Reading) -> int:
    """Count how often a list of the user's own shows what was sent; a list of one thing has no cards."""
    need = min(_ENOUGH, len(texts))
    if there := _cards(texts, reading, need):
        return there
    shown = [spot.text for spot in reading.spots if not (spot.edits or spot.searches or spot.says)]
    times = [sum(any(find_in(text, each) for text in one) for each in shown) for one in texts]
    if need == 1:
        return times[0]
    return int(sum(map(bool, times)) >= need)


def _cards(texts: Texts, reading: Reading, need: int = _ENOUGH, own: Sequence[str] = ()) -> int:
    """Count the innermost cards that show what was put in, some texts of it at least."""
    return len(_holding(texts, reading, need, own))


def _holding(texts: Texts, reading: Reading, need: int = _ENOUGH, own: Sequence[str] = ()) -> list[list[str]]:
    """Give what the innermost cards say that show what was put in, some texts of it at least."""
    if len(texts) == 1 and own:
        texts = (*texts, tuple(own))
    # The text of a card runs on where a block begins without a space: "CorkWe heard"; what is shown in it does not.
    said = [[card.text] for card in reading.cards]
    for spot in reading.spots:
        at = -1 if spot.edits or spot.searches or spot.says else spot.card
        while at >= 0:
            said[at].append(spot.text)
            at = reading.cards[at].outer
    holding = {
        at
        for at, shown in enumerate(said)
        if len([one for one in texts if any(find_in(text, each) for text in one for each in shown)]) >= need
    }
    return [said[at] for at in sorted(holding - {reading.cards[at].outer for at in holding})]
