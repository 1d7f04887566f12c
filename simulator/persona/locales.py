"""Locales that people can be drawn in, and their usual time zones.

Responsible for saying whether names exist for a locale; it draws none. Faker is looked at without importing
it, as that takes a quarter of a second.
"""

import importlib.util
import zoneinfo
from difflib import get_close_matches
from functools import cache
from pathlib import Path

_TIMEZONES = {
    "bg_BG": "Europe/Sofia",
    "cs_CZ": "Europe/Prague",
    "da_DK": "Europe/Copenhagen",
    "de_AT": "Europe/Vienna",
    "de_CH": "Europe/Zurich",
    "de_DE": "Europe/Berlin",
    "el_GR": "Europe/Athens",
    "en_AU": "Australia/Sydney",
    "en_CA": "America/Toronto",
    "en_GB": "Europe/London",
    "en_IE": "Europe/Dublin",
    "en_IN": "Asia/Kolkata",
    "en_NZ": "Pacific/Auckland",
    "en_US": "America/New_York",
    "es_AR": "America/Argentina/Buenos_Aires",
    "es_CL": "America/Santiago",
    "es_CO": "America/Bogota",
    "es_ES": "Europe/Madrid",
    "es_MX": "America/Mexico_City",
    "et_EE": "Europe/Tallinn",
    "fi_FI": "Europe/Helsinki",
    "fr_BE": "Europe/Brussels",
    "fr_CA": "America/Montreal",
    "fr_CH": "Europe/Zurich",
    "fr_FR": "Europe/Paris",
    "he_IL": "Asia/Jerusalem",
    "hi_IN": "Asia/Kolkata",
    "hr_HR": "Europe/Zagreb",
    "hu_HU": "Europe/Budapest",
    "id_ID": "Asia/Jakarta",
    "it_IT": "Europe/Rome",
    "ja_JP": "Asia/Tokyo",
    "ko_KR": "Asia/Seoul",
    "lt_LT": "Europe/Vilnius",
    "lv_LV": "Europe/Riga",
    "nl_BE": "Europe/Brussels",
    "nl_NL": "Europe/Amsterdam",
    "no_NO": "Europe/Oslo",
    "pl_PL": "Europe/Warsaw",
    "pt_BR": "America/Sao_Paulo",
    "pt_PT": "Europe/Lisbon",
    "ro_RO": "Europe/Bucharest",
    "ru_RU": "Europe/Moscow",
    "sk_SK": "Europe/Bratislava",
    "sl_SI": "Europe/Ljubljana",
    "sv_SE": "Europe/Stockholm",
    "th_TH": "Asia/Bangkok",
    "tr_TR": "Europe/Istanbul",
    "uk_UA": "Europe/Kyiv",
    "vi_VN": "Asia/Ho_Chi_Minh",
    "zh_CN": "Asia/Shanghai",
    "zh_TW": "Asia/Taipei",
}
_BORROWED_NAMES = {"en_AU": "en_GB", "en_CA": "en_US"}
"""Locales for which Faker has places but no people, and whose people are drawn instead."""

_UNUSABLE = {"fr_QC", "ar_AA"}
"""One that Faker gives up, and one of no country."""


@cache
def known_locales() -> frozenset[str]:
    """Return every locale for which names can be drawn."""
    spec = importlib.util.find_spec("faker")
    if spec is None or spec.origin is None:
        raise ModuleNotFoundError("Faker is not installed")
    people = Path(spec.origin).parent / "providers" / "person"
    own = {entry.name for entry in people.iterdir() if len(entry.name) == 5 and entry.name[2] == "_"}
    return frozenset((own - _UNUSABLE) | set(_BORROWED_NAMES))


def names_locale(locale: str) -> str:
    """Return the locale whose people's names are drawn for ``locale``."""
    return _BORROWED_NAMES.get(locale, locale)


def timezone_of(locale: str) -> str | None:
    """Return the usual IANA time zone of a locale, or None where the table has none."""
    return _TIMEZONES.get(locale)


def validate_locale(locale: str) -> str:
    """Return ``locale`` if people can be drawn in it, else raise ValueError with the nearest known one."""
    if locale not in known_locales():
        near = get_close_matches(locale.replace("-", "_"), sorted(known_locales()), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"expected a locale such as en_GB or ja_JP, found {locale!r}{hint}")
    return locale


def validate_timezone(name: str) -> str:
    """Return ``name`` if it is an IANA time zone, else raise ValueError with the nearest known one."""
    known = zoneinfo.available_timezones()
    if name not in known:
        near = get_close_matches(name, sorted(known), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else ""
        raise ValueError(f"expected an IANA time zone such as Europe/London, found {name!r}{hint}")
    return name
