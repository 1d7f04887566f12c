"""Whether a replay would find again what is acted on, asked in the moment in which it is: the words of it.

Not responsible for: the rule by which a replay knows an element (it is handed in), or telling anybody.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final, Protocol

from simulator.browser.evidence import Target

PROVES: Final = "query => window.__sim ? __sim.proves(query) : null"
"""Asks a page whether a query admits what the guard is armed with, and nothing else; None where it does."""


@dataclass(frozen=True, slots=True)
class Doubt:
    """Something that was acted on, and that a replay could not find again."""

    target: str
    """What it is, and what it is called: a template."""
    why: str
    instead: str
    """What an agent can do instead."""

    @property
    def sentence(self) -> str:
        """Say it."""
        return f"a replay could not find {self.target} again: {self.why}. {self.instead}"


class EvidenceRule(Protocol):
    """The rule by which a replay knows an element again."""

    def asked(
        self, target: Target, render: Callable[[str], str], *, enters: bool, sets: bool
    ) -> Mapping[str, Any] | Doubt | None:
        """Give the query that a page is asked.

        Args:
            target: the evidence of the element, a template.
            render: puts values into a template.
            enters: whether it is to send the form of a field, as Enter does.
            sets: whether pressing it sets a field of its form.

        Returns:
            The query; why no page could answer it; or None where that cannot be told in this moment.
        """
        ...

    def doubted(self, target: Target, query: Mapping[str, Any], seen: Mapping[str, Any]) -> Doubt:
        """Say why a page does not admit the element alone.

        Args:
            target: the evidence of the element.
            query: of :meth:`asked`.
            seen: what the page answered.
        """
        ...
