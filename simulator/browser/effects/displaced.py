"""Inputs in whose place, as a recording knows it, another text of the same write stands.

A page shows a title and a maker without what they are called, and nothing says which is which. Where one stands in the
place of the other, each is still there, and neither was kept. Not responsible for: asking pages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import replace

from simulator.browser.effects.around import order_in
from simulator.browser.effects.echoes import Watched
from simulator.browser.effects.files import instead_of, is_at, may_be_of
from simulator.browser.effects.lasting import Lasting
from simulator.browser.effects.model import Effect
from simulator.browser.effects.places import Thing, is_whole, look
from simulator.browser.effects.spots import Reading, Spot, is_called, marked, value_of
from simulator.browser.effects.user_input import UserInput
from simulator.meaning import contradicts


class Displaced:
    """The inputs of one user that stand elsewhere than a recording saw them, and another text in their place.

    Args:
        lasting: names places.
    """

    def __init__(self, lasting: Lasting) -> None:
        self._lasting = lasting
        self._expected: dict[str, list[tuple[str, str]]] = {}
        self._instead: dict[str, str] = {}

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
        if spot.says or spot.searches or spot.acts or not is_called(spot, names) or not thing.ties(spot, reading, one):
            continue
        if one.kind == "tick" and spot.kind == "box" and spot.on is not one.on:
            return "ticked" if spot.on else "not ticked"
        if one.kind == "choice" and spot.kind == "box" and spot.on:
            return spot.text
        if one.kind == "tick" or spot.kind not in ("field", "text"):
            continue
        shown = value_of(spot, next(label for label in names if is_called(spot, (label,))))
        if shown and all(contradicts(text, shown) for text in one.spellings):
            return shown
    return None
