"""What sites make of values, and what they make of them when they lie; by seed."""

from __future__ import annotations

import html
import random
import unicodedata
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import ROUND_HALF_UP, Decimal
from typing import NamedTuple

from faker import Faker

from tests.meaning.intl import LOCALES, Job, written

SEEN = frozenset(("same", "transformed"))
SAME = frozenset(("same",))
TRANSFORMED = frozenset(("transformed",))
BEGINNING = frozenset(("beginning",))


class Case(NamedTuple):
    """A value, what a page shows, and what is to be judged."""

    how: str
    put: str
    shown: str
    allowed: frozenset[str | None]
    lies: bool


def numbers(rng: random.Random, count: int) -> Iterator[Case]:
    """Amounts, quantities and shares, as locales write them, and others."""
    plans = [_number(rng) for _ in range(count)]
    shown = written([job for *_, job in plans])
    for (how, put, allowed, lies, _), text in zip(plans, shown, strict=True):
        yield Case(how, put, text, allowed, lies)


def _number(rng: random.Random) -> tuple[str, str, frozenset[str | None], bool, Job]:
    digits = rng.choice((1, 2, 2, 3, 4, 5, 7))
    amount = (
        Decimal(rng.randrange(10 ** (digits + 1))) / 100 if rng.random() < 0.7 else Decimal(rng.randrange(10**digits))
    )
    if rng.random() < 0.1:
        amount = -amount
    decimals = "." in str(amount)
    put = f"{amount:.2f}" if decimals else str(amount)
    if decimals and rng.random() < 0.2:
        put = put.replace(".", ",")
    lie = rng.choice((None, None, _digit_altered, _digits_swapped, _rounded))
    told = lie(rng, amount) if lie else amount
    locale = rng.choice(LOCALES)
    options: dict[str, object] = {"minimumFractionDigits": 2 if decimals or rng.random() < 0.3 else 0}
    style = rng.choice(("decimal", "currency", "currency", "code", "name", "unit", "plain"))
    if style in ("currency", "code", "name"):
        options |= {"style": "currency", "currency": rng.choice(("EUR", "USD", "GBP", "CHF", "SEK", "CZK", "TRY"))}
        options["currencyDisplay"] = {"currency": "symbol"}.get(style, style)
    elif style == "unit" and not decimals and locale != "ar-EG":  # which writes two days in a word
        options |= {"style": "unit", "unit": rng.choice(("kilogram", "day", "meter", "percent"))}
    elif style == "plain":
        options["useGrouping"] = False
    job: Job = ("number", locale, options, str(told))
    if told == amount:
        return f"number {style} {locale}", put, SAME, False, job
    return f"number {lie.__name__} {locale}", put, frozenset((None,)), True, job


def _digit_altered(rng: random.Random, amount: Decimal) -> Decimal:
    text = list(str(amount))
    at = rng.choice([at for at, char in enumerate(text) if char.isdigit()])
    text[at] = rng.choice([char for char in "123456789" if char != text[at]])
    return Decimal("".join(text))


def _digits_swapped(rng: random.Random, amount: Decimal) -> Decimal:
    text = list(str(amount))
    places = [at for at, char in enumerate(text) if char.isdigit()]
    if len(places) < 2:
        return amount + 1
    one = rng.randrange(len(places) - 1)
    a, b = places[one], places[one + 1]
    text[a], text[b] = text[b], text[a]
    return Decimal("".join(text))


def _rounded(rng: random.Random, amount: Decimal) -> Decimal:
    to = rng.choice((Decimal(1), Decimal("0.1"), Decimal(10)))
    return (amount / to).quantize(Decimal(1), ROUND_HALF_UP) * to


DATE_STYLES = (
    {"dateStyle": "short"}, {"dateStyle": "medium"}, {"dateStyle": "long"}, {"dateStyle": "full"}, {},
    {"year": "numeric", "month": "2-digit", "day": "2-digit"}, {"year": "numeric", "month": "short", "day": "numeric"},
    {"year": "numeric", "month": "long", "day": "numeric", "weekday": "short"},
)  # fmt: skip
_LENGTHS = ("short", "medium", "long", "full")
BOTH_STYLES = (
    *(
        {"dateStyle": date, "timeStyle": time}
        for date in ("short", "medium", "long", "full")
        for time in ("short", "medium")
    ),
    {"dateStyle": "medium", "timeStyle": "short", "hour12": True},
    {"dateStyle": "short", "timeStyle": "short", "hour12": False},
)
TIME_STYLES = (
    {"timeStyle": "short"},
    {"timeStyle": "medium"},
    {"hour": "2-digit", "minute": "2-digit", "hour12": False},
    {"hour": "numeric", "minute": "2-digit", "hour12": True},
)


SHARED_MONTHS = frozenset(("hr", "pl", "cs", "uk", "lt"))
"""Languages that call a month as others call the one beside it: ``listopad``, ``lip``."""


def moments(rng: random.Random, count: int) -> Iterator[Case]:
    """Dates and times as locales write them, and others."""
    plans = []
    for _ in range(count):
        when = datetime(rng.randrange(1931, 2031), 1, 1) + timedelta(minutes=rng.randrange(365 * 24 * 60))
        kind, form = rng.choice((*[("date", "%Y-%m-%d")] * 2, ("both", "%Y-%m-%dT%H:%M"), ("time", "%H:%M")))
        put = when.strftime(form)
        told, lie = when, ""
        if rng.random() < 0.4:
            by = {"date": ("day", "month", "year"), "both": ("day", "minute", "hour"), "time": ("minute", "hour")}[kind]
            lie = rng.choice(by)
            told = _moved(rng, when, lie)
        styles = {"date": DATE_STYLES, "both": BOTH_STYLES, "time": TIME_STYLES}[kind]
        locale, style = rng.choice(LOCALES), rng.choice(styles)
        if lie == "month" and locale in SHARED_MONTHS:
            locale = "en-GB"
        how = f"{kind} {lie} {locale} {style}"
        plans.append((how, put, bool(lie), ("moment", locale, style, f"{told:%Y-%m-%dT%H:%M:00Z}")))
    shown = written([job for *_, job in plans])
    for (how, put, lies, _), text in zip(plans, shown, strict=True):
        yield Case(how, put, text, frozenset((None,)) if lies else SAME, lies)


def _moved(rng: random.Random, when: datetime, by: str) -> datetime:
    sign = rng.choice((-1, 1))
    if by == "year":
        return when.replace(day=min(when.day, 28), year=when.year + sign)
    if by == "month":
        return when.replace(day=min(when.day, 28), month=(when.month - 1 + sign) % 12 + 1)
    return when + sign * {"day": timedelta(1), "hour": timedelta(hours=1), "minute": timedelta(minutes=1)}[by]


PROSE = (
    "en_GB",
    "de_DE",
    "fr_FR",
    "ru_RU",
    "el_GR",
    "pl_PL",
    "hi_IN",
    "ar_SA",
    "ja_JP",
    "zh_CN",
    "th_TH",
    "tr_TR",
    "ko_KR",
)
UNSPACED = frozenset(("ja_JP", "zh_CN", "th_TH"))


class Prose:
    """Texts in several languages and scripts."""

    def __init__(self, seed: int) -> None:
        self._fakers = {locale: Faker(locale) for locale in PROSE}
        for faker in self._fakers.values():
            faker.seed_instance(seed)

    def text(self, rng: random.Random, most: int = 9) -> tuple[str, list[str]]:
        """Give a locale, and different words of it; no two of them are equal but for their case."""
        locale = rng.choice(PROSE)
        found: dict[str, str] = {}
        for word in self._fakers[locale].words(40):
            if any(map(str.isalpha, word)):  # Polish has "(…)"
                found.setdefault(word.casefold(), word)
        words = list(found.values())
        rng.shuffle(words)
        return locale, words[: rng.randrange(1, most)]

    def join(self, locale: str, words: list[str]) -> str:
        return ("" if locale in UNSPACED else " ").join(words)


def texts(rng: random.Random, count: int) -> Iterator[Case]:
    """Titles and sentences as sites set them, and others."""
    prose = Prose(rng.randrange(10**6))
    made = 0
    while made < count:
        locale, words = prose.text(rng)
        put = _set(rng, prose.join(locale, words))
        if len(put) < 4:
            continue
        if rng.random() < 0.5:
            how, shown, allowed = rng.choice(_HONEST)(rng, put)
            yield Case(f"{how} {locale}", put, shown, allowed, False)
            made += 1
            continue
        lie = rng.choice((_dropped, _replaced, _swapped, _altered))
        other = lie(rng, list(words), prose.text(rng)[1][0])
        if other is None:
            continue
        shown = prose.join(locale, other)
        if lie is _altered and shown.casefold() == put.casefold():
            continue
        cut = put.startswith(shown) or (lie is _dropped and words[: len(other)] == other)
        yield Case(
            f"{lie.__name__} {locale}", put, shown, frozenset((None, "beginning")) if cut else frozenset((None,)), True
        )
        made += 1


def _set(rng: random.Random, text: str) -> str:
    """Set a text with signs as people type them."""
    if rng.random() < 0.2 and " " in text:
        first, rest = text.split(" ", 1)
        return rng.choice(
            (f'"{first}" {rest}', f"{first} - {rest}", f"{first}'s {rest}", f"{first}... {rest}", f"{first}: {rest}!")
        )
    return text


def _spaced(rng: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    space = rng.choice(("  ", "\n", "\r\n", "\t", "\u00a0", "\u202f ", " \u200b"))
    return "spaced", f"\n  {text.replace(' ', space)} ", SAME


def _hidden(rng: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    at = rng.randrange(len(text))
    while at and (unicodedata.combining(text[at]) or unicodedata.category(text[at])[0] == "M"):
        at -= 1
    return "invisible", text[:at] + rng.choice("\u00ad\u200b\u2060\ufeff\u200e") + text[at:], SAME


def _decomposed(_: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    return "decomposed", unicodedata.normalize("NFD", text), SAME


def _compatible(_: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    return "wide", "".join(chr(ord(char) + 0xFEE0) if "!" <= char <= "~" else char for char in text), SEEN


def _typographic(_: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    text = text.replace('"', "“", 1).replace('"', "”").replace("'", "’").replace(" - ", " – ").replace("...", "…")
    return "typographic", text, SEEN


def _upper(_: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    shown = text.upper()
    return "upper", shown, SAME if shown == text else TRANSFORMED


def _title(_: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    shown = text[:1].upper() + text[1:]
    return "capital", shown, SAME if shown == text else TRANSFORMED


def _escaped(_: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    return "escaped", html.escape(text), SEEN


def _quoted(rng: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    return "quoted", rng.choice(("“{}”", "„{}“", "« {} »", "‘{}’", "「{}」")).format(text), TRANSFORMED


def _cut(rng: random.Random, text: str) -> tuple[str, str, frozenset[str | None]]:
    letters = [at for at in range(6, len(text)) if sum(map(str.isalnum, text[:at])) >= 6]
    if not letters:
        return "whole", text, SAME
    at = rng.choice(letters)
    mark = rng.choice(("…", "...", " […]", "… Read more"))
    shown = text[:at].rstrip(" .-:!\"'") + mark
    return "cut", shown, BEGINNING


_HONEST = (
    _spaced, _hidden, _decomposed, _compatible, _typographic, _upper, _title, _escaped, _quoted, _cut,
)  # fmt: skip


def _dropped(rng: random.Random, words: list[str], other: str) -> list[str] | None:
    if len(words) < 2:
        return None
    del words[rng.randrange(len(words))]
    return words


def _replaced(rng: random.Random, words: list[str], other: str) -> list[str] | None:
    at = rng.randrange(len(words))
    if words[at].casefold() == other.casefold():
        return None
    words[at] = other
    return words


def _swapped(rng: random.Random, words: list[str], other: str) -> list[str] | None:
    if len(words) < 2:
        return None
    at = rng.randrange(len(words) - 1)
    words[at], words[at + 1] = words[at + 1], words[at]
    return words


def _altered(rng: random.Random, words: list[str], other: str) -> list[str] | None:
    at = rng.randrange(len(words))
    letters = [n for n, char in enumerate(words[at]) if char.isalpha()]
    if not letters:
        return None
    n = rng.choice(letters)
    words[at] = (
        words[at][:n] + rng.choice([char for char in "bkqwxz" if char != words[at][n].lower()]) + words[at][n + 1 :]
    )
    return words


def codes(rng: random.Random, count: int) -> Iterator[Case]:
    """Telephone numbers, cards, book and account numbers, and addresses."""
    for _ in range(count):
        kind = rng.choice(("phone", "card", "isbn", "iban", "url", "email", "username"))
        put, others, lie = _CODES[kind](rng)
        shown = rng.choice(others)
        if rng.random() < 0.4:
            yield Case(f"{kind} altered", put, lie, frozenset((None,)), True)
        else:
            yield Case(kind, put, shown, SAME if shown.strip() == put else TRANSFORMED, False)


def _digits(rng: random.Random, count: int) -> str:
    return str(rng.randrange(1, 10)) + "".join(rng.choice("0123456789") for _ in range(count - 1))


def _other_digits(rng: random.Random, text: str) -> str:
    places = [at for at, char in enumerate(text) if char.isdigit()]
    at = rng.choice(places[-6:])
    return text[:at] + rng.choice([char for char in "0123456789" if char != text[at]]) + text[at + 1 :]


def _grouped(text: str, size: int, sep: str) -> str:
    return sep.join(text[at : at + size] for at in range(0, len(text), size))


def _phone(rng: random.Random) -> tuple[str, list[str], str]:
    land, area, line = rng.choice(("49", "44", "1", "351", "33")), _digits(rng, 3), _digits(rng, 7)
    put = rng.choice((f"+{land} {area} {line}", f"+{land}{area}{line}", f"0{area} {line}", f"0{area}-{line}"))
    home = put.startswith("0")
    others = [f"0{area}/{line}", f"0{area} {line[:3]} {line[3:]}", f"(0{area}) {line[:3]}-{line[3:]}"] if home else [
        f"+{land} {area} {line[:3]} {line[3:]}", f"00{land}{area}{line}"[2:], f"+{land} ({area}) {line[:3]}-{line[3:]}",
        f"0{area} {line}", f"+{land}.{area}.{line}",
    ]  # fmt: skip
    return put, others, _other_digits(rng, rng.choice(others))


def _card(rng: random.Random) -> tuple[str, list[str], str]:
    put = _digits(rng, 16)
    others = [put, _grouped(put, 4, " "), _grouped(put, 4, "-"), _grouped(put, 4, "\u00a0")]
    return put, others, rng.choice((_other_digits(rng, rng.choice(others)), put[:-1]))


def _isbn(rng: random.Random) -> tuple[str, list[str], str]:
    put = f"978-{rng.randrange(1, 9)}-{_digits(rng, 3)}-{_digits(rng, 5)}-{rng.randrange(10)}"
    others = [put, put.replace("-", ""), put.replace("-", " "), put.replace("-", "\u2011")]
    return put, others, _other_digits(rng, rng.choice(others))


def _iban(rng: random.Random) -> tuple[str, list[str], str]:
    put = "DE" + _digits(rng, 20)
    others = [put, _grouped(put, 4, " "), _grouped(put, 4, "\u202f")]
    return put, others, _other_digits(rng, rng.choice(others))


def _url(rng: random.Random) -> tuple[str, list[str], str]:
    host, path = f"{rng.choice(('shop', 'www', 'my-blog'))}.example{_digits(rng, 3)}.org", f"a-path/{_digits(rng, 4)}"
    put = rng.choice((f"https://{host}/{path}", f"http://{host}/{path}/", f"{host}/{path}"))
    bare = host.removeprefix("www.") + "/" + path
    others = [put, bare, f"https://{bare}", f"{bare}/", f"HTTPS://{host.upper()}/{path}"]
    lie = rng.choice(
        (_other_digits(rng, bare), bare.replace("a-path", "a/path"), bare + "/more", bare.replace(".org", ".com"))
    )
    return put, [other for other in others], lie


def _email(rng: random.Random) -> tuple[str, list[str], str]:
    put = f"{rng.choice(('Emma', 'john', 'a.b'))}{rng.choice('._-+')}x{_digits(rng, 2)}@mail.example.org"
    return put, [put, put.upper(), f" {put}\n", f"<{put}>"], rng.choice((
        _other_digits(rng, put), put.replace("@", "@x"), put[1:], put.replace("x", "_x", 1), put + ".uk",
    ))  # fmt: skip


def _username(rng: random.Random) -> tuple[str, list[str], str]:
    put = f"david{rng.choice(('', '_', '.'))}{_digits(rng, 2)}fv"
    return (
        put,
        [put, put.upper(), f"“{put}”"],
        rng.choice((put + "2", _other_digits(rng, put), put[:-1], put.replace("david", "da_vid"))),
    )


_CODES = {
    "phone": _phone,
    "card": _card,
    "isbn": _isbn,
    "iban": _iban,
    "url": _url,
    "email": _email,
    "username": _username,
}
