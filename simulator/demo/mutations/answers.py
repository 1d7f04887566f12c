"""Routes that answer otherwise: a step more, a rule more, an error, or a lie.

Each takes the route's own handler and the visit. A lie says what the truth would have said.
"""

from __future__ import annotations

from decimal import Decimal

from starlette.responses import HTMLResponse, JSONResponse, Response

from simulator.demo import listings
from simulator.demo.matchups import newest
from simulator.demo.rendering import ENVIRONMENT
from simulator.demo.visit import Handler, Visit

SHORTEST = 400
"""Characters of a description, by the tightened rule."""


def ask_again(handler: Handler, visit: Visit) -> Response:
    """Ask whether the visitor means it, and do it when that is confirmed."""
    if visit.fields.get("confirmed"):
        return handler(visit)
    return visit.render("mutations/confirm.html", fields=visit.fields)


def ask_for_isbn(handler: Handler, visit: Visit) -> Response:
    """Refuse a listing without an ISBN."""
    if visit.fields.get("isbn"):
        return handler(visit)
    return visit.render("error.html", 422, heading="One thing is missing", text="Enter the ISBN of the book.")


def ask_for_more_words(handler: Handler, visit: Visit) -> Response:
    """Refuse a listing with a short description."""
    if len(visit.fields.get("description", "")) >= SHORTEST:
        return handler(visit)
    errors = {"description": f"Describe the book in at least {SHORTEST} characters."}
    return visit.render("book_form.html", 422, listing=None, values=visit.fields, errors=errors)


def break_down(handler: Handler, visit: Visit) -> Response:
    """Answer with an error of the server."""
    return HTMLResponse(ENVIRONMENT.get_template("server_error.html").render(), 500)


def lose_listing(handler: Handler, visit: Visit) -> Response:
    """Keep nothing, and show the newest listing there is."""
    (last,) = listings.newest(visit.db, 1)
    return visit.redirect(f"/books/{last.id}", f"“{visit.fields.get('title', '')}” is now for sale.")


def lose_change(handler: Handler, visit: Visit) -> Response:
    """Keep nothing, and show the listing."""
    return visit.redirect(f"/books/{visit.path_id()}", "Your changes are saved.")


def lose_save(handler: Handler, visit: Visit) -> Response:
    """Keep nothing, and answer that it is saved."""
    return JSONResponse({"saved": True, "count": 1})


def lose_message(handler: Handler, visit: Visit) -> Response:
    """Keep nothing, and lead back to where the message came from."""
    listing = visit.fields.get("listing")
    back = f"/books/{listing}" if listing else f"/sellers/{visit.request.path_params['username']}"
    return visit.redirect(back, "Your message has been sent.")


def lose_matchup(handler: Handler, visit: Visit) -> Response:
    """Keep nothing, and show the newest matchup there is."""
    shown, _ = newest(visit.db, 1)
    return visit.redirect(f"/this-or-that/{shown[0].id}", "Your matchup is open for votes.")


def lose_vote(handler: Handler, visit: Visit) -> Response:
    """Keep nothing, and show the matchup."""
    return visit.redirect(f"/this-or-that/{visit.path_id()}", "Your vote is counted.")


def do_twice(handler: Handler, visit: Visit) -> Response:
    """Do it two times."""
    handler(visit)
    return handler(visit)


def make_dearer(handler: Handler, visit: Visit) -> Response:
    """Keep another price than was sent."""
    return _keep(handler, visit, price=str(Decimal(visit.fields["price"]) + 1))


def halve_message(handler: Handler, visit: Visit) -> Response:
    """Keep the beginning of a message."""
    body = visit.fields["body"]
    return _keep(handler, visit, body=body[: len(body) // 2])


def turn_vote(handler: Handler, visit: Visit) -> Response:
    """Count a vote for the other book."""
    return _keep(handler, visit, choice="first" if visit.fields["choice"] == "second" else "second")


def save_other(handler: Handler, visit: Visit) -> Response:
    """Save another listing than was asked for."""
    number = visit.path_id()
    visit.request.path_params["id"] = number + 1 if number == 1 else number - 1
    return handler(visit)


def _keep(handler: Handler, visit: Visit, **fields: str) -> Response:
    """Do it with other values than were sent; the change log has those that were."""
    visit.fields = visit.fields | fields
    return handler(visit)
