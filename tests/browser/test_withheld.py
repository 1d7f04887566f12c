"""What of a site's traffic is never told: by the names that it goes by, and wherever else it stands."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.browser.wire.withheld import WITHHELD, Withheld, is_secret_name

TOKEN = "a1B2c3D4e5F6g7H8"


def fresh() -> Withheld:
    return Withheld(lambda text: text.replace("known-by-name", "{{secret.password}}"))


@pytest.mark.parametrize(
    "name",
    [
        "csrf_token", "csrfmiddlewaretoken", "_csrf", "X-CSRF-Token", "X-XSRF-TOKEN", "authenticity_token",
        "__RequestVerificationToken", "user[password]", "newPassword", "password2", "passwd", "pwd", "accessToken",
        "refresh_token", "id_token", "X-Api-Key", "apiKey", "client_secret", "auth", "jwt", "sid", "session_id",
        "SAMLResponse", "otp", "X-Amz-Signature", "_wpnonce", "form_nonce", "requestNonce",
    ],
)  # fmt: skip
def test_names_of_what_is_not_told(name: str) -> None:
    assert is_secret_name(name)


@pytest.mark.parametrize(
    "name",
    [
        "author", "title", "authority", "description", "page", "passenger", "sidebar", "session_title", "key", "q",
        "nonce", "announcement",
    ],
)  # fmt: skip
def test_names_of_anything_else(name: str) -> None:
    assert not is_secret_name(name)


@pytest.mark.parametrize(
    ("name", "value", "written"),
    [
        ("Cookie", f"a={TOKEN}; b=1", f"a={WITHHELD}; b={WITHHELD}"),
        ("cookie", "", ""),
        ("Set-Cookie", f"s={TOKEN}; Path=/; HttpOnly", f"s={WITHHELD}; Path=/; HttpOnly"),
        ("Set-Cookie", "s=; Max-Age=0", "s=; Max-Age=0"),
        ("Authorization", f"Bearer {TOKEN}", f"Bearer {WITHHELD}"),
        ("authorization", TOKEN, WITHHELD),
        ("Proxy-Authorization", "Basic YTpi", f"Basic {WITHHELD}"),
        ("X-CSRF-Token", "short", WITHHELD),
        ("Referer", "/reset?token=abc&a=b", f"/reset?token={WITHHELD}&a=b"),
        ("Location", "/back?code=abc&state=xyz", f"/back?code={WITHHELD}&state=xyz"),
        ("Accept", "text/html", "text/html"),
    ],
)
def test_headers(name: str, value: str, written: str) -> None:
    assert fresh().headers([(name, value)]) == [(name, written)]


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        (f'<input type="hidden" name="csrf_token" value="{TOKEN}">', '<input type="hidden" name="csrf_token" value="'),
        (f"<input value='{TOKEN}' name=authenticity_token>", "name=authenticity_token"),
        (f"<input type=password name=x value={TOKEN}>", "<input type=password"),
        (f'<meta name="csrf-token" content="{TOKEN}">', "<meta"),
        (f"<textarea name=SAMLResponse>{TOKEN}</textarea>", "</textarea>"),
        (f'{{"access_token": "{TOKEN}", "id": 7}}', '"id": 7'),
        (f'{{"data": "{{\\"token\\":\\"{TOKEN}\\"}}"}}', '\\"token\\":'),
        (f"window.csrfToken = '{TOKEN}';", "window.csrfToken = '"),
        (f'var state = {{csrf: "{TOKEN}", page: "books"}}', 'page: "books"'),
        ('{"otp": 493027, "count": 2}', '"count": 2'),
        (f'<a href="/reset?token={TOKEN}&amp;a=b">', "&amp;a=b"),
        (f'<div data-token="{TOKEN}" class=a>', "class=a>"),
    ],
)
def test_bodies(text: str, kept: str) -> None:
    written = fresh().text(text)
    assert TOKEN not in written
    assert "493027" not in written
    assert WITHHELD in written
    assert kept in written


def test_a_value_that_stood_in_such_a_place_is_not_told_elsewhere() -> None:
    withheld = fresh()
    withheld.headers([("Set-Cookie", f"s={TOKEN}; Path=/")])
    assert withheld.text(f"<p>Your key is {TOKEN}</p>") == f"<p>Your key is {WITHHELD}</p>"
    assert withheld.url(f"/keys/{TOKEN}") == f"/keys/{WITHHELD}"
    withheld.value("csrf", "a+b/c==1234567890")
    assert withheld.text("/x?y=a%2Bb%2Fc%3D%3D1234567890") == f"/x?y={WITHHELD}"


def test_password_fields_are_known_by_their_names_and_by_what_stands_in_them() -> None:
    withheld = fresh()
    withheld.add_fields([("x1", "hunter22"), ("", "p w"), ("x2", "")])
    assert withheld.value("x1", "typed a moment later") == WITHHELD
    assert withheld.value("elsewhere", "p w") == WITHHELD
    assert withheld.text('{"k":"hunter22"}') == '{"k":"{{secret.withheld_1}}"}'
    assert withheld.text("aHVudGVyMjI=") == "{{secret.withheld_1}}I=", "what is left are two bits"
    assert withheld.text('<input name=x2 value="shown again">') == f'<input name=x2 value="{WITHHELD}">'


def test_what_has_a_name_keeps_it() -> None:
    withheld = fresh()
    withheld.add_fields([("x1", "known-by-name")])
    assert withheld.value("x1", "known-by-name") == "{{secret.password}}"
    assert withheld.value("password", "{{secret.totp}}") == "{{secret.totp}}"


def test_a_value_of_which_a_part_is_known_is_withheld_whole() -> None:
    withheld = fresh()
    assert withheld.headers([("Cookie", "s=before-known-by-name-after")]) == [("Cookie", f"s={WITHHELD}")]
    assert withheld.value("token", "known-by-name-and-more") == WITHHELD
    withheld.add_fields([("x1", "before-known-by-name")])
    assert withheld.value("elsewhere", "before-known-by-name") == WITHHELD
    assert "before" not in withheld.text("it says before-known-by-name here")


def test_a_usual_word_in_a_password_field_is_left_out_where_it_is_a_value() -> None:
    adopted: list[str] = []
    withheld = Withheld(str, adopt=adopted.append, headers=["X-Beta"])
    withheld.add_fields([("x1", "wrong")])
    assert adopted == ["wrong"]
    assert withheld.value("elsewhere", "wrong") == WITHHELD
    assert withheld.sent('{"k":"wrong","note":"what is wrong"}') == f'{{"k":"{WITHHELD}","note":"what is wrong"}}'
    assert withheld.sent("k=wrong&note=is+wrong") == f"k={WITHHELD}&note=is+wrong"
    assert withheld.text("<p class=wrong>This is wrong</p>") == "<p class=wrong>This is wrong</p>"
    assert withheld.headers([("X-Beta", "true"), ("X-Other", "true")]) == [("X-Beta", WITHHELD), ("X-Other", "true")]


def test_usual_words_are_told_though_they_stood_there_once() -> None:
    withheld = fresh()
    withheld.headers([("Cookie", "theme=dark; lang=en-GB; seen=true")])
    assert withheld.text("a dark page, it is true, in en-GB") == "a dark page, it is true, in en-GB"


@given(st.text(st.characters(exclude_categories=["Cs"]), max_size=40))
def test_a_text_without_such_places_stays_as_it_is(text: str) -> None:
    assert fresh().text(f"<p>{text}</p>".replace("=", "").replace(":", "")) == f"<p>{text}</p>".replace(
        "=", ""
    ).replace(":", "")


@pytest.mark.timeout(60)
def test_a_long_script_is_read_once() -> None:
    script = "function f(a,b){return a.token===b?c.password:d['x']=\"y\"}var tokens=[1,2];" * 10_000
    assert fresh().text(script) == script
