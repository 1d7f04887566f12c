"""``sim covers``: what the cover sources answer. Not responsible for: finding covers."""

from __future__ import annotations

from typing import Annotated

import typer

from simulator.cli.options import Json, SiteName


def covers(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="A title, a title and author, or a topic.")],
    count: Annotated[int, typer.Option("--count", min=1, max=40, help="How many at most.")] = 4,
    verify: Annotated[bool, typer.Option("--verify", help="Fetch each image, and fail when one is not there.")] = False,
    site: SiteName = None,
    as_json: Json = False,
) -> None:
    """Show the covers that users are offered for a query."""
    import asyncio
    import sys

    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.config import load_settings
    from simulator.errors import EnvironmentFailure, ToolError
    from simulator.report.columns import columns
    from simulator.tools.covers import Cover, CoverService

    settings = load_settings()

    async def ask() -> list[tuple[Cover, bool | None]]:
        async with CoverService(settings.covers_for(settings.site(site))) as service:
            found = await service.find(query, count)
            return [(cover, await service.verify(cover) if verify else None) for cover in found]

    try:
        answers = asyncio.run(ask())
    except ToolError as error:
        raise EnvironmentFailure(error.message) from error
    if not answers:
        print(f"sim: no source of covers has any for '{query}'; ask for a title or a topic", file=sys.stderr)
    if as_json:
        print_json([cover.model_dump() | ({"verified": there} if verify else {}) for cover, there in answers])
    elif answers:
        rows = [["title", "author", "source", *(["there"] if verify else []), "cover"]]
        for cover, there in answers:
            told = ["yes" if there else "no"] if verify else []
            rows.append([cover.title, cover.author, cover.source, *told, cover.cover_url])
        print_lines(columns(rows, width=output_width()))
    if not answers or not all(there for _, there in answers if verify):
        raise typer.Exit(1)
