"""Listing, finding, changing, withdrawing and saving books."""

from __future__ import annotations

import hashlib
import re
from typing import Any

import pytest


def titles(page: str) -> list[str]:
    return re.findall(r'<h2 class="card-title"[^>]*><a[^>]*>([^<]+)', page)


def test_a_listed_book_is_shown_with_all_that_was_said(anna: Any, visitor: Any) -> None:
    path = anna.list_book(title="Emma <i>", price="12.5")
    page = visitor.get(path).text
    for text in ("Emma &lt;i&gt;", "Jane Austen", "£12.50", "Good", "Classics", "Anna", "Leeds", "Tight binding."):
        assert text in page
    assert anna.shop.state()["anna"]["listing"]["1"]["price"] == "12.50"


@pytest.mark.parametrize(("kind", "media_type"), [("PNG", "image/png"), ("JPEG", "image/jpeg"), ("WEBP", "image/webp")])
def test_the_cover_is_served_as_it_was_uploaded(
    anna: Any, make_book: Any, make_image: Any, kind: str, media_type: str
) -> None:
    content = make_image("olive", kind)
    page = anna.get(anna.submit("/books/new", make_book(), cover=content).headers["location"]).text
    address = re.search(r'class="big-cover" src="([^"]+)"', page)
    assert address
    cover = anna.get(address[1])
    assert cover.content == content
    assert cover.headers["content-type"] == media_type
    assert "immutable" in cover.headers["cache-control"]
    assert anna.shop.state()["anna"]["listing"]["1"]["cover"] == {
        "media_type": media_type,
        "size": len(content),
        "sha256": hashlib.sha256(content).hexdigest(),
    }


@pytest.mark.parametrize(
    ("field", "value", "sentence"),
    [
        ("title", "", "Enter the title"),
        ("title", "x" * 201, "Shorten this to 200 characters."),
        ("author", "  ", "Enter the author"),
        ("genre", "cookery", "Choose a genre."),
        ("condition", "", "Choose the condition"),
        *(("price", price, "Enter a price") for price in ("", "0.49", "500.01", "1e2", "-3", "4.999", "٣", "4,50")),
        ("description", "x" * 4001, "Shorten the description"),
    ],
)
def test_a_wrong_field_is_named(
    anna: Any, make_book: Any, make_image: Any, field: str, value: str, sentence: str
) -> None:
    answer = anna.submit("/books/new", make_book(**{field: value}), cover=make_image())
    assert answer.status_code == 422
    assert re.search(rf'id="{field}-error">{sentence}', answer.text)
    assert answer.text.count('aria-invalid="true"') == 1
    assert "listing" not in anna.shop.state()["anna"]


@pytest.mark.parametrize("price", ["0.50", "500.00", "7", "4.5"])
def test_prices_at_the_limits_are_taken(anna: Any, price: str) -> None:
    anna.list_book(price=price)
    assert float(anna.shop.state()["anna"]["listing"]["1"]["price"]) == float(price)


@pytest.mark.parametrize("content", [None, b"", b"%PDF-1.7", "GIF", "cut", "large"])
def test_a_cover_that_is_no_small_image_is_refused(
    anna: Any, make_book: Any, make_image: Any, content: bytes | str | None
) -> None:
    if content == "GIF":
        content = make_image("red", "GIF")
    elif content == "cut":
        content = make_image()[:40]
    elif content == "large":
        content = make_image() + bytes(5_000_000)
    answer = anna.submit("/books/new", make_book(), cover=content)
    assert answer.status_code == 422
    assert 'id="cover-error">Choose a' in answer.text
    assert "listing" not in anna.shop.state()["anna"]


def test_a_body_beyond_all_measure_is_refused_and_logged(anna: Any, make_book: Any) -> None:
    answer = anna.submit("/books/new", make_book(), cover=bytes(21_000_000))
    assert answer.status_code == 413
    assert anna.shop.log()[-1]["status"] == 413


def test_editing_keeps_the_cover_unless_there_is_another(anna: Any, make_book: Any, make_image: Any) -> None:
    path = anna.list_book()
    cover = anna.shop.state()["anna"]["listing"]["1"]["cover"]
    form = anna.get(f"{path}/edit").text
    assert 'value="Emma"' in form
    assert 'value="4.50"' in form

    answer = anna.submit(f"{path}/edit", make_book(title="Persuasion"))
    assert answer.headers["location"] == path
    changed = anna.shop.state()["anna"]["listing"]["1"]
    assert (changed["title"], changed["cover"]) == ("Persuasion", cover)

    anna.submit(f"{path}/edit", make_book(), cover=make_image("red"))
    assert anna.shop.state()["anna"]["listing"]["1"]["cover"]["sha256"] != cover["sha256"]


def test_only_its_seller_changes_a_listing(anna: Any, ben: Any, make_book: Any) -> None:
    path = anna.list_book()
    before = anna.shop.state()
    for page in ("edit", "delete"):
        assert ben.get(f"{path}/{page}").status_code == 403
        answer = ben.submit("/books/new", make_book(title="Stolen"), to=f"{path}/{page}")
        assert answer.status_code == 403
        assert "Only its seller" in answer.text
    assert anna.shop.state() == before


def test_a_deleted_book_is_gone(anna: Any, visitor: Any) -> None:
    path = anna.list_book()
    assert "Delete this listing?" in anna.get(f"{path}/delete").text
    assert anna.submit(f"{path}/delete", {}).headers["location"] == "/my/books"
    assert visitor.get(path).status_code == 404
    assert "Emma" not in visitor.get("/books").text
    assert "listing" not in anna.shop.state()["anna"]


def test_browsing_filters_sorts_and_pages(anna: Any, visitor: Any) -> None:
    for n in range(26):
        anna.list_book(title=f"Volume {n:02}", genre="poetry", price=f"{n + 1}.00")
    first = titles(visitor.get("/books").text)
    assert (len(first), first[0]) == (24, "Volume 25")
    assert len(titles(visitor.get("/books?page=2").text)) == 14
    assert titles(visitor.get("/books?page=99").text) == []

    poetry = visitor.get("/books?genre=poetry&sort=price_asc").text
    assert titles(poetry)[:2] == ["Volume 00", "Volume 01"]
    assert "27 books" in poetry
    assert titles(visitor.get("/books?genre=poetry&sort=price_desc").text)[0] == "Volume 25"
    assert titles(visitor.get("/books?genre=poetry&sort=oldest").text)[0] == "Leaves of Grass"
    assert titles(visitor.get("/books?sort=title").text)[0] == "Alice&#39;s Adventures in Wonderland"


def test_search_wants_all_words_in_any_case(visitor: Any) -> None:
    assert titles(visitor.get("/books?q=STOKER dracula").text) == ["Dracula"]
    assert titles(visitor.get("/books?q=dracula austen").text) == []
    assert titles(visitor.get("/books?q=%25").text) == []
    assert "&lt;script&gt;" in visitor.get("/books?q=<script>").text


def test_saving_answers_a_script_and_a_form(anna: Any, ben: Any) -> None:
    path = anna.list_book()
    for _ in range(2):
        answer = ben.submit(path, {"saved": "1"}, to=f"{path}/save", headers={"Accept": "application/json"})
        assert answer.json() == {"saved": True, "count": 1}
    assert "Emma" in ben.get("/saved").text
    assert ben.shop.state()["ben"]["save"] == {"1": {"listing": ["anna", "listing", 1]}}

    answer = ben.submit(path, {"saved": "0"}, to=f"{path}/save")
    assert answer.headers["location"] == path
    assert "is no longer saved" in ben.get(path).text
    assert "save" not in ben.shop.state()["ben"]


def test_nobody_saves_their_own_book(anna: Any) -> None:
    path = anna.list_book()
    assert anna.submit("/books/new", {"saved": "1"}, to=f"{path}/save").status_code == 403


def test_my_books_has_an_edit_link_for_each(anna: Any) -> None:
    paths = [anna.list_book(title=title) for title in ("Emma", "Persuasion")]
    page = anna.get("/my/books").text
    assert all(f'href="{path}/edit">Edit<' in page for path in paths)


@pytest.mark.parametrize("path", ["/books/999", f"/books/{2**64}", "/covers/none.png", "/sellers/nobody", "/nowhere"])
def test_what_is_not_there_is_a_404_page(visitor: Any, path: str) -> None:
    answer = visitor.get(path)
    assert answer.status_code == 404
    assert "<h1>Page not found</h1>" in answer.text
