"""Where a document shows what a user put in.

Pure functions over what the page script reports of a document's places. Not responsible for: asking the page, or what
follows from it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache

from simulator.browser.effects.addresses import (
    generated_in,
    goals_of,
    goes_on,
    is_of,
    is_of_form,
    leads_beside,
    numbered_as,
    path_of,
    without_filters,
)
from simulator.browser.effects.files import address_of
from simulator.browser.effects.met import bare
from simulator.browser.effects.model import By
from simulator.browser.effects.spots import (
    TELLING_DIGITS,
    Card,
    Reading,
    Spot,
    answer_in,
    bares,
    counts_in,
    is_called,
    is_called_as,
    is_own,
    is_whole,
    marked,
    named_in,
    names_of,
    said_in,
    says_another,
    state_in,
    value_of,
    words_in,
)
from simulator.browser.effects.user_input import UserInput
from simulator.meaning import Likeness, find_in, is_telling, likeness, weight

_RANK: Mapping[Likeness, int] = {"same": 0, "transformed": 1, "beginning": 2}
_SHORT = 3
"""Letters of words that stand for themselves on many a page: yes, off."""


@dataclass(frozen=True, slots=True)
class Found:
    """A place that shows an input."""

    likeness: Likeness
    by: By
    label: str
    spot: Spot
    keyed: bool = False
    of_name: bool = False
    """Whether it shows a tick by the name of its box alone."""
    sure: bool = True
    """Whether it would not stand there if nothing had been put in: a page may say the name of a box in any case."""


Put = tuple[frozenset[str], tuple[str, ...]]
"""What was put in: what its field is called, and the texts."""


@dataclass(frozen=True, slots=True)
class Thing:
    """What an input went into, as far as its places can be distinguished from those of others."""

    names: frozenset[str] = frozenset()
    """Ids that the site has given it, and the words by which its addresses call it, as ``low-tide``."""
    own: tuple[str, ...] = ()
    """Names of the user: with one of them, and another input of the same write, a card is the user's own."""
    others: tuple[str, ...] = ()
    """The texts of the same write."""
    forms: frozenset[str] = frozenset()
    """Forms that the writes went by: one that shows the input on a later document is the thing's own."""
    fields: tuple[tuple[str, ...], ...] = ()
    """What each field of the same write is called, those as well that nobody put anything in."""
    given: Mapping[str, frozenset[str]] = field(default_factory=dict, hash=False, compare=False)
    """Of each id that the site gave first to this user, what pages had called elements by then."""
    paths: frozenset[str] = frozenset()
    """Where the links lead that are called as one of the texts is; empty where there is none, or they lead apart."""
    texts: tuple[str, ...] = ()
    """All texts that were sent with it, those as well that its form had filled."""
    beside: tuple[str, ...] = ()
    """The same, with those as well that count at places tied to it alone, such as a name."""
    page: str = ""
    """Address of the page that shows what the form edits, as one compares it. Empty where none is known."""
    at: str = ""
    """Absolute address from which a script sent it: a field in no form is known by its page. Empty elsewhere."""
    sent_from: str = ""
    """Absolute address of the page that sent it; empty where none is known."""
    by_spelling: bool = True
    """Whether what another text of the write says letter by letter is that one's, though it spells an input, too."""
    by_words: bool = True
    """Whether it may be known by words: of its address, or of its form."""
    by_goals: bool = True
    """Whether a link to ``#``, which only a script follows, is none to its document."""
    around: frozenset[str] = frozenset()
    """What its page called the elements around its fields that the write names: an answer stands in what it answers."""
    by_links: bool = True
    """Whether a card with the link that is called as one of its texts is its own."""
    by_pages: bool = True
    """Whether an address that goes on from where such a link leads is its own, as that of the form to change it."""
    lists: frozenset[str] = frozenset()
    """Names of the lists of its form: what an address asks for by one of them is an option, and not the thing."""
    puts: tuple[Put, ...] = ()
    """The telling texts that were put into it and into nothing else."""
    elsewhere: tuple[Put, ...] = ()
    """The same of other things that went by its form: one that holds them is not that of this one."""
    boxes: tuple[tuple[str, str, bool], ...] = ()
    """The boxes of its form that are called as one that was ticked: name, label, and whether it was sent ticked."""
    apart: frozenset[str] = frozenset()
    """Ids of other things that were sent, in what it is a part of as well: their pages are not its own."""

    def ties(self, spot: Spot, reading: Reading, one: UserInput) -> bool:
        """Return whether a place of an input is tied to the thing."""
        in_form = spot.kind in ("field", "box", "picture") and spot.form and spot.form in self.forms
        own = self._holds(self.puts if self.by_words else (), spot, reading, one)
        of_it = in_form and is_of_form(spot.form, reading.url, self.sent_from, self.names)
        of_it = of_it and not self._holds(self.elsewhere, spot, reading, one)
        if of_it or own or self._is_around(spot.within):
            return True
        number, foreign = spot.card, False
        while number >= 0:
            card = reading.cards[number]
            ids = {name for key in card.keys for name in generated_in(key)}
            foreign = foreign or bool(ids)
            keys = [without_filters(key, self.lists) for key in card.keys] if self.lists else card.keys
            leads = [key for key in keys if "/" in key or "?" in key] if self.by_words else []
            if any(key in self.names or generated_in(key) & self.names for key in keys):
                return True
            if any(is_of(key, self.names) or (self.by_links and self.paths & goals_of(key)) for key in leads):
                return True
            foreign = foreign or any(leads_beside(key, reading.url, self.names) for key in leads)
            if self._is_mine(card, one) and not self._has_twin(number, reading, one):
                return True
            number = card.outer
        if spot.card < 0 and self.page and bare(reading.url) == self.page:
            return True
        return not foreign and (self.is_page(reading.url) or self._is_own_field(spot, reading, one))

    def is_beside(self, other: Thing) -> bool:
        """Return whether another thing that the site has given ids went by the same form: this one's."""
        apart = self.names and other.names and self.names.isdisjoint(other.names)
        return bool(apart) and not self.forms.isdisjoint(other.forms)

    @staticmethod
    def _holds(puts: Sequence[Put], spot: Spot, reading: Reading, one: UserInput) -> bool:
        """Return whether another field of the form of a place holds what was put into it, and into nothing else."""
        if spot.kind not in ("field", "box") or not spot.form:
            return False
        fields = [each for each in reading.spots if each.kind == "field" and each.form == spot.form]
        for names, texts in puts:
            called = [each for each in fields if is_called(each, tuple(names))]
            other = called[0] if names.isdisjoint(one.names) and len(called) == 1 else spot
            if other is not spot and any(likeness(text, other.text) == "same" for text in texts):
                return True
        return False

    def _is_own_field(self, spot: Spot, reading: Reading, one: UserInput) -> bool:
        """Return whether a place is the field that an input was put into, in no form, and the only one called so."""
        loose = spot.kind in ("field", "box") and not (spot.form or one.form)
        if not (loose and self.at and bare(reading.url) == bare(self.at)):
            return False
        alike = [each for each in reading.spots if each.kind in ("field", "box") and is_called(each, one.names)]
        return spot in alike and len({each.card for each in alike}) == 1

    def is_page(self, url: str) -> bool:
        """Return whether an address is the thing's own: by an id of it, or by links called as a text of it."""
        own = is_of(url, self.names) and generated_in(url).isdisjoint(self.apart)
        return own or not self.paths.isdisjoint(goals_of(url)) or (self.by_pages and goes_on(url, self.paths))

    def _is_around(self, within: Sequence[str]) -> bool:
        """Return whether elements around a place are called after the thing, and none further in after another one.

        An answer stands in the comment that it answers.
        """
        inner = set()
        for key in within:
            kind = key.rstrip("0123456789")
            if kind not in inner and self._is_called_after(key):
                return True
            inner.add(kind)
        return False

    def inside(self, spot: Spot) -> str:
        """Give what the page calls the element around a place in which the input was put in; empty where it is another.

        Args:
            spot: the place: an answer has an element of its own, which is called alike, in that of what it answers.
        """
        kinds = {key.rstrip("0123456789") for key in self.around}
        outer = [key for key in spot.within if key.rstrip("0123456789") in kinds and not self._is_called_after(key)]
        return outer[0] if outer and outer[0] in self.around else ""

    def _is_called_after(self, key: str) -> bool:
        """Return whether an element is called after the thing: ``comment-41`` is the one of 41.

        A short number is a place in many a list: it counts where nothing was called so before the site gave it.
        """
        if key in self.names:
            return True
        number = numbered_as(key)
        if number not in self.names:
            return False
        return len(number) >= TELLING_DIGITS or (number in self.given and key not in self.given[number])

    def named_by(self, reading: Reading) -> set[str]:
        """Give the addresses to which links lead that are called as one of the texts is: list pages name things so.

        The query counts where the path says nothing of the thing: ``/thing?id=9`` is another one than ``/thing?id=10``.
        """
        links = {link for spot in reading.spots if not spot.says for link in spot.links}
        if self.by_goals:
            links = {link for link in links if not link[1].endswith("#")}
        else:
            links = {(called, goal.removesuffix("#")) for called, goal in links}
        texts = [text for text in self.others if text not in self.own and words_in(text) and is_own(text)]
        goals = [goal for called, goal in links if any(likeness(text, called) == "same" for text in texts)]

        def is_said(path: str) -> bool:
            return bool(generated_in(path)) or any(likeness(text, step) for text in texts for step in path.split("/"))

        return {path if not self.by_words or is_said(path) else goal for goal in goals for path in [path_of(goal)]}

    def _is_mine(self, card: Card, one: UserInput) -> bool:
        """Return whether a card shows the user's name and another input of the same write."""
        if not any(name not in one.spellings and find_in(name, card.text) for name in self.own):
            return False
        beside = [text for text in self.others if text not in (*one.spellings, *self.own) and is_telling(text)]
        return any(find_in(text, card.text) for text in beside)

    def _has_twin(self, number: int, reading: Reading, one: UserInput) -> bool:
        """Return whether the user has another thing that is called alike: neither is known to be this one."""
        outer = reading.cards[number].outer
        beside = [other for place, other in enumerate(reading.cards) if place != number and other.outer == outer]
        return any(self._is_mine(other, one) for other in beside)

    def is_anothers(self, spot: Spot, one: UserInput) -> bool:
        """Return whether a place is called as another field of the same write: what stands there was put in there."""
        called = names_of(spot)
        if not called.isdisjoint(bares(one.names)):
            return False
        return any(not called.isdisjoint(bares(names)) for names in self.fields if names != one.names)

    def left_of(self, spot: Spot, one: UserInput) -> Spot | None:
        """Give of a place what may show an input: without the texts that another text of the write says as a whole.

        A description begins with the title, or names it: where the title stands is no beginning of the description, and
        where the description stands is no place of the title. Seen on a shop of books, which had dropped the one. What
        runs on through a text of another one of the write is not found for that.

        Returns:
            The place; None where nothing is left of it.
        """
        if not self.texts or spot.kind != "text" or one.kind not in ("text", "choice") or is_called(spot, one.names):
            return spot
        others = [text for text in self.texts if text not in one.spellings]
        said = (spot.text, *spot.parts)
        own = {text for text in said
               if self._is_whole(one, text, others) or not says_another(others, text, one.spellings)}  # fmt: skip
        if own.issuperset(said):
            return spot
        parts = tuple(text for text in spot.parts if text in own)
        return replace(spot, text=" ".join(parts), parts=parts) if parts and spot.text in own else None

    def _is_whole(self, one: UserInput, text: str, others: Sequence[str]) -> bool:
        """Return whether a text says an input, and nothing else; not where it says another one as that was put in.

        The address ``old-harbour-wood`` is "Old harbour wood" in another spelling: where that stands, the title does.
        """
        if not is_whole(one.spellings, text):
            return False
        told = self.by_spelling and any(likeness(each, text) == "same" for each in others)
        return not told or any(likeness(each, text) == "same" for each in one.spellings)


def look(one: UserInput, reading: Reading, thing: Thing) -> list[Found]:
    """Find the places that show an input, the best first.

    Args:
        one: the input.
        reading: of the document.
        thing: what the input went into.
    """
    found: list[Found] = []
    for spot in reading.spots:
        if spot.badges and one.kind == "tick" and (named := _named_by(one, spot, reading, thing)):
            found.append(named)
            continue
        # Whether a place shows it at all is known of most places by then: what it is tied to is asked of the others.
        if shows(one, spot, counts=is_telling) is not None:
            if thing.is_anothers(spot, one):
                continue
            if (left := thing.left_of(spot, one)) and (likened := shows(one, left, counts=is_telling)):
                found.append(Found(*likened, spot, thing.ties(spot, reading, one)))
            continue
        # What was chosen is the site's own word, such as the name of a user: it is all that stands at many a place.
        whole = one.kind == "text"
        if (
            shows(one, marked(spot), counts=is_own, whole=whole)
            and not thing.is_anothers(spot, one)
            and thing.ties(spot, reading, one)
        ):
            left = thing.left_of(marked(spot), one)
            if left is not None and (likened := shows(one, left, counts=is_own, whole=whole)):
                found.append(Found(*likened, spot, keyed=True))
    return sorted(found, key=lambda each: (not each.keyed, each.spot.says, each.by == "text", _RANK[each.likeness]))


def _named_by(one: UserInput, spot: Spot, reading: Reading, thing: Thing) -> Found | None:
    """Return how a place that is tied to the thing shows a tick by the name of its box alone, as a badge; None if not.

    It is sure where another card beside does not say it, or the place lists no name of a box that was not ticked.
    """
    group = [(label, on) for name, label, on in thing.boxes if name == one.field]
    names = bares(tuple(name for name in one.names if name != one.field or len(group) == 1))
    item, cards = next((badge for badge in spot.badges if badge[0] in names), ("", ()))
    if not item or not one.on or not thing.ties(spot, reading, one):
        return None
    tied = {n: thing.ties(replace(spot, card=n), reading, one) for at in cards for n in (at, reading.cards[at].outer)}
    apart = any(tied[number] and not tied[reading.cards[number].outer] for number in cards)
    others = bares(tuple(label for label, on in group if not on))
    said = bares((*spot.parts, *said_in(spot.text, as_list=True)))
    sure = apart or (bool(others) and others.isdisjoint(said))
    return Found("transformed", "label", one.called, spot, keyed=True, of_name=True, sure=sure)


@lru_cache(maxsize=8192)
def shows(
    one: UserInput, spot: Spot, *, counts: Callable[[str], bool], whole: bool = False
) -> tuple[Likeness, By, str] | None:
    """Return how a place shows an input, if it does.

    Args:
        one: the input.
        spot: the place.
        counts: whether a text counts where nothing but itself speaks for it.
        whole: whether a text counts, too, that is all that stands there.
    """
    if spot.kind == "picture":
        if one.kind != "file" or (one.file is not None and not one.file.is_shown_by(spot.look)):
            return None
        return "same", "picture", address_of(spot)
    if spot.kind == "file":
        return ("same", "address", address_of(spot)) if one.file is not None and one.file.is_at(spot.look) else None
    if spot.searches or spot.unsaid or one.kind == "file":
        return None
    if spot.kind == "link":
        leads = one.kind == "text" and any(likeness(each, spot.text) for each in one.spellings)
        return ("same", "text", "") if leads else None
    if one.sends:
        state = state_in(spot, one.spellings)
        return None if state is None else ("transformed", "label" if state else "text", state)
    called = next((label for label in spot.labels if is_called_as(label, one.names)), "")
    if one.kind == "tick":
        called, on = answer_in(spot, one.names, called)
        return ("same", "field" if spot.kind == "box" else "label", called) if called and on is one.on else None
    if spot.kind == "box":
        chosen = one.kind == "choice" and bool(called) and bool(spot.on)
        held = chosen and any(likeness(each, text) for each in one.spellings for text in (spot.text, *spot.labels))
        return ("same", "field", called) if held else None
    by: By = "field" if spot.kind == "field" else "label"
    if called:
        texts = [spot.text, *spot.parts, *said_in(value_of(spot, called), one.kind == "choice")]
        likened = [like for text in texts if text for each in one.spellings if (like := likeness(each, text))]
        if likened:
            return min(likened, key=_RANK.__getitem__), by, called
        if spot.kind == "text":
            inside = [like for each in one.spellings if counts(each) and (like := find_in(each, spot.text))]
            if inside:
                return min(inside, key=_RANK.__getitem__), "label", called
        return None
    if own := named_in(spot, one.names):
        texts = said_in(own[1], one.kind == "choice")
        likened = [like for text in texts for each in one.spellings if (like := likeness(each, text))]
        if likened:
            return min(likened, key=_RANK.__getitem__), "label", own[0]
    if spot.kind == "field":
        return None
    if whole and any(likeness(each, text) for each in one.spellings for text in counts_in(spot, one.names)):
        return "same", "label", one.called
    telling = [each for each in one.spellings if counts(each)]
    inside = [like for each in telling for text in (spot.text, *spot.parts) if (like := find_in(each, text))]
    if whole and not inside:
        wordings = [each for each in one.spellings if any(weight(word) > _SHORT for word in words_in(each))]
        inside = [like for each in wordings for text in (spot.text, *spot.parts) if (like := likeness(each, text))]
    return (min(inside, key=_RANK.__getitem__), "text", "") if inside else None
