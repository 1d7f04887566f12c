"""How the autopilot pits listings against each other and votes. Not responsible for: which, planned in ``aims``."""

from __future__ import annotations

from simulator.agent.aims import DuelAim, PairAim, StockDuel
from simulator.agent.contracts import Made
from simulator.agent.hands import Hands, TaskFailed, TaskSkipped
from simulator.agent.reading import Control, Field, Form, Link, Page
from simulator.agent.visiting import Seller, Visiting, drawn
from simulator.agent.words import about, holds
from simulator.canonical import url_shape


class Duels:
    """The user's matchups and votes.

    Args:
        hands: the run's tools.
        visiting: waits for others' books.
    """

    def __init__(self, hands: Hands, visiting: Visiting) -> None:
        self._hands = hands
        self._visiting = visiting
        self._started = 0
        self._voted: set[str] = set()

    async def start(self, aim: PairAim) -> None:
        """Pit two books against each other.

        Raises:
            TaskFailed: a book is not offered for it, or the site does not take it.
        """
        hands = self._hands
        books = [await self._visiting.wait_for(book) for book in aim]
        await self._open_form()
        form = next((form for form in await hands.forms() if len(_lists(form)) >= 2), None)
        if form is None:
            raise TaskFailed("no form on this page lets one choose two books")
        given = {
            f"ref={field.ref}": _option(field, title.text, seller)
            for field, (title, seller) in zip(_lists(form), books, strict=False)
        }
        result = await hands.must("fill_form", form=f"ref={form.ref}", values=dict(given), submit=True)
        page = Page.of(result.data)
        text = await hands.text()
        if not all(holds(text, title.text) for title, _ in books):
            raise TaskFailed(f"the site took the form, but {page.url} does not show both books")
        self._started += 1
        hands.view.tell(Made("create_matchup", self._started))

    async def vote(self, aim: DuelAim | StockDuel) -> None:
        """Vote in a matchup.

        Raises:
            TaskFailed: it cannot be found, or the site does not take the vote.
            TaskSkipped: there is none.
        """
        if isinstance(aim, StockDuel):
            await self._vote_in_stock(aim)
            return
        hands = self._hands
        patience = hands.view.persona.limits.minutes * 60
        item = await hands.view.peers.wait(aim.user, "create_matchup", aim.matchup, patience)
        if item is None:
            raise TaskFailed(f"user {aim.user} of the batch did not start matchup {aim.matchup}")
        titles = [(await self._visiting.wait_for(book))[0].text for book in aim.pair]
        maker = (item.values[f"user.{aim.user}.username"], item.values[f"user.{aim.user}.display_name"])
        await hands.open("matchups")
        async for links in hands.walk():
            for link in links:
                said = (link.name, *link.card)
                if _of(link, maker) and all(about(said, title) for title in titles):
                    await hands.follow(Control.of(link))
                    await self._vote_for(titles[aim.vote])
                    return
        raise TaskFailed(f"the matchup of {titles[0]!r} and {titles[1]!r} by {maker[0]} is not to be found")

    async def _vote_in_stock(self, aim: StockDuel) -> None:
        """Vote in a matchup of the stock seller that the user has not voted in."""
        hands = self._hands
        seller = self._visiting.stock_seller()
        names = await self._visiting.names_of(seller)
        found: dict[str, None] = {}
        await hands.open("matchups")
        async for links in hands.walk():
            found |= dict.fromkeys(link.href for link in links if _of(link, names) and link.href not in self._voted)
        if not found:
            raise TaskSkipped(f"{seller.username!r} has no more matchups to vote in")
        wanted = list(found)[drawn(f"{hands.identity.seed}|{hands.identity.username}|vote|{aim.turn}", len(found))]
        self._voted.add(wanted)
        await hands.open("matchups")
        async for links in hands.walk():
            link = next((link for link in links if link.href == wanted), None)
            if link is not None:
                await hands.follow(Control.of(link))
                ways = await self._ways()
                if len(ways) != 2:
                    raise TaskFailed(f"{wanted} offers {len(ways)} votes, not two")
                await self._press(ways[aim.vote])
                return
        raise TaskFailed(f"{wanted} is gone")

    async def _vote_for(self, title: str) -> None:
        ways = [way for way in await self._ways() if about((way.name, *way.card), title)]
        if not ways:
            raise TaskFailed(f"nothing on this page votes for {title!r}")
        await self._press(min(ways, key=lambda way: len(way.name)))

    async def _ways(self) -> list[Control]:
        """Give the buttons of the page that vote, in its order."""
        return [control for _, control in await self._hands.controls("vote") if control.is_button]

    async def _press(self, way: Control) -> None:
        """Press a vote, and see that one cannot vote again or the site says it is counted."""
        page = await self._hands.follow(way)
        if not page.notes and any(again.name == way.name for again in await self._ways()):
            raise TaskFailed(f"the page shows no change after {way.name!r}")

    async def _open_form(self) -> None:
        """Go to the form for a matchup, by its route or by a link beside the matchups."""
        hands = self._hands
        if hands.site.route("new_matchup") is None:
            await hands.open("matchups")
        await hands.open("new_matchup")


def _of(link: Link, names: tuple[str, ...]) -> bool:
    """Tell whether a link leads to a matchup of somebody."""
    minted = url_shape(link.href) != link.href
    return minted and any(holds(text, name) for text in link.card for name in names)


def _lists(form: Form) -> list[Field]:
    return [field for field in form.fields if len(field.options) > 1]


def _option(field: Field, title: str, seller: Seller) -> str:
    """Choose the option of a book: by its title, and by its seller where several have it."""
    fitting = [option for option in field.options if about((option,), title)]
    named = [option for option in fitting if any(holds(option, name) for name in seller.names)]
    if len(named or fitting) != 1:
        raise TaskFailed(f"{field.label!r} offers {len(named or fitting)} books called {title!r} of {seller.names[0]}")
    return (named or fitting)[0]
