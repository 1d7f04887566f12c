"""Covers for the form that offers a book. Not responsible for: the form, or where covers come from (``covers``)."""

from __future__ import annotations

from typing import NamedTuple

from pydantic import JsonValue

from simulator.agent.reading import Form
from simulator.agent.tool_client import TaskFailed, ToolClient

_GONE = frozenset({"not_found", "rejected", "timeout", "unavailable"})
"""How a picture fails that was there when it was offered; a file field may fail so, too."""
_COVERS = 4
"""Covers that are tried for one form: what sources offer is there as a rule, and a drawn one always is."""


class _Found(NamedTuple):
    """A cover that was found: the variable that stands for its address, and the address."""

    variable: str
    address: JsonValue


class Cover:
    """The picture of a book, found once and given to the form as often as the form comes back.

    A picture that is gone when it is given, or is another one by then, is looked for again: what is found offers only
    pictures that are there.
    """

    def __init__(self, client: ToolClient, index: int) -> None:
        self._client = client
        self._query = f"{{{{book.{index}.title}}}} {{{{book.{index}.author}}}}"
        self._found: _Found | None = None

    async def give(self, form: Form) -> None:
        """Give the form a cover, where it asks for one."""
        fields = [field for field in form.fields if field.type == "file"]
        field = form.asking("cover") or next(iter(fields), None)
        if field is None:
            return
        self._found = self._found or await self._find()
        if self._found is None:
            if field.required:
                raise TaskFailed(f"no cover was found, and the form needs one in {field.label!r}")
            return
        selector = "" if len(fields) == 1 else f"ref={field.ref}"
        for _ in range(_COVERS):
            given = await self._client.do("upload_cover_image", cover_url=self._found.variable, selector=selector)
            if given.error is None:
                return
            found = await self._find() if given.error.type in _GONE else None
            if found is None or found.address == self._found.address:
                raise TaskFailed(given.error.message)
            self._found = found
        raise TaskFailed(f"{_COVERS} covers were found whose pictures were gone when they were given to the form")

    async def _find(self) -> _Found | None:
        result = await self._client.read("fetch_book_covers", query=self._query, count=1)
        match result.metadata.get("variables"), result.data:
            case [str(name), *_], [{"cover_url": address}, *_]:
                return _Found(f"{{{{{name}}}}}", address)
        return None
