"""How often users do what was recorded for the rows of a data set, as a range. Not responsible for: doing it."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Annotated

from pydantic import AfterValidator

from simulator.errors import UsageError
from simulator.persona.draws import Draw

_RANGE = re.compile(r"(\d{1,4})\.\.(\d{1,4})", re.ASCII)


@dataclass(frozen=True, slots=True)
class Numbers:
    """How many segments a user performs: more seldom the more they are."""

    least: int
    most: int

    @classmethod
    def parse(cls, name: str, text: str) -> Numbers:
        """Read a range, such as ``0..10``.

        Raises:
            UsageError: it is not one.
        """
        match = _RANGE.fullmatch(text)
        if not match or int(match[1]) > int(match[2]):
            raise UsageError(f"{name}: expected a range of whole numbers, such as 0..10, found '{text}'")
        return cls(int(match[1]), int(match[2]))

    def draw(self, *key: str | int) -> int:
        """Draw a number; each is less likely than the one before, in the proportion of their places.

        Args:
            key: of the draw.
        """
        weights = [1 / place for place in range(1, self.most - self.least + 2)]
        left = Draw(*key).chance() * sum(weights)
        for number, weight in enumerate(weights, start=self.least):
            left -= weight
            if left < 0:
                return number
        return self.most

    def __str__(self) -> str:
        return f"{self.least}..{self.most}"


def _range(text: str) -> str:
    try:
        Numbers.parse("", text)
    except UsageError as error:
        raise ValueError(str(error).removeprefix(": ")) from None
    return text


Range = Annotated[str, AfterValidator(_range)]
"""Such a range as a file says it: ``0..10``."""


def parse_numbers(texts: Iterable[str], called: str) -> dict[str, Numbers]:
    """Read how many things users make, such as ``tickets=0..10``.

    Args:
        texts: of the option.
        called: the option.

    Raises:
        UsageError: it is not one, or names a data set twice.
    """
    found: dict[str, Numbers] = {}
    for part in (part.strip() for text in texts for part in text.split(",")):
        name, sign, numbers = part.partition("=")
        if not name or not sign or name in found:
            raise UsageError(f"{called}: expected each data set once with a range, such as tickets=0..10: '{part}'")
        found[name] = Numbers.parse(f"{called} {name}", numbers)
    return found


def parse_range(said: Mapping[str, str]) -> dict[str, Numbers]:
    """Read how many things users make, by data set.

    Raises:
        UsageError: one is no range.
    """
    return {name: Numbers.parse(name, text) for name, text in said.items()}
