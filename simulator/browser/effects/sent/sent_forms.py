"""What the form of a thing holds of what was sent, field by field: also what nobody put in, and the form had filled.

It proves nothing, and revokes: where the thing's own form showed what was carried when it was recorded, it has to show
it again. Not responsible for: asking pages, or inputs that are shown elsewhere (``echoes``).
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Any

from simulator.addresses import urljoin
from simulator.browser.effects.addresses import generated_in, is_of, numbered_in
from simulator.browser.effects.displaced import another
from simulator.browser.effects.fields import Field, LeftChoices
from simulator.browser.effects.forms import SentForm, are_alike
from simulator.browser.effects.met import bare
from simulator.browser.effects.model import Effect, KnownThing, Place, Write
from simulator.browser.effects.places import Thing, look
from simulator.browser.effects.sent.carried import last_step
from simulator.browser.effects.sent.fetched import Fetched
from simulator.browser.effects.sent.objects import Written, ids_of_its_own
from simulator.browser.effects.sent.payloads import unfolded
from simulator.browser.effects.sent.things import texts_of
from simulator.browser.effects.sent.writes import GUARDS, Sent
from simulator.browser.effects.spots import Reading
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched, is_kept
from simulator.meaning import Value

_MOST_DOCUMENTS = 12
"""How many documents a form is compared on."""
_MOST_FIELDS = 100
_SAYS = 3
"""Characters from which on a text in a request is what was put in, and does not stand there by chance."""
_SECRET = "{{secret."
"""What a template writes for a secret begins so."""


class SentForms:
    """The forms that one user sent, without the secrets that they carried: those are looked for nowhere.

    Args:
        template: writes an absolute address as a template.
        recognise: writes a text as a template.
    """

    def __init__(self, template: Callable[[str], str], recognise: Callable[[str], str]) -> None:
        self._template = template
        self._recognise = recognise
        self._sent: list[SentForm] = []
        self._urls: dict[tuple[str, int], str] = {}
        """Where each was sent to, by its write: absolute addresses."""
        self.left = LeftChoices(template, recognise)
        """What the forms sent of the lists and boxes that their users left."""
        self.by_data = True
        """Whether data of a thing proves what was sent of it."""
        self.whole_lists = True
        """Whether all that is chosen of one list is compared."""
        self.offers = True
        """Whether what a form for something new came with is told apart."""
        self.stays = True
        """Whether a form that is empty for the next remark on a thing holds the thing in its other fields."""

        self.loose = True
        """Whether what a script has sent of a field in no form has to be shown as that of a form."""
        self.late = True
        """Whether a look at the form of a thing compares it, however many documents have come since it was sent."""

    def watch(self, sent: Sent, watched: Watched, fields: Sequence[Field] = ()) -> None:
        """Watch a form that was sent; what it sends again is compared with no earlier one any more.

        Args:
            sent: the request.
            watched: the same, with what the user had put in.
            fields: of the documents that may have sent it, as they were when the user came to them.
        """
        write, thing, inputs = watched.write, watched.thing, watched.counted
        carried: dict[str, tuple[str, ...]] = {}
        untold = sent.parts is None and sent.initiator == "document"
        put_in = {one.part for one in write.carried} | {one.field for one in inputs}
        forms = {sent.form, *(one.form for one in inputs if one.form)}
        came = [one for one in fields if one.form in forms and one.name not in put_in and not GUARDS.search(one.name)]
        # That the terms were accepted the session proves.
        own = [one for one in came if one.is_sent and (one.kind != "box" or not watched.secret)][:_MOST_FIELDS]
        # Of a form with a file the browser gives no body: what was put in is known, and what it had filled.
        put = [(one.field, one.spellings[0]) for one in inputs if one.kind == "text" and one.field]
        told = put if untold else sent.parts or ()
        for name, text in islice(unfolded(told, put_in) if self.by_data else told, _MOST_FIELDS):
            if _SECRET in self._recognise(text):
                continue
            carried[name] = (*carried.get(name, ()), text)
        for left in own if untold else ():
            carried[left.name] = (*carried.get(left.name, ()), left.sends)
        url = self._urls[write.action_id, write.number] = sent.request.url
        for one in self._sent:
            before = self._urls[one.write.action_id, one.write.number]
            shared = one.thing.names & thing.names and (not self.loose or _are_of_one(before, one.thing, url, thing))
            same = shared or one.thing.forms & thing.forms
            if same or are_alike(one.carried, carried):
                # A box that was unticked is changed by not being sent.
                one.forget({*carried, *put_in}, by_data=self.by_data)
        naming = {name for name, text in sent.parts or () if text in (sent.called or ())}
        unknown = carried.keys() - naming
        filled = frozenset(name for name in unknown if untold or (name not in put_in and not GUARDS.search(name)))
        parts = {one.input: one.part for one in write.carried}
        changed = frozenset(part for one in inputs if one.changes and (part := parts.get(one.action_id)))
        called = {part: one.called for one in inputs if (part := parts.get(one.action_id))}
        # What a press sends without a text, such as an id, is not worth a look.
        page = _page_of(sent, watched) if inputs or texts_of(sent) else ""
        by_script = self.loose and sent.initiator != "document"
        own = [one for one in own if not (by_script and one.is_unlike(carried.get(one.name, ())))]
        seen = {one.name: one for one in own if any(map(str.strip, carried.get(one.name, ())))}
        if self.offers and sent.initiator == "document":
            off = _unticked(came[:_MOST_FIELDS], carried)
            carried, seen = carried | dict.fromkeys(off, ()), seen | off
        if by_script:
            seen = _in_no_form(fields, {name: texts for name, texts in carried.items() if name not in put_in}) | seen
        first = {one.name: (one.holds, one.on) for one in fields if one.form in forms and one.name in changed}
        if write.carried and sent.initiator == "document":  # of a script nobody knows which fields it reads
            self.left.take_in(write, sent.page, came[:_MOST_FIELDS], sent.parts)
        self._sent.append(
            SentForm(
                write, thing, carried, watched, watched.asked, page=page, filled=filled, put=frozenset(put_in),
                changed=changed, sent=frozenset(carried), left=seen, first=first, called=called,
                data=_written(sent, thing), several=sent.several, there=sent.there, whole_lists=self.whole_lists,
                stays=self.stays, offers=self.offers, from_nothing=_is_from_nothing(fields, forms, thing),
            )
        )  # fmt: skip
        known = [(one.thing, self._urls[one.write.action_id, one.write.number]) for one in self._sent if self.loose]
        for one, (its, at) in zip(self._sent, known, strict=False):
            one.watched.thing = replace(one.watched.thing, apart=_beside(its, at, known))

    def drop(self, write: Write) -> None:
        """Watch a form no more: what it sent was sent once more as a whole."""
        key = write.action_id, write.number
        self._sent = [one for one in self._sent if (one.write.action_id, one.write.number) != key]

    def to_look_at(self) -> list[str]:
        """Give the addresses of the forms that were sent with more than the user put in, and not seen since."""
        return [one.page for one in self._sent if one.is_open]

    def looked(self, url: str) -> None:
        """Say that an address was looked at."""
        for one in self._sent:
            one.looked |= one.page == url

    def names(self, looked_at: str = "") -> list[str]:
        """Give the names of the fields that a document is asked for.

        Args:
            looked_at: the address at which a form is looked for, however many documents have come since it was sent.
        """
        sought = looked_at if self.late else ""
        asked = (one for one in self._sent if one.documents < _MOST_DOCUMENTS or (sought and one.page == sought))
        return sorted({name for one in asked for name in one.carried if name})

    def take_in(self, raw: Sequence[Mapping[str, Any]], document: str, url: str) -> list[Effect]:
        """Take in the fields of a document.

        Args:
            raw: as ``readFields`` gives them.
            document: names the document.
            url: its absolute address.
        """
        fields = [Field.of(one) for one in raw]
        effects: list[Effect] = []
        for one in self._sent:
            if document in one.asked:
                continue
            one.documents += 1
            if new := one.compare(_without(fields, url, one.watched.thing.apart), document, url):
                effects.append(self._held(one, new, url))
        return effects

    def ids(self) -> set[str]:
        """Give what the site calls the things whose data, as a page fetches it, may show what was sent; also paths."""
        data = [one.data for one in self._sent if one.data and one.documents < _MOST_DOCUMENTS]
        return {name for one in data for name in one.ids} | {one.at_path for one in data if self.by_data}

    def say_what_was_put_in(self, texts: Collection[str]) -> bool:
        """Return whether some texts say what the user put into one of them; what is short says nothing."""
        put = {text for one in self._sent for each in one.watched.counted for text in each.spellings}
        return any(text in said for text in put if len(text) >= _SAYS for said in texts)

    def take_in_fetched(self, fetched: Sequence[Fetched], url: str) -> list[Effect]:
        """Take in what the scripts of a page have fetched since the last write.

        Args:
            fetched: objects.
            url: absolute address of the page.
        """
        effects: list[Effect] = []
        for one in self._sent if fetched else ():
            if one.data and (new := one.compare_fetched(fetched, proves=self.by_data)):
                effects.append(self._held(one, new, url))
            effects += self._proven_by_data(one, url)
        return effects

    def _proven_by_data(self, sent: SentForm, url: str) -> list[Effect]:
        """Know the inputs as kept that data of the thing says, and that no page has shown."""
        effects: list[Effect] = []
        parts = {one.input: one.part for one in sent.write.carried}
        for one in sent.watched.counted:
            part = parts.get(one.action_id, "")
            if one.kind == "text" and any(
                Value.of(one.spellings[0]).is_another(text) for text in sent.said.get(part, ())
            ):
                continue  # the page has sent something else than was put in, and that is kept
            if part in sent.said_by_data and not is_kept(sent.watched.shown.get(one.action_id)):
                write, place = sent.write, Place(self._template(url), "field", last_step(part), keyed=False)
                effect = Effect(one.action_id, write.action_id, write.number, "kept", "same", place)
                sent.watched.shown[one.action_id] = effect
                effects.append(effect)
        return effects

    def _held(self, sent: SentForm, new: Iterable[str], url: str) -> Effect:
        place, write = Place(self._template(url), "field", "", keyed=True), sent.write
        return Effect(
            write.action_id, write.action_id, write.number, "kept", "same", place,
            kind="state", thing=KnownThing(), shows="\n".join(sorted(new)),
        )  # fmt: skip

    def untouched(self) -> list[UserInput]:
        """Give what forms had filled that nobody touched, as far as a page that shows it is looked for."""
        return [one for sent in self._sent if sent.documents < _MOST_DOCUMENTS for one in sent.untouched()]

    def take_in_places(
        self, reading: Reading, own_of: Callable[[Watched, UserInput, Reading], Reading]
    ) -> list[Effect]:
        """Take in what a document shows, at places that are tied to a thing, of what its form had filled.

        Args:
            reading: of the document, asked for what :meth:`untouched` gives.
            own_of: gives that without what the site shows around its pages.
        """
        effects: list[Effect] = []
        for one in self._sent:
            if reading.document in one.asked:
                continue
            new: list[str] = []
            told = one.beside.get(reading.document, frozenset())
            for each in one.untouched(reading.document):
                own = own_of(one.watched, each, reading)
                tied = [found for found in look(each, own, one.thing) if found.keyed and found.spot.kind == "text"]
                if any(not found.spot.says for found in tied):
                    new.append(each.field)
                    if each.field not in told:
                        one.otherwise.pop(each.field, None)
                elif each.field not in told and (shown := another(each, own, one.thing, "")):
                    one.otherwise[each.field] = f"{each.called} '{shown}'"
            one.shown |= set(new)
            if new:
                place = Place(self._template(reading.url), "label", "", keyed=True)
                write = one.write
                effects.append(
                    Effect(
                        write.action_id, write.action_id, write.number, "kept", "same", place, kind="state",
                        shows="\n".join(new),
                    )
                )  # fmt: skip
        return effects

    def against(self, action_id: str, names: Sequence[str]) -> str:
        """Give what a form shows instead of what an action has sent; empty where nothing is shown otherwise.

        Args:
            action_id: the action.
            names: the fields that count.
        """
        sent = [one for one in self._sent if one.write.action_id == action_id and one.carried]
        shown = [{**one.elsewhere, **one.otherwise} for one in sent]
        against = [one[name] for one in shown for name in names if name in one]
        # What was ticked then, and is not sent now, the form had filled otherwise.
        left_out = [f"no '{name}' in what was sent" for name in names if not any(name in one.sent for one in sent)]
        return next(iter((*against, *(left_out if sent else ()))), "")

    def is_held(self, action_id: str, names: Sequence[str], *, beside: bool = False) -> bool:
        """Return whether a form showed all of some fields as an action had sent them, and none otherwise since.

        Args:
            action_id: the action.
            names: the fields.
            beside: whether a page showed them when it was recorded: an empty form always shows what it comes with.
        """
        return any(
            _seen(one, beside=beside).issuperset(names) and one.otherwise.keys().isdisjoint(names)
            for one in self._sent
            if one.write.action_id == action_id
        )

    def awaits_data(self, action_id: str, names: Sequence[str]) -> bool:
        """Return whether data of the thing may yet show what a script has written; pages ask for it when they like.

        Seen of applications of one page, whose views come to rest on a busy machine before they ask. What it costs when
        it is wrong is the wait for what the site has lost without showing another value.

        Args:
            action_id: the action that sent it.
            names: the fields that count.
        """
        return not self.is_held(action_id, names) and any(
            one.data is not None and one.write.action_id == action_id for one in self._sent
        )

    def lacking(self, action_id: str, names: Sequence[str], *, beside: bool = False) -> str:
        """Give what that of some fields is called which nothing has shown as an action had sent it; empty for none."""
        sent = [one for one in self._sent if one.write.action_id == action_id]
        held = {name for one in sent for name in _seen(one, beside=beside)}
        left = {name: field.label for one in sent for name, field in one.left.items() if field.label}
        called = {name: known for one in sent for name, known in one.called.items()} | left
        return next((called.get(name, name) for name in names if name not in held), "")

    def of(self, write: Write) -> SentForm | None:
        """Give what a write has sent; None where that is compared with nothing."""
        key = write.action_id, write.number
        return next((one for one in self._sent if (one.write.action_id, one.write.number) == key), None)


def _are_of_one(url: str, thing: Thing, later_url: str, later: Thing) -> bool:
    """Return whether two writes are to one thing: what one address names besides is a part of what both have in common.

    Args:
        url: of the first request; what it names of the bills of a house is its bill.
        thing: to which that was.
        later_url: of the later one, that makes another bill in the house.
        later: to which that was.
    """
    shared = thing.names & later.names
    return bool(shared) and not ((generated_in(url) & thing.names) ^ (generated_in(later_url) & later.names)) - shared


def _beside(thing: Thing, url: str, known: Iterable[tuple[Thing, str]]) -> frozenset[str]:
    """Give the ids of the other things that were sent in what a thing is a part of: their forms are not its own.

    Args:
        thing: the thing.
        url: to which that was sent.
        known: all things, and where each was sent to.
    """
    others = (other for other, at in known if other.names & thing.names and not _are_of_one(url, thing, at, other))
    return frozenset[str]().union(*(other.names for other in others)) - thing.names


def _seen(sent: SentForm, *, beside: bool) -> set[str]:
    """Give what was shown as it was sent: beside forms, or in an empty one for the next thing as well."""
    return sent.held | sent.shown | (set() if beside else sent.stood)


def _without(fields: Sequence[Field], url: str, others: Collection[str]) -> Sequence[Field]:
    """Give fields without those of forms that go to one of other things: by their address, or that of the page."""
    here = generated_in(url)
    return [one for one in fields if (generated_in(urljoin(url, one.action)) or here).isdisjoint(others)]


def _unticked(left: Iterable[Field], sent: Collection[str]) -> dict[str, Field]:
    """Give the boxes that a user could have ticked and did not, by name: the form sends nothing of those."""
    return {one.name: one for one in left if one.kind == "box" and one.seen and not one.on and one.name not in sent}


def _in_no_form(fields: Iterable[Field], carried: Mapping[str, tuple[str, ...]]) -> dict[str, Field]:
    """Give the fields in no form of which a script's request has a text that somebody wrote, by name, with that text.

    They may have held something else as the user came to them: one page sends many times.
    """
    loose = (one for one in fields if not one.form and one.kind == "field" and one.seen and not GUARDS.search(one.name))
    found = {one.name: replace(one, holds=carried[one.name]) for one in loose if len(carried.get(one.name, ())) == 1}
    return {name: one for name, one in found.items() if one.is_worded}


def _is_from_nothing(fields: Iterable[Field], forms: Collection[str], thing: Thing) -> bool:
    """Return whether no field of some forms held a text that somebody wrote, as the user came to them.

    The form of a thing that is there already holds its texts. A name of the user stands in many a form.
    """
    shown = (one for one in fields if one.form in forms and one.seen and not set(one.holds) & set(thing.own))
    return not any(one.is_worded for one in shown)


def _written(sent: Sent, thing: Thing) -> Written | None:
    """Give what a script has written in parts that have names; None for what a form sent, or said on a socket."""
    if sent.initiator != "fetch" or sent.parts is None:
        return None
    url, kinds = sent.request.url, sent.kinds if sent.operation else None
    if sent.several:
        return Written(frozenset(sent.several.ids), url, kinds)
    return Written(ids_of_its_own(thing.names, sent.names, url), url, kinds)


def _page_of(sent: Sent, watched: Watched) -> str:
    """Give the address at which the form may be looked at again; empty where it makes a thing of its own."""
    come_from = sent.page
    if is_of(come_from, generated_in(sent.request.url) | numbered_in(sent.request.url)):
        return come_from
    own = bare(come_from) == bare(sent.request.url) and not watched.thing.names
    return come_from if own and watched.counted and not watched.secret else ""
