"""Finds the things of a site: which forms make them, where they are listed, changed, deleted and talked about.

Not responsible for: the fields of a form, or writing it down.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection
from itertools import pairwise

from simulator.agent.words import says_word
from simulator.browser.views.survey import SurveyedLink
from simulator.runner.surveying.addresses import (
    is_minted,
    parent_of,
    says_new,
    step_says_new,
    steps_of,
    why_not,
    without_new,
)
from simulator.runner.surveying.edits import add_edit, are_alike, is_of_one
from simulator.runner.surveying.fields import found_fields
from simulator.runner.surveying.findings import FoundThing
from simulator.runner.surveying.naming import free, thing_name
from simulator.runner.surveying.pages import FormSeen, PageSeen, Seen, forms_of
from simulator.runner.surveying.passed_over import adds_to_a_thing, called, firsts, secretive, setting, spread
from simulator.runner.surveying.toml_text import names_somebody
from simulator.tools.pages.submitting import meant_to_save, words_on
from simulator.tools.pages.vocabulary import says_one, says_purpose

_REFUSED = 400
"""Status from which on an answer is no page."""
_EVERYWHERE = 4
"""Kinds of pages on which a form stands that belongs to none of them, such as one to write to the site's owners."""
_EDGES = ("banner", "contentinfo")
_IN_PAGE = ("navigation", *_EDGES)
_LONGEST_BUTTON = 40
_MESSAGE = "message"
"""What a field means that a message goes into."""
_MANY = 3
"""Words that follow a step of addresses where it names a part of the site."""
_ON_THINGS = ("edit", "delete")
"""What is done with one thing, and so follows what it is called in an address."""


def find_things(seen: Seen) -> tuple[list[FoundThing], list[str]]:
    """Give the things of a site, and what was passed over, with why.

    Args:
        seen: what was seen.
    """
    writing = [form for form in seen.forms() if form.kind == "writes"]
    everywhere = {signature for signature, count in spread(writing).items() if count >= _EVERYWHERE}
    told = [f"{called(one)} on {one.page.address}: it stands on most pages" for one in firsts(writing, everywhere)]
    left = [form for form in writing if form.signature not in everywhere]
    comments = [form for form in left if _is_comment(form, seen)]
    nameless = [form for form in left if not any(one.rule for one in found_fields(form))]
    told += [f"{called(one)} on {one.page.address}: no field that takes a text has a name" for one in nameless]
    told += [f"{called(one)} on {one.page.address}: it asks for a password" for one in secretive(seen)]
    adding = [one for one in left if adds_to_a_thing(one, left)]
    told += [f"{called(one)} on {one.page.address}: it adds to what is changed there" for one in adding]
    own = [one for one in left if one not in comments and one not in nameless and not one.prefilled]
    own = [one for one in own if one not in adding]
    changing_settings = setting(own)
    told += [f"{called(one)} on {one.page.address}: it changes settings" for one in changing_settings]
    makers = _makers([one for one in own if one not in changing_settings])
    taken: set[str] = set()
    things: list[tuple[FoundThing, FormSeen]] = []
    for form in makers:
        if any(form is not other and _changes(form, other) for other in makers):
            continue
        things.append((_thing(form, seen, taken), form))
    lists = Counter(thing.listed_at for thing, _ in things)
    shared = {address for address, count in lists.items() if count > 1}
    for thing, form in things:
        changing = add_edit(thing, form, [other for other in left if other not in makers])
        pages = _pages_of(thing, form, seen, comments)
        _add_presses(thing, form, pages, seen, shared)
        thing.delete = thing.delete or any(map(_leads_to_delete, changing))
        _add_message(thing, [one for one in comments if one.page in pages])
        if not pages and not thing.edit:
            thing.ask(
                "", "no page of one was seen: edit, delete, react and message are open; learn again once there is one"
            )
    return [thing for thing, _ in things], told


def _is_comment(form: FormSeen, seen: Seen) -> bool:
    """Return whether a form takes what is written about a thing: one longer text, on a page about that thing."""
    areas = [one for one in form.prose if one.tag == "textarea"]
    if len(areas) != 1 or form.prefilled or says_new(form.page.words) or len(form.typed) > 4:
        return False
    if any(map(step_says_new, steps_of(form.page.address)[-1:])):
        return False
    listed = form.page.survey.address not in _menu(seen) and any(
        link.card and link.place not in _IN_PAGE and link.href == form.page.survey.address
        for page in seen.pages
        for link in page.survey.links
    )
    return is_of_one(form.page) or listed


def _makers(forms: list[FormSeen]) -> list[FormSeen]:
    """Give the forms that make something: of those that are alike the one at the plainest address."""
    best: dict[tuple[tuple[str, ...], int, str], FormSeen] = {}
    for form in forms:
        steps = steps_of(form.form.more.sent_to)
        telling = (one for one in reversed(steps) if not (is_minted(one) or step_says_new(one)))
        key = form.signature, len(steps), next(telling, "")
        if steps and step_says_new(steps[-1]) and without_new(steps[-1]):
            # It says itself what is made: the same is made elsewhere, as in a folder.
            key = form.signature, 0, steps[-1]
        known = best.get(key)
        if known is None or _plainness(form) < _plainness(known):
            best[key] = form
    return list(best.values())


def _plainness(form: FormSeen) -> tuple[bool, bool, int]:
    return form.page.opened_by != "", is_of_one(form.page), len(form.page.address)


def _changes(form: FormSeen, maker: FormSeen) -> bool:
    """Return whether a form changes what another one makes: it asks for the same, on the page of one of them."""
    if not is_of_one(form.page) or is_of_one(maker.page):
        return False
    return are_alike(form, maker)


def _thing(form: FormSeen, seen: Seen, taken: set[str]) -> FoundThing:
    page = form.page
    texts = [page.opened_by, page.words if says_new(page.words) else "", form.form.heading, page.survey.heading]
    texts += [one.name for one in form.form.submits]
    # What a button opens on the page of one thing is called as the button says: the address names that thing.
    telling = "" if page.opened_by and is_of_one(page) else _address_of(form)
    name = free(thing_name(telling, _common_steps(seen), *texts), taken)
    thing = FoundThing(
        name, page.opened_by or page.way, found_fields(form), (page.opened_by and page.address) or page.way
    )
    if name.startswith("thing"):
        thing.ask("", f"what is it called? nothing on {page.address} gave it a name")
    if any(map(is_minted, steps_of(page.way))):
        thing.ask("create", "the address is that of one thing among others; is it always this one?")
    submits = [words_on(one.name) for one in form.form.submits] or [*form.form.more.waiting]
    saving = [name for name in submits if name and not says_purpose(name, "aside")]
    meant = [name for name in saving if says_purpose(name, "save")]
    if len(saving) > 1 == len(meant):
        thing.submit = meant[0]
    elif said := meant_to_save(saving):
        thing.submit = said
    elif len(saving) > 1:
        thing.submit = (meant or saving)[0]  # as a browser does it when one presses Enter
        thing.ask("create", f"the form has several buttons: {', '.join(saving[:5])}; which one sends it?")
    elif not submits:
        beside = [one.words for one in page.survey.buttons if one.shown and not one.form and says_new(one.words)]
        thing.submit = beside[-1] if beside else ""
        said = f"is it '{thing.submit}' beside it that" if beside else "which button"
        thing.ask("create", f"the form has no button of its own; {said} sends it?")
    _add_list(thing, form, seen)
    return thing


def _address_of(form: FormSeen) -> str:
    """Give the address that says what a form makes: where it is sent, where that says so, or else its page's."""
    sent_to = form.form.more.sent_to
    return sent_to if any(map(step_says_new, steps_of(sent_to)[-1:])) else form.page.address


def _common_steps(seen: Seen) -> frozenset[str]:
    """Give steps of addresses that many different pages stand below: they name a part of the site, and no thing."""
    below: dict[str, set[str]] = {}
    for page in seen.pages:
        steps = steps_of(page.address)
        for step, after in pairwise(steps):
            if (
                not is_minted(after)
                and not step_says_new(after)
                and not any(says_word(after, one, {}) for one in _ON_THINGS)
            ):
                below.setdefault(step, set()).add(after)
    return frozenset(step for step, after in below.items() if len(after) >= _MANY)


def _add_list(thing: FoundThing, form: FormSeen, seen: Seen) -> None:
    """Find where things of a kind are listed: the address above the form, or a page that leads to it."""
    page = form.page
    inline = not any(map(step_says_new, steps_of(page.address))) and not says_new(page.words)
    above = parent_of(_address_of(form) if page.way == page.address else page.way).rstrip("/") or "/"
    scored: dict[str, int] = {}
    leading = [other for other in seen.pages if _leads(other, page)]
    everywhere = len(leading) > max(3, len(seen.pages) // 2)
    menu = _menu(seen)
    for other in seen.pages:
        if other.status >= _REFUSED or other.opened_by or (other is page and page.way != page.address):
            continue
        path = other.address.partition("?")[0].rstrip("/") or "/"
        is_above = (other.address.rstrip("/") or "/") == above != "/"
        leads = [] if everywhere else _leads(other, page)
        items = _items_below(other, above, menu)
        score = 4 * is_above + (path == above != "/" and not is_above) + 3 * (items > 0) + (items > 1)
        score += 2 * any(link.place not in _IN_PAGE for link in leads) + bool(leads)
        # A form that a script opens has no address: the list is called as the thing.
        score += bool(above == "/" and items and steps_of(path)[-1:] and thing.name in steps_of(path)[-1].lower())
        score -= 3 * (path == "/" != above and page.address != "/") + ("?" in other.address) + 2 * is_of_one(other)
        score -= 4 * any(one.kind == "writes" and one.prefilled for one in forms_of(other))  # it changes one of them
        if other is page and not page.opened_by:
            score += 5 if inline else 0 if items else -3
        if score > 0:
            scored[other.address] = max(score, scored.get(other.address, 0))
    best = sorted(scored, key=lambda address: (-scored[address], len(address)))
    if not best and everywhere:
        # What can be made from every page is often listed on every page: in the menu in which the link stands.
        thing.listed_at = min((other.address for other in leading if other.status < _REFUSED), key=len)
        thing.ask("list", "the link to the form is on most pages; are they listed beside it?")
        return
    if not best:
        thing.ask("list", "where are they listed? no page was seen that does")
        return
    thing.listed_at = best[0]
    others = [one for one in best[1:3] if scored[one] >= scored[best[0]] - 1]
    if others:
        thing.ask("list", f"or {' or '.join(others)}?")


def _leads(page: PageSeen, to: PageSeen) -> list[SurveyedLink]:
    """Give the links of a page that lead to another one."""
    there = {to.survey.address, to.asked} if to.way != to.address else {to.survey.address}
    return [link for link in page.survey.links if link.href.partition("#")[0] in there]


def _menu(seen: Seen) -> frozenset[str]:
    """Give the addresses to which most pages lead: parts of the site, whatever they stand in, and no things."""
    pages = [page for page in seen.pages if page.status < _REFUSED and not page.opened_by]
    told = Counter(href for page in pages for href in {link.href for link in page.survey.links})
    return frozenset(href for href, count in told.items() if count > max(_MANY, len(pages) // 2))


def _items_below(page: PageSeen, above: str, menu: Collection[str]) -> int:
    """Count the links of a page, in rows or not, to single things below an address.

    Args:
        page: the page.
        above: the address.
        menu: addresses to which most pages lead.
    """
    stem = above.rstrip("/")
    found = set()
    own = steps_of(page.address)
    ids = set(filter(is_minted, own))
    for link in (one for one in page.survey.links if one.href not in menu):
        path = link.href.partition("?")[0].partition("#")[0]
        steps = steps_of(path)
        last = steps[-1:]
        if ids and ids == set(filter(is_minted, steps)):
            continue  # what has the ids of the page alone is a part of it, such as a tab
        if not stem and own and steps[: len(own)] == own and any(map(is_minted, steps[len(own) :][:1])):
            found.add("/".join(steps[: len(own) + 1]))  # whatever page of the thing that leads to: `/surveys/7/data`
            continue
        numbered = path.startswith(stem) and path[len(stem) :].strip("/").isdigit()
        below = path.startswith(f"{stem}/") and path != f"{stem}/" and (bool(link.card) or any(map(is_minted, last)))
        if (numbered or below) and link.place not in _IN_PAGE and not any(map(step_says_new, last)):
            found.add(path)
    return len(found)


def _pages_of(thing: FoundThing, form: FormSeen, seen: Seen, comments: list[FormSeen]) -> list[PageSeen]:
    """Give the pages that are each about one thing of a kind."""
    above = parent_of(_address_of(form)).rstrip("/")
    found = []
    for page in seen.pages:
        path = page.address.partition("?")[0]
        below = bool(above) and path.startswith(above) and path.strip("/") != above.strip("/")
        is_one = is_of_one(page) or any(one.page is page for one in comments)
        if below and is_one and page.address != form.page.address:
            found.append(page)
    if found or not thing.listed_at:
        return found
    listing = [page for page in seen.pages if page.address == thing.listed_at]
    listed = {
        link.href
        for page in listing
        for link in page.survey.links
        if link.card and link.place not in _IN_PAGE and not thing.listed_at.startswith(link.href.rstrip("/"))
    }
    return [page for page in seen.pages if page.survey.address in listed and page.address != form.page.address]


def _leads_to_delete(page: PageSeen) -> bool:
    """Return whether the page on which one thing is changed has a link, seen or in a menu, to delete that thing."""
    ids = set(filter(is_minted, steps_of(page.address)))
    return any(
        says_word(link.words, "delete", {}) and ids and {*filter(is_minted, steps_of(link.href))} == ids
        for link in page.survey.links
    )


def _add_presses(thing: FoundThing, form: FormSeen, pages: list[PageSeen], seen: Seen, shared: Collection[str]) -> None:
    """Find what deletes a thing, and what is pressed on its page.

    Args:
        thing: is completed.
        form: that makes one.
        pages: that are each about one.
        seen: what was seen.
        shared: addresses at which things of several kinds are listed.
    """
    elsewhere = {
        button.words for page in seen.pages if page not in pages for button in page.survey.buttons if not button.card
    }
    near = [*pages, *(page for page in seen.pages if page.address == thing.listed_at)]
    for page in near:
        if page in pages and _leads_to_delete(page):
            thing.delete = True
        if page in pages and thing.edit is None and any(_guarded_edit(page, link) for link in page.survey.links):
            thing.edit = ""
            thing.ask(
                "edit", "the form was not looked at, as the link to it holds a token; which column does it change?"
            )
        for link in page.survey.links:
            if says_word(link.words, "delete", {}) and link.place not in _IN_PAGE and _is_about(link.href, form):
                thing.delete = True
        for button in (one for one in page.survey.buttons if one.place not in _IN_PAGE):
            if button.card and says_word(button.words, "delete", {}) and len(button.words) <= _LONGEST_BUTTON:
                thing.delete = True
                if page not in pages and page.address in shared:
                    thing.delete = False
                    thing.ask("delete", f"'{button.words}' on {page.address} deletes one; of which kind?")
                break
    for page in pages:
        own = [one for one in page.survey.buttons if not one.card and one.place not in _EDGES]
        if any(
            says_word(one.words, "delete", {}) and len(one.words) <= _LONGEST_BUTTON and one.words not in elsewhere
            for one in own
        ):
            thing.delete = True
        for one in page.survey.forms:
            here = FormSeen(page, one)
            for submit in one.submits:
                if says_word(submit.name, "delete", {}) or (one.more.override == "delete" and here.kind == "press"):
                    thing.delete = True if says_word(submit.name, "delete", {}) else submit.name
                elif here.kind == "press" and one.method == "post" and _reacts(submit.name, {*elsewhere, *thing.react}):
                    thing.react.append(submit.name)
    if thing.react:
        thing.ask("react", "is a button offered only once to each user? then write once = true beside it")


def _guarded_edit(page: PageSeen, link: SurveyedLink) -> bool:
    """Return whether a link of the page of one thing leads to where that is changed, and may not be followed."""
    path = link.href.partition("?")[0]
    same = {*filter(is_minted, steps_of(path))} == {*filter(is_minted, steps_of(page.address))}
    beside = path.startswith(f"{parent_of(page.address.partition('?')[0]).rstrip('/')}/")
    return same and beside and says_word(link.words, "edit", {}) and bool(why_not(link.words, link.href))


def _is_about(address: str, form: FormSeen) -> bool:
    above = parent_of(_address_of(form)).rstrip("/")
    return bool(above) and address.startswith(above)


def _reacts(words: str, elsewhere: set[str]) -> bool:
    if not words or words in elsewhere or len(words) > _LONGEST_BUTTON or names_somebody(words):
        return False
    purposes = ("login", "register", "logout", "aside")
    return not any(says_purpose(words, purpose) for purpose in purposes) and not says_one(words, "fields", "search")


def _add_message(thing: FoundThing, forms: list[FormSeen]) -> None:
    """Take the form in which others write about a thing."""
    if not forms:
        return
    form = forms[0]
    area = next(one for one in form.prose if one.tag == "textarea")
    fields = found_fields(form)
    said = (area.label, area.caption, area.placeholder, area.name_attr)
    label = next((text for text in said if text and not names_somebody(text)), "")
    thing.message_field = next((one for one in fields if one.label == label), None)
    # By what it means where that is known: a label may name the one who is written to.
    means = thing.message_field is not None and thing.message_field.meaning == _MESSAGE
    thing.message = _MESSAGE if means else label
    if len(form.typed) > 1:
        others = ", ".join(one.label for one in fields if one.label != label)
        thing.ask("message", f"the form asks for more: {others}")
