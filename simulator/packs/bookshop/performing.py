"""How each task is done: by which part of the run, with what of the plan. Not responsible for: the parts themselves."""

from __future__ import annotations

from collections.abc import Mapping
from typing import cast

from simulator.agent.acting import Acting
from simulator.agent.things import OwnThings
from simulator.domain import TaskBase
from simulator.domain.pack import Perform
from simulator.packs.bookshop.finding import Finder
from simulator.packs.bookshop.interactions import Interactions
from simulator.packs.bookshop.matchups import Matchups
from simulator.packs.bookshop.selling import Cover
from simulator.packs.bookshop.tasks import (
    Browse,
    CreateMatchup,
    DeleteListing,
    EditListing,
    ListBooks,
    MessageSeller,
    SaveListings,
    Vote,
)
from simulator.packs.bookshop.things import BOOK
from simulator.packs.bookshop.visiting import Visiting


def _plan(acting: Acting) -> Interactions:
    return cast("Interactions", acting.plan)


def _own(acting: Acting) -> OwnThings:
    return OwnThings(acting.client, BOOK)


def _finder(acting: Acting) -> Finder:
    return Finder(acting.client, acting.number)


def _visiting(acting: Acting) -> Visiting:
    return Visiting(acting.client, acting.part(_finder))


def _matchups(acting: Acting) -> Matchups:
    return Matchups(acting.client, acting.part(_finder))


async def _list_books(acting: Acting, task: ListBooks) -> str:
    client, own = acting.client, acting.part(_own)
    return await acting.each(
        task, task.count, _plan(acting).listed[acting.index], lambda book: own.make(book, Cover(client, book).give)
    )


async def _browse(acting: Acting, task: Browse) -> str:
    await acting.part(_visiting).browse(task, acting.index)
    return ""


async def _edit_listing(acting: Acting, task: EditListing) -> str:
    own = acting.part(_own)

    async def edit(book: int) -> None:
        await own.edit(book, {task.field: own.value(book, f"new_{task.field}")})

    return await acting.each(task, task.count, _plan(acting).own[acting.index], edit)


async def _delete_listing(acting: Acting, task: DeleteListing) -> str:
    return await acting.each(task, task.count, _plan(acting).own[acting.index], acting.part(_own).delete)


async def _save_listings(acting: Acting, task: SaveListings) -> str:
    return await acting.each(task, task.count, _plan(acting).books[acting.index], acting.part(_visiting).save)


async def _message_seller(acting: Acting, task: MessageSeller) -> str:
    return await acting.each(task, task.count, _plan(acting).books[acting.index], acting.part(_visiting).write)


async def _create_matchup(acting: Acting, task: CreateMatchup) -> str:
    return await acting.each(task, task.count, _plan(acting).pairs[acting.index], acting.part(_matchups).start)


async def _vote(acting: Acting, task: Vote) -> str:
    return await acting.each(task, task.count, _plan(acting).duels[acting.index], acting.part(_matchups).vote)


PERFORMERS: Mapping[type[TaskBase], Perform] = {
    ListBooks: _list_books,
    Browse: _browse,
    SaveListings: _save_listings,
    MessageSeller: _message_seller,
    EditListing: _edit_listing,
    DeleteListing: _delete_listing,
    CreateMatchup: _create_matchup,
    Vote: _vote,
}
