"""Telephone numbers: of the country, as its numbering plan has them, and for fiction where there are such."""

from __future__ import annotations

import re

import phonenumbers
import pytest

from simulator.persona.locales import known_locales
from simulator.persona.phones import draw_phone


@pytest.mark.parametrize("locale", sorted(known_locales()))
def test_a_site_that_looks_takes_every_number(locale: str) -> None:
    drawn = [draw_phone(locale, "seed", "persona", number, "phone") for number in range(50)]
    parsed = [phonenumbers.parse(one) for one in drawn]
    assert all(map(phonenumbers.is_valid_number, parsed)), drawn
    country = phonenumbers.country_code_for_region(locale[-2:])
    assert {one.country_code for one in parsed} == {country}
    assert [phonenumbers.format_number(one, phonenumbers.PhoneNumberFormat.E164) for one in parsed] == drawn
    assert len(set(drawn)) > 40


@pytest.mark.parametrize(
    ("locale", "fiction"),
    [("en_US", r"\+1\d{3}55501\d\d"), ("en_GB", r"\+44(\d{3}4960|2079460|1914980|2896496|2920180)\d{3}")],
)
def test_where_there_are_numbers_for_fiction_they_are_given(locale: str, fiction: str) -> None:
    assert all(re.fullmatch(fiction, draw_phone(locale, "seed", number)) for number in range(200))


def test_a_number_depends_on_its_key_alone() -> None:
    assert draw_phone("nl_NL", "seed", 1) == draw_phone("nl_NL", "seed", 1) != draw_phone("nl_NL", "seed", 2)
