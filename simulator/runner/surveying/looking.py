"""Goes through a site and reads its pages, within bounds, without writing. Not responsible for: what they mean."""

from __future__ import annotations

import re
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

from simulator.browser.actor import Actor
from simulator.browser.find import Find
from simulator.browser.views.survey import Survey, SurveyedButton, SurveyedForm, SurveyedLink
from simulator.browser.wire.held_writes import HeldWrites
from simulator.errors import ToolError
from simulator.runner.stop import Stop
from simulator.runner.surveying.addresses import (
    is_minted,
    parent_of,
    plain,
    says_new,
    shape_of,
    step_says_new,
    steps_of,
    why_not,
)
from simulator.runner.surveying.drawing import FEW_LINKS, drawn
from simulator.runner.surveying.items import led_to
from simulator.runner.surveying.menus import with_menus
from simulator.runner.surveying.pages import PageSeen, Seen, forms_of
from simulator.tools.pages.vocabulary import says_purpose

_LANGUAGE = re.compile(r"[a-z]{2}(?:[-_][a-z]{2,4})?")
_OF_A_SHAPE = 2
"""Pages of one kind that are looked at: a second one shows what the first has of its own."""
_OF_A_PATH = 4
"""Pages that differ in their query alone."""
_IN_CARDS = 3
"""Things of one list that are looked at."""
_BELOW_ONE = 15
"""Pages below one address."""
_PRESSED = 3
"""Buttons of a page that are pressed to see what they open."""
_LONGEST_BUTTON = 40
_REFUSED = 400
_HTML = ("text/html", "application/xhtml+xml")


@dataclass(frozen=True, slots=True)
class Bounds:
    """How long it is looked."""

    pages: int
    seconds: float


@dataclass(frozen=True, slots=True)
class _Way:
    """A link that may be followed."""

    address: str
    words: str
    source: str
    depth: int
    in_card: bool
    place: str
    number: int
    """In which order it was met."""
    is_above: bool = False
    """Whether no link leads there: it is the address above that of a form."""


class Look:
    """One look at a site by one user.

    Args:
        actor: the user's browser.
        held: what holds back what would write.
        seen: takes what is seen.
        bounds: how long it may take.
        logged_in: whether somebody is logged in.
        tell: gets the address of each page that is looked at.
        stop: asks for an end.
    """

    def __init__(
        self,
        actor: Actor,
        held: HeldWrites,
        seen: Seen,
        bounds: Bounds,
        *,
        logged_in: bool,
        tell: Callable[[str], None],
        stop: Stop,
    ) -> None:
        self._actor = actor
        self._held = held
        self._seen = seen
        self._bounds = bounds
        self._logged_in = logged_in
        self._tell = tell
        self._stop = stop
        self._ways: list[_Way] = []
        self._known: set[str] = set()
        self._shapes: Counter[str] = Counter()
        self._paths: Counter[str] = Counter()
        self._cards: Counter[str] = Counter()
        self._below: Counter[tuple[str, bool]] = Counter()
        """Pages by the address above them, those that make something apart: there may be many kinds of things."""
        self._pressed: set[str] = set()
        self._looked = 0
        self._until = 0.0

    async def through(self, start: str, pages: int | None = None, more: Sequence[str] = ()) -> None:
        """Look at a page, and at what it leads to.

        Args:
            start: its address, relative to the site.
            more: addresses that are looked at after it, whether it leads there or not.
            pages: at most this many; None: as the bounds say.

        Raises:
            ToolError: the first page cannot be visited.
        """
        self._until = time.monotonic() + self._bounds.seconds
        most = pages or self._bounds.pages
        await self._visit(_Way(start, "", "", 0, False, "", 0))
        for address in more:
            if plain(address) not in self._known:
                self._known.add(plain(address))
                self._ways.append(_Way(address, "", "", 0, False, "", 0, is_above=True))
        while self._ways and self._looked < most and not self._stop.requested and time.monotonic() < self._until:
            way = min(self._ways, key=self._cost)
            self._ways.remove(way)
            if not self._has_room(way):
                continue
            try:
                await self._visit(way)
            except ToolError as error:
                self._seen.left[f"it could not be visited ({error.type})"] += 1
        if self._stop.requested:
            self._seen.ended = "it was stopped before all was looked at"
        elif pages is None and (left := sum(map(self._has_room, self._ways))):
            self._seen.ended = f"{left} more addresses were not looked at, after {self._looked} pages"
        self._seen.held = self._held.told

    def _cost(self, way: _Way) -> tuple[int, int]:
        """Give how late a link is followed: what makes something first, then what is new of its kind."""
        new = _makes_something(way)
        enters = any(says_purpose(way.words, purpose) for purpose in ("login", "register"))
        cost = 3 * way.depth + 6 * self._paths[shape_of(plain(way.address)).partition("?")[0]]
        cost += 2 * self._below[parent_of(way.address), new] + 12 * self._shapes[shape_of(plain(way.address))]
        cost += 4 * way.in_card + 3 * ("?" in way.address) + 5 * (way.place == "contentinfo")
        return cost - 15 * new - 12 * enters, way.number

    def _has_room(self, way: _Way) -> bool:
        shape = shape_of(plain(way.address))
        if way.is_above:
            return True
        if self._shapes[shape] >= _OF_A_SHAPE or self._paths[shape.partition("?")[0]] >= _OF_A_PATH:
            return False
        if way.in_card and self._cards[parent_of(way.address)] >= _IN_CARDS and not _makes_something(way):
            return False
        return self._below[parent_of(shape), _makes_something(way)] < _BELOW_ONE

    async def _visit(self, way: _Way) -> None:
        self._tell(way.address)
        self._count(way)
        self._looked += 1
        await self._actor.navigation.goto(way.address)
        survey = await drawn(self._actor)
        page = self._keep(survey, way)
        if page is not None:
            if page.status < _REFUSED:
                others = [one.survey for one in self._seen.pages if one.shape != page.shape]
                elsewhere = {button.words for one in others for button in one.buttons}
                survey = await with_menus(self._actor, survey, elsewhere, lambda: self._back_to(way))
                page = self._seen.pages[-1] = replace(page, survey=survey)
            self._take_ways(page.survey, way.depth + 1)
            if page.status < _REFUSED:
                await self._press_items(page, way)
            self._look_above(page, way)
            await self._press_openers(page, way)

    def _keep(self, survey: Survey, way: _Way, opened_by: str = "") -> PageSeen | None:
        """Keep a page; None where it is none of the site, or the same as one before."""
        if not survey.address.startswith("/") or survey.kind not in _HTML:
            self._seen.left["it leads elsewhere" if survey.kind in _HTML else "it is no page"] += 1
            return None
        status = self._actor.here.status
        page = PageSeen(survey, status, way.address, way.source, way.words, self._logged_in, opened_by)
        asked, there = plain(way.address).partition("?")[0], page.address.partition("?")[0]
        if asked != there and not opened_by:
            if any(one.address == page.address and one.logged_in == self._logged_in for one in self._seen.pages):
                if _asks_to_log_in(survey):
                    self._seen.login_needed.add(plain(way.address))
                return None
            if _asks_to_log_in(survey) and not says_purpose(way.words, "login"):
                self._seen.login_needed.add(plain(way.address))
            self._known.add(survey.address)
            self._count(_Way(page.address, "", "", 0, False, "", 0))
        self._seen.pages.append(page)
        return page

    def _count(self, way: _Way) -> None:
        shape = shape_of(plain(way.address))
        self._known |= {way.address, plain(way.address)}
        self._shapes[shape] += 1
        self._paths[shape.partition("?")[0]] += 1
        self._below[parent_of(shape), _makes_something(way)] += 1
        if way.in_card and not _makes_something(way):
            self._cards[parent_of(way.address)] += 1

    def _take_ways(self, survey: Survey, depth: int) -> None:
        for link in survey.links:
            address = _without_place(link.href)
            if address in self._known or plain(address) in self._known:
                continue
            self._known.add(address)
            if reason := _reason(link, address) or _in_another_language(survey, address):
                self._seen.left[reason] += 1
                continue
            in_card = bool(link.card) and link.place not in ("navigation", "banner", "contentinfo")
            in_card = in_card or any(map(is_minted, steps_of(address)[-1:]))
            self._ways.append(_Way(address, link.words, survey.address, depth, in_card, link.place, len(self._known)))

    async def _press_items(self, page: PageSeen, way: _Way) -> None:
        """Press what leads on and is no link, to see where that is. Nothing that this sends is let through."""

        def may(words: str) -> bool:
            return not (says_new(words) or why_not(words, "/"))

        for words, opened in await led_to(self._actor, page.survey, may, self._pressed, lambda: self._back_to(way)):
            there = _without_place(opened.address)
            if there == page.survey.address:
                self._take_ways(opened, way.depth + 1)
            elif not {there, plain(there)} & self._known:
                self._known.add(there)
                if reason := why_not(words, there):
                    self._seen.left[reason] += 1
                    continue
                in_card = any(map(is_minted, steps_of(there)[-1:]))
                self._ways.append(_Way(there, words, page.survey.address, way.depth + 1, in_card, "", len(self._known)))

    async def _press_openers(self, page: PageSeen, way: _Way) -> None:
        """Press the buttons of a page that say that something is made, to see which form they open.

        Nothing that this sends is let through. Only buttons are pressed that send no form.
        """
        openers = [
            one.words
            for one in (*page.survey.buttons, *page.survey.items)
            if not one.sends and one.shown and _opens(one, few_links=len(page.survey.links) < FEW_LINKS)
        ]
        known = {_alike(form) for one in self._seen.pages for form in one.survey.forms}
        fresh = [words for words in dict.fromkeys(openers) if words not in self._pressed]
        fresh.sort(key=lambda words: not says_new(words))
        for number, words in enumerate(fresh[:_PRESSED] if page.status < _REFUSED else ()):
            self._pressed.add(words)
            if number and not await self._back_to(way):
                return
            try:
                await self._open(page, words, way, known)
            except ToolError as error:
                self._seen.left[f"a button could not be pressed ({error.type})"] += 1

    async def _back_to(self, way: _Way) -> bool:
        try:
            await self._actor.navigation.goto(way.address)
        except ToolError:
            return False
        return True

    async def _open(self, page: PageSeen, words: str, way: _Way, known: set[tuple[str, ...]]) -> None:
        """Press a button, and keep the form that comes."""
        now = await drawn(self._actor)
        ref = next(
            (one.ref for one in (*now.buttons, *now.items) if one.words == words and not one.sends and one.shown),
            None,
        )
        if ref is None:
            return
        await self._actor.click(Find("ref", ref))
        opened = await drawn(self._actor)
        if opened.address != page.survey.address:
            self._known.add(opened.address)
            there = _Way(opened.address, words, page.survey.address, way.depth + 1, False, "", way.number)
            if (kept := self._keep(opened, there)) is not None:
                self._take_ways(opened, way.depth + 2)
                known |= {_alike(form) for form in kept.survey.forms}
            return
        before = {field.ref for form in now.forms for field in form.fields if not field.hidden}
        new = tuple(_only_new(form, before) for form in opened.forms if _alike(form) not in known)
        new = tuple(form for form in new if form.fields)
        if new:
            known |= {_alike(form) for form in new}
            self._keep(opened.model_copy(update={"forms": new, "links": (), "buttons": ()}), way, words)

    def _look_above(self, page: PageSeen, way: _Way) -> None:
        """Look at the address above a form that is sent, too: things are often listed there."""
        above = parent_of(page.address)
        if above in self._known or not any(form.kind == "writes" for form in forms_of(page)):
            return
        self._known.add(above)
        if not why_not("", above):
            self._ways.append(_Way(above, "", "", 0, False, "", len(self._known), is_above=True))


def _makes_something(way: _Way) -> bool:
    """Return whether a link says, or the end of its address, that something is made there."""
    return says_new(way.words) or any(map(step_says_new, steps_of(way.address)[-1:]))


def _opens(button: SurveyedButton, *, few_links: bool) -> bool:
    """Return whether a button may show more of the site: it says that something is made, or stands where links do."""
    if not button.words or len(button.words) > _LONGEST_BUTTON or why_not(button.words, "/"):
        return False
    return says_new(button.words) or (few_links and button.place in ("navigation", "banner"))


def _reason(link: SurveyedLink, address: str) -> str:
    return "it says that it does something" if link.does else why_not(link.words, address)


def _in_another_language(survey: Survey, address: str) -> str:
    """Say that a link leads to a page in another language, where addresses begin with the language of their page."""
    own, there = (next(iter(steps_of(one)), "").lower() for one in (survey.address, address))
    says_it = own and own.partition("-")[0] == survey.language.lower().partition("-")[0]
    return "its address is of another language" if says_it and there != own and _LANGUAGE.fullmatch(there) else ""


def _without_place(address: str) -> str:
    """Give an address without the place in its page that it names; a route of an application is not one."""
    head, mark, place = address.partition("#")
    return address if place.startswith(("/", "!/")) else head if mark else address


def _alike(form: SurveyedForm) -> tuple[str, ...]:
    return tuple(sorted(one.name_attr or one.label or one.caption for one in form.fields if not one.hidden))


def _only_new(form: SurveyedForm, before: set[str]) -> SurveyedForm:
    """Give a form without the fields that were there before a part of it opened: one form may be around the page."""
    new = tuple(one for one in form.fields if one.ref not in before)
    return form.model_copy(update={"fields": new}) if new else form


def _asks_to_log_in(survey: Survey) -> bool:
    return any(sum(one.type == "password" for one in form.fields) == 1 for form in survey.forms)
