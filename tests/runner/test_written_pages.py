"""Whether a page shows what was sent: a single text is a user's own beside a name that nobody else has."""

from __future__ import annotations

import pytest

from simulator.browser.effects.spots import Card, Reading
from simulator.browser.effects.user_input import UserInput
from simulator.runner.interrupted.written_pages import in_cards, is_whole

TEXT = "It works again since this morning."
REMARK = UserInput("1", "text", (TEXT,), ("Message",), "message", "post /tickets/{id}/comments")
OWN = ("graham1084ggyrfr",)


def page(*cards: str) -> Reading:
    return Reading("d", "http://127.0.0.1/tickets/20", (), tuple(Card((), text, -1) for text in cards))


@pytest.mark.parametrize(
    ("cards", "earlier", "took"),
    [
        ((f"graham1084ggyrfr: {TEXT}",), 0, True),
        ((f"irene1384ggyrfr: {TEXT}",), 0, False),
        (("graham1084ggyrfr: Thanks.", f"irene1384ggyrfr: {TEXT}"), 0, False),
        ((f"graham1084ggyrfr: {TEXT}",), 1, False),
        ((f"graham1084ggyrfr: {TEXT}", f"graham1084ggyrfr: {TEXT}"), 1, True),
    ],
)
def test_a_remark_was_written_where_it_stands_beside_its_user(cards: tuple[str, ...], earlier: int, took: bool) -> None:
    finding = in_cards([REMARK], [(TEXT,)], earlier, page(*cards), "/tickets/20", OWN)
    assert (finding is not None and finding.took is True) is took


def test_a_list_has_all_that_was_sent_where_each_stands_beside_its_user() -> None:
    assert is_whole([[REMARK]], page(f"graham1084ggyrfr: {TEXT}"), OWN)
    assert not is_whole([[REMARK]], page(f"irene1384ggyrfr: {TEXT}"), OWN)
