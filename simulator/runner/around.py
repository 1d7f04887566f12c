"""Ends a run when what is around it has gone: the process that showed its page, or the site. Nobody failed then.

Not responsible for: a browser that dies as a whole, which is seen at the end of the run, or going on later.
"""

from __future__ import annotations

import time
from collections.abc import Awaitable, Callable

from simulator.browser.places import Timeouts
from simulator.errors import BrowserCrashed, SiteUnreachable
from simulator.runner.session import Session
from simulator.runner.site_control import SiteControl, answers
from simulator.tools.contracts import Dispatcher, ToolCall, ToolResult

_LOOKS = 3
"""How often in a row a site is asked in vain until it counts as gone: one that is started again is soon there."""
_LOOK_S = 5.0
"""How long it may take to answer, each time."""
_BETWEEN_S = 1.0

Rest = Callable[[float], Awaitable[None]]
"""Waits for so many seconds."""


async def has_gone(control: SiteControl, rest: Rest) -> bool:
    """Tell whether nothing answers at the site any more: nobody listens there, or whoever does says nothing.

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


class SurroundedDispatcher:
    """Sees after a call that failed whether that was the call's fault.

    A site is asked only where a page could not be loaded, or where a call took as long as the first answer of a page
    may: one slow address of a site that answers is no reason to end.

    Args:
        inner: does the calls.
        session: of the run.
        control: of the site.
        timeouts: bounds of what is done in the browser.
        rest: waits for so many seconds.
    """

    def __init__(
        self, inner: Dispatcher, session: Session, control: SiteControl, timeouts: Timeouts, rest: Rest
    ) -> None:
        self._inner = inner
        self._session = session
        self._control = control
        self._bound_s = timeouts.navigation / 1000
        self._rest = rest

    async def dispatch(self, call: ToolCall) -> ToolResult:
        """Do one call.

        Raises:
            BrowserCrashed: the process that showed the page has died.
            SiteUnreachable: the site does not answer any more.
        """
        began = time.monotonic()
        result = await self._inner.dispatch(call)
        if self._session.crashed:
            raise BrowserCrashed("the page crashed under this user")
        if result.error is None:
            return result
        unloaded = result.error.type == "navigation" or time.monotonic() - began >= self._bound_s
        if unloaded and await has_gone(self._control, self._rest):
            raise SiteUnreachable(f"{gone(self._control)}; when it does, go on with 'sim runs resume last'")
        return result
