"""An address that is another one each time, told from an address of something else."""

from __future__ import annotations

from urllib.parse import quote, unquote_plus

import pytest

from simulator.bindings import Bindings
from simulator.browser.wire.server_values import UrlTemplates
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
    ("recorded", "now", "varies"),
    [
        ("/k?ok=keyword 1 created", "/k?ok=keyword%202%20created", "/k?ok=keyword%20{{changing}}%20created"),
        ("/k?ok=2 of 3%0Anew&by=me", "/k?ok=4+of+3%0Anew&by=me", "/k?ok={{changing}}%20of%203%0Anew&by=me"),
        ("/k?ok=no. 1 a, b set", "/k?ok=no. 2 b%2C a set", "/k?ok=no.%20{{changing}}%20a%2C%20b%20set"),
        ("/k?ok=no. 1 a, b set", "/k?ok=no. 2 b%2C c set", ""),
        ("/k?ok=keyword 1 created", "/k?ok=keyword%202%20refused", ""),
        ("/k?ok=keyword 1 created", "/k?ok=keyword%20created", ""),
        ("/k?ok=keyword 1 created", "/k?ok=keyword%201%20created", ""),
        ("/k?ok=msg 2 made, issue 1 set", "/k?ok=msg 4 made, issue 2 set",
         "/k?ok=msg%20{{changing}}%20made%2C%20issue%20{{changing}}%20set"),
        ("/k?ok=msg 2 made, issue 1 set", "/k?ok=issue 1 set, msg 4 made",
         "/k?ok=msg%20{{changing}}%20made%2C%20issue%201%20set"),
        ("/k?page=1", "/k?page=2", ""),
        ("/k?ok=keyword-1", "/k?ok=keyword-2", ""),
    ],
)  # fmt: skip
def test_the_number_in_a_sentence_may_change_where_a_write_led(recorded: str, now: str, varies: str) -> None:
    assert varying(recorded, now, wrote=True) == varies
    assert varying(recorded, now) == ""


@pytest.mark.parametrize(
    ("recorded", "now", "varies"),
    [
        ("/a/{{site.a_1}}?tab=1", "/a/4?tab=3", "/a/{{site.a_1}}?tab={{changing}}"),
        ("/a?tab=1&page=1", "/a?tab=3&page=1", "/a?tab={{changing}}&page=1"),
        ("/a?tab=1", "/a?tab=2", ""),
        ("/a?tab=first", "/a?tab=3", ""),
        ("/a?tab=3", "/a?tab=3", ""),
        ("/a/1", "/a/3", ""),
    ],
)
def test_a_number_of_the_query_may_change_that_an_answer_gave(recorded: str, now: str, varies: str) -> None:
    assert varying(recorded, now, told={"3", "4"}) == varies


def test_of_a_sentence_later_replays_take_another_number_and_no_other_word() -> None:
    there = UrlTemplates(Bindings({})).capture
    for said, is_like in (("keyword 73 created", True), ("keyword 73 lost", False), ("keyword a created", False)):
        assert (there("/k?ok=keyword%20{{changing}}%20created", f"/k?ok={quote(said)}") is not None) is is_like


@pytest.mark.parametrize(
    ("recorded", "now", "says"),
    [
        ("/issue1?said=title, status edited", "/issue1?said=status%2C%20title%20edited", True),
        ("/issue1?said=title+status+edited&by=me", "/issue1?said=status+title+edited&by=me", True),
        ("/issue1?said={{identity.city}}, status edited", "/issue1?said=status%2C%20Leeds%20edited", True),
        ("/i?said=no. {{changing}} title, status set", "/i?said=no. 73 status%2C title set", True),
        ("/i?said=no. {{changing}} title, status set", "/i?said=no. a status%2C title set", False),
        ("/i?said=no. {{changing}} title, status set", "/i?said=no. 73 status%2C set", False),
        ("/i?said=no. {{changing}} title, status set", "/i?said=no. 73 status%2C title set in 4", False),
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
