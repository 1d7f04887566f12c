"""A Django project with its admin, installed from PyPI into a folder and served on loopback."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.fakes.messages_api import call
from tests.ports import port_of_nobody
from tests.sites.packages import virtual_environment
from tests.sites.programs import program

DJANGO = "django>=5.2,<5.3"
ROOT, PASSWORD = "root", "Rosebud-91-of-the-lake"
LOGS_IN = (
    call("fill", selector="Username", value=ROOT),
    call("secure_fill", selector="Password", secret="root_password"),
    call("click", selector="Log in"),
)
GROUP = (
    call("click", selector="Groups"),
    call("click", selector="Add group"),
    call("fill", selector="Name", value="Readers of {{identity.city}}"),
    call("click", selector='role=button[name="Save and continue editing"]'),
)
ACCOUNT = (
    call("click", selector="Users"),
    call("click", selector="Add user"),
    call(
        "fill_form",
        values={
            "Username": "{{identity.username}}",
            "Password": "{{secret.password}}",
            "Password confirmation": "{{secret.password}}",
        },
    ),
    call("click", selector='role=button[name="Save"]'),
)
"""What a scripted model calls: to log in, to add a group, and to add an account of its own."""


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

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        port = port_of_nobody()
        command = [self.python, "manage.py", "runserver", f"127.0.0.1:{port}", "--noreload"]
        return program(command, f"http://127.0.0.1:{port}", "/admin/login/", folder=self.folder / "site")
