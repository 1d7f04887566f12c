"""What the browser needs of whoever keeps a run's secrets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Protocol


class SecretKeeper(Protocol):
    """What an actor needs of a vault."""

    def mask(self, text: str) -> str:
        """Put placeholders in place of secrets."""
        ...

    def adopt(self, literal: str) -> str:
        """Take over a literal that is typed into a secret field.

        Returns:
            The name under which it is known from now on.
        """
        ...

    def see(self, values: Iterable[str]) -> bool:
        """Take in what stands in secret fields, and may still be typed.

        Returns:
            Whether any was not known.
        """
        ...

    def settle(self) -> None:
        """Note that nothing is being typed any more."""
        ...

    def learn(self, name: str, value: str) -> None:
        """Take in a key that the site has given to the browser."""
        ...

    def disclose(self, text: str) -> None:
        """Note a text that was put in openly."""
        ...

    def values(self) -> Mapping[str, str]:
        """Give the known secrets by name."""
        ...
