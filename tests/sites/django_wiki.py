"""A wiki of django-wiki in German, where anybody may open an account; installed from PyPI and served on loopback."""

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

PACKAGES = ("wiki==0.13.0", "django>=5.2,<5.3")
ADMIN, PASSWORD = "root", "Rosebud-91-of-the-lake"
# A hash that costs as much as it should lets many users who log in at once wait for longer than a page may take.
_SETTINGS = """
from place.settings import *

INSTALLED_APPS += [
    "django.contrib.sites", "django.contrib.humanize", "django_nyt", "mptt", "sekizai", "sorl.thumbnail", "wiki",
    "wiki.plugins.attachments", "wiki.plugins.notifications", "wiki.plugins.images", "wiki.plugins.macros",
]
TEMPLATES[0]["OPTIONS"]["context_processors"] += [
    "django.template.context_processors.debug", "django.template.context_processors.i18n",
    "django.template.context_processors.media", "django.template.context_processors.static",
    "django.template.context_processors.tz", "sekizai.context_processors.sekizai",
]
MIDDLEWARE.insert(2, "django.middleware.locale.LocaleMiddleware")
LANGUAGES = [("de", "Deutsch")]
LANGUAGE_CODE = "de"
SITE_ID = 1
PASSWORD_HASHERS = ["django.contrib.auth.hashers.MD5PasswordHasher"]
LOGIN_REDIRECT_URL = "/"
ROOT_URLCONF = "wiki_urls"
MEDIA_ROOT = BASE_DIR / "media"
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
SILENCED_SYSTEM_CHECKS = ["models.W042"]
WIKI_ACCOUNT_HANDLING = True
WIKI_ACCOUNT_SIGNUP_ALLOWED = True
"""
_URLS = """
from django.contrib import admin
from django.urls import include, path

urlpatterns = [
    path("admin/", admin.site.urls), path("notifications/", include("django_nyt.urls")), path("", include("wiki.urls")),
]
"""
_ROOT = "from wiki.models import URLPath; URLPath.create_root(title='Startseite', content='Alles über unseren Verein.')"


@dataclass(frozen=True)
class DjangoWiki:
    """An installed wiki."""

    folder: Path

    @classmethod
    def install(cls, folder: Path) -> DjangoWiki:
        """Install it, and keep its database as it is with one superuser and the first page."""
        virtual_environment(folder / "venv", *PACKAGES)
        made = cls(folder)
        made.home.mkdir()
        subprocess.run([made.python, "-m", "django", "startproject", "place", made.home], check=True)
        (made.home / "wiki_settings.py").write_text(_SETTINGS, "utf-8")
        (made.home / "wiki_urls.py").write_text(_URLS, "utf-8")
        made.manage("migrate", "-v0")
        made.manage("createsuperuser", "--noinput", "--username", ADMIN, "--email", "root@example.org")
        made.manage("shell", "-c", _ROOT)
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
        environment = {**self._environment, "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
        subprocess.run(command, cwd=self.home, env=environment, check=True, stdout=subprocess.DEVNULL)

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        port = port_of_nobody()
        command = [self.python, "manage.py", "runserver", f"127.0.0.1:{port}", "--noreload"]
        return program(command, f"http://127.0.0.1:{port}", "/", folder=self.home, environment=self._environment)

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "DJANGO_SETTINGS_MODULE": "wiki_settings"}
