"""How users find listings: a planned one of another user, or any by a draw. Not responsible for: what for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from simulator.agent.filling import Value, form_asking
from simulator.agent.reading import Control, Link
from simulator.agent.tool_client import LONGEST_WALK, TaskFailed, TaskSkipped, ToolClient
from simulator.agent.words import about, holds
from simulator.canonical import sha256, url_shape
from simulator.packs.bookshop.books import books_of
from simulator.packs.bookshop.interactions import BookAim, StockAim
from simulator.packs.bookshop.settings import settings_of
from simulator.packs.bookshop.things import BOOK

_REDRAWS = 50


class Seller(NamedTuple):
    """Whose listing is sought."""

    template: str
    """The username, as a template."""
    username: str
    display_name: str = ""

    def named_by(self, texts: Sequence[str]) -> int:
        """Return whether texts name this seller: 2 by the username, 1 by the display name, 0 not at all."""
        if any(holds(text, self.username) for text in texts):
            return 2
        return int(any(holds(text, self.display_name) for text in texts))

    def offers(self, link: Link, links: Sequence[Link]) -> int:
        """Return whether the card around a link names this seller, or leads to the seller's page, as above."""
        beside = [other for other in links if other.card and other.card == link.card]
        return 2 if any(leads_to(other, self.username) for other in beside) else self.named_by(link.card)


class Finder:
    """Finds listings and their sellers.

    Args:
        client: the run's tools.
        number: the user's place in the batch, from 1.
    """

    def __init__(self, client: ToolClient, number: int) -> None:
        self._client = client
        self._number = number
        self._choices = 0
        self._chosen: dict[str, set[str]] = {}

    async def show(self, aim: BookAim | StockAim, task_type: str) -> Value:
        """Go to the page of a listing that is aimed at.

        Args:
            aim: whose listing.
            task_type: what for; of the stock, one task type takes no listing twice.

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
        chosen = await self.choose(f"any listing of {seller.username}", f"{task_type}|{aim.turn}", task_type)
        if chosen is None:
            raise TaskSkipped(f"{seller.username!r} has nothing more for sale")
        return chosen

    async def wait_for(self, aim: BookAim) -> tuple[Value, Seller]:
        """Wait until a user of the batch has listed a book.

        Raises:
            TaskFailed: the user has not.
        """
        client = self._client
        if aim.user == self._number:
            title = books_of(client.identity)[aim.book - 1].title
            own = Seller("{{identity.username}}", client.username, client.identity.display_name)
            return Value(f"{{{{book.{aim.book}.title}}}}", title), own
        values = await client.made_by(aim.user, BOOK.made_by, aim.book)
        user = f"user.{aim.user}"
        title = BOOK.known_as(aim.user, aim.book)
        seller = Seller(f"{{{{{user}.username}}}}", values[f"{user}.username"], values[f"{user}.display_name"])
        return Value(f"{{{{{title}}}}}", values[title]), seller

    def stock_seller(self) -> Seller:
        """Give the seller who is always there.

        Raises:
            TaskSkipped: the site section names none.
        """
        name = settings_of(self._client.site).stock_seller
        if name is None:
            raise TaskSkipped("no user before this one has any, and the site section names no bookshop.stock_seller")
        return Seller(name, name)

    async def stock_seller_shown(self) -> Seller:
        """Give the stock seller with the name that the site shows, as links to the seller's page have it."""
        seller = self.stock_seller()
        await self._open_seller(seller)
        shown = [link.name for link in await self._client.links() if link.name and leads_to(link, seller.username)]
        return seller._replace(display_name=next(iter(shown), ""))

    async def search(self, words: str) -> None:
        """Search for a text, a template: by the site's route, or else by its search form."""
        client = self._client
        if route := client.site.routes.get("search"):
            await client.visit(route.replace("{query}", words))
            return
        form = await form_asking(client, ("search",))
        if form is None:
            await client.open("browse")
            form = await form_asking(client, ("search",))
        if form is not None:
            await client.must("fill_form", form=f"ref={form.ref}", values={"search": words}, submit=True)

    async def choose(self, rule: str, key: str, task_type: str) -> Value | None:
        """Open one of the listings of this page, drawn from the user's seed; one task type takes none twice.

        Returns:
            The name of its link; None when there is none left.
        """
        links = await self._client.links()
        shape = collection_of(links)
        named = {link.href: link for link in links if link.name and url_shape(link.href) == shape}
        members = list(named.values())
        taken = self._chosen.setdefault(task_type, set())
        left = [link for link in members if link.href not in taken]
        if not left:
            return None
        for seed in _seeds(f"{self._client.identity.seed}|{self._number}|{key}"):
            link = members[drawn(seed, len(members))]
            if link in left:
                break
        taken.add(link.href)
        aim = {"rule": rule, "collection": shape, "seed": seed}
        await self._client.must("click", selector=f"ref={link.ref}", aim=dict(aim))
        self._choices += 1
        return Value(f"{{{{choice.{self._choices}}}}}", link.name)

    async def _find(self, title: Value, seller: Seller) -> None:
        """Go to a listing by a search for its title, or else by its seller's page."""
        client = self._client
        await self.search(title.template)
        if await self._found(title, seller, client.pages, own_page=False):
            return
        await self._open_seller(seller)
        if not await self._found(title, seller, LONGEST_WALK, own_page=True):
            raise TaskFailed(f"{title.text!r} of {seller.username} is not to be found")

    async def _found(self, title: Value, seller: Seller, most: int, *, own_page: bool) -> bool:
        """Look for a listing in a list and open it.

        A link that says more than the title is taken only where the whole list is one page and no other fits: the title
        may be the beginning of another one.
        """
        pages = 0
        fitting: list[tuple[int, int, Link]] = []
        async for links in self._client.walk(most):
            pages += 1
            scored = [
                (2 if own_page else seller.offers(link, links), about((link.name,), title.text), link) for link in links
            ]
            fitting = [one for one in scored if one[0] and one[1]]
            exact = [one for one in fitting if one[1] == 2]
            sure = [one for one in exact if one[0] == 2] or exact
            if len({one[2].href for one in sure}) == 1:
                await self._enter(sure[0][2], title, seller)
                return True
        if pages == 1 and len({one[2].href for one in fitting}) == 1:
            await self._enter(fitting[0][2], title, seller)
            return True
        return False

    async def _enter(self, link: Link, title: Value, seller: Seller) -> None:
        page = await self._client.follow(Control.of(link))
        text = await self._client.text()
        if not holds(text, title.text) or not seller.named_by([text]):
            raise TaskFailed(f"{page.url} is not {title.text!r} of {seller.username}")

    async def _open_seller(self, seller: Seller) -> None:
        route = self._client.site.routes.get("seller")
        if route is not None:
            await self._client.visit(route.replace("{username}", seller.template))
            return
        await self._client.open("browse")
        async for links in self._client.walk():
            for link in links:
                if leads_to(link, seller.username) or link.name == seller.display_name != "":
                    await self._client.follow(Control.of(link))
                    return
        raise TaskFailed(f"no link leads to the seller {seller.username!r}; set routes.seller of the site")


def leads_to(link: Link, username: str) -> bool:
    """Return whether a link leads to a user's own page: its path ends in the username."""
    return link.href.partition("?")[0].rstrip("/").rpartition("/")[2] == username


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


def _seeds(key: str) -> Iterator[str]:
    """Give one seed after another, until a draw is not one that was taken."""
    yield key
    for again in range(2, _REDRAWS):
        yield f"{key}|{again}"
