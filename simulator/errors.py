"""Every exception of the package, as one tree. Not responsible for: printing them, or exit codes in use.

::

    Exception
    ├── SimulatorError              ends the run; a person reads it as one sentence     exit_code
    │   ├── UsageError              an option or a value that cannot be                 2
    │   │   ├── ConfigError         sim.toml                                            2
    │   │   ├── PersonaError        a persona file                                      2
    │   │   ├── RecordingError      a recording that cannot be read or written          2
    │   │   └── TemplateError       a {{variable}} that is unknown or malformed         2
    │   ├── EnvironmentFailure      something around the program is missing or broken   3
    │   │   ├── BrowserMissing      no browser was found                                3
    │   │   ├── BrowserCrashed      the browser died under a run                        3
    │   │   ├── SiteUnreachable     nothing answers at the site's URL                   3
    │   │   ├── MailboxUnreachable  the mailbox of sim.toml cannot be opened or read    3
    │   │   ├── KeyMissing          a key that is needed is not set                     3
    │   │   ├── ExtraMissing        a package of an optional part is not installed      3
    │   │   ├── StorageFull         the disk takes no more                              3
    │   │   ├── ModelRefused        the model's API takes no request of this kind       3
    │   │   └── ModelUnavailable    the model's API gives no answer                     3
    │   ├── ExportFailed            an exported test that fails where it is checked     1
    │   └── HostRefused             a target that is neither loopback nor allowed       2
    └── ToolError                   given to the agent and recorded; the run goes on    (type)

A bug is neither: it keeps its traceback.
"""

from __future__ import annotations

from typing import ClassVar, Literal

ToolErrorType = Literal[
    "unknown_tool",
    "invalid_input",
    "not_allowed",
    "timeout",
    "not_found",
    "ambiguous",
    "not_actionable",
    "page_closed",
    "navigation",
    "blocked",
    "rejected",
    "unavailable",
    "internal",
]
"""What went wrong in a tool call, in the words that an agent and a report branch on."""


class SimulatorError(Exception):
    """Ends the run. Its message is one sentence that says what happened, to what, and what to do."""

    exit_code: ClassVar[int] = 1


class UsageError(SimulatorError):
    """What was asked for cannot be done as it was asked."""

    exit_code = 2


class ConfigError(UsageError):
    """A mistake in ``sim.toml``."""


class PersonaError(UsageError):
    """A mistake in a persona file."""


class RecordingError(UsageError):
    """A recording that is missing, locked, foreign, newer than this program, or damaged."""


class TemplateError(UsageError):
    """A ``{{variable}}`` that is unknown, malformed or has no value here."""


class ExportFailed(SimulatorError):
    """An exported test was run once, and failed."""


class EnvironmentFailure(SimulatorError):
    """Something around the program is missing or broken."""

    exit_code = 3


class BrowserMissing(EnvironmentFailure):
    """No browser was found."""


class BrowserCrashed(EnvironmentFailure):
    """The browser died under a run."""


class SiteUnreachable(EnvironmentFailure):
    """Nothing answers at the site's URL."""


class MailboxUnreachable(EnvironmentFailure):
    """The mailbox of ``sim.toml`` cannot be opened or read."""


class KeyMissing(EnvironmentFailure):
    """A key that is needed is not set."""


class ExtraMissing(EnvironmentFailure):
    """A package that an optional part needs is not installed."""


class StorageFull(EnvironmentFailure):
    """The disk, or the limit set for a file, takes no more."""


class ModelRefused(EnvironmentFailure):
    """The model's API takes no request of this kind: the key, the model's name or the request is wrong."""


class ModelUnavailable(EnvironmentFailure):
    """The model's API gives no answer now; it ends the run that asked, not the batch."""


class HostRefused(UsageError):
    """A target host that is neither loopback nor allowed by the site section."""


class ToolError(Exception):
    """A tool could not do what it was asked to. The agent gets it, it is recorded, and the run goes on.

    Args:
        type: the kind of failure.
        message: what happened, to what, what to try.
    """

    def __init__(self, type: ToolErrorType, message: str) -> None:
        super().__init__(message)
        self.type: ToolErrorType = type
        self.message = message
