"""A forum of Spirit with a few topics and comments, installed from PyPI into a folder and served on loopback."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from tests.ports import port_of_nobody
from tests.sites.packages import virtual_environment
from tests.sites.programs import program

PACKAGES = ("django-spirit==0.14.3", "django>=5.2,<5.3", "setuptools<81")
MEMBER, PASSWORD = "ada", "Rosebud-91-of-the-lake"
OF_ITSELF = ("django_session", "django_migrations", "django_content_type", "auth_permission", "djconfig", "sqlite_")
"""Tables that say nothing of what a user did."""
# Nobody waits between two comments, and what is searched for is not looked at.
_SETTINGS = """
from place.settings.dev import *

DEBUG = False
ALLOWED_HOSTS = ["*"]
ST_RATELIMIT_ENABLE = False
ST_TESTS_RATELIMIT_NEVER_EXPIRE = False
ST_DOUBLE_POST_THRESHOLD_MINUTES = 0
HAYSTACK_SIGNAL_PROCESSOR = "haystack.signals.BaseSignalProcessor"
HAYSTACK_CONNECTIONS = {"default": {"ENGINE": "haystack.backends.simple_backend.SimpleEngine"}}
ST_TASK_MANAGER = None
LOGGING = {}
"""
_SENT_IN_VIEW = re.compile(r"stModules\.bookmark\(.*?\}\);", re.DOTALL)
_CONTENT = f"""
from django.contrib.auth import get_user_model
from spirit.category.models import Category
from spirit.comment.models import Comment
from spirit.topic.models import Topic

people = {{}}
for name in ("{MEMBER}", "ben", "eve", "tom"):
    person = get_user_model().objects.create_user(username=name, email=name + "@example.org", password="{PASSWORD}")
    person.st.is_verified, person.st.is_moderator = True, name == "{MEMBER}"
    person.st.save()
    people[name] = person
clubs = [Category.objects.create(title=title) for title in ("Gardening", "Music")]
said = (
    ("Moving house", 0, "ada", ("I move to Leeds in May.", "Who takes the piano?")),
    ("Bees on the roof", 0, "ben", ("Mine swarmed.", "So did mine.", "Smoke helps.", "So did mine.")),
    ("Bees on the roof", 1, "eve", ("A song for four voices.", "We sing on Friday.")),
    ("Seeds to swap", 0, "tom", ("Beans and peas.", "Any dill?")),
)
for title, club, author, texts in said:
    topic = Topic.objects.create(user=people[author], category=clubs[club], title=title)
    writers = ["ada", "ben", "eve", "tom"]
    for number, text in enumerate(texts):
        writer = author if number == 0 else writers[(number + club) % 4]
        Comment.objects.create(user=people[writer], topic=topic, comment=text, comment_html="<p>" + text + "</p>")
    Topic.objects.filter(pk=topic.pk).update(comment_count=len(texts))
"""


@dataclass(frozen=True)
class Forum:
    """An installed forum."""

    folder: Path

    @classmethod
    def install(cls, folder: Path) -> Forum:
        """Install it, and keep its database as it is with four members, who have written to each other."""
        virtual_environment(folder / "venv", *PACKAGES)
        made = cls(folder)
        subprocess.run(
            [folder / "venv" / "bin" / "spirit", "startproject", "place"],
            cwd=folder,
            env=made._environment,
            check=True,
            stdout=subprocess.DEVNULL,
        )
        (made.home / "forum_settings.py").write_text(_SETTINGS, "utf-8")
        made.forget_what_was_in_view()
        made.manage("migrate", "-v0")
        made.manage("collectstatic", "--noinput", "-v0")
        made.manage("shell", "-v0", "-c", _CONTENT)
        shutil.copyfile(made.database, folder / "pristine.sqlite3")
        return made

    def forget_what_was_in_view(self) -> None:
        """Have pages of topics not send which comment was in view: that is nothing that a user does."""
        (original,) = self.folder.glob("venv/lib/python*/site-packages/spirit/topic/templates/spirit/topic/detail.html")
        own = self.home / "templates" / "spirit" / "topic" / original.name
        own.parent.mkdir(parents=True)
        own.write_text(_SENT_IN_VIEW.sub("", original.read_text("utf-8")), "utf-8")

    def reset(self) -> None:
        """Throw away what was added, under the eyes of the server."""
        with (
            closing(sqlite3.connect(self.folder / "pristine.sqlite3")) as source,
            closing(sqlite3.connect(self.database)) as target,
        ):
            source.backup(target)

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"

    @property
    def home(self) -> Path:
        return self.folder / "place"

    @property
    def database(self) -> Path:
        return self.home / "db.sqlite3"

    def rows(self) -> dict[str, list[dict[str, Any]]]:
        """Give what the forum holds, but for how often a topic was looked at."""
        with closing(sqlite3.connect(self.database)) as connection:
            connection.row_factory = sqlite3.Row
            names = [name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
            tables = {name: connection.execute(f'SELECT * FROM "{name}"').fetchall() for name in names}
        kept = {name: rows for name, rows in tables.items() if not name.startswith(OF_ITSELF)}
        return {
            name: [{key: value for key, value in dict(row).items() if key != "view_count"} for row in rows]
            for name, rows in kept.items()
        }

    def manage(self, *arguments: str) -> None:
        command = [self.python, "manage.py", *arguments]
        subprocess.run(command, cwd=self.home, env=self._environment, check=True, stdout=subprocess.DEVNULL)

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        port = port_of_nobody()
        command = [self.python, "manage.py", "runserver", f"127.0.0.1:{port}", "--noreload", "--insecure"]
        return program(command, f"http://127.0.0.1:{port}", "/", folder=self.home, environment=self._environment)

    @property
    def _environment(self) -> dict[str, str]:
        path = f"{self.folder / 'venv' / 'bin'}{os.pathsep}{os.environ.get('PATH', '')}"
        return {**os.environ, "PATH": path, "DJANGO_SETTINGS_MODULE": "forum_settings"}
