"""The documents that a user looks at: that of the page, and those of the frames in it.

Not responsible for: which frames may be looked at (``frames``), or what a document shows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from playwright.async_api import Frame, Page

from simulator.browser.effects.act import Act
from simulator.browser.effects.user_input import UserInput

Where = Page | Frame
"""A page, or a frame in one: each shows a document of its own."""


@dataclass(frozen=True, slots=True)
class Sight:
    """A document that a user looks at."""

    where: Where
    document: str
    """Names it."""
    new: bool
    """Whether it has come since the last action."""
    met: Mapping[str, Any] | None = None
    """What it has said to whoever waited until it had come to rest, as ``readMet`` gives it."""
    asked: Sequence[UserInput] = ()
    """The inputs that it was asked for then."""
    asked_acts: Sequence[Act] = ()
    """The same of what was pressed."""


@dataclass(frozen=True, slots=True)
class Scene:
    """All that a user looks at, at one time."""

    page: Page
    document: str
    """Names the document of the page."""
    frames: Mapping[Frame, str]
    """The frames in it, and what names the document of each."""

    @property
    def documents(self) -> frozenset[str]:
        """What names each of the documents."""
        return frozenset((self.document, *self.frames.values()))

    def shown_in(self, frame: Frame | None) -> tuple[str, str]:
        """Give the document that a frame shows, and its address; those of the page where it shows no frame like that.

        Args:
            frame: the frame; None for the page itself.
        """
        if frame is not None and frame in self.frames:
            return self.frames[frame], frame.url
        return self.document, self.page.url
