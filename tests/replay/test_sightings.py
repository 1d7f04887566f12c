"""Codes that a run was shown, written as variables where it gives them back."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from simulator.bindings import Bindings
from simulator.browser.acting.sightings import Sightings, find_shown

PAGE = [["LMP-48213", "Order number"], ["883920", "Keep your code:"], ["A-1001", "Shelf"], ["B-2002", "Shelf"]]


def sightings(**values: str) -> tuple[Sightings, Bindings]:
    bindings = Bindings(
        {"identity.display_name": "Ann Smith", **{f"site.{name}": text for name, text in values.items()}}
    )
    found = Sightings(bindings)
    found.see("action-1", PAGE)
    return found, bindings


def test_what_is_given_back_is_a_variable_from_then_on() -> None:
    found, bindings = sightings()
    assert found.write("LMP-48213") == "{{site.order_number_1}}"
    assert found.write("about LMP-48213, code 883920!") == "about LMP-48213, code {{site.your_code_1}}!"
    assert bindings.recognise("about LMP-48213") == "about {{site.order_number_1}}"
    assert [(one.name, one.value, one.action_id, one.words) for one in found.take()] == [
        ("site.order_number_1", "LMP-48213", "action-1", "Order number"),
        ("site.your_code_1", "883920", "action-1", "Keep your code:"),
    ]
    assert found.take() == ()


def test_a_code_whose_words_stand_before_another_too_cannot_be_found_again() -> None:
    found, _ = sightings()
    assert found.write("A-1001") == "A-1001"
    assert find_shown(PAGE, "Shelf") == {"A-1001", "B-2002"}


def test_the_first_page_that_showed_it_counts() -> None:
    found, _ = sightings()
    found.see("action-2", [["LMP-48213", "Your order"]])
    found.write("LMP-48213")
    assert [(one.action_id, one.words) for one in found.take()] == [("action-1", "Order number")]


def test_what_is_given_back_in_a_secret_field_is_not_told() -> None:
    found, bindings = sightings()
    assert found.write("883920", secret=True) == "{{site.your_code_1}}"
    assert [one.value for one in found.take()] == [None]
    assert bindings.get("site.your_code_1") == "883920"


def test_a_value_of_an_address_is_known_where_it_is_all_that_is_typed() -> None:
    found, _ = sightings(orders_1="4821", books_1="57")
    assert found.write("4821") == "{{site.orders_1}}"
    assert found.write("4821 copies") == "4821 copies"
    assert found.write("57") == "57"


@given(st.text("ab 0{}-.LMP48213", max_size=30))
def test_a_written_text_renders_to_itself(text: str) -> None:
    found, bindings = sightings()
    if "{{" not in text:
        assert bindings.render(found.write(text)) == text


def test_what_the_user_gave_before_the_site_showed_it_is_no_code_of_the_sites() -> None:
    found, _ = sightings()
    assert found.write("due 2027-03-14") == "due 2027-03-14"
    found.see("action-2", [["2027-03-14", "Lantern"], ["LMP-48214", "Lantern number"]])
    assert found.write("2027-03-14, LMP-48214") == "2027-03-14, {{site.lantern_number_1}}"
