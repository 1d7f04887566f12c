"""The autopilot on the bundled bookshop; what it did is read from the shop's own state."""

from __future__ import annotations

import pytest

from simulator.agent.contracts import Progress
from simulator.canonical import url_shape
from simulator.packs.bookshop.prose import message_text


@pytest.fixture
async def on_shop(shop, bookshop, stage):
    return await stage(bookshop.with_base_url(shop.url))


@pytest.mark.slow
async def test_the_users_of_a_batch_deal_with_each_other(shop, on_shop, make_persona) -> None:
    seller = make_persona(
        "register",
        {"list_books": {"count": 2}},
        {"edit_listing": {"field": "price"}},
        "delete_listing",
        {"list_books": {"count": 1}},
        "create_matchup",
        name="aa",
    )
    buyer = make_persona(
        "register", {"save_listings": {"count": 2}}, "message_seller", {"vote": {"count": 2}}, name="bb"
    )
    runs = await on_shop.batch([seller, buyer], count=6, concurrency=6)
    assert [run.end.reason for run in runs] == [""] * 6
    state = shop.state()
    kinds = [kind for run in runs for kind in state[run.identity.username]]
    assert {kind: kinds.count(kind) for kind in kinds} == {
        "user": 6, "listing": 3, "matchup": 3, "save": 3, "message": 3, "vote": 3
    }  # fmt: skip


async def test_listings_show_the_books_of_the_identity_with_covers(shop, on_shop, make_persona) -> None:
    (run,) = await on_shop.batch([make_persona("register", {"list_books": {"count": 2}})], count=1)
    listed = shop.state()[run.identity.username]["listing"]
    for sequence, book in enumerate(run.identity.books, start=1):
        shown = listed[str(sequence)]
        assert (shown["title"], shown["author"], shown["price"]) == (book.title, book.author, book.price)
        assert shown["description"] == book.description
        assert shown["cover"]["size"] > 1000
    labels = [event.label for event in run.events if isinstance(event, Progress)]
    assert labels == ["register", "list_books", "list_books 1/2", "list_books 2/2"]
    typed = {action.target.label: action.value for action in run.actions if action.kind == "fill" and action.target}
    assert (typed["Title"], typed["Price in pounds"]) == ("{{book.2.title}}", "{{book.2.price}}")


@pytest.mark.slow
async def test_without_anybody_before_the_stock_is_chosen_from_and_marked_so(shop, on_shop, make_persona) -> None:
    tasks = ["register", {"save_listings": {"count": 2}}, "message_seller", {"vote": {"count": 3}}]
    (run,) = await on_shop.batch([make_persona(*tasks)], count=1)
    assert run.tasks == [
        ("register", "done", ""),
        ("save_listings", "done", ""),
        ("message_seller", "done", ""),
        ("vote", "done", "2 of 3: 'The house shelf' has no more matchups to vote in"),
    ]
    mine = shop.state()[run.identity.username]
    saved = [thing["listing"] for thing in mine["save"].values()]
    assert [owner for owner, *_ in saved] == ["house", "house"]
    assert saved[0] != saved[1]
    assert [thing["matchup"][0] for thing in mine["vote"].values()] == ["house", "house"]
    choices = [action for action in run.actions if action.aim == "choice"]
    assert [action.choice.collection for action in choices] == ["/books/{id}"] * 3
    assert len({action.choice.seed for action in choices}) == 3
    assert all(url_shape(action.target.href) == "/books/{id}" for action in choices)
    (typed,) = [action for action in run.actions if action.kind == "fill" and "text.message.1" in (action.value or "")]
    assert "{{choice.3}}" in typed.value
    (sent,) = mine["message"].values()
    owner, _, sequence = sent["listing"]
    title = shop.state()[owner]["listing"][str(sequence)]["title"]
    assert sent["body"] == message_text(run.identity, 1, title)


@pytest.mark.table
async def test_a_price_out_of_range_is_brought_into_it(shop, on_shop, make_persona) -> None:
    persona = make_persona("register", "list_books", tastes={"price": {"min": 600, "max": 700}})
    (run,) = await on_shop.batch([persona], count=1)
    assert run.end.reason == ""
    assert shop.state()[run.identity.username]["listing"]["1"]["price"] == "500.00"


def with_books(**changes: str):
    """Give a change of identities: all their books say this."""

    def change(identity):
        books = tuple(book.model_copy(update=changes) for book in identity.books)
        return identity.model_copy(update={"books": books})

    return change


@pytest.mark.slow
async def test_what_the_site_refuses_for_good_fails_with_its_words(shop, on_shop, make_persona) -> None:
    persona = make_persona("register", "list_books", "edit_listing")
    (run,) = await on_shop.batch([persona], count=1, change=with_books(author=""))
    (_, listing, edit) = run.tasks
    assert listing[1] == "failed"
    assert "Author: Enter the author of the book." in listing[2]
    assert edit[1:] == ("failed", "the user's book 1 is not there")
    assert run.end.status == "failed"
    assert run.end.reason == f"list_books: {listing[2]}"
    assert "listing" not in shop.state()[run.identity.username]


@pytest.mark.slow
async def test_a_title_is_never_cut_and_who_waits_for_it_is_told(shop, on_shop, make_persona) -> None:
    seller = make_persona("register", "list_books", name="aa")
    buyer = make_persona("register", "save_listings", name="bb")
    runs = await on_shop.batch([seller, buyer], count=2, concurrency=2, change=with_books(title="Long " * 60))
    assert "'title' takes 200 characters" in runs[0].end.reason
    assert "listing" not in shop.state()[runs[0].identity.username]
    assert runs[1].tasks[1] == ("save_listings", "failed", "user 1 of the batch did not list book 1")


@pytest.mark.slow
async def test_a_title_that_begins_another_one_is_not_mistaken_for_it(shop, on_shop, make_persona) -> None:
    titles = ("She", "She Stoops to Conquer", "She and Allan")

    def rename(identity):
        books = zip(titles, identity.books, strict=False)
        return identity.model_copy(
            update={"books": tuple(book.model_copy(update={"title": title}) for title, book in books)}
        )

    acts = ({"list_books": {"count": 3}}, {"edit_listing": {"field": "price"}}, "delete_listing")
    seller = make_persona("register", *acts, name="aa")
    buyer = make_persona("register", {"save_listings": {"count": 2}}, name="bb")
    runs = await on_shop.batch([seller, buyer], count=2, change=rename)
    assert [run.end.reason for run in runs] == ["", ""]
    first, second = runs[0].identity.books[:2]
    state = shop.state()
    listed = state[runs[0].identity.username]["listing"].values()
    assert [(thing["title"], thing["price"]) for thing in listed] == [
        ("She", first.new_price),
        (titles[1], second.price),
    ]
    saved = {thing["listing"][2] for thing in state[runs[1].identity.username]["save"].values()}
    assert saved == {1, 2}


async def test_free_text_needs_a_model_and_fails_nothing(on_shop, make_persona) -> None:
    (run,) = await on_shop.batch([make_persona({"do": "Find the oldest book."}, {"browse": {"pages": 2}})], count=1)
    assert run.tasks == [("do", "skipped", "needs a model"), ("browse", "done", "")]
    assert run.end.status == "passed"
