"""Dispatchers that the runner puts between recording and the tools: reading back what was made, and screenshots.

Not responsible for: recording them.
"""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from typing import Literal

from simulator.browser.action_recorder import PageState
from simulator.browser.actor import Actor
from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult

_SNAPSHOT_S, _SNAPSHOT_LIMIT, _DEPTH = 5, 50_000, 30
"""Seconds that a page may take to tell its tree, characters of it, and its levels."""
_REFERENCE = re.compile(r" \[ref=\w+\]")
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
