"""Reads one user's page: its tree, elements, blocks, HTML, console and requests; all of it masked.

Not responsible for: waiting until the page has settled, or acting on it. References that it gives out are numbered on
from document to document.
"""

from __future__ import annotations

import json
from abc import ABC, abstractmethod
from collections.abc import Awaitable, Mapping
from dataclasses import replace
from typing import Any, Literal, Protocol, TypeVar

from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Frame, Page
from pydantic import TypeAdapter

from simulator.browser.find import Find
from simulator.browser.follow import translate
from simulator.browser.frames import framed
from simulator.browser.logs import LogEntry, RequestEntry, logged, requested
from simulator.browser.reading import (
    Block,
    Candidate,
    ElementDetail,
    ElementKind,
    Elements,
    FormInfo,
    LinkInfo,
    PageButton,
    PageTree,
)
from simulator.browser.script import selector
from simulator.browser.sink import PageState
from simulator.canonical import map_strings
from simulator.errors import ToolError
from simulator.template import Bindings

_FORMS = TypeAdapter(tuple[FormInfo, ...])
_LINKS = TypeAdapter(tuple[LinkInfo, ...])
_BUTTONS = TypeAdapter(tuple[PageButton, ...])
_BLOCKS = TypeAdapter(tuple[Block, ...])
_CANDIDATES = TypeAdapter(tuple[Candidate, ...])

Answer = TypeVar("Answer")
Deed = Literal["point", "type", "look"]
"""What an element is to be fit for: to be pointed at, to be typed into, or to be seen."""


class SecretMask(Protocol):
    """Takes secrets out of what a page says."""

    def mask(self, text: str) -> str:
        """Put placeholders in place of secrets."""
        ...


class Reader(ABC):
    """What reads the page that a user looks at.

    Args:
        origin: the site's scheme, host and port.
        bindings: the run's variables.
        vault: keeps secrets out of what is read.
    """

    def __init__(self, *, origin: str, bindings: Bindings, vault: SecretMask) -> None:
        self.bindings = bindings
        self._origin = origin
        self._mask = vault.mask
        self._now = PageState(url="")
        self._given = 0

    @property
    @abstractmethod
    def page(self) -> Page:
        """The page that the user looks at."""

    @property
    def here(self) -> PageState:
        """The page as the last look found it."""
        return self._now

    async def forms(self) -> tuple[FormInfo, ...]:
        """Read the page's forms."""
        return _FORMS.validate_python(await self._refer("readForms"))

    async def links(self) -> tuple[LinkInfo, ...]:
        """Read the page's visible links, at most 300."""
        return _LINKS.validate_python(await self._refer("readLinks"))

    async def buttons(self) -> tuple[PageButton, ...]:
        """Read the page's visible buttons, at most 200."""
        return _BUTTONS.validate_python(await self._refer("readButtons"))

    async def tree(self, *, ref: str = "", depth: int, limit: int, interactive: bool = False) -> PageTree:
        """Read the page as a tree, with references of what can be acted on and of its larger parts.

        Args:
            ref: a reference, to read what is below it alone.
            depth: levels to give at most.
            limit: characters to give at most.
            interactive: whether only what can be acted on is told, and what it stands in.

        Raises:
            ToolError: ``not_found``; the reference means nothing here.
        """
        read = await self._refer("readTree", ref, depth, limit, interactive)
        if read is None:
            raise ToolError("not_found", f"ref={ref} means nothing on {self._now.url} any more; read the page again")
        return PageTree.model_validate(read)

    async def candidates(self, limit: int) -> tuple[Candidate, ...]:
        """Read what a description in words may mean: what can be acted on, and headings."""
        return _CANDIDATES.validate_python(await self._refer("readCandidates", limit))

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
            attributes: attributes by name; an empty value asks only that there is one.
            visible_only: whether only elements that can be seen count.
            limit: how many to give at most.
        """
        wanted = {"kind": kind, "text": text, "attributes": dict(attributes) if attributes else None}
        given = {key: value for key, value in wanted.items() if value is not None}
        found = await self._refer("discover", {**given, "visible_only": visible_only, "limit": limit})
        return Elements.model_validate(found)

    async def form_elements(self, *, visible_only: bool = True, limit: int = 20) -> Elements:
        """Read the fields and buttons of all forms."""
        return Elements.model_validate(
            await self._refer("formElements", {"visible_only": visible_only, "limit": limit})
        )

    async def inspect(self, find: Find) -> ElementDetail:
        """Read everything of the one element that a description fits.

        Raises:
            ToolError: ``not_found`` or ``ambiguous``; so for the other readings of one element.
        """
        return ElementDetail.model_validate(await self._one(find, "info"))

    async def obstacle(self, find: Find, deed: Deed) -> str:
        """Tell why the one element that a description fits cannot be acted on now.

        Returns:
            For example ``is disabled``; empty when it can.
        """
        return str(await self._one(find, "obstacle", deed))

    async def html(self, find: Find | None = None) -> str:
        """Read the HTML of one element, or of the page, without what stands in secret fields."""
        read = await self._one(find, "html") if find else await self._read("() => __sim.readHtml()")
        return self._mask(read)

    async def texts(self, find: Find, limit: int) -> tuple[list[str], int]:
        """Read the text of every element that a description fits.

        Returns:
            The texts of the first ones, and how many elements there are.
        """
        read = await self._read("([find, limit]) => __sim.readTexts(find, limit)", [self._rendered(find), limit])
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
        """Read the page's visible text.

        Args:
            limit: characters to give at most.

        Returns:
            The text, and how many characters there are in all.
        """
        read = await self._read("limit => __sim.readText(limit)", limit)
        return self._mask(read["text"]), read["total"]

    async def logged(self) -> list[LogEntry]:
        """Read what the page logged since it was opened; masked."""
        return [replace(one, text=self._mask(one.text)) for one in await self._asked(logged(self.page))]

    async def requested(self) -> list[RequestEntry]:
        """Read what the page requested since it was opened; masked, and relative to the site."""
        return [replace(one, url=self._mask(self.relative(one.url))) for one in await self._asked(requested(self.page))]

    async def codes(self) -> list[list[str]]:
        """Read the codes that the page shows, such as order numbers: each with the words before it."""
        return list(await self._read("() => window.__sim ? __sim.codes() : []"))

    async def visible(self, find: Find) -> bool:
        """Tell whether something visible fits a description now."""
        body = self._rendered(find)
        seen = await self._read("find => __sim.sought(find).some(el => __sim.visible(el))", body)
        return bool(seen) or (await self.framed(find))[1] is not None

    async def framed(self, find: Find) -> tuple[tuple[str, ...], Frame | None]:
        """Give the one frame of the site that holds what a description fits, where the page around it does not.

        A reference, a point and the focus belong to the page.
        """
        if find.how not in ("css", "text", "role", "label"):
            return (), None
        return await framed(self.page, self._origin + "/", selector("simfind", {**self._rendered(find), "pointer": ""}))

    def relative(self, url: str) -> str:
        """Give a URL relative to the site, or whole when it is elsewhere."""
        return url[len(self._origin) :] or "/" if url.startswith(self._origin + "/") or url == self._origin else url

    def _rendered(self, find: Find) -> dict[str, str]:
        return {"how": find.how, "value": self.bindings.render(find.value), "name": self.bindings.render(find.name)}

    async def _one(self, find: Find, reading: str, *more: str) -> Any:
        told = await self._refer("readOne", self._rendered(find), reading, *more)
        if "read" in told:
            return told["read"]
        if not told["found"]:
            raise ToolError("not_found", f"nothing on {self._now.url} fits {find}")
        listed = "; ".join(told["several"])
        raise ToolError("ambiguous", f"{find} fits {told['found']} elements: {listed}. Say which one.")

    async def _refer(self, reading: str, *asked: Any) -> Any:
        """Read something with references, which no document of this user gives out twice; masked."""
        script = "([given, name, asked]) => __sim.reading(given, name, ...asked)"
        told = json.loads(await self._read(script, [self._given, reading, asked]))
        self._given = told["given"]
        return map_strings(told["answer"], self._mask)

    async def _read(self, script: str, argument: Any = None) -> Any:
        return await self._asked(self.page.evaluate(script, argument))

    async def _asked(self, answer: Awaitable[Answer]) -> Answer:
        try:
            return await answer
        except PlaywrightError as error:
            raise translate(error, "read the page") from error
