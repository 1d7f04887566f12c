"""The live table on a terminal: a row for each user, and the totals. Not responsible for: what came of it all."""

from __future__ import annotations

from collections.abc import Mapping
from types import TracebackType
from typing import Self

from rich.console import Console, Group, RenderableType
from rich.live import Live
from rich.text import Text

from simulator.report.terminal.board import Board, UserRow, UserState
from simulator.report.terminal.columns import cut
from simulator.report.wording import counted, duration
from simulator.runner.events import BatchStarted, Event

_REFRESHES_A_SECOND = 4
_LINES_AROUND = 6
"""Lines that are not users: title, heading, what is not shown, totals, what is said, and the cursor's."""
_STYLES: Mapping[UserState, str] = {"running": "cyan", "passed": "green", "failed": "bold red", "interrupted": "yellow"}
_WIDEST = (6, 16, 20, 6, 6, 19)
"""Most cells of each column but the last."""
_DOT = " · "


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
        board, width = self.board, self._console.width
        if board.batch is None:
            return Text("starting …", style="dim")
        shown = board.window(self._console.height - _LINES_AROUND)
        lines = [_line(self._title(board.batch), "bold", width), *_users(shown, board.total, width)]
        hidden = len(board.users) - len(shown)
        if hidden:
            lines.append(_line(f"and {counted(hidden, 'more user')}", "dim", width))
        lines.append(_line(self._totals(width), "bold", width))
        if self._said:
            lines.append(_line(self._said, "bold yellow", width))
        return Group(*lines)

    @staticmethod
    def _title(batch: BatchStarted) -> str:
        where = f"{counted(batch.total, 'user')} on {batch.site} at {batch.base_url}"
        return f"{where}, {batch.concurrency} at once" + (f", seed {batch.seed}" if batch.seed else "")

    def _totals(self, width: int) -> str:
        board = self.board
        ended = len(board.users) - board.count("running")
        failed, left = board.count("failed"), board.time_left
        words = [
            f"{ended}/{board.total} done",
            *([f"{failed} failed"] if failed else []),
            f"{board.steps:,} steps",
            f"{board.rate:.1f} steps/s",
            counted(board.errors, "error"),
            *([f"{board.tokens:,} tokens"] if board.tokens else []),
            *([f"{duration(left)} left"] if left is not None and ended < board.total else []),
            f"{duration(board.elapsed)} so far",
        ]
        while len(words) > 1 and len(_DOT.join(words)) > width:
            words.pop()
        return _DOT.join(words)


def _users(users: list[UserRow], total: int, width: int) -> list[Text]:
    """Give a heading and a line for each user; the task, which may be long, comes last."""
    if not users:
        return []
    rows = [("#", "persona", "user", "steps", "err", "state", "task")]
    rows += [
        (
            str(user.number),
            user.persona,
            user.username,
            str(user.steps),
            str(user.errors or ""),
            user.word,
            _doing(user),
        )
        for user in users
    ]
    widths = [min(max(len(row[at]) for row in rows), widest) for at, widest in enumerate(_WIDEST)]
    widths[0] = len(str(total))
    lines = []
    for row, style in zip(rows, ["", *(_STYLES[user.state] for user in users)], strict=True):
        cells = [cut(cell, cells) for cell, cells in zip(row, widths, strict=False)]
        line = Text(f"{cells[0]:>{widths[0]}}  {cells[1]:<{widths[1]}}  {cells[2]:<{widths[2]}}  ")
        line.append(f"{cells[3]:>{widths[3]}}  {cells[4]:>{widths[4]}}  ")
        line.append(f"{cells[5]:<{widths[5]}}", style).append(f"  {row[6]}")
        line.truncate(width, overflow="ellipsis")
        lines.append(line)
    lines[0].stylize("dim")
    return lines


def _doing(user: UserRow) -> str:
    if user.ended is not None and user.reason:
        return user.reason
    at = user.tasks_ended if user.ended is not None else min(user.tasks_ended + 1, user.tasks)
    doing = f"{user.task}: {user.text}" if user.text and user.ended is None else user.task
    return f"{at}/{user.tasks} {doing}" if user.tasks else doing


def _line(text: str, style: str, width: int) -> Text:
    return Text(cut(text, width), style=style, no_wrap=True)
