"""How an agent says which element it means. Not responsible for: evidence, or finding the element."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal


@dataclass(frozen=True, slots=True)
class Find:
    """A description of one element, as an agent gives it.

    Attributes:
        how: ``css`` a selector; ``text`` the visible text or accessible name of something one can act on;
            ``role`` an ARIA role with :attr:`name`; ``label`` a field's label; ``ref`` a reference that a
            reading of this very page gave out; ``focused`` the element that has the focus; ``point`` what reacts at
            a point of the viewport, ``x,y`` in CSS pixels.
        value: the selector, text, role, label, reference or point; may be a template.
        name: the accessible name, for ``role``.
    """

    how: Literal["css", "text", "role", "label", "ref", "focused", "point"]
    value: str = ""
    name: str = ""

    def __str__(self) -> str:
        """Say what is sought, in words."""
        return f"{self.value} {self.name!r}" if self.how == "role" else f"{self.how} {self.value!r}"
