"""What was pressed and sent, until it is seen what it did: a state, a thing that is gone or that has come.

A write without an input is known by its effect alone: a control of the thing stands otherwise, the thing's card is gone
from an address where it stood, a thing that the answer named is there. Only a document that was loaded afterwards
proves it. Not responsible for: asking pages, or inputs (``echoes``).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from itertools import islice
from typing import Any

from simulator.addresses import urlsplit
from simulator.browser.effects.act import Act
from simulator.browser.effects.addresses import is_of, is_slug
from simulator.browser.effects.echoes import Echoes
from simulator.browser.effects.met import History, bare
from simulator.browser.effects.model import By, Effect, Kind, KnownThing, Place, Rules, Strength, Write
from simulator.browser.effects.pressed import Belongs, Pressed, Seen, Standing, Things, generated_parts, tokens_of
from simulator.browser.effects.sent.answers import told_within
from simulator.browser.effects.sent.naming import Tie, leads_away
from simulator.browser.effects.sent.writes import Sent
from simulator.browser.effects.watched import may_remove, without_later

_MOST_DOCUMENTS = 12
"""How many documents an act is watched on."""
_LONG = 8
"""Characters from which on an id stands nowhere by chance."""
_GONE = (404, 410)
Came = tuple[Kind, By, Standing | tuple[str, ...] | None]
"""What a document shows that was otherwise before: of which kind, where, and of a state how the control stands now, or
what the card says since then."""
GONE = "no such control"
"""What a state shows where the control itself is gone."""


class Acts:
    """What one user pressed.

    Args:
        history: what the user has met.
        template: writes an absolute address as a template.
        recognise: writes a text as a template.
        echoes: the inputs of all writes.
    """

    def __init__(
        self,
        history: History,
        template: Callable[[str], str],
        recognise: Callable[[str], str],
        echoes: Echoes,
    ) -> None:
        self._history = history
        self._echoes = echoes
        self._template = template
        self._recognise = recognise
        self.rules = Rules()
        self.watched: list[Act] = []

    def watch(
        self,
        sent: Sent,
        write: Write,
        pressed: Pressed | None,
        *,
        documents: frozenset[str],
        url: str,
        answers: frozenset[str],
        tied: bool,
        several: tuple[Belongs, ...] = (),
        expected: frozenset[Kind] = frozenset(),
        given: frozenset[str] = frozenset(),
        on_answer: bool = False,
        by_itself: bool = False,
    ) -> None:
        """Watch what was sent when something was pressed.

        Args:
            sent: the request.
            write: the same, as it is reported.
            pressed: what was pressed; None where that is not known.
            documents: those that were there when it was sent.
            url: absolute address of the page that followed.
            answers: documents that are its answer.
            tied: whether the request names the thing, or is the form of the control.
            several: the things that were ticked for it, where it names several of them.
            expected: what a recording saw of it.
            given: ids in the request that the site has given to this user, whatever they look like.
            on_answer: whether it was pressed on a page that answered a write.
            by_itself: whether pages send such requests by themselves, or other controls do.
        """
        if expected and "disappearance" not in expected and not self.rules.card_words:
            several = ()  # an older recording saw what became of the control
        named = {text for _, text in sent.parts or ()}
        address = sent.request.url
        called = [one for one in given if is_slug(one)] if self.rules.slugs_apart else []
        thing = several[0] if several else pressed.belongs(address, named, called, self.rules) if pressed else None
        put = {one.part for one in write.carried} if self.rules.choices_apart else set()
        known = generated_parts(tokens_of(address)) | {
            text for part, text in sent.parts or () if text and part not in put
        }
        known |= generated_parts(thing.keys) if thing else set()
        known |= told_within(sent.told) if self.rules.owners_apart else frozenset()
        fresh = frozenset(sent.names - known)
        near = [one for one in (sent.leads_to, url, pressed.url if pressed else "") if one]
        tie = Tie.of(sent, thing, pressed, given, self.rules, fresh=fresh, tied=tied, by_itself=by_itself)
        self.watched.append(
            Act(
                write.action_id,
                pressed,
                thing or Belongs((), "", page=False),
                write,
                tied,
                fresh,
                answers | documents,
                self._history.count,
                tuple(dict.fromkeys(near)),
                tied and sent.initiator != "beacon" and leads_away(pressed, thing, url, tie.slugs),
                bool(write.carried),
                expected,
                bool(several) or tie.asks,
                bool(several) or tie.names_it,
                tie.slugs,
                several,
                on_answer,
                of_page=sent.sort if tie.of_page and not several else None,
            )
        )
        for one in self.watched[:-1] if self.rules.later_apart else ():
            one.over = one.over or one.is_followed_by(self.watched[-1])

    def counts(self, sort: tuple[str, str]) -> None:
        """Know a kind of request as one that several controls send: it asks for nothing of the page's thing."""
        for one in self.watched:
            one.asks = one.asks and one.of_page != sort

    def sought(self, *, everywhere: bool = False) -> list[Act]:
        """Give the acts that are still looked for.

        Args:
            everywhere: also those that have been looked for on as many documents as they are.
        """
        return [one for one in self.watched if (everywhere or one.documents < _MOST_DOCUMENTS) and not _is_over(one)]

    def likely(self) -> list[str]:
        """Give where things stood of which nothing is proven yet, absolute addresses: there it is seen."""
        pressed = ((one, one.pressed) for one in self.watched if one.is_open and self.is_looked_for(one))
        return [at.url for one, at in pressed if at and at.url not in one.read]

    def is_looked_for(self, act: Act) -> bool:
        """Return whether a press is looked for by itself: one that carries inputs is by these, unless it may remove."""
        return bool(act.several) or not act.bears or self._removes(act)

    def _removes(self, act: Act) -> bool:
        """Return whether a press that carries inputs may have taken its thing away."""
        known = self.rules.removed_with_words and act.names_it and may_remove(self._echoes.watched, act.write)
        return known or "disappearance" in act.expected

    def of(self, action_id: str) -> Act | None:
        """Give what came of an action; None where nothing of it is watched."""
        return next((one for one in self.watched if one.action_id == action_id), None)

    def asked_of(self, acts: Sequence[Act]) -> list[dict[str, Any]]:
        """Give what a page is asked for, act by act: of each its thing, or its things."""
        return [one for act in acts for one in act.asked_for(self.rules)]

    def take_in(self, things: Things, acts: Sequence[Act], document: str) -> list[Effect]:
        """Take in what a document shows of some acts.

        Args:
            things: what it shows, in the order of the acts.
            acts: the acts.
            document: names it.

        Returns:
            What was not seen as well before.
        """
        effects: list[Effect] = []
        told = iter(things.seen)
        for act in acts:
            seen = tuple(islice(told, len(act.several) or 1))
            kept = document not in act.asked
            if kept:
                act.read.add(things.url)
            came = self._came_to_all if act.several else self._came
            for kind, by, shows in came(act, seen, things, kept=kept):
                known = act.effects.get(kind)
                strength: Strength = "kept" if kept else "shown"
                if known is not None and (known.strength == "kept" or strength == "shown"):
                    continue
                effect = self._effect(act, kind, by, shows, strength, things.url)
                act.effects[kind] = effect
                effects.append(effect)
        return [one for one in effects if self._is_told(one)]

    def _is_told(self, effect: Effect) -> bool:
        act = self.of(effect.write_action)
        return act is not None and (effect.strength == "kept" or act.tied)

    def _came_to_all(self, act: Act, seen: Sequence[Seen], things: Things, *, kept: bool) -> list[Came]:
        """Return whether a document shows none of the things any more, or what all of their cards say since then.

        Which of them it still shows is remembered, and whether one of them says something else.
        """
        stood = all(self._stood_at(act, one, things.url, first=kept) for one in act.several)
        there = [one for one, each in zip(act.several, seen, strict=True) if each.is_there]
        missing = things.tells(kept=kept) and not there and not any(each.traces for each in seen)
        if stood and not act.over and missing:
            act.against = ""
            return [("disappearance", "card", None)]
        if there and kept and (stood or bare(things.url) in act.gone_from) and "disappearance" in act.expected:
            act.against = there[0].still_listed
        elif len(there) == len(act.several):
            if words := self._words_that_came(act, tuple(zip(act.several, seen, strict=True)), things.url, kept=kept):
                act.against = ""
                return [("state", "card", words)]
            if kept and "state" in act.expected and "state" not in act.effects:
                act.against = "it does not"
        return []

    def _came(self, act: Act, told: Sequence[Seen], things: Things, *, kept: bool) -> list[Came]:
        """Return what a document shows that was otherwise before; and remember what it says against the act."""
        (seen,) = told
        came: list[Came] = []
        if act.fresh and things.status < 400:
            if is_of(things.url, act.fresh):
                # Who deletes one thing is often led to the next one.
                met = self.rules.known_apart and self._history.knows(urlsplit(things.url).path, act.since)
                if not met and self._is_its_own(act, seen, things):
                    came.append(("appearance", "address", None))
            elif kept and self._has_come(act, things):
                came.append(("appearance", "card", None))
        if act.pressed is None or act.is_by_query(things.url, self.rules) or (act.bears and not self._removes(act)):
            return came
        at_address = self._stood_at(act, act.thing, things.url, first=kept)
        own = act.is_at(things.url)
        # Who is logged out does not see everything: that takes nothing away.
        may_be_gone = (act.names_it or not act.thing.page) and not act.over
        led = not self.rules.gone_where_known or self._history.knows(urlsplit(things.url).path, act.since)
        if led and own and may_be_gone and things.status in _GONE:
            return [*came, ("disappearance", "address", None)]
        # Its own page that is there says nothing of its absence, such as one that asks back, and names nobody.
        is_its_page = own and (self.rules.known_apart or (act.thing.page and "disappearance" not in act.expected))
        missing = things.tells(kept=kept) and not (seen.is_there or seen.traces or is_its_page)
        if at_address and may_be_gone and missing:
            act.against = ""
            return [*came, ("disappearance", "card", None)]
        stands = (at_address or bare(things.url) in act.gone_from) and seen.is_there
        still = kept and stands and "disappearance" in act.expected
        if still:
            act.against = act.thing.still_listed
        if act.bears or not (seen.scopes and things.status < 400):
            return came
        elsewhere = act.thing.ticked and self.rules.ticked_apart
        same_page = self._is_where_pressed(act, things.url, "state")
        if act.thing.page and not (same_page or own):
            return came
        unseen = elsewhere or act.pressed.is_asked_anew(seen.stands)
        now, was = None if unseen else seen.stands, act.pressed.standing
        if kept and seen.stored and self.rules.brought:
            return came
        if "state" not in act.expected:  # else an older recording saw more of it
            # The page that asks back is not the thing's: what stands there, or does not, is no other control by that.
            asks = act.thing.page and not same_page and (now is None or now.name != was.name)
            if asks or seen.strange or (now is not None and act.pressed.is_at_rest(now)):
                return came
        # An item of a menu is out of sight again, and a button beside a list is in no card: it stands nowhere there.
        outside = now is None and (elsewhere or (act.pressed.opened and self.rules.known_apart))
        as_before = now == was or outside
        comparable = as_before and (not act.thing.page or self._is_that_page(act, seen, things.url))
        if comparable and (words := self._words_that_came(act, ((act.thing, seen),), things.url, kept=kept)):
            act.against = ""
            return [*came, ("state", "card", words)]
        # What one page says of the thing another one may leave out: that takes nothing away.
        wanted = kept and "state" in act.expected and "state" not in act.effects
        if elsewhere:
            act.against = "it does not" if wanted else act.against
            return came
        if now is not None and now == was and now.drawn != was.drawn:
            # Pages draw a control otherwise for many a reason: what was pressed is drawn so at once, and ever since.
            act.drawn = act.drawn if kept else now.drawn
            if not kept or now.drawn != act.drawn:
                return came
            now = now.otherwise()
        if now is not None and now != was:
            came.append(("state", "control", now))
            # A button that asked back is called as before when the page is reloaded: that takes nothing away.
            act.against = act.against if still else ""
        elif now is None and act.tied and (seen.held or same_page) and "state" not in act.effects:
            # A button that asked back is gone when the page is reloaded; what was to be deleted is there.
            if act.write.method != "DELETE" and not (outside or act.over):
                came.append(("state", "control", None))
        elif (now == was and kept and "state" in act.expected) or (outside and wanted):
            act.against = f"it still shows {was}"
        return came

    @staticmethod
    def _is_that_page(act: Act, seen: Seen, url: str) -> bool:
        """Return whether a document is the page on which something was pressed, by address and most words of both."""
        before, now = {*(act.thing.words or ())}, {*(seen.says or ())}
        same = act.pressed is not None and bare(url) == bare(act.pressed.url)
        return same and 2 * len(before & now) > max(len(before), len(now))

    def _words_that_came(
        self, act: Act, cards: Sequence[tuple[Belongs, Seen]], url: str, *, kept: bool
    ) -> tuple[str, ...]:
        """Give what each of some cards says since something was pressed for it, and still says on another document.

        Words that only come later may come by what others do, and some are other ones each time. A recording knows.
        """
        if any(seen.says is None or thing.words is None for thing, seen in cards):
            return ()
        new = [[text for text in seen.says or () if text not in (thing.words or ())] for thing, seen in cards]
        came = tuple(text for text in new[0] if all(text in each for each in new))
        if "state" in act.expected:
            return came if kept and act.wants(came) else ()
        came = without_later(self._echoes.watched, came, act.action_id) if self.rules.later_apart else came
        if act.says is None:
            act.says = frozenset() if act.over else frozenset(came)
            if act.says:
                act.read.discard(url)  # only another look shows that it lasts
            return ()
        act.says &= {*came}
        return tuple(text for text in came if text in act.says) if kept else ()

    def _is_its_own(self, act: Act, seen: Seen, things: Things) -> bool:
        """Return whether the page at the address of a new thing is about it: many a site answers any address with 200.

        It shows an input of the write or what the card showed, or something on it leads to the thing.
        """
        # A link to log in, and to come back here then, stands on a page that knows nothing of the thing, too.
        leads = (token for token in things.tokens if not (token.startswith("?") and "/" in token))
        return bool(self._echoes.shows(act.write, things.url) or seen.titled or generated_parts(leads) & act.fresh)

    def _has_come(self, act: Act, things: Things) -> bool:
        """Return whether what the answer named is shown where it was not: a small number is the id of anything."""
        named = {token for token in things.tokens if generated_parts((token,)) & act.fresh}
        before = [met for met in self._history.before(act.since) if bare(met.url) == bare(things.url)]
        if before:
            return bool(named - before[-1].tokens)
        return any(len(part) >= _LONG for part in generated_parts(named) & act.fresh)

    @staticmethod
    def _is_where_pressed(act: Act, url: str, kind: Kind) -> bool:
        """Return whether an address is that of the page on which something was pressed.

        What answers a write, such as a preview, is another page than a visit to the same address shows. An older
        recording saw something there all the same.
        """
        assert act.pressed is not None
        return bare(url) == bare(act.pressed.url) and (not act.on_answer or kind in act.expected)

    def _stood_at(self, act: Act, thing: Belongs, url: str, *, first: bool) -> bool:
        """Return whether a thing stood at an address before it was pressed away; ``first``: as one comes to that."""
        assert act.pressed is not None
        if thing.page and not (thing.values() or act.slugs):
            return False
        met_at = [met for met in self._history.before(act.since) if bare(met.url) == bare(url)]
        first = first and self.rules.stood_first
        if first:
            # More of a list, which an act has opened, is not there when somebody comes to it again.
            met_at = [met for met in met_at if not met.opened]
        if self._is_where_pressed(act, url, "disappearance") and not thing.page:
            here = [met for met in met_at if act.pressed.document in (met.document, met.shown_by)]
            return not (first and here) or any(met.has(thing.keys, thing.called) for met in met_at)
        if not thing.keys:
            return False
        keys = set(thing.keys)
        return any(keys & met.tokens for met in met_at if not met.answers or "disappearance" in act.expected)

    def _effect(
        self, act: Act, kind: Kind, by: By, shows: Standing | tuple[str, ...] | None, strength: Strength, url: str
    ) -> Effect:
        was = act.pressed.standing if act.pressed and kind == "state" else None
        gone = kind == "state" and shows is None
        said = "\n".join(shows) if isinstance(shows, tuple) else str(shows)
        words = "" if kind != "state" else GONE if gone else said
        values = sorted(act.fresh if kind == "appearance" else act.values())
        met = (url, *act.near, *self._history.visited())
        own = next((one for one in met if urlsplit(one).path.rstrip("/").rpartition("/")[2] in values), "")
        thing = KnownThing(
            tuple(self._template(one) for one in values),
            kind == "appearance",
            self._template(own) if own else "",
            self._recognise(act.thing.called) if kind != "appearance" else "",
        )
        label = self._recognise(was.name if was else act.thing.called if kind == "disappearance" else "")
        # A state is looked for where its control was pressed, or on the page of the thing: it is that control's.
        tied = bool(act.thing.keys or act.thing.called or act.fresh) or kind == "state"
        place = Place(self._template(url), by, label, keyed=tied)
        return Effect(
            act.action_id, act.write.action_id, act.write.number, strength, "same", place, False, kind, thing,
            self._recognise(str(was)) if was else "", self._recognise(words),
        )  # fmt: skip


def _is_over(act: Act) -> bool:
    return act.is_kept and not act.expected - set(act.effects)
