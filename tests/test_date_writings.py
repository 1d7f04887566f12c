"""How forms ask for dates, in the languages of their pages."""

from __future__ import annotations

import pytest

from simulator.bindings import Bindings
from simulator.date_writings import WRITINGS, asks_date, date_writing


@pytest.mark.parametrize(
    ("said", "written"),
    [
        ("MM/DD/YYYY", "12/31/2026"),
        ("dd/mm/yyyy", "31/12/2026"),
        ("TT.MM.JJJJ", "31.12.2026"),
        ("JJ/MM/AAAA", "31/12/2026"),
        ("gg/mm/aaaa", "31/12/2026"),
        ("pp.kk.vvvv", "31.12.2026"),
        ("\u0434\u0434.\u043c\u043c.\u0433\u0433\u0433\u0433", "31.12.2026"),
        ("\u0397\u0397/\u039c\u039c/\u0395\u0395\u0395\u0395", "31/12/2026"),
        ("dd. mm. rrrr", "31. 12. 2026"),
        ("zz.ll.aaaa", "31.12.2026"),
        ("d.M.yyyy", "31.12.2026"),
        ("YYYY-MM-DD", "2026-12-31"),
        ("åååå-mm-dd", "2026-12-31"),
        ("DDMMYYYY", "31122026"),
        ("YYYYMMDD", "20261231"),
        ("DD MM YYYY", "31 12 2026"),
        ("e.g. 12/31/2025", "12/31/2026"),
        ("z. B. 1.4.2025", "31.12.2026"),
        ("2025/04/01", "2026/12/31"),
    ],
)
def test_a_picture_or_an_example_says_how_a_date_is_written(said: str, written: str) -> None:
    found = date_writing(said)
    assert found is not None
    assert found.write("2026-12-31") == written
    values = Bindings({"tool.1.due": "2026-12-31"})
    assert values.render(f"{{{{tool.1.due.{found.name}}}}}") == written
    assert found.read(written) == "2026-12-31"
    assert found.read("soon") == ""
    again = date_writing(found.picture)
    assert again == found


@pytest.mark.parametrize(
    "said",
    [
        "",
        "03/04/2026",
        "AA-BB-CCCC",
        "xxx",
        "Wer ist das?",
        "hh:mm:ss",
        "am/pm",
        "mm/yyyy",
        "a b cccc",
        "1.2.3.4",
        "ddmm",
    ],
)
def test_what_may_mean_several_or_none_says_nothing(said: str) -> None:
    assert date_writing(said) is None


def test_a_picture_in_a_sentence_counts_and_an_example_there_does_not() -> None:
    found = date_writing("", "Due", "Until when? Please write it as MM/DD/YYYY.")
    assert found == date_writing("mm/dd/yyyy")
    assert date_writing("", "The office is closed on 31.12.2026.") is None


def test_a_pattern_decides_where_it_takes_one_order_alone() -> None:
    month_first = r"(0[1-9]|1[0-2])/(0[1-9]|[12]\d|3[01])/\d{4}"
    assert date_writing("", pattern=month_first) == date_writing("mm/dd/yyyy")
    assert date_writing("dd/mm/yyyy", pattern=month_first) == date_writing("mm/dd/yyyy"), "the browser holds it back"
    either = r"\d{2}/\d{2}/\d{4}"
    assert date_writing("", pattern=either) is None
    assert date_writing("", pattern=either.replace("/", r"\.")) == date_writing("dd.mm.yyyy")
    assert date_writing("", "dd/mm/yyyy", pattern=either) == date_writing("dd/mm/yyyy")
    assert [asks_date(one) for one in (month_first, either, r"[0-9]{4}-[0-9]{2}-[0-9]{2}")] == [True] * 3
    assert [asks_date(one) for one in (r"\d{8}", r"[\d-]+", ".*", "", r"[A-Z]{3}-\d{4}", "(")] == [False] * 6


def test_what_is_no_date_stays_as_it_is() -> None:
    assert {one.write("soon") for one in WRITINGS.values()} == {"soon"}
