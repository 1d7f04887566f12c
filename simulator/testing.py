"""A test kit for packs: check one, draw its users, serve a site, and let users act on it and replay there.

The names are those of ``__all__``; they are there for tests of packs, installed or not. Not responsible for: what is
right of a pack.
"""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import chdir, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from simulator.api import BatchResult, ReplayResult, record_runs, replay_runs
from simulator.domain import Pack
from simulator.domain.loading import given
from simulator.errors import EnvironmentFailure
from simulator.persona import Identity, draw_identity, load_persona
from simulator.report.terminal.packs import problems_in, problems_of

__all__ = ["Project", "check_pack", "draw_users", "project", "serve"]
_ADDRESS = re.compile(r"https?://[^\s\"',)]+")
_PRODUCTS = shutil.ignore_patterns("__pycache__", ".*", "*.db", "*.egg-info", "recordings")


def check_pack(pack: Pack | str | Path) -> list[str]:
    """Return what is wrong with a pack, as ``sim packs check`` does; nothing where all is well.

    Args:
        pack: the pack itself, the name of an installed one, or the folder of one without Python.
    """
    if isinstance(pack, Pack):
        with given(pack, use=(pack.name,)):
            return list(problems_in(pack))
    return problems_of(str(pack.absolute()) if isinstance(pack, Path) else pack)


def draw_users(pack: Pack | Path, persona: Path, *, count: int = 1, seed: str = "1") -> list[Identity]:
    """Draw users of a persona, with what the pack deals to them.

    Args:
        pack: the pack, or the folder of one without Python.
        persona: a persona file.
        count: how many.
        seed: what they are drawn from.

    Raises:
        PersonaError: the file has a mistake.
    """
    packs, names = ((pack,), (pack.name,)) if isinstance(pack, Pack) else ((), (str(pack.absolute()),))
    with given(*packs, use=names):
        read = load_persona(persona)
        return [draw_identity(read, seed=seed, number=number) for number in range(1, count + 1)]


@contextmanager
def serve(command: Sequence[str | Path]) -> Iterator[str]:
    """Run a site as a program of its own, for as long as a test takes.

    Args:
        command: the program and its arguments; the first line that it prints holds its address.

    Yields:
        The address.

    Raises:
        EnvironmentFailure: it says none.
    """
    with subprocess.Popen([*map(str, command)], stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            found = _ADDRESS.search(said)
            if found is None:
                raise EnvironmentFailure(f"the site {command[-1]} did not say its address, but {said.strip()!r}")
            yield found[0]
        finally:
            process.terminate()


@dataclass(frozen=True, slots=True)
class Project:
    """A project in the folder of a test: what it records and replays stays there."""

    folder: Path
    url: str
    """Where its site is."""
    db: Path
    """The recording."""

    def record(self, *personas: str, count: int = 1, seed: str = "1") -> BatchResult:
        """Let users act, without a model.

        Args:
            personas: names of personas in the project's folder; none: all.
            count: how many users.
            seed: what they are drawn from.
        """
        with chdir(self.folder):
            return record_runs(personas, db=self.db, base_url=self.url, count=count, seed=seed, agent="autopilot")

    def replay(
        self, *, identity: Literal["same", "fresh", "reuse"] = "same", seed: str | None = None, reset: bool = False
    ) -> ReplayResult:
        """Replay what was recorded last.

        Args:
            identity: who performs it.
            seed: what fresh users are drawn from.
            reset: whether the site is reset before.
        """
        with chdir(self.folder):
            return replay_runs(
                self.db, identity=identity, db=self.folder / "replays.db", base_url=self.url, seed=seed, reset=reset
            )


@contextmanager
def project(example: Path, folder: Path, url: str, *packs: Pack) -> Iterator[Project]:
    """Copy a project into the folder of a test, for its site at another address.

    Args:
        example: the folder of its ``sim.toml``, with ``personas/`` in it.
        folder: of the test.
        url: where the site is, such as :func:`serve` says.
        packs: packs that need not be installed to be found by the names that ``sim.toml`` gives.

    Yields:
        The project in the folder.
    """
    copied = Path(shutil.copytree(example, folder / "project", ignore=_PRODUCTS))
    with given(*packs):
        yield Project(copied, url, copied / "runs.db")
