"""What was put in and sent, until it is seen again at a place that is tied to what was written.

A write is watched until each of its inputs is kept at such a place, or for a number of documents. A value that stood at
an address before it was sent is no effect there, unless its place is tied to it. Not responsible for: asking pages, or
writes without an input (``acts``).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import replace

from simulator.addresses import asks_for, named_again, urlsplit
from simulator.browser.effects.addresses import is_of
from simulator.browser.effects.around import NOWHERE, order_in, own_of
from simulator.browser.effects.cards import (
    begins,
    ids_of_new,
    name_in_card,
    name_on_page,
    told_together,
    told_with,
    words_of_new,
)
from simulator.browser.effects.files import file_of
from simulator.browser.effects.lasting import Lasting
from simulator.browser.effects.met import MOST_TEXT, History, bare, stood
from simulator.browser.effects.model import Effect, KnownThing, Place, Strength, Write
from simulator.browser.effects.places import Found, Put, look
from simulator.browser.effects.spots import Named, Reading, is_own, is_whole, most_times, words_in
from simulator.browser.effects.user_input import UserInput
from simulator.browser.effects.watched import Watched, is_kept, rivals_of
from simulator.meaning import is_telling

_MOST_DOCUMENTS = 40
"""How many documents a write is watched on: to read one that the user comes to costs a fiftieth of what it costs to
look back at its address later."""


class Echoes:
    """The writes of one user that carried inputs.

    Args:
        history: what the user has met.
        template: writes an absolute address as a template.
        waiting: gives what is put in and not sent.
        lasting: knows the places that are there again when their document is.
        recognise: writes a text as a template.
    """

    def __init__(
        self, history: History, template: Callable[[str], str], waiting: Callable[[], tuple[UserInput, ...]],
        lasting: Lasting, recognise: Callable[[str], str],
    ) -> None:  # fmt: skip
        self.history = history
        self._template = template
        self._waiting = waiting
        self._lasting = lasting
        self.recognise = recognise
        self.watched: list[Watched] = []

    def seen(self, input_id: str) -> Effect | None:
        """Give the best place at which an input was seen again so far; None where it was not."""
        return next((one.shown[input_id] for one in self.watched if input_id in one.shown), None)

    def shows(self, write: Write, url: str) -> bool:
        """Return whether an input of a write was seen at an address."""
        at = self._template(url)
        return any(
            effect.place.url == at
            for one in self.watched
            if (write.action_id, write.number) in ((one.write.action_id, one.write.number), one.step_of)
            for effect in one.shown.values()
        )

    def of(self, input_id: str) -> tuple[Watched, UserInput] | None:
        """Give an input with the write that carried it; None where none did."""
        return next(((one, each) for one in self.watched if (each := one.input_of(input_id))), None)

    def sought(self) -> list[Watched]:
        """Give the writes whose inputs are still looked for on the documents that follow."""
        return [one for one in self.watched if one.documents < _MOST_DOCUMENTS and one.lacks()]

    def lacking(self) -> list[Watched]:
        """Give all writes whose inputs are not settled."""
        return [one for one in self.watched if one.lacks()]

    def pass_on(self, ids: Collection[str], write: Write, page: str) -> None:
        """Know forms that led to what was sent last, and made nothing, as steps towards what the site has named now.

        An order is put together on several pages, and made by the last press alone: its page shows what each was given.

        Args:
            ids: what the site has called something for the first time.
            write: what it has answered so.
            page: absolute address of the page that sent it.
        """
        own = (write.action_id, write.number)
        pages: set[str] = set()
        for watched in reversed(self.watched):
            if (watched.write.action_id, watched.write.number) == own:
                continue
            leads_on = watched.near and bare(watched.near[0]) == bare(page)
            if watched.fresh or watched.secret or watched.write.initiator != "document" or not leads_on:
                break
            # A form that comes back to its own page has made something there, and is no step.
            goes_on = watched.steps_apart and bare(watched.thing.sent_from) != bare(page)
            if not (ids or goes_on):
                break
            if ids:
                watched.thing = replace(watched.thing, names=watched.thing.names | frozenset(ids))
                watched.step_of = own
            pages.add(bare(page))
            if goes_on:
                watched.towards, watched.drafts = own, watched.drafts | pages
            page = watched.near[-1]

    def have_session(self, inputs: Sequence[UserInput]) -> None:
        """Know that a session was opened: it proves what the account was made with, as far as it was opened by that."""
        said = {text for one in inputs for text in one.spellings}
        for one in self.watched:
            if one.secret:
                one.counted = tuple(each for each in one.counted if said.isdisjoint(each.spellings))

    def take_in(self, reading: Reading, watching: Sequence[Watched], document: str) -> list[Effect]:
        """Take in what a document shows that was not seen as well before.

        Args:
            reading: of the document.
            watching: the writes.
            document: names it.
        """
        effects: list[Effect] = []
        put: dict[tuple[tuple[str, ...], str], set[str]] = {}
        for one in (each for watched in self.watched for each in watched.inputs if each.kind == "text"):
            for text in one.spellings:
                put.setdefault((one.names, text), set()).add(one.action_id)

        def puts_of(watched: Watched) -> Iterator[Put]:
            for one in watched.inputs:
                telling = one.kind == "text" and any(map(is_telling, one.spellings))
                if telling and all(put[one.names, text] == {one.action_id} for text in one.spellings):
                    yield frozenset(one.names), one.spellings

        for watched in watching:
            watched.name(reading, self.history.before(watched.since, watched.previewed))
            others = (other for other in self.watched if watched.forms_apart and other.thing.is_beside(watched.thing))
            elsewhere = tuple(each for other in others for each in puts_of(other))
            watched.thing = replace(watched.thing, puts=tuple(puts_of(watched)), elsewhere=elsewhere)
            self._know_by_card(watched, reading, document)
            for one in watched.lacks():
                effect = self._effect(watched, one, reading, document)
                if effect is not None:
                    at = watched.shown_at.setdefault(one.action_id, {})
                    at[reading.url] = at.get(reading.url, False) or effect.place.keyed
                known = watched.shown.get(one.action_id)
                if effect is not None and (known is None or effect.worth > known.worth):
                    watched.shown[one.action_id] = effect
                    effects.append(effect)
        return effects

    def _know_by_card(self, watched: Watched, reading: Reading, document: str) -> None:
        """Know a new thing by its card, where no answer has named it: it shows a text of it, and was not there before.

        A form that comes back to its list says no more of what it has made.
        """
        if watched.fresh or document in watched.sent_from:
            return
        texts = [one for one in watched.counted if one.kind == "text"]
        telling = [one for one in texts if any(map(is_telling, one.spellings))]
        telling += [one for one in watched.counted if one.file]
        shown = [each.spot for one in telling for each in look(one, reading, watched.thing) if not each.spot.says]
        # A name stands in many a card: a new one is the thing's where what it says begins with it.
        own = [text for one in texts for text in one.spellings if words_in(text) and is_own(text)]
        shown += [one for one in reading.spots if one.card >= 0 and not one.says and begins(one.text, own)]
        shown += told_together(watched.counted, reading, watched.thing)
        earlier = self.history.before(watched.since, watched.previewed)
        ids = ids_of_new(reading, shown, earlier) if shown else frozenset()
        if shown and not watched.thing.names and watched.thing.by_words:
            words = words_of_new(reading, shown, earlier, [text for text in own if len(words_in(text)) > 1])
            # Of `low-tide-41` the number names no thing: it is what the site has added to a name that was taken.
            ids = words if not ids or any(map(named_again, words)) else ids
        if ids:
            watched.fresh, watched.by_card = ids, True
            watched.thing = replace(watched.thing, names=watched.thing.names | ids)
            steps = [one for one in self.watched if watched.towards and one.towards == watched.towards]
            for one in steps:
                one.is_made_of_steps(ids, {self._template(url) for url in one.drafts})

    def likely(self) -> list[str]:
        """Give where most of what is still to be kept may be shown, absolute addresses, the likeliest first.

        That is where it was shown by a document that proves nothing, such as the one that had sent it, and where
        another write's input of the same field was: what changes a thing is seen where the thing was.
        A tied place proves the most: it contradicts, too.
        """
        told: Counter[str] = Counter()
        tied: Counter[str] = Counter()
        for watched in self.watched:
            for one in watched.counted:
                if not is_kept(watched.shown.get(one.action_id)):
                    at = {url: keyed for url, keyed in self._shown_at(watched, one).items() if url not in watched.read}
                    told.update(at.keys())
                    tied.update(url for url, keyed in at.items() if keyed)
        return sorted(told, key=lambda url: (-tied[url], -told[url]))

    def _shown_at(self, watched: Watched, one: UserInput) -> dict[str, bool]:
        found = dict(watched.shown_at.get(one.action_id, {}))
        for other in self.watched:
            for each in other.inputs:
                if each.field == one.field and each.names == one.names:
                    for url, keyed in other.shown_at.get(each.action_id, {}).items():
                        found[url] = found.get(url, False) or keyed
        return found

    def own_of(self, watched: Watched, one: UserInput, reading: Reading) -> Reading:
        """Give what a document shows without what the site had shown around other pages, and what is of another thing.

        Args:
            watched: the write.
            one: the input that is looked for.
            reading: of the document.
        """
        if watched.by_document:
            return reading
        return own_of(reading, one, watched.thing, self.history.before(watched.since, watched.previewed))

    def found(self, watched: Watched, one: UserInput, reading: Reading) -> list[Found]:
        """Find where an input is shown, but for what stood there before, and for what is being put in."""
        path = urlsplit(reading.url).path
        earlier = self.history.before(watched.since, watched.previewed)
        before = [met for met in earlier if met.path == path]
        acted = self._waiting()
        more = _says_more(self.history, watched, one, reading)
        found: list[Found] = []
        for each in look(one, self.own_of(watched, one, reading), watched.thing):
            if each.spot.edits and any(
                other.form == each.spot.form and set(other.names) & set(one.names) for other in acted
            ):
                continue
            others = (other.spellings for other in watched.inputs if other is not one)
            if each.of_name and any(is_whole(texts, each.spot.text) for texts in others):
                continue
            if not each.keyed and (each.spot.kind == "link" or one.sends):
                continue  # a page may lead there whatever was kept
            telling = one.kind == "text" and any(map(is_telling, one.spellings))
            if watched.fields_apart and not (each.keyed or telling) and each.spot.kind in ("field", "box"):
                continue  # a form for something else may come with the same
            if each.by in ("picture", "address"):
                # Behind its question may stand a time: a page that shows a placeholder writes a new one, too.
                pictures = (met.pictures for met in earlier if one.file is None)
                if not each.keyed or any(file_of(each.spot.text) in map(file_of, met) for met in pictures):
                    continue
            elif (not each.keyed and (watched.only_tied or (stood(one.spellings, before) and more is not True))) or (
                watched.thing.texts and each.likeness == "beginning" and stood((each.spot.text,), before)
            ):
                continue
            if more is False and each.keyed and each.spot.kind == "text" and not _is_known(watched, one, reading, each):
                continue
            found.append(each)
        return found

    def _effect(self, watched: Watched, one: UserInput, reading: Reading, document: str) -> Effect | None:
        best: Effect | None = None
        # What sent the same text again may be answered by words about it: "there is no 'works of Leeds'".
        repeats = any(
            document in other.asked and set(one.spellings) & {text for each in other.inputs for text in each.spellings}
            for other in self.watched
        )
        places = self.found(watched, one, reading)
        shared = watched.values_apart and self._is_shared(watched, one, reading, places)
        for found in places:
            kept = not (repeats or (shared and not found.keyed) or document in watched.asked or found.spot.says)
            kept = kept and not any(asks_for(reading.url, text) for text in one.spellings if one.kind == "text")
            kept = kept and found.sure and not (watched.is_draft(reading.url) and not found.keyed)
            strength: Strength = "kept" if kept else "shown"
            tied, order = found.keyed or reading.url == watched.listed, order_in(found.spot, one, watched.inputs)
            spot = self._lasting.name(reading.url, found.spot, order) if kept else ""
            effect = Effect(
                one.action_id,
                watched.write.action_id,
                watched.write.number,
                strength,
                found.likeness,
                Place(self._template(reading.url), found.by, found.label, tied, spot),
                thing=self._known(watched, one, found, reading),
                shows=self.recognise(self._name_of(watched, one, found, reading)),
                was=self.recognise(watched.thing.inside(found.spot)) if found.keyed else "",
            )
            if best is None or effect.worth > best.worth:
                best = effect
        return best

    def _is_shared(self, watched: Watched, one: UserInput, reading: Reading, places: Sequence[Found]) -> bool:
        """Return whether places that are tied to nothing may show what was put into other things instead.

        The same value went into the same field of several: each of them needs a place.
        """
        rivals = rivals_of(self.watched, watched, one)
        free = [each.spot for each in places if not each.keyed] if rivals else []
        free = [spot for spot in free if not any(other.thing.ties(spot, reading, each) for other, each in rivals)]
        return bool(rivals) and len(free) <= len(rivals)

    def has_own_name(self, input_id: str, reading: Reading, *, tied: bool) -> bool:
        """Return whether an input stands in a card with a name of its user.

        Args:
            input_id: the action that put it in.
            reading: of the document.
            tied: whether only places count that are tied to what was written.
        """
        known = self.of(input_id)
        if known is None:
            return False
        watched, one = known
        found = (each for each in self.found(watched, one, reading) if each.keyed or not tied)
        return any(self._name_of(watched, one, each, reading) for each in found)

    def _name_of(self, watched: Watched, one: UserInput, found: Found, reading: Reading) -> str:
        """Give the name of the user that stands in the card of an input, or else with it on the page of its thing."""
        if name := name_in_card(found.spot, one, reading, watched.thing):
            return name
        there = replace(reading, named=self.named(watched, reading)) if found.keyed and reading.named else reading
        return name_on_page(found.spot, one, there, watched.thing) if found.keyed else ""

    def named(self, watched: Watched, reading: Reading) -> tuple[Named, ...]:
        """Give where the page of a thing names the user, but for places that did so before: they show who is logged in.

        On pages of the user's own things such a place may say whose they are.
        """
        if not reading.named or not watched.thing.is_page(reading.url):
            return ()
        mine = {name for other in self.watched for name in other.thing.names}
        before = self.history.before(watched.since, watched.previewed)
        others = [met for met in before if bare(met.url) == bare(reading.url) or not is_of(met.url, mine)]
        known = frozenset[str]().union(*(met.named for met in others))
        return tuple(one for one in reading.named if one.path not in known)

    def _known(self, watched: Watched, one: UserInput, found: Found, reading: Reading) -> KnownThing:
        """Say what was written: by the ids that the site gave it, and its own address where the document has it.

        Of a place that nothing ties to it, a text that stands with it.
        """
        if not found.keyed:
            return KnownThing(called=self.recognise(told_with(found.spot, one, watched.counted, reading)))
        names = watched.thing.names
        at = self._template(reading.url) if is_of(reading.url, names) else ""
        by_card = watched.by_card or not replace(watched.thing, by_links=False).ties(found.spot, reading, one)
        texts = sorted(filter(is_own, watched.thing.others), key=is_telling, reverse=True) if by_card else []
        called = next(iter(texts), "")
        ids = tuple(sorted(self._template(one) for one in names))
        return KnownThing(ids, bool(watched.fresh), at, self.recognise(called))


def _is_known(watched: Watched, one: UserInput, reading: Reading, found: Found) -> bool:
    """Return whether a place proves an input that its page said as often before.

    What changes a thing is put into a field that comes filled, and says no more than before where it stays the same.
    And a card is the thing's own by an id, or a link that is called so, whoever said the same.
    """
    by_card = replace(watched.thing, own=()).ties(found.spot, replace(reading, url=NOWHERE), one)
    return one.kind != "text" or one.replaces or by_card


def _says_more(history: History, watched: Watched, one: UserInput, reading: Reading) -> bool | None:
    """Return whether a page says a text more often than it did before the write; None where that is not known."""
    if not watched.adds or reading.whole is None or len(reading.whole) >= MOST_TEXT:
        return None
    said = history.said(one.spellings, reading.url, watched.since, watched.previewed)
    return most_times(one.spellings, reading.whole) > said if said else None


def repeats(echoes: Echoes, inputs: Iterable[UserInput], url: str) -> bool:
    """Return whether a page at an address said one of some texts before they were sent.

    Args:
        echoes: knows the writes.
        inputs: what is sought.
        url: absolute address.
    """
    known = (found for one in inputs if one.kind == "text" and (found := echoes.of(one.action_id)))
    return any(
        watched.adds and echoes.history.said(one.spellings, url, watched.since, watched.previewed) > 0
        for watched, one in known
    )
