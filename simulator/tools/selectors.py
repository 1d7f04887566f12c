"""Reads the selectors that an agent gives: CSS or words, whichever fits something on the page.

Not responsible for: whether one element or several fit, which the actor judges.
"""

from __future__ import annotations

import asyncio
import re
import time
from typing import TYPE_CHECKING, Literal

from simulator.browser.find import Find
from simulator.errors import ToolError

if TYPE_CHECKING:
    from simulator.browser.actor import Actor

PATIENCE_S = 3.0
"""How long to wait until one of several meanings of a selector fits."""
POLL_S = 0.1
ACTION_MS = 5_000
"""How long an element may take to be ready to be acted on, unless a call says otherwise."""

_SAY_INSTEAD = 'name the element by its words, role=button[name="…"] or ref=…'
_PREFIXED = re.compile(r"(css|text|label|ref)=(.+)", re.DOTALL)
_NAMED = r"\[\s*name\s*=\s*(?:([\"'])(.*)\2|([^\"'\[\]/]*[^\"'\[\]/\s]))\s*\]"
_ROLE = re.compile(rf"role=([a-z]+)\s*(?:{_NAMED})?", re.DOTALL)
"""The quotes may be left out, as Playwright allows."""
_TAGS = (
    "a|article|aside|body|button|canvas|details|dialog|div|fieldset|form|h[1-6]|header|footer|iframe|img|input|"
    "label|legend|li|main|nav|ol|option|p|section|select|span|summary|table|tbody|td|textarea|th|thead|tr|ul"
)
_CSS = re.compile(rf"[#.\[*:]|(?:{_TAGS})(?=$|[#.\[:>+~]|\s*[>+~,]|\s+[#.\[*]|\s+(?:{_TAGS})(?=$|\W))")


def read_selector(selector: str, *, field: bool = False) -> tuple[Find, ...]:
    """Give what a selector may mean.

    Args:
        selector: CSS, plain words, or one of ``css=``, ``text=``, ``label=``, ``ref=``,
            ``role=button[name="Save"]``, or ``role=button``.
        field: whether plain words are a field's label, or else its name, before they are a text.

    Returns:
        One way where the selector says which; else several, the likeliest first.

    Raises:
        ToolError: ``invalid_input``; it begins as one with a role and goes on otherwise.
    """
    if match := _ROLE.fullmatch(selector):
        return (Find("role", match.group(1), match.group(3) or match.group(4) or ""),)
    if selector.startswith("role="):
        raise ToolError("invalid_input", f'a role has nothing but a name: role=button[name="Save"], not {selector!r}')
    if match := _PREFIXED.fullmatch(selector):
        how: Literal["css", "text", "label", "ref"] = match.group(1)  # type: ignore[assignment]
        return (Find(how, match.group(2)),)
    css, text = Find("css", selector), Find("text", selector)
    plain = (Find("label", selector), text) if field else (text,)
    return (css, *plain) if _CSS.match(selector) else (*plain, css)


def patience(timeout_ms: float) -> float:
    """Give how long to look for an element, in seconds, in a call that may take this many milliseconds."""
    return min(PATIENCE_S, timeout_ms / 1000)


async def locate(actor: Actor, selector: str, *, field: bool = False, patience_s: float = PATIENCE_S) -> Find:
    """Choose the first meaning of a selector that fits something visible, waiting a little for it.

    Args:
        actor: whose page.
        selector: as for :func:`read_selector`.
        field: as there.
        patience_s: how long to wait, in seconds, where there are several meanings.

    Raises:
        ToolError: ``not_found``; nothing fits; the message says what was tried.
    """
    finds = read_selector(selector, field=field)
    if len(finds) == 1:
        return finds[0]
    deadline = time.monotonic() + patience_s
    while True:
        fits = {}
        for find in finds:
            fits[find.how] = await _fits(actor, find, field=field)
            if fits[find.how]:
                return find
        if time.monotonic() > deadline:
            tried = ", ".join(find.how for find in finds)
            meant = finds[0].how == "css" and fits["css"] is None
            hint = f"; as CSS it is not valid: {_SAY_INSTEAD}" if meant else ""
            raise ToolError(
                "not_found", f"nothing visible on {actor.here.url} fits {selector!r} (tried as {tried}){hint}"
            )
        await asyncio.sleep(POLL_S)


async def _fits(actor: Actor, find: Find, *, field: bool) -> bool | None:
    """Return whether something visible fits, or a field in whose place an editor has drawn a frame.

    None for what is no CSS, as words seldom are: the page says so.
    """
    try:
        return await actor.frames.visible(find) or (field and await actor.elements.written_in(find) != find)
    except ToolError as error:
        if find.how == "css" and error.type == "not_actionable":
            return None
        raise
