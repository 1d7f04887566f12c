"""I Hate Money, shared budgets in Flask and in many languages, installed from PyPI and served on loopback."""

from __future__ import annotations

import os
import shutil
import sqlite3
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

from tests.ports import port_of_nobody
from tests.sites.packages import virtual_environment
from tests.sites.programs import program

PACKAGES = ("ihatemoney==7.2.1", "setuptools<81")
_SETTINGS = """
SQLALCHEMY_DATABASE_URI = "sqlite:///{database}"
SECRET_KEY = "the key of a site that is used in tests"
SESSION_COOKIE_SECURE = False
MAIL_SUPPRESS_SEND = True
"""


@dataclass(frozen=True)
class IHateMoney:
    """An installed application."""

    folder: Path
    port: int

    @classmethod
    def install(cls, folder: Path) -> IHateMoney:
        """Install it, and keep its database as it is without a project."""
        virtual_environment(folder / "venv", *PACKAGES)
        made = cls(folder, port_of_nobody())
        (folder / "ihatemoney.cfg").write_text(_SETTINGS.format(database=made.database), "utf-8")
        with made.served():
            pass
        shutil.copyfile(made.database, folder / "pristine.db")
        return made

    def reset(self) -> None:
        """Throw away what was added, under the eyes of the server: its connections stay."""
        with (
            closing(sqlite3.connect(self.folder / "pristine.db")) as source,
            closing(sqlite3.connect(self.database)) as target,
        ):
            source.backup(target)

    @property
    def database(self) -> Path:
        return self.folder / "ihatemoney.db"

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        url = f"http://127.0.0.1:{self.port}"
        # What is asked for prices of currencies is another host: a proxy that is not there answers at once.
        environment = {
            **os.environ,
            "IHATEMONEY_SETTINGS_FILE_PATH": str(self.folder / "ihatemoney.cfg"),
            "HTTPS_PROXY": "http://127.0.0.1:9",
        }
        command = [self.folder / "venv" / "bin" / "ihatemoney", "run", "--port", str(self.port)]
        return program(command, url, "/healthcheck", folder=self.folder, environment=environment)
