"""Registering, logging in and out, and the forms' protection."""

from __future__ import annotations

import re
from typing import Any

import pytest


def test_a_reader_registers_logs_in_and_out(visitor: Any) -> None:
    answer = visitor.submit("/account/register", visitor.registration("anna"))
    assert (answer.status_code, answer.headers["location"]) == (303, "/account/login")
    assert "Welcome, Anna! Your account is ready" in visitor.get("/account/login").text

    answer = visitor.submit("/account/login", {"username": "ANNA@example.org", "password": visitor.password})
    assert answer.headers["location"] == "/"
    home = visitor.get("/").text
    assert "Signed in as" in home
    assert "Welcome back, Anna." in home
    assert "Welcome back" not in visitor.get("/").text

    answer = visitor.submit("/", {}, to="/account/logout")
    assert answer.status_code == 303
    assert "You are logged out." in visitor.get("/").text
    assert visitor.get("/inbox").headers["location"] == "/account/login?next=/inbox"


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("username", "ab", "Choose a username of 3 to 30"),
        ("username", "Has Space", "Choose a username of 3 to 30"),
        ("username", "house", "That username is taken."),
        ("display_name", "", "Enter the name that other readers will see."),
        ("email", "nobody", "Enter an e-mail address"),
        ("email", "House@FoxedAndFound.example", "There is an account with that e-mail address already."),
        ("password", "short", "Choose a password of at least 8 characters."),
        ("password_repeat", "another password", "The two passwords differ."),
        ("city", "", "Enter the town or city"),
        ("terms", "", "Please accept the terms"),
    ],
)
def test_registration_names_the_field_that_is_wrong(visitor: Any, field: str, value: str, sentence: str) -> None:
    fields = visitor.registration("anna") | {field: value}
    answer = visitor.submit("/account/register", fields)
    assert answer.status_code == 422
    control = re.search(rf'<input id="{field}"[^>]*>', answer.text)
    assert control
    assert 'aria-invalid="true"' in control[0]
    assert f"{field}-error" in control[0]
    assert re.search(rf'id="{field}-error">{re.escape(sentence)}', answer.text)
    assert answer.text.count('aria-invalid="true"') == 1
    assert visitor.password not in answer.text
    assert "anna" not in visitor.shop.state()


@pytest.mark.parametrize(("username", "password"), [("anna", "wrong"), ("nobody", "wrong"), ("house", "x")])
def test_a_wrong_login_is_refused(anna: Any, visitor: Any, username: str, password: str) -> None:
    answer = visitor.submit("/account/login", {"username": username, "password": password})
    assert answer.status_code == 422
    assert "Username or password is wrong." in answer.text
    assert "Signed in as" not in visitor.get("/").text


def test_logging_in_changes_the_session(anna: Any, visitor: Any) -> None:
    visitor.get("/account/login")
    before = visitor.client.cookies["foxed_session"]
    answer = visitor.submit("/account/login", {"username": "anna", "password": visitor.password})
    assert visitor.client.cookies["foxed_session"] != before
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=lax" in cookie
    visitor.client.cookies.set("foxed_session", before)
    assert "Signed in as" not in visitor.get("/").text


def test_every_form_has_a_token_of_its_own_and_no_other_is_taken(anna: Any, ben: Any, make_book: Any) -> None:
    tokens = {anna.token("/books/new") for _ in range(3)}
    assert len(tokens) == 3
    for token in ("", "nonsense", ben.token("/books/new")):
        answer = anna.client.post("/books/new", data={**make_book(), "csrf_token": token})
        assert answer.status_code == 403
        assert "This form has expired" in answer.text
    assert "listing" not in anna.shop.state()["anna"]


@pytest.mark.parametrize("target", ["//evil.example", "https://evil.example", "/\\evil.example"])
def test_login_leads_to_pages_of_the_site_only(anna: Any, visitor: Any, target: str) -> None:
    fields = {"username": "anna", "password": visitor.password, "next": target}
    assert visitor.submit("/account/login", fields).headers["location"] == "/"


def test_login_leads_back_to_where_one_was(anna: Any, visitor: Any) -> None:
    page = visitor.get("/books/new").headers["location"]
    assert "Please log in first." in visitor.get(page).text
    fields = {"username": "anna", "password": visitor.password, "next": "/books/new"}
    assert visitor.submit("/account/login", fields).headers["location"] == "/books/new"
