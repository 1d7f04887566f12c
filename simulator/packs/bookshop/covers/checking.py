"""Whether the public sources of covers answer. Not responsible for: how they are asked."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

from simulator.config import Settings
from simulator.packs.bookshop.covers.service import CoverService
from simulator.packs.bookshop.settings import Covers, settings_of

_WELL_KNOWN = "Pride and Prejudice"
"""A book that every source of covers has."""


def check_sources(settings: Settings) -> Iterator[tuple[str, bool, str]]:
    """Ask every public source of covers that a site uses for one book."""
    used = [settings_of(site).covers for site in settings.sites.values()]
    asked: list[Covers] = []
    for covers in used:
        for source in covers.sources:
            alone = covers.model_copy(update={"sources": (source,)})
            if source == "offline" or alone in asked:
                continue
            asked.append(alone)
            failure = asyncio.run(_ask_for_cover(alone))
            told = f"{failure}; covers are drawn instead" if failure else "answers, and its images are there"
            yield f"covers {source}", not failure, told


async def _ask_for_cover(covers: Covers) -> str:
    """Give what is wrong with a source; empty where nothing is."""
    async with CoverService(covers) as service:
        found = await service.offer(_WELL_KNOWN, 1)
    if any(cover.source in covers.sources for cover in found.covers):
        return ""
    return "; ".join(failure.message for failure in found.failures) or f"it has no cover of '{_WELL_KNOWN}'"
