"""What an address says of a thing: whether it is that of the thing, and what the site has generated in it."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Set
from functools import lru_cache
from urllib.parse import parse_qsl, unquote

from simulator.addresses import urlsplit
from simulator.canonical import hash_route, is_code, is_generated, url_shape

_NUMBERED = re.compile(r"^[^\W\d][^\d]*?(\d+)$")
"""What elements are called by the number of a thing: ``comment-41``, ``row41``."""
_WORD_AND_NUMBER = re.compile(r"[^\W\d_]{2,}[-_]?\d+")

_SLUG = re.compile(r"\w+(?:-\w+)+|[^\W_]+(?:_[^\W_]+)+")


def is_of(url: str, names: Iterable[str]) -> bool:
    """Return whether an address is that of a thing, by an id of it in the path, the query or the fragment."""
    return not _steps(url).isdisjoint(names)


@lru_cache(maxsize=8192)
def generated_in(address: str) -> frozenset[str]:
    """Give what the site has generated in an address: steps of its path and fragment, and values of their queries."""
    return frozenset(one for one in _steps(address) if is_generated(one))


def are_of_one(paths: Collection[str]) -> bool:
    """Return whether addresses are those of one thing: one, or its page and what goes on from that, as its form does.

    Both have the same ids then: a list goes on to the pages of all that it lists.
    """
    if len(paths) < 2:
        return bool(paths)
    shortest = min(paths, key=len)
    ids, stem = generated_in(shortest), shortest.rstrip("/")
    goes_on = (stem + "/", stem + "&")
    return bool(ids) and all(f"{path}/".startswith(goes_on) and generated_in(path) == ids for path in paths)


def goes_on(url: str, paths: Collection[str]) -> bool:
    """Return whether an address is that of a thing's page, or goes on from there as that of its form does.

    Args:
        url: absolute address.
        paths: where links to the thing lead, without the site's name.
    """
    parts = urlsplit(url)
    own = f"{parts.path}?{parts.query}" if parts.query else parts.path
    return bool(paths) and are_of_one({own, *paths})


def more_than(url: str, page: str) -> str:
    """Give the one step, or the one word of its query, by which an address goes on from that of a page; empty for none.

    So a form goes on from the page of what it edits: `/wiki/hills/edit`, `/wiki?page=hills&do=edit`. Both have the same
    ids: a list goes on to the forms of all that it lists.

    Args:
        url: absolute address.
        page: the same of the page.
    """
    own, other = urlsplit(url), urlsplit(page)
    steps, stem = (list(filter(None, each.path.split("/"))) for each in (own, other))
    asks, asked = (dict(parse_qsl(each.query)) for each in (own, other))
    goes_on = steps[: len(stem)] == stem and asked.items() <= asks.items() and bool(stem or asked)
    more = [*steps[len(stem) :], *(asks[name] for name in asks.keys() - asked.keys())]
    same = own.netloc == other.netloc and generated_in(url) == generated_in(page)
    return more[0] if goes_on and same and len(more) == 1 else ""


def is_of_form(form: str, url: str, sent_from: str, names: Collection[str]) -> bool:
    """Return whether a form on a page is the one that was sent, and not the same form of another thing.

    What edits a thing has the form that edits the next one, and often that which makes one. A form without an address
    of its own is known by the page that it stands on.

    Args:
        form: method and shape of its address.
        url: absolute address of the page.
        sent_from: the same of the page that sent it; empty where none is known.
        names: ids of the thing.
    """
    if not sent_from:
        return True
    here, there = urlsplit(url), urlsplit(sent_from)
    others = generated_in(url) - generated_in(sent_from) - frozenset(names)
    goes_elsewhere = form.partition(" ")[2] != url_shape(here.path)
    return not others and (goes_elsewhere or (here.path, here.fragment) == (there.path, there.fragment))


def numbered_in(address: str) -> set[str]:
    """Give what ends an address and is a word with a number: ``issue1``, ``BUG-7``.

    Some sites call things so. Versions of an interface (``v1``) and steps of a wizard are called so, too, so it counts
    only of where the form of a document is sent to, and of where the answer to that leads.
    """
    last = urlsplit(address).path.rstrip("/").rpartition("/")[2]
    return {last} if _WORD_AND_NUMBER.fullmatch(last) else set()


def codes_in(address: str, known: Iterable[str]) -> set[str]:
    """Give the steps of an address by which the site may call a thing with a short code: ``QX7KBD``.

    Such a code looks like a word in capitals. So it counts only in the address that the form of a document leads to,
    and only as a step that stands in none of the addresses that were known before.

    Args:
        address: of the answer.
        known: of what was sent, and of the page that sent it.
    """
    steps = {step for one in known for step in urlsplit(one).path.split("/")}
    return {step for step in urlsplit(address).path.split("/") if step not in steps and is_code(step)}


def codes_of_page(address: str, pages: Iterable[str], template: str = "") -> set[str]:
    """Give the steps of an address that are short codes with a digit, as ``k3f9a1``, and stand in that of a page, too.

    A word may look like such a code: it counts as what a site calls a thing where both say it. One that the run knows
    for the site's needs no digit.

    Args:
        address: of a request.
        pages: addresses of the page that sent it.
        template: the address with what the site has generated as variables.
    """
    steps, said = (list(reversed(urlsplit(one).path.split("/"))) for one in (address, template))
    known = {step for step, one in zip(steps, said, strict=False) if one.startswith("{{site.") and one.count("{{") == 1}
    codes = {step for step in steps if step in known or (is_code(step) and any(map(str.isdigit, step)))}
    return {step for step in codes if any(step in _steps(page) for page in pages)}


def is_slug(word: str) -> bool:
    """Return whether a word may be what an address calls a thing of several words: ``low-tide``."""
    return _SLUG.fullmatch(word) is not None


def numbered_as(key: str) -> str:
    """Give the number by which an element is called, as that of ``comment-41``; empty where it is called otherwise."""
    numbered = _NUMBERED.fullmatch(key)
    return numbered.group(1) if numbered else ""


def id_in(key: str) -> str:
    """Give the id in what an element is called: the number of ``comment-41``, or all of it; empty for none."""
    return numbered_as(key) or (key if is_generated(key) else "")


def words_in(address: str) -> dict[str, str]:
    """Give the steps of an address that the site has not generated, each with what it reads as: ``low%20tide``."""
    return {step: unquote(step) for step in _steps(address) if not is_generated(step)}


def leads_beside(address: str, url: str, names: Set[str]) -> bool:
    """Return whether an address is called by another word where that of a page is called by the one of its thing.

    Args:
        address: as a page writes it.
        url: absolute address of the page of the thing.
        names: what the site calls the thing.
    """
    here, there = (f"{one.path}?{one.query}" for one in map(urlsplit, (url, address)))
    for word in names & words_in(url).keys():
        stem = here.partition(word)[0]
        if there.startswith(stem) and re.split(r"[/?&]", there.removeprefix(stem))[0] not in ("", word):
            return True
    return False


def without_filters(address: str, fields: Collection[str]) -> str:
    """Give an address without what it asks for by the name of a list to choose from: ``?maker=2``, as filters have it.

    The number there is that of the maker, and of no thing that has this number, too. What it asks by may go on behind
    the name: ``maker__id__exact``.

    Args:
        address: as a page writes it.
        fields: the names of the lists, as a form sends them.
    """
    path, mark, rest = address.partition("?")
    query, hash_mark, fragment = rest.partition("#")

    def is_filter(name: str) -> bool:
        return any(name == one or (name.startswith(one) and not name[len(one)].isalnum()) for one in fields)

    left = [part for part in query.split("&") if not is_filter(unquote(part.partition("=")[0]))]
    return path + (mark + "&".join(left) if left else "") + hash_mark + fragment


def path_of(goal: str) -> str:
    """Give where a link leads without its query: the path, and the fragment if there is one."""
    return re.sub(r"\?[^#]*", "", goal)


def goals_of(url: str) -> frozenset[str]:
    """Give what a link to an address is known by: its path, with its query or without, and each with its fragment."""
    parts = urlsplit(url)
    asked = f"{parts.path}?{parts.query}"
    return frozenset((parts.path, asked, f"{parts.path}#{parts.fragment}", f"{asked}#{parts.fragment}"))


@lru_cache(maxsize=8192)
def _steps(address: str) -> frozenset[str]:
    parts = urlsplit(address)
    place, _, asked = parts.fragment.partition("?") if hash_route(parts.fragment)[1] else (parts.fragment, "", "")
    values = [value for query in (parts.query, asked) for _, value in parse_qsl(query)]
    return frozenset((*parts.path.split("/"), *values, *place.split("/"))) - {""}
