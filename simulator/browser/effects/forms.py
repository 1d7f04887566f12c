"""One form that was sent, and what the form of its thing holds of that later, field by field.

Not responsible for: which forms were sent (``sent_forms``).
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from simulator.addresses import urljoin, urlsplit
from simulator.browser.effects.addresses import generated_in, goals_of, is_of
from simulator.browser.effects.fields import Field, is_for_another
from simulator.browser.effects.model import Write
from simulator.browser.effects.places import Thing
from simulator.browser.effects.sent.carried import last_step
from simulator.browser.effects.sent.fetched import Fetched
from simulator.browser.effects.sent.instead import is_same, shown_instead
from simulator.browser.effects.sent.objects import Written
from simulator.browser.effects.sent.said_by_data import (
    parts_of_the_object,
    said_of_list,
    said_of_several,
    says_more_than_names,
)
from simulator.browser.effects.sent.several import Several
from simulator.browser.effects.spots import is_own
from simulator.browser.effects.user_input import InputKind, UserInput
from simulator.browser.effects.watched import Watched
from simulator.meaning import Value, is_telling

_KINDS: Mapping[str, InputKind] = {"field": "text", "select": "choice", "radio": "choice", "box": "tick"}
_MEMBER = re.compile(r"[.\[]\d+\]?$")
"""How the name of a part ends that is a member of a list."""
_ENOUGH = 2
"""This many texts of one form stand together by no chance."""


@dataclass(slots=True)
class SentForm:
    """A form that was sent, as far as it is known what it carried."""

    write: Write
    thing: Thing
    carried: dict[str, tuple[str, ...]]
    """By the name of each part its values."""
    watched: Watched
    """The same write, with what is known of the thing by now."""
    asked: frozenset[str]
    """Documents that sent it, or that are its answer."""
    held: set[str] = field(default_factory=set)
    """Names of the fields that a later form showed as they were sent."""
    shown: set[str] = field(default_factory=set)
    """Names of those that a page of the thing showed elsewhere: that is no look at the others of its form."""
    otherwise: dict[str, str] = field(default_factory=dict)
    """What the last document that has a field shows in it instead, by its name."""
    elsewhere: dict[str, str] = field(default_factory=dict)
    """The same of a form that goes to the same address, and may be an empty one for the next thing."""
    documents: int = 0
    told_by: dict[str, frozenset[str]] = field(default_factory=dict)
    """By document the names of the fields that the thing's own form showed there: texts beside it prove nothing."""
    page: str = ""
    """Absolute address of the document that sent it, where that may be the thing's own; empty elsewhere."""
    filled: frozenset[str] = frozenset()
    """The parts that the form had filled; of a form with a file all, as the browser does not distinguish them."""
    put: frozenset[str] = frozenset()
    """The parts that the user put in."""
    changed: frozenset[str] = frozenset()
    """The parts that held something else before the user put something in."""
    looked: bool = False
    passed: bool = False
    """Whether a form for another thing was seen, which is no look at that of this one."""
    data: Written | None = None
    """What a script has written in parts that have names."""
    several: Several | None = None
    """The things that it names in one list, where these are several."""
    there: frozenset[str] = frozenset()
    """What the resource that it went to had said before, as far as the page had fetched it."""
    sent: frozenset[str] = frozenset()
    """The names of all parts, those as well that a later form has sent again."""
    left: Mapping[str, Field] = field(default_factory=dict)
    """By name the fields that sent something the user could see, and nobody had put in."""

    called: Mapping[str, str] = field(default_factory=dict)
    """By name what the user knows the parts as that were put in."""
    first: Mapping[str, tuple[tuple[str, ...], bool]] = field(default_factory=dict)
    """By name what the fields held that the user changed, and whether that was on, when the user came to them."""

    by_data: set[str] = field(default_factory=set)
    """Names of the parts that data of the thing, as a later page has fetched it, says as they were sent."""

    whole_lists: bool = True
    """Whether all that is chosen of one list is compared."""

    blank: frozenset[str] = frozenset()
    """What the thing's own form shows as empty as the user had found it: what is asked again each time."""

    stays: bool = True
    """Whether a form that is empty for the next remark on a thing holds the thing in its other fields."""
    offers: bool = True
    """Whether what a form for something new came with is told apart."""
    from_nothing: bool = False
    """Whether no field of it that the user could see had a text that somebody wrote."""
    renewed: set[str] = field(default_factory=set)
    """The times with which such a form came, where it came again: the next one has another."""
    stood: set[str] = field(default_factory=set)
    """The parts that such a form showed as they were sent: what a form for another thing always shows looks alike."""
    beside: dict[str, frozenset[str]] = field(default_factory=dict)
    """By document the parts that such a form shows there: texts beside it say nothing against them."""

    said: Mapping[str, tuple[str, ...]] = field(init=False, default_factory=dict)
    """What it carried, whatever was sent in the same parts since."""

    def __post_init__(self) -> None:
        self.said = dict(self.carried)

    def unshown(self, *, offered: bool) -> list[str]:
        """Give what the fields are called that were left as the form had filled them, and that nothing has shown since.

        Args:
            offered: whether those that a form for something new came with, or the others. Nobody has put the first in,
                and no thing had them before. Such a form holds no text that somebody wrote, and the site names first
                what it has made of it; or it comes again, empty, with the same, for the next remark on a thing.
        """
        seen = (self.held | self.shown) - self.otherwise.keys()
        told = {name: one for name, one in self.left.items() if one.is_sent or name in self.otherwise}
        left = {name: one for name, one in told.items() if name not in seen}
        new = left.keys() if self.watched.fresh else self.stood | self.renewed
        apart = {
            name for name, one in left.items()
            if self.offers and self.from_nothing and name in new and name not in self.otherwise and not one.is_worded
        }  # fmt: skip
        told = {name: one for name, one in left.items() if name in self.otherwise or not self._is_address(name)}
        return [one.label or name for name, one in told.items() if (name in apart) is offered]

    @property
    def said_by_data(self) -> set[str]:
        """The parts that data of the thing says as they were sent, where nothing has shown another value since."""
        return self.by_data - self.otherwise.keys()

    @property
    def all_said_by_data(self) -> bool:
        """Whether data of the thing says all that was sent, and something was that says what was done to it."""
        sent = {name: texts for name, texts in self.said.items() if any(map(str.strip, texts))}
        says = says_more_than_names(sent.values(), self.data, self.write.method)
        return says and sent.keys() <= self.said_by_data and not self.watched.secret

    def _is_address(self, name: str) -> bool:
        """Return whether a page that shows what was kept of the write has an address that ends in what a field held.

        The site has called the thing so then: nobody had gone there by that address before.
        """
        texts = self.said.get(name, ())
        kept = [one for one, effect in self.watched.shown.items() if effect.strength == "kept"]
        places = (url for one in kept for url in self.watched.shown_at.get(one, ()))
        steps = {urlsplit(url).path.rstrip("/").rpartition("/")[2] for url in places}
        return len(texts) == 1 and is_telling(texts[0]) and texts[0] in steps

    @property
    def is_open(self) -> bool:
        """Whether a look at the thing's own form may show what the form had filled."""
        told = {*self.held, *self.otherwise, *(() if self.passed else self.elsewhere)}
        return bool(self.page and self.filled) and not self.looked and self.filled.isdisjoint(told)

    def untouched(self, document: str = "") -> list[UserInput]:
        """Give what the form had filled and no later document has shown, as if it had been put in.

        That is what a field had that the user could see, and, of what no field is known of, texts of its own. A time of
        these is that of the last change, or of another event that the site's clock sets.

        Args:
            document: that may show it elsewhere than in the thing's own form; empty for any.
        """
        told = self.told_by.get(document, frozenset())
        left = sorted(self.filled - self.put - self.held - self.shown - told)
        names = (name for name in left if self.carried.get(name))
        found = [self._left(name, self.carried[name]) for name in names if name and len(self.carried[name]) == 1]
        return [one for one in found if one.field in self.left or _is_lasting(one.spellings[0], self.watched)]

    def _left(self, name: str, texts: tuple[str, ...]) -> UserInput:
        known = self.left.get(name)
        if known is None:
            return UserInput(self.write.action_id, "text", texts, (name,), name, "")
        # Of a list the request has the value, and a page what it is called.
        called = known.holds if known.sends == texts[0] else ()
        spellings = tuple(dict.fromkeys((*texts, *(one for one in called if one.strip()))))
        names = tuple(dict.fromkeys(one for one in (known.label, name) if one))
        return UserInput(self.write.action_id, _KINDS[known.kind], spellings, names, name, "")

    def ties(self, form: Sequence[Field], url: str) -> bool:
        """Return whether a form is the thing's own: by links or an id, or by the user's texts under the same names."""
        named, own = self.watched.thing.paths, goals_of(url)
        if not named.isdisjoint(own if self.watched.thing.by_words else {urlsplit(url).path}):
            return True  # a form that makes something may be sent to an address with the id of what that is a part of
        if self.thing.names:
            return is_of(url, self.thing.names) or bool(generated_in(urljoin(url, form[0].action)) & self.thing.names)
        return are_alike(self.carried, {one.name: one.holds for one in form if one.kind == "field"})

    def may_tie(self, form: Sequence[Field]) -> bool:
        """Return whether a form goes where this one went: a user's settings, or an empty one for the next thing."""
        return not self.thing.names and bool(form[0].form) and form[0].form in self.thing.forms

    def compare(self, fields: Sequence[Field], document: str, url: str) -> set[str]:
        """Compare a later document with what was sent.

        Args:
            fields: of the document.
            document: names it.
            url: its absolute address.

        Returns:
            The names of fields that hold what was sent, and that none did before.
        """
        forms: dict[tuple[str, str], list[Field]] = {}
        for one in fields:
            if one.name in self.carried:
                forms.setdefault((one.form, one.action), []).append(one)
        tied = self._shown(form for form in forms.values() if self.ties(form, url))
        if not tied:
            tied = self._shown(form for form in forms.values() if self.may_tie(form))
            # A form that keeps what was sent shows what the user has changed; an empty one shows what it always does.
            mine = [shown for name, shown in tied.items() if name in self.changed]
            if any(mine) or not mine:
                self.elsewhere = {name: shown for name, shown in tied.items() if shown}
                return set()
        elif self._is_empty(tied, fields):
            if self.stays and is_for_another(self.carried, tied.keys() - self.changed, fields):
                self.elsewhere, self.passed = {name: shown for name, shown in tied.items() if shown}, True
                return set()
            return self._take_in_beside(tied, document)
        self.told_by[document] = frozenset(tied)
        self.blank = self._asked_anew(tied, fields)
        return self._take_in(tied)

    def compare_fetched(self, fetched: Sequence[Fetched], *, proves: bool) -> set[str]:
        """Compare what a page has fetched of the thing with what its script sent.

        Args:
            fetched: objects.
            proves: whether it proves what it says, also of a script that has sent one part alone.

        Returns:
            As for :meth:`compare`.
        """
        if self.several:
            of_all = said_of_several(self.several, self.data, self.carried, fetched, self._said_as) if proves else {}
            self.by_data |= {name for name, instead in of_all.items() if not instead}
            return self._take_in(of_all)
        own_parts = parts_of_the_object(self.carried, self.put) if proves else [*self.carried]
        called = Counter(map(last_step, own_parts))
        names = {last_step(name): name for name in own_parts if called[last_step(name)] == 1}
        several = [name for name in own_parts if proves and called[last_step(name)] > 1 and _MEMBER.search(name)]
        # What is fetched beside the thing may have an id of it, too: that has other names.
        known = {*names, *map(last_step, several)}
        alone = proves and len(known) == 1
        enough = 1 if alone else max(_ENOUGH, len(known) / 2)
        same = [one.named for one in fetched if self.data and self.data.is_(one.named, one.at, parts=not alone)]
        own = [one for one in same if len(known & {*map(str.casefold, (*one.holds, *one.lists))}) >= enough]
        told: list[tuple[str, tuple[str, ...]]]
        held = [(names.get(key.casefold()), (text,)) for one in own for key, text in one.holds.items()]
        told = [(name, texts) for name, texts in held if name is not None]
        told = [
            (name, texts) for name, texts in told if name in self.put or not _is_renewed(self.carried[name], texts[0])
        ]
        # What was sent empty many a site leaves out of its data.
        blank = {name for name, texts in self.carried.items() if not any(map(str.strip, texts))} if own else set()
        told += [(name, ("",)) for name in blank - {name for name, _ in told} - self.otherwise.keys()]
        lists = {key.casefold(): texts for one in own for key, texts in one.lists.items()}
        told += [
            (name, texts)
            for name in (own_parts if proves else ())
            if (texts := lists.get(last_step(name))) is not None and self._may_be_in(name, texts)
        ]
        fields = [Field(name, "field", texts, False, self.called.get(name, ""), "", "") for name, texts in told]
        shown = self._shown([fields]) if fields else {}
        if proves:
            shown |= said_of_list(self.data, self.put, self.there, self.carried, fetched, self._said_as, self.called)
            self.by_data |= {name for name, instead in shown.items() if not instead and name not in blank}
        return self._take_in(shown)

    def _may_be_in(self, name: str, texts: Sequence[str]) -> bool:
        """Return whether a list says something of a part: a member of it, or the only one; else it may be all of it."""
        return bool(_MEMBER.search(name)) or not texts or any(is_same(one, texts) for one in self.carried[name])

    def _said_as(self, name: str, text: str) -> str | None:
        """Give what a text of some data says instead of what was sent; empty where it says that, None for nothing."""
        return self._shown([[Field(name, "field", (text,), False, self.called.get(name, ""), "", "")]]).get(name)

    def _take_in(self, tied: Mapping[str, str]) -> set[str]:
        """Take in what is shown of some fields; gives the names of those that hold what was sent for the first time."""
        for name, shown in tied.items():
            self.elsewhere.pop(name, None)
            if shown and not (name in self.held and not self.carried[name]):  # else something else has ticked it since
                self.otherwise[name] = shown
            else:
                self.otherwise.pop(name, None)
        new = {name for name, shown in tied.items() if not shown} - self.held
        self.held |= new
        return new

    def _take_in_beside(self, tied: Mapping[str, str], document: str) -> set[str]:
        """Take in what is shown beside texts that are asked anew; gives what is as it was sent for the first time.

        That proves nothing, as it may be what the form holds for each remark. The time of the next one is none of this.
        """
        beside = {
            name: shown
            for name, shown in tied.items()
            if self.stays
            and name not in self.changed
            and not any(Value.of(one).is_moment for one in self.carried[name])
        }
        self.elsewhere = {name: shown for name, shown in tied.items() if shown and name not in beside}
        self.renewed |= tied.keys() - beside.keys() - self.changed if self.stays else set()
        self.beside[document] = frozenset(beside)
        same = {name for name, shown in beside.items() if not shown}
        for name in same:
            self.otherwise.pop(name, None)
        self.otherwise |= {name: shown for name, shown in beside.items() if shown}
        new = same - self.stood - self.held
        self.stood |= same
        return new

    def _is_empty(self, tied: Mapping[str, str], fields: Sequence[Field]) -> bool:
        """Return whether a form on the page of a thing is an empty one, for the next remark on it.

        All texts that the user had put in are empty again, and lists and boxes are as the user had found them, as far
        as that is known: not of what a script has drawn. A site that dropped all of it looks the same: then no other
        place shows it, or the recording has a form that did.
        """
        mine = self.changed & tied.keys()
        own = [one for one in fields if one.name in mine]
        texts = [one for one in own if one.kind == "field"]
        empty = bool(texts) and not any(text.strip() for one in texts for text in one.holds)
        now = {one.name: (one.holds, one.on) for one in own if one.kind in ("select", "box")}
        found = all(self.first.get(name, state) == state for name, state in now.items())
        blank = empty and found and all(one.kind != "radio" for one in own)
        others = (shown for name, shown in tied.items() if name not in mine and any(map(str.strip, self.carried[name])))
        return blank and (self.stays or not any(others))

    def _asked_anew(self, tied: Mapping[str, str], fields: Sequence[Field]) -> frozenset[str]:
        """Give what was empty when the user came to it, and is so again in the form of the thing.

        A note on a change is, and a list that says first that nothing is changed (*open (unchanged)*): the form asks it
        of the next one. A site that dropped it looks the same: then no place that is called as the field shows it.
        """
        kinds = ("field", "select") if self.stays else ("field",)
        own = [one for one in fields if one.kind in kinds and one.name in tied and one.name in self.first]
        empty = {one.name for one in own if one.is_blank(self.first[one.name][0])}
        return frozenset(empty - {one.name for one in own if not one.is_blank(one.holds)})

    def _shown(self, forms: Iterable[Sequence[Field]]) -> dict[str, str]:
        """Give, by name, what the fields of some forms show instead of what was sent; empty where they show that."""
        alike: dict[str, list[Field]] = {}
        for one in (each for form in forms for each in form):
            alike.setdefault(one.name, []).append(one)
        told = {
            name: shown_instead(self.carried[name], fields, whole_lists=self.whole_lists)
            for name, fields in alike.items()
        }
        known = {name: instead for name, instead in told.items() if instead is not None}
        return {name: instead and f"{alike[name][0].label or name} {instead}" for name, instead in known.items()}

    def forget(self, names: Collection[str], *, by_data: bool) -> None:
        """Compare some parts no more: something else was sent in them since.

        Args:
            names: of the parts.
            by_data: whether data of the thing calls what is sent, whatever the parts are called that it is in.
        """
        called = {last_step(name) for name in names} if by_data and self.data else frozenset[str]()
        for name in {*names, *(one for one in self.carried if last_step(one) in called)}:
            self.carried.pop(name, None)
            self.otherwise.pop(name, None)
            self.elsewhere.pop(name, None)
        self.filled &= self.carried.keys()


def are_alike(carried: Mapping[str, Sequence[str]], held: Mapping[str, Sequence[str]]) -> bool:
    """Return whether two forms are of the same thing: they hold texts of its own under the same names."""
    same = [
        name
        for name, texts in carried.items()
        if len(texts) == 1 and is_own(texts[0]) and name in held and is_same(texts[0], held[name])
    ]
    return len(same) >= _ENOUGH


def _is_lasting(text: str, watched: Watched) -> bool:
    """Return whether a text that no field showed is of the thing, and not the time of its last change."""
    return is_telling(text) and not (watched.times_apart and Value.of(text).is_moment)


def _is_renewed(carried: Sequence[str], text: str) -> bool:
    """Return whether data is nearly what a script sent, and not the same: the moment of the last change."""
    return text not in carried and is_same(carried[0], (text,))
