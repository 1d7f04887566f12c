"""The only way by which anything enters the source of an exported test: as a literal, or as a checked identifier.

Not responsible for: what a test does. What a recording holds is a stranger's; here it can become data, never code.
"""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping

_IDENTIFIER = re.compile(r"[A-Za-z_][A-Za-z0-9_]{0,99}")
_ESCAPED = {"\\": "\\\\", '"': '\\"', "\n": "\\n", "\r": "\\r", "\t": "\\t"}
_LARGEST = 10**15

Literal = str | int | float | bool | None | list["Literal"] | tuple["Literal", ...] | Mapping[str, "Literal"]


class Code:
    """Source that was written here. A text of elsewhere cannot be one by accident: it is no :class:`str`."""

    __slots__ = ("text",)

    def __init__(self, text: str) -> None:
        self.text = text

    def __str__(self) -> str:
        return self.text

    def call(self, method: str, *given: Literal | Code, **named: Literal | Code) -> Code:
        """Write a call of one of its methods.

        Args:
            method: an identifier.
            given: source, or values, which become literals.
            named: the same by keyword.
        """
        words = [str(code(one)) for one in given]
        words += [f"{identifier(name)}={code(one)}" for name, one in named.items()]
        return Code(f"{self}.{identifier(method)}({', '.join(words)})")

    def at(self, name: str) -> Code:
        """Write one of its attributes."""
        return Code(f"{self}.{identifier(name)}")


def name(word: str) -> Code:
    """Write a name.

    Raises:
        ValueError: it is no identifier of ASCII letters, or a word of the language.
    """
    return Code(identifier(word))


def called(function: str, *given: Literal | Code, **named: Literal | Code) -> Code:
    """Write a call of a function by its name."""
    words = [str(code(one)) for one in given]
    words += [f"{identifier(key)}={code(one)}" for key, one in named.items()]
    return Code(f"{identifier(function)}({', '.join(words)})")


def identifier(word: str) -> str:
    """Give a word that may stand as a name.

    Raises:
        ValueError: it is no identifier of ASCII letters, or a word of the language.
    """
    if not _IDENTIFIER.fullmatch(word) or keyword.iskeyword(word):
        raise ValueError(f"{word[:80]!r} is no name in Python")
    return word


def word_of(text: str, otherwise: str) -> str:
    """Make a word that a name can be made with of any text: lower-case ASCII letters, digits and ``_``."""
    word = re.sub(r"[^A-Za-z0-9]+", "_", text).strip("_").lower()[:60].strip("_")
    return word or otherwise


def code(value: Literal | Code) -> Code:
    """Write a value as a literal; source stays as it is.

    Raises:
        ValueError: it is not one that Python's source can hold, or a number out of all bounds.
    """
    match value:
        case Code():
            return value
        case None | bool():
            return Code(repr(value))
        case str():
            return Code(f'"{"".join(map(_character, value))}"')
        case int() | float():
            return Code(repr(_number(value)))
        case Mapping():
            return Code("{" + ", ".join(f"{code(str(key))}: {code(one)}" for key, one in value.items()) + "}")
        case list() | tuple():
            return Code(f"[{', '.join(str(code(one)) for one in value)}]")
        case _:
            raise ValueError(f"{type(value).__name__} is nothing that a test can hold")


def docstring(text: str) -> str:
    """Write a text as the docstring of a module or a function, in one line."""
    return f'""{code(" ".join(text.split()))}""'


def added(*parts: Code | str) -> Code:
    """Write the sum of texts."""
    return Code(" + ".join(str(code(part)) for part in parts))


def pattern(expression: str) -> Code:
    """Write a regular expression."""
    return Code(f"re.compile({code(expression)})")


def lines(texts: Iterable[str], indent: int = 0) -> str:
    """Put lines of source below one another."""
    return "\n".join(f"{' ' * indent}{text}" if text else "" for text in texts)


def _character(one: str) -> str:
    if one in _ESCAPED:
        return _ESCAPED[one]
    if one.isprintable():
        return one
    number = ord(one)
    return f"\\x{number:02x}" if number < 0x100 else f"\\u{number:04x}" if number < 0x10000 else f"\\U{number:08x}"


def _number(value: float) -> float:
    if not -_LARGEST <= value <= _LARGEST:
        raise ValueError("a number is out of all bounds")
    return int(value) if value == int(value) else value
