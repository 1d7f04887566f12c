"""The tool that follows a link by a description of it. Not responsible for: how well words fit (``matching``)."""

from __future__ import annotations

from collections.abc import Sequence

from pydantic import JsonValue

from simulator.browser.find import Find
from simulator.browser.views.reading import Candidate
from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.pages.answers import action_as_json
from simulator.tools.pages.matching import Match, rank_candidates
from simulator.tools.spec import tool

CANDIDATES = 2_000
_LISTED = 5
_CLOSE = 0.05
"""Scores that differ by no more than this are alike."""


@tool(
    category="navigation",
    safety="low_risk",
    replay="actions",
    requires_page=True,
    examples=[{"description": "the newest entries"}, {"description": "contact the owner"}],
)
async def follow(ctx: RunContext, description: str) -> JsonValue:
    """Follow the link of the page that a description in plain words means; several that fit are an error.

    Args:
        ctx: The run.
        description: What the link says or where it leads, for example: the crime section.

    Returns:
        The link that was followed and the page after it had settled.
    """
    words = ctx.bindings.render(description)
    links = [one for one in await ctx.actor.reader.candidates(CANDIDATES) if one.href]
    link = choose_link(words, links)
    if [one.name for one in links].count(link.name) > 1 and not link.near:
        # A replay could not distinguish it from the others of its name; where they lead is the same.
        report = await ctx.actor.navigation.goto(link.href)
    else:
        report = await ctx.actor.click(Find("ref", link.ref))
    return {"followed": _words(link), **action_as_json(report)}


def choose_link(description: str, links: Sequence[Candidate]) -> Candidate:
    """Give the link that a description means: the same one every time.

    Args:
        description: in plain words.
        links: in the order of the page.

    Raises:
        ToolError: ``not_found`` or ``ambiguous``; the message lists the links that come closest.
    """
    ranked = rank_candidates(description, links)
    if not ranked:
        there = ", ".join(map(_words, links[:_LISTED])) or "none"
        raise ToolError("not_found", f"no link on the page fits {description!r}; there are: {there}")
    best = ranked[0]
    # Two links to one place are one choice.
    alike = [match for match in ranked if best.score - match.score <= _CLOSE]
    places = list({match.thing.href: match for match in reversed(alike)}.values())[::-1]
    if len(places) > 1:
        raise ToolError("ambiguous", f"several links fit {description!r}: {_listed(places)}; say more, or click one")
    return best.thing


def _listed(matches: Sequence[Match[Candidate]]) -> str:
    shown = ", ".join(_words(match.thing) for match in matches[:_LISTED])
    more = len(matches) - _LISTED
    return f"{shown} and {more} more" if more > 0 else shown


def _words(link: Candidate) -> str:
    near = f" beside {link.near[0]!r}" if link.near and link.near[0] != link.name else ""
    return f"{link.name!r}{near} to {link.href} (ref={link.ref})"
