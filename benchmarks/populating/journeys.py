"""The applications that are populated, and what is written by hand for each: data, a persona, and lines of the section.

Not responsible for: how one is installed (``tests/sites``), or going the way (``way``).
"""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path

from benchmarks.populating.way import Journey, Served
from tests.sites import calibre_web, django_wiki, doccano

_CAST = tuple(f"maker{number}" for number in range(1, 13))
"""Accounts that an administrator has made before, where nobody can register."""
_TOWNS = ("Aalen", "Brig", "Chur", "Dessau", "Eger", "Fulda", "Gera", "Hof", "Izola", "Jena", "Kiel", "Lodz", "Melk")
_WARES = ("Larch", "Plum", "Walnut", "Cherry", "Alder", "Maple")


def _rows(*columns: str, of: Callable[[int, str, str], Sequence[str]]) -> list[dict[str, str]]:
    """Make rows that no two are alike of."""
    pairs = [(town, ware) for ware in _WARES for town in _TOWNS]
    return [dict(zip(columns, of(number, *pair), strict=True)) for number, pair in enumerate(pairs, 1)]


def _as_csv(rows: Sequence[Mapping[str, str]]) -> str:
    text = io.StringIO()
    writer = csv.DictWriter(text, [*rows[0]])
    writer.writeheader()
    writer.writerows(rows)
    return text.getvalue()


_LEDGERS = _rows(
    "corpus", "whence",
    of=lambda number, town, ware: (f"{ware} ledgers of {town}", f"Ledgers kept in {town} from 18{number + 9} to 1901"),
)  # fmt: skip
_BOARDS = _rows("signage", of=lambda number, town, ware: (f"{ware} board {number} of {town}",))
_WISSEN = _rows(
    "ueberschrift", "abhandlung",
    of=lambda number, town, ware: (
        f"{ware}holz aus {town}", f"Das Holz Nummer {number} kam {number + 3} Wochen lang mit Karren aus {town}."
    ),
)  # fmt: skip


@contextmanager
def _django_wiki(folder: Path) -> Iterator[Served]:
    app = django_wiki.DjangoWiki.install(folder)
    with app.served() as url:
        yield Served(url, app.database, app.reset)


@contextmanager
def _doccano(folder: Path) -> Iterator[Served]:
    app = doccano.Doccano.install(folder, _CAST)
    with app.served() as url:
        yield Served(url, app.database, app.reset, (doccano.ADMIN, *_CAST))


@contextmanager
def _calibre_web(folder: Path) -> Iterator[Served]:
    app = calibre_web.CalibreWeb.install(folder, _CAST)
    with app.served() as url:
        yield Served(url, app.database, app.reset, (calibre_web.ADMIN, *_CAST))


JOURNEYS: Mapping[str, Journey] = {
    "doccano": Journey(
        name="doccano",
        kind="single page (Vue), labels for texts",
        version="1.8.4",
        served=_doccano,
        user=doccano.ADMIN,
        password=doccano.PASSWORD,
        start="/projects",
        edits=[(r"data = .*", 'data = "ledgers"\nfields = { corpus = "Project name", whence = "Description" }')],
        data='[data.ledgers]\nfile = "ledgers.csv"\ncount = 2',
        files={"ledgers.csv": _as_csv(_LEDGERS)},
        tasks=["login", {"create": {"thing": "project", "count": 2}}],
        counted="SELECT username, count(*) FROM projects_project JOIN auth_user u ON u.id = created_by_id GROUP BY 1",
        planned=2,
        landed="SELECT name AS corpus, description AS whence FROM projects_project",
        rows=_LEDGERS,
        of_itself=("django_session", "authtoken_token", "health_check"),
    ),
    "django_wiki": Journey(
        name="django_wiki",
        kind="wiki, in German",
        version="wiki 0.13.0",
        served=_django_wiki,
        language="de-DE",
        edits=[
            (r'language = "en"', 'language = "de"'),  # its pages say the wrong one of themselves
            (r"data = .*", 'data = "wissens"\nfields = { ueberschrift = "Titel", abhandlung = "Inhalt" }'),
            (r"edit = .*", 'edit = { fields = ["abhandlung"] }'),
        ],
        data='[data.wissens]\nfile = "wissens.csv"\ncount = 2',
        files={"wissens.csv": _as_csv(_WISSEN)},
        tasks=["register", "login", {"create": {"thing": "artikel", "count": 2}}],
        locale="de_DE",
        counted="SELECT username, count(*) FROM wiki_article JOIN auth_user u ON u.id = owner_id GROUP BY 1",
        planned=2,
        landed="SELECT title AS ueberschrift, content AS abhandlung FROM wiki_articlerevision WHERE user_id > 1",
        rows=_WISSEN,
        of_itself=("django_session",),
        drawn=("lft", "rght"),  # of a tree of pages
    ),
    "calibre_web": Journey(
        name="calibre_web",
        kind="library of books, shelves",
        version="0.6.27",
        served=_calibre_web,
        user=calibre_web.ADMIN,
        password=calibre_web.PASSWORD,
        edits=[(r"data = .*", 'data = "boards"\nfields = { signage = "Title" }')],
        data='[data.boards]\nfile = "boards.csv"\ncount = 2',
        files={"boards.csv": _as_csv(_BOARDS)},
        tasks=["login", {"create": {"thing": "shelf", "count": 2}}],
        counted="SELECT u.name, count(*) FROM shelf s JOIN user u ON u.id = s.user_id GROUP BY 1",
        planned=2,
        landed="SELECT name AS signage FROM shelf",
        rows=_BOARDS,
    ),
}
