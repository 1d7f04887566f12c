"""Takes back what a user has made on a site: the newest first, by the site's own way to delete it.

Not responsible for: which things there are, or keeping what became of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Literal, NamedTuple

from pydantic import JsonValue

from simulator.agent.account import Account
from simulator.agent.contracts import Finish, Progress, RunView, TaskEnded
from simulator.agent.reading import Control, Page
from simulator.agent.routine import Routine
from simulator.agent.site_things.confirming import LOOKS, asks_about, beneath, confirmed, of_the_page
from simulator.agent.tool_client import TaskFailed, ToolClient
from simulator.agent.words import about, holds
from simulator.canonical import is_generated
from simulator.meaning import find_in

Login = Mapping[str, JsonValue] | None
Became = Literal["removed", "gone", "left"]
"""``gone``: it was not there any more. ``left``: it is still there."""
ACCOUNT = "account"
_STEP = re.compile(r"[/?&=#]")


class Thing(NamedTuple):
    """Something that was made."""

    id: str
    kind: str
    url: str
    """A template."""
    fields: Mapping[str, str]
    """What it shows, as templates."""
    own: bool = True
    """Whether the address is of this thing alone."""
    card: bool = False
    """Whether the page at the address shows it as one card among others."""


class Cleaned(NamedTuple):
    """What became of a thing."""

    thing: Thing
    became: Became
    reason: str = ""


class Cleaner(Routine):
    """Takes back what one user has made.

    Args:
        things: in the order in which they were made.
        told: takes what became of each.
        login: with whom and with which password it logs in first; None where nobody did.
    """

    def __init__(self, things: Sequence[Thing], told: Callable[[Cleaned], None], *, login: Login = None) -> None:
        super().__init__()
        self._login = login
        self._things = things
        self._told = told

    async def work(self, view: RunView) -> Finish:
        """Log in, and take back one thing after another."""
        client = ToolClient(view, self.ask)
        left: list[str] = []
        try:
            if self._login is not None:
                await Account(client).login(self._login)
        except TaskFailed as failure:
            for thing in reversed(self._things):
                self._told(Cleaned(thing, "left", f"its user cannot log in: {failure}"))
            return Finish("failed", f"login: {failure}")
        for place, thing in enumerate(reversed(self._things), start=1):
            view.tell(Progress(f"remove {thing.kind}"))
            try:
                cleaned = Cleaned(thing, await self._clear(client, thing))
            except TaskFailed as failure:
                cleaned = Cleaned(thing, "left", str(failure))
            self._told(cleaned)
            failed = cleaned.became == "left"
            left += [f"{thing.kind} {thing.url}: {cleaned.reason}"] if failed else []
            view.tell(TaskEnded(f"remove {thing.kind}", place, "failed" if failed else "done", 0.0, cleaned.reason))
        return Finish("failed", f"{len(left)} things are left: {left[0]}") if left else Finish("passed")

    async def _clear(self, client: ToolClient, thing: Thing) -> Became:
        if thing.kind == ACCOUNT:
            return await self._close_account(client, thing)
        if not (thing.own or thing.card):
            raise TaskFailed(f"nothing is known that takes back a {thing.kind}")
        before = Page.of((await client.must("navigate", url=thing.url)).data)
        if before.status >= 400 or await _leads_elsewhere(client, before, thing):
            return "gone"
        if not thing.fields:
            raise TaskFailed(f"nothing on {client.view.shown(before.url)} shows that it is still the same")
        if not await self._shows(client, thing):
            if thing.card:
                return "gone"
            raise TaskFailed(f"{client.view.shown(before.url)} shows something else now")
        await _delete(client, before, thing)
        after = Page.of((await client.must("navigate", url=thing.url)).data)
        elsewhere = after.status >= 400 or await _leads_elsewhere(client, after, thing)
        if not elsewhere and await self._shows(client, thing):
            raise TaskFailed(f"{client.view.shown(after.url)} still shows it after it was deleted")
        return "removed"

    async def _close_account(self, client: ToolClient, thing: Thing) -> Became:
        before = await client.visit(thing.url)
        await _give_password(client)
        await _delete(client, before, thing)
        again = await client.do("login", **(self._login or {}))
        if again.success:
            raise TaskFailed("its user can still log in")
        return "removed"

    async def _shows(self, client: ToolClient, thing: Thing) -> bool:
        text = await client.text()
        parts = [(part, client.view.shown(part)) for part in thing.fields.values()]
        return all(holds(text, part) or holds(text, shown) or find_in(shown, text) for part, shown in parts)


async def _leads_elsewhere(client: ToolClient, page: Page, thing: Thing) -> bool:
    """Return whether the address of a thing leads to a page about something else, as it may once the thing is gone.

    Raises:
        TaskFailed: it leads to where one logs in, which says nothing of the thing.
    """
    ids = [step for step in _STEP.split(client.view.shown(thing.url)) if is_generated(step)]
    steps = _STEP.split(client.view.shown(page.url))
    if not thing.own or not ids or any(step == ids[-1] or step.startswith(f"{ids[-1]}-") for step in steps):
        return False
    if any(form.asking("password") for form in await client.forms()):
        raise TaskFailed(f"it leads to {client.view.shown(page.url)}, which asks for a password")
    return True


async def _delete(client: ToolClient, before: Page, thing: Thing) -> None:
    """Press what deletes the thing that a page is about, and what confirms that."""
    control = await _deleting(client, before, thing)
    if control is None and not thing.card:
        before, control = await _on_edit_page(client, before, thing)
    if control is None:
        raise TaskFailed(f"nothing on {client.view.shown(before.url)} says delete")
    there = {one.ref for one in await client.buttons()}
    page = await client.follow(control)
    stayed = any(one.ref in there for one in await client.buttons())
    if page.url == before.url and not stayed:
        return
    title = client.view.shown(next(iter(thing.fields.values()), ""))
    if (control.is_button or stayed) and not await asks_about(client, title, control, page, there):
        return
    sure = await confirmed(client, page, ("delete",), there)
    if sure is not None:
        await _give_password(client)
        await client.follow(sure)


async def _on_edit_page(client: ToolClient, before: Page, thing: Thing) -> tuple[Page, Control | None]:
    """Go to where the thing is edited, if a page that is its own leads there; gives what deletes it there."""
    said = dict.fromkeys(one.edit.by for one in client.site.things.values() if one.edit)
    ways: list[Control] = []
    for left in range(LOOKS, 0, -1):
        for word in dict.fromkeys((*said, "edit")):
            ways = [control for _, control in await client.controls(word) if not control.card]
            if ways:
                break
        ways = ways or await _to_settings(client, before)
        if ways or left == 1:
            break
        await client.pause()  # a script may yet draw it
    if not thing.own or len(ways) != 1:
        return before, None
    page = await client.follow(ways[0])
    if page.url == before.url:
        return page, None
    found = await _deleting(client, page, thing)
    if found is None:
        title = client.view.shown(next(iter(thing.fields.values()), ""))
        page, controls = await beneath(client, page, ("delete",), title)
        found = controls[0] if len(controls) == 1 else None
    return page, found


async def _to_settings(client: ToolClient, page: Page) -> list[Control]:
    """Give the links to the settings of what a page is about: they go on from its ids, those of the site do not."""
    links = [control for _, control in await client.controls("settings") if control.href]
    own = of_the_page(client, page, links, alone=True)
    return list({one.href: one for one in own}.values())


async def _give_password(client: ToolClient) -> None:
    """Put the user's password where the page asks for it, to confirm what is done."""
    for form in await client.forms():
        asked = form.asking("password")
        if asked is not None:
            await client.must("fill", selector=f"ref={asked.ref}", value="{{secret.password}}")


async def _deleting(client: ToolClient, page: Page, thing: Thing) -> Control | None:
    """Find the one control that deletes what the page is about, and not one of others' cards on it.

    Raises:
        TaskFailed: there are several.
    """
    texts = [client.view.shown(text) for text in thing.fields.values()]
    found = [
        (score, control)
        for score, control in await client.controls("delete")
        if (not control.card and not thing.card) or any(about(control.card, text) for text in texts)
    ]
    if not found:
        return None
    # A card of another thing of that name shows one of its texts, and its own shows each of them.
    whole = [one for one in found if thing.card and all(about(one[1].card, text) for text in texts)]
    found = whole or found
    most = max(score for score, _ in found)
    best = of_the_page(client, page, [control for score, control in found if score == most])
    if len(best) > 1:
        raise TaskFailed(f"{len(best)} controls of the page say delete")
    return best[0]
