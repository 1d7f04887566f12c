"""The toolsets by name, and the registry of some of them. Not responsible for: which ones a persona names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches
from functools import lru_cache
from typing import NamedTuple

from simulator.domain import Pack, packs_in_use
from simulator.errors import UsageError
from simulator.tools.compat.aliases import ALIAS_TOOLSETS
from simulator.tools.compat.computer.tools import COMPUTER
from simulator.tools.compat.elements.browser import unified_browser
from simulator.tools.compat.elements.discovery import element_discovery
from simulator.tools.compat.elements.interaction import element_interaction
from simulator.tools.exporting.tools import write_test
from simulator.tools.families.account import login, logout, register
from simulator.tools.families.console import read_console, read_network
from simulator.tools.families.dialogs import answer_dialog
from simulator.tools.families.entry import check, fill, secure_fill, select, type_, type_text, upload_file
from simulator.tools.families.extraction import (
    extract_text,
    get_html,
    get_page_content,
    get_page_html,
    get_page_text,
    read_buttons,
    read_forms,
    read_links,
    screenshot,
)
from simulator.tools.families.following import follow
from simulator.tools.families.forms import fill_form, submit_form
from simulator.tools.families.interaction import (
    click,
    double_click,
    drag,
    focus,
    hover,
    press_key,
    press_keys,
    right_click,
)
from simulator.tools.families.lifecycle import ask_user, complete, fail, log, switch_user
from simulator.tools.families.navigation import (
    back,
    forward,
    get_page_url,
    navigate,
    refresh,
    scroll,
    scroll_down,
    scroll_to,
)
from simulator.tools.families.skills import list_skills, read_skill
from simulator.tools.families.snapshot import find, get_element_info, read_page
from simulator.tools.families.structured import extract, extract_structured
from simulator.tools.families.tabs import close_tab, list_tabs, open_tab, switch_tab
from simulator.tools.families.waiting import wait, wait_for, wait_for_element
from simulator.tools.mail.tools import open_mail_link, read_mail
from simulator.tools.plugins import load_entry, offered
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolSpec
from simulator.tools.workspace.tools import bash, database_query, edit

_BROWSER: tuple[ToolSpec, ...] = (
    navigate, follow, back, forward, refresh, scroll, scroll_down, scroll_to, get_page_url,
    open_tab, switch_tab, close_tab, list_tabs,
    click, double_click, right_click, hover, drag, focus, press_key, press_keys, answer_dialog,
    fill, type_, type_text, select, check, upload_file,
    wait_for, wait_for_element, wait,
    screenshot, get_page_text, get_page_content, get_page_html, get_html, extract, extract_text, extract_structured,
    read_page, find, get_element_info, read_forms, read_links, read_buttons, read_console, read_network,
    fill_form, submit_form, secure_fill,
    register, login, logout, switch_user,
    complete, fail, log, ask_user,
    list_skills, read_skill, write_test,
)  # fmt: skip
ESSENTIAL: tuple[ToolSpec, ...] = (
    navigate, back, scroll, list_tabs, switch_tab,
    click, hover, press_key, fill, select, check, fill_form, submit_form, wait_for,
    screenshot, read_page,
    register, login, logout,
    complete, fail, ask_user,
)  # fmt: skip
"""What a model is offered of the toolset ``browser``: each tool that it is offered is paid for with each request."""
MORE = "browser-more"
"""The toolset by which a model is offered the rest."""
MAIL = "mail"
"""The toolset that every user is offered where a mailbox is set up."""

_CORE: Mapping[str, tuple[ToolSpec, ...]] = {
    "browser": _BROWSER,
    MORE: tuple(spec for spec in _BROWSER if spec not in ESSENTIAL),
    "anthropic-browser": (
        register, login, logout, switch_user, complete, fail, log, ask_user,
    ),
    "elements": (element_discovery, element_interaction, unified_browser, complete, fail),
    "computer": COMPUTER,
    MAIL: (read_mail, open_mail_link),
    "workspace": (bash, edit, database_query),
    **ALIAS_TOOLSETS,
}  # fmt: skip


@lru_cache(maxsize=8)
def _together(packs: tuple[Pack, ...]) -> Mapping[str, tuple[ToolSpec, ...]]:
    """Put the toolsets of packs beside those that are there: new ones after the first, and the rest with theirs."""
    added: dict[str, tuple[ToolSpec, ...]] = {}
    for pack in packs:
        for name, specs in pack.toolsets().items():
            added[name] = (*added.get(name, ()), *specs)
    new = {name: specs for name, specs in added.items() if name not in _CORE}
    named = {name: (*specs, *added.get(name, ())) for name, specs in _CORE.items()}
    first = ("browser", MORE)
    return {name: named[name] for name in first} | new | {name: named[name] for name in named if name not in first}


def known_toolsets() -> Mapping[str, tuple[ToolSpec, ...]]:
    """Give the tools of each toolset that is built in or of a pack in use, by its name."""
    return _together(packs_in_use())


def toolset(name: str) -> tuple[ToolSpec, ...]:
    """Give the tools of a toolset, built in or offered by an installed package.

    Raises:
        UsageError: there is no such toolset, or it cannot be loaded.
    """
    known = known_toolsets()
    if name in known:
        return known[name]
    packages = offered()
    if name in packages:
        return load_entry(packages[name])
    names = toolset_names()
    near = get_close_matches(name, names, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(names)}"
    raise UsageError(f"there is no toolset {name!r}; {hint}")


def toolset_names() -> tuple[str, ...]:
    """Give the names of all toolsets, the built-in ones first."""
    known = known_toolsets()
    return (*known, *(name for name in offered() if name not in known))


def essential(spec: ToolSpec, toolsets: Iterable[str]) -> bool:
    """Return whether a model is offered a tool: all but what is there by the toolset ``browser`` alone.

    Args:
        spec: the tool.
        toolsets: those that were named.
    """
    if spec in ESSENTIAL or spec not in _BROWSER:
        return True
    return any(spec in toolset(name) for name in toolsets if name != "browser")


class Offer(NamedTuple):
    """A tool, and the toolsets that offer it under its name."""

    spec: ToolSpec
    toolsets: tuple[str, ...]


def offers(names: Iterable[str] | None = None) -> list[Offer]:
    """Give each tool once.

    Args:
        names: of the toolsets; None: of all.

    Raises:
        UsageError: there is no such toolset, or one cannot be loaded.
    """
    found: list[Offer] = []
    for name in toolset_names() if names is None else names:
        for spec in toolset(name):
            place = next((at for at, offer in enumerate(found) if offer.spec == spec), None)
            if place is None:
                found.append(Offer(spec, (name,)))
            else:
                found[place] = Offer(spec, (*found[place].toolsets, name))
    return found


def find_offer(tool: str, toolset: str | None = None) -> Offer:
    """Find a tool by name or alias; where several toolsets mean different tools by it, the first is given.

    Raises:
        UsageError: there is none; the message lists the nearest names.
    """
    known = offers([toolset] if toolset else None)
    for offer in known:
        if tool in (offer.spec.name, *offer.spec.aliases):
            return offer
    near = get_close_matches(tool, [offer.spec.name for offer in known], n=3)
    hint = f"did you mean {' or '.join(near)}?" if near else "'sim tools list' shows what there is"
    raise UsageError(f"there is no tool {tool!r}" + (f" in the toolset {toolset!r}" if toolset else "") + f"; {hint}")


def registry_of(toolsets: Iterable[str], own: Iterable[ToolSpec] = ()) -> Registry:
    """Make the registry of some toolsets.

    Args:
        toolsets: their names.
        own: further tools.

    Raises:
        UsageError: there is no such toolset, or two of them call different tools by one name.
    """
    registry = Registry()
    origins = [(f"toolset {name!r}", toolset(name)) for name in toolsets] + [("own tools", tuple(own))]
    for origin, specs in origins:
        for spec in specs:
            try:
                registry.register(spec)
            except ValueError as error:
                raise UsageError(f"{origin}: {error}; name one of the two toolsets, not both") from None
    return registry
