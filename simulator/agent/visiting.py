"""How the autopilot looks around, finds others' listings, saves them and writes to their sellers.

Not responsible for: whose listings, which is planned in ``aims``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from simulator.agent.aims import BookAim, StockAim
from simulator.agent.filling import Value, form_asking, send
from simulator.agent.hands import Hands, TaskFailed, TaskSkipped
from simulator.agent.reading import Control, Link, Page
from simulator.agent.words import about, ends_in, holds
from simulator.canonical import sha256, url_shape
from simulator.persona.prose import about_listing
from simulator.persona.tasks import Browse

_REDRAWS = 50


class Seller(NamedTuple):
    """Whose listing is sought."""

    username: str
    """As a template."""
    names: tuple[str, ...]
    """Username and display name: a site shows either."""

    def stands_in(self, link: Link, links: Sequence[Link]) -> bool:
        """Tell whether the card of a link names this seller, or leads to the seller's page."""
        if any(holds(text, name) for text in link.card for name in self.names):
            return True
        beside = (other for other in links if other.card and other.card == link.card)
        return any(self.names[0] in other.href.split("?")[0].split("/") for other in beside)


class Visiting:
    """What the user does with others' listings.

    Args:
        hands: the run's tools.
        number: the user's place in the batch, from 1.
    """

    def __init__(self, hands: Hands, number: int) -> None:
        self._hands = hands
        self._number = number
        self._written = 0
        self._choices = 0
        self._chosen: dict[str, set[str]] = {}

    # -- tasks

    async def browse(self, task: Browse, index: int) -> None:
        """Look through pages of listings, and into one of them.

        Raises:
            TaskFailed: the site has no such pages.
        """
        hands = self._hands
        await hands.open("browse")
        if task.query or task.genre:
            await self._narrow(task.query or "", task.genre or "")
        else:
            await self._choose("any listing", f"browse|{index}", "browse")
            if task.pages > 1:
                await hands.open("browse")
        if task.pages > 1:
            async for _ in hands.walk(task.pages):
                pass

    async def save(self, aim: BookAim | StockAim) -> None:
        """Mark a listing as saved.

        Raises:
            TaskFailed: it cannot be found or saved.
            TaskSkipped: there is none.
        """
        title = await self.show(aim, "save")
        hands = self._hands
        found = [pair for pair in await hands.controls("save") if not pair[1].card or about(pair[1].card, title.text)]
        if not found:
            raise TaskFailed(f"nothing beside {title.text!r} says save")
        _, control = max(found, key=lambda pair: pair[0])
        if control.pressed == "true":
            raise TaskFailed(f"{title.text!r} is saved already")
        page = await hands.follow(control)
        after = next((button for button in await hands.buttons() if button.ref == control.ref), None)
        changed = after is not None and (after.pressed == "true" or after.name != control.name)
        if not changed and not page.notes:
            raise TaskFailed(f"the page shows no change after {control.name!r} was pressed for {title.text!r}")

    async def write(self, aim: BookAim | StockAim) -> None:
        """Write to the seller of a listing.

        Raises:
            TaskFailed: the listing cannot be found, or the site does not take the message.
            TaskSkipped: there is none.
        """
        self._written += 1
        number = self._written
        title = await self.show(aim, "message_seller")
        hands, identity = self._hands, self._hands.identity
        if await form_asking(hands, ("message",)) is None:
            ways = [pair for pair in await hands.controls("message") if not pair[1].card]
            if not ways:
                raise TaskFailed(f"nothing on the page of {title.text!r} leads to its seller")
            await hands.follow(max(ways, key=lambda pair: pair[0])[1])
        template = about_listing(title.template, locale=identity.locale) + f"{{{{text.message.{number}}}}}"
        text = Value(template, identity.message_text(number, title.text))
        subject = Value(title.template, title.text)
        before = await hands.do("get_page_url")
        page, sent = await send(hands, {"message": text, "subject": subject}, by=("message",))
        was = Page.of(before.data)
        if not page.notes and page.url == was.url and not ends_in(await hands.text(), sent["message"].text):
            raise TaskFailed(f"the site does not say that the message about {title.text!r} was sent")

    # -- finding listings

    async def show(self, aim: BookAim | StockAim, deed: str) -> Value:
        """Go to the page of a listing that is aimed at.

        Args:
            aim: whose listing.
            deed: what for; of the stock, one deed takes no listing twice.

        Returns:
            Its title.

        Raises:
            TaskFailed: it is not there.
            TaskSkipped: there is none.
        """
        if isinstance(aim, BookAim):
            title, seller = await self.wait_for(aim)
            await self._find(title, seller)
            return title
        seller = self.stock_seller()
        await self._open_seller(seller)
        chosen = await self._choose(f"any listing of {seller.username}", f"{deed}|{aim.turn}", deed)
        if chosen is None:
            raise TaskSkipped(f"{seller.username!r} has nothing more for sale")
        return chosen

    async def wait_for(self, aim: BookAim) -> tuple[Value, Seller]:
        """Wait until a user of the batch has listed a book.

        Raises:
            TaskFailed: the user has not.
        """
        hands = self._hands
        if aim.user == self._number:
            name, values = f"book.{aim.book}.title", {}
            title = hands.identity.books[aim.book - 1].title
            own = Seller("{{identity.username}}", (hands.identity.username, hands.identity.display_name))
            return Value(f"{{{{{name}}}}}", title), own
        patience = hands.view.persona.limits.minutes * 60
        item = await hands.view.peers.wait(aim.user, "list_books", aim.book, patience)
        if item is None:
            raise TaskFailed(f"user {aim.user} of the batch did not list book {aim.book}")
        values = dict(item.values)
        user, name = f"user.{aim.user}", f"user.{aim.user}.book.{aim.book}.title"
        names = (values[f"{user}.username"], values[f"{user}.display_name"])
        return Value(f"{{{{{name}}}}}", values[name]), Seller(f"{{{{{user}.username}}}}", names)

    def stock_seller(self) -> Seller:
        """Give the seller who is always there.

        Raises:
            TaskSkipped: the site section names none.
        """
        name = self._hands.site.stock_seller
        if name is None:
            raise TaskSkipped("no user before this one has any, and the site section names no stock_seller")
        return Seller(name, (name,))

    async def _find(self, title: Value, seller: Seller) -> None:
        """Go to a listing by a search for its title, or else by its seller's page."""
        await self._search(title.template)
        async for links in self._hands.walk(self._hands.pages):
            named = [(about((link.name,), title.text), link) for link in links]
            found = [pair for pair in named if pair[0] and seller.stands_in(pair[1], links)]
            if found:
                await self._enter(max(found, key=lambda pair: pair[0])[1], title, seller)
                return
        await self._open_seller(seller)
        async for links in self._hands.walk():
            named = [(about((link.name,), title.text), link) for link in links]
            found = [pair for pair in named if pair[0]]
            if found:
                await self._enter(max(found, key=lambda pair: pair[0])[1], title, seller)
                return
        raise TaskFailed(f"{title.text!r} of {seller.names[0]} is not to be found")

    async def _enter(self, link: Link, title: Value, seller: Seller) -> None:
        page = await self._hands.follow(Control.of(link))
        text = await self._hands.text()
        if not holds(text, title.text) or not any(holds(text, name) for name in seller.names):
            raise TaskFailed(f"{page.url} is not {title.text!r} of {seller.names[0]}")

    async def _search(self, words: str) -> None:
        """Search for a text, a template: by the site's route, or else by its search form."""
        hands = self._hands
        if route := hands.site.routes.get("search"):
            await hands.visit(route.replace("{query}", words))
            return
        form = await form_asking(hands, ("search",))
        if form is None:
            await hands.open("browse")
            form = await form_asking(hands, ("search",))
        if form is not None:
            values = {"search": words}
            await hands.must("fill_form", form=f"ref={form.ref}", values=dict(values), submit=True)

    async def _narrow(self, query: str, genre: str) -> None:
        """Look for words and a genre, as far as the site lets one."""
        form = await form_asking(self._hands, ("search", "genre") if genre else ("search",))
        if form is None:
            await self._search(query or genre)
            return
        values = {"search": query, "genre": genre}
        given = {meaning: text for meaning, text in values.items() if text}
        await self._hands.must("fill_form", form=f"ref={form.ref}", values=dict(given), submit=True)

    async def _open_seller(self, seller: Seller) -> None:
        route = self._hands.site.routes.get("seller")
        if route is not None:
            await self._hands.visit(route.replace("{username}", seller.username))
            return
        await self._hands.open("browse")
        async for links in self._hands.walk():
            for link in links:
                if link.href.split("?")[0].split("/")[-1] == seller.names[0] or link.name in seller.names:
                    await self._hands.follow(Control.of(link))
                    return
        raise TaskFailed(f"no link leads to the seller {seller.names[0]!r}; set routes.seller of the site")

    async def names_of(self, seller: Seller) -> tuple[str, ...]:
        """Give all names that the site shows for a seller, by the links to the seller's page."""
        await self._open_seller(seller)
        links = await self._hands.links()
        shown = [link.name for link in links if link.name and link.href.split("?")[0].endswith(f"/{seller.names[0]}")]
        return tuple(dict.fromkeys((*seller.names, *shown)))

    # -- choosing

    async def _choose(self, rule: str, key: str, deed: str) -> Value | None:
        """Open one of the listings of this page, drawn from the user's seed; one deed takes none twice.

        Returns:
            The name of its link; None when there is none left.
        """
        links = await self._hands.links()
        shape = collection_of(links)
        named = [link for link in links if link.name and url_shape(link.href) == shape]
        members = [link for place, link in enumerate(named) if link.href not in {one.href for one in named[:place]}]
        taken = self._chosen.setdefault(deed, set())
        if all(link.href in taken for link in members):
            return None
        for redraw in range(_REDRAWS):
            seed = f"{self._hands.identity.seed}|{self._number}|{key}|{redraw}"
            link = members[drawn(seed, len(members))]
            if link.href not in taken:
                break
        taken.add(link.href)
        aim: dict[str, str] = {"rule": rule, "collection": shape, "seed": seed}
        await self._hands.must("click", selector=f"ref={link.ref}", aim=dict(aim))
        self._choices += 1
        return Value(f"{{{{choice.{self._choices}}}}}", link.name)


def drawn(seed: str, count: int) -> int:
    """Draw a place below ``count``: the first 48 bits of the seed's SHA-256, modulo ``count``."""
    return int(sha256(seed)[:12], 16) % count


def collection_of(links: Sequence[Link]) -> str:
    """Give the shape of the addresses that the cards of a list lead to: the one that most of them share."""
    shapes: dict[str, set[str]] = {}
    for link in links:
        shape = url_shape(link.href)
        if link.card and link.name and shape.partition("?")[0].rstrip("/").endswith("{id}"):
            shapes.setdefault(shape, set()).add(link.href)
    return max(shapes, key=lambda shape: len(shapes[shape]), default="")
