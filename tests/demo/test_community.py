"""Messages between readers, matchups and votes."""

from __future__ import annotations

import re
from typing import Any

import pytest


def number(path: str) -> str:
    return path.rsplit("/", 1)[1]


def test_a_message_about_a_book_arrives(anna: Any, ben: Any) -> None:
    path = anna.list_book()
    fields = {"body": "Is it <still> there?", "listing": number(path)}
    answer = ben.submit(path, fields, to="/sellers/anna/message")
    assert answer.headers["location"] == path
    assert "Your message to Anna has been sent." in ben.get(path).text
    inbox = anna.get("/inbox").text
    assert "Is it &lt;still&gt; there?" in inbox
    assert f'href="{path}">Emma' in inbox
    assert f'href="/sellers/ben/message?listing={number(path)}">Reply' in inbox
    assert "Is it" not in ben.get("/inbox").text
    assert "Is it" in ben.get("/inbox?box=sent").text


def test_a_message_outlives_the_book(anna: Any, ben: Any) -> None:
    path = anna.list_book()
    ben.submit(path, {"body": "Hello", "listing": number(path)}, to="/sellers/anna/message")
    anna.submit(f"{path}/delete", {})
    assert "about Emma" in anna.get("/inbox").text
    message = {"to": "anna", "listing": ["anna", "listing", 1], "body": "Hello"}
    assert anna.shop.state()["ben"]["message"]["1"] == message


@pytest.mark.parametrize("body", ["", "   ", "x" * 2001])
def test_a_message_has_something_to_say(anna: Any, ben: Any, body: str) -> None:
    answer = ben.submit("/sellers/anna/message", {"body": body})
    assert answer.status_code == 422
    assert 'id="body-error"' in answer.text
    assert "message" not in ben.shop.state()["ben"]


def test_nobody_writes_to_themselves(anna: Any) -> None:
    assert anna.get("/sellers/anna/message").status_code == 403
    assert anna.submit("/books/new", {"body": "Hi"}, to="/sellers/anna/message").status_code == 403


def test_the_inbox_has_pages(anna: Any, ben: Any) -> None:
    for n in range(21):
        ben.submit("/sellers/anna/message", {"body": f"Letter {n}."})
    assert "Letter 20." in anna.get("/inbox").text
    assert "Letter 0." not in anna.get("/inbox").text
    assert "Letter 0." in anna.get("/inbox?page=2").text


def test_two_books_compete_and_a_reader_votes_once(anna: Any, ben: Any) -> None:
    path = anna.list_book()
    answer = anna.submit("/this-or-that/new", {"first": "1", "second": number(path)})
    matchup = answer.headers["location"]
    assert "Vote for Emma" in ben.get(matchup).text

    token = ben.token(matchup)
    answer = ben.client.post(matchup, data={"csrf_token": token, "choice": "second"})
    assert answer.headers["location"] == matchup
    page = ben.get(matchup).text
    assert "Your vote for “Emma” is counted." in page
    assert "Vote for Emma" not in page
    answer = ben.client.post(matchup, data={"csrf_token": token, "choice": "first"})
    assert answer.status_code == 409
    assert "one vote each" in answer.text
    assert ben.shop.state()["ben"]["vote"] == {"1": {"matchup": ["anna", "matchup", 1], "choice": "second"}}
    assert ben.shop.state()["anna"]["matchup"] == {
        "1": {"first": ["house", "listing", 1], "second": ["anna", "listing", 1]}
    }


def test_the_next_matchup_is_one_without_my_vote(anna: Any) -> None:
    for title in ("Frankenstein", "Moby-Dick"):
        page = anna.get("/this-or-that").text
        assert f"Vote for {title}" in page
        where = page.split('class="duel" action="')[1].split('"')[0]
        anna.submit("/this-or-that", {"choice": "first"}, to=where)
    assert "You have voted in every matchup." in anna.get("/this-or-that").text


def test_a_book_shows_the_matchups_it_takes_part_in(anna: Any, ben: Any, visitor: Any) -> None:
    path = anna.list_book()
    assert "In this or that" not in visitor.get(path).text
    pairs = [("1", number(path)), (number(path), "2")]
    places = [
        ben.submit("/this-or-that/new", {"first": first, "second": second}).headers["location"]
        for first, second in pairs
    ]
    page = visitor.get(path).text
    section = page[page.index("In this or that") :]
    assert re.findall(r'href="(/this-or-that/\d+)">([^<]+)</a>', section) == [
        (places[1], "Emma or Frankenstein?"),
        (places[0], "Pride and Prejudice or Emma?"),
    ]
    assert section.count('started by <a href="/sellers/ben">Ben</a>') == 2
    assert f'href="{places[0]}">Pride and Prejudice or Emma?' in visitor.get("/books/1").text
    assert places[0] not in visitor.get("/books/2").text


def test_a_book_shows_the_newest_ten_of_its_matchups(anna: Any) -> None:
    for second in range(1, 11):
        anna.submit("/this-or-that/new", {"first": "11", "second": str(second)})
    shown = re.findall(r'href="(/this-or-that/\d+)"', anna.get("/books/11").text)
    assert shown == [f"/this-or-that/{n}" for n in range(12, 2, -1)]


@pytest.mark.parametrize(
    ("first", "second", "wrong"),
    [("", "1", "first"), ("1", "", "second"), ("1", "1", "second"), ("1", "999", "second"), ("999", "2", "first")],
)
def test_a_matchup_needs_two_books(anna: Any, first: str, second: str, wrong: str) -> None:
    answer = anna.submit("/this-or-that/new", {"first": first, "second": second})
    assert answer.status_code == 422
    assert f'id="{wrong}-error"' in answer.text
    assert "matchup" not in anna.shop.state()["anna"]


def test_a_vote_names_one_of_the_two(anna: Any) -> None:
    assert anna.submit("/this-or-that/1", {"choice": "third"}).status_code == 400


def test_a_book_comes_into_the_form_from_its_own_page(anna: Any) -> None:
    path = anna.list_book()
    assert f'value="{number(path)}" selected' in anna.get(f"/this-or-that/new?first={number(path)}").text


def test_a_seller_with_many_books_has_pages(anna: Any, visitor: Any) -> None:
    for n in range(25):
        anna.list_book(title=f"Volume {n}.")
    first, second = visitor.get("/sellers/anna").text, visitor.get("/sellers/anna?page=2").text
    assert "25 books for sale" in first
    assert ("Volume 0." in first, "Volume 24." in first) == (False, True)
    assert ("Volume 0." in second, "Volume 24." in second) == (True, False)
    assert "Dracula" not in first + second
