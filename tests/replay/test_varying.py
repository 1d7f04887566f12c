"""An address that is another one each time, told from an address of something else."""

from __future__ import annotations

from urllib.parse import unquote_plus

import pytest

from simulator.replay.learning.varying import reworded, varying


@pytest.mark.parametrize(
    ("recorded", "now", "varies"),
    [
        ("/done?at=1701", "/done?at=1702", "/done?at={{changing}}"),
        ("/a/{{site.a_1}}?at=1701&by=me", "/a/42?at=1702&by=me", "/a/{{site.a_1}}?at={{changing}}&by=me"),
        ("/of-2025-q1/view", "/of-2026-q2/view", "/{{changing}}/view"),
        ("/step-2", "/step-3", ""),
        ("/done?page=2", "/done?page=3", ""),
        ("/orders/confirmed", "/orders/failed", ""),
        ("/done?status=ok", "/done?status=error", ""),
        ("/done?at=1701", "/done?at=1702&error=2", ""),
        ("/done?at=1701", "/done", ""),
        ("/a/1701", "/a/1701/edit", ""),
        ("/a/1701", "/a/1701", ""),
        ("/a#x1701", "/a#x1702", ""),
    ],
)
def test_only_what_holds_several_digits_in_both_may_change(recorded: str, now: str, varies: str) -> None:
    assert varying(recorded, now) == varies


@pytest.mark.parametrize(
    ("recorded", "now", "says"),
    [
        ("/issue1?said=title, status edited", "/issue1?said=status%2C%20title%20edited", True),
        ("/issue1?said=title+status+edited&by=me", "/issue1?said=status+title+edited&by=me", True),
        ("/issue1?said={{identity.city}}, status edited", "/issue1?said=status%2C%20Leeds%20edited", True),
        ("/issue1?said=title edited", "/issue1?said=title%20refused", False),
        ("/issue1?said=title edited", "/issue1?said=title%20edited%20twice", False),
        ("/issue1?said=title edited", "/issue1?said=edited%20title&error=1", False),
        ("/issue1?said=title edited", "/issue1?said=title%20edited", False),
        ("/issue1?sort=a,b", "/issue1?sort=b,a", False),
        ("/issue1", "/issue2", False),
    ],
)
def test_only_the_order_of_the_words_of_a_sentence_may_be_another_one(recorded: str, now: str, says: bool) -> None:
    worded = reworded(recorded, now, lambda text: text.replace("{{identity.city}}", "Leeds"))
    assert bool(worded) is says
    assert unquote_plus(worded) == (unquote_plus(now) if says else "")
