"""``sim packs pictures``: what the sources of pictures answer. Not responsible for: finding pictures."""

from __future__ import annotations

from typing import Annotated, Any

import typer

from simulator.cli.options import Json, SiteName


def pictures(
    query: Annotated[str, typer.Argument(metavar="QUERY", help="What they are to show, such as a title or a topic.")],
    pack: Annotated[
        str | None, typer.Option("--pack", metavar="PACK", help="Whose; by default of the first that has any.")
    ] = None,
    count: Annotated[int, typer.Option("--count", min=1, max=40, help="How many at most.")] = 4,
    verify: Annotated[bool, typer.Option("--verify", help="Fetch each image, and fail when one is not there.")] = False,
    site: SiteName = None,
    as_json: Json = False,
) -> None:
    """Show the pictures that users are offered for a query."""
    import asyncio
    import sys

    from simulator.cli.output import output_width, print_json, print_lines
    from simulator.config import load_settings
    from simulator.domain import packs_in_use
    from simulator.errors import EnvironmentFailure, UsageError
    from simulator.report.terminal.columns import columns
    from simulator.runner.surroundings.resources import open_pictures

    settings = load_settings()
    packs = [one.name for one in packs_in_use() if one.pictures]
    if not packs:
        raise UsageError("no pack in use has pictures; name it in 'packs' of sim.toml")
    if pack is not None and pack not in packs:
        raise UsageError(f"the pack '{pack}' is not in use, or has no pictures; {', '.join(packs)} has")

    async def ask() -> tuple[list[tuple[Any, bool | None]], tuple[Any, ...]]:
        async with open_pictures(settings, settings.site(site), alone=False) as opened:
            source = await opened.of(pack or packs[0])
            found = await source.search(query, count)
            rows = [(one, await source.verify(one) if verify else None) for one in found.pictures]
            return rows, found.failures

    answers, failures = asyncio.run(ask())
    for failure in failures:
        print(f"sim: {failure.source} gave nothing: {failure.message}", file=sys.stderr)
    if failures and not answers:
        raise EnvironmentFailure("no source of pictures could be asked; what users are given then, the pack says")
    if not answers:
        print(f"sim: no source has a picture for '{query}'; ask for a title or a topic", file=sys.stderr)
    if as_json:
        print_json([picture.model_dump() | ({"verified": there} if verify else {}) for picture, there in answers])
    elif answers:
        said = [name for name in answers[0][0].model_dump() if getattr(answers[0][0], name) != answers[0][0].address]
        rows = [[*said, *(["there"] if verify else []), "address"]]
        for picture, there in answers:
            verified = ["yes" if there else "no"] if verify else []
            rows.append([*(str(getattr(picture, name)) for name in said), *verified, picture.address])
        print_lines(columns(rows, width=output_width()))
    if not answers or not all(there for _, there in answers if verify):
        raise typer.Exit(1)
