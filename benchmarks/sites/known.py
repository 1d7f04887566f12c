"""The sites on which replays are judged: how each is started, reset and read, and what is recorded there.

The bookshop, the office and the wall are started in this process; the others are installed into a folder first, from
PyPI and npm.
"""

from __future__ import annotations

import itertools
import random
import re
import sqlite3
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from benchmarks.mutations.bench import shop
from benchmarks.sites.flows import (
    CALIBRE_WEB,
    DOCCANO,
    DOKUWIKI,
    HELPDESK,
    IHATEMONEY,
    ISSO,
    OSCAR,
    ROUNDUP,
    SPIRIT,
    TIDDLYWIKI,
    WAGTAIL,
)
from benchmarks.sites.place import Flow, Place
from benchmarks.sites.proxy import State
from simulator.config import load_settings
from simulator.demo.state import reset, site_state
from tests.fakes.messages_api import Reply, call
from tests.sites import (
    calibre_web,
    django_admin,
    doccano,
    dokuwiki,
    helpdesk_site,
    ihatemoney,
    isso,
    oscar,
    roundup,
    spirit_forum,
    sqlpad,
    tiddlywiki,
    wagtail_cms,
)
from tests.sites.drafted.app import App
from tests.sites.drafted.app_flow import calls
from tests.sites.drafted.app_serving import application
from tests.sites.drafted.flow import script
from tests.sites.drafted.serving import drafted
from tests.sites.drafted.site import Drafted
from tests.sites.office import Office, office
from tests.sites.wall import Markup, serving_wall


@dataclass(frozen=True, slots=True)
class Known:
    """A site."""

    flow: Flow
    served: Callable[[Path], AbstractContextManager[Place]]
    """Serves it, where need be installed first; takes a folder of its own."""
    is_left: bool = True
    """Whether another user can do the same on what one has left; else the site has to be put back before."""


@contextmanager
def _bookshop(folder: Path) -> Iterator[Place]:
    database = folder / "shop.db"
    with shop(database, ()) as url:
        yield Place(url, lambda: _by_kind(site_state(database)), lambda: reset(database))


def _by_kind(state: Mapping[str, Mapping[str, Mapping[str, Mapping[str, Any]]]]) -> State:
    tables: dict[str, list[Mapping[str, Any]]] = {}
    for owner, kinds in state.items():
        for kind, things in kinds.items():
            tables.setdefault(kind, []).extend({"owner": owner, "seq": seq, **one} for seq, one in things.items())
    return tables


@contextmanager
def _office(folder: Path) -> Iterator[Place]:
    with office() as served:
        served.lists = True

        def clear() -> None:
            served.forget()
            # As a database that is put back: numbers begin anew, so that a write to another note is another write.
            served.numbers, served.drawn = itertools.count(48_213, 17), random.Random(7)

        yield Place(served.url, lambda: _desk(served), clear)


def _desk(served: Office) -> State:
    return {
        "user": [dict(one) for one in served.users.values()],
        "note": [{"who": who, "text": text} for who, text in served.notes.values()],
        "order": [{"who": who, "code": code} for who, code in served.orders.values()],
        "tracked": [{"who": who, "order": order} for who, order in served.tracked],
    }


def _wall(markup: Markup) -> Callable[[Path], AbstractContextManager[Place]]:
    @contextmanager
    def serve(folder: Path) -> Iterator[Place]:
        with serving_wall(markup, 0, restless=False) as wall:

            def state() -> State:
                # What others vote is no doing of the user's.
                own = ("title", "vote", "follow", "close")
                return {"note": [{name: note.get(name) for name in own} for note in wall.notes.values()]}

            yield Place(wall.url, state, wall.fill)

    return serve


def _presses(name: str, buttons: Sequence[str]) -> Flow:
    """Press a button of each note, and come back to all of them."""
    presses = [call("click", selector=button) for button in buttons]
    return Flow(name, "", ({"do": "Vote, follow, close and delete."},), (call("navigate", url="/"), *presses))


@contextmanager
def _django_admin(folder: Path) -> Iterator[Place]:
    site = django_admin.DjangoAdmin.install(folder)
    with site.served() as url:
        yield Place(url, lambda: tables_of(folder / "site" / "db.sqlite3"), site.reset)


@contextmanager
def _sqlpad(folder: Path) -> Iterator[Place]:
    pad = sqlpad.SqlPad.install(folder)
    with pad.served() as url:
        yield Place(url, lambda: {name: pad.rows(name) for name in ("users", "queries")}, pad.reset)


@contextmanager
def _oscar(folder: Path) -> Iterator[Place]:
    shop = oscar.Oscar.install(folder)
    with shop.served() as url:
        yield Place(url, lambda: tables_of(shop.database, oscar.COUNTED), shop.reset)


@contextmanager
def _calibre_web(folder: Path) -> Iterator[Place]:
    app = calibre_web.CalibreWeb.install(folder)
    with app.served() as url:
        yield Place(url, lambda: _library(app), app.reset)


def _library(app: calibre_web.CalibreWeb) -> State:
    own = tables_of(app.database)
    covers = {"cover": [{"of": name, "sha256": digest} for name, digest in app.covers()]}
    return {**tables_of(app.library / "metadata.db"), **{name: own[name] for name in calibre_web.OF_USERS}, **covers}


@contextmanager
def _isso(folder: Path) -> Iterator[Place]:
    server = isso.Isso.install(folder)
    with server.served() as url:
        yield Place(url, lambda: tables_of(folder / "comments.db"), server.reset)


@contextmanager
def _ihatemoney(folder: Path) -> Iterator[Place]:
    app = ihatemoney.IHateMoney.install(folder)
    with app.served() as url:
        yield Place(url, lambda: tables_of(app.database), app.reset)


@contextmanager
def _roundup(folder: Path) -> Iterator[Place]:
    tracker = roundup.Roundup.install(folder)

    def state() -> State:
        kept = {"kept": [{"place": place, "holds": holds} for place, holds in tracker.files()]}
        return {**tables_of(tracker.database, roundup.OF_ITSELF), **kept}

    with tracker.served() as url:
        yield Place(url, state, tracker.reset)


@contextmanager
def _wagtail(folder: Path) -> Iterator[Place]:
    site = wagtail_cms.Wagtail.install(folder)
    with site.served() as url:
        yield Place(url, lambda: tables_of(site.database, wagtail_cms.OF_ITSELF), site.reset)


@contextmanager
def _doccano(folder: Path) -> Iterator[Place]:
    app = doccano.Doccano.install(folder)
    with app.served() as url:
        yield Place(url, lambda: tables_of(app.database), app.reset)


@contextmanager
def _dokuwiki(folder: Path) -> Iterator[Place]:
    wiki = dokuwiki.DokuWiki.install(folder)
    with wiki.served() as url:
        yield Place(url, wiki.state, wiki.reset)


@contextmanager
def _tiddlywiki(folder: Path) -> Iterator[Place]:
    wiki = tiddlywiki.TiddlyWiki.install(folder)
    with wiki.served() as url:
        yield Place(url, lambda: {"note": wiki.notes()}, wiki.reset)


@contextmanager
def _helpdesk(folder: Path) -> Iterator[Place]:
    desk = helpdesk_site.Helpdesk.install(folder)
    with desk.served() as url:
        yield Place(url, lambda: tables_of(desk.database, helpdesk_site.OF_ITSELF), desk.reset)


@contextmanager
def _spirit(folder: Path) -> Iterator[Place]:
    forum = spirit_forum.Forum.install(folder)
    with forum.served() as url:
        yield Place(url, forum.rows, forum.reset)


def tables_of(database: Path, without: tuple[str, ...] = ()) -> State:
    """Read every table of a SQLite database, but for those whose name begins with one of some words."""
    with closing(sqlite3.connect(database)) as connection:
        connection.row_factory = sqlite3.Row
        names = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
        return {
            name: [
                dict(zip(row.keys(), map(_plain, row), strict=True))
                for row in connection.execute(f'SELECT * FROM "{name}"')
            ]
            for (name,) in names.fetchall()
            if not name.startswith(without)
        }


def _plain(value: Any) -> Any:
    return value.hex() if isinstance(value, bytes) else value


def _bookshop_section() -> str:
    site = load_settings(Path(__file__).parents[2] / "sim.toml").site("bookshop")
    routes = ", ".join(f'{name} = "{path}"' for name, path in site.routes.items())
    return (
        f'bookshop.stock_seller = "house"\nlogged_in = {{ role = "button", name = "Log out" }}\nroutes = {{ {routes} }}'
    )


# On the walls and in the library others find what one has voted for, deleted or renamed, and there is no second one.
_ACTS = tuple(enumerate(("vote", "follow", "close", "delete"), 1))
KNOWN: Mapping[str, Known] = {
    "bookshop": Known(
        Flow(
            "bookshop",
            _bookshop_section(),
            (
                "register",
                {"list_books": {"count": 2}},
                {"edit_listing": {"field": "price"}},
                "save_listings",
                "message_seller",
                "create_matchup",
            ),
        ),
        _bookshop,
    ),
    "office": Known(
        Flow(
            "office",
            'routes = { login = "/login", register = "/register" }',
            ({"do": "Keep notes, order a lamp and track it."},),
            (
                call("navigate", url="/register"),
                call(
                    "fill_form",
                    values={
                        "Username": "{{identity.username}}",
                        "Name": "{{identity.display_name}}",
                        "E-mail": "{{identity.email}}",
                        "Password": "{{secret.password}}",
                    },
                ),
                call("click", selector='role=button[name="Create account"]'),
                call("fill_form", values={"Username": "{{identity.username}}", "Password": "{{secret.password}}"}),
                call("click", selector='role=button[name="Log in"]'),
                call("fill", selector="Note", value="Lamps of {{identity.city}}"),
                call("click", selector='role=button[name="Keep note"]'),
                call("click", selector='role=link[name="Desk"]'),
                call("fill", selector="Note", value="Paper, 20 sheets"),
                call("click", selector='role=button[name="Keep note"]'),
                call("fill", selector="Text", value="Paper, 25 sheets"),
                call("click", selector='role=button[name="Change"]'),
                call("click", selector='role=link[name="Desk"]'),
                call("click", selector='role=link[name="Lamps of {{identity.city}}"]'),
                call("fill", selector="Text", value="Lamps and shades of {{identity.city}}"),
                call("click", selector='role=button[name="Change"]'),
                call("click", selector='role=link[name="Desk"]'),
                call("click", selector='role=button[name="Order a lamp"]'),
            ),
        ),
        _office,
    ),
    "wall": Known(
        _presses("wall", [f"li:nth-of-type({at}) form[action$={act}] button" for at, act in _ACTS]),
        _wall("rows"),
        is_left=False,
    ),
    "wall-app": Known(
        _presses("wall-app", [f".card:nth-of-type({at}) button:nth-of-type({at})" for at, _ in _ACTS]),
        _wall("cards"),
        is_left=False,
    ),
    "django-admin": Known(
        Flow(
            "django-admin",
            'secrets = { root_password = { env = "ROOT_PASSWORD" } }\nroutes = { login = "/admin/login/" }',
            ({"do": "Add a group for your town, and an account for yourself."},),
            (
                call("navigate", url="/admin/"),
                *django_admin.LOGS_IN,
                *django_admin.GROUP,
                *django_admin.ACCOUNT,
                call("fill", selector="First name", value="{{identity.first_name}}"),
                call("fill", selector="Last name", value="{{identity.last_name}}"),
                call("fill", selector="Email address", value="{{identity.email}}"),
                call("check", selector="Staff status"),
                call("click", selector='role=button[name="Save"]'),
            ),
            {"ROOT_PASSWORD": django_admin.PASSWORD},
        ),
        _django_admin,
    ),
    "sqlpad": Known(
        Flow(
            "sqlpad",
            'routes = { login = "/signin", register = "/signup" }',
            ({"do": "Sign up, and keep a query about your town."},),
            (
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
            ),
        ),
        _sqlpad,
    ),
    # The page of a product shows three reviews, the fourth user's is not among them.
    "oscar": Known(OSCAR, _oscar, is_left=False),
    "calibre-web": Known(CALIBRE_WEB, _calibre_web, is_left=False),
    "isso": Known(ISSO, _isso),
    "ihatemoney": Known(IHATEMONEY, _ihatemoney),
    "roundup": Known(ROUNDUP, _roundup),
    # Another agent finds the ticket gone that was deleted, and takes one that has an owner.
    "helpdesk": Known(HELPDESK, _helpdesk, is_left=False),
    # Another moderator finds the comment gone that was deleted, and likes what is liked.
    "spirit": Known(SPIRIT, _spirit, is_left=False),
    "wagtail": Known(WAGTAIL, _wagtail),
    # The administrator gets a token at the first login, and no other one at the next.
    "doccano": Known(DOCCANO, _doccano, is_left=False),
    # The second user finds the rule for walkers that the first one has made.
    "dokuwiki": Known(DOKUWIKI, _dokuwiki, is_left=False),
    # The wiki has one title, and each note its own.
    "tiddlywiki": Known(TIDDLYWIKI, _tiddlywiki),
}
DRAWN = re.compile(r"(drafted|app)-(\d+)")
"""What a site is called that is drawn from a seed."""


def site_of(name: str) -> Known:
    """Give a site.

    Args:
        name: one of :data:`KNOWN`; ``drafted-7`` for the site that is drawn from the seed 7, ``app-7`` for the
            application.

    Raises:
        ValueError: there is none of that name.
    """
    if name in KNOWN:
        return KNOWN[name]
    if found := DRAWN.fullmatch(name):
        return drawn_app(int(found[2])) if found[1] == "app" else drawn_site(int(found[2]))
    raise ValueError(f"no site is called {name!r}")


def drawn_site(seed: int) -> Known:
    """Give the site that is drawn from a seed."""
    site = Drafted(seed)

    @contextmanager
    def served(_: Path) -> Iterator[Place]:
        with drafted(seed, site):
            yield Place(site.url, lambda: _kept(site), site.again)

    return Known(_drawn_flow(f"drafted-{seed}", lambda: script(site)), served)


def drawn_app(seed: int) -> Known:
    """Give the application that is drawn from a seed."""
    site = App(seed)

    @contextmanager
    def served(_: Path) -> Iterator[Place]:
        with application(seed, site):
            yield Place(site.url, lambda: _kept(site), site.again)

    return Known(_drawn_flow(f"app-{seed}", lambda: calls(site)), served)


def _drawn_flow(name: str, turns: Callable[[], Iterator[Reply]]) -> Flow:
    return Flow(name, "", ({"do": "Keep the list of things."},), turns)


def _kept(site: Drafted) -> State:
    return {"thing": [{**one, "notes": "\n".join(one["notes"])} for one in site.kept()]}
