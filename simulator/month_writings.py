"""Dates with the name of their month, as pages of a language write them: ``Mai 6, 2015``, ``6. Mai 2015``.

Not responsible for: dates in figures (``date_writings``), or reading dates of pages (``simulator.meaning.dates``).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

_DATE = re.compile(r"(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2})(?::\d{2}(?:\.\d+)?)?)?")
_MONTHS: Mapping[str, str] = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "Enero Febrero Marzo Abril Mayo Junio Julio Agosto Septiembre Octubre Noviembre Diciembre",
    "it": "Gennaio Febbraio Marzo Aprile Maggio Giugno Luglio Agosto Settembre Ottobre Novembre Dicembre",
    "pt": "Janeiro Fevereiro Março Abril Maio Junho Julho Agosto Setembro Outubro Novembro Dezembro",
    "nl": "januari februari maart april mei juni juli augustus september oktober november december",
    "sv": "januari februari mars april maj juni juli augusti september oktober november december",
    "da": "januar februar marts april maj juni juli august september oktober november december",
    "nb": "januar februar mars april mai juni juli august september oktober november desember",
    "pl": "Styczeń Luty Marzec Kwiecień Maj Czerwiec Lipiec Sierpień Wrzesień Październik Listopad Grudzień",
    "cs": "Leden Únor Březen Duben Květen Červen Červenec Srpen Září Říjen Listopad Prosinec",
    "ru": "Январь Февраль Март Апрель Май Июнь Июль Август Сентябрь Октябрь Ноябрь Декабрь",
}
"""As calendars name them. The case of a letter is that of the widgets that were seen; most read any."""
_ORDERS: Mapping[str, str] = {
    "mmmm_d_yyyy": "{month} {day}, {year}",
    "d_mmmm_yyyy": "{day} {month} {year}",
    "d_mmmm_yyyy_dot": "{day}. {month} {year}",
}
_TIMES: Mapping[str, str] = {"": "", "_hm": " {time}", "_hms": " {time}:00"}


def _write(months: tuple[str, ...], picture: str, times: bool, text: str) -> str:
    found = _DATE.fullmatch(text)
    if found is None or not 0 < int(found[2]) <= len(months) or (times and not found[4]):
        return text
    return picture.format(month=months[int(found[2]) - 1], day=int(found[3]), year=found[1], time=found[4])


NAMED_MONTHS: Mapping[str, Callable[[str], str]] = {
    f"{order}_{language}{end}": partial(_write, tuple(months.split()), picture + time, bool(time))
    for language, months in _MONTHS.items()
    for order, picture in _ORDERS.items()
    for end, time in _TIMES.items()
}
"""What writes a date, given as ``2026-12-31`` or with a time, by the name of the writing in a variable."""


def named_months(language: str, *, timed: bool) -> tuple[str, ...]:
    """Give the names of the writings in a language.

    Args:
        language: such as ``de`` or ``de-CH``.
        timed: whether a time of day stands behind the date.
    """
    own = language.lower().replace("_", "-").partition("-")[0]
    own = {"no": "nb", "nn": "nb"}.get(own, own)
    ends = [end for end in _TIMES if bool(end) is timed][::-1]
    return tuple(f"{order}_{own}{end}" for order in _ORDERS for end in ends if own in _MONTHS)
