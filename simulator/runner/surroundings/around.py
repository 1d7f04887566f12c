"""Ends a run when what is around it has gone: the process that showed its page, or the site. Nobody failed then.

Not responsible for: a browser that dies as a whole, which is seen at the end of the run, or going on later.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable
from dataclasses import dataclass, replace

from simulator.browser.timeouts import Timeouts
from simulator.errors import BrowserCrashed, SiteUnreachable
from simulator.runner.surroundings.session import Session
from simulator.runner.surroundings.site_control import SiteControl, answers
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult

_LOOKS = 3
"""How often in a row a site is asked in vain until it counts as gone: one that is started again is soon there."""
_LOOK_S = 5.0
"""How long it may take to answer, each time."""
_BETWEEN_S = 1.0

Rest = Callable[[float], Awaitable[None]]
"""Waits for this many seconds."""


async def has_gone(control: SiteControl, rest: Rest) -> bool:
    """Return whether nothing answers at the site any more: nobody listens there, or whoever does says nothing.

    Args:
        control: of the site.
        rest: waits between looks.
    """
    for look in range(_LOOKS):
        if look:
            await rest(_BETWEEN_S)
        if await answers(control.site, control.access, timeout_s=_LOOK_S):
            return False
    return True


def gone(control: SiteControl) -> str:
    """Say that the site has gone."""
    return f"the site '{control.site.name}' at {control.site.base_url} does not answer any more"


@dataclass(frozen=True, slots=True)
class SurroundedDispatcher:
    """Sees after a call that failed whether that was the call's fault.

    A site is asked only where a page could not be loaded, or where a call took as long as the first answer of a page
    may: one slow address of a site that answers is no reason to end.
    """

    inner: Dispatcher
    """Does the calls."""
    session: Session
    """Of the run."""
    control: SiteControl
    timeouts: Timeouts
    """Bounds of what is done in the browser."""
    rest: Rest
    """Waits for this many seconds."""

    def around(self, inner: Dispatcher) -> SurroundedDispatcher:
        """Give what sees the same of the calls that another one does."""
        return replace(self, inner=inner)

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call.

        Raises:
            BrowserCrashed: the browser, or the process that showed the page, has died.
            SiteUnreachable: the site does not answer any more.
        """
        began = time.monotonic()
        result = await self.inner.dispatch(call)
        if self.session.crashed:
            raise BrowserCrashed("the page crashed under this user")
        if result.error is None:
            return result
        if not await self.session.alive():
            # Nobody is to be asked what to do about it: what a model would say of it is no end of a task.
            raise BrowserCrashed("the browser died under this user")
        unloaded = result.error.type == "navigation" or time.monotonic() - began >= self.timeouts.page / 1000
        if unloaded and await has_gone(self.control, self.rest):
            raise SiteUnreachable(f"{gone(self.control)}; when it does, go on with 'sim runs resume last'")
        return result
