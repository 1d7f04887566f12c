"""Finds the one element that a description fits, takes its evidence, and arms the guard with it.

Not responsible for: acting on it (``action_runner``), or what the page's script counts as evidence (``page/``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.browser.acting.sightings import Sightings
from simulator.browser.evidence import NOTHING, Target
from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.launch.script import selector
from simulator.browser.timeouts import Timeouts
from simulator.browser.views.frames import Place
from simulator.browser.views.page_reader import PageReader
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.windows import Windows
from simulator.errors import ToolError

Meant = Literal["", "react", "drag", "field"]
"""What an action means of what a description fits: that itself, what reacts or can be dragged around it, or the field
that it is the label of."""


class ElementResolver:
    """What one user finds on a page, and knows it by.

    Args:
        windows: of the user.
        tracker: keeps the page as it is seen.
        writer: writes evidence.
        script: asks documents.
        reader: reads the codes of a page.
        sightings: codes that the run was shown.
        timeouts: bounds.
    """

    def __init__(
        self,
        windows: Windows,
        tracker: PageTracker,
        writer: TemplateWriter,
        script: ScriptClient,
        reader: PageReader,
        sightings: Sightings,
        timeouts: Timeouts,
    ) -> None:
        self.sightings = sightings
        self.pressed: dict[str, Any] | None = None
        """What the page reports of the thing that was taken last, where it can be pressed."""
        self.led_here = ""
        """The last action that could have led to what the page shows."""
        self._windows = windows
        self._tracker = tracker
        self._writer = writer
        self._script = script
        self._reader = reader
        self._timeouts = timeouts

    async def take(
        self,
        find: Find,
        *,
        meant: Meant = "",
        onto: bool = False,
        timeout_ms: float | None = None,
        frame: Frame | None = None,
    ) -> Target:
        """Find the one element that a description fits, take its evidence, and arm the guard with it.

        Args:
            find: the description.
            meant: what an action means of it; empty for the element itself.
            onto: whether it is where the element that was taken before is dragged to.
            timeout_ms: how long to look for it; default: the user's bound.
            frame: the frame that it is in, if any.

        Raises:
            ToolError: ``not_found``, ``ambiguous`` or ``page_closed``.
        """
        where = frame or self._windows.page
        body = {**self._writer.rendered(find), "meant": meant}
        try:
            taken = await self._ask(where, selector("simfind", body), onto, timeout_ms or self._timeouts.action)
        except PlaywrightTimeout:
            raise ToolError("not_found", f"nothing on {self._windows.page.url} fits {find}") from None
        except PlaywrightError as error:
            if "strict mode violation" in error.message:
                raise ToolError("ambiguous", await self._ambiguous(where, find, body)) from None
            raise translate(error, f"look for {find}") from error
        if taken["stopped"]:
            reasons = self._writer.mask("; ".join(taken["stopped"]))
            raise ToolError("not_actionable", f"input was stopped in the page before this action: {reasons}")
        if frame is None:
            self._tracker.see(taken["before"])
        if not onto:
            self.pressed = taken["pressed"]
        self.sightings.see(self.led_here, taken["codes"])
        found = Target.model_validate(taken["evidence"])
        self.sightings.name(found.naming, found.beside)
        return Target.model_validate(self._writer.written(taken["evidence"]))

    async def take_at(
        self, place: Place, *, meant: Meant = "", onto: bool = False, timeout_ms: float | None = None
    ) -> Target:
        """Do as :meth:`take`, in the page or in the frame that holds what is meant; the evidence names the frame."""
        target = await self.take(place.find, meant=meant, onto=onto, timeout_ms=timeout_ms, frame=place.frame)
        return (
            target.model_copy(update={"frame": tuple(self._writer.written(list(place.path)))}) if place.path else target
        )

    async def bare_place(self, where: Page | Frame, options: Mapping[str, Any]) -> list[float] | None:
        """Find a place in view where nothing is on the page, within the element that the guard is armed with.

        Args:
            where: the page, or a frame in it.
            options: of the action; its position is taken where nothing is there.

        Returns:
            The place, in CSS pixels from the element's inner top left corner; None where there is none.
        """
        found: list[float] | None = await self._script.read(
            "position => __sim.barePlace(position)", options.get("position"), where=where
        )
        return found

    async def nothing_at(self, place: Place, options: Mapping[str, Any]) -> dict[str, Any]:
        """Give a place of the page where nothing is, as options: the one that was meant, if nothing is there.

        Raises:
            ToolError: ``not_actionable``; there is no such place in view.
        """
        found = await self.bare_place(place.where, options)
        if found is None:
            await self._script.read("() => { __sim.strays(); }", where=place.where)
            raise ToolError("not_actionable", f"{place.find} has no place in view where nothing is; name what you mean")
        return {NOTHING: True, "position": found}

    async def see_codes(self) -> None:
        """Take in the codes of the page that is about to be left."""
        if self.led_here and not self._windows.lost:
            self.sightings.see(self.led_here, await self._script.parting(self._reader.codes(), []))

    async def _ask(self, where: Page | Frame, found: str, onto: bool, timeout: float) -> Any:
        """Take the evidence: in one call of an element that is there already, otherwise waiting for it."""
        take = "(el, onto) => __sim.take(el, onto)"
        try:
            return await where.eval_on_selector(found, take, onto, strict=True)
        except PlaywrightError:
            return await where.locator(found).evaluate(take, onto, timeout=timeout)

    async def _ambiguous(self, where: Page | Frame, find: Find, body: dict[str, str]) -> str:
        script = "find => __sim.sought(find).slice(0, 8).map(el => __sim.describe(el))"
        found = [Target.model_validate(one) for one in await where.evaluate(script, body)]
        listed = "; ".join(f"{one.role or one.tag} '{one.name or one.text}' ({one.css})" for one in found)
        return f"{find} fits {len(found)} elements: {listed}. Say which one, by a selector or a longer text."
