"""Reads the page after a call that may have changed it, and shows what an agent has not seen of it yet.

For agents that ask for it, call by call; nobody else pays for it. Not responsible for: comparing two readings
(``difference``).
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Literal, NamedTuple

from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult
from simulator.tools.difference import edit_lines, edits, page_lines, same_document

When = Literal["never", "failed", "always"]
"""After which calls the page is read."""
SEEN = "page"
"""Key of a result's metadata: what the page shows after the call."""
PAGE = "The page now: "
"""How the text begins that shows a page whole."""
CHANGES = "What changed on the page"
SAME = "Nothing changed on the page."
DEPTH = 15
LIMIT = 50_000
"""Characters of a page that are compared."""
TOLD = 8_000
"""Characters that are shown of it."""
_FOCUS = " [focused]"
"""Where the focus is changes with nearly every call, and is known to who made it."""
_WORTH = 0.6
"""Share of a page above which it is shown whole, and not only what changed of it."""


class _Reading(NamedTuple):
    url: str
    lines: Sequence[str]
    left: int
    """Lines that were not read."""


class ObservingDispatcher:
    """Adds to the results of calls what the page shows after them.

    Args:
        inner: does the calls.
        ctx: the run.
    """

    def __init__(self, inner: Dispatcher, ctx: RunContext) -> None:
        self._inner = inner
        self._ctx = ctx
        self._when: When = "never"
        self._before: dict[str, _Reading] = {}

    def look(self, when: When) -> None:
        """Say after which of the calls that follow the page is read: none from the start."""
        self._when = when

    def forget(self) -> None:
        """Show the next page whole: whoever asks has seen none of it."""
        self._before.clear()

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call, and see what it did to the page."""
        result = await self._inner.dispatch(call)
        if self._when == "never" or (self._when == "failed" and result.success):
            return result
        spec = self._ctx.registry.find(call.name)
        if spec is None or spec.replay_for("same") != "actions":
            return result
        told = await self.news()
        return result.model_copy(update={"metadata": {**result.metadata, SEEN: told}}) if told else result

    async def news(self) -> str:
        """Read the page, and say what of it is new; empty where it cannot be read."""
        try:
            now = await self._read()
        except ToolError:
            return ""
        actor = self._ctx.actor
        before, self._before[actor.name] = self._before.get(actor.name), now
        if before is None:
            return _whole(actor.here.title, now, now.lines)
        if not same_document(before.lines, now.lines):
            return _whole(actor.here.title, now, page_lines(before.lines, now.lines))
        changes = edits(before.lines, now.lines)
        if not changes and before.url == now.url:
            return SAME
        told = edit_lines(before.lines, changes)
        if sum(map(len, told)) > _WORTH * sum(map(len, now.lines)):
            return _whole(actor.here.title, now, now.lines)
        where = f", {now.url}" if before.url != now.url else ""
        return "\n".join([f"{CHANGES}{where}:", *_capped(told, 0)])

    async def _read(self) -> _Reading:
        actor = self._ctx.actor
        read = await actor.reader.tree(depth=DEPTH, limit=LIMIT)
        return _Reading(actor.here.url, read.tree.replace(_FOCUS, "").split("\n"), read.left)


def _whole(title: str, now: _Reading, lines: Sequence[str]) -> str:
    return "\n".join([f"{PAGE}{now.url} {json.dumps(title, ensure_ascii=False)}", *_capped(lines, now.left)])


def _capped(lines: Sequence[str], left: int) -> list[str]:
    shown: list[str] = []
    size = 0
    for line in lines:
        size += len(line) + 1
        if size > TOLD:
            break
        shown.append(line)
    rest = len(lines) - len(shown) + left
    return [*shown, f"[cut: {rest} more lines; read_page shows them, or a part by its ref]"] if rest else shown
