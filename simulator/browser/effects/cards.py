"""The card of a new thing in a list, and the name of the user in the card of a place, or on the page of a thing.

A new card was not there before, shows what was put in, and has an id of its own.

Pure functions over what the page script reports. Not responsible for: what follows once the thing is known by it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Final

from simulator.addresses import named_again, urlsplit
from simulator.browser.effects.addresses import generated_in, words_in
from simulator.browser.effects.met import MOST_TOKENS, Met
from simulator.browser.effects.places import Thing, look
from simulator.browser.effects.pressed import generated_parts
from simulator.browser.effects.spots import MOST_OF_CARD, Card, Named, Reading, Spot, is_own
from simulator.browser.effects.user_input import UserInput
from simulator.canonical import is_generated, url_shape
from simulator.meaning import find_in, likeness
from simulator.meaning.folding import typed

UNREAD: Final = "…"
"""Stands for a name of the user where only a part of a card or of a page was read, and has none."""
_NUMBERED = re.compile(r"^([^\W\d][^\d]*?)(\d+)$")
"""What elements are called by the number of a thing: ``comment-41``, ``row41``."""


def ids_of_new(reading: Reading, shown: Iterable[Spot], before: Sequence[Met]) -> frozenset[str]:
    """Give what the site calls the only card that is new and shows some texts; nothing where none is, or several are.

    A card is new when one of its ids was on no page before, and pages like this one were seen: without that it may be
    an older card with the same words. Its siblings show which of its numbers are ids: a number that changes each time
    the page is drawn was not there before in any of them.

    Args:
        reading: of the document.
        shown: its places that show what was put in.
        before: the documents that the user had met before.
    """
    path = urlsplit(reading.url).path
    if not any(met.path == path for met in before) or any(len(met.tokens) >= MOST_TOKENS for met in before):
        return frozenset()
    known = {part for met in before for part in generated_parts(met.tokens)}
    known |= {number for met in before for one in met.ids for number in _numbers(one)}
    found = {number for spot in shown if (number := _card_of(spot, reading)) >= 0}
    new = [ids for number in found if (ids := _new_ids(number, reading, known))]
    return frozenset(new[0]) if len(new) == 1 else frozenset()


def words_of_new(
    reading: Reading, shown: Iterable[Spot], before: Sequence[Met], texts: Sequence[str]
) -> frozenset[str]:
    """Give the words by which the addresses in the only card that shows some texts call a new thing, as ``low-tide``.

    They spell one of the texts, and led nowhere before.

    Args:
        reading: of the document.
        shown: its places that show what was put in.
        before: the documents that the user had met before.
        texts: what was put in, of several words each.
    """

    def is_named(text: str, word: str) -> bool:
        return bool(likeness(text, word) or ((name := named_again(word)) and likeness(text, name)))

    if not texts or not before or any(len(met.tokens) >= MOST_TOKENS for met in before):
        return frozenset()
    known = {part for met in before for token in met.tokens for part in re.split(r"[/=]", token)}
    known |= {step for met in before for step in met.path.split("/")}
    found = frozenset[str]()
    for spot in shown:
        number = spot.card
        while number >= 0:
            leads = [key for key in reading.cards[number].keys if "/" in key or "?" in key]
            spelled = {step for key in leads for step, word in words_in(key).items()
                       if step not in known and any(is_named(text, word) for text in texts)}  # fmt: skip
            found |= spelled
            number = -1 if spelled else reading.cards[number].outer
    return found if len(found) == 1 else frozenset()


def told_together(inputs: Sequence[UserInput], reading: Reading, thing: Thing) -> list[Spot]:
    """Give the places in cards that show several inputs as their fields are called: a date, a number.

    Args:
        inputs: of one write.
        reading: of the document.
        thing: what they went into.
    """
    found = [(number, each.spot) for number, one in enumerate(inputs)
             for each in look(one, reading, thing) if each.by != "text" and not each.spot.says]  # fmt: skip
    shown: dict[int, set[int]] = {}
    for number, spot in found:
        shown.setdefault(spot.card, set()).add(number)
    return [spot for _, spot in found if spot.card >= 0 and len(shown[spot.card]) > 1]


def begins(said: str, texts: Iterable[str]) -> bool:
    """Return whether what a place says begins with one of some texts."""
    return any(said.casefold().startswith(text.casefold()) and find_in(text, said) for text in texts)


def name_in_card(spot: Spot, one: UserInput, reading: Reading, thing: Thing) -> str:
    """Give the name of the user in the card of a place; empty where there is none, :data:`UNREAD` where nobody knows.

    Args:
        spot: the place.
        one: the input that it shows.
        reading: of the document.
        thing: what the input went into.
    """
    if spot.card < 0:
        return ""
    text = reading.cards[spot.card].text
    return _said(one, thing, (text,)) or (UNREAD if len(text) >= MOST_OF_CARD else "")


def told_with(spot: Spot, one: UserInput, inputs: Iterable[UserInput], reading: Reading) -> str:
    """Give another text of a write that stands in the card of a place; empty where none does.

    Args:
        spot: the place.
        one: the input that it shows.
        inputs: of the write.
        reading: of the document.
    """
    if spot.card < 0:
        return ""
    said = reading.cards[spot.card].text
    texts = (each.spellings[0] for each in inputs if each.kind == "text" and each.action_id != one.action_id)
    return next((text for text in texts if text not in one.spellings and is_own(text) and find_in(text, said)), "")


def name_on_page(spot: Spot, one: UserInput, reading: Reading, thing: Thing) -> str:
    """Give the name of the user on the page of a thing, where no card has a place that is tied to it.

    Args:
        spot: the place; in a row that says nothing but what it is called and its value, it is in no card.
        one: the input that it shows.
        reading: of the document.
        thing: what the input went into.

    Returns:
        The name; empty where there is none, :data:`UNREAD` where nobody knows.
    """
    number = spot.card
    if number >= 0 and not _is_row_of(spot, reading.cards[number]):
        return ""
    while number >= 0:
        if _ids(reading.cards[number]):
            return ""
        number = reading.cards[number].outer
    if not thing.is_page(reading.url):
        return ""
    texts = [each.text for each in reading.named if not _is_of_another(each, thing)]
    return _said(one, thing, texts) or (UNREAD if reading.partial else "")


def _said(one: UserInput, thing: Thing, texts: Iterable[str]) -> str:
    """Give the first name of the user that some texts say, and that nothing of the write says.

    Who has put in its own name stands beside it where that is said once more.
    """
    said, put_in = [*texts], (*one.spellings, *thing.texts)
    names = (name for name in thing.own if not any(find_in(name, own) for own in put_in))
    if found := next((name for name in names for text in said if find_in(name, text)), ""):
        return found
    own = (name for name in thing.own if any(typed(name) == typed(each) for each in one.spellings))
    return next((name for name in own if sum(map(_words_of(name), said)) > 1), "")


def _words_of(name: str) -> Callable[[str], int]:
    """Give what counts how often a text says a name."""
    words = re.compile(rf"(?<!\w){re.escape(typed(name))}(?!\w)")
    return lambda text: len(words.findall(typed(text)))


def _is_row_of(spot: Spot, card: Card) -> bool:
    left = card.text
    for said in sorted((spot.text, *spot.labels), key=len, reverse=True):
        left = left.replace(said, "", 1)
    return not any(map(str.isalnum, left))


def _is_of_another(named: Named, thing: Thing) -> bool:
    """Return whether a name stands in a card of something else; what its own link leads to is the user."""
    user = {one for called, path in named.links if any(find_in(name, called) for name in thing.own)
            for one in generated_in(path.partition("?")[0])}  # fmt: skip
    ids = {one for keys in named.cards for some in _ids(Card(keys, "", -1)).values() for one in some}
    return not ids <= user | thing.names


def _card_of(spot: Spot, reading: Reading) -> int:
    """Give the innermost card around a place that has an id at all; -1 for none."""
    number = spot.card
    while number >= 0 and not _ids(reading.cards[number]):
        number = reading.cards[number].outer
    return number


def _new_ids(number: int, reading: Reading, known: Collection[str]) -> set[str]:
    """Give the ids of a card that no page had shown, by places at which its siblings have ids that some had."""
    card = reading.cards[number]
    beside = [_ids(one) for place, one in enumerate(reading.cards) if place != number and one.outer == card.outer]
    new: set[str] = set()
    for where, ids in _ids(card).items():
        others = [one[where] for one in beside if where in one]
        lasting = not others or any(not one.isdisjoint(known) for one in others)
        if lasting and ids.isdisjoint(known) and all(ids.isdisjoint(one) for one in others):
            new |= ids
    return new


def _ids(card: Card) -> dict[str, set[str]]:
    """Give the ids that a card holds, by where each of them stands: in which kind of address, or under which name."""
    found: dict[str, set[str]] = {}
    for key in card.keys:
        if "/" in key or "?" in key:
            parts = urlsplit(key)
            ids = generated_in(parts.path) or generated_in(f"?{parts.query}")
            where = url_shape(key).partition("?")[0]
        elif numbered := _NUMBERED.fullmatch(key):
            where, ids = numbered.group(1), frozenset((numbered.group(2),))
        else:
            where, ids = "", frozenset((key,) if is_generated(key) else ())
        if ids:
            found.setdefault(where, set()).update(ids)
    return found


def _numbers(called: str) -> set[str]:
    numbered = _NUMBERED.fullmatch(called)
    return {called, numbered.group(2)} if numbered else {called}
