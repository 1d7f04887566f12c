"""This or that: making a matchup of two books, and voting."""

from __future__ import annotations

from typing import cast

from starlette.exceptions import HTTPException
from starlette.responses import Response

from simulator.demo import listings, matchups
from simulator.demo.forms import Errors
from simulator.demo.listings import Listing
from simulator.demo.matchups import Choice, Matchup
from simulator.demo.pages.books import page_number
from simulator.demo.visit import Visit, action, page

MAX_OFFERED = 500
"""Books to choose from; older ones enter by the link on their own page."""


def overview(visit: Visit) -> Response:
    """Show the next matchup to vote in and the list of all."""
    number = page_number(visit.request.query_params.get("page", ""))
    shown, total = matchups.newest(visit.db, number)
    return visit.render(
        "matchups.html",
        matchup=matchups.next_for(visit.db, visit.user),
        matchups=shown,
        page=number,
        pages=max(1, -(-total // matchups.PER_PAGE)),
    )


def show(visit: Visit) -> Response:
    """Show one matchup."""
    matchup = _requested(visit)
    return visit.render("matchup.html", matchup=matchup, choice=matchups.choice_of(visit.db, visit.user, matchup))


def new_form(visit: Visit) -> Response:
    """Show the form for a matchup, with the book that the reader comes from chosen."""
    values = {"first": visit.request.query_params.get("first", "")}
    return _form(visit, 200, values, {})


def create(visit: Visit) -> Response:
    """Let two books compete."""
    errors: Errors = {}
    chosen = {name: _chosen(visit, name) for name in ("first", "second")}
    for name, listing in chosen.items():
        if listing is None:
            errors[name] = f"Choose the {name} book."
    first, second = chosen["first"], chosen["second"]
    if first and second and first.id == second.id:
        errors["second"] = "Choose two different books."
    if errors or first is None or second is None:
        return _form(visit, 422, visit.fields, errors)
    matchup = matchups.create(visit.db, visit.member, first, second)
    visit.changed("matchup.created", matchup.reference)
    return visit.redirect(f"/this-or-that/{matchup.id}", "Your matchup is open for votes.")


def vote(visit: Visit) -> Response:
    """Cast the reader's one vote."""
    matchup, choice = _requested(visit), visit.fields.get("choice", "")
    if choice not in ("first", "second"):
        raise HTTPException(400, "Vote for one of the two books.")
    cast_vote = matchups.vote(visit.db, visit.member, matchup, cast(Choice, choice))
    if cast_vote is None:
        raise HTTPException(409, "You have voted in this matchup already; one vote each.")
    visit.changed("vote.created", cast_vote)
    title = matchup.contenders[choice == "second"].title
    return visit.redirect(f"/this-or-that/{matchup.id}", f"Your vote for “{title}” is counted.")


def _requested(visit: Visit) -> Matchup:
    matchup = matchups.find(visit.db, visit.path_id())
    if matchup is None:
        raise HTTPException(404, "There is no such matchup.")
    return matchup


def _chosen(visit: Visit, name: str) -> Listing | None:
    text = visit.fields.get(name, "")
    return listings.find(visit.db, page_number(text)) if text else None


def _form(visit: Visit, status: int, values: dict[str, str], errors: Errors) -> Response:
    offered = {listing.id: listing for listing in listings.newest(visit.db, MAX_OFFERED)}
    linked = listings.find(visit.db, page_number(values.get("first", ""))) if values.get("first") else None
    if linked:
        offered[linked.id] = linked
    books = sorted(offered.values(), key=lambda book: (book.title.casefold(), book.username, book.seq))
    return visit.render("matchup_form.html", status, books=books, values=values, errors=errors)


ROUTES = [
    page("/this-or-that", overview),
    page("/this-or-that/new", new_form, members=True),
    action("/this-or-that/new", create),
    page("/this-or-that/{id:int}", show),
    action("/this-or-that/{id:int}", vote),
]
