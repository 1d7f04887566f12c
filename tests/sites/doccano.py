"""doccano, a single-page application in Vue for labelling texts, installed from PyPI and served on loopback."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Sequence
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

from tests.ports import port_of_nobody
from tests.sites.accounts import add_accounts
from tests.sites.packages import virtual_environment
from tests.sites.programs import program

PACKAGES = ("doccano==1.8.4", "setuptools<81", "marshmallow<4", "numpy<2")
ADMIN, PASSWORD = "admin", "Rosebud-91-of-the-lake"


@dataclass(frozen=True)
class Doccano:
    """An installed application."""

    folder: Path
    port: int

    @classmethod
    def install(cls, folder: Path, others: Sequence[str] = ()) -> Doccano:
        """Install it, and keep its database as it is with one administrator, and others who have the same password."""
        virtual_environment(folder / "venv", *PACKAGES)
        made = cls(folder, port_of_nobody())
        (folder / "data").mkdir()
        made._run("init")
        made._run("createuser", "--username", ADMIN, "--password", PASSWORD)
        add_accounts(made.database, "auth_user", "username", others)
        shutil.copyfile(made.database, folder / "pristine.sqlite3")
        return made

    def reset(self) -> None:
        """Throw away what was added, under the eyes of the server: its connections stay."""
        with (
            closing(sqlite3.connect(self.folder / "pristine.sqlite3")) as source,
            closing(sqlite3.connect(self.database)) as target,
        ):
            source.backup(target)

    @property
    def database(self) -> Path:
        return self.folder / "data" / "db.sqlite3"

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        # Its own command listens on every interface.
        command = [
            self.folder / "venv" / "bin" / "python", "-m", "gunicorn", "--bind", f"127.0.0.1:{self.port}",
            "--worker-class", "gthread", "--threads", "4", "--chdir", self._backend, "config.wsgi",
        ]  # fmt: skip
        return program(command, f"http://127.0.0.1:{self.port}", "/auth", environment=self._environment)

    @property
    def _backend(self) -> Path:
        (found,) = (self.folder / "venv" / "lib").glob("python3*/site-packages/backend")
        return found

    @property
    def _environment(self) -> dict[str, str]:
        home = self.folder / "data"
        return {
            **os.environ,
            "DOCCANO_HOME": str(home),
            "DATABASE_URL": f"sqlite:///{home}/db.sqlite3",
            "MEDIA_ROOT": str(home / "media"),
            "STANDALONE": "True",
            "DJANGO_SETTINGS_MODULE": "config.settings.production",
        }

    def _run(self, *arguments: str) -> None:
        command = [self.folder / "venv" / "bin" / "doccano", *arguments]
        subprocess.run(command, check=True, env=self._environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
