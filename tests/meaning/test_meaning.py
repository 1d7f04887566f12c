"""Single judgements: what counts as shown, what contradicts, what is absence, and what tells anywhere."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from simulator.meaning import Text, Value, contradicts, find_in, is_telling, likeness, wording
from simulator.meaning.folding import weight
from tests.meaning.intl import LOCALES, OTHER_CALENDARS, written


@pytest.mark.parametrize(
    ("put", "shown", "like"),
    [
        ("21", "21,00 €", "same"),
        ("1.234,50", "$1,234.50", "same"),
        ("1234.5", "1 234,50 zł", "same"),
        ("1234567.5", "₹12,34,567.50", "same"),
        ("21", "21.–", "same"),
        ("21", "21 m²", "same"),
        ("10:30", "10h:30m", "same"),
        ("01:05", "1 Std. 5 Min.", "same"),
        ("2.5", "2:30", "transformed"),
        ("2,5", "2:30 Std.", "transformed"),
        ("0.25", "0h 15m", "transformed"),
        ("40.75", "40:45 h", "transformed"),
        ("3", "3:00 h", "transformed"),
        ("4", "4 / 5", "same"),
        ("4", "4 out of 5 stars", "same"),
        ("21.00", "2100", "transformed"),
        ("21 %", "0.21", "transformed"),
        ("0.21", "21 %", "transformed"),
        ("1200", "1.2k", "transformed"),
        ("2026-11-23", "23 Nov 2026", "same"),
        ("2026-11-23", "Monday, November 23rd, 2026", "same"),
        ("2026-11-23", "2026. gada 23. novembris", "same"),
        ("2026-11-23", "23 พฤศจิกายน พ.ศ. 2569", "same"),
        ("2026-11-23", "23 Nov", "transformed"),
        ("2026-11-23", "23.11.2026 09:30", "transformed"),
        ("2026-11-23T14:30", "23 Nov 2026", "transformed"),
        ("2026-11-23T14:30", "23/11/2026, 2:30 p.m.", "same"),
        ("14:30:25", "14:30", "transformed"),
        ("2026-11", "November 2026", "same"),
        ("23.11.2026", "2026-11-23", "same"),
        ("Persuasion", "PERSUASION", "transformed"),
        ("élève", "ELEVE", "transformed"),
        ('Tom\'s "Best" - Vol. 1', "Tom’s “Best” – Vol. 1", "transformed"),
        ("The Mystery of David Copper", "The Mystery of…", "beginning"),
        ("The Mystery of David Copper", "The Mystery of", "beginning"),
        ("The Mystery of David Copper", "The Mys... Read more", "beginning"),
        ("The end: at last!", "The end: at last...", "beginning"),
        ("the-mystery-of-david.jpg", "the-myst…david.jpg", "beginning"),
        ("scott.bartlett.7f3k@example.org", "scott.bartlett…", "beginning"),
        ("crime, classic, history", "classic crime history", "transformed"),
        ("in_stock", "In stock", "transformed"),
        ("4111111111111111", "4111 1111 1111 1111", "transformed"),
        ("+49 30 1234567", "030 / 123 45 67", "transformed"),
        ("https://www.example.com/a/", "example.com/a", "transformed"),
        ("example.com/a-long/path/to/it", "https://example.com/a-long/pa…", "beginning"),
    ],
)
def test_a_value_is_seen(put, shown, like):
    assert likeness(put, shown) == like
    assert not contradicts(put, shown)


@pytest.mark.parametrize(
    ("put", "shown"),
    [
        ("10:30", "1h:30m"),
        ("2.5", "2:50"),
        ("2.5", "2:30:30"),
        ("2.5", "2 h 05 min"),
        ("2.52", "2:31"),
        ("-2.5", "2:30"),
        ("21.00", "20.95"),
        ("20.95", "21"),
        ("21.00", "210.00"),
        ("21.00", "€ 2,100.00"),
        ("5", "4 / 5"),
        ("5", "4 out of 5 stars"),
        ("-5", "5"),
        ("21.00", "Persuasion"),
        ("1200", "1.3k"),
        ("01234", "1234"),
        ("2026-11-23", "24 Nov 2026"),
        ("2026-11-23", "24 Nov"),
        ("2026-11-23T14:30", "23.11.2026, 15:30 Uhr"),
        ("2026-11-23T14:30", "2026-11-23T14:31:00Z"),
        ("2026-11-23T14:30", "6202-11-23 14:30"),
        ("Persuasion", "Emma"),
        ("Pride and Prejudice", "Pride and"),
        ("Pride and Prejudice", "Pride Prejudice"),
        ("Pride and Prejudice", "Prejudice and Pride"),
        ("The Mystery of David Copper", "The History of…"),
        ("The Mystery of David Copper", "The Mystery of Da"),
        ("4111111111111111", "•••• 1112"),
        ("https://example.com/a", "example.com/b"),
        ("john.smith", "john smith"),
        ("scott.bartlett.7f3k@example.org", "Scott Bartlett"),
        ("Scott-Bartlett-of-Leeds", "Scott-Bartlett"),
        ("12345675", "1234567.5"),
        ("GB", "FR"),
        ("C++ Primer", "C Primer"),
    ],
)
def test_another_value_contradicts(put, shown):
    assert likeness(put, shown) is None
    assert contradicts(put, shown)


@pytest.mark.parametrize(
    ("put", "shown"),
    [
        ("21.00", ""),
        ("Persuasion", " \u00a0 "),
        ("Persuasion", "—"),
        ("2026-11-23", "3 minutes ago"),
        ("2026-11-23", "today"),
        ("2026-11-23T14:30", "gestern"),
        ("2026-11-23T14:30", "0000-00-00 14:30"),
        ("2026-11-23", "2026-11-22T23:00:00.000Z"),
        ("2026-11-23T14:30", "2026-11-23T13:30:00+00:00"),
        ("4111111111111111", "•••• •••• •••• 1111"),
        ("emma@example.org", "e**@example.org"),
        ("GB", "United Kingdom"),
        ("5", "Fiction"),
        ("1234", "1.2k"),
        ("100", "99+"),
        ("The Mystery of David Copper", "The…"),
        ("yes", "no"),
        ("", "Persuasion"),
    ],
)
def test_what_says_nothing_else_is_absence(put, shown):
    assert likeness(put, shown) is None
    assert not contradicts(put, shown)


@pytest.mark.parametrize(
    ("put", "text", "like"),
    [
        ("11:00", "Fri 15 Jan 2027, 09:30–11:00", "same"),
        ("09:30", "09:30-11:00", "same"),
        ("11:00", "2027-01-15T09:30-11:00", None),
        ("21.00", "Price: 21,00 € incl. VAT, 3 left", "same"),
        ("21.00", "Order 121.00 and 21.005", None),
        ("21", "2026-11-21, v1.21, A21, 21:30, 10-21", None),
        ("2026-11-23", "Posted by Emma on 23 November 2026 in Books", "same"),
        ("2026-11-23T14:30", "on 23 November 2026 at 14:31", None),
        ("Persuasion", "Persuasion by Jane Austen", "same"),
        ("Persuasion", "persuasions", None),
        ("Emma", "Emma's shelf", "same"),
        ("Emma", "write to emma@example.org", None),
        ("猫である", "吾輩は猫であると言う", "same"),
        ("Persuasion", "『Persuasion』を読む", "same"),
        ("Pride and Prejudice", "by Jane: PRIDE AND PREJUDICE (used)", "transformed"),
        ("The Mystery of David Copper", "Listing The Mystery of Dav… by Emma", "beginning"),
        ("scott.bartlett.7f3k@example.org", "by scott.bartlett.7f... today", "beginning"),
        ("scott.bartlett.7f3k@example.org", "by Scott Bartlett... today", None),
        ("+49 30 1234567", "call +49 (30) 123-4567 now", "transformed"),
        ("1234567", "51234567 and 123456789", None),
        ("https://example.com/a", "see example.com/a.", "transformed"),
        ("https://example.com/a", "see https://example.com/a/b", None),
        ("yes", "yes and no", "same"),
    ],
)
def test_a_value_is_found_in_a_longer_text(put, text, like):
    assert find_in(put, text) == like


@pytest.mark.parametrize("month", range(1, 13))
def test_every_name_of_a_month_is_read(month):
    day = f"2026-{month:02}-15"
    styles = [{"year": "numeric", "month": style, "day": "numeric"} for style in ("long", "short")]
    jobs = [("moment", locale, style, f"{day}T12:00:00Z") for locale in LOCALES for style in styles]
    unread = [(job[1], text) for job, text in zip(jobs, written(jobs), strict=True) if likeness(day, text) != "same"]
    assert unread == []


@pytest.mark.parametrize("locale", OTHER_CALENDARS)
def test_a_date_of_another_calendar_contradicts_nothing(locale):
    style = {"year": "numeric", "month": "long", "day": "numeric"}
    (text,) = written([("moment", locale, style, "2026-11-23T12:00:00Z")])
    assert likeness("2026-11-23", text) is None
    assert not contradicts("2026-11-23", text)


@pytest.mark.parametrize(
    "put",
    ["Pride and Prejudice", "david1fv07dwrk", "a@b.de", "https://example.com", "+49 30 1234567", "1234.56",
     "2026-11-23T14:30", "吾輩は猫である", "Great Expectations", "**A rather** long text"],
)  # fmt: skip
def test_what_is_distinctive_tells_anywhere(put):
    assert is_telling(put)


@pytest.mark.parametrize(
    "put",
    ["", "5", "on", "yes", "true", "Emma", "Persuasion", "Jane Austen", "21.00", "20.95", "10000", "2026", "GB",
     "0000000", "United Kingdom", "United States of America", "2026-11-23", "14:30", "Fiction", "in_stock",
     "本", "!!!"],
)  # fmt: skip
def test_what_is_short_or_common_tells_only_in_its_place(put):
    assert not is_telling(put)


def test_a_value_and_a_text_are_prepared_once():
    text = Text.of("Persuasion, 21,00 €, 23 Nov 2026")
    values = [Value.of(put) for put in ("Persuasion", "21.00", "2026-11-23", "Emma")]
    assert [value.find_in(text) for value in values] == ["same", "same", "same", None]
    assert Value.of("Persuasion") is values[0]


WRITTEN = st.text(max_size=40) | st.text(alphabet="0123456789.,:/- +()%€kAa…*_<>&;[]'\"", max_size=25)


@given(WRITTEN)
def test_a_text_is_what_it_is(put):
    seen = any(char.isalnum() for char in put)
    assert not contradicts(put, put)
    assert likeness(put, put) == "same" or not seen
    assert find_in(put, put) or not seen


@given(WRITTEN, WRITTEN)
def test_what_is_seen_is_not_contradicted(put, shown):
    assert not (contradicts(put, shown) and (likeness(put, shown) or find_in(put, shown)))
    assert likeness(put, shown) != "same" or any(char.isalnum() for char in shown) or put.strip() == shown.strip()


def test_a_beginning_is_sought_in_a_long_text_without_weighing_the_rest_of_it(monkeypatch: pytest.MonkeyPatch) -> None:
    weighed = list[int]()

    def counted(text: str) -> int:
        weighed.append(len(text))
        return weight(text)

    monkeypatch.setattr(wording, "weight", counted)
    put = "A bench of oak for the readers of Leeds, facing the quay"
    scripts = "a lamp is not a table. " * 2_000
    assert Value.of(put).find_in(Text(f"{scripts} A bench of oak for the readers of Le... {scripts}")) == "beginning"
    assert Value.of(put).find_in(Text(f"{scripts} A bench of oak for writers... {scripts}")) is None
    assert sum(weighed) < 10 * len(put), "each place where it might begin was weighed to the end of the text"


def test_of_a_text_that_is_very_long_only_what_is_near_a_mark_is_taken_for_cut() -> None:
    scripts = "call( ...these) and call them. " * 20_000
    text = Text(f"{scripts}A bench of oak for the readers of Le... {scripts}")
    assert sum(len(head) + len(rest) for head, rest in text.cuts) < len(scripts), "each mark took the whole text"
    cut = Text(f"{'a lamp is not a table. ' * 20_000} A bench of oak for the readers of Le... and more")
    assert Value.of("A bench of oak for the readers of Leeds, facing the quay").find_in(cut) == "beginning"


@pytest.mark.parametrize(("shown", "says"), [("★★★★★", "same"), ("★ ★ ★ ★ ★", "same"), ("★★★★☆", None)])
def test_stars_say_how_many_they_are(shown: str, says: str | None) -> None:
    assert likeness("5", shown) == says
    assert contradicts("4", "★★★★★")
    assert likeness(shown, shown) == "same", "what was typed so is the text itself"
