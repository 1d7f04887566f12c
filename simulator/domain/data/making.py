"""Fields that are made for each row, such as ``{{faker.company}}`` or ``{{title}}, {as new|worn}``; and rules of rows.

Not responsible for: drawing (``persona.dealing``).
"""

from __future__ import annotations

import ast
import operator
import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

NUMBER = "n"
"""The name that stands for the number of the row: 1 for the first one of the first user of a persona."""
_PIECES = re.compile(r"\{\{(.*?)\}\}|\{((?:\{\{[^{}]*\}\}|[^{}])*\|(?:\{\{[^{}]*\}\}|[^{}])*)\}", re.DOTALL)
"""A variable, or texts of which one is taken."""
_NAME = re.compile(r"[a-z][a-z0-9_]*")
_BETWEEN = re.compile(r"\|(?![^{]*\}\})")
_RULE = re.compile(r"\s*([a-z][a-z0-9_]*)\s*(<=|>=|==|!=|<|>)\s*([a-z][a-z0-9_]*|-?\d+(?:\.\d+)?)\s*")
_HOLDS: Mapping[str, Callable[[Any, Any], bool]] = {
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
    "==": operator.eq,
    "!=": operator.ne,
}


class Of(NamedTuple):
    """A field of the row, or its number."""

    name: str


class Fake(NamedTuple):
    """What a provider of Faker gives, in the language of the user."""

    provider: str
    args: tuple[Any, ...]
    kwargs: tuple[tuple[str, Any], ...]


class OneOf(NamedTuple):
    """One of several texts."""

    ways: tuple[Made, ...]


class Made(NamedTuple):
    """A text that is put together for each row."""

    pieces: tuple[str | Of | Fake | OneOf, ...]

    @classmethod
    def read(cls, text: str) -> Made:
        """Read one as it is written.

        Raises:
            ValueError: it cannot be read: what was expected.
        """
        return cls(tuple(_pieces(text)))

    def fields(self) -> Iterator[str]:
        """Give the fields of the row that it is made of."""
        for piece in self.pieces:
            if isinstance(piece, Of) and piece.name != NUMBER:
                yield piece.name
            elif isinstance(piece, OneOf):
                for way in piece.ways:
                    yield from way.fields()

    def fakes(self) -> Iterator[Fake]:
        """Give what it takes from Faker."""
        for piece in self.pieces:
            if isinstance(piece, Fake):
                yield piece
            elif isinstance(piece, OneOf):
                for way in piece.ways:
                    yield from way.fakes()


class Rule(NamedTuple):
    """What has to hold of every row: ``sale_price < price``."""

    field: str
    sign: str
    other: str
    """Another field, or a number."""

    @classmethod
    def read(cls, text: str) -> Rule:
        """Read one as it is written.

        Raises:
            ValueError: it cannot be read: what was expected.
        """
        found = _RULE.fullmatch(text)
        if found is None:
            raise ValueError(f"expected a comparison such as 'sale_price < price' or 'price >= 1', found {text!r}")
        return cls(found[1], found[2], found[3])

    def fields(self) -> Iterator[str]:
        """Give the fields that it speaks of."""
        yield self.field
        if _NAME.fullmatch(self.other):
            yield self.other

    def holds(self, row: Mapping[str, Any]) -> bool:
        """Return whether it holds of a row.

        Numbers are compared as numbers, whatever they are written as. It holds of an empty value.
        """
        one, other = row[self.field], row[self.other] if _NAME.fullmatch(self.other) else self.other
        if one in (None, "") or other in (None, ""):
            return True
        numbers = _as_number(one), _as_number(other)
        if None not in numbers:
            return _HOLDS[self.sign](*numbers)
        return _HOLDS[self.sign](str(one), str(other))

    def __str__(self) -> str:
        """As it is written."""
        return f"{self.field} {self.sign} {self.other}"


def _pieces(text: str) -> Iterator[str | Of | Fake | OneOf]:
    end = 0
    for found in _PIECES.finditer(text):
        if before := text[end : found.start()]:
            yield before
        end = found.end()
        if found[1] is not None:
            yield _variable(found[1].strip())
        else:
            yield OneOf(tuple(Made.read(way) for way in _BETWEEN.split(found[2])))
    rest = text[end:]
    if "{{" in rest:
        raise ValueError(f"expected '}}}}' after '{{{{' in {text!r}")
    if rest:
        yield rest


def _variable(said: str) -> Of | Fake:
    if _NAME.fullmatch(said):
        return Of(said)
    try:
        node = ast.parse(said, mode="eval").body
        call = node if isinstance(node, ast.Call) else None
        name = call.func if call else node
        if isinstance(name, ast.Attribute) and isinstance(name.value, ast.Name) and name.value.id == "faker":
            args = [ast.literal_eval(one) for one in call.args] if call else []
            given = [(str(one.arg), ast.literal_eval(one.value)) for one in call.keywords] if call else []
            return Fake(name.attr, tuple(args), tuple(given))
    except (SyntaxError, ValueError):
        pass  # reported below
    raise ValueError(
        f"expected a field of the row, 'n', or a provider such as faker.company or faker.random_int(5, 90), "
        f"found {said!r}"
    )


def _as_number(value: Any) -> float | None:
    try:
        return None if isinstance(value, bool) else float(value)
    except (TypeError, ValueError, OverflowError):
        return None
