"""The documents that a user has met, as they were: what stood there before a write did not come of it.

Not responsible for: asking pages.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final
from urllib.parse import parse_qsl, unquote_plus

from simulator.addresses import urlsplit
from simulator.browser.effects.addresses import id_in, is_slug, more_than, words_in
from simulator.browser.effects.spots import most_times
from simulator.meaning import find_in

MOST_TEXT: Final = 200_000
"""Characters of a document that are known as they were."""
MOST_TOKENS: Final = 600
"""Of a document that are known, as the page script gives them (``8_things.js``)."""
_MISSING = (404, 410)
_BETWEEN = re.compile(r"[-_]")
_STEP = re.compile(r"[/=]")
_QUERY = re.compile(r"\?([^?#]+)")
_MOST_BEFORE = 30
"""How many documents are known as they were."""


@dataclass(frozen=True)
class Met:
    """A document as it was when the user came to it."""

    url: str
    path: str
    text: str
    pictures: frozenset[str]
    tokens: frozenset[str]
    """Steps of addresses, and values of attributes, by which things on it are known."""
    ids: frozenset[str] = frozenset()
    """What it calls elements that have a number in their names."""
    named: frozenset[str] = frozenset()
    """The places in its main part that say a name of the user."""
    stands: frozenset[int] = frozenset()
    """Its short texts, named by where they stand and what they say."""
    missing: bool = False
    """Whether the site answered that there is nothing at its address."""
    document: str = ""
    """Names it among others at its address."""
    answers: bool = False
    """Whether it answered a write: a visit to its address shows another one."""
    shown_by: str = ""
    """Names the document of which it is a view; empty where it is a document of its own."""
    opened: bool = False
    """Whether it is a view that an act has opened where another one was, as more of a list: a visit shows that one. And
    one at the same address to which the application has come back since, as the list may be as it was left."""

    @cached_property
    def calls(self) -> frozenset[str]:
        """The words at which the addresses end that it leads to, or that they ask for, and those of its own address."""
        return frozenset((*(_STEP.split(token)[-1] for token in self.tokens), *words_in(self.url).values()))

    @cached_property
    def leads(self) -> frozenset[str]:
        """The words at which the paths end that it leads to, and those of its own address."""
        steps = (token.rpartition("/") for token in self.tokens if not token.startswith("?"))
        return frozenset((*(last for before, _, last in steps if before), *words_in(self.url).values()))

    def has(self, keys: Collection[str], called: str) -> bool:
        """Return whether a thing stands on it, or more of them than are known.

        Args:
            keys: steps of addresses and values of attributes that only the thing has; empty where it has none.
            called: what it is called.
        """
        full = len(self.tokens) >= MOST_TOKENS or len(self.text) >= MOST_TEXT
        return full or (not self.tokens.isdisjoint(keys) if keys else bool(called and find_in(called, self.text)))


def stood(texts: Iterable[str], before: Iterable[Met]) -> bool:
    """Return whether one of some texts stood on one of some documents: a remark on a thing may begin with its title."""
    said = tuple(texts)
    return any(find_in(text, met.text) for met in before for text in said)


def led_to(address: str, met: Met) -> bool:
    """Return whether something on a document led to an address of its site.

    Args:
        address: its path, with its query or without.
        met: the document.
    """
    path, _, query = address.partition("?")
    before, _, last = path.rstrip("/").rpartition("/")
    asked = {f"?{name}={value}" for name, value in parse_qsl(query)}
    return {f"{before.rpartition('/')[2]}/{last}", *asked} <= met.tokens


class History:
    """What one user has met, the newest last."""

    def __init__(self) -> None:
        self._met: list[Met] = []
        self.count = 0
        """How many documents have been met in all."""

    def meet(
        self, url: str, raw: Mapping[str, Any], document: str = "", *, answers: bool = False, shown_by: str = ""
    ) -> None:
        """Know a document.

        Args:
            url: absolute address.
            raw: as ``readWhole`` gives it.
            document: names it; empty where nobody asks for it by that.
            answers: whether it answered a write.
            shown_by: names the document of which it is a view; empty for none.
        """
        views = [met for met in self._met if shown_by and shown_by in (met.document, met.shown_by)]
        # An application that comes back to a list may still show more of it.
        opened = any(bare(met.url) == bare(url) and (met.opened or met is views[-1]) for met in views)
        pictures, tokens, ids, named = (frozenset(raw[name]) for name in ("pictures", "tokens", "ids", "named"))
        stands = frozenset(raw.get("stands", ()))
        missing = raw.get("status") in _MISSING
        path, text = urlsplit(url).path, raw["text"]
        met = Met(url, path, text, pictures, tokens, ids, named, stands, missing, document, answers, shown_by, opened)
        self._met = [*self._met, met][-_MOST_BEFORE:]
        self.count += 1

    def before(self, since: int, without: Collection[str] = ()) -> list[Met]:
        """Give the documents that were met before this many had been.

        Args:
            since: how many had been.
            without: documents that do not count.
        """
        known = self._met[: max(0, len(self._met) - (self.count - since))]
        return [met for met in known if met.document not in without] if without else known

    def said(self, texts: Collection[str], url: str, since: int, without: Collection[str] = ()) -> int:
        """Return how often a page said one of some texts when it was met last: of that which it said most often.

        Args:
            texts: what is looked for.
            url: its absolute address.
            since: only what was met before this many documents had been counts.
            without: documents that do not count.
        """
        at = [met for met in self.before(since, without) if bare(met.url) == bare(url) and not met.opened]
        return most_times(texts, at[-1].text) if at else 0

    def knows(self, path: str, since: int | None = None) -> bool:
        """Return whether a page of this path was met, or something on one led there.

        Args:
            path: of an address.
            since: only pages that were there before this many documents had been met; None for all that were met.
        """
        known = self._met if since is None else [met for met in self.before(since) if not met.missing]
        return any(met.path == path or led_to(path, met) for met in known)

    def knows_page(self, url: str) -> bool:
        """Return whether a page was met at an address, or something on one led just there.

        Args:
            url: absolute address; empty where there is none.
        """
        parts = urlsplit(url)
        at = parts.path + (f"?{parts.query}" if parts.query else "")
        return bool(url) and any(bare(met.url) == bare(url) or led_to(at, met) for met in self._met)

    def page_of(self, form: str, led_to: str, filled: Collection[str]) -> str:
        """Give the address of the page that shows what a form edits, as one compares it; empty where none is known.

        The form goes on from it, and came filled with a text that the page had shown; or there was nothing at its
        address yet.

        Args:
            form: absolute address of the form's document.
            led_to: where its answer led; empty for nowhere.
            filled: the texts that the form came with.
        """
        for met in reversed(self._met):
            more = more_than(form, met.url)
            if met.missing and (more or (led_to and bare(met.url) == bare(led_to))):
                return bare(met.url)
            # What a list goes on by is what the thing is called.
            called = any(_plain(text).startswith(_plain(more)) for text in filled)
            if more and not called and any(find_in(text, met.text) for text in filled):
                return bare(met.url)
        return ""

    def names(self, one: str) -> bool:
        """Return whether a page has called something by an id, or led to an address that ends in it."""
        return any(one in met.calls or any(id_in(name) == one for name in met.ids) for met in self._met)

    def came_beside(self, path: str, one: str, other: str) -> bool:
        """Return whether a page called something by one name, all of it was known, and nothing by another name yet.

        Args:
            path: of the page.
            one: what it called something by.
            other: what it called nothing by.
        """
        whole = (met for met in self._met if met.path == path and max(len(met.tokens), len(met.ids)) < MOST_TOKENS)
        known = (met.calls | met.ids for met in whole)
        return any(one in calls and other not in calls for calls in known)

    def ids(self) -> frozenset[str]:
        """Give what was called by a name with a number so far."""
        return frozenset[str]().union(*(met.ids for met in self._met))

    def called(self, words: Iterable[str], naming: Iterable[str] = ()) -> frozenset[str]:
        """Give those of some words by which the site calls a thing, as in `/things/low-tide`, whose name a page said.

        What one word alone says may be anything, such as an option: it has to stand where ids do.

        Args:
            words: what an address or a part of a request says.
            naming: those of them that stand where the id of a thing does.
        """
        alone = {*naming}
        names = {word: " ".join(_BETWEEN.split(word)) for word in words if word in alone or is_slug(word)}
        return frozenset(
            word
            for word, name in names.items()
            if any(word in (met.calls if is_slug(word) else met.leads) and find_in(name, met.text) for met in self._met)
        )

    def visited(self) -> Iterator[str]:
        """Give the addresses of what was met, the newest first."""
        return (met.url for met in reversed(self._met))


def _plain(text: str) -> str:
    """Give a text as addresses have it, without signs and case."""
    return "".join(filter(str.isalnum, text.casefold()))


@lru_cache(maxsize=4096)
def bare(url: str) -> str:
    """Give an address to compare: without its fragment, but for one that is a route, and as nobody has to quote it.

    A template has its values decoded: what a site says in a query is quoted otherwise when somebody goes there again. A
    script may write a query in another order when its page is loaded: that makes no other address.
    """
    told = url.partition("#")[0] if "#/" not in url and "#!" not in url else url
    return unquote_plus(_QUERY.sub(_in_order, told))


def leads_back(leads_to: str, url: str) -> bool:
    """Return whether an address is that of a page with more in its query, as a site says there what a link has done."""
    there, here = urlsplit(leads_to), urlsplit(url)
    same = (there.netloc, there.path) == (here.netloc, here.path)
    return same and {*parse_qsl(here.query)} < {*parse_qsl(there.query)}


def _in_order(query: re.Match[str]) -> str:
    """Give a query in the order of its names: of those that are called alike the order may count."""
    return "?" + "&".join(sorted(query[1].split("&"), key=lambda one: one.partition("=")[0]))
