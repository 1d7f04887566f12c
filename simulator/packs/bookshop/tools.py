"""Tools for book covers. Not responsible for: where covers come from (``covers``)."""

from __future__ import annotations

import re
from typing import Annotated

from pydantic import Field, JsonValue

from simulator.packs.bookshop.covers.service import CoverService
from simulator.template import placeholders
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.families.entry import file_field
from simulator.tools.pages.answers import action_as_json
from simulator.tools.spec import tool

_TITLE = re.compile(r"book\.\d+\.title")
_SUFFIXES = {"image/png": ".png", "image/jpeg": ".jpg", "image/webp": ".webp"}


async def _service(ctx: RunContext) -> CoverService:
    service: CoverService = await ctx.pictures.of("bookshop")
    return service


@tool(
    category="data",
    safety="safe",
    replay={"same": "result", "reuse": "result", "fresh": "call"},
    timeout_s=60,
    examples=[{"query": "{{book.1.title}}", "count": 1}, {"query": "classic crime"}],
)
async def fetch_book_covers(ctx: RunContext, query: str, count: Annotated[int, Field(ge=1, le=20)] = 4) -> ToolResult:
    """Find covers of books.

    Args:
        ctx: The run.
        query: A title, a title and author, or a topic.
        count: How many covers at most.

    Returns:
        A list of title, author, cover_url and source; give a cover_url to upload_cover_image. Each image is there; a
        cover is drawn where no source has one. What went wrong with a source is in the metadata.
    """
    meant = [name for name in placeholders(query) if _TITLE.fullmatch(name)]
    title = ctx.bindings.render(f"{{{{{meant[0]}}}}}") if len(meant) == 1 else ""
    covers, failures = await (await _service(ctx)).offer(ctx.bindings.render(query), count, title=title)
    names = [ctx.offer_file("cover", cover.cover_url) for cover in covers]
    metadata: dict[str, JsonValue] = {"variables": [*names]}
    if failures:
        metadata["failures"] = [failure._asdict() for failure in failures]
    return ToolResult(success=True, data=[cover.model_dump(mode="json") for cover in covers], metadata=metadata)


@tool(
    category="data",
    safety="high",
    grant="upload",
    replay="actions",
    timeout_s=90,
    examples=[{"cover_url": "{{file.cover_1}}"}, {"cover_url": "https://covers.example/1.jpg", "selector": "#cover"}],
)
async def upload_cover_image(ctx: RunContext, cover_url: str, selector: str = "") -> JsonValue:
    """Give the image of a cover to a file field of the page.

    Args:
        ctx: The run.
        cover_url: As fetch_book_covers answers it, or another https address of an image.
        selector: The file field: label, CSS or ref=…; may be left out where the page has only one.

    Returns:
        The field, and the image's hash, media type and size in bytes.
    """
    image = await (await _service(ctx)).image(ctx.bindings.render(cover_url))
    find = await file_field(ctx, selector)
    sha256 = ctx.journal.put_blob(image.data, image.media_type)
    path = ctx.workdir / f"cover-{image.sha256[:16]}{_SUFFIXES[image.media_type]}"
    try:
        path.write_bytes(image.data)
        report = await ctx.actor.upload(find, path=path, sha256=sha256, source=cover_url)
    finally:
        path.unlink(missing_ok=True)
    told: dict[str, JsonValue] = {"sha256": sha256, "media_type": image.media_type, "bytes": len(image.data)}
    return {**action_as_json(report), **told}
