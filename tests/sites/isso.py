"""Isso, a server of comments whose form is a script's, installed from PyPI into a folder and served on loopback."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.ports import port_of_nobody
from tests.sites.packages import virtual_environment
from tests.sites.programs import program

PACKAGES = ("isso==0.14.0", "setuptools<81")
_SETTINGS = """
[general]
dbpath = {folder}/comments.db
host = http://127.0.0.1:{port}/
max-age = 60m
[server]
listen = http://127.0.0.1:{port}
[guard]
enabled = false
[moderation]
enabled = false
"""


@dataclass(frozen=True)
class Isso:
    """An installed server."""

    folder: Path
    port: int

    @classmethod
    def install(cls, folder: Path) -> Isso:
        """Install it, and keep its database as it is without a comment."""
        virtual_environment(folder / "venv", *PACKAGES)
        found = cls(folder, port_of_nobody())
        (folder / "isso.cfg").write_text(_SETTINGS.format(folder=folder, port=found.port), "utf-8")
        with found.served():
            pass
        shutil.copyfile(folder / "comments.db", folder / "pristine.db")
        return found

    def reset(self) -> None:
        """Throw away what was added; the server opens its database anew for each statement."""
        shutil.copyfile(self.folder / "pristine.db", self.folder / "comments.db")

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.folder / "comments.db")) as connection:
            return connection.execute(query).fetchall()

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        command = [self.folder / "venv" / "bin" / "isso", "-c", self.folder / "isso.cfg", "run"]
        return program(command, f"http://127.0.0.1:{self.port}", "/demo/index.html")
