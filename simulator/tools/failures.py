"""Where an exception of a tool becomes the failure that its agent gets. The only place that maps them.

Not responsible for: :class:`SimulatorError`, which ends the run.
"""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable

from pydantic import JsonValue

from simulator.browser.documents import BrowserError, BrowserTimeout
from simulator.browser.follow import is_closed
from simulator.errors import TemplateError, ToolError, ToolErrorType
from simulator.tools.contracts import ToolResult

_log = logging.getLogger(__name__)


class DetailedToolError(ToolError):
    """A failure with data that an agent can go on by: the fields that a site refused, the steps so far.

    Args:
        type: the kind of failure.
        message: what happened, to what, what to try.
        data: given to the agent beside the message.
    """

    def __init__(self, type: ToolErrorType, message: str, data: JsonValue) -> None:
        super().__init__(type, message)
        self.data = data


def failure(type: ToolErrorType, message: str, data: JsonValue = None) -> ToolResult:
    """Make the result of a call that failed."""
    return ToolResult.failure_result(message, type=type, data=data)


def failed(error: Exception, tool: str, mask: Callable[[str], str]) -> ToolResult:
    """Turn what a tool raised into a failed result.

    Args:
        error: neither a :class:`SimulatorError`, except for a :class:`TemplateError`, nor a cancellation.
        tool: the tool's name.
        mask: takes secrets out of a text.
    """
    if isinstance(error, ToolError):
        data = error.data if isinstance(error, DetailedToolError) else None
        return failure(error.type, mask(error.message), data)
    if isinstance(error, TemplateError):
        return failure("invalid_input", mask(str(error)))
    if isinstance(error, BrowserError):
        return failure(_browser_type(error), f"{tool}: {mask(_first_line(error))}")
    _log.error("a bug in tool %r:\n%s", tool, mask("".join(traceback.format_exception(error))))
    return failure("internal", f"{tool} broke: {type(error).__name__}: {mask(str(error))}")


def _browser_type(error: BrowserError) -> ToolErrorType:
    if isinstance(error, BrowserTimeout):
        return "timeout"
    return "page_closed" if is_closed(error) else "not_actionable"


def _first_line(error: BrowserError) -> str:
    """The call log below the first line quotes what was typed, so it is left out."""
    return error.message.partition("\n")[0].strip()
