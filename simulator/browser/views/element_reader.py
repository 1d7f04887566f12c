"""Reads single elements of the page that one user looks at, and lists of them; all of it masked.

Not responsible for: the evidence by which an element is known again (``acting.element_resolver``).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal, TypeVar

from playwright.async_api import Frame

from simulator.browser.find import Find
from simulator.browser.views.frame_locator import FrameLocator
from simulator.browser.views.reading import ElementDetail, ElementInfo, ElementKind, Elements
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.template_writer import TemplateWriter
from simulator.errors import ToolError

Act = Literal["point", "type", "look"]
"""What an element is to be fit for: to be pointed at, to be typed into, or to be seen."""


class ElementReader:
    """Reads elements, of the page and of its frames.

    Args:
        writer: keeps secrets out of what is read.
        script: asks documents.
        frames: finds the document that a description is meant in.
    """

    def __init__(self, writer: TemplateWriter, script: ScriptClient, frames: FrameLocator) -> None:
        self._writer = writer
        self._script = script
        self._frames = frames

    async def discover(
        self,
        *,
        kind: ElementKind | None = None,
        text: str | None = None,
        attributes: Mapping[str, str] | None = None,
        visible_only: bool = True,
        limit: int = 20,
    ) -> Elements:
        """Read elements: all that can be acted on, or those of a kind, with a text, or with attributes.

        Args:
            kind: which kind.
            text: what the name, text, value or placeholder holds, whatever the case.
            attributes: attributes by name, whose values hold these, whatever the case; those that are these come
                first. An empty value asks only that there is one.
            visible_only: whether only elements that can be seen count.
            limit: how many to give at most.
        """
        wanted = {"kind": kind, "text": text, "attributes": dict(attributes) if attributes else None}
        given = {key: value for key, value in wanted.items() if value is not None}
        return await self._elements("discover", {**given, "visible_only": visible_only}, limit)

    async def form_elements(self, *, visible_only: bool = True, limit: int = 20) -> Elements:
        """Read the fields and buttons of all forms."""
        return await self._elements("formElements", {"visible_only": visible_only}, limit)

    async def inspect(self, find: Find) -> ElementDetail:
        """Read everything of the one element that a description fits.

        Raises:
            ToolError: ``not_found`` or ``ambiguous``; so for the other readings of one element.
        """
        place = await self._frames.place(find)
        detail = ElementDetail.model_validate(await self._script.one(place.find, "info", where=place.where))
        return _by_ref(detail) if place.frame else detail

    async def obstacle(self, find: Find, act: Act) -> str:
        """Return why the one element that a description fits cannot be acted on now.

        Returns:
            For example ``is disabled``; empty when it can.
        """
        place = await self._frames.place(find)
        return str(await self._script.one(place.find, "obstacle", act, where=place.where))

    async def html(self, find: Find | None = None) -> str:
        """Read the HTML of one element, or of the page, without what stands in secret fields."""
        if find is None:
            return self._writer.mask(await self._script.read("() => __sim.readHtml()"))
        place = await self._frames.place(find)
        return self._writer.mask(await self._script.one(place.find, "html", where=place.where))

    async def texts(self, find: Find, limit: int) -> tuple[list[str], int]:
        """Read the text of every element that a description fits.

        Returns:
            The texts of the first ones, and how many elements there are.
        """
        place = await self._frames.place(find)
        asked = [self._writer.rendered(place.find), limit]
        read = await self._script.read("([find, limit]) => __sim.readTexts(find, limit)", asked, where=place.where)
        return [self._writer.mask(text) for text in read["texts"]], read["total"]

    async def written_in(self, find: Find) -> Find:
        """Give what is written in for a field that an editor has drawn a frame for, or else the description itself.

        Args:
            find: the description of the field; what fits none, or several, is given back.
        """
        place = await self._frames.place(find) if self._frames.are_there else None
        if place is None or place.frame:
            return find
        try:
            editor = await self._frames.editor(await self._script.one(find, "frame"))
        except ToolError as error:
            if error.type not in ("not_found", "ambiguous", "not_actionable"):
                raise
            return find  # who acts on it says so
        return Find("ref", editor["ref"]) if editor else find

    async def _elements(self, reading: str, asked: Mapping[str, Any], limit: int) -> Elements:
        """Read elements of the page, and then of its frames: those are addressed by their references alone."""
        elements: list[ElementInfo] = []
        total = 0
        for where in await self._frames.everywhere():
            left = limit - len(elements)
            read = Elements.model_validate(await self._script.refer(reading, {**asked, "limit": left}, where=where))
            elements += map(_by_ref, read.elements) if isinstance(where, Frame) else read.elements
            total += read.total
        return Elements(elements=tuple(elements), total=total)


_Info = TypeVar("_Info", bound=ElementInfo)


def _by_ref(element: _Info) -> _Info:
    """Say how to address an element of a frame: its selectors may fit something else outside of it."""
    address = f"ref={element.ref}"
    return element.model_copy(update={"selector": address, "selectors": (address,)})
