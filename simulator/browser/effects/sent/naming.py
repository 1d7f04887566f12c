"""How a request is tied to what was pressed: what it names, and by which words.

Pure functions. Not responsible for: what came of it (``acts``).
"""

from __future__ import annotations

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, unquote, unquote_plus

from simulator.addresses import urlsplit
from simulator.browser.effects.addresses import generated_in, is_of, words_in
from simulator.browser.effects.met import bare, leads_back
from simulator.browser.effects.model import Rules
from simulator.browser.effects.pressed import Belongs, Pressed, generated_parts, tokens_of
from simulator.browser.effects.sent.things import texts_of
from simulator.browser.effects.sent.writes import GUARDS, Sent
from simulator.canonical import is_generated

_GUARD = re.compile(r"csrf|token|nonce|authenticity", re.IGNORECASE)
_WORDS = re.compile(r"[\w-]+")


def related(sent: Sent, pressed: Pressed) -> Literal["", "names", "form"]:
    """Return how a request is tied to what was pressed: it is the document's own, or names the thing."""
    if sent.initiator == "document":
        return "form"
    unique = [token for level in pressed.levels for token in level.tokens]
    carried = generated_parts(tokens_of(sent.request.url)) | {text for _, text in sent.parts or ()}
    if generated_parts((*pressed.own, *unique, *pressed.here)) & carried:
        return "names"
    steps = {step for step in urlsplit(sent.request.url).path.split("/") if step}
    if generated_in(urlsplit(sent.request.url).path):
        return "names"  # what the page does not show: a script knows what it drew
    slugs = {token.rpartition("/")[2] for token in (*unique, *pressed.here[-1:]) if "/" in token}
    return "names" if steps & slugs - {""} or slugs_in(sent, pressed) else ""


def does_by_visit(sent: Sent, pressed: Pressed, rules: Rules) -> bool:
    """Return whether a link may have done something to the thing beside it: it names that, and led away from it.

    What only shows the thing leads to an address that names it, and so does what asks who one is first. But a site that
    leads back to where the link stood may say there what it has done: ``/offers?deleted=1&ids=4811``.
    """
    known = generated_parts((*(token for level in pressed.levels for token in level.tokens), *pressed.here))
    named = generated_parts(tokens_of(sent.request.url)) & known
    back = bare(sent.leads_to) == bare(pressed.url) or (rules.says_done and leads_back(sent.leads_to, pressed.url))
    return bool(named) and (back or named.isdisjoint(_WORDS.findall(unquote_plus(sent.leads_to))))


def slugs_in(sent: Sent, pressed: Pressed, *, escaped: bool = False) -> frozenset[str]:
    """Give the words by which a request names the thing of a control, where that has no id.

    Such as `/notes/low-tide/remove`, or a part `low-tide`: the card around the control, or its page, alone is at
    `notes/low-tide`, or at `?note=low-tide`. What stands at the first step of an address is a part of the site.

    Args:
        sent: the request.
        pressed: the control.
        escaped: whether a step counts as it is written as well: `/notes/low%20tide/remove`.
    """
    tokens = (*(token for level in pressed.levels for token in level.tokens), *pressed.here[-1:])
    asked = {token.partition("=")[2] for token in tokens if token.startswith("?")}
    ends = {token.rpartition("/")[2] for token in tokens if token[:1] not in ("?", "/") and "/" in token}
    address = urlsplit(sent.request.url)
    said = {value for _, value in (*parse_qsl(address.query), *(sent.parts or ()))}
    steps = address.path.split("/")
    said |= {unquote(step) for step in steps} | {*(steps if escaped else ())}
    return frozenset((asked | ends) & said - {""})


@dataclass(frozen=True, slots=True)
class Tie:
    """How a request is tied to the thing that something was pressed for."""

    asks: bool
    """Whether it says what it is for, whatever comes of it; not so what counts presses or logs out."""
    names_it: bool
    """Whether it names the thing."""
    slugs: frozenset[str]
    """Words by which it does, where the site has generated no id."""
    of_page: bool = False
    """Whether it asks only as its address goes on from the thing of the page, as ``/recipes/41/copy`` does, and without
    a text, or has an id that the card of the control does not show: so does what counts presses of every control."""

    @classmethod
    def of(
        cls, sent: Sent, thing: Belongs | None, pressed: Pressed | None, given: Collection[str], rules: Rules,
        *, fresh: frozenset[str], tied: bool, by_itself: bool,
    ) -> Tie:  # fmt: skip
        """Tie a request to a thing.

        Args:
            sent: the request.
            thing: what was pressed stands at.
            pressed: what was pressed; None where that is not known.
            given: ids in the request that the site has given to this user, and words.
            rules: by which that is judged.
            fresh: ids that the answer named first.
            tied: whether the request names the thing, or is the form of the control.
            by_itself: whether pages send such requests by themselves, or other controls do.
        """
        address, named = sent.request.url, {text for _, text in sent.parts or ()}
        slugs = frozenset[str]()
        if pressed and rules.known_apart:
            slugs = slugs_in(sent, pressed, escaped=rules.slugs_apart)
        own = bool(rules.by_control and pressed and thing and pressed.names(thing, address))
        by_id = bool(thing and thing.values() & (generated_parts(tokens_of(address)) | named))
        for_it = bool(sent.of_data) or (own and sent.initiator == "fetch")
        if rules.visits_ask and sent.is_visit and thing and by_id:
            for_it = for_it or thing.ticked or _is_guarded(address)
        words = slugs | frozenset(given if rules.by_given else ())
        for_it = for_it or _asks(sent, thing, fresh | frozenset(given), words, pressed)
        if rules.slugs_apart and thing and not thing.page:
            # A list and what is sent to it may end alike: that calls nothing which the list shows in cards.
            ends = {re.split("[/=]", key)[-1] for key in thing.keys}
            slugs = slugs & ends if by_id or slugs & ends else slugs
        loose = _goes_on_from(sent, thing, pressed) or _names_one(sent, pressed)
        of_page = rules.slugs_apart and not for_it and not by_itself and loose
        return cls(tied and (for_it or of_page), by_id or bool(slugs), slugs, tied and of_page)


def _is_guarded(address: str) -> bool:
    """Return whether an address holds what guards a site from being asked by others: what only shows needs none."""
    return any(_GUARD.search(name) for name, _ in parse_qsl(urlsplit(address).query))


def _names_one(sent: Sent, pressed: Pressed | None) -> bool:
    """Return whether a script has sent something for a card, to an address with an id that the page shows nowhere."""
    in_card = pressed is not None and any(one.called or one.numbered for one in pressed.levels)
    return in_card and sent.initiator == "fetch" and bool(generated_in(urlsplit(sent.request.url).path))


def _goes_on_from(sent: Sent, thing: Belongs | None, pressed: Pressed | None) -> bool:
    """Return whether a script has sent something to an address that goes on from the thing whose page was pressed."""
    if sent.initiator != "fetch" or thing is None or not thing.page or pressed is None:
        return False
    steps = [step for step in urlsplit(sent.request.url).path.split("/") if step]
    named = [at for at, step in enumerate(steps) if step in thing.values() and is_of(pressed.url, (step,))]
    return bool(named) and named[-1] < len(steps) - 1


def _asks(
    sent: Sent, thing: Belongs | None, fresh: frozenset[str], named: frozenset[str], pressed: Pressed | None
) -> bool:
    """Return whether a request says what it is for; ``named``: ids and words by which it may name something."""
    if sent.initiator == "beacon" or sent.is_visit:
        return False
    address = generated_in(urlsplit(sent.request.url).path)
    if sent.initiator == "fetch" and sent.request.method == "POST":
        if thing and thing.page:
            # What counts presses says nothing of the page; but a list that shows one thing alone has no card.
            own = thing.values() if pressed is None or is_of(pressed.url, thing.values()) else frozenset()
            words = {*words_in(sent.request.url).values()} - {*(words_in(pressed.url).values() if pressed else ())}
            words |= {text for _, text in sent.parts or ()} if sent.operation else frozenset()
            return bool((address & thing.values() and texts_of(sent)) or (address | words) & named - own)
        said = {text for _, text in sent.parts or ()}
        return bool(thing and ((address | said) & thing.values() or named))
    held = {text for name, text in sent.parts or () if is_generated(text) and not GUARDS.search(name)}
    return bool(fresh or address or held or named)


def leads_away(pressed: Pressed | None, thing: Belongs | None, url: str, slugs: frozenset[str]) -> bool:
    """Return whether a press led away from the page of the thing itself, or from a list that has it.

    A list that says in its address what was done is another one: the thing is not missing there if it had never stood
    there, as on another page of the list.
    """
    if pressed is None or thing is None or bare(pressed.url) == bare(url):
        return False
    return is_of(pressed.url, thing.values() | slugs) if thing.page else bool(thing.keys or thing.called)
