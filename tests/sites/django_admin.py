"""A Django project with its admin, installed from PyPI into a folder and served on loopback."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
import time
import urllib.request
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.error import URLError

from tests.ports import port_of_nobody
from tests.sites.packages import virtual_environment

DJANGO = "django>=5.2,<5.3"
ROOT, PASSWORD = "root", "Rosebud-91-of-the-lake"
_START_S = 30.0


@dataclass(frozen=True)
class DjangoAdmin:
    """An installed project."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"

    @classmethod
    def install(cls, folder: Path) -> DjangoAdmin:
        """Install Django, start a project, and keep its database as it is with one superuser."""
        project = cls(folder)
        virtual_environment(folder / "venv", DJANGO)
        (folder / "site").mkdir()
        subprocess.run([project.python, "-m", "django", "startproject", "place", folder / "site"], check=True)
        project.manage("migrate", "-v0")
        project.manage("createsuperuser", "--noinput", "--username", ROOT, "--email", "root@example.org")
        shutil.copyfile(folder / "site" / "db.sqlite3", folder / "pristine.sqlite3")
        return project

    def manage(self, *arguments: str) -> None:
        environment = {**os.environ, "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
        subprocess.run(
            [self.python, "manage.py", *arguments], cwd=self.folder / "site", env=environment, check=True,
            stdout=subprocess.DEVNULL,
        )  # fmt: skip

    def reset(self) -> None:
        """Throw away what was added; the server opens its database anew for each request."""
        shutil.copyfile(self.folder / "pristine.sqlite3", self.folder / "site" / "db.sqlite3")

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.folder / "site" / "db.sqlite3")) as connection:
            return connection.execute(query).fetchall()

    @contextmanager
    def served(self) -> Iterator[str]:
        """Serve it; gives its address."""
        port = port_of_nobody()
        command = [self.python, "manage.py", "runserver", f"127.0.0.1:{port}", "--noreload"]
        process = subprocess.Popen(
            command, cwd=self.folder / "site", stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        try:
            url = f"http://127.0.0.1:{port}"
            self._wait(url)
            yield url
        finally:
            process.terminate()
            process.wait(10)

    def _wait(self, url: str) -> None:
        deadline = time.monotonic() + _START_S
        while True:
            try:
                urllib.request.urlopen(f"{url}/admin/login/", timeout=5).close()
                return
            except URLError:
                if time.monotonic() > deadline:
                    raise
