"""What a page says of a button that was pressed, in another form of its word."""

from __future__ import annotations

import pytest

from simulator.meaning import says_form_of


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ("Publish", "Published"),
        ("publish", "Published on 3 May"),
        ("draft", "DRAFT"),
        ("Archive", "Archived"),
        ("Resolve", "Resolution: done"),
        ("Veröffentlichen", "Veröffentlicht"),
        ("Archiver", "Archivé"),
        ("Approve", "Approval pending"),
    ],
)
def test_a_form_of_the_word_says_it(control: str, text: str) -> None:
    assert says_form_of(text, control)


@pytest.mark.parametrize(
    ("control", "text"),
    [
        ("Publish", "Draft"),
        ("Publish", "Not published"),
        ("Publish", "Publish the harbour book to everybody"),
        ("Save", "Saved"),
        ("Post", "Posts"),
        ("", ""),
    ],
)
def test_another_text_does_not(control: str, text: str) -> None:
    assert not says_form_of(text, control)
