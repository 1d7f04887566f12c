"""To which thing belongs what was pressed: by what its request names, and by what no card beside it has."""

from __future__ import annotations

import pytest

from simulator.browser.effects.model import Rules
from simulator.browser.effects.pressed import Belongs, Level, Pressed, Standing, tokens_of

SITE = "http://127.0.0.1:8000"
ACTION = Level(("41/delete",), "")
"""The item of a list of actions: only what it does is its own."""
CARD = Level(("notes/41", "41/delete", "41/edit", "users/7"), "Kitchen clock")
COLUMN = Level(("notes/41", "notes/42", "41/delete", "42/delete", "columns/3"), "Doing")
OWN = ("notes/41", "41/delete")


def pressed(*levels: Level, own: tuple[str, ...] = OWN, here: tuple[str, ...] = ()) -> Pressed:
    return Pressed(Standing("button", "Delete", ()), own, (), "button0", levels, here, "d", f"{SITE}/")


@pytest.mark.parametrize(
    ("what", "address", "sent", "thing"),
    [
        (pressed(CARD, COLUMN), "/notes/41/delete", [], Belongs(CARD.tokens[:3], "Kitchen clock", False)),
        (pressed(ACTION, CARD), "/notes/41/delete", [], Belongs(CARD.tokens[:3], "Kitchen clock", False)),
        (pressed(CARD, own=()), "/api", ["41"], Belongs(CARD.tokens[:3], "Kitchen clock", False)),
        (pressed(Level((), "Kitchen clock"), own=()), "/api", [], Belongs((), "Kitchen clock", False)),
        (pressed(here=("/notes", "notes/41")), "/notes/41/delete", [], Belongs(OWN, "", True)),
        (pressed(own=(), here=("/settings",)), "/theme", [], Belongs(("/settings",), "", True)),
    ],
)
def test_what_is_pressed_belongs_to_the_card_that_the_request_names(
    what: Pressed, address: str, sent: list[str], thing: Belongs
) -> None:
    found = what.belongs(SITE + address, sent, (), Rules())
    assert found is not None
    assert (set(found.keys), found.called, found.page) == (set(thing.keys), thing.called, thing.page)


def test_a_step_of_an_address_is_known_with_the_one_before_it() -> None:
    assert tokens_of(f"{SITE}/notes/41?page=2") == ["/notes", "notes/41", "?page=2"]
    assert tokens_of("http://[") == []
