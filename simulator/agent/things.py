"""What is done with things of any kind: making, finding, changing, deleting them, and reacting to them.

Not responsible for: which thing, or what a site calls a thing (``domain.things``).
"""

from __future__ import annotations

import re
from collections.abc import Awaitable, Callable, Mapping

from simulator.agent.contracts import Made
from simulator.agent.filling import Sent, Value, form_asking, send
from simulator.agent.reading import Control, Form, Link, Page
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import Word, about, ends_in, fit, holds, same
from simulator.config import Site
from simulator.domain import Message, Reaction, SiteThing, Thing, data_sets, things

_NUMBER = re.compile(r"(\d+)(?:[.,](\d+))?")


def things_on(site: Site) -> tuple[SiteThing, ...]:
    """Give all things that are known of a site: those of the packs in use as they are there, and its own."""
    known = {thing.name: thing for thing in things()}
    own = (thing for name, thing in site.things.items() if name not in known)
    return (*(thing.on(site.things.get(name)) for name, thing in known.items()), *own)


class OwnThings:
    """What a user has made of one kind of thing.

    Args:
        client: the run's tools.
        thing: the kind; the site's section may say otherwise of it.
    """

    def __init__(self, client: ToolClient, thing: Thing) -> None:
        self.thing = thing.on(client.site.things.get(thing.name))
        self._client = client
        data = data_sets().get(self.thing.data)
        if data is None or not self.thing.fields:
            keys = f"data and fields of things.{thing.name}"
            raise TaskFailed(f"nothing says which rows a {thing.name} is made of; set {keys} of the site")
        self._rows = data.name
        self._there: set[int] = set()

    def title(self, index: int) -> Value:
        """Give what one of them is called: the first field of its row."""
        return self.value(index, self.thing.columns[0])

    def value(self, index: int, field: str) -> Value:
        """Give a field of one of the user's rows, as a variable: a replay binds the row of its own user."""
        row = self._client.identity.rows(self._rows)[index - 1]
        return Value(f"{{{{{self._rows}.{index}.{field}}}}}", str(row.values()[field]))

    async def make(self, index: int, prepare: Callable[[Form], Awaitable[None]] | None = None) -> None:
        """Make one of a row.

        Args:
            index: which row, from 1.
            prepare: done with the form before it is filled, such as giving it a file.

        Raises:
            TaskFailed: the site does not take it, with what it said, or does not show it afterwards.
        """
        client, title = self._client, self.title(index)
        await client.open(_given(self.thing.create, self.thing, "create"))
        values = {name: self.value(index, name) for name in self.thing.columns}
        page, _ = await send(client, values, by=self.thing.columns[:1], prepare=prepare)
        if not await self._shown(page, title):
            raise TaskFailed(f"the site took the form, but {page.url} does not show {title.text!r}")
        self._there.add(index)
        client.view.tell(Made(self.thing.made_by, index))

    async def edit(self, index: int, values: Mapping[str, Value]) -> None:
        """Change one.

        Args:
            index: which one, from 1.
            values: what it is to be afterwards, by what the fields of the form mean.

        Raises:
            TaskFailed: it is not there, or the site does not take it, or does not show it afterwards.
        """
        client = self._client
        await self._press(index, self.thing.edit.by if self.thing.edit else "edit")
        page, sent = await send(client, values, by=values)
        wanted = [(name, sent[name].text) for name in values]
        if lacking := _lacking(await client.text(), wanted):
            link = await self.own_link(index)
            page = page if link is None else await client.follow(Control.of(link))
            if lacking := _lacking(await client.text(), lacking):
                raise TaskFailed(f"the site took the new {lacking[0][0]}, but {page.url} does not show it")

    async def delete(self, index: int) -> None:
        """Delete one.

        Raises:
            TaskFailed: it is not there, or still is afterwards.
        """
        client, title, word = self._client, self.title(index).text, self.thing.deleting or "delete"
        page, before = await self._press(index, word)
        if page.url != before.url and holds(await client.text(), title):
            sure = [one for _, one in await client.controls(word) if one.is_button and not one.card]
            if len(sure) == 1:
                await client.follow(sure[0])
        if await self.own_link(index) is not None:
            raise TaskFailed(f"{title!r} is still among what the user has made, after it was deleted")
        self._there.discard(index)

    async def own_link(self, index: int) -> Link | None:
        """Look for one in their list."""
        client = self._client
        await client.open(_given(self.thing.list, self.thing, "list"))
        async for links in client.walk():
            if named := self._named(links, index):
                return named[0]
        return None

    async def _press(self, index: int, word: Word) -> tuple[Page, Page]:
        """Press what changes or deletes one, beside it in the list or on its page.

        Returns:
            The page that follows and the one before.
        """
        if index not in self._there:
            raise TaskFailed(f"the user's {self.thing.name} {index} is not there")
        client, title = self._client, self.title(index).text
        before = await client.open(_given(self.thing.list, self.thing, "list"))
        async for links in client.walk():
            beside = [(self._about(one.card, index), score, one) for score, one in await client.controls(word)]
            if fitting := [found for found in beside if found[0]]:
                return await client.follow(max(fitting, key=lambda found: found[:2])[2]), before
            if named := self._named(links, index):
                before = await client.follow(Control.of(named[0]))
                if alone := [pair for pair in await client.controls(word) if not pair[1].card]:
                    return await client.follow(max(alone, key=lambda pair: pair[0])[1]), before
                raise TaskFailed(f"nothing on {before.url} says {word}")
        raise TaskFailed(f"{title!r} is not among what the user has made, on {before.url}")

    def _named(self, links: list[Link], index: int) -> list[Link]:
        """Give the links called by a title, the one that says nothing else first."""
        scored = [(self._about((link.name,), index), link) for link in links]
        return [link for score, link in sorted(scored, key=lambda pair: -pair[0]) if score]

    def _about(self, texts: tuple[str, ...], index: int) -> int:
        """Return whether texts speak of one, and not of another of the user's whose title holds this one's."""
        title = self.title(index).text
        rows = range(1, len(self._client.identity.rows(self._rows)) + 1)
        others = {self.title(other).text for other in rows} - {title}
        longer = [other for other in others if holds(other, title)]
        score = about(texts, title)
        return 0 if score < 2 and any(about(texts, other) for other in longer) else score

    async def _shown(self, page: Page, title: Value) -> bool:
        """Return whether the page that followed shows a title; in its title and notes values are variables."""
        if any(title.template in text or holds(text, title.text) for text in (page.title, *page.notes)):
            return True
        return holds(await self._client.text(), title.text) or bool(await self._client.links(title.template))


async def show(client: ToolClient, thing: Thing, title: str) -> Page:
    """Go to the page of a thing, of whomever, by their list.

    Raises:
        TaskFailed: no link there is called so.
    """
    here = thing.on(client.site.things.get(thing.name))
    await client.open(_given(here.list, thing, "list"))
    async for links in client.walk():
        for link in links:
            if same(link.name, title):
                return await client.follow(Control.of(link))
    raise TaskFailed(f"{title!r} is not in the list of what is called a {thing.name}")


async def title_of(client: ToolClient, thing: Thing, user: int, index: int) -> Value:
    """Wait until another user of the batch has made a thing, and give what it is called.

    Args:
        client: the run's tools.
        thing: its kind; it says by which variable others know it.
        user: the other user's place in the batch, from 1.
        index: which of the user's, from 1.

    Raises:
        TaskFailed: it does not come, or others do not know what it is called.
    """
    name = thing.known_as(user, index)
    values = await client.made_by(user, thing.made_by, index, thing)
    if name not in values:
        raise TaskFailed(f"others do not know what a {thing.name} is called: its 'variable' is none that names a row")
    return Value(f"{{{{{name}}}}}", values[name])


async def write_about(client: ToolClient, thing: Thing, text: Value, *, title: Value | None = None) -> Sent:
    """Write something about the thing whose page is open, there or where its page leads to.

    Args:
        client: the run's tools.
        thing: its kind.
        text: what to write.
        title: what it is called, for a form that asks for a subject.

    Raises:
        TaskFailed: nothing here takes it, or the site does not show or say afterwards that it did.
    """
    message = thing.on(client.site.things.get(thing.name)).message or Message()
    field = message.field
    if message.by is not None and await form_asking(client, (field,)) is None:
        ways = [pair for pair in await client.controls(message.by) if not pair[1].card]
        if not ways:
            raise TaskFailed(f"nothing on this page leads to where one writes about a {thing.name}")
        await client.follow(max(ways, key=lambda pair: pair[0])[1])
    sent = await send(client, {field: text, **({"subject": title} if title else {})}, by=(field,))
    if message.said is not None and sent.page.notes:
        return sent
    shown, written = await client.text(), sent.values[field].text
    if message.said is None and not holds(shown, written):
        raise TaskFailed(f"{sent.page.url} does not show {text.text!r}")
    if message.said is not None and not ends_in(shown, written) and not fit(shown, message.said, client.site.words):
        about_it = f" about {title.text!r}" if title else ""
        raise TaskFailed(f"{sent.page.url} does not say that the message{about_it} was sent")
    return sent


async def ways_to_react(client: ToolClient, reaction: Reaction) -> list[Control]:
    """Give the buttons of the page that react, in its order."""
    return [control for _, control in await client.controls(reaction.button) if control.is_button]


async def react(client: ToolClient, reaction: Reaction, to: str = "") -> None:
    """Press what reacts to the thing whose page is open, or to one of several on it.

    Args:
        client: the run's tools.
        reaction: what is pressed.
        to: what the thing is called, where the page lets one choose between several.

    Raises:
        TaskFailed: no button here does, or not just one, or the site does not take it.
    """
    ways = await ways_to_react(client, reaction)
    if to:
        ways = sorted((way for way in ways if about((way.name, *way.card), to)), key=lambda way: len(way.name))[:1]
    if len(ways) != 1:
        which = f" for {to!r}" if to else ""
        raise TaskFailed(f"{len(ways)} buttons of this page say {reaction.button!r}{which}, not one")
    await press(client, reaction, ways[0])


async def press(client: ToolClient, reaction: Reaction, way: Control) -> None:
    """Press a button that reacts, and see that the site says so, or does not offer any more what is pressed once.

    Raises:
        TaskFailed: it shows no such thing.
    """
    page = await client.follow(way)
    if not reaction.once or page.notes:
        return
    if any(again.name == way.name for again in await ways_to_react(client, reaction)):
        raise TaskFailed(f"{'; '.join(page.alerts) or f'{page.url} still offers it'}, after {way.name!r} was pressed")


def _given(way: str | None, thing: Thing, key: str) -> str:
    if way is None:
        raise TaskFailed(f"nothing says where to {key} a {thing.name}; set things.{thing.name}.{key} of the site")
    return way


def _lacking(text: str, wanted: list[tuple[str, str]]) -> list[tuple[str, str]]:
    """Give the values that a text does not say: a number in any writing, of another text its end."""
    return [(name, value) for name, value in wanted if not _says(text, value)]


def _says(text: str, value: str) -> bool:
    number = _NUMBER.fullmatch(value)
    if number is None:
        return ends_in(text, value)
    whole, cents = number[1], number[2] or ""
    fraction = rf"[.,]{cents}" if int(cents or 0) else rf"(?:[.,]{cents})?"
    return re.search(rf"(?<![\d.,]){whole}{fraction}(?!\d)", text) is not None
