"""Deals the rows of data sets to users by seed. Not responsible for: what a pack deals itself."""

from __future__ import annotations

import math
import re
from base64 import b32decode, b32encode
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from typing import Any, NamedTuple, Self

from pydantic import BaseModel

from simulator.domain import DataSet, data_sets
from simulator.domain.data.drawing import picture_name
from simulator.domain.data.faking import fake
from simulator.domain.data.making import NUMBER, Fake, Made, Of
from simulator.domain.data.rows import FILES, as_kind
from simulator.errors import ConfigError
from simulator.persona.draws import Draw
from simulator.persona.locales import names_locale
from simulator.persona.model import Persona
from simulator.persona.patterns import text_of
from simulator.template import one_of

Dealt = tuple[Mapping[str, Any] | str, ...]
Key = tuple[str, str, int]
"""Of the draws of a user: seed, persona, number."""
_Row = tuple[str, ...]
"""By what a row of a data set is known: its values, or its text."""
_FAKED = re.compile(r"faker\.([a-z][a-z0-9_]*)\.([1-9][0-9]{0,3})")
_BETWEEN = re.compile(r"between_(\d+)_(\d+)")
_LIKE = "like_"
_TRIES = 200
"""How often the fields of a row are made until its rules hold."""


class DealtBefore(BaseModel, frozen=True):
    """A user whose rows a site may hold already: who was recorded, or who proved a recording."""

    seed: str
    persona: str
    number: int
    """Which person of the persona."""
    dealt: Mapping[str, Sequence[Mapping[str, Any] | str]]
    """The user's rows and texts, by the keys of the data sets."""
    username: str = ""
    """What the user is called on the site; empty where a recording of before does not say."""


class _Had(NamedTuple):
    """What users before had of a data set."""

    rows: tuple[frozenset[_Row], ...] = ()
    """Their rows: of all who were drawn from one seed, then from the next."""
    fields: tuple[str, ...] = ()
    """By which fields a row is known."""
    numbers: int = 0
    """How many numbers of rows they may have taken."""


class Beside(NamedTuple):
    """A persona whose users act on the same site: they are dealt other rows of what is dealt to both."""

    persona: str
    locale: str
    own: frozenset[str]
    """The data sets of which it brings rows of its own."""

    @classmethod
    def of(cls, said: Mapping[str, Any]) -> Self:
        """Know a persona by what its file says."""
        data: Mapping[str, Any] = said.get("data") or {}
        own = frozenset(name for name, rows in data.items() if not isinstance(rows, int))
        return cls(said["persona"], said["locale"], own)


class _Share(NamedTuple):
    """Which rows of a data set come first for a persona: every third one of three personas."""

    names: tuple[str, ...]
    place: int

    @property
    def drawn_by(self) -> str:
        """What the order of the rows is drawn from: it is one for all of them."""
        return "+".join(self.names)

    def first(self, rows: Dealt) -> Dealt:
        """Give some rows in the order of the persona: the first of the others' last."""
        size = len(self.names)
        others = [row for at, row in enumerate(rows) if at % size != self.place]
        return (*rows[self.place :: size], *reversed(others))


def sets_of(persona: Persona) -> dict[str, DataSet]:
    """Give the data sets that users of a persona are dealt rows of, by the key under which these are stored.

    Args:
        persona: it may say how many rows of a set its users have, and bring rows of its own.

    Raises:
        ConfigError: a data set cannot be used, or is none of this project's.
    """
    sets = data_sets()
    for name, said in persona.data.items():
        if isinstance(said, int):
            if name not in sets:
                raise ConfigError(f"'{persona.persona}' has data of '{name}', which is no data set of this project")
            sets[name] = replace(sets[name], count=said)
        else:
            rows = tuple(said)
            sets[name] = DataSet(name=one_of(name), several=name, rows=rows, count=len(rows), unique=False)
    return sets


def between(low: int, high: int) -> str:
    """Give the provider of a whole number between two, both of them included, for :func:`draw_faked`."""
    return f"between_{low}_{high}"


def like(pattern: str) -> str:
    """Give the provider of a text that fits a pattern as the attribute ``pattern`` of HTML has it.

    It is written in base 32, as the names of variables have small letters and digits alone.
    """
    return _LIKE + b32encode(pattern.encode()).decode().rstrip("=").lower()


def draw_faked(locale: str, key: Key, name: str) -> str:
    """Draw the value of a variable such as ``faker.company.1``, in the language of a user.

    Args:
        locale: of the user.
        key: of the user's draws.
        name: of the variable: the provider, and which one of these it is. A provider is one of Faker's, or ``between``
            or ``like`` gave its name.

    Raises:
        ValueError: it is not one.
    """
    found = _FAKED.fullmatch(name)
    if found is None:
        raise ValueError("expected a provider and a number, such as faker.company.1")
    provider, draw = found[1], Draw(*key, name)
    if limits := _BETWEEN.fullmatch(provider):
        low, high = int(limits[1]), int(limits[2])
        return str(low + draw.below(max(1, high - low + 1)))
    if provider.startswith(_LIKE):
        coded = provider.removeprefix(_LIKE).upper()
        text = text_of(b32decode(coded + "=" * (-len(coded) % 8)).decode(), draw)
        if text is None:
            raise ValueError("expected a pattern of which a text can be written")
        return text
    return str(fake(names_locale(locale), provider, seed=draw.integer()))


def dealt_rows(
    data: DataSet, persona: Persona, key: Key, before: Sequence[DealtBefore] = (), beside: Sequence[Beside] = ()
) -> Dealt:
    """Give what a user is dealt of a data set. A hand never holds a row twice.

    Unless the data set says otherwise, the rows are shuffled once for a persona, and user n takes the n-th hand of
    them: users of one persona share none until all are dealt; then they are shuffled again. What users before had comes
    last.

    Args:
        data: the data set.
        persona: the user's.
        key: of the user's draws.
        before: users whose rows the site may hold already.
        beside: the personas of the others who act with the user: who shares a data set with them begins elsewhere.

    Raises:
        ConfigError: it has no rows for the user.
    """
    if data.deal is not None:
        return tuple(data.deal(persona, key))
    share = _share_of(data, persona, beside)
    had = _had(data, key[0], share, before)
    if not data.rows:
        made = (_finished(data, {}, persona, key, place, (had, share)) for place in range(data.count))
        return tuple(made) if data.made else ()
    hand, round_ = _hand(data, persona.locale, key, had, share)
    if not data.made and not round_:
        return hand
    finished = (_finished(data, row, persona, key, place, (had, share)) for place, row in enumerate(hand))
    return tuple(_varied(data, row, round_) for row in finished)


def _share_of(data: DataSet, persona: Persona, beside: Sequence[Beside]) -> _Share:
    """Give what of a data set comes first for a persona."""
    others = {
        one.persona for one in beside if data.key not in one.own and (not data.language or one.locale == persona.locale)
    }
    names = tuple(sorted({persona.persona, *others}))
    return _Share(names, names.index(persona.persona))


def _had(data: DataSet, seed: str, share: _Share, before: Sequence[DealtBefore]) -> _Had:
    """Give what users before had of a data set, by the fields that rows have of themselves.

    Who was drawn from the same seed had another hand of the same order.
    """
    theirs = [(one, one.dealt.get(data.key, ())) for one in before if one.seed != seed]
    mappings = [row for _, rows in theirs for row in rows if not isinstance(row, str)]
    own = data.rows[0] if data.rows and not isinstance(data.rows[0], str) else {}
    fields = tuple(name for name in own if all(name in row for row in mappings))
    found: dict[str, set[_Row]] = {}
    numbers: dict[str, int] = {}
    for one, rows in theirs:
        found.setdefault(one.seed, set()).update(_known_by(row, fields) for row in rows)
        if one.persona in share.names:
            numbers[one.seed] = max(numbers.get(one.seed, 0), one.number * max(data.count, len(rows)))
    return _Had(tuple(map(frozenset, found.values())), fields, sum(numbers.values()) * len(share.names))


def _known_by(row: Mapping[str, Any] | str, fields: Sequence[str]) -> _Row:
    return (row,) if isinstance(row, str) else tuple(str(row[name]) for name in fields)


def _hand(data: DataSet, locale: str, key: Key, had: _Had, share: _Share) -> tuple[Dealt, int]:
    """Give the rows of a user, and how often all had been dealt before."""
    rows = rows_in(data, locale)
    size = min(data.count, len(rows))
    seed, name, number = key
    if data.weight:
        return _weighed(data, rows, key)[:size], 0
    if not data.unique:
        return tuple(Draw(*key, "rows", data.name).shuffled(rows)[:size]), 0
    round_, hand = divmod(number - 1, len(rows) // size)
    if round_ and data.short == "stop":
        raise ConfigError(
            f"the data set '{data.key}' has {len(rows)} rows, which is {size} each for {len(rows) // size} users of "
            f'\'{name}\', and there are more; add rows, or set short = "cycle" or "vary" in [data.{data.key}]'
        )
    order = _shuffled(data, locale if data.language else "", seed, share, round_, had)
    return order[hand * size : (hand + 1) * size], round_


@lru_cache(maxsize=64)
def rows_in(data: DataSet, locale: str) -> Dealt:
    """Give the rows that are for users of a locale: those in its language, and those that name none.

    Raises:
        ConfigError: there are none.
    """
    if not data.language:
        return tuple(data.rows)
    fitting = {"", locale.lower(), locale[:2].lower()}
    rows = tuple(
        row
        for row in data.rows
        if not isinstance(row, str) and str(row[data.language] or "").replace("-", "_").lower() in fitting
    )
    if not rows:
        raise ConfigError(
            f"the data set '{data.key}' has no row for users of '{locale}'; add some with '{locale[:2]}' as "
            f"{data.language}, or leave that empty in rows that are for everybody"
        )
    return rows


@lru_cache(maxsize=64)
def _shuffled(data: DataSet, locale: str, seed: str, share: _Share, round_: int, had: _Had) -> Dealt:
    """Give the order of a round. What users before had changes places with the last rows.

    So those whose hand holds nothing of it are dealt the same rows as without it: also once a recording is proven,
    while a part of its fresh users is on the site already.
    """
    order = Draw(seed, share.drawn_by, "rows", data.name, round_).shuffled(rows_in(data, locale))
    end = len(order)
    for rows in had.rows:
        taken = [_known_by(_varied(data, row, round_), had.fields) in rows for row in order[:end]]
        first = end - sum(taken)
        others = [place for place in range(end - 1, first - 1, -1) if not taken[place]]
        for place, other in zip((place for place in range(first) if taken[place]), others, strict=True):
            order[place], order[other] = order[other], order[place]
        end = first
    return (*share.first(tuple(order[:end])), *share.first(tuple(order[end:])))


def _weighed(data: DataSet, rows: Dealt, key: Key) -> Dealt:
    """Give rows in a drawn order in which one of twice the weight comes first twice as often."""
    draw = Draw(*key, "rows", data.name)

    def rank(row: Mapping[str, Any] | str) -> float:
        weight = float(row[data.weight] or 0) if not isinstance(row, str) else 1.0
        drawn = math.log(1.0 - draw.chance() or 5e-324)
        return drawn / weight if weight > 0 else -math.inf

    return tuple(sorted(rows, key=rank, reverse=True))


def _varied(data: DataSet, row: Mapping[str, Any] | str, round_: int) -> Mapping[str, Any] | str:
    """Write a number behind the first text of a row that is dealt once more."""
    if not round_ or data.short != "vary":
        return row
    if isinstance(row, str):
        return f"{row} ({round_ + 1})"
    first = next(
        (name for name, value in row.items() if isinstance(value, str) and data.kinds.get(name) not in FILES), ""
    )
    return {name: f"{value} ({round_ + 1})" if name == first else value for name, value in row.items()}


def _finished(
    data: DataSet, row: Mapping[str, Any] | str, persona: Persona, key: Key, place: int, known_by: tuple[_Had, _Share]
) -> Mapping[str, Any] | str:
    """Make the fields of a row that are made, again until its rules hold."""
    if isinstance(row, str) or not data.made:
        return row
    had, share = known_by
    number = ((key[2] - 1) * data.count + place) * len(share.names) + share.place + 1
    for attempt in range(_TRIES):
        whole = dict(row)
        known = {NUMBER: had.numbers + number}
        for name, made in data.made.items():
            draws = (*key, "made", data.name, place, attempt, name)
            value = _Making(persona.locale, draws).value(made, known | whole)
            if data.kinds.get(name) == "picture":
                value = picture_name(str(value), "|".join(map(str, draws)))
            try:
                whole[name] = as_kind(value, data.kinds.get(name, "number" if not isinstance(value, str) else "text"))
            except ValueError as error:
                raise ConfigError(f"data.{data.key}.make.{name}: {error}") from None
        if all(rule.holds(whole) for rule in data.rules):
            return whole
    rules = " and ".join(map(str, data.rules))
    raise ConfigError(f"the data set '{data.key}' made no row in {_TRIES} tries of which {rules} holds")


class _Making:
    """Puts the text of a field together.

    Args:
        locale: of the user.
        key: of the draws of the field.
    """

    def __init__(self, locale: str, key: Sequence[str | int]) -> None:
        self._locale = locale
        self._key = key
        self._drawn = 0

    def value(self, made: Made, known: Mapping[str, Any]) -> str | int | float:
        """Give the value of a field; it is a number where nothing but a number is put in."""
        if len(made.pieces) == 1 and isinstance(made.pieces[0], Fake | Of):
            value = self._piece(made.pieces[0], known)
            return value if isinstance(value, int | float) and not isinstance(value, bool) else str(value)
        return "".join(self._texts(made, known))

    def _texts(self, made: Made, known: Mapping[str, Any]) -> Iterator[str]:
        for piece in made.pieces:
            if isinstance(piece, str):
                yield piece
            elif isinstance(piece, Fake | Of):
                yield str(self._piece(piece, known))
            else:
                yield from self._texts(Draw(*self._next()).choice(piece.ways), known)

    def _piece(self, piece: Fake | Of, known: Mapping[str, Any]) -> Any:
        if isinstance(piece, Of):
            return "" if known[piece.name] is None else known[piece.name]
        seed = Draw(*self._next()).integer()
        return fake(names_locale(self._locale), piece.provider, piece.args, dict(piece.kwargs), seed=seed)

    def _next(self) -> Sequence[str | int]:
        self._drawn += 1
        return (*self._key, self._drawn)
