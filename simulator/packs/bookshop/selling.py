"""How users offer books, and changes and withdraws what it offers. Not responsible for: others' books."""

from __future__ import annotations

import re
from typing import Literal, NamedTuple

from pydantic import JsonValue

from simulator.agent.contracts import Made
from simulator.agent.filling import Value, send
from simulator.agent.reading import Control, Form, Link, Page
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import Word, about, ends_in, holds
from simulator.packs.bookshop.books import Book, books_of

_ASKED = ("title", "author", "genre", "condition", "price", "description")
_GONE = frozenset({"not_found", "rejected", "timeout", "unavailable"})
"""How a picture fails that was there when it was offered; a file field may fail so, too."""
_COVERS = 4
"""Covers that are tried for one form: what sources offer is there as a rule, and a drawn one always is."""


class Selling:
    """What the user has for sale.

    Args:
        client: the run's tools.
    """

    def __init__(self, client: ToolClient) -> None:
        self._client = client
        self._on_sale: set[int] = set()

    async def list_book(self, index: int) -> None:
        """Offer a book of the user.

        Raises:
            TaskFailed: the site does not take it, with what it said, or does not show it afterwards.
        """
        client = self._client
        await client.open("sell")
        values = {name: self._value(index, name) for name in _ASKED}
        page, _ = await send(client, values, by=("title",), prepare=_Cover(client, index).give)
        if not await self._shown(page, values["title"]):
            raise TaskFailed(f"the site took the form, but {page.url} does not show {values['title'].text!r}")
        self._on_sale.add(index)
        client.view.tell(Made("list_books", index))

    async def edit(self, index: int, field: Literal["price", "description"]) -> None:
        """Change the price or the description of a listing.

        Raises:
            TaskFailed: it is not on sale, or the site does not take it, or does not show it afterwards.
        """
        await self._press(index, "edit")
        page, sent = await send(self._client, {field: self._value(index, f"new_{field}")}, by=(field,))
        new = sent[field]
        if not _says(await self._client.text(), new.text, field):
            link = await self._own_link(index)
            page = page if link is None else await self._client.follow(Control.of(link))
            if not _says(await self._client.text(), new.text, field):
                raise TaskFailed(f"the site took the new {field}, but {page.url} does not show it")

    async def delete(self, index: int) -> None:
        """Withdraw a listing.

        Raises:
            TaskFailed: it is not on sale, or still is afterwards.
        """
        client, title = self._client, self._book(index).title
        page, before = await self._press(index, "delete")
        if page.url != before.url and holds(await client.text(), title):
            sure = [one for _, one in await client.controls("delete") if one.is_button and not one.card]
            if len(sure) == 1:
                await client.follow(sure[0])
        if await self._own_link(index) is not None:
            raise TaskFailed(f"{title!r} is still among the user's own books after it was withdrawn")
        self._on_sale.discard(index)

    async def _press(self, index: int, word: Word) -> tuple[Page, Page]:
        """Press what edits or withdraws a listing, beside it in the list of the user's own, or on its page.

        Returns:
            The page that follows and the one before.
        """
        if index not in self._on_sale:
            raise TaskFailed(f"the user's book {index} is not for sale")
        client, title = self._client, self._book(index).title
        before = await client.open("my_items")
        async for links in client.walk():
            beside = [(self._about(one.card, index), score, one) for score, one in await client.controls(word)]
            if fitting := [found for found in beside if found[0]]:
                return await client.follow(max(fitting, key=lambda found: found[:2])[2]), before
            if named := self._named(links, index):
                before = await client.follow(Control.of(named[0]))
                if alone := [pair for pair in await client.controls(word) if not pair[1].card]:
                    return await client.follow(max(alone, key=lambda pair: pair[0])[1]), before
                raise TaskFailed(f"nothing on {before.url} says {word}")
        raise TaskFailed(f"{title!r} is not among the user's own books on {before.url}")

    async def _own_link(self, index: int) -> Link | None:
        """Look for a listing among the user's own."""
        await self._client.open("my_items")
        async for links in self._client.walk():
            if named := self._named(links, index):
                return named[0]
        return None

    def _named(self, links: list[Link], index: int) -> list[Link]:
        """Give the links called by a book's title, the one that says nothing else first."""
        scored = [(self._about((link.name,), index), link) for link in links]
        return [link for score, link in sorted(scored, key=lambda pair: -pair[0]) if score]

    def _about(self, texts: tuple[str, ...], index: int) -> int:
        """Tell whether texts speak of a book, and not of another of the user's whose title holds this one's."""
        title = self._book(index).title
        others = {book.title for book in books_of(self._client.identity)} - {title}
        longer = [other for other in others if holds(other, title)]
        score = about(texts, title)
        return 0 if score < 2 and any(about(texts, other) for other in longer) else score

    async def _shown(self, page: Page, title: Value) -> bool:
        """Tell whether the page that followed shows a title; tools write values in its title and notes as variables."""
        if any(title.template in text or holds(text, title.text) for text in (page.title, *page.notes)):
            return True
        return holds(await self._client.text(), title.text) or bool(await self._client.links(title.template))

    def _book(self, index: int) -> Book:
        return books_of(self._client.identity)[index - 1]

    def _value(self, index: int, name: str) -> Value:
        return Value(f"{{{{book.{index}.{name}}}}}", str(getattr(self._book(index), name)))


class _Found(NamedTuple):
    """A cover that was found: the variable that stands for its address, and the address."""

    variable: str
    address: JsonValue


class _Cover:
    """The picture of a book, found once and given to the form as often as the form comes back.

    A picture that is gone when it is given, or is another one by then, is looked for again: what is found offers only
    pictures that are there.
    """

    def __init__(self, client: ToolClient, index: int) -> None:
        self._client = client
        self._query = f"{{{{book.{index}.title}}}} {{{{book.{index}.author}}}}"
        self._found: _Found | None = None

    async def give(self, form: Form) -> None:
        """Give the form a cover, where it asks for one."""
        fields = [field for field in form.fields if field.type == "file"]
        field = form.asking("cover") or next(iter(fields), None)
        if field is None:
            return
        self._found = self._found or await self._find()
        if self._found is None:
            if field.required:
                raise TaskFailed(f"no cover was found, and the form needs one in {field.label!r}")
            return
        selector = "" if len(fields) == 1 else f"ref={field.ref}"
        for _ in range(_COVERS):
            given = await self._client.do("upload_cover_image", cover_url=self._found.variable, selector=selector)
            if given.error is None:
                return
            found = await self._find() if given.error.type in _GONE else None
            if found is None or found.address == self._found.address:
                raise TaskFailed(given.error.message)
            self._found = found
        raise TaskFailed(f"{_COVERS} covers were found whose pictures were gone when they were given to the form")

    async def _find(self) -> _Found | None:
        result = await self._client.read("fetch_book_covers", query=self._query, count=1)
        match result.metadata.get("variables"), result.data:
            case [str(name), *_], [{"cover_url": address}, *_]:
                return _Found(f"{{{{{name}}}}}", address)
        return None


def _says(text: str, value: str, field: Literal["price", "description"]) -> bool:
    if field == "description":
        return ends_in(text, value)
    whole, _, cents = value.replace(",", ".").partition(".")
    fraction = rf"[.,]{cents}" if int(cents or 0) else rf"(?:[.,]{cents})?"
    return re.search(rf"(?<![\d.,]){whole}{fraction}(?!\d)", text) is not None
