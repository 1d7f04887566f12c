"""What a user put in, prepared once, and judged against many texts. Not responsible for: where a text stands."""

from __future__ import annotations

import re
from functools import cached_property, lru_cache

from simulator.meaning.folding import alnum, tidy, typed, unspaced, weight
from simulator.meaning.kinds import Code, Kind, Likeness, Moment, Number, code_put, moment_put, number_kind
from simulator.meaning.text import Text
from simulator.meaning.wording import Address, Words, address_put

_STATES = frozenset(("on", "off", "true", "false", "yes", "no", "checked", "unchecked"))
"""What a box sends that is ticked or not: a state, not a text."""
_TELLING_DIGITS = 5
_TELLING_LETTERS = 12
_TELLING_PAIR = 16
"""Letters of two words that are hardly a person's name or a country's."""
_TELLING_WORD = 14
_TELLING_NAME = 6
"""Letters and digits of one word that has both, as usernames have."""
_EMAIL = re.compile(r"[^@\s]+@[^@\s]+\.[^@\s]+")
_COUNTRIES = frozenset(
    (
        "united states of america", "united arab emirates", "bosnia and herzegovina", "trinidad and tobago",
        "papua new guinea", "antigua and barbuda", "saint kitts and nevis", "sao tome and principe",
        "isle of man", "british virgin islands", "central african republic", "republic of ireland",
        "saint vincent and the grenadines", "democratic republic of the congo", "turks and caicos islands",
    )
)  # fmt: skip
"""Names of three words and more that stand in the list of countries of many a page."""


class Value:
    """A text that a user put in.

    Args:
        put: as it was typed or chosen.
    """

    def __init__(self, put: str) -> None:
        self.put = put
        self._tidy = tidy(put)
        self._typed = typed(self._tidy)
        self._is_state = self._typed in _STATES
        self._words = Words(put)
        self._kinds = tuple(self._kinds_of())

    @staticmethod
    def of(put: str) -> Value:
        """Prepare a value; the last thousand are kept."""
        return _value(put)

    def _kinds_of(self) -> list[Kind]:
        found: list[Kind] = []
        if self._is_state or not self._tidy:
            return [self._words]
        moment = moment_put(self._typed, self._tidy)
        code = code_put(self._typed)
        number = None if moment or (code and self._typed.startswith("+")) else number_kind(self._typed)
        address = None if moment or number else address_put(self._tidy)
        found.extend(kind for kind in (moment, number, code, address) if kind)
        return found or [self._words]

    def likeness(self, text: Text) -> Likeness | None:
        """Judge whether a text as a whole stands for the value."""
        if not self._tidy or not text.tidy:
            return None
        if text.tidy == self._tidy:
            return "same"
        return next(filter(None, (kind.likeness(text) for kind in self._kinds)), None)

    def find_in(self, text: Text) -> Likeness | None:
        """Seek the value in a longer text, where words begin and end."""
        for kind in self._kinds:
            if found := kind.find_in(text):
                return found
        return None

    def contradicts(self, text: Text) -> bool:
        """Return whether a text, the whole content of a place that is bound to the value's field, says something else.

        Nothing, only punctuation, a relative date, a value that is masked, or the words for an option's value are
        absence. A state or an empty value is contradicted by no text.
        """
        if self._is_state or not self._tidy or not (text.words or text.figures):
            return False
        if self.likeness(text) or self.find_in(text):
            return False
        if text.masks(alnum(self._typed)):
            return False
        return self._kinds[0].contradicts(text)

    def is_another(self, text: str) -> bool:
        """Return whether a text is a number as this one is, or a date as this one is, and surely not the same.

        A page may clamp a number, or put today's date in place of one that it cannot read. What it writes in its own
        way, such as words for an option, says nothing.
        """
        other = Value.of(text)
        kinds = self._kinds[0], other._kinds[0]
        alike = all(isinstance(one, Moment) for one in kinds) or all(isinstance(one, Number) for one in kinds)
        return alike and self.contradicts(Text(text)) and other.contradicts(Text(self.put))

    @property
    def is_date(self) -> bool:
        """Whether it is a date, or a time."""
        return isinstance(self._kinds[0], Moment)

    @property
    def is_moment(self) -> bool:
        """Whether it is a date with a time of day."""
        return any(isinstance(kind, Moment) and kind.is_exact for kind in self._kinds)

    @cached_property
    def is_telling(self) -> bool:
        """Whether it is distinctive enough to count anywhere on a page, not only in a place bound to its field."""
        if self._is_state or not self._tidy:
            return False
        kind = self._kinds[0]
        if isinstance(kind, Moment):
            return kind.is_exact
        if any(isinstance(one, Code) for one in self._kinds):
            return len(set(alnum(self._typed))) > 2
        if isinstance(kind, Number):
            return len(re.sub(r"\D", "", self._typed).strip("0")) >= _TELLING_DIGITS
        if isinstance(kind, Address) or _EMAIL.fullmatch(self._tidy):
            return True
        return self._is_telling_wording()

    def _is_telling_wording(self) -> bool:
        forms = self._words.forms
        if not forms or forms[-1] in _COUNTRIES:
            return False
        form, letters = forms[-1], weight(forms[-1])
        parts = form.split()
        if not form.isascii() and any(map(unspaced, form)):
            return letters >= _TELLING_LETTERS
        if len(parts) == 1:
            mixed = any(map(str.isdecimal, form)) and any(map(str.isalpha, form))
            return letters >= (_TELLING_NAME if mixed else _TELLING_WORD)
        return letters >= (_TELLING_PAIR if len(parts) == 2 else _TELLING_LETTERS)


@lru_cache(maxsize=1024)
def _value(put: str) -> Value:
    return Value(put)
