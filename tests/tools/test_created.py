"""What a submitted form made, changed, sent, saved or deleted, by the pages and requests around it."""

from __future__ import annotations

from typing import Any

import pytest

from simulator.browser.evidence import Scope, Target
from simulator.browser.executor import ActionReport
from simulator.browser.sink import ActionOutcome, PageState
from simulator.tools.created import FormMemo, created


@pytest.mark.parametrize(
    ("before", "after", "kind"),
    [
        ("/books/new", "/books/{{site.books_1}}", "book"),
        ("/books/new", "/books/42", "book"),
        ("/sell", "https://shop.example/listings/42/edit?new=1", "listing"),
        ("/sell", "/42", "thing"),
        ("/books/42/edit", "/books/42", None),
        ("/books/{{site.books_1}}/message", "/books/{{site.books_1}}", None),
        ("/books/{{site.books_1}}/message", "/inbox/{{site.inbox_1}}", "inbox"),
        ("/account/login", "/", None),
        ("/account/register", "/account/login", None),
    ],
)
def test_created(before: str, after: str, kind: str | None) -> None:
    made = created(before, after)
    assert (made.kind if made else None) == kind
    assert made is None or made.url == after


BOOK = "/books/{{site.books_1}}"
Noted = list[tuple[str, str, dict[str, str]]]
Requests = tuple[tuple[str, str, int], ...]
SENT: Requests = (("POST", "/x", 200),)


def _report(
    url: str,
    *,
    form: str = "post /x",
    tag: str = "button",
    requests: tuple[tuple[str, str, int], ...] = (),
    **more: Any,
) -> ActionReport:
    stays = more.pop("stays", False)
    page = PageState(url=url, title="", status=200, requests=requests, alerts=(), notes=())
    outcome = ActionOutcome("done", settled="changed" if stays else "navigated", after=page)
    return ActionReport("1", Target(tag=tag, form=form, **{"name": "Go", **more}), outcome, page)


@pytest.fixture
def noted() -> Noted:
    return []


@pytest.fixture
def memo(noted: Noted) -> FormMemo:
    return FormMemo(lambda *, kind, url, fields: noted.append((kind, url, dict(fields))))


def _put(memo: FormMemo, url: str, tag: str, name: str, value: str) -> None:
    memo.put(_report(url, tag=tag, name_attr=name), value)


def test_a_form_that_leads_back_to_its_thing_changes_it(memo: FormMemo, noted: Noted) -> None:
    _put(memo, f"{BOOK}/edit", "input", "price", "6.50")
    _put(memo, f"{BOOK}/edit", "input", "count", "2")
    memo.acted(_report(BOOK))
    assert noted == [("change", BOOK, {"price": "6.50"})], "what any page may show is left out"


def test_a_longer_text_that_was_taken_is_a_message(memo: FormMemo, noted: Noted) -> None:
    _put(memo, "/sellers/ann/message", "textarea", "body", "Is it still there?")
    memo.acted(_report("/sellers/ann"))
    assert noted == [("message", "", {"body": "Is it still there?"})]


def test_a_text_that_was_not_taken_is_none(memo: FormMemo, noted: Noted) -> None:
    _put(memo, "/sellers/ann", "textarea", "body", "Is it still there?")
    memo.acted(_report("/sellers/ann", stays=True, requests=(("POST", "/x", 500),)))
    assert noted == []


@pytest.mark.parametrize(("requests", "saved"), [(SENT, True), ((("POST", "/x", 500),), False), ((), False)])
def test_a_button_of_a_card_saves_it(memo: FormMemo, noted: Noted, requests: Requests, saved: bool) -> None:
    card = Scope(kind="card", texts=("Emma", "5.00"))
    memo.moved("/books")
    memo.acted(_report("/books", stays=True, requests=requests, scopes=(card,)))
    assert noted == ([("save", "", {"title": "Emma"})] if saved else [])


def test_a_button_alone_votes_or_deletes(memo: FormMemo, noted: Noted) -> None:
    memo.moved("/votes/{{site.votes_1}}")
    memo.acted(_report("/votes/{{site.votes_1}}", name="Vote for Emma"))
    memo.moved(f"{BOOK}/delete")
    memo.acted(_report("/my/books", form="post /books/{id}/delete"))
    assert noted == [("deed", "/votes/{{site.votes_1}}", {"button": "Vote for Emma"}), ("deletion", BOOK, {})]


def test_who_logs_out_on_the_page_of_a_thing_deletes_nothing(memo: FormMemo, noted: Noted) -> None:
    memo.moved(BOOK)
    memo.acted(_report("/", form="post /account/logout"))
    memo.moved(BOOK)
    memo.acted(_report("/", form="post /books/{id}-archive"))
    assert noted == []


def test_what_is_no_form_that_writes_makes_nothing(memo: FormMemo, noted: Noted) -> None:
    _put(memo, f"{BOOK}/edit", "textarea", "body", "A longer text")
    memo.acted(_report(BOOK, form="get /search"))
    memo.moved("/login")
    _put(memo, "/login", "input", "name", "ann")
    memo.forget()
    memo.acted(_report("/account"))
    assert noted == []
