"""Which things of a page a description means: by words alone, the same every time."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.browser.views.reading import Block, Candidate
from simulator.tools.pages.matching import ENOUGH, rank_blocks, rank_candidates, unsaid


def thing(
    role: str, name: str, *, href: str = "", hints: tuple[str, ...] = (), near: tuple[str, ...] = ()
) -> Candidate:
    return Candidate(ref=name or role, role=role, type="", name=name, href=href, hints=hints, near=near)


def block(text: str, *, label: str = "", under: tuple[str, ...] = (), role: str = "paragraph") -> Block:
    return Block(ref=text, role=role, label=label, text=text, under=under)


PAGE = [
    thing("link", "Log in", href="/account/login"),
    thing("link", "Register", href="/account/register"),
    thing("searchbox", "Search books", hints=("q", "site-search")),
    thing("button", "Search"),
    thing("link", "Dracula", href="/books/11", near=("Dracula", "Bram Stoker", "£7.80")),
    thing("button", "Save", near=("Dracula", "Bram Stoker")),
    thing("heading", "New arrivals"),
    thing("link", "See all new arrivals", href="/books?sort=newest"),
    thing("textbox", "E-Mail-Adresse", hints=("mail",)),
]


@pytest.mark.parametrize(
    ("description", "meant"),
    [
        ("search field", "Search books"),
        ("the search button", "Search"),
        ("sign in", "Log in"),
        ("create an account", "Register"),
        ("link to Dracula", "Dracula"),
        ("save button of Dracula", "Save"),
        ("book by Bram Stoker", "Dracula"),
        ("new arrivals heading", "New arrivals"),
        ("link to all new arrivals", "See all new arrivals"),
        ("email field", "E-Mail-Adresse"),
    ],
)
def test_the_best_match_is_what_is_meant(description: str, meant: str) -> None:
    assert rank_candidates(description, PAGE)[0].thing.name == meant


@pytest.mark.parametrize("description", ["wheelbarrow", "delete everything"])
def test_what_nothing_says_fits_nothing(description: str) -> None:
    assert rank_candidates(description, PAGE) == []


def test_a_kind_alone_means_all_of_it() -> None:
    assert {match.thing.role for match in rank_candidates("buttons", PAGE)} == {"button"}


BLOCKS = [
    block("Dracula", role="heading"),
    block("Bram Stoker", under=("Dracula",)),
    block("£7.80 Good", under=("Dracula",)),
    block("Emma", role="heading"),
    block("12 EUR", under=("Emma",)),
    block("Delivery", role="heading"),
    block("Three days", label="Delivery time", under=("Delivery",)),
    block("ada@example.org", under=("Contact",)),
]


@pytest.mark.parametrize(
    ("description", "meant"),
    [
        ("price of Dracula", "£7.80 Good"),
        ("what does Emma cost", "12 EUR"),
        ("delivery time", "Three days"),
        ("e-mail", "ada@example.org"),
        ("headings", "Dracula"),
        ("delivery", "Three days"),
    ],
)
def test_the_best_block_answers(description: str, meant: str) -> None:
    assert rank_blocks(description, BLOCKS)[0].thing.text == meant


@pytest.mark.parametrize(
    ("description", "unknown"),
    [
        ("the price of Middlemarch", ("middlemarch",)),
        ("the publisher of Dracula", ("publisher",)),
        ("telephone number of the seller", ("telephone",)),
    ],
)
def test_what_the_page_does_not_say_has_no_answer(description: str, unknown: tuple[str, ...]) -> None:
    assert rank_blocks(description, BLOCKS) == []
    assert set(unknown) <= set(unsaid(description, BLOCKS))


@given(st.text(max_size=80))
def test_any_description_gives_scores_in_order_and_the_same_again(description: str) -> None:
    matches = rank_candidates(description, PAGE)
    scores = [match.score for match in matches]
    assert scores == sorted(scores, reverse=True)
    assert all(score >= ENOUGH for score in scores)
    assert rank_candidates(description, PAGE) == matches
    assert rank_blocks(description, BLOCKS) == rank_blocks(description, BLOCKS)
