"""The pack of bookshops, put together. What plans, performs and draws is imported when it is asked for."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from importlib.resources import files
from pathlib import Path
from typing import TYPE_CHECKING, Any

from simulator.domain import DataSet, Pack, RowFields, TaskBase
from simulator.domain.pack import Perform
from simulator.errors import PersonaError
from simulator.packs.bookshop.settings import MOVED, BookshopSettings, settings_of
from simulator.packs.bookshop.tasks import TASKS
from simulator.packs.bookshop.tastes import BookTastes
from simulator.packs.bookshop.things import BOOK, MATCHUP

if TYPE_CHECKING:
    from simulator.config import Settings, Site
    from simulator.packs.bookshop.covers.service import CoverService


def _performers() -> Mapping[type[TaskBase], Perform]:
    from simulator.packs.bookshop.performing import PERFORMERS

    return PERFORMERS


def _plan(population: Sequence[tuple[Any, Any]], seed: str) -> Mapping[int, object]:
    from simulator.packs.bookshop.interactions import plan_interactions

    return plan_interactions(population, seed)


def _deal_books(persona: Any, key: tuple[str | int, ...]) -> Sequence[Mapping[str, Any]]:
    from simulator.packs.bookshop.dealing import deal_books

    return deal_books(persona, key)


def _deal_messages(persona: Any, key: tuple[str | int, ...]) -> Sequence[str]:
    from simulator.packs.bookshop.dealing import deal_messages

    return deal_messages(persona, key)


def _about_oneself(language: str) -> tuple[Sequence[str], Sequence[str]]:
    from simulator.packs.bookshop.prose import about_oneself

    return about_oneself(language)


def _toolsets() -> Mapping[str, Sequence[Any]]:
    from simulator.packs.bookshop.tools import fetch_book_covers, upload_cover_image

    own = (fetch_book_covers, upload_cover_image)
    return {"books": own, "anthropic-browser": own, "tot": own}


def _pictures(settings: Settings, site: Site, alone: bool) -> CoverService:
    from simulator.packs.bookshop.covers.service import CoverService

    covers = settings_of(site).covers
    return CoverService(covers.model_copy(update={"sources": ("offline",)}) if alone else covers)


_KINDS = {"listing": "listings", "vote": "votes", "message": "messages", "matchup": "matchups", "save": "saves"}


def _tally(held: Mapping[str, Any]) -> Mapping[str, int]:
    covers = sum(1 for listing in held.get("listing", {}).values() if listing.get("cover"))
    return {title: len(held.get(kind, ())) for kind, title in _KINDS.items()} | {"covers": covers}


def _checks(settings: Settings) -> Iterator[tuple[str, bool, str]]:
    from simulator.packs.bookshop.covers.service import check_sources

    return check_sources(settings)


def _words() -> Mapping[str, Sequence[str]]:
    found: dict[str, list[str]] = tomllib.loads(files(__package__).joinpath("words.toml").read_text("utf-8"))
    return found


def _vocabulary(table: str) -> Mapping[str, Sequence[str]]:
    text = files(__package__).joinpath("vocabulary.toml").read_text("utf-8")
    found: dict[str, dict[str, list[str]]] = tomllib.loads(text)
    return found[table]


def _starters() -> Path:
    """Find the starter persona files: inside the package when installed, in the project's folder in a checkout."""
    package = Path(__file__).parent
    for folder in (package / "starter", package.parents[2] / "personas"):
        if folder.is_dir():
            return folder
    raise PersonaError("the starter personas are missing from this installation; install the package again")


PACK = Pack(
    name="bookshop",
    version="1",
    api=1,
    about="Second-hand books: offering, finding, saving and pitting them against each other, and writing to sellers.",
    tasks=TASKS,
    performers=_performers,
    plan=_plan,
    things=(BOOK, MATCHUP),
    data=(
        DataSet(
            name="book",
            deal=_deal_books,
            told=("title", "author", "genre", "condition", "price", "description"),
            listed=("title", "author", "year", "condition", "price"),
            fields=RowFields(
                named=("title", "author"),
                telling=("description", "new_description"),
                common=("genre", "condition", "language"),
            ),
            example="price",
        ),
        DataSet(name="message", deal=_deal_messages),
    ),
    tastes=BookTastes,
    about_oneself=_about_oneself,
    words=_words,
    fields=partial(_vocabulary, "fields"),
    file_fields=frozenset({"cover"}),
    options=partial(_vocabulary, "options"),
    routes={"search": "{query}", "seller": "{username}", "inbox": "", "saved": ""},
    settings=BookshopSettings,
    moved=MOVED,
    toolsets=_toolsets,
    pictures=_pictures,
    tally=_tally,
    checks=_checks,
    default_toolsets=("books",),
    starters=_starters,
)
