from __future__ import annotations

import base64
import json
from urllib.parse import quote

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.secret_parts import bits, is_ordinary, parts_of

TOKEN = "k7-Qw9zX.rTb2"
SECOND = "nN4vLp8sUe"
tokens = st.text("abcdefghkmnpqrstuvwxyzABCDEFGHKLMNP23456789", min_size=10, max_size=24).filter(
    lambda text: bits(text) >= 32
)


def encoded(text: str) -> str:
    return base64.b64encode(text.encode()).decode()


@pytest.mark.parametrize(
    "secret",
    [
        f"Bearer {TOKEN}",
        f"Token  {TOKEN}",
        f"X-Scheme {TOKEN}",
        f"tester:{TOKEN}",
        f"{TOKEN}:x",
        quote(f"tester:{TOKEN}", safe=""),
        encoded(f"tester:{TOKEN}"),
        encoded(f"tester:{TOKEN}").rstrip("="),
        base64.urlsafe_b64encode(f"tester>>>?:{TOKEN}".encode()).decode(),
        f"Basic {encoded(f'tester:{TOKEN}')}",
        f"Basic {quote(encoded(f'tester:{TOKEN}'))}",
        encoded(encoded(f"tester:{TOKEN}")),
        json.dumps({"user": {"name": "ann", "keys": [TOKEN]}}),
        quote(json.dumps({"token": TOKEN})),
        f"user=ann&auth={TOKEN.replace('.', '-')}",
    ],
)
def test_a_part_is_found_in_whatever_stands_around_it(secret: str) -> None:
    wanted = TOKEN if TOKEN in "".join((*parts_of(secret), secret)) else TOKEN.replace(".", "-")
    assert wanted in parts_of(secret)


@given(tokens, tokens)
def test_both_sides_of_a_sign_are_parts(left: str, right: str) -> None:
    for sign in ":|.;&":
        assert {left, right} - set(parts_of(f"{left}{sign}{right}")) == set()


@pytest.mark.parametrize(
    "secret",
    ["tester:1", "tester:true", "Bearer true", "theme=dark; lang=en-GB; seen=true", "demo", '{"a":true,"b":"yes"}'],
)
def test_what_is_ordinary_language_is_no_part(secret: str) -> None:
    assert parts_of(secret) == ()


def test_what_a_cookie_calls_its_parts_is_no_secret() -> None:
    """The field of a form is called as the cookie's own token is: its name was masked."""
    for said in ({"csrf_token": TOKEN, "_user_id": "1", "k3y-of-42": "x"}, {"csrf_token": TOKEN}):
        cookie = base64.urlsafe_b64encode(json.dumps(said, separators=(",", ":")).encode())
        parts = parts_of(f"{cookie.decode().rstrip('=')}.aSk2Qw.c2lnbmF0dXJl")
        assert TOKEN in parts
        assert not any(part in ("csrf_token", "_user_id") for part in parts), parts


@pytest.mark.parametrize(
    ("text", "secret"),
    [
        ("harbour.example.org", False),
        ("The pin was kept on your board, as number 12.", False),
        (f"Take {TOKEN} along.", True),
        ("kQzWn TbXvR pLmGs", True),
        ("493 027 115 or so", True),
        ("ada_moor_1", True),
    ],
)
def test_words_in_a_cookie_are_no_secret(text: str, secret: bool) -> None:
    cookie = base64.urlsafe_b64encode(json.dumps({"notes": [["success", text]]}).encode()).decode()
    session = f"{cookie.rstrip('=')}.aSk2Qw.c2lnbmF0dXJl"
    assert (text in parts_of(session, says=True)) is secret
    assert (text in parts_of(session)) is not is_ordinary(text)


@given(st.text(max_size=300))
def test_any_text_has_parts(text: str) -> None:
    assert text not in parts_of(text)
    assert not any(map(is_ordinary, parts_of(text)))


@pytest.mark.parametrize(
    "text", ["wrong", "Wrong!", "WRONG", "true", "1", "1234", "2024", "sign in", "page 2", "********"]
)
def test_words_years_and_masks_are_ordinary(text: str) -> None:
    assert is_ordinary(text)


@pytest.mark.parametrize(
    "text", ["hunter2", "Tr0ub4dor&3", "493 027 115", "123456", "correct horse battery staple", "JBSWY3DPEHPK3PXP"]
)
def test_what_nobody_would_say_is_not(text: str) -> None:
    assert not is_ordinary(text)
