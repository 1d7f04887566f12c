"""A write whose inputs are looked for on the documents that follow, and what was seen of them so far.

Not responsible for: looking (``echoes``).
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field, replace

from simulator.browser.effects.addresses import are_of_one
from simulator.browser.effects.met import Met, bare, led_to, stood
from simulator.browser.effects.model import Effect, Write, WriteProof
from simulator.browser.effects.places import Thing
from simulator.browser.effects.spots import Reading
from simulator.browser.effects.user_input import UserInput
from simulator.meaning import says_form_of
from simulator.meaning.folding import typed

_MOST_FOR_BUTTON = 3
"""How many documents a state is looked for on: most sites never say it."""


@dataclass(slots=True)
class Watched:
    """A write whose inputs are looked for."""

    write: Write
    inputs: tuple[UserInput, ...]
    thing: Thing
    asked: frozenset[str]
    """Documents that sent it, or that are its answer: what they show is not kept."""
    since: int
    """How many documents had been met when it was sent."""
    near: tuple[str, ...] = ()
    """Absolute addresses at which it may be seen first: where its answer led to, and the pages after and before it."""
    listed: str = ""
    """Absolute address at which the site is said to list everything that its user sends from there; empty for none."""
    counted: tuple[UserInput, ...] = ()
    """The inputs that can be seen again."""
    secret: bool = False
    """Whether a secret was sent with it: it may have made an account."""
    fresh: frozenset[str] = frozenset()
    """Ids that the answer named first."""
    read: set[str] = field(default_factory=set)
    """Addresses that have been looked at since it was answered."""
    paths: set[str] = field(default_factory=set)
    """Where links led that were called as one of its texts is."""
    sent_from: frozenset[str] = frozenset()
    """Documents that were there when it was sent: an id on them was made by a script, if it is new at all."""
    previewed: frozenset[str] = frozenset()
    """Documents that had given it back before: they stand at no address."""
    only_tied: bool = False
    """Whether nothing counts but what is tied to it: what pages showed before it was sent is not known any more."""
    by_document: bool = False
    """Whether a link within a document names all of it, and what stands around pages counts: as it once was."""
    by_card: bool = False
    """Whether the thing is known by its card in a list alone, which the site named first."""
    forms_apart: bool = True
    """Whether a form that holds what was put into another thing is that one's."""
    fields_apart: bool = True
    """Whether a field that is tied to nothing shows no tick, choice or short value: its form may come with that."""
    values_apart: bool = True
    """Whether a place that is tied to nothing shows no input where another one of the same field had its value."""
    times_apart: bool = True
    """Whether no page has to show a time that the request gave back, and that no field showed."""
    adds: bool = True
    """Whether what was put into an empty field has to stand at an address once more than before."""
    step_of: tuple[str, int] | None = None
    """The write that made something of it later, by its action and its number there."""
    steps_apart: bool = True
    """Whether a page of a form in steps, such as the one that asks to confirm, proves nothing of the thing made."""
    towards: tuple[str, int] | None = None
    """The write that was sent last from the pages to which forms had led one after the other, this one among them."""
    drafts: frozenset[str] = frozenset()
    """Bare addresses of those pages."""
    button: UserInput | None = None
    """What was pressed to send it. It counts only where a page says it."""
    documents: int = 0
    shown: dict[str, Effect] = field(default_factory=dict)
    """The best effect of each input so far."""
    shown_at: dict[str, dict[str, bool]] = field(default_factory=dict)
    """By input the absolute addresses of the documents that have shown it, whether that counts or not, and whether at a
    place that is tied to what was written."""

    def lacks(self) -> list[UserInput]:
        """Give the inputs that are still looked for."""
        inputs = (*self.inputs, self.button) if self.button and self.documents <= _MOST_FOR_BUTTON else self.inputs
        return [one for one in inputs if not ((seen := self.shown.get(one.action_id)) and seen.is_settled)]

    def input_of(self, action_id: str) -> UserInput | None:
        """Give what an action put in, or pressed to send it; None where it was another one."""
        return next((one for one in (*self.inputs, self.button) if one and one.action_id == action_id), None)

    @property
    def is_open(self) -> bool:
        """Whether an input that counts was not kept yet."""
        return any(not is_kept(self.shown.get(one.action_id)) for one in self.counted)

    def name(self, reading: Reading, before: Sequence[Met] = ()) -> None:
        """Take in where a document says that the thing is, by links that are called as a text of it.

        Two links that are called alike lead to two things: neither is known to be this one. One that led there before
        from a document that said the text is another thing's.

        Args:
            reading: of the document.
            before: the documents that the user had met before the write.
        """
        named = self.thing.named_by(reading)
        if self.thing.by_links:
            put = [text for one in self.inputs if one.kind == "text" and one.changes for text in one.spellings]
            said = [met for met in before if stood(put, [met])]
            named = {path for path in named if not any(led_to(path, met) for met in said)}
        self.paths |= {path.partition("#")[0] for path in named} if self.by_document else named
        self.thing = replace(self.thing, paths=frozenset(self.paths if are_of_one(self.paths) else ()))

    def is_draft(self, url: str) -> bool:
        """Return whether a page only led on to where the thing was made.

        Args:
            url: absolute address of the page.
        """
        return bool(self.towards and self.fresh) and bare(url) in self.drafts

    def is_made_of_steps(self, ids: frozenset[str], drafts: Collection[str]) -> None:
        """Take in what the site calls what was made of several forms: the pages in between have proven nothing of it.

        Args:
            ids: what a card that came after the last form is known by.
            drafts: addresses of those pages, templates.
        """
        self.fresh, self.by_card = self.fresh or ids, True
        self.thing = replace(self.thing, names=self.thing.names | ids)
        for key, effect in self.shown.items():
            if not effect.place.keyed and effect.place.url in drafts:
                self.shown[key] = replace(effect, strength="shown")

    def proof(self, known: Collection[str] = (), says: Collection[str] = ()) -> WriteProof:
        """Report what was seen of it.

        Args:
            known: what the site calls things that were ticked for it, and of which it is proven what became of them.
            says: what their cards say since then: *archived*, where *Archive* was chosen.
        """

        def is_said(one: UserInput) -> bool:
            return one.kind == "choice" and any(says_form_of(text, each) for text in says for each in one.spellings)

        left = (one for one in self.counted if one.ids.isdisjoint(known) and not is_said(one))
        unseen = tuple(one.called for one in left if not is_kept(self.shown.get(one.action_id)))
        return WriteProof(self.write.method, self.write.url, len(self.counted), unseen, self.write.operation)


def rivals_of(known: Sequence[Watched], watched: Watched, one: UserInput) -> list[tuple[Watched, UserInput]]:
    """Give what was put into the same field of other things, and says the same."""
    return [
        (other, each) for other in known for each in other.inputs
        if other is not watched and not (other.secret or watched.secret) and each.action_id != one.action_id
        if (each.form, each.names) == (one.form, one.names) and not set(each.spellings).isdisjoint(one.spellings)
    ]  # fmt: skip


def is_kept(effect: Effect | None) -> bool:
    """Return whether an effect proves its input."""
    return effect is not None and effect.strength == "kept"


def without_later(watched: Sequence[Watched], texts: Sequence[str], action_id: str) -> tuple[str, ...]:
    """Give those of some texts that were not put in after an action, and sent: they did not come of the action.

    Args:
        watched: all writes.
        texts: what a card says.
        action_id: the action.
    """
    later = (put for one in watched for put in one.inputs if put.action_id > action_id)
    put_in = {typed(text) for put in later for text in put.spellings}
    return tuple(text for text in texts if typed(text) not in put_in)


def may_remove(watched: Sequence[Watched], write: Write) -> bool:
    """Return whether what a write carried may only say that its thing is to go, or why.

    It was put into fields that came empty, and no place that is tied to the thing has shown it.

    Args:
        watched: all writes.
        write: the write.
    """
    sent = (write.action_id, write.number)
    own = [one for one in watched if (one.write.action_id, one.write.number) == sent]
    tied = (at for one in own for there in one.shown_at.values() for at in there.values())
    return not any(put.replaces for one in own for put in one.inputs) and not any(tied)
