"""The autopilot where it cannot know any selector: a renamed bookshop, and a market in German without any routes."""

from __future__ import annotations

import re

import pytest

from simulator.config import Site
from simulator.config.site import LoggedIn
from simulator.packs.bookshop.prose import message_text
from simulator.persona.identity import alternative_username, draw_identity
from tests.fakes import asking

SELLING = (
    "register",
    {"list_books": {"count": 3}},
    {"edit_listing": {"field": "price"}},
    {"edit_listing": {"field": "description"}},
    "delete_listing",
    "create_matchup",
    "logout",
)
BUYING = ("register", {"browse": {"pages": 2}}, {"save_listings": {"count": 2}}, "message_seller", "vote")


@pytest.mark.slow
async def test_renamed_ids_and_classes_change_nothing(shop, renamed_shop, bookshop, stage, make_persona) -> None:
    personas = [make_persona(*SELLING, name="aa"), make_persona(*BUYING, name="bb")]
    pages = [asking.get(f"{one.url}/account/register").text for one in (shop, renamed_shop)]
    names = [set(re.findall(r' (?:id|class)="([^"]+)"', page)) for page in pages]
    assert len(names[0]) == len(names[1]) > 10
    assert names[0].isdisjoint(names[1])
    for one in (shop, renamed_shop):
        on_shop = await stage(bookshop.with_base_url(one.url))
        runs = await on_shop.batch(personas, count=2)
        assert [run.end.reason for run in runs] == ["", ""]
    assert renamed_shop.state() == shop.state()


@pytest.fixture
def german(market: str) -> Site:
    """The section of the market: no routes."""
    return Site(base_url=market, language="de", logged_in=LoggedIn(role="link", name="Abmelden"))


async def test_who_only_browses_begins_at_home(german, stage, make_persona) -> None:
    (run,) = await (await stage(german)).batch([make_persona({"browse": {"pages": 1}}, locale="de_DE")], count=1)
    assert run.end.reason == ""


@pytest.mark.slow
async def test_another_site_in_another_language(german, stage, make_persona) -> None:
    seller = make_persona(*SELLING[:5], "logout", name="aa", tastes={"price": {"min": 3, "max": 8}})
    buyer = make_persona(*BUYING[:4], name="bb", locale="de_DE")
    runs = await (await stage(german)).batch([seller, buyer], count=3, concurrency=3)
    assert [(run.identity.persona, run.end.reason) for run in runs] == [("aa", ""), ("bb", ""), ("aa", "")]
    truth = asking.get(f"{german.base_url}/wahrheit").json()
    by_name = {run.identity.username: run.identity for run in runs}
    assert {name: person["mail"] for name, person in truth["people"].items()} == {
        name: identity.email for name, identity in by_name.items()
    }
    first = runs[0].identity
    offered = [book for book in truth["books"] if book["owner"] == first.username]
    assert [(book["title"], book["author"]) for book in offered] == [
        (book.title, book.author) for book in first.books[:2]
    ]
    assert offered[0]["price"] == first.books[0].new_price.replace(".", ",")
    assert offered[1]["price"] == first.books[1].price.replace(".", ",")
    prices = [action.value for action in runs[0].actions if action.target and "Verkaufspreis" in action.target.label]
    assert prices[:2] == ["{{book.1.price}}", "{{book.1.price.comma}}"]
    assert all(book["picture"] > 1000 for book in truth["books"])
    reader = runs[1].identity
    assert [book["title"] for book in truth["books"] if reader.username in book["remembered"]] == [
        book.title for book in first.books[:2]
    ]
    (letter,) = truth["letters"]
    assert (letter["von"], letter["an"]) == (reader.username, first.username)
    assert letter["text"] == message_text(reader, 1, letter["buch"])


@pytest.mark.table
async def test_a_taken_name_leads_to_another_one_that_the_user_keeps(german, stage, make_persona) -> None:
    persona = make_persona("register", "logout", "login", {"list_books": {"count": 1}})
    identity = draw_identity(persona, seed=7, number=1)
    for name in (identity.username, alternative_username(identity, 1)):
        asking.post(f"{german.base_url}/vergeben", params={"name": name})
    (run,) = await (await stage(german)).batch([persona], count=1)
    assert run.end.reason == ""
    truth = asking.get(f"{german.base_url}/wahrheit").json()
    assert [book["owner"] for book in truth["books"]] == [alternative_username(identity, 2)]
    typed = [action.value for action in run.actions if action.target and action.target.label == "Benutzername"]
    assert typed == ["{{identity.username}}"] * 3


@pytest.mark.slow
async def test_when_no_name_is_free_the_run_ends_with_what_the_site_said(german, stage, make_persona) -> None:
    persona = make_persona("register", "list_books", "logout")
    identity = draw_identity(persona, seed=7, number=1)
    for attempt in range(9):
        name = alternative_username(identity, attempt)
        asking.post(f"{german.base_url}/vergeben", params={"name": name})
    (run,) = await (await stage(german)).batch([persona], count=1)
    assert [task[:2] for task in run.tasks] == [
        ("register", "failed"),
        ("list_books", "skipped"),
        ("logout", "skipped"),
    ]
    assert "Dieser Benutzername ist leider schon vergeben." in run.end.reason
    assert run.end.status == "failed"
    assert asking.get(f"{german.base_url}/wahrheit").json()["people"] == {}
