"""Dispatchers that the runner puts between recording and the tools: screenshots, and what a replay could not find.

Not responsible for: recording them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Literal

from simulator.browser.acting.again import Doubt
from simulator.browser.action_recorder import PageState
from simulator.browser.actor import Actor
from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.contracts import AGAIN, Dispatcher, ToolCall, ToolResult

_SNAPSHOT_S, _SNAPSHOT_LIMIT, _DEPTH = 5, 50_000, 30
"""Seconds that a page may take to give its tree, characters of it, and its levels."""
_REFERENCE = re.compile(r" \[ref=\w+\]")
_DOUBTS = 3
"""How many are reported of one call."""
KeepSnapshot = Callable[[PageState, str], None]
"""Stores a page's tree beside the page."""


class ScreenshotDispatcher:
    """Keeps a picture of the page after a step; and of one that failed the page as a tree, too.

    Args:
        inner: does the calls.
        ctx: the run.
        policy: after which steps.
        keep_snapshot: stores a page's tree.
    """

    def __init__(
        self,
        inner: Dispatcher,
        ctx: RunContext,
        policy: Literal["none", "failures", "all"],
        keep_snapshot: KeepSnapshot,
    ) -> None:
        self._inner = inner
        self._ctx = ctx
        self._policy = policy
        self._keep_snapshot = keep_snapshot

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call, and take a picture."""
        result = await self._inner.dispatch(call)
        if self._policy == "none" or (self._policy == "failures" and result.success):
            return result
        sha256 = await take_picture(self._ctx)
        if not result.success:
            await take_snapshot(self._ctx.actor, self._keep_snapshot)
        return result.model_copy(update={"metadata": {**result.metadata, "screenshot": sha256}})


async def take_snapshot(actor: Actor, keep: KeepSnapshot) -> None:
    """Store the current page as a tree of roles, names and texts; nothing where it is gone or does not answer.

    References are left out: they mean something to this very page alone.
    """
    page = actor.here
    try:
        async with asyncio.timeout(_SNAPSHOT_S):
            read = await actor.reader.tree(depth=_DEPTH, limit=_SNAPSHOT_LIMIT)
    except (ToolError, TimeoutError):
        return
    keep(page, _REFERENCE.sub("", read.tree))


async def take_picture(ctx: RunContext) -> str | None:
    """Store a picture of the current page as a blob.

    Returns:
        Its SHA-256; None when the page is gone.
    """
    try:
        return ctx.journal.put_blob(await ctx.actor.screenshots.take(), "image/png")
    except ToolError:
        return None


class DoubtDispatcher:
    """Adds to a result what of the call a replay could not find again, so that the agent knows at once.

    Args:
        inner: does the calls.
        doubts: grows while they are done.
    """

    def __init__(self, inner: Dispatcher, doubts: list[Doubt]) -> None:
        self._inner = inner
        self._doubts = doubts
        self._reported: set[str] = set()

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call; no doubt is reported twice."""
        known = len(self._doubts)
        result = await self._inner.dispatch(call)
        new = dict.fromkeys(one.sentence for one in self._doubts[known:] if one.target not in self._reported)
        if not new or not result.success:
            return result
        self._reported |= {one.target for one in self._doubts[known:]}
        return result.model_copy(update={"metadata": {**result.metadata, AGAIN: list(new)[:_DOUBTS]}})
