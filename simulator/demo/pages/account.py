"""Registering, logging in, logging out."""

from __future__ import annotations

from starlette.responses import Response

from simulator.demo import users
from simulator.demo.forms import check_registration
from simulator.demo.visit import Visit, action, page

_SHOWN_AGAIN = ("username", "display_name", "email", "city", "terms")


def register_form(visit: Visit) -> Response:
    """Show the registration form."""
    if visit.user:
        return visit.redirect("/", "You have an account and are logged in.", "info")
    return visit.render("register.html", values={}, errors={})


def register(visit: Visit) -> Response:
    """Open an account; the reader logs in next."""
    errors = check_registration(visit.fields)
    for name, text in users.taken(visit.db, visit.fields).items():
        errors.setdefault(name, text)
    if errors:
        values = {name: visit.fields.get(name, "") for name in _SHOWN_AGAIN}
        return visit.render("register.html", 422, values=values, errors=errors)
    user = users.create(visit.db, visit.fields, visit.fields["password"])
    visit.changed("user.created", users.reference(user))
    return visit.redirect("/account/login", f"Welcome, {user.display_name}! Your account is ready: log in.")


def login_form(visit: Visit) -> Response:
    """Show the login form."""
    back = _local(visit.request.query_params.get("next", "/"))
    if visit.user:
        return visit.redirect(back, f"You are logged in as {visit.user.display_name}.", "info")
    return visit.render("login.html", values={"next": back}, errors={})


def log_in(visit: Visit) -> Response:
    """Log in under a new session."""
    login, back = visit.fields.get("username", ""), _local(visit.fields.get("next", "/"))
    errors = {}
    if not login:
        errors["username"] = "Enter your username or e-mail address."
    if not visit.fields.get("password"):
        errors["password"] = "Enter your password."
    user = None if errors else users.authenticate(visit.db, login, visit.fields["password"])
    if user is None:
        errors = errors or {"username": "Username or password is wrong."}
        return visit.render("login.html", 422, values={"username": login, "next": back}, errors=errors)
    visit.log_in(user)
    visit.changed("session.opened", users.reference(user))
    return visit.redirect(back, f"Welcome back, {user.display_name}.")


def log_out(visit: Visit) -> Response:
    """Log out."""
    visit.changed("session.closed", users.reference(visit.member))
    visit.log_out()
    return visit.redirect("/", "You are logged out.")


def _local(url: str) -> str:
    """Return the path if it is one of this site, else the home page: no open redirect."""
    return url if url.startswith("/") and not url.startswith("//") and "\\" not in url else "/"


ROUTES = [
    page("/account/register", register_form),
    action("/account/register", register, members=False),
    page("/account/login", login_form),
    action("/account/login", log_in, members=False),
    action("/account/logout", log_out),
]
