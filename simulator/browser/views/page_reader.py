"""Reads the page that one user looks at: its tree, forms, blocks, texts, console and requests; all of it masked.

Not responsible for: waiting until the page has settled, single elements (``element_reader``), how a page answered
(``answer_reader``), or acting.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any

from playwright.async_api import Frame, Page
from pydantic import ConfigDict, TypeAdapter

from simulator.bindings import Bindings
from simulator.browser.acting.gestures import SCROLLED
from simulator.browser.find import Find
from simulator.browser.views.frame_locator import FrameLocator
from simulator.browser.views.logs import LogEntry, RequestEntry, logged, requested
from simulator.browser.views.own_words import own_words
from simulator.browser.views.page_tracker import PageTracker
from simulator.browser.views.reading import (
    Block,
    Candidate,
    ClosedItem,
    FieldInfo,
    FormInfo,
    LinkInfo,
    PageButton,
    PageTree,
    Scrolled,
)
from simulator.browser.views.script_client import ScriptClient
from simulator.browser.views.site_addresses import SiteAddresses
from simulator.browser.views.survey import Survey
from simulator.browser.views.template_writer import TemplateWriter
from simulator.browser.windows import Windows
from simulator.browser.wire.traffic import Traffic
from simulator.canonical import map_strings
from simulator.errors import ToolError
from simulator.meaning import Text, Value

_LATER = ConfigDict(defer_build=True)
"""A replay reads few of these."""
_FORMS = TypeAdapter(tuple[FormInfo, ...], config=_LATER)
_LINKS = TypeAdapter(tuple[LinkInfo, ...], config=_LATER)
_BUTTONS = TypeAdapter(tuple[PageButton, ...], config=_LATER)
_CLOSED = TypeAdapter(tuple[ClosedItem, ...], config=_LATER)
_BLOCKS = TypeAdapter(tuple[Block, ...], config=_LATER)
_CANDIDATES = TypeAdapter(tuple[Candidate, ...], config=_LATER)


class PageReader:
    """Reads the page that one user looks at.

    Args:
        windows: of the user.
        addresses: the site's.
        bindings: the run's variables.
        tracker: knows the page as it was last seen.
        writer: keeps secrets out of what is read.
        script: asks documents.
        frames: finds the document that a description is meant in.
        traffic: listens to the user's exchanges; None: nobody does.
    """

    def __init__(
        self,
        windows: Windows,
        addresses: SiteAddresses,
        bindings: Bindings,
        tracker: PageTracker,
        writer: TemplateWriter,
        script: ScriptClient,
        frames: FrameLocator,
        traffic: Traffic | None,
    ) -> None:
        self._windows = windows
        self._addresses = addresses
        self._bindings = bindings
        self._tracker = tracker
        self._writer = writer
        self._script = script
        self._frames = frames
        self._traffic = traffic

    async def forms(self) -> tuple[FormInfo, ...]:
        """Read the page's forms; a field that an editor draws a frame for is addressed by what is written in there."""
        forms = _FORMS.validate_python(await self._script.refer("readForms"))
        if not any(field.frame for form in forms for field in form.fields):
            return forms
        read = [(form, [await self._as_written(field) for field in form.fields]) for form in forms]
        return tuple(form.model_copy(update={"fields": tuple(fields)}) for form, fields in read)

    async def _as_written(self, field: FieldInfo) -> FieldInfo:
        if not field.frame:
            return field
        editor = await self._frames.editor(field.frame)
        more = {"ref": editor["ref"], "value_set": editor["set"]} if editor else {"hidden": True}
        return field.model_copy(update=more)

    async def survey(self) -> Survey:
        """Read what the page shows somebody who sees the site for the first time."""
        return Survey.model_validate(await self._script.refer("readSurvey"))

    async def leave_field(self) -> str:
        """Leave the field that has the focus, as the next press would; returns the language that the page says."""
        return str(await self._script.read("() => __sim.leaveField()"))

    async def links(self) -> tuple[LinkInfo, ...]:
        """Read the page's visible links, at most 300."""
        return _LINKS.validate_python(await self._script.refer("readLinks"))

    async def buttons(self) -> tuple[PageButton, ...]:
        """Read the page's visible buttons, at most 200."""
        return _BUTTONS.validate_python(await self._script.refer("readButtons"))

    async def closed_menus(self) -> tuple[ClosedItem, ...]:
        """Read what the page's closed menus hold, at most 200 links and buttons, and menus that say nothing of it."""
        return _CLOSED.validate_python(await self._script.refer("readClosedMenus"))

    async def tree(self, *, ref: str = "", depth: int, limit: int, interactive: bool = False) -> PageTree:
        """Read the page as a tree, with references of what can be acted on and of its larger parts; frames in place.

        Args:
            ref: a reference, to read what is below it alone.
            depth: levels to give at most.
            limit: characters to give at most.
            interactive: whether only what can be acted on is given, and what it stands in.

        Raises:
            ToolError: ``not_found``; the reference means nothing here.
        """
        where = (await self._frames.place(Find("ref", ref))).where if ref else self._windows.page
        lines, left = await self._tree(where, ref, depth, limit, interactive, 0)
        if lines is None:
            raise ToolError(
                "not_found", f"ref={ref} means nothing on {self._tracker.here.url} any more; read the page again"
            )
        return PageTree(tree="\n".join(lines), shown=len(lines), left=left)

    async def _tree(
        self, where: Page | Frame, ref: str, depth: int, limit: int, interactive: bool, indent: int
    ) -> tuple[list[str] | None, int]:
        """Read the lines of a tree, and how many did not fit."""
        read = await self._script.refer("readTree", ref, depth, limit, interactive, indent, where=where)
        if read is None:
            return None, 0
        lines, left = list(read["lines"]), int(read["left"])
        room = limit - sum(len(line) + 1 for line in lines)
        frames = await self._frames.by_ref(where) if read["frames"] else {}
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

    async def candidates(self, limit: int) -> tuple[Candidate, ...]:
        """Read what a description in words may mean: what can be acted on, and headings; in frames, too."""
        found: list[Candidate] = []
        for where in await self._frames.everywhere():
            found += _CANDIDATES.validate_python(
                await self._script.refer("readCandidates", limit - len(found), where=where)
            )
        return tuple(found)

    async def blocks(self, limit: int) -> tuple[Block, ...]:
        """Read the page's text block by block."""
        return _BLOCKS.validate_python(await self._script.refer("readBlocks", limit))

    async def items(
        self, find: Find | None, fields: Mapping[str, str], limit: int
    ) -> tuple[list[dict[str, str | None]], int]:
        """Read fields of every item that a description fits.

        Args:
            find: the items; None takes the page for one.
            fields: name of a field to a selector within the item, with ``@name`` for an attribute; where it is empty,
                the item's own marks are followed (``itemprop``, ``data-field``, a class, a table's head, …).
            limit: how many items to read at most.

        Returns:
            The items, and how many there are; None stands for what an item does not have.

        Raises:
            ToolError: ``invalid_input``; a selector is not one.
        """
        asked = [self._writer.rendered(find) if find else None, dict(fields), limit]
        read = await self._script.read("([find, fields, limit]) => __sim.readItems(find, fields, limit)", asked)
        if "broken" in read:
            raise ToolError("invalid_input", f"these fields have no valid CSS selector: {'; '.join(read['broken'])}")
        return map_strings(read["items"], self._writer.mask), read["total"]

    async def text(self, limit: int) -> tuple[str, int]:
        """Read the page's visible text, and then that of its frames.

        Args:
            limit: characters to give at most.

        Returns:
            The text, and how many characters there are in all.
        """
        texts: list[str] = []
        total = 0
        for where in await self._frames.everywhere():
            read = await self._script.read("limit => __sim.readText(limit)", max(0, limit - total), where=where)
            texts += [self._writer.mask(read["text"])] if read["text"] else []
            total += read["total"]
        return "\n".join(texts), total + max(0, len(texts) - 1)

    async def logged(self) -> list[LogEntry]:
        """Read what the page logged since it was opened; masked."""
        return [
            replace(one, text=self._writer.mask(one.text))
            for one in await self._script.asked(logged(self._windows.page))
        ]

    async def requested(self) -> list[RequestEntry]:
        """Read what the page requested since it was opened; masked, and relative to the site."""
        return [
            replace(one, url=self._writer.mask(self._addresses.relative(one.url)))
            for one in await self._script.asked(requested(self._windows.page))
        ]

    async def scrolled(self) -> Scrolled:
        """Say how far down the page is scrolled."""
        return Scrolled(*await self._script.read(SCROLLED))

    async def codes(self) -> list[list[str]]:
        """Read the codes that the page shows, such as order numbers: each with the words before it."""
        return list(await self._script.read("() => window.__sim ? __sim.codes() : []"))

    async def lacks(self, texts: Sequence[str], url: str, *, exact: bool = False) -> list[str]:
        """Give the texts that are not to be read on a page of the site, by what they mean.

        Args:
            texts: templates.
            url: the page, a template; another than the current one is read without leaving this one.
            exact: whether they are to be read word for word, as the name of a button is.
        """
        rendered = {self._bindings.render(text): text for text in texts}
        address = self._addresses.absolute(url)
        # What is looked up for that is the program's own.
        with self._traffic.own(address) if self._traffic else nullcontext():
            read = await self._script.read("([texts, url]) => __sim.lacks(texts, url)", [list(rendered), address])
        shown = Text.of("" if exact else read["shown"])
        return [rendered[text] for text in read["missing"] if not (shown.tidy and Value.of(text).find_in(shown))]

    async def own_words(self, where: Page | Frame, asked: Mapping[str, Any]) -> Mapping[str, str]:
        """Give the words in which a page says what evidence of some elements says with secrets left out.

        Args:
            where: the page, or a frame in it.
            asked: which elements, as ``__sim.evidenceOf`` takes it.

        Returns:
            The page's words, by what they are with secrets left out.
        """
        evidence = await self._script.read("asked => window.__sim ? __sim.evidenceOf(asked) : []", asked, where=where)
        return own_words(evidence, self._writer.mask)
