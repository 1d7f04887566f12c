"""``sim covers``: what the cover sources answer. Not responsible for: finding covers."""

from __future__ import annotations

from typing import Annotated, Any

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
    from simulator.domain import packs_in_use
    from simulator.errors import EnvironmentFailure, UsageError
    from simulator.report.terminal.columns import columns
    from simulator.runner.surroundings.resources import open_pictures

    settings = load_settings()
    packs = [pack.name for pack in packs_in_use() if pack.pictures]
    if not packs:
        raise UsageError("no pack in use has pictures; name it in 'packs' of sim.toml")

    async def ask() -> tuple[list[tuple[Any, bool | None]], tuple[Any, ...]]:
        async with open_pictures(settings, settings.site(site), alone=False) as pictures:
            source = await pictures.of(packs[0])
            found = await source.search(query, count)
            rows = [(cover, await source.verify(cover) if verify else None) for cover in found.covers]
            return rows, found.failures

    answers, failures = asyncio.run(ask())
    for failure in failures:
        print(f"sim: {failure.source} gave nothing: {failure.message}", file=sys.stderr)
    if failures and not answers:
        raise EnvironmentFailure("no cover source could be asked; users are given drawn covers")
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
