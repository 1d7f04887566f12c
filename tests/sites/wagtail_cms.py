"""A site of Wagtail with articles, whose editors are scripts' and whose choosers are dialogs; installed from PyPI."""

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

PACKAGE = "wagtail==8.0.1"
ADMIN, PASSWORD = "root", "Rosebud-91-of-the-lake"
OF_ITSELF = ("wagtailsearch_", "wagtailadmin_editingsession", "wagtailimages_rendition")
"""Tables of what the site keeps for itself: an index, who edits now, and sizes of pictures that were asked for."""
_SETTINGS = """
WAGTAIL_AUTOSAVE_INTERVAL = 0
WAGTAIL_EDITING_SESSION_PING_INTERVAL = 3_600_000
WAGTAIL_ENABLE_UPDATE_CHECK = False
WAGTAIL_ENABLE_WHATS_NEW_BANNER = False
WAGTAIL_GRAVATAR_PROVIDER_URL = None
"""
_MODELS = """
from django.db import models
from wagtail.admin.panels import FieldPanel
from wagtail.blocks import CharBlock, RichTextBlock
from wagtail.fields import RichTextField, StreamField
from wagtail.models import Page

SECTIONS = [("news", "News"), ("arts", "Arts"), ("sport", "Sport")]


class HomePage(Page):
    pass


class ArticlePage(Page):
    intro = models.CharField(max_length=200, blank=True)
    day = models.DateField(null=True, blank=True)
    price = models.DecimalField(max_digits=8, decimal_places=2, null=True, blank=True)
    section = models.CharField(max_length=9, choices=SECTIONS, default="news")
    featured = models.BooleanField(default=False)
    body = RichTextField(blank=True)
    parts = StreamField([("heading", CharBlock()), ("paragraph", RichTextBlock())], blank=True)
    picture = models.ForeignKey(
        "wagtailimages.Image", null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    content_panels = [
        *Page.content_panels,
        *(FieldPanel(name) for name in ("intro", "day", "price", "section", "featured", "body", "parts", "picture")),
    ]
"""
_TEMPLATE = """
{% load wagtailcore_tags wagtailimages_tags %}<!doctype html><html lang=en><title>{{ page.title }}</title>
<main><h1>{{ page.title }}</h1><p>{{ page.intro }}</p><dl><dt>Day</dt><dd>{{ page.day|date:"j F Y" }}</dd>
<dt>Price</dt><dd>{{ page.price }}</dd><dt>Section</dt><dd>{{ page.get_section_display }}</dd>
<dt>Featured</dt><dd>{{ page.featured|yesno }}</dd></dl>{{ page.body|richtext }}{% include_block page.parts %}
{% if page.picture %}{% image page.picture width-300 %}{% endif %}</main></html>
"""


@dataclass(frozen=True)
class Wagtail:
    """An installed site."""

    folder: Path

    @classmethod
    def install(cls, folder: Path) -> Wagtail:
        """Install it, start a site with articles, and keep its database as it is with one superuser."""
        programs = virtual_environment(folder / "venv", PACKAGE)
        made = cls(folder)
        made.home.mkdir()
        subprocess.run([programs / "wagtail", "start", "place", made.home], check=True, stdout=subprocess.DEVNULL)
        (made.home / "home" / "models.py").write_text(_MODELS, "utf-8")
        (made.home / "home" / "templates" / "home" / "article_page.html").write_text(_TEMPLATE.strip(), "utf-8")
        # What is saved by a clock is saved another number of times each time; and nobody asks for news of other hosts.
        (made.home / "place" / "settings" / "local.py").write_text(_SETTINGS, "utf-8")
        made.manage("makemigrations", "home", "-v0")
        made.manage("migrate", "-v0")
        made.manage("createsuperuser", "--noinput", "--username", ADMIN, "--email", "root@example.org")
        shutil.copyfile(made.database, folder / "pristine.sqlite3")
        return made

    def reset(self) -> None:
        """Throw away what was added, under the eyes of the server; pictures stay, which are called anew."""
        with (
            closing(sqlite3.connect(self.folder / "pristine.sqlite3")) as source,
            closing(sqlite3.connect(self.database)) as target,
        ):
            source.backup(target)
        shutil.rmtree(self.home / "media", ignore_errors=True)

    @property
    def home(self) -> Path:
        return self.folder / "site"

    @property
    def database(self) -> Path:
        return self.home / "db.sqlite3"

    def manage(self, *arguments: str) -> None:
        environment = {**os.environ, "DJANGO_SUPERUSER_PASSWORD": PASSWORD}
        command = [self.folder / "venv" / "bin" / "python", "manage.py", *arguments]
        subprocess.run(command, cwd=self.home, env=environment, check=True, stdout=subprocess.DEVNULL)

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        port = port_of_nobody()
        command = [self.folder / "venv" / "bin" / "python", "manage.py", "runserver", f"127.0.0.1:{port}", "--noreload"]
        return program(command, f"http://127.0.0.1:{port}", "/admin/login/", folder=self.home)
