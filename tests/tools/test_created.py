"""When a page's address says that something was made."""

from __future__ import annotations

import pytest

from simulator.tools.created import created


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
