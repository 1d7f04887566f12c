"""What the autopilot does with tools over and over: calling them, finding its way, reading pages.

Not responsible for: any task of a persona.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Awaitable, Callable, Mapping

from pydantic import JsonValue

from simulator.agent.contracts import RunView
from simulator.agent.reading import Button, Control, Form, Link, Page
from simulator.agent.words import Word, fit, same, says_word
from simulator.domain import Thing, thing_of
from simulator.tools.contracts import ToolResult
from simulator.tools.families.extraction import OWN
from simulator.tools.toolsets import MAIL

Do = Callable[[str, dict[str, JsonValue]], Awaitable[ToolResult]]
_TRIES = {"low": 1, "medium": 2, "high": 3}
_PAGES = {"low": 3, "medium": 6, "high": 12}
_PASSING = frozenset({"timeout", "navigation", "unavailable"})
"""Failures that may be over at the next try."""
_GONE = frozenset({"not_found", "not_actionable"})
"""Failures of a press that did nothing: a script has redrawn the page since it was read."""
_HARMLESS = frozenset({"navigate", "read_links", "read_buttons", "read_forms", "get_page_text"})
"""Tools that may be called again without doing anything twice."""
_LEADING = frozenset({"navigate", "register", "login", "open_mail_link"})
"""Tools that open a page where none is."""
PAUSE_S = 0.6
"""Seconds for which a page is let go on that does not show yet what is looked for."""
LONGEST_WALK = 100
"""Pages of one list, at most."""


class TaskFailed(Exception):
    """A task, or one of its parts, could not be done: what stood in the way, in the site's words where it spoke."""


class TaskSkipped(Exception):
    """There was nothing to do it with."""


class ToolClient:
    """The tools of one run, as the tasks use them.

    Args:
        view: the run.
        do: does one call.
    """

    def __init__(self, view: RunView, do: Do) -> None:
        self.view = view
        self.site = view.site
        self.identity = view.identity
        self.tries = _TRIES[view.persona.traits.patience]
        self.pages = _PAGES[view.persona.traits.patience]
        """How many pages of a list this user looks through."""
        self.reads_mail = MAIL in view.persona.tools.toolsets
        """Whether a mailbox is set up for this user."""
        self.username = view.identity.username
        """The one that the site knows the user by."""
        self._do = do
        self._somewhere = False
        """Whether a page is open: the first task of all begins on none."""
        self.here = ""
        """Address of the page that the last call has reported."""
        self._status = 0
        """HTTP status of the page that the last call has reported."""
        self._buttons: list[Button] = []
        """As they were read last."""

    async def do(self, tool: str, **input: JsonValue) -> ToolResult:
        """Call a tool; what may pass is tried again, as often as this user has patience."""
        return await self._tried(tool, input, self.tries if tool in _HARMLESS else 1)

    async def read(self, tool: str, **input: JsonValue) -> ToolResult:
        """Call a tool that does nothing to the site; what may pass is tried again, and it has to succeed.

        Raises:
            TaskFailed: it does not.
        """
        result = await self._tried(tool, input, self.tries)
        if result.error is not None:
            raise TaskFailed(result.error.message)
        return result

    async def _tried(self, tool: str, input: dict[str, JsonValue], times: int) -> ToolResult:
        for _ in range(times):
            result = await self._do(tool, input)
            if result.error is None or result.error.type not in _PASSING:
                break
        self._somewhere |= result.success and tool in _LEADING
        if result.success and (page := Page.of(result.data)).url:
            self._status, self.here = page.status, page.url
        return result

    async def must(self, tool: str, **input: JsonValue) -> ToolResult:
        """Call a tool that has to succeed.

        Raises:
            TaskFailed: it does not.
        """
        result = await self.do(tool, **input)
        if result.error is not None:
            raise TaskFailed(result.error.message)
        return result

    # -- finding the way

    async def visit(self, path: str) -> Page:
        """Open a path of the site; a template.

        Raises:
            TaskFailed: it cannot be opened, or the site answers with an error.
        """
        page = Page.of((await self.must("navigate", url=path)).data)
        if page.status >= 400:
            said = "; ".join(page.alerts) or page.title
            raise TaskFailed(f"{path} answered with status {page.status}: {said}")
        return page

    async def open(self, way: Word, *, among: Word | None = None) -> Page:
        """Go to a page of the site, by its address, by its route, or else by a link or a button that says it.

        A button is pressed where no link is called so; one of a form, or of a card, is not one that leads anywhere.

        Args:
            way: the address, the route, or the words.
            among: where such a button stands, if not on the home page.

        Raises:
            TaskFailed: none leads there.
        """
        route = way if way.startswith("/") else self.site.route(way)
        if route is not None:
            return await self.visit(route)
        starts = [among] if among is not None else []
        for start in ([None] if self._somewhere else []) + starts + ["home"]:
            if start is not None:
                await self.open(start)
            for left in (start is not None, False):
                control = await self._leading(way, buttons=start is not None or among is None)
                if control is not None:
                    result = await self.do("click", selector=f"ref={control.ref}")
                    if result.error is None:
                        return Page.of(result.data)
                    if not left or result.error.type not in _GONE:
                        raise TaskFailed(result.error.message)
                if not left:
                    break
                await self.pause()
        raise TaskFailed(f"no link or button leads to {way.replace('_', ' ')}; {self.site.how_to_lead(way)}")

    async def _leading(self, way: Word, *, buttons: bool) -> Control | None:
        """Give the link or the button of the page that says a way: what says it and nothing else comes first."""
        link = best(await self.links(), way, self.site.words)
        if not buttons or (link is not None and same(link.name, way)):
            return Control.of(link) if link is not None else None
        free = [button for button in await self.buttons() if not button.form and not button.card]
        exact = [button for button in free if same(button.name, way)]
        if exact or link is None:
            button = max(exact or free, key=lambda one: fit(one.name, way, self.site.words), default=None)
            fits = button is not None and (exact or fit(button.name, way, self.site.words))
            return Control.of(button) if button is not None and fits else None
        return Control.of(link)

    async def follow(self, control: Control) -> Page:
        """Press a link or a button; the one that says the same, where a script has drawn it anew since it was read.

        Raises:
            TaskFailed: it cannot be pressed, or the site answers with an error.
        """
        before = self._status
        pressed = await self.do("click", selector=f"ref={control.ref}")
        if pressed.error is not None and pressed.error.type in _GONE:
            await self.pause()
            same_now = await self._drawn_anew(control)
            pressed = await self.do("click", selector=f"ref={same_now.ref}") if same_now else pressed
        if pressed.error is not None:
            raise TaskFailed(pressed.error.message)
        page = Page.of(pressed.data)
        # A page that is drawn by scripts may have come with a 404, and goes on from there: no press has led to that.
        if page.status >= 400 and page.status != before:
            said = "; ".join(page.alerts) or page.title
            raise TaskFailed(f"{control.name!r} led to status {page.status}: {said}")
        return page

    async def _drawn_anew(self, control: Control) -> Control | None:
        """Give the only link or button that says and shows what another one did that is gone."""
        read = map(Control.of, await self.buttons() if control.is_button else await self.links())
        told = [one for one in read if one.model_copy(update={"ref": control.ref}) == control]
        return told[0] if len(told) == 1 and told[0].ref != control.ref else None

    async def walk(self, most: int = LONGEST_WALK) -> AsyncIterator[list[Link]]:
        """Give the links of this page of a list, then of the next one, and so on.

        The next page is visited rather than clicked to: a shorter list has no such link, but still the page.

        Args:
            most: how many pages.
        """
        seen: set[str] = set()
        for place in range(1, most + 1):
            links = await self.links()
            yield links
            onward = best(links, "next", self.site.words)
            if onward is None or onward.href in seen or place == most:
                return
            seen.add(onward.href)
            await self.visit(onward.href)

    async def made_by(self, user: int, task_type: str, index: int, thing: Thing | None = None) -> Mapping[str, str]:
        """Wait until another user of the batch has made something.

        Args:
            user: the other user's place in the batch, from 1.
            task_type: the task that makes it.
            index: which of the user's, from 1.
            thing: what is made; None: the thing of the task, as the packs in use say.

        Returns:
            That user's variables.

        Raises:
            TaskFailed: the user ended without it, or the time is over.
        """
        patience_s = self.view.persona.limits.minutes * 60
        made = thing or thing_of(task_type)
        item = await self.view.peers.wait(user, task_type, index, patience_s, made.known_as(user, index))
        if item is None:
            raise TaskFailed(f"user {user} of the batch did not {made.in_words} {index}")
        return item.values

    async def pause(self) -> None:
        """Let the page go on: a script may yet draw what it has loaded."""
        await self.do("wait", seconds=PAUSE_S)

    # -- reading

    async def links(self, contains: str = "") -> list[Link]:
        """Read the links of the page."""
        result = await self.must("read_links", contains=contains)
        return [Link.model_validate(link) for link in _told(result, "links")]

    async def buttons(self) -> list[Button]:
        """Read the buttons of the page that can be pressed."""
        buttons = (Button.model_validate(button) for button in _told(await self.must("read_buttons"), "buttons"))
        self._buttons = [button for button in buttons if not button.disabled]
        return self._buttons

    async def again(self, pressed: Control) -> Button | None:
        """Read the buttons once more, and give what a button has become that was pressed since they were read.

        Returns:
            None where that is not known.
        """
        return known_again(pressed, self._buttons, await self.buttons())

    async def forms(self) -> list[Form]:
        """Read the forms of the page."""
        data = (await self.must("read_forms")).data
        return [Form.model_validate(form) for form in _list(data, "forms")]

    async def text(self) -> str:
        """Read the text of the page."""
        return str((await self.must("get_page_text")).data)

    async def says(self, word: Word) -> bool:
        """Return whether the text of the page says a word."""
        return says_word(await self.text(), word, self.site.words)

    async def controls(self, word: Word) -> list[tuple[int, Control]]:
        """Give the links and buttons of the page that say a word, each with how well it does."""
        found: list[Button | Link] = [*await self.buttons(), *await self.links()]
        scored = ((fit(one.name, word, self.site.words), Control.of(one)) for one in found)
        return [pair for pair in scored if pair[0]]


def best(links: list[Link], word: Word, more: dict[str, tuple[str, ...]]) -> Link | None:
    """Give the link that says a word best; one outside of cards before one inside."""
    scored = [(fit(link.name, word, more) - 50 * bool(link.card), link) for link in links if fit(link.name, word, more)]
    return max(scored, key=lambda pair: pair[0])[1] if scored else None


def known_again(pressed: Control, before: list[Button], now: list[Button]) -> Button | None:
    """Give what a button has become, whatever it says now.

    A reference holds within one document. In another one, of a page that was loaded again or of another browser, it is
    the button at the same place, where all others are as they were: seen of a save that the site answers with the page
    it came from, and of a run that was cut off between the press and the look. Where another button came or went as
    well, it is not known again, and the press is not reported as a success.

    Args:
        pressed: the button as it was pressed.
        before: the buttons of the page then.
        now: the buttons of the page now.

    Returns:
        None where that is not known.
    """
    same = next((one for one in now if one.ref == pressed.ref), None)
    place = next((at for at, one in enumerate(before) if one.ref == pressed.ref), None)
    if same is not None or place is None or len(now) != len(before):
        return same
    names = [[one.name for at, one in enumerate(buttons) if at != place] for buttons in (before, now)]
    return now[place] if names[0] == names[1] else None


def _told(result: ToolResult, key: str) -> list[JsonValue]:
    """Give the links or buttons of a page, with whether the card of each is about nothing else than the page."""
    refs = result.metadata.get(OWN)
    own = set(refs) if isinstance(refs, list) else set()
    return [{**one, OWN: one.get("ref") in own} if isinstance(one, dict) else one for one in _list(result.data, key)]


def _list(data: JsonValue, key: str) -> list[JsonValue]:
    found = data.get(key, []) if isinstance(data, dict) else []
    return found if isinstance(found, list) else []
