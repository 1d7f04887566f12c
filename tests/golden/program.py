"""The program of any commit, called in a folder of its own. Not responsible for: what it is told to do."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
"""The checkout of today."""
KEY = "the golden recordings have no secret to keep"
"""``SIM_KEY`` of each of them: with it, a replay logs in with the recorded passwords."""
_CALL = "import sys; from simulator.cli.main import main; sys.exit(main(sys.argv[1:]))"


class Program:
    """The program of one commit, called in a folder.

    Args:
        source: a checkout; its own virtual environment is used where it has one.
        folder: where it is called.
        environment: what it is told besides.
    """

    def __init__(self, source: Path, folder: Path, environment: Mapping[str, str]) -> None:
        kept = {name: value for name, value in os.environ.items() if not name.startswith("SIM_")}
        kept |= {name: value for name, value in os.environ.items() if name == "SIM_BROWSER"}
        self._environment = {**kept, "PYTHONPATH": str(source), "SIM_KEY": KEY, **environment}
        own = source / ".venv" / "bin" / "python"
        self._python = str(own if own.exists() else sys.executable)
        self.folder = folder

    def run(self, *arguments: str) -> subprocess.CompletedProcess[str]:
        """Call it, whatever comes of it."""
        command = [self._python, "-P", "-c", _CALL, *arguments]
        return subprocess.run(
            command, cwd=self.folder, env=self._environment, text=True, capture_output=True, check=False
        )

    def __call__(self, *arguments: str) -> str:
        """Call it; gives what it printed.

        Raises:
            AssertionError: it did not do what it was told.
        """
        done = self.run(*arguments)
        if done.returncode:
            raise AssertionError(f"{' '.join(arguments)}: exit {done.returncode}\n{done.stdout}\n{done.stderr}")
        return done.stdout
