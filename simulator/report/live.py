"""The live table on a terminal: a row for each user, and the totals. Not responsible for: what came of it all."""

from __future__ import annotations

from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.table import Table
from rich.text import Text

from simulator.report.board import Board, UserRow
from simulator.report.numbers import counted, duration
from simulator.runner.events import Event

_REFRESHES_A_SECOND = 4
_LINES_AROUND = 6
"""Lines that are not users: title, heading, what is not shown, totals, and room below."""
_STYLES = {"running": "cyan", "passed": "green", "interrupted": "yellow"}


class LiveTable:
    """Shows a batch on a terminal while it runs. A context manager, and the batch's listener.

    Args:
        console: where it is shown; standard error by default.
    """

    def __init__(self, console: Console | None = None) -> None:
        self.board = Board()
        self._console = console or Console(stderr=True)
        self._said = ""
        self._live = Live(
            console=self._console,
            get_renderable=self.render,
            refresh_per_second=_REFRESHES_A_SECOND,
            transient=True,
            redirect_stdout=False,
        )

    def __enter__(self) -> Self:
        self._live.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._live.stop()

    def __call__(self, event: Event) -> None:
        """Take an event in; it is seen at the next refresh."""
        self.board(event)

    def say(self, text: str) -> None:
        """Show a sentence below the table from now on."""
        self._said = text

    def render(self) -> RenderableType:
        """Draw the batch as it is now, within the console's width and height."""
        board = self.board
        if board.batch is None:
            return Text(self._said or "starting …", style="dim")
        shown = board.window(self._console.height - _LINES_AROUND)
        parts: list[RenderableType] = [self._title(), _users(shown)] if shown else [self._title()]
        hidden = len(board.users) - len(shown)
        if hidden:
            parts.append(_line(f"… and {counted(hidden, 'more user')}", "dim"))
        parts.append(self._totals())
        if self._said:
            parts.append(_line(self._said, "bold yellow"))
        return Group(*parts)

    def _title(self) -> Text:
        batch = self.board.batch
        assert batch is not None
        return _line(
            f"{counted(batch.total, 'user')} on {batch.site} at {batch.base_url}, "
            f"{batch.concurrency} at once, seed {batch.seed}",
            "bold",
        )

    def _totals(self) -> Text:
        board = self.board
        ended = board.total - board.count("running") - (board.total - len(board.users))
        left = board.time_left
        words = [
            f"{ended}/{board.total} done",
            *([f"{board.count('failed')} failed"] if board.count("failed") else []),
            f"{board.steps:,} steps",
            f"{board.rate:.1f} steps/s",
            counted(board.errors, "error"),
            duration(board.elapsed),
            *([f"about {duration(left)} left"] if left is not None and ended < board.total else []),
        ]
        return _line(" · ".join(words), "bold")


def _users(users: list[UserRow]) -> Table:
    table = Table(box=None, pad_edge=False, header_style="dim")
    table.add_column("#", justify="right", no_wrap=True)
    table.add_column("persona", no_wrap=True, max_width=16)
    table.add_column("user", no_wrap=True, max_width=22)
    table.add_column("task", no_wrap=True, ratio=1)
    table.add_column("steps", justify="right", no_wrap=True)
    table.add_column("state", no_wrap=True)
    for user in users:
        done = user.tasks_ended if user.ended is not None else min(user.tasks_ended + 1, user.tasks)
        task = f"{done}/{user.tasks} {user.task}" if user.tasks else user.task
        errors = f" ({user.errors})" if user.errors else ""
        table.add_row(
            str(user.number),
            user.persona,
            user.username,
            user.reason if user.state == "failed" and user.reason else task,
            f"{user.steps}{errors}",
            Text(user.word, style=_STYLES.get(user.state, "bold red")),
        )
    return table


def _line(text: str, style: str) -> Text:
    return Text(text, style=style, no_wrap=True, overflow="ellipsis")
