"""What two runs of the same steps tell: texts that stand each time, texts with a changing part, and mere chance."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.bindings import Bindings
from simulator.replay.learning.learn import CHANGING, LEARNT, Learnt, lacking, learn, learnt_of
from tests.replay.rows import page

WAS = {"identity.display_name": "Ada Moor", "identity.city": "Leeds", "site.notes_1": "57"}
NOW = {"identity.display_name": "Bo Lund", "identity.city": "York", "site.notes_1": "91"}


def learnt(first: list[str], second: list[str], **more: str) -> Learnt:
    return learn(page(notes=tuple(first), **more), page(notes=tuple(second), **more), WAS, NOW)


@pytest.mark.parametrize(
    ("first", "second", "required", "volatile"),
    [
        ("Saved.", "Saved.", ("Saved.",), ()),
        (
            "Hello {{identity.display_name}}",
            "Hello {{identity.display_name}}",
            ("Hello {{identity.display_name}}",),
            (),
        ),
        ("You are visitor 57.", "You are visitor 58.", (f"You are visitor {CHANGING}.",), ()),
        ("Posted in Leeds", "Posted in York", ("Posted in {{identity.city}}",), ()),
        ("Leeds", "York", ("{{identity.city}}",), ()),
        ("Order A-1 of 10:31", "Order B-2 of 10:44", (f"Order {CHANGING}-{CHANGING} of 10:{CHANGING}",), ()),
        ("57", "58", (), ("57", "58")),
        ("The sun shines", "Today we have rain", (), ("The sun shines", "Today we have rain")),
    ],
)
def test_what_is_the_same_twice_is_required(
    first: str, second: str, required: tuple[str, ...], volatile: tuple[str, ...]
) -> None:
    found = learnt([first], [second])
    assert (found.notes, found.volatile) == (required, volatile)


def test_what_both_were_dealt_alike_by_chance_may_be_another_one_for_the_next() -> None:
    was, now = {**WAS, "ticket.1.queue": "Front desk"}, {**NOW, "ticket.1.queue": "Front desk"}
    first = page(notes=("front desk-{{site.notes_1}}: Ticket", "Front desk", "Saved."), title="Front desks")
    found = learn(first, first, was, now)
    assert found.notes == (f"{CHANGING}-{{{{site.notes_1}}}}: Ticket", "Saved.")
    assert (found.title, found.volatile) == ("Front desks", ("Front desk",))
    assert learn(first, first, was, was).notes == first.said, "the same user once more"


def test_an_id_that_was_given_twice_is_another_one_for_the_next_where_an_address_says_it() -> None:
    now = {**NOW, "site.notes_1": WAS["site.notes_1"]}
    first = page(notes=("57 notes were kept", "See /notes/57/edit"), title="Page not found at /notes/57/")
    found = learn(first, first, WAS, now)
    assert found.title == f"Page not found at /notes/{CHANGING}/"
    assert found.notes == ("57 notes were kept", f"See /notes/{CHANGING}/edit")
    assert learn(first, first, WAS, WAS).title == first.title, "the same user once more"


@pytest.mark.parametrize("mark", ["#", "# ", "№ ", "No. ", "Nr. ", "n° "])
def test_an_id_that_was_given_twice_is_another_one_for_the_next_where_a_text_says_it_as_a_number(mark: str) -> None:
    now = {**NOW, "site.notes_1": WAS["site.notes_1"]}
    first = page(notes=(f"Note {mark}57.1 was kept", f"Thanks for note {mark}57."), title=f"Note {mark}57: Low tide")
    found = learn(first, first, WAS, now)
    assert found.title == f"Note {mark}{CHANGING}: Low tide"
    assert found.notes == (f"Note {mark}57.1 was kept", f"Thanks for note {mark}{CHANGING}.")


def test_what_only_one_of_them_showed_is_not_checked() -> None:
    found = learnt(["Saved.", "A tip: read more"], ["Saved."])
    assert (found.notes, found.volatile) == (("Saved.",), ("A tip: read more",))
    assert learnt([], ["Saved."]) == Learnt()


def test_titles_and_alerts_are_learnt_too() -> None:
    found = learn(page("/", "Check this", title="Inbox (3)"), page("/", "Check this", title="Inbox (5)"), {}, {})
    assert (found.title, found.alerts) == (f"Inbox ({CHANGING})", ("Check this",))


def test_it_is_kept_as_a_mark_of_the_step() -> None:
    found = Learnt("Inbox", ("Saved.",), (), ("57",))
    assert learnt_of({LEARNT: {"2": found.as_json()}}, 2) == found
    assert not learnt_of({LEARNT: {"2": found.as_json()}}, 1)
    assert not learnt_of({}, 0)


def check(texts: tuple[str, ...], *there: str) -> str:
    bindings = Bindings(NOW)
    now = page(notes=tuple(bindings.recognise(text) for text in there))
    return lacking(Learnt(notes=texts), now, bindings.render, bindings.shown)


def test_a_page_is_checked_against_it() -> None:
    required = ("Your note is kept.", f"You are visitor {CHANGING}.", "Posted in {{identity.city}}")
    there = ("Posted  in York", "You are visitor 1,204.", "Your note is kept.", "A tip")
    assert check(required, *there) == ""
    for text in there[:3]:
        assert check(required, *(one for one in there if one != text)) != ""
    assert check(required, *there[1:], "Posted in Leeds") == "Posted in {{identity.city}}"
    assert check(("Saved.", "Saved."), "Saved.") == "Saved."


TEXTS = st.lists(st.lists(st.sampled_from(["note", "kept", "57", "58", "by", "Leeds", "."]), min_size=1), max_size=4)


@given(TEXTS.map(lambda found: [*map(" ".join, found)]), TEXTS.map(lambda found: [*map(" ".join, found)]))
def test_both_pages_pass_what_was_learnt_from_them(first: list[str], second: list[str]) -> None:
    found = learnt(first, second)
    for there, values in ((first, WAS), (second, NOW)):
        bindings = Bindings(values)
        assert lacking(found, page(notes=tuple(there)), bindings.render, bindings.shown) == ""


def test_a_text_that_fits_several_leaves_to_others_what_only_they_fit() -> None:
    required = (f"note {CHANGING}", f"note by {CHANGING}")
    assert check(required, "note by me", "note 7") == ""
    assert check(required, "note by me") == required[1]
