"""A press that sent something, and what came of it so far.

Not responsible for: what a document shows of it (``acts``).
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from simulator.browser.effects.addresses import is_of
from simulator.browser.effects.met import bare, leads_back
from simulator.browser.effects.model import Effect, Kind, Rules, Write, WriteProof
from simulator.browser.effects.pressed import Belongs, Pressed


@dataclass(slots=True)
class Act:
    """A press that sent something, and what came of it so far."""

    action_id: str
    pressed: Pressed | None
    """None where what was pressed is not known: only what its answer named is looked for."""
    thing: Belongs
    write: Write
    tied: bool
    """Whether the request names the thing, or is the form of the control."""
    fresh: frozenset[str]
    """Ids that the answer named first."""
    asked: frozenset[str]
    """Documents that sent it, or that are its answer."""
    since: int
    near: tuple[str, ...]
    left: bool = False
    """Whether the press led away from where the thing stood: only a look there shows what became of it."""
    bears: bool = False
    """Whether the write carried inputs: a state is no effect of it then, as forms change when they are sent. That its
    thing is gone may be one."""
    expected: frozenset[Kind] = frozenset()
    """What a recording saw of it."""
    asks: bool = False
    """Whether it says what it is for: it names a thing that is there, or its answer named a new one."""
    names_it: bool = False
    """Whether the request names the thing; else it was pressed on the page of one, as what ends a session is."""
    slugs: frozenset[str] = frozenset()
    """Words by which the request names the thing where the site has generated no id: the end of its address."""
    several: tuple[Belongs, ...] = ()
    """The things that were ticked for it and that it names, where these are several: all of them are gone, or none."""
    on_answer: bool = False
    """Whether it was pressed on a page that answered a write: a visit to its address shows another one."""
    of_page: tuple[str, str] | None = None
    """Its kind of request, where it asks only as its address goes on from that of the page's thing."""
    over: bool = False
    """Whether something else was done to its thing since: that it is gone then is what came of that."""
    drawn: str = ""
    """How its control was drawn once its page had come to rest, where nothing else showed that it stands otherwise."""
    says: frozenset[str] | None = None
    """Words that came to its card at once; None until a document has shown that."""
    wanted: frozenset[str] = frozenset()
    """Words of which a recording saw one come to its card, as they are now: others may come by something else."""
    gone_from: set[str] = field(default_factory=set)
    """Addresses at which a recording saw that it was gone, as they are now: it had stood there."""
    effects: dict[Kind, Effect] = field(default_factory=dict)
    against: str = ""
    """What the last document that shows the thing says against it; empty for nothing."""
    read: set[str] = field(default_factory=set)
    documents: int = 0

    @property
    def is_kept(self) -> bool:
        """Whether something that it did is proven."""
        return any(one.strength == "kept" for one in self.effects.values())

    @property
    def is_proven(self) -> bool:
        """Whether what it did is proven: in a replay a kind that the recording saw, and nothing is against it."""
        kept = {kind for kind, one in self.effects.items() if one.strength == "kept"}
        return bool(kept & self.expected if self.expected else kept) and not self.against

    @property
    def is_made(self) -> bool:
        """Whether it is a write that the user made: it had an effect, or had one when it was recorded; or it asks."""
        shown = self.tied and (self.asks or bool(self.effects))
        return self.is_kept or shown or bool(self.expected)

    @property
    def is_open(self) -> bool:
        """Whether a look at other pages may prove it."""
        wanted = self.expected - {kind for kind, one in self.effects.items() if one.strength == "kept"}
        unknown = self.left and self.pressed is not None and self.pressed.url not in self.read
        changed = bool(self.effects) or (self.asks and bool(self.says))
        return bool(wanted) or ((changed or unknown) and not self.is_kept)

    def is_by_query(self, url: str, rules: Rules) -> bool:
        """Return whether a document shows things otherwise by what its query says that a link was for."""
        is_link = rules.says_done and self.write.method == "GET"
        return is_link and self.pressed is not None and leads_back(url, self.pressed.url)

    def asked_for(self, rules: Rules) -> list[dict[str, Any]]:
        """Give what a page is asked for: its thing, or each of its things."""
        return [
            {
                "keys": list(thing.keys),
                "called": thing.called,
                "control": self.pressed.control(rules) if self.pressed and not self.several else None,
                "page": thing.page,
                "words": rules.card_words and thing.words is not None,
                "texts": [] if self.calls(thing, by_word=rules.slugs_apart) else list(thing.texts),
            }
            for thing in self.several or (self.thing,)
        ]

    def values(self) -> set[str]:
        """Give what the site generated in the keys of its things."""
        return {value for one in self.several or (self.thing,) for value in one.values()}

    def calls(self, thing: Belongs, *, by_word: bool) -> bool:
        """Return whether the site calls a thing of it by an id, or by the word by which the request names it."""
        named = by_word and any(key.rpartition("/")[2] in self.slugs for key in thing.keys)
        return named or bool(thing.values())

    def state_words(self) -> list[str]:
        """Give what its things say since then."""
        state = self.effects.get("state")
        return state.shows.split("\n") if state else []

    def wants(self, words: Iterable[str]) -> bool:
        """Return whether words that came to its card may be what a recording saw of it."""
        return not self.wanted or not self.wanted.isdisjoint(words)

    def has_said(self, words: Iterable[str]) -> bool:
        """Return whether a thing of it said one of some words before it was pressed: that it says them is no news."""
        return any(not {*words}.isdisjoint(one.words or ()) for one in self.several or (self.thing,))

    def is_followed_by(self, other: Act) -> bool:
        """Return whether a later act was for the same thing, and does not confirm this one."""
        theirs = other.several or (other.thing,)
        keys = {key for one in self.several or (self.thing,) for key in one.keys}
        same = self.slugs & other.slugs or self.values() & other.values() or any(keys & {*one.keys} for one in theirs)
        if not same or other.pressed is None or self.pressed is None:
            return False
        here = bare(other.pressed.url)
        led = any(bare(url) == here for url in self.near) and here != bare(self.pressed.url)
        return not led and other.pressed.document not in self.asked - {self.pressed.document}

    def is_at(self, url: str) -> bool:
        """Return whether an address is one of its thing, by what the site calls that."""
        named = self.thing.values() | self.slugs
        return bool(self.thing.keys and named) and is_of(url, named)

    def proof(self) -> WriteProof:
        """Report what was seen of it."""
        what = str(self.pressed.standing) if self.pressed else "what it made"
        return WriteProof(self.write.method, self.write.url, 0, () if self.is_proven else (what,), self.write.operation)
