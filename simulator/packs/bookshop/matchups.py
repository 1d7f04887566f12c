"""How users pit listings against each other and vote. Not responsible for: which (``interactions``)."""

from __future__ import annotations

from collections.abc import Sequence

from simulator.agent.contracts import Made
from simulator.agent.reading import Control, Field, Form, Link, Page
from simulator.agent.things import press, react, ways_to_react
from simulator.agent.tool_client import TaskFailed, TaskSkipped, ToolClient
from simulator.agent.words import about, holds
from simulator.canonical import url_shape
from simulator.packs.bookshop.finding import Finder, Seller, drawn
from simulator.packs.bookshop.interactions import DuelAim, PairAim, StockDuel
from simulator.packs.bookshop.things import VOTE
from simulator.tools.pages.vocabulary import normal


class Matchups:
    """The user's matchups and votes.

    Args:
        client: the run's tools.
        finder: waits for others' books.
    """

    def __init__(self, client: ToolClient, finder: Finder) -> None:
        self._client = client
        self._finder = finder
        self._started = 0
        self._voted: set[str] = set()

    async def start(self, aim: PairAim) -> None:
        """Pit two books against each other.

        Raises:
            TaskFailed: a book is not offered for it, or the site does not take it.
        """
        client = self._client
        books = [await self._finder.wait_for(book) for book in aim]
        if client.site.route("new_matchup") is None:
            await client.open("matchups")
        await client.open("new_matchup")
        form = next((form for form in await client.forms() if len(_lists(form)) == len(books)), None)
        if form is None:
            raise TaskFailed("no form on this page lets one choose two books")
        given = {
            f"ref={field.ref}": _option(field, title.text, seller)
            for field, (title, seller) in zip(_lists(form), books, strict=True)
        }
        result = await client.must("fill_form", form=f"ref={form.ref}", values=dict(given), submit=True)
        text = await client.text()
        if not all(holds(text, title.text) for title, _ in books):
            raise TaskFailed(f"the site took the form, but {Page.of(result.data).url} does not show both books")
        self._started += 1
        client.view.tell(Made("create_matchup", self._started))

    async def vote(self, aim: DuelAim | StockDuel) -> None:
        """Vote in a matchup.

        A planned one is looked for on the page of its first book: where it stands in the list of all depends on what
        others start meanwhile.

        Raises:
            TaskFailed: it cannot be found, or the site does not take the vote.
            TaskSkipped: there is none.
        """
        if isinstance(aim, StockDuel):
            await self._vote_in_stock(aim)
            return
        values = await self._client.made_by(aim.user, "create_matchup", aim.matchup)
        user = f"user.{aim.user}"
        maker = Seller("", values[f"{user}.username"], values[f"{user}.display_name"])
        titles = [(await self._finder.wait_for(book))[0].text for book in aim.pair]
        await self._finder.show(aim.pair.first, "vote")
        link = find_matchup(await self._client.links(), maker, titles)
        if link is None or not _names(link, titles):
            link = await self._in_the_list(maker, titles)
        await self._client.follow(Control.of(link))
        await react(self._client, VOTE, titles[aim.vote])

    async def _in_the_list(self, maker: Seller, titles: Sequence[str]) -> Link:
        """Look for a matchup among all there are."""
        await self._client.open("matchups")
        async for links in self._client.walk():
            if link := find_matchup(links, maker, titles):
                return link
        raise TaskFailed(f"the matchup of {titles[0]!r} and {titles[1]!r} by {maker.username} is not to be found")

    async def _vote_in_stock(self, aim: StockDuel) -> None:
        """Vote in a matchup of the stock seller that the user has not voted in."""
        client = self._client
        seller = await self._finder.stock_seller_shown()
        seller = seller._replace(username=seller.display_name or seller.username)
        found: dict[str, None] = {}
        await client.open("matchups")
        async for links in client.walk():
            found |= dict.fromkeys(link.href for link in links if _started_by(link, links, seller))
        left = [href for href in found if href not in self._voted]
        if not left:
            raise TaskSkipped(f"{seller.username!r} has no more matchups to vote in")
        wanted = left[drawn(f"{client.identity.seed}|{client.identity.username}|vote|{aim.turn}", len(left))]
        self._voted.add(wanted)
        await client.open("matchups")
        async for links in client.walk():
            link = next((link for link in links if link.href == wanted and link.name), None)
            if link is not None:
                await client.follow(Control.of(link))
                ways = await ways_to_react(client, VOTE)
                if len(ways) != 2:
                    raise TaskFailed(f"{link.name!r} offers {len(ways)} votes, not two")
                await press(client, VOTE, ways[aim.vote])
                return
        raise TaskFailed(f"a matchup of {seller.username!r} that was there a moment ago is gone")


def _started_by(link: Link, links: Sequence[Link], seller: Seller) -> bool:
    """Return whether a link of a page leads to a matchup of somebody."""
    return url_shape(link.href) != link.href and bool(seller.offers(link, links))


def _names(link: Link, titles: Sequence[str]) -> bool:
    """Return whether the name of a link holds two titles, each for itself where one begins with the other."""
    shorter, longer = sorted(map(normal, titles), key=len)
    name = normal(link.name)
    return holds(name, longer) and holds(name.replace(longer, " ", 1), shorter)


def find_matchup(links: Sequence[Link], maker: Seller, titles: Sequence[str]) -> Link | None:
    """Give the link to somebody's matchup of two titles: one that names both, and says the least besides."""
    theirs = [link for link in links if _started_by(link, links, maker)]
    fitting = [link for link in theirs if all(about((link.name, *link.card), title) for title in titles)]
    return min(
        fitting,
        key=lambda link: (
            not _names(link, titles),
            -maker.offers(link, links),
            len("".join((link.name, *link.card))),
        ),
        default=None,
    )


def _lists(form: Form) -> list[Field]:
    return [field for field in form.fields if field.options]


def _option(field: Field, title: str, seller: Seller) -> str:
    """Choose the option of a book: by its title, and by its seller where several have one of that title."""
    scored = [(seller.named_by((option,)), option) for option in field.options if about((option,), title)]
    best = max((score for score, _ in scored), default=0)
    fitting = [option for score, option in scored if score == best]
    if len(fitting) > 1 and best:
        shortest = min(map(len, fitting))
        fitting = [option for option in fitting if len(option) == shortest]
    if len(fitting) != 1:
        raise TaskFailed(f"{field.label!r} offers {len(fitting)} books called {title!r} of {seller.username}")
    return fitting[0]
