"""`sim` as a process of its own in a project of its own: starting it, killing it, and what is left of it."""

from __future__ import annotations

import os
import re
import signal
import sqlite3
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO

import psutil
import pytest

from simulator.config import default_text
from simulator.recording.reader import Recording
from tests.ports import port_of_nobody

pytest.importorskip("simulator.demo", reason="its projects act on the bundled bookshop")

SIM = Path(sys.executable).with_name("sim")
KEY = "the key of the tests of the whole program"
PATIENCE_S = 240
"""How long a test waits for what has to happen; far more than it takes."""

NEWCOMER = """
persona: newcomer
about: Somebody who opens an account and leaves.
locale: en_GB
tasks: [register, logout]
"""
SELLER = """
persona: seller
about: Somebody who sells two books.
locale: en_GB
tasks:
  - register
  - login
  - list_books: {count: 2, query: classic}
  - logout
"""


@dataclass
class Project:
    """A folder with a sim.toml, and the program run in it."""

    folder: Path
    env: dict[str, str]
    started: list[subprocess.Popen[str]] = field(default_factory=list)

    @property
    def db(self) -> Path:
        return self.folder / "recordings" / "runs.db"

    @property
    def shop(self) -> Path:
        return self.folder / ".sim" / "bookshop.db"

    @property
    def tmp(self) -> Path:
        return self.folder / "tmp"

    def add_persona(self, text: str) -> None:
        folder = self.folder / "personas"
        folder.mkdir(exist_ok=True)
        (folder / f"{text.split()[1]}.yaml").write_text(text, "utf-8")

    def sim(self, *arguments: str | Path, **env: str) -> subprocess.CompletedProcess[str]:
        """Run a command to its end."""
        return subprocess.run(
            [SIM, *map(str, arguments)],
            cwd=self.folder, env=self.env | env, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
        )  # fmt: skip

    def start(
        self, *arguments: str | Path, stdout: IO[str] | int = subprocess.PIPE, stderr: IO[str] | int = subprocess.PIPE
    ) -> subprocess.Popen[str]:
        """Begin a command in a process group of its own, as a shell does."""
        process = subprocess.Popen(
            [SIM, *map(str, arguments)],
            cwd=self.folder, env=self.env, stdout=stdout, stderr=stderr, text=True, process_group=0,
        )  # fmt: skip
        self.started.append(process)
        return process

    def steps(self, status: str = "%") -> int:
        """Count the steps that are committed now, also while another process writes."""
        if not self.db.exists():
            return 0
        with closing(sqlite3.connect(f"file:{self.db}?mode=ro", uri=True, timeout=30)) as connection:
            try:
                (count,) = connection.execute("SELECT count(*) FROM step WHERE status LIKE ?", (status,)).fetchone()
            except sqlite3.OperationalError:  # the tables are not there yet
                return 0
        return int(count)


@contextmanager
def project(folder: Path) -> Iterator[Project]:
    """Make a project whose bookshop nobody serves; what is started in it ends with it."""
    port = port_of_nobody()
    (folder / "sim.toml").write_text(default_text().replace("127.0.0.1:8765", f"127.0.0.1:{port}"), "utf-8")
    (folder / "tmp").mkdir()
    made = Project(folder, os.environ | {"SIM_KEY": KEY, "TMPDIR": str(folder / "tmp"), "PYTHONUNBUFFERED": "1"})
    try:
        yield made
    finally:
        for process in made.started:
            if process.poll() is None:
                process.kill()
            process.communicate()


def wait_until(holds: Callable[[], bool], process: subprocess.Popen[str]) -> None:
    """Wait for something that a running program brings about."""
    deadline = time.monotonic() + PATIENCE_S
    while not holds():
        assert process.poll() is None, f"it ended before that, with {process.returncode}: {process.communicate()}"
        assert time.monotonic() < deadline, "it did not come about"
        time.sleep(0.005)


def kill(process: subprocess.Popen[str]) -> list[psutil.Process]:
    """Kill a program without a warning; gives the processes that it had started, and those that they had."""
    process.send_signal(signal.SIGSTOP)
    family = psutil.Process(process.pid).children(recursive=True)
    process.kill()
    process.wait(PATIENCE_S)
    return family


def left_after_five_seconds(family: list[psutil.Process]) -> list[psutil.Process]:
    """Tell which processes are alive after five seconds, or after as much more as the machine is overloaded."""
    overload = max(1.0, os.getloadavg()[0] / (os.cpu_count() or 1))
    _, alive = psutil.wait_procs(family, timeout=5 * overload)
    return [process for process in alive if process.is_running() and process.status() != psutil.STATUS_ZOMBIE]


Acts = Counter[tuple[str, str]]
"""How often: by user and route."""


def effects_on(shop: Path) -> Acts:
    """Count what the site's own change log says was changed, whoever asked for it."""
    with closing(sqlite3.connect(shop, timeout=30)) as connection:
        return Counter(
            (str(who or owner), f"{method.lower()} {route}")
            for who, owner, method, route in connection.execute(
                "SELECT who, owner, method, route FROM change WHERE effect IS NOT NULL"
            )
        )


@dataclass
class Submitted:
    """What a recording says was sent to the site."""

    done: Acts = field(default_factory=Counter)
    """Recorded as done, and the page that came did not object."""
    open: Acts = field(default_factory=Counter)
    """Begun, and nobody knows how it ended."""


def submitted_in(path: Path) -> Submitted:
    """Count the actions of a recording that send a form to change something."""
    found = Submitted()
    with Recording.open(path) as recording:
        for batch in recording.batches():
            for run in recording.runs(batch.id):
                assert run.identity is not None
                for step in recording.steps(run.id):
                    for action in recording.actions(step.id):
                        form = action.target.form if action.target and action.kind in ("click", "press") else ""
                        if not form.startswith("post "):
                            continue
                        act = run.identity["username"], route_of(form)
                        if action.status != "done":
                            found.open[act] += 1
                        elif action.after is not None and not action.after.alerts and action.after.status < 400:
                            found.done[act] += 1
    return found


def route_of(form: str) -> str:
    """Give the shop's own name for the route that a form is sent to."""
    return re.sub(r"(?<=/sellers/)[^/]+", "{username}", form)
