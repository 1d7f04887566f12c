"""The sites that golden recordings were made on: how each is served and reset, and who did what there.

Not responsible for: recording (``record.py``) or replaying (``replaying.py``).
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.fakes.messages_api import Reply, Request, call
from tests.ports import port_of_nobody
from tests.sites.board import board
from tests.sites.django_admin import ACCOUNT, GROUP, LOGS_IN, PASSWORD, DjangoAdmin
from tests.sites.isso import Isso
from tests.sites.office import office
from tests.sites.sqlpad import SqlPad

_SITES = Path(__file__).parents[1] / "sites"
_CLOSE_TO_NOTHING = """
persona: {name}
about: {about}
locale: en_GB
tasks:
  - do: {task}
tools: {{toolsets: [browser, books], max_safety: dangerous}}
limits: {{tokens: 10000000}}
"""


@dataclass(frozen=True)
class Served:
    """A site that is running, empty."""

    url: str
    reset: Callable[[], None]
    """Throws away what was added."""


Turn = Reply | Callable[[Request], Reply]
"""What the scripted model calls, or what makes that of what it was told."""


@dataclass(frozen=True)
class GoldenSite:
    """A site, and what was recorded on it."""

    name: str
    serve: Callable[[Path], AbstractContextManager[Served]]
    settings: str
    """The section of ``sim.toml``; ``{url}`` stands for the address."""
    personas: Sequence[str]
    script: Sequence[Turn] = ()
    """What a scripted model does; empty: the autopilot acts."""
    heavy: bool = False
    """Whether it is installed first, by PyPI's or npm's own client."""
    disposable: bool = False
    """Whether the program itself serves and resets it."""
    says_no: bool = False
    """Whether a question of the browser is answered with no there: such a run is exported as no test."""
    secrets: dict[str, str] = field(default_factory=dict)
    """Variables of the environment that the section refers to."""

    def sim_toml(self, served: Served, source: Path) -> str:
        """Write ``sim.toml`` for a program.

        Args:
            served: the site as it runs.
            source: checkout of the program; its own has the bookshop.
        """
        if not self.disposable:
            return self.settings.format(url=served.url)
        return (source / "sim.toml").read_text("utf-8").replace("http://127.0.0.1:8765", served.url)


def _talk(name: str, about: str, task: str) -> tuple[str]:
    return (_CLOSE_TO_NOTHING.format(name=name, about=about, task=task),)


@contextmanager
def _bookshop(folder: Path) -> Iterator[Served]:
    yield Served(f"http://127.0.0.1:{port_of_nobody()}", lambda: None)


@contextmanager
def _market(folder: Path) -> Iterator[Served]:
    process = subprocess.Popen(
        [sys.executable, str(_SITES / "buecherstube.py")], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    )
    try:
        assert process.stdout is not None
        url = json.loads(process.stdout.readline())["url"]
        anew = urllib.request.Request(f"{url}/von-vorn", method="POST")
        yield Served(url, lambda: urllib.request.urlopen(anew, timeout=30).close())
    finally:
        process.terminate()
        process.communicate(timeout=30)


@contextmanager
def _office(folder: Path) -> Iterator[Served]:
    with office() as found:
        yield Served(found.url, found.forget)


@contextmanager
def _board(folder: Path) -> Iterator[Served]:
    with board() as found:
        yield Served(found.url, found.reset)


@contextmanager
def _admin(folder: Path) -> Iterator[Served]:
    project = DjangoAdmin.install(folder)
    with project.served() as url:
        yield Served(url, project.reset)


@contextmanager
def _isso(folder: Path) -> Iterator[Served]:
    server = Isso.install(folder)
    with server.served() as url:
        yield Served(url, server.reset)


@contextmanager
def _pad(folder: Path) -> Iterator[Served]:
    pad = SqlPad.install(folder)
    with pad.served() as url:
        pad.reset()
        yield Served(url, pad.reset)


# The autopilot deals personas in the order of their names, and one at a time who looks around has to come second.
_SELLER = """
persona: anbieter
about: Sells books on a market.
locale: de_DE
traits: {description_length: short}
tastes: {price: {min: 3, max: 8, currency: EUR}}
tasks:
  - register
  - list_books: {count: 3}
  - edit_listing: {field: price}
  - edit_listing: {field: description}
  - delete_listing
  - logout
"""
_BUYER = """
persona: besucher
about: Looks around on a market.
locale: de_DE
traits: {description_length: short}
tasks:
  - register
  - browse: {pages: 2}
  - save_listings: {count: 2}
  - message_seller
"""
_NOTE = "A note of {{identity.first_name}} about the lamp"
_OFFICE = [
    call("navigate", url="/register"),
    call("fill", selector="Username", value="{{identity.username}}"),
    call("fill", selector="Name", value="{{identity.display_name}}"),
    call("fill", selector="E-mail", value="{{identity.email}}"),
    call("fill", selector="Password", value="{{secret.password}}"),
    call("click", selector='role=button[name="Create account"]'),
    call("fill", selector="Username", value="{{identity.username}}"),
    call("fill", selector="Password", value="{{secret.password}}"),
    call("click", selector='role=button[name="Log in"]'),
    call("fill", selector="Note", value=_NOTE),
    call("click", selector='role=button[name="Keep note"]'),
    call("fill", selector="Text", value=f"{_NOTE}, changed"),
    call("click", selector='role=button[name="Change"]'),
    call("click", selector='role=link[name="Desk"]'),
    call("click", selector='role=button[name="Log out"]'),
]


def _read(pattern: str) -> Callable[[Request], str]:
    """Give what a model reads in what it was told."""
    return lambda request: re.findall(pattern, str(request.body))[-1]


def _give(field: str, read: Callable[[Request], str]) -> Callable[[Request], Reply]:
    return lambda request: call("fill", selector=field, value=read(request))


_ORDERS = [
    *_OFFICE[:9],
    call("click", selector='role=button[name="Order a lamp"]'),
    call("read_page"),
    call("click", selector="Track an order"),
    _give("Order", _read(r"LMP-\d+")),
    _give("Code", _read(r"your code\W+(\d{6})")),
    call("click", selector='role=button[name="Track"]'),
]
_QUESTIONS = [
    call("navigate", url="/"),
    call("fill", selector="Title", value="Sweep the yard"),
    call("click", selector='role=button[name="Add card"]'),
    call("answer_dialog", accept=False),
    call("click", selector='role=button[name="Delete card"]'),
    call("answer_dialog", accept=True),
    call("click", selector='role=button[name="Delete card"]'),
]
_BOARD = [
    call("navigate", url="/"),
    call("fill", selector="Title", value="Paint the shed of {{identity.first_name}}"),
    call("fill", selector="Notes", value="Two coats, in green."),
    call("fill", selector="Budget", value="1234"),
    call("click", selector='role=button[name="Add card"]'),
    call("fill", selector="Notes", value="Two coats, in blue."),
    call("click", selector='role=button[name="Save card"]'),
    call("fetch_book_covers", query="The Moonstone", count=1),
    call("upload_cover_image", cover_url="{{file.cover_1}}", selector="input[name=file]"),
    call("click", selector='role=button[name="Attach"]'),
    call("fill", selector="Remark", value="{{identity.first_name}} was here"),
    call("click", selector='role=button[name="Send remark"]'),
    call("click", selector='role=link[name="All cards"]'),
    call("check", selector='role=checkbox[name="Done"]'),
    call("fill", selector="Title", value="Throw away"),
    call("click", selector='role=button[name="Add card"]'),
    call("click", selector='role=button[name="Delete card"]'),
]
_ADMIN = [
    call("navigate", url="/admin/login/?next=/admin/"),
    *LOGS_IN,
    *GROUP,
    call("fill", selector="Name", value="Writers with {{identity.username}}"),
    call("click", selector='role=button[name="Save and continue editing"]'),
    *ACCOUNT,
    call("fill", selector="First name", value="{{identity.first_name}}"),
    call("fill", selector="Email address", value="{{identity.email}}"),
    call("check", selector="Staff status"),
    call("click", selector='role=button[name="Save"]'),
    call("click", selector="Groups"),
    call("click", selector='role=link[name="Writers with {{identity.username}}"]'),
    call("click", selector='role=link[name="Delete"]'),
    call("click", selector="Yes, I\N{RIGHT SINGLE QUOTATION MARK}m sure"),
]
_PAD = [
    call("navigate", url="/signup"),
    call("fill", selector="Email address", value="{{identity.email}}"),
    call("secure_fill", selector="role=textbox[name='Password']", secret="password"),
    call("secure_fill", selector="Confirm Password", secret="password"),
    call("click", selector="Sign up"),
    call("navigate", url="/queries/new"),
    call("fill", selector="Query name", value="Readers of {{identity.city}}"),
    call("press_key", key="Control+s"),
    call("fill", selector="Query name", value="Readers of {{identity.city}}, by {{identity.first_name}}"),
    call("press_key", key="Control+s"),
    call("click", selector="role=button[name='Queries']"),
]
_COMMENT = 'role=textbox[name="Type Comment Here (at least 3 chars)"]'
_ISSO = [
    call("navigate", url="/demo/"),
    call("fill", selector=_COMMENT, value="{{identity.first_name}} from {{identity.city}} was here"),
    call("fill", selector="Name (optional)", value="{{identity.display_name}}"),
    call("fill", selector="E-mail (optional)", value="{{identity.email}}"),
    call("click", selector='role=button[name="Submit"]'),
    call("click", selector='role=link[name="Edit"]'),
    call("fill", selector="#isso-root textarea", value="{{identity.first_name}} from {{identity.city}} is here"),
    call("click", selector='role=link[name="Save"]'),
    call("fill", selector=_COMMENT, value="Nothing to say"),
    call("click", selector='role=button[name="Submit"]'),
    call("click", selector=".isso-comment:last-of-type .isso-delete"),
    call("click", selector=".isso-comment:last-of-type .isso-delete"),
]
_PLAIN = '[site.{name}]\nbase_url = "{{url}}"\ngrants = ["login", "upload"]\n'

SITES = {
    site.name: site
    for site in (
        GoldenSite("bookshop", _bookshop, "", (), disposable=True),
        GoldenSite(
            "market",
            _market,
            '[site.market]\nbase_url = "{url}"\nlanguage = "de"\nlogged_in = {{ role = "link", name = "Abmelden" }}\n',
            (_SELLER, _BUYER),
        ),
        GoldenSite(
            "office",
            _office,
            '[site.office]\nbase_url = "{url}"\nroutes = {{ login = "/login", register = "/register" }}\n',
            _talk("clerk", "Keeps notes.", "Keep a note."),
            _OFFICE,
        ),
        GoldenSite(
            "board",
            _board,
            _PLAIN.format(name="board"),
            _talk("planner", "Plans work on a board.", "Plan what is to be done."),
            _BOARD,
        ),
        GoldenSite(
            "orders",
            _office,
            '[site.orders]\nbase_url = "{url}"\nroutes = {{ login = "/login", register = "/register" }}\n',
            _talk("customer", "Orders a lamp.", "Order a lamp, and track it."),
            _ORDERS,
        ),
        GoldenSite(
            "questions",
            _board,
            _PLAIN.format(name="questions"),
            _talk("doubter", "Thinks twice.", "Add a card, and throw it away in the end."),
            _QUESTIONS,
            says_no=True,
        ),
        GoldenSite(
            "admin",
            _admin,
            '[site.admin]\nbase_url = "{url}"\nsecrets = {{ root_password = {{ env = "ROOT_PASSWORD" }} }}\n'
            'routes = {{ login = "/admin/login/" }}\n',
            _talk("keeper", "Keeps the accounts of a site.", "Add a group for your town, and an account."),
            _ADMIN,
            heavy=True,
            secrets={"ROOT_PASSWORD": PASSWORD},
        ),
        GoldenSite(
            "isso",
            _isso,
            _PLAIN.format(name="isso"),
            _talk("guest", "Comments on what others write.", "Leave a comment."),
            _ISSO,
            heavy=True,
        ),
        GoldenSite(
            "pad",
            _pad,
            '[site.pad]\nbase_url = "{url}"\nroutes = {{ login = "/signin", register = "/signup" }}\n',
            _talk("analyst", "Keeps queries.", "Sign up, and keep a query about your town."),
            _PAD,
            heavy=True,
        ),
    )
}
"""By their names."""
