"""Finds the one element that a description fits, takes its evidence, and arms the guard with it.

Not responsible for: acting on it (``executor``), or what the page's script counts as evidence (``page/``).
"""

from __future__ import annotations

from typing import Any, Literal

from playwright.async_api import BrowserContext, Frame, Page
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import TimeoutError as PlaywrightTimeout

from simulator.browser.acting.sightings import Sightings
from simulator.browser.evidence import Target
from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.launch.network import NetworkPolicy
from simulator.browser.launch.script import selector
from simulator.browser.views.frames import Place
from simulator.browser.views.page_view import PageView, SecretKeeper
from simulator.browser.views.places import Timeouts
from simulator.errors import ToolError
from simulator.template import Bindings

Meant = Literal["", "react", "drag", "field"]
"""What an action means of what a description fits: that itself, what reacts or can be dragged around it, or the field
that it is the label of."""


class ElementResolver(PageView):
    """What one user finds on a page, and knows it by.

    Args:
        context: the browser context, with the page script.
        page: its page.
        origin: the site's scheme, host and port.
        policy: which hosts may be reached.
        bindings: the run's variables.
        vault: keeps secrets out of what is reported.
        timeouts: bounds.
        sightings: codes that the run was shown; by default of this user alone.
    """

    def __init__(
        self,
        context: BrowserContext,
        page: Page,
        *,
        origin: str,
        policy: NetworkPolicy,
        bindings: Bindings,
        vault: SecretKeeper,
        timeouts: Timeouts,
        sightings: Sightings | None = None,
    ) -> None:
        super().__init__(context, page, origin=origin, policy=policy, bindings=bindings, vault=vault, timeouts=timeouts)
        self.sightings = sightings or Sightings(bindings)
        self._pressed: dict[str, Any] | None = None
        """What the page tells of the thing that was taken last, where it can be pressed."""
        self._led_here = ""
        """The last action that could have led to what the page shows."""

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
        where = frame or self.page
        body = {**self._rendered(find), "meant": meant}
        try:
            taken = await self._ask(where, selector("simfind", body), onto, timeout_ms or self.timeouts.action)
        except PlaywrightTimeout:
            raise ToolError("not_found", f"nothing on {self.page.url} fits {find}") from None
        except PlaywrightError as error:
            if "strict mode violation" in error.message:
                raise ToolError("ambiguous", await self._ambiguous(where, find, body)) from None
            raise translate(error, f"look for {find}") from error
        if taken["stopped"]:
            reasons = self._vault.mask("; ".join(taken["stopped"]))
            raise ToolError("not_actionable", f"input was stopped in the page before this action: {reasons}")
        if frame is None:
            self._see(taken["before"])
        if not onto:
            self._pressed = taken["pressed"]
        self.sightings.see(self._led_here, taken["codes"])
        self.sightings.name(Target.model_validate(taken["evidence"]).naming)
        return Target.model_validate(self._written(taken["evidence"]))

    async def take_at(
        self, place: Place, *, meant: Meant = "", onto: bool = False, timeout_ms: float | None = None
    ) -> Target:
        """Do as :meth:`take`, in the page or in the frame that holds what is meant; the evidence names the frame."""
        target = await self.take(place.find, meant=meant, onto=onto, timeout_ms=timeout_ms, frame=place.frame)
        return target.model_copy(update={"frame": tuple(self._written(list(place.path)))}) if place.path else target

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

    def written(self, evidence: Target) -> Target:
        """Write evidence that was read from the page as it is stored: variables as such, and no secret."""
        return Target.model_validate(self._written(evidence.model_dump(mode="json")))
