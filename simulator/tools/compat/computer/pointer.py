"""Where each user's mouse is, as a model that points at pictures takes it to be. Not responsible for: moving it.

A button that is held and let go elsewhere is a drag, and one that is let go where it was pressed is a click: only then
is it known what was done to which element, so only then is it done.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from simulator.errors import ToolError
from simulator.tools.compat.computer.mouse import Mouse, Place
from simulator.tools.compat.computer.screen import Screen
from simulator.tools.context import RunContext


@dataclass(frozen=True, slots=True)
class Pointer:
    """The mouse of the user who acts, on the screen as it is now."""

    mouse: Mouse
    screen: Screen

    @classmethod
    def of(cls, ctx: RunContext) -> Pointer:
        """Give the pointer of the current actor.

        Raises:
            ToolError: the page has no fixed size.
        """
        size = ctx.actor.page.viewport_size
        if size is None:
            raise ToolError("unavailable", "the page has no size of its own, so no point of it can be given")
        mouse = ctx.mice.setdefault(ctx.actor.name, Mouse())
        return cls(mouse, Screen.of(size["width"], size["height"]))

    @property
    def held(self) -> bool:
        """Whether its button is held."""
        return self.mouse.pressed_at is not None

    def seen(self) -> tuple[int, int]:
        """Give where it is, in pixels of the picture; the left upper corner before it was moved."""
        return self.screen.to_seen(*(self.mouse.place or (0.0, 0.0)))

    def to(self, coordinate: Sequence[int] | None) -> Place:
        """Move it to a pixel of the picture, or leave it where it is.

        Returns:
            Where it is then, in CSS pixels of the viewport.

        Raises:
            ToolError: the pixel is outside of the picture, or there is none and it has not been anywhere.
        """
        if coordinate is not None:
            x, y = coordinate
            if not self.screen.holds(x, y):
                size = self.screen.seen
                raise ToolError(
                    "invalid_input",
                    f"coordinate: [{x}, {y}] is outside of the picture, which is {size.width} by {size.height} pixels",
                )
            self.mouse.place = self.screen.to_page(x, y)
        if self.mouse.place is None:
            raise ToolError("invalid_input", "coordinate: is required, as the mouse has not been moved yet")
        return self.mouse.place

    def hold(self) -> None:
        """Press its button where it is."""
        self.mouse.pressed_at = self.to(None)

    def let_go(self) -> tuple[Place, Place]:
        """Let its button go.

        Returns:
            Where it was pressed, and where it is.

        Raises:
            ToolError: it was not held.
        """
        start, self.mouse.pressed_at = self.mouse.pressed_at, None
        if start is None:
            raise ToolError("invalid_input", "left_mouse_up: the button is not held; left_mouse_down comes first")
        return start, self.to(None)
