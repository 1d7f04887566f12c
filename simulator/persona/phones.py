"""Telephone numbers that a site takes for numbers of a country.

Where a country keeps numbers for films and books, they are drawn from those: a site under test may send messages, and
they ring nobody. Elsewhere they are near the example that the numbering plan is published with. Not responsible for:
how a site wants them written; here it is E.164, ``+441134960123``, as browsers fill in ``autocomplete="tel"``.
"""

from __future__ import annotations

from collections.abc import Mapping

from simulator.persona.draws import Draw

_DIGITS = 6
"""Of an example that are drawn, from its end."""
_TRIES = 200


def _with_codes(country: str, codes: str, rest: str) -> tuple[str, ...]:
    return tuple(f"+{country}{code}{rest}" for code in codes.split())


_FOR_FICTION: Mapping[str, tuple[str, ...]] = {
    # ACMA, https://www.acma.gov.au/phone-numbers-use-tv-shows-films-and-creative-works
    "AU": (*_with_codes("61", "2 3 7 8", "5550####"), *_with_codes("61", "2 3 7 8", "7010####")),
    # 555-0100 to 555-0199 of every area: ATIS-0300115, and the Canadian Numbering Administrator
    "CA": _with_codes("1", "204 306 403 416 418 506 514 604 613 709 902", "55501##"),
    "US": _with_codes("1", "205 212 213 303 305 312 404 503 512 602 612 615 617 702 713 718 801 816 919", "55501##"),
    # Bundesnetzagentur, Mitteilung 148/2021 ("Drama Numbers")
    "DE": ("+493023125###", "+496990009###", "+494066969###", "+492214710###", "+498999998###"),
    # ARCEP, plan national de numérotation, 2.5.12 (œuvres audiovisuelles)
    "FR": ("+3319900####", "+3326191####", "+3335301####", "+3346571####", "+3353649####"),
    # Ofcom, "Telephone numbers for use in TV and radio drama programmes"
    "GB": (
        *_with_codes("44", "113 114 116 117 118 121 131 141 151 161", "4960###"),
        *("+442079460###", "+441914980###", "+442896496###", "+442920180###"),
    ),
    # PTS, "Telefonnummer för användning i böcker och filmer"
    "SE": ("+468465004##", "+463139006##", "+464062804##", "+469803192##"),
}
"""By country, in E.164; ``#`` stands for any digit."""


def draw_phone(locale: str, *key: str | int) -> str:
    """Draw a telephone number of a locale's country, in E.164.

    Source: the regulators' lists above; for other countries the metadata of Google's libphonenumber.
    """
    draw = Draw(*key)
    country = locale.rpartition("_")[2]
    shapes = _FOR_FICTION.get(country)
    if shapes:
        return _filled(draw.choice(shapes), draw)
    return _like_example(country, draw)


def _filled(shape: str, draw: Draw) -> str:
    return "".join(str(draw.below(10)) if sign == "#" else sign for sign in shape)


def _like_example(country: str, draw: Draw) -> str:
    import phonenumbers  # only those who draw people of such a country pay

    example = phonenumbers.example_number(country)
    if example is None:
        raise ValueError(f"no telephone numbers are known of the country {country!r}")
    written = phonenumbers.format_number(example, phonenumbers.PhoneNumberFormat.E164)
    for _ in range(_TRIES):
        drawn = _filled(written[:-_DIGITS] + "#" * _DIGITS, draw)
        if phonenumbers.is_valid_number(phonenumbers.parse(drawn)):
            return drawn
    return written
