"""Finding a browser on this machine. Not responsible for: installing or starting one."""

from __future__ import annotations

import os
import shutil
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from simulator.errors import BrowserMissing

NAMES = (
    "chromium-headless-shell",
    "chrome-headless-shell",
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
)
"""Names on the PATH, the quickest first: the headless shell draws nothing that nobody sees."""
HOW_TO_INSTALL = (
    "install one with 'playwright install --only-shell chromium' or, on Debian and Ubuntu as root, "
    "'apt-get install -y chromium-headless-shell', or name one with SIM_BROWSER"
)


@dataclass(frozen=True, slots=True)
class Executable:
    """A browser that was found."""

    path: Path
    source: str
    """Where it was found: ``SIM_BROWSER``, ``PATH`` or ``playwright``."""

    @property
    def headless_only(self) -> bool:
        """Whether it can open no window."""
        return "headless-shell" in self.path.name or "headless_shell" in self.path.name


def _playwright_browsers(environ: Mapping[str, str], home: Path) -> list[Path]:
    root = Path(environ.get("PLAYWRIGHT_BROWSERS_PATH") or home / ".cache" / "ms-playwright")
    patterns = (
        "chromium_headless_shell-*/*/*headless*shell",
        "chromium-*/*/chrome",
        "chromium-*/*/*/*/MacOS/*",
    )
    return [
        path for pattern in patterns for path in sorted(root.glob(pattern), reverse=True) if os.access(path, os.X_OK)
    ]


def find_executables(environ: Mapping[str, str] | None = None, *, home: Path | None = None) -> list[Executable]:
    """Find every usable browser, the one to prefer first.

    Args:
        environ: environment variables; ``SIM_BROWSER`` (a path) comes before everything, then ``PATH``.
        home: the home folder that holds Playwright's own downloads.

    Returns:
        What was found; empty when there is none.

    Raises:
        BrowserMissing: ``SIM_BROWSER`` names something that cannot be run.
    """
    env = os.environ if environ is None else environ
    found: list[Executable] = []
    if named := env.get("SIM_BROWSER"):
        path = shutil.which(named, path=env.get("PATH"))
        if path is None:
            raise BrowserMissing(f"SIM_BROWSER names '{named}', which cannot be run; {HOW_TO_INSTALL}")
        found.append(Executable(Path(path), "SIM_BROWSER"))
    own = [Executable(path, "playwright") for path in _playwright_browsers(env, home or Path.home())]
    on_path = [
        Executable(Path(path), "PATH") for name in NAMES if (path := shutil.which(name, path=env.get("PATH", "")))
    ]
    ordered = sorted(on_path + own, key=lambda one: not one.headless_only)
    return found + ordered


def find_executable(environ: Mapping[str, str] | None = None, *, headed: bool = False) -> Executable:
    """Find the browser to use.

    Args:
        environ: see :func:`find_executables`.
        headed: whether it must be able to open a window.

    Raises:
        BrowserMissing: there is none.
    """
    found = [one for one in find_executables(environ) if not (headed and one.headless_only)]
    if not found:
        kind = "that can open a window " if headed else ""
        raise BrowserMissing(f"no browser {kind}was found; {HOW_TO_INSTALL}")
    return found[0]
