"""The folder of a run as a place to work in: its shell, its files, and the way back. Not responsible for: tools."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from types import TracebackType
from typing import Self

from simulator.errors import ToolError
from simulator.tools.workspace.shell import TIMEOUT_S, Shell


@dataclass(frozen=True, slots=True)
class Edit:
    """One change of a file."""

    before: str | None
    """None: there was no such file."""
    after: str


class Workspace:
    """What an agent may work in; whoever has one is allowed to. What it started ends with it.

    Args:
        folder: the run's own.
        timeout_s: seconds after which a command is stopped.
    """

    def __init__(self, folder: Path, *, timeout_s: float = TIMEOUT_S) -> None:
        self.folder = folder.resolve()
        self.shell = Shell(self.folder, timeout_s=timeout_s)
        self.edits: dict[Path, list[Edit]] = {}

    async def __aenter__(self) -> Self:
        """Begin; the shell starts with its first command."""
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        """End the shell and everything that it started."""
        await self.shell.close()

    def inside(self, given: str) -> Path:
        """Give the file that a path leads to, through links, as far as it is in the folder.

        Raises:
            ToolError: the path is not absolute, or leads elsewhere.
        """
        path = Path(given)
        if not path.is_absolute():
            raise ToolError("invalid_input", f"{given!r} is not absolute; did you mean '{self.folder / given}'?")
        try:
            real = path.resolve()
            real.exists()  # a name that is too long fails here
        except (OSError, RuntimeError, ValueError) as error:
            raise ToolError("invalid_input", f"{given!r} is no path: {error}") from None
        if not real.is_relative_to(self.folder):
            raise ToolError("not_allowed", f"{given!r} is not in the run's folder, {self.folder}")
        return real


@contextmanager
def explained(path: Path) -> Iterator[None]:
    """Report the errors of reading or writing a file as a tool's."""
    try:
        yield
    except FileNotFoundError:
        raise ToolError("not_found", f"there is no {path}") from None
    except UnicodeDecodeError:
        raise ToolError("unavailable", f"{path} is not UTF-8 text") from None
    except OSError as error:
        raise ToolError("unavailable", f"{path}: {error.strerror}") from None
