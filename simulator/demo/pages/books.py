"""Finding books, one book's page, and a seller's own books: listing, editing, withdrawing, saving."""

from __future__ import annotations

from starlette.datastructures import QueryParams
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse, Response

from simulator.demo import listings, matchups
from simulator.demo.forms import GENRES, check_cover, check_listing
from simulator.demo.listings import Listing, Wanted
from simulator.demo.visit import Visit, action, page


def home(visit: Visit) -> Response:
    """Show what came in last."""
    newest = listings.newest(visit.db, 10)
    return visit.render(
        "home.html",
        newest=newest,
        saved=listings.saved_among(visit.db, visit.user, newest),
        matchup=matchups.next_for(visit.db, visit.user),
    )


def browse(visit: Visit) -> Response:
    """Show the books that the reader looks for."""
    wanted = _wanted(visit.request.query_params)
    found = listings.search(visit.db, wanted)
    return visit.render(
        "browse.html",
        wanted=wanted,
        found=found,
        sorts=listings.SORTS,
        saved=listings.saved_among(visit.db, visit.user, found.listings),
    )


def show(visit: Visit) -> Response:
    """Show one book."""
    listing = requested(visit)
    return visit.render(
        "book.html",
        listing=listing,
        is_saved=bool(listings.saved_among(visit.db, visit.user, [listing])),
        saves=listings.times_saved(visit.db, listing),
        matchups=matchups.newest_with(visit.db, listing),
        values={},
        errors={},
    )


def mine(visit: Visit) -> Response:
    """Show what the reader has for sale."""
    return visit.render("my_books.html", listings=listings.of_seller(visit.db, visit.member))


def saved(visit: Visit) -> Response:
    """Show what the reader has saved."""
    shown = listings.saved_by(visit.db, visit.member)
    return visit.render("saved.html", listings=shown, saved={listing.id for listing in shown})


def new_form(visit: Visit) -> Response:
    """Show the form for a new listing."""
    return visit.render("book_form.html", listing=None, values={}, errors={})


def create(visit: Visit) -> Response:
    """Put a book up for sale."""
    book, errors = check_listing(visit.fields)
    picture, problem = check_cover(visit.files.get("cover"), required=True)
    errors |= problem
    if book is None or picture is None:
        return visit.render("book_form.html", 422, listing=None, values=visit.fields, errors=errors)
    listing = listings.create(visit.db, visit.member, book, picture)
    visit.changed("listing.created", listing.reference)
    return visit.redirect(f"/books/{listing.id}", f"“{listing.title}” is now for sale.")


def edit_form(visit: Visit) -> Response:
    """Show the form with what the listing says now."""
    listing = _own(visit)
    values = {
        "title": listing.title,
        "author": listing.author,
        "genre": listing.genre,
        "condition": listing.condition,
        "price": f"{listing.pence // 100}.{listing.pence % 100:02}",
        "description": listing.description,
    }
    return visit.render("book_form.html", listing=listing, values=values, errors={})


def edit(visit: Visit) -> Response:
    """Change a listing."""
    listing = _own(visit)
    book, errors = check_listing(visit.fields)
    picture, problem = check_cover(visit.files.get("cover"), required=False)
    errors |= problem
    if book is None or errors:
        return visit.render("book_form.html", 422, listing=listing, values=visit.fields, errors=errors)
    listings.change(visit.db, listing, book, picture)
    visit.changed("listing.changed", listing.reference)
    return visit.redirect(f"/books/{listing.id}", "Your changes are saved.")


def delete_form(visit: Visit) -> Response:
    """Ask whether the seller means it."""
    return visit.render("book_delete.html", listing=_own(visit))


def delete(visit: Visit) -> Response:
    """Withdraw a listing."""
    listing = _own(visit)
    listings.withdraw(visit.db, listing)
    visit.changed("listing.deleted", listing.reference)
    return visit.redirect("/my/books", f"“{listing.title}” is no longer for sale.")


def save(visit: Visit) -> Response:
    """Save a book for later or take that back; submitting twice does it once."""
    listing, user = requested(visit), visit.member
    if listing.owner == user.id:
        raise HTTPException(403, "You cannot save your own book.")
    wanted = visit.fields.get("saved") != "0"
    change = listings.save if wanted else listings.unsave
    reference = change(visit.db, user, listing)
    if reference:
        visit.changed("save.created" if wanted else "save.deleted", reference)
    if visit.wants_json():
        return JSONResponse({"saved": wanted, "count": listings.times_saved(visit.db, listing)})
    text = f"“{listing.title}” is {'saved' if wanted else 'no longer saved'}."
    return visit.redirect(f"/books/{listing.id}", text)


def cover(visit: Visit) -> Response:
    """Serve a cover; its name changes with its content."""
    picture = listings.cover(visit.db, visit.request.path_params["name"])
    if picture is None:
        raise HTTPException(404)
    headers = {"cache-control": "public, max-age=31536000, immutable"}
    return Response(picture.content, media_type=picture.media_type, headers=headers)


def requested(visit: Visit) -> Listing:
    """Return the listing that the path names.

    Raises:
        HTTPException: 404, if it is not for sale.
    """
    listing = listings.find(visit.db, visit.path_id())
    if listing is None:
        raise HTTPException(404, "This book is not for sale, or not any more.")
    return listing


def _own(visit: Visit) -> Listing:
    listing = requested(visit)
    if listing.owner != visit.member.id:
        raise HTTPException(403, "Only its seller can change this listing.")
    return listing


def _wanted(query: QueryParams) -> Wanted:
    genre, sort, number = query.get("genre", ""), query.get("sort", ""), query.get("page", "")
    return Wanted(
        words=query.get("q", "").strip()[:100],
        genre=genre if genre in GENRES else "",
        sort=sort if sort in listings.SORTS else "newest",
        page=page_number(number),
    )


def page_number(text: str) -> int:
    """Return the page that a query string asks for, the first one if it asks for none."""
    return max(1, int(text)) if text.isascii() and text.isdigit() and len(text) < 10 else 1


ROUTES = [
    page("/", home),
    page("/books", browse),
    page("/books/new", new_form, members=True),
    action("/books/new", create),
    page("/books/{id:int}", show),
    page("/books/{id:int}/edit", edit_form, members=True),
    action("/books/{id:int}/edit", edit),
    page("/books/{id:int}/delete", delete_form, members=True),
    action("/books/{id:int}/delete", delete),
    action("/books/{id:int}/save", save),
    page("/my/books", mine, members=True),
    page("/saved", saved, members=True),
    page("/covers/{name}", cover),
]
