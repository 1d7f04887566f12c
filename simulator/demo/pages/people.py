"""Sellers' pages, writing to a seller, and the inbox."""

from __future__ import annotations

from starlette.exceptions import HTTPException
from starlette.responses import Response

from simulator.demo import listings, messages, users
from simulator.demo.forms import check_message
from simulator.demo.listings import Listing, Wanted
from simulator.demo.messages import Box
from simulator.demo.pages.books import page_number
from simulator.demo.sessions import User
from simulator.demo.visit import Visit, action, page


def seller(visit: Visit) -> Response:
    """Show a seller and what they have for sale."""
    person = _person(visit)
    wanted = Wanted(seller=person.id, page=page_number(visit.request.query_params.get("page", "")))
    found = listings.search(visit.db, wanted)
    saved = listings.saved_among(visit.db, visit.user, found.listings)
    return visit.render("seller.html", seller=person, found=found, page=wanted.page, saved=saved)


def message_form(visit: Visit) -> Response:
    """Show the form for a message to a seller."""
    recipient = _recipient(visit)
    listing = _listing(visit, visit.request.query_params.get("listing", ""))
    return visit.render("message_form.html", recipient=recipient, listing=listing, values={}, errors={})


def send(visit: Visit) -> Response:
    """Deliver a message."""
    recipient = _recipient(visit)
    listing = _listing(visit, visit.fields.get("listing", ""))
    errors = check_message(visit.fields)
    if errors:
        return visit.render(
            "message_form.html",
            422,
            recipient=recipient,
            listing=listing,
            values=visit.fields,
            errors=errors,
        )
    sent = messages.send(visit.db, visit.member, recipient, visit.fields["body"], listing)
    visit.changed("message.created", sent)
    back = f"/books/{listing.id}" if listing else f"/sellers/{recipient.username}"
    return visit.redirect(back, f"Your message to {recipient.display_name} has been sent.")


def inbox(visit: Visit) -> Response:
    """Show the messages that the reader got or sent."""
    query = visit.request.query_params
    box: Box = "sent" if query.get("box") == "sent" else "received"
    number = page_number(query.get("page", ""))
    shown, total = messages.in_box(visit.db, visit.member, box, number)
    pages = max(1, -(-total // messages.PER_PAGE))
    return visit.render("inbox.html", messages=shown, box=box, page=number, pages=pages, total=total)


def _person(visit: Visit) -> User:
    person = users.by_username(visit.db, visit.request.path_params["username"])
    if person is None:
        raise HTTPException(404, "There is no such reader.")
    return person


def _recipient(visit: Visit) -> User:
    recipient = _person(visit)
    if recipient.id == visit.member.id:
        raise HTTPException(403, "You cannot write to yourself.")
    return recipient


def _listing(visit: Visit, number: str) -> Listing | None:
    """Return the book that a message is about; one that was sold meanwhile is left out."""
    return listings.find(visit.db, page_number(number)) if number else None


ROUTES = [
    page("/sellers/{username}", seller),
    page("/sellers/{username}/message", message_form, members=True),
    action("/sellers/{username}/message", send),
    page("/inbox", inbox, members=True),
]
