"""Whether a press without any input took effect: by the thing that it belongs to, and by how its control stands now.

Not responsible for: what was put into a form (``took_effect``), or what follows from it.
"""

from __future__ import annotations

from dataclasses import dataclass

from simulator.agent.reading import Control, Page
from simulator.agent.things import things_on
from simulator.agent.tool_client import ToolClient
from simulator.agent.words import Word, about, fit, holds
from simulator.browser.documents import explain
from simulator.recording.rows import ActionRow
from simulator.replay.evidence.resolve import compile_query
from simulator.runner.interrupted.resume_past import Sent
from simulator.tools.context import RunContext

_GONE = frozenset({404, 410})
_ONCE: tuple[Word, ...] = ("save", "delete")
"""What a site offers for as long as it has not been done; packs and the site say more of their things."""


@dataclass(frozen=True, slots=True)
class Finding:
    """What is known of something that was cut off."""

    took: bool | None
    """Whether it took effect; None: that is not known."""
    seen: str
    """By what, or what was looked for and where."""
    url: str = ""
    """Where what was made is, a template; empty where nothing new was found."""
    at: str = ""
    """Address of the page that shows what was sent; empty where none does."""
    shows: tuple[str, ...] = ()
    """The actions whose texts stand together there, more often than before, whatever names the thing."""


async def took_press(ctx: RunContext, client: ToolClient, sent: Sent, *, shows: bool) -> Finding:
    """Return whether a press happened on the site.

    Args:
        ctx: the run's tools; its actor is logged in as it was.
        client: make calls that change nothing.
        sent: the press.
        shows: whether the like of it was seen to change something when the run pressed it before.
    """
    return await _Press(ctx, client, sent.action).find(shows)


class _Press:
    """One press, looked for."""

    def __init__(self, ctx: RunContext, client: ToolClient, action: ActionRow) -> None:
        assert action.target is not None
        assert action.before is not None
        self._ctx = ctx
        self._client = client
        self._action = action
        self._target = action.target
        self._before = action.before.url
        cards = [scope.texts for scope in self._target.scopes if scope.kind == "card" and scope.texts]
        self._cards = [[self._shown(text) for text in texts] for texts in cards]

    async def find(self, shows: bool) -> Finding:
        page = Page.of((await self._client.must("navigate", url=self._before)).data)
        what = f"the button {self._target.name!r} on {page.url}"
        if page.status in _GONE:
            return Finding(True if self._own else None, f"{page.url} is gone")
        if page.status >= 400:
            return Finding(None, f"{page.url} answers with status {page.status}")
        alike = await self._alike()
        pressed = any(one.pressed == "true" for one in alike)
        if await self._present():
            once = shows or any(one.pressed for one in alike) or any(self._says(word) for word in self._once())
            if pressed or once:
                return Finding(pressed, f"{what} is {'pressed' if pressed else 'there as before'}")
            return Finding(None, f"whether pressing {what} did anything: nothing shows it")
        if pressed:
            return Finding(True, f"{what} has become one that is pressed")
        if self._cards and not await self._listed():
            return Finding(True, f"{self._cards[0][0]!r} is gone from {page.url}")
        if self._own and not any(one.name == self._shown(self._target.name) for one in alike):
            return Finding(True, f"{page.url} does not offer it any more")
        return Finding(None, f"{what} is gone, and nothing shows why")

    async def _listed(self) -> bool:
        """Return whether the card is still in the list of this page or of those that follow."""
        async for _ in self._client.walk():
            if holds(await self._client.text(), self._cards[0][0]):
                return True
        return False

    async def _alike(self) -> list[Control]:
        """Give the buttons that may be the pressed one, as it is now: in its card, or on its page."""
        texts = self._cards[0] if self._cards else []
        if not texts and not self._own:
            return []
        buttons = [Control.of(button) for button in await self._client.buttons()]
        return [one for one in buttons if not texts or any(about(one.card, text) for text in texts)]

    async def _present(self) -> bool:
        query = compile_query(self._target, self._shown)
        seen = await explain(self._ctx.actor.page, query.model_dump(exclude_defaults=True))
        return bool(seen["admitted"] == 1)

    @property
    def _own(self) -> bool:
        """Whether it was done on the page of one thing."""
        return "{{site." in self._before.partition("?")[0]

    def _says(self, word: Word) -> bool:
        return bool(fit(self._shown(self._target.name), word, self._ctx.site.words))

    def _once(self) -> list[Word]:
        reactions = (one for thing in things_on(self._ctx.site) for one in thing.react)
        return [*_ONCE, *(one.button for one in reactions if one.once)]

    def _shown(self, text: str) -> str:
        return self._ctx.bindings.render(text)
