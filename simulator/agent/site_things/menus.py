"""Opens the closed menus of a thing, where nothing that is shown says what is to be pressed.

Not responsible for: which page the thing is on. Nothing but what opens a menu is pressed here.
"""

from __future__ import annotations

from collections.abc import Sequence

from simulator.agent.reading import Button, Control
from simulator.agent.site_things.sought import Sought, the_one
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import Word, fit

_MOST = 5
"""Menus of one page that are opened to see what they hold."""


async def saying(client: ToolClient, words: Sequence[Word], *, buttons: bool) -> list[tuple[int, Control]]:
    """Give what says some words on the page, each with how well it does.

    Args:
        client: the run's tools.
        words: what it may say; earlier ones are meant rather.
        buttons: whether links do not count.
    """
    shown = {one.ref: Control.of(one) for one in await client.buttons()}
    if not buttons:
        shown = {**{one.ref: Control.of(one) for one in await client.links()}, **shown}
    found = ((_best_fit(client, control.name, words), control) for control in shown.values())
    return [pair for pair in found if pair[0]]


class Menus:
    """The closed menus of the page that is open.

    Args:
        client: the run's tools.
    """

    def __init__(self, client: ToolClient) -> None:
        self._client = client
        self._of_list: frozenset[tuple[str, tuple[str, ...]]] | None = None
        """What the menus of a list are called that stand beside no thing, and what they hold; None: not known."""

    async def of_page(self, words: Sequence[Word], *, buttons: bool) -> Control | None:
        """Open the menus of a page that is about one thing, until one holds what says some words.

        Those of the site are left alone: an account can be deleted, too. What stands on the list as well is the site's;
        of a part of the page that leads on, nothing else shows that it is the thing's.
        """
        closed = [one for one in await self._client.buttons() if self._is_of_thing(one)]
        return await self._first(closed, words, buttons=buttons, sure=False)

    def _is_of_thing(self, menu: Button) -> bool:
        if menu.apart or menu.opens not in ("page", "part"):
            return False
        listed = self._of_list is not None and (menu.name, menu.holds) in self._of_list
        return not (listed and menu.holds) if menu.opens == "page" else self._of_list is not None and not listed

    async def in_card(
        self, sought: Sought, words: Sequence[Word], *, buttons: bool, sure: bool = False
    ) -> Control | None:
        """Open the menus beside a thing in a list, until one holds what says some words.

        Args:
            sought: the thing.
            words: what it may say; earlier ones are meant rather.
            buttons: whether links do not count.
            sure: whether only those menus are opened that the page shows to hold it.

        Raises:
            TaskFailed: nothing shows beside which of several things it is meant.
        """
        every = [one for one in await self._client.buttons() if one.opens]
        self._of_list = frozenset((one.name, one.holds) for one in every if not one.apart or one.opens != "page")
        closed = [one for one in every if one.card]
        cards: dict[tuple[str, ...], tuple[int, int, Button]] = {}
        beside = [(sought.told_by(one.card), 0, one) for one in closed if sought.told_by(one.card)]
        for told, fits, one in beside:
            cards.setdefault(one.card, (told, fits, one))
        meant = the_one(sought, list(cards.values()))
        if meant is None:
            return None
        here = [one for _, _, one in beside if one.card == meant.card]
        if len({one.name for one in here}) < len(here):
            raise TaskFailed(f"several menus stand beside {sought.title.text!r}; nothing shows which one is meant")
        return await self._first(here, words, buttons=buttons, sure=sure)

    async def _first(
        self, closed: Sequence[Button], words: Sequence[Word], *, buttons: bool, sure: bool
    ) -> Control | None:
        """Open menus until one shows what says some words: first those that are known to hold it, then the unknown."""
        client = self._client
        holding = [one for one in closed if any(_best_fit(client, name, words) for name in one.holds)]
        unknown = [] if sure else [one for one in closed if not one.holds][:_MOST]
        for opener in (*holding, *unknown):
            links = {one.ref: one.href for one in await client.links()}
            before, here = {one.ref for one in await client.buttons()} | {*links}, client.here
            around = await client.text()
            page = await client.follow(Control.of(opener))
            if links.get(opener.ref) and page.url != here:
                return None  # it leads on where no script opens the menu: what is there is about something else
            shown = [pair for pair in await saying(client, words, buttons=buttons) if pair[1].ref not in before]
            best = [control for score, control in shown if score == max(score for score, _ in shown)]
            if len(best) > 1:
                raise TaskFailed(f"several things in a menu say {best[0].name!r}; nothing shows which one is meant")
            if best:
                return best[0].model_copy(update={"opener": opener.ref, "around": around})
        return None


def _best_fit(client: ToolClient, text: str, words: Sequence[Word]) -> int:
    """Give how well a text says the first of some words that it says."""
    return next((score for word in words if (score := fit(text, word, client.site.words))), 0)
