"""A helpdesk of django-helpdesk with a few tickets, installed from PyPI into a folder and served on loopback."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from contextlib import AbstractContextManager, closing
from dataclasses import dataclass
from pathlib import Path

from tests.ports import port_of_nobody
from tests.sites.packages import virtual_environment
from tests.sites.programs import program

PACKAGES = ("django-helpdesk==2.6.1", "django>=5.2,<5.3", "setuptools<81")
AGENT, PASSWORD = "ada", "Rosebud-91-of-the-lake"
OF_ITSELF = ("django_session", "django_migrations", "django_content_type", "auth_permission")
"""Tables that say nothing of what a user did."""
_SETTINGS = """
from place.settings import *

DEBUG = True
ALLOWED_HOSTS = ["*"]
INSTALLED_APPS += [
    "django.contrib.sites", "django.contrib.humanize", "rest_framework", "django_cleanup.apps.CleanupConfig",
    "helpdesk",
]
SITE_ID = 1
ROOT_URLCONF = "helpdesk_urls"
LOGIN_URL = "helpdesk:login"
LOGIN_REDIRECT_URL = "helpdesk:home"
MEDIA_ROOT = BASE_DIR / "media"
MEDIA_URL = "/media/"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
HELPDESK_TEAMS_MODE_ENABLED = False
SILENCED_SYSTEM_CHECKS = ["models.W042"]
"""
_URLS = """
from django.contrib import admin
from django.urls import include, path

urlpatterns = [path("admin/", admin.site.urls), path("", include("helpdesk.urls", namespace="helpdesk"))]
"""
_CONTENT = f"""
from django.contrib.auth import get_user_model
from django.contrib.sites.models import Site
from helpdesk.models import Checklist, ChecklistTask, FollowUp, Queue, Ticket

Site.objects.update_or_create(pk=1, defaults=dict(domain="127.0.0.1", name="Helpdesk"))
people = [
    get_user_model().objects.create_user(
        username=name, email=name + "@example.org", password="{PASSWORD}", is_staff=True, is_superuser=True
    )
    for name in ("{AGENT}", "ben")
]
queues = [
    Queue.objects.create(title=title, slug=title.lower(), allow_public_submission=True) for title in ("House", "Garden")
]
said = (
    ("The lift is stuck", 0, ("It stopped on Monday.", "Still stuck.", "Nobody came.")),
    ("The lamp is broken", 0, ("It flickers.", "Still stuck.")),
    ("The lamp is broken", 1, ("The one beside the pond.",)),
    ("No water", 1, ("Since the frost.",)),
)
for title, queue, texts in said:
    ticket = Ticket.objects.create(
        title=title, queue=queues[queue], submitter_email="guest@example.org", description=texts[0], priority=3
    )
    for number, text in enumerate(texts[1:]):
        FollowUp.objects.create(
            ticket=ticket, title="Comment", comment=text, public=True, user=people[number % 2], date=ticket.created
        )
    for name in ("Before", "After"):
        checklist = Checklist.objects.create(ticket=ticket, name=name)
        for place, task in enumerate(("Call the firm", "Write to the house")):
            ChecklistTask.objects.create(checklist=checklist, description=task, position=place)
"""


@dataclass(frozen=True)
class Helpdesk:
    """An installed helpdesk."""

    folder: Path

    @classmethod
    def install(cls, folder: Path) -> Helpdesk:
        """Install it, and keep its database as it is with two agents and four tickets."""
        virtual_environment(folder / "venv", *PACKAGES)
        made = cls(folder)
        made.home.mkdir()
        subprocess.run([made.python, "-m", "django", "startproject", "place", made.home], check=True)
        (made.home / "helpdesk_settings.py").write_text(_SETTINGS, "utf-8")
        (made.home / "helpdesk_urls.py").write_text(_URLS, "utf-8")
        made.manage("migrate", "-v0")
        made.manage("shell", "-v0", "-c", _CONTENT)
        shutil.copyfile(made.database, folder / "pristine.sqlite3")
        return made

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
        return self.folder / "site"

    @property
    def database(self) -> Path:
        return self.home / "db.sqlite3"

    def manage(self, *arguments: str) -> None:
        command = [self.python, "manage.py", *arguments]
        subprocess.run(command, cwd=self.home, env=self._environment, check=True, stdout=subprocess.DEVNULL)

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        port = port_of_nobody()
        command = [self.python, "manage.py", "runserver", f"127.0.0.1:{port}", "--noreload"]
        return program(command, f"http://127.0.0.1:{port}", "/", folder=self.home, environment=self._environment)

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "DJANGO_SETTINGS_MODULE": "helpdesk_settings"}
