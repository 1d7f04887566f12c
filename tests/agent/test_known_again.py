"""Knowing a button again that was pressed, whatever it says now."""

from __future__ import annotations

import pytest

from simulator.agent.reading import Button, Control
from simulator.agent.tool_client import known_again
from simulator.browser.views.script_client import References

BEFORE = [Button(ref="e1", name="Search"), Button(ref="e2", name="Save"), Button(ref="e3", name="Save")]
PRESSED = Control.of(BEFORE[1])


def names(*given: str, first: int = 1) -> list[Button]:
    return [Button(ref=f"e{number}", name=name) for number, name in enumerate(given, start=first)]


def test_in_its_own_document_it_is_known_by_its_reference() -> None:
    now = [Button(ref="e9", name="Undo"), Button(ref="e2", name="Saved")]
    assert known_again(PRESSED, BEFORE, now) == now[1]


def test_in_another_document_it_is_known_by_its_place_among_the_others() -> None:
    now = names("Search", "Saved", "Save", first=4)
    assert known_again(PRESSED, BEFORE, now) == now[1]


@pytest.mark.parametrize(
    "now",
    [
        [],
        names("Log in", first=4),
        names("Search", "Saved", first=4),
        names("Search", "Saved", "Saved", first=4),
        names("Back", "Saved", "Save", first=4),
    ],
)
def test_where_more_has_changed_it_is_not_known(now: list[Button]) -> None:
    assert known_again(PRESSED, BEFORE, now) is None


def test_a_reference_that_a_lost_browser_gave_out_is_not_given_out_again() -> None:
    references = References()
    references.reserve('{"links": [{"ref": "e12"}, {"ref": "e7"}], "tree": "- link [ref=e41]"}')
    references.reserve("the2 e5")
    assert references.last == 41
