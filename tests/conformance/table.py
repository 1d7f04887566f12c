"""The conformance table: its rows, and the stage that a row plays on. Not responsible for: what any row shows."""

from __future__ import annotations

import importlib
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from email.message import EmailMessage
from pathlib import Path
from typing import Any

from playwright.async_api import Page

from simulator.browser.actor import Actor
from simulator.tools.context import RunContext
from simulator.tools.contracts import Dispatcher, ToolCall, ToolFailure, ToolResult
from tests.small_run import SmallSite


@dataclass(frozen=True, slots=True)
class Opened:
    """A page that was opened beside the recording, before the step of a number."""

    before_step: int
    path: str
    body: str
    actor: str


@dataclass
class Stage:
    """A real page, a run that is recorded on it, and dispatch as an agent has it."""

    site: SmallSite
    run: RunContext
    dispatcher: Dispatcher
    run_id: str
    mail: Path
    """The maildir of the run's users."""
    calls: int = 0
    opened: list[Opened] = field(default_factory=list)

    @property
    def actor(self) -> Actor:
        """Who acts."""
        return self.run.actor

    @property
    def page(self) -> Page:
        """The page that the actor looks at."""
        return self.actor.page

    async def open(self, body: str, path: str = "/") -> None:
        """Serve a page's body and go there, unrecorded."""
        opened = Opened(self.calls, path, body, self.actor.name)
        self.opened.append(opened)
        await show(self.site, self.actor, opened)

    def deliver(self, subject: str, text: str, *, to: str = "ada.moor@example.org", markup: bool = False) -> None:
        """Put a mail into the maildir."""
        message = EmailMessage()
        message["From"], message["To"], message["Subject"] = "The site <site@example.org>", to, subject
        message.set_content(text, subtype="html" if markup else "plain")
        folder = self.mail / "new"
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{len(list(folder.iterdir()))}.mail").write_bytes(message.as_bytes())

    async def call(self, tool: str, /, **input: Any) -> ToolResult:
        """Call a tool as an agent does."""
        self.calls += 1
        return await self.dispatcher.dispatch(ToolCall(id=f"call-{self.calls}", name=tool, input=input))

    async def did(self, tool: str, /, **input: Any) -> Any:
        """Call a tool that has to succeed, and give its data."""
        result = await self.call(tool, **input)
        assert result.success, result.error
        return result.data

    async def refused(self, tool: str, /, **input: Any) -> ToolFailure:
        """Call a tool that has to fail, and give why it did."""
        result = await self.call(tool, **input)
        assert not result.success, result.data
        assert result.error is not None
        return result.error


async def show(site: SmallSite, actor: Actor, opened: Opened) -> None:
    """Serve a page and let an actor stand on it, without an action."""
    site.pages[opened.path] = opened.body
    await actor.page.goto(site.url + opened.path, wait_until="load", timeout=actor.timeouts.navigation)
    await actor.view.follow()


Play = Callable[[Stage], Awaitable[None]]


@dataclass(frozen=True, slots=True)
class Row:
    """One row: what a tool of a toolset is shown to do."""

    toolset: str
    tool: str
    aspect: str
    play: Play
    replay: str
    """Empty where the row's steps are replayed; else why not."""
    site: dict[str, Any]
    alone: str = ""
    """Why the row is played by its tools alone; empty where it is played through whole runs, too."""

    @property
    def tier(self) -> str:
        """Some rows of each are played by the quick tests."""
        return self.toolset

    @property
    def id(self) -> str:
        """Names the row's test: ``toolset-tool-aspect``."""
        aspect = re.sub(r"[^a-z0-9]+", "-", self.aspect.lower()).strip("-")
        return f"{self.toolset}-{self.tool}-{aspect}"


_rows: list[Row] = []


def row(
    toolset: str, tool: str, aspect: str, *, replay: str = "", site: dict[str, Any] | None = None, alone: str = ""
) -> Callable[[Play], Play]:
    """Enter an async function into the table.

    Args:
        toolset: the toolset whose registry the row's calls go through.
        tool: the tool that the row is about.
        aspect: what it shows: a parameter, a default, a limit, an error, an example.
        replay: why the row's steps cannot be replayed, as ``never: ...``.
        site: what the site section says besides the address.
        alone: why it cannot be played through a whole run, as ``alone: ...``.
    """

    def enter(play: Play) -> Play:
        _rows.append(Row(toolset, tool, aspect, play, replay, site or {}, alone))
        return play

    return enter


def all_rows() -> list[Row]:
    """Give every row of the ``rows_*.py`` beside this module."""
    for path in sorted(Path(__file__).parent.glob("rows_*.py")):
        importlib.import_module(f"tests.conformance.{path.stem}")
    known: dict[str, Row] = {}
    for each in _rows:
        assert known.setdefault(each.id, each) is each, f"two rows are called {each.id}"
    return _rows
