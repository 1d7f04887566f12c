"""Inputs in whose place, as a recording knows it, another text of the same write stands.

A page shows a title and a maker without what they are called, and nothing says which is which. Where one stands in the
place of the other, each is still there, and neither was kept. Not responsible for: asking pages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable
from dataclasses import replace
from difflib import SequenceMatcher

from simulator.addresses import urlsplit
from simulator.browser.effects.around import order_in
from simulator.browser.effects.echoes import Echoes
from simulator.browser.effects.files import instead_of, is_at, may_be_of
from simulator.browser.effects.lasting import Lasting
from simulator.browser.effects.met import Met, stood
from simulator.browser.effects.model import Effect
from simulator.browser.effects.places import Thing, look
from simulator.browser.effects.spots import (
    MOST_OF_CARD,
    Reading,
    Spot,
    answer_in,
    counts_in,
    is_called,
    is_own,
    is_whole,
    marked,
    value_of,
    words_in,
)
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched, rivals_of
from simulator.meaning import contradicts, find_in, weight

_VARIABLE = re.compile(r"\{\{[^}]*\}\}")
_WORD = 4
"""Letters of a word by which a text is looked for that reads otherwise."""
_MOST_WORDS = 6
_NEAR = 0.7
"""How much of two texts is the same where one reads almost as the other."""


class Displaced:
    """The inputs of one user that stand elsewhere than a recording saw them, and another text in their place.

    Args:
        lasting: names places.
    """

    def __init__(self, lasting: Lasting) -> None:
        self._lasting = lasting
        self._expected: dict[str, list[tuple[str, str]]] = {}
        self._instead: dict[str, str] = {}
        self.own_places = True
        """Whether that counts, by the rules of effects."""
        self.moved: set[str] = set()
        """Inputs that stand elsewhere, while the place where a recording saw them says something else: of its thing, so
        that nobody knows what was kept of them."""

    def expect(self, input_id: str, places: Iterable[tuple[str, str]]) -> None:
        """Know the places at which a recording saw an input.

        Args:
            input_id: the action that put it in.
            places: the template of each document's address, and the name of the place there, behind which may stand
                in which order of the texts of its write it stood there.
        """
        if known := list(places):
            self._expected[input_id] = known

    def may_be(self, effect: Effect) -> bool:
        """Return whether an effect was seen elsewhere than a recording saw it, on a page of the same address."""
        names = self._names(effect.input, effect.place.url)
        name, _, order = effect.place.spot.partition(" ")
        kept = effect.kind == "echo" and effect.strength == "kept"
        ordered = any(" " in one for one in names)
        there = effect.place.spot in names if ordered and order else name in {one.partition(" ")[0] for one in names}
        return kept and bool(names) and (effect.place.keyed or ordered) and not there

    @staticmethod
    def sought(watched: Watched, one: UserInput) -> list[UserInput]:
        """Give what a page is asked for to judge an input: itself, and the other texts of its write."""
        others = [text for text in watched.thing.beside if text not in one.spellings]
        return [one, *(replace(one, spellings=(text,), names=()) for text in others)]

    def judge(self, watched: Watched, one: UserInput, reading: Reading, url: str) -> str:
        """Judge whether another text stands where an input stood, or the input stands where another field is shown.

        Args:
            watched: the write.
            one: the input.
            reading: of the document, asked for what :meth:`sought` gives.
            url: the template of the document's address.

        Returns:
            The other text, or all of the place where the input stands now; empty where it stands where it did, too, or
            nothing shows that another field is shown where it stands.
        """
        names = self._names(one.action_id, url)
        at = {name.partition(" ")[0] for name in names}
        stands = [spot for spot in reading.spots if self._lasting.called(spot) in at and not spot.says]
        own = tuple(spot for spot in stands if watched.thing.ties(spot, reading, one))
        others = [text for text in watched.thing.beside if text not in one.spellings]
        said = [text for spot in own for text in (spot.text, *spot.parts)]
        shown = look(one, replace(reading, spots=own), watched.thing)
        instead = "" if shown else next((text for text in said if is_whole(others, text)), "")
        if not own:
            instead = _as_another(watched, one, reading)
        instead = instead or next(filter(None, (self._exchanged(watched, one, spot, names) for spot in stands)), "")
        if self.own_places and own and not shown:
            self.moved.add(one.action_id)
        self._instead.pop(one.action_id, None)
        if instead:
            self._instead[one.action_id] = instead
        return instead

    def _exchanged(self, watched: Watched, one: UserInput, spot: Spot, names: Collection[str]) -> str:
        """Give the line in which the texts of a write stand in another order than a recording saw; empty for none."""
        order = order_in(spot, one, watched.inputs)
        known = {
            order for name, _, order in (each.partition(" ") for each in names) if name == self._lasting.called(spot)
        }
        alike = {each for each in known if each.partition("/")[2] == order.partition("/")[2]}
        return spot.text if order and alike and order not in known else ""

    def instead(self, input_id: str) -> str:
        """Give the text that stands where an input stood; empty for none."""
        return self._instead.get(input_id, "")

    def _names(self, input_id: str, url: str) -> set[str]:
        return {name for at, name in self._expected.get(input_id, ()) if self._lasting.are_alike(at, url)}


def _as_another(watched: Watched, one: UserInput, reading: Reading) -> str:
    """Give where an input stands that links say is another field's; empty where a place says nothing of the kind.

    Many a site links what it shows to all things of which that is true: a series to ``/series/3``. Where the place of
    the tags is gone, and they are called as a link to a series is, they were kept as that. It costs that a site is red
    which leads from an input to a page that is called as another field of its form, after it was shown elsewhere.
    """
    own = {name.casefold() for name in one.names}
    others = {name.casefold() for names in watched.thing.fields for name in names} - own
    places = [each.spot for each in look(one, reading, watched.thing) if each.keyed and not each.spot.says]

    def is_anothers(links: Iterable[tuple[str, str]]) -> bool:
        paths = [path for called, path in links if is_whole(one.spellings, called)]
        return any(step.casefold() in others for path in paths for step in path.partition("?")[0].split("/"))

    return places[0].text if places and all(is_anothers(spot.links) for spot in places) else ""


def company(echoes: Echoes, watched: Watched, one: UserInput, reading: Reading) -> int | None:
    """Give the card in which other inputs of a write stand that were not there before; -1 for the page around cards.

    One is enough that stands nowhere by chance. Of a page that nobody knows as it was before it takes two, and one of
    the user's own, such as a name, where what is sought is that: many a user sends the rest.

    Args:
        echoes: has the write.
        watched: the write.
        one: the input that is sought.
        reading: of the document, asked for all inputs of the write.

    Returns:
        The number of the card; None where there is none, or there are several.
    """
    known = bool(_before(echoes, watched, reading.url))
    told: dict[int, dict[str, bool]] = {}
    sure: set[int] = set()
    for other in watched.counted:
        apart = set(other.spellings).isdisjoint(one.spellings) and not rivals_of(echoes.watched, watched, other)
        for each in echoes.found(watched, other, reading) if apart and other.kind != "file" else ():
            if each.spot.kind == "text" and not each.spot.says:
                told.setdefault(each.spot.card, {})[other.action_id] = _is_users(echoes, other)
                sure |= {each.spot.card} if other.kind == "text" and any(map(is_own, other.spellings)) else set()
    cards = {card for card, others in told.items() if len(others) > 1 or (known and card in sure)}
    # A list says as one line what its rows say.
    rows = {card for card in cards if card >= 0}
    cards = (rows or cards) - {reading.cards[card].outer for card in rows}
    if _is_users(echoes, one):
        cards = {card for card in cards if any(told[card].values())}
    return cards.pop() if len(cards) == 1 else None


def words_of(one: UserInput) -> list[UserInput]:
    """Give what a page is asked for to find a text that reads otherwise than an input: its words.

    Args:
        one: the input.
    """
    words = {word for text in one.spellings for word in words_in(text) if weight(word) >= _WORD}
    return [replace(one, spellings=(word,), names=()) for word in sorted(words, key=weight, reverse=True)[:_MOST_WORDS]]


def reads_otherwise(echoes: Echoes, watched: Watched, one: UserInput, reading: Reading) -> str:
    """Give a text that has come since a write, and reads almost as what was put in; empty for none.

    What the user alone puts in, such as a name, has to stand in it as a whole: other users send the rest, too.

    Args:
        echoes: has the write.
        watched: the write.
        one: the input.
        reading: of the document, asked for the words of it.
    """
    if one.kind != "text" or not _before(echoes, watched, reading.url):
        return ""
    own = [text for text in one.spellings if is_own(text)]
    said = (
        text for spot in reading.spots if spot.kind == "text" and not spot.says for text in (spot.text, *spot.parts)
    )
    for text in dict.fromkeys(said):
        near = (SequenceMatcher(None, each.casefold(), text.casefold()).ratio() for each in own)
        if (
            max(near, default=0.0) >= _NEAR
            and _is_new(echoes, watched, reading.url, text)
            and _has_all(echoes, one, text)
        ):
            return text
    return ""


def beside(watched: Watched, one: UserInput, reading: Reading, label: str, card: int, called: str) -> str:
    """Give what stands under the name of an input, where other inputs of its write stand; empty where it does, too.

    Args:
        watched: the write.
        one: the input.
        reading: of the document.
        label: what the place of the input was called when it was recorded; empty where nothing calls it.
        card: where the others stand; -1 for the page outside of cards.
        called: the text that stood in one card with it when it was recorded; empty for none.
    """
    if not label:
        said = reading.cards[card].text if card >= 0 and called else ""
        is_whole_card = bool(said) and len(said) < MOST_OF_CARD and bool(find_in(called, said))
        return "" if not is_whole_card or any(find_in(text, said) for text in one.spellings) else said
    there = tuple(spot for spot in reading.spots if spot.card == card and not watched.thing.is_anothers(spot, one))
    spots = [marked(spot) for spot in there if spot.kind == "text" and not (spot.says or spot.searches or spot.acts)]
    if look(one, replace(reading, spots=there), watched.thing):
        return ""
    shown = [value_of(spot, label) for spot in spots if is_called(spot, (label,))]
    return next((text for text in shown if text and all(contradicts(each, text) for each in one.spellings)), "")


def exchanged(watched: Watched, one: UserInput, reading: Reading, label: str, card: int) -> str:
    """Give the other text of a write that stands under the name of an input; empty where the input stands there, too.

    Args:
        watched: the write.
        one: the input, which stands somewhere in the card.
        reading: of the document.
        label: what the place of the input was called when it was recorded.
        card: where the others of the write stand; -1 for the page outside of cards.
    """
    others = [text for text in watched.thing.beside if text not in one.spellings]
    there = (spot for spot in reading.spots if spot.card == card and spot.kind == "text" and is_called(spot, (label,)))
    said = [value_of(spot, label) for spot in there if not (spot.says or spot.searches or spot.acts)]
    if any(find_in(own, text) for own in one.spellings for text in said):
        return ""
    return next((text for text in said if is_whole(others, text)), "")


def another(one: UserInput, reading: Reading, thing: Thing, label: str) -> str | None:
    """Give what a place that is tied to the thing shows instead of an input; None where no such place says otherwise.

    Args:
        one: the input.
        reading: of the document.
        thing: what the input went into.
        label: what the place was called when it was recorded; empty for a text that nothing calls.
    """
    names = (label,) if label else one.names
    for each in reading.spots:
        if each.kind in ("picture", "file"):
            if one.file and is_at(each, label, one.spellings) and thing.ties(each, reading, one):
                return None if may_be_of(one.file, each) else instead_of(each)
            continue
        spot = marked(each)
        if spot.says or spot.searches or spot.acts:
            continue
        counted = counts_in(spot, names) if one.kind == "text" else []
        if not (counted or is_called(spot, names)) or not thing.ties(spot, reading, one):
            continue
        if counted and all(contradicts(text, number) for text in one.spellings for number in counted):
            return counted[0]
        if not is_called(spot, names):
            continue
        if one.kind == "tick" and spot.kind == "box" and spot.on is not one.on:
            return "ticked" if spot.on else "not ticked"
        if one.kind == "tick" and answer_in(spot, names, names[0])[1] is (not one.on):
            return spot.text
        if one.kind == "choice" and spot.kind == "box" and spot.on:
            return spot.text
        if one.kind == "tick" or spot.kind not in ("field", "text"):
            continue
        shown = value_of(spot, next(label for label in names if is_called(spot, (label,))))
        if shown and all(contradicts(text, shown) for text in one.spellings):
            return shown
    return None


def _before(echoes: Echoes, watched: Watched, url: str) -> list[Met]:
    """Give the documents of the path of an address that the user had met before a write."""
    path = urlsplit(url).path
    return [met for met in echoes.history.before(watched.since, watched.previewed) if met.path == path]


def _is_new(echoes: Echoes, watched: Watched, url: str, text: str) -> bool:
    """Return whether a text stood at no address of this path before a write, and nobody put it in."""
    put_in = (each for other in echoes.watched for one in other.inputs for each in one.spellings)
    return not (stood((text,), _before(echoes, watched, url)) or any(find_in(each, text) for each in put_in))


def _is_users(echoes: Echoes, one: UserInput) -> bool:
    """Return whether an input says something of its user alone, such as a name."""
    return any("{{" in echoes.recognise(text) for text in one.spellings)


def _has_all(echoes: Echoes, one: UserInput, shown: str) -> bool:
    """Return whether a text says all that an input says of its user, or of what was dealt to that: its variables."""
    for text in one.spellings:
        parts = [re.escape(part) for part in _VARIABLE.split(echoes.recognise(text))]
        values = re.fullmatch("(.*?)".join(parts), text, re.DOTALL) if len(parts) > 1 else None
        if all(value in shown for value in values.groups()) if values else len(parts) == 1:
            return True
    return False
