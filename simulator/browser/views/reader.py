"""Reads one user's page: its tree, elements, blocks, HTML, console and requests; all of it masked.

Not responsible for: waiting until the page has settled, or acting on it. References that it gives out are numbered on
from document to document.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, Literal, TypeVar

from playwright.async_api import Frame, Page
from pydantic import TypeAdapter

from simulator.browser.acting.gestures import SCROLLED
from simulator.browser.find import Find
from simulator.browser.views.frames import Place, inner, loaded_frames
from simulator.browser.views.logs import LogEntry, RequestEntry, logged, requested
from simulator.browser.views.places import Places
from simulator.browser.views.reading import (
    Block,
    Candidate,
    ClosedItem,
    ElementDetail,
    ElementInfo,
    ElementKind,
    Elements,
    FormInfo,
    LinkInfo,
    PageButton,
    PageTree,
    Scrolled,
)
from simulator.canonical import map_strings
from simulator.errors import ToolError

_FORMS = TypeAdapter(tuple[FormInfo, ...])
_LINKS = TypeAdapter(tuple[LinkInfo, ...])
_BUTTONS = TypeAdapter(tuple[PageButton, ...])
_CLOSED = TypeAdapter(tuple[ClosedItem, ...])
_BLOCKS = TypeAdapter(tuple[Block, ...])
_CANDIDATES = TypeAdapter(tuple[Candidate, ...])

Act = Literal["point", "type", "look"]
"""What an element is to be fit for: to be pointed at, to be typed into, or to be seen."""


class Reader(Places):
    """What reads the page that a user looks at."""

    async def forms(self) -> tuple[FormInfo, ...]:
        """Read the page's forms."""
        return _FORMS.validate_python(await self._refer("readForms"))

    async def redirected(self) -> bool:
        """Tell whether the site answered with another address than was asked for, as most do when they took a form."""
        script = "() => (performance.getEntriesByType('navigation')[0]?.redirectCount || 0) > 0"
        return bool(await self._read(script))

    async def links(self) -> tuple[LinkInfo, ...]:
        """Read the page's visible links, at most 300."""
        return _LINKS.validate_python(await self._refer("readLinks"))

    async def buttons(self) -> tuple[PageButton, ...]:
        """Read the page's visible buttons, at most 200."""
        return _BUTTONS.validate_python(await self._refer("readButtons"))

    async def closed_menus(self) -> tuple[ClosedItem, ...]:
        """Read what the page's closed menus hold, at most 200 links and buttons, and menus that say nothing of it."""
        return _CLOSED.validate_python(await self._refer("readClosedMenus"))

    async def tree(self, *, ref: str = "", depth: int, limit: int, interactive: bool = False) -> PageTree:
        """Read the page as a tree, with references of what can be acted on and of its larger parts; frames in place.

        Args:
            ref: a reference, to read what is below it alone.
            depth: levels to give at most.
            limit: characters to give at most.
            interactive: whether only what can be acted on is told, and what it stands in.

        Raises:
            ToolError: ``not_found``; the reference means nothing here.
        """
        place = await self.place(Find("ref", ref)) if ref else Place(self.page, Find("ref"))
        lines, left = await self._tree(place.where, ref, depth, limit, interactive, 0)
        if lines is None:
            raise ToolError("not_found", f"ref={ref} means nothing on {self._now.url} any more; read the page again")
        return PageTree(tree="\n".join(lines), shown=len(lines), left=left)

    async def _tree(
        self, where: Page | Frame, ref: str, depth: int, limit: int, interactive: bool, indent: int
    ) -> tuple[list[str] | None, int]:
        """Read the lines of a tree, and how many did not fit."""
        read = await self._refer("readTree", ref, depth, limit, interactive, indent, where=where)
        if read is None:
            return None, 0
        lines, left = list(read["lines"]), int(read["left"])
        room = limit - sum(len(line) + 1 for line in lines)
        frames = await self._frames_by_ref(where) if read["frames"] else {}
        more = 0
        for one in read["frames"]:
            frame, at = frames.get(one["ref"]), one["line"] + more
            deep = one["depth"] >= depth
            inside: list[str] | None = None
            if frame is not None and not deep:
                below = depth - one["depth"], room, interactive, indent + one["depth"]
                try:
                    inside, cut = await self._tree(frame, "", *below)
                except ToolError:
                    frame = None  # its document is on its way, or runs no script
                else:
                    left += cut
            if frame is None or deep:
                lines[at - 1] += " (deeper)" if deep else " (not read)"
            for line in inside or ():
                lines.insert(at, line)
                at, more, room = at + 1, more + 1, room - len(line) - 1
        return lines, left

    async def _frames_by_ref(self, where: Page | Frame) -> dict[str, Frame]:
        """Give the frames that can be read in a page or a frame, by the references of their elements."""
        known = {frame for _, frame in await self._asked(loaded_frames(self.page, self.may_visit, self._given_up))}
        found: dict[str, Frame] = {}
        for child in inner(where):
            if child in known:
                element = await self._asked(child.frame_element())
                found[await self._asked(element.evaluate("el => __sim.refFor(el)"))] = child
        return found

    async def candidates(self, limit: int) -> tuple[Candidate, ...]:
        """Read what a description in words may mean: what can be acted on, and headings; in frames, too."""
        found: list[Candidate] = []
        for where in await self._everywhere():
            found += _CANDIDATES.validate_python(await self._refer("readCandidates", limit - len(found), where=where))
        return tuple(found)

    async def blocks(self, limit: int) -> tuple[Block, ...]:
        """Read the page's text block by block."""
        return _BLOCKS.validate_python(await self._refer("readBlocks", limit))

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

    async def _elements(self, reading: str, asked: Mapping[str, Any], limit: int) -> Elements:
        """Read elements of the page, and then of its frames: those are addressed by their references alone."""
        elements: list[ElementInfo] = []
        total = 0
        for where in await self._everywhere():
            left = limit - len(elements)
            read = Elements.model_validate(await self._refer(reading, {**asked, "limit": left}, where=where))
            elements += map(_by_ref, read.elements) if isinstance(where, Frame) else read.elements
            total += read.total
        return Elements(elements=tuple(elements), total=total)

    async def inspect(self, find: Find) -> ElementDetail:
        """Read everything of the one element that a description fits.

        Raises:
            ToolError: ``not_found`` or ``ambiguous``; so for the other readings of one element.
        """
        place = await self.place(find)
        detail = ElementDetail.model_validate(await self._one(place.find, "info", where=place.where))
        return _by_ref(detail) if place.frame else detail

    async def obstacle(self, find: Find, act: Act) -> str:
        """Tell why the one element that a description fits cannot be acted on now.

        Returns:
            For example ``is disabled``; empty when it can.
        """
        place = await self.place(find)
        return str(await self._one(place.find, "obstacle", act, where=place.where))

    async def html(self, find: Find | None = None) -> str:
        """Read the HTML of one element, or of the page, without what stands in secret fields."""
        if find is None:
            return self._mask(await self._read("() => __sim.readHtml()"))
        place = await self.place(find)
        return self._mask(await self._one(place.find, "html", where=place.where))

    async def texts(self, find: Find, limit: int) -> tuple[list[str], int]:
        """Read the text of every element that a description fits.

        Returns:
            The texts of the first ones, and how many elements there are.
        """
        place = await self.place(find)
        asked = [self._rendered(place.find), limit]
        read = await self._read("([find, limit]) => __sim.readTexts(find, limit)", asked, where=place.where)
        return [self._mask(text) for text in read["texts"]], read["total"]

    async def items(
        self, find: Find | None, fields: Mapping[str, str], limit: int
    ) -> tuple[list[dict[str, str | None]], int]:
        """Read fields of every item that a description fits.

        Args:
            find: the items; None takes the page for one.
            fields: name of a field to a selector within the item, with ``@name`` for an attribute; where it is empty,
                the item's own marks tell (``itemprop``, ``data-field``, a class, a table's head, …).
            limit: how many items to read at most.

        Returns:
            The items, and how many there are; None stands for what an item does not have.

        Raises:
            ToolError: ``invalid_input``; a selector is none.
        """
        asked = [self._rendered(find) if find else None, dict(fields), limit]
        read = await self._read("([find, fields, limit]) => __sim.readItems(find, fields, limit)", asked)
        if "broken" in read:
            raise ToolError("invalid_input", f"these fields have no valid CSS selector: {'; '.join(read['broken'])}")
        return map_strings(read["items"], self._mask), read["total"]

    async def text(self, limit: int) -> tuple[str, int]:
        """Read the page's visible text, and then that of its frames.

        Args:
            limit: characters to give at most.

        Returns:
            The text, and how many characters there are in all.
        """
        texts: list[str] = []
        total = 0
        for where in await self._everywhere():
            read = await self._read("limit => __sim.readText(limit)", max(0, limit - total), where=where)
            texts += [self._mask(read["text"])] if read["text"] else []
            total += read["total"]
        return "\n".join(texts), total + max(0, len(texts) - 1)

    async def logged(self) -> list[LogEntry]:
        """Read what the page logged since it was opened; masked."""
        return [replace(one, text=self._mask(one.text)) for one in await self._asked(logged(self.page))]

    async def requested(self) -> list[RequestEntry]:
        """Read what the page requested since it was opened; masked, and relative to the site."""
        return [replace(one, url=self._mask(self.relative(one.url))) for one in await self._asked(requested(self.page))]

    async def scrolled(self) -> Scrolled:
        """Tell how far down the page is scrolled."""
        return Scrolled(*await self._read(SCROLLED))

    async def codes(self) -> list[list[str]]:
        """Read the codes that the page shows, such as order numbers: each with the words before it."""
        return list(await self._read("() => window.__sim ? __sim.codes() : []"))


_Info = TypeVar("_Info", bound=ElementInfo)


def _by_ref(element: _Info) -> _Info:
    """Say how to address an element of a frame: its selectors may fit something else outside of it."""
    address = f"ref={element.ref}"
    return element.model_copy(update={"selector": address, "selectors": (address,)})
