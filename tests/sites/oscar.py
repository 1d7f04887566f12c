"""A shop of django-oscar with four products, installed from PyPI into a folder and served on loopback."""

from __future__ import annotations

import os
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

PACKAGES = ("django-oscar[sorl-thumbnail]==4.2.1", "django>=5.2,<5.3", "whoosh==2.7.4")
COUNTED = ("analytics_", "thumbnail_")
"""Tables in which the shop counts what is looked at: no write of a user's."""
_SETTINGS = """
from pathlib import Path
import oscar
from oscar.defaults import *

HERE = Path(__file__).parent
SECRET_KEY = "a shop of the tests"
DEBUG = True
ALLOWED_HOSTS = ["*"]
LANGUAGE_CODE = "en-gb"
TIME_ZONE = "UTC"
USE_TZ = True
SITE_ID = 1
INSTALLED_APPS = [*oscar.INSTALLED_APPS, "sorl.thumbnail"]
MIDDLEWARE = [
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.contrib.flatpages.middleware.FlatpageFallbackMiddleware",
    "oscar.apps.basket.middleware.BasketMiddleware",
]
AUTHENTICATION_BACKENDS = [
    "oscar.apps.customer.auth_backends.EmailBackend",
    "django.contrib.auth.backends.ModelBackend",
]
ROOT_URLCONF = "shop_urls"
TEMPLATES = [{
    "BACKEND": "django.template.backends.django.DjangoTemplates",
    "APP_DIRS": True,
    "OPTIONS": {"context_processors": [
        "django.template.context_processors.debug",
        "django.template.context_processors.request",
        "django.contrib.auth.context_processors.auth",
        "django.template.context_processors.i18n",
        "django.template.context_processors.media",
        "django.template.context_processors.static",
        "django.contrib.messages.context_processors.messages",
        "oscar.apps.search.context_processors.search_form",
        "oscar.apps.checkout.context_processors.checkout",
        "oscar.apps.communication.notifications.context_processors.notifications",
        "oscar.core.context_processors.metadata",
    ]},
}]
DATABASES = {"default": {
    "ENGINE": "django.db.backends.sqlite3", "NAME": HERE / "db.sqlite3", "ATOMIC_REQUESTS": True,
}}
DEFAULT_AUTO_FIELD = "django.db.models.AutoField"
HAYSTACK_CONNECTIONS = {"default": {
    "ENGINE": "haystack.backends.whoosh_backend.WhooshEngine", "PATH": str(HERE / "index"),
}}
EMAIL_BACKEND = "django.core.mail.backends.dummy.EmailBackend"
STATIC_URL = "static/"
MEDIA_ROOT = HERE / "media"
MEDIA_URL = "/media/"
LOGIN_REDIRECT_URL = "/"
OSCAR_SHOP_NAME = "The corner shop"
OSCAR_INITIAL_ORDER_STATUS = "Pending"
OSCAR_INITIAL_LINE_STATUS = "Pending"
"""
_URLS = """
from django.apps import apps
from django.conf import settings
from django.conf.urls.static import static
from django.urls import include, path

urlpatterns = [
    path("i18n/", include("django.conf.urls.i18n")),
    path("", include(apps.get_app_config("oscar").urls[0])),
    *static(settings.MEDIA_URL, document_root=settings.MEDIA_ROOT),
]
"""
_FILL = """
import django
django.setup()
from decimal import Decimal
from oscar.core.loading import get_model

get_model("address", "Country").objects.create(
    iso_3166_1_a2="GB", iso_3166_1_a3="GBR", iso_3166_1_numeric="826", printable_name="United Kingdom",
    name="United Kingdom of Great Britain and Northern Ireland", is_shipping_country=True,
)
kind = get_model("catalogue", "ProductClass").objects.create(name="Book", requires_shipping=True, track_stock=True)
shelf = get_model("catalogue", "Category").add_root(name="Crime")
house = get_model("partner", "Partner").objects.create(name="The house")
for number, (title, price) in enumerate(
    (("The Moonstone", "8.99"), ("The Woman in White", "7.50"), ("Trent's Last Case", "12.00"), ("Fantomas", "6.25"))
):
    book = get_model("catalogue", "Product").objects.create(
        product_class=kind, title=title, upc=f"97800{number}", description=f"A paperback of {title}."
    )
    book.categories.add(shelf)
    get_model("partner", "StockRecord").objects.create(
        product=book, partner=house, partner_sku=f"sku-{number}", price=Decimal(price), num_in_stock=1000
    )
"""


@dataclass(frozen=True)
class Oscar:
    """An installed shop."""

    folder: Path

    @property
    def python(self) -> Path:
        return self.folder / "venv" / "bin" / "python"

    @property
    def database(self) -> Path:
        return self.folder / "site" / "db.sqlite3"

    @classmethod
    def install(cls, folder: Path) -> Oscar:
        """Install it, put products into it, and keep its database as it is without a customer."""
        made = cls(folder)
        virtual_environment(folder / "venv", *PACKAGES)
        site = folder / "site"
        (site / "media").mkdir(parents=True)
        for name, text in (("shop_settings", _SETTINGS), ("shop_urls", _URLS), ("fill", _FILL)):
            (site / f"{name}.py").write_text(text, "utf-8")
        made._python("-m", "django", "migrate", "-v0")
        made._python("fill.py")
        made._python("-m", "django", "update_index", "-v0")
        shutil.copyfile(made.database, folder / "pristine.sqlite3")
        return made

    def reset(self) -> None:
        """Throw away what was added; the server opens its database anew for each request."""
        shutil.copyfile(self.folder / "pristine.sqlite3", self.database)

    def rows(self, query: str) -> list[tuple[Any, ...]]:
        with closing(sqlite3.connect(self.database)) as connection:
            return connection.execute(query).fetchall()

    def served(self) -> AbstractContextManager[str]:
        """Serve it; gives its address."""
        port = port_of_nobody()
        command = [self.python, "-m", "django", "runserver", f"127.0.0.1:{port}", "--noreload"]
        folder = self.folder / "site"
        return program(command, f"http://127.0.0.1:{port}", "/catalogue/", folder=folder, environment=self._environment)

    def _python(self, *arguments: str) -> None:
        command = [self.python, *arguments]
        subprocess.run(command, cwd=self.folder / "site", env=self._environment, check=True)

    @property
    def _environment(self) -> dict[str, str]:
        return {**os.environ, "DJANGO_SETTINGS_MODULE": "shop_settings", "PYTHONPATH": ".", "PYTHONWARNINGS": "ignore"}
