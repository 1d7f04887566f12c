"""The toolsets by name, and the registry of some of them. Not responsible for: which ones a persona names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from difflib import get_close_matches

from simulator.errors import UsageError
from simulator.tools.account import login, logout, register
from simulator.tools.books import fetch_book_covers, upload_cover_image
from simulator.tools.extraction import get_page_text, read_buttons, read_forms, read_links, screenshot
from simulator.tools.forms import fill_form
from simulator.tools.interaction import check, click, fill, press_key, select_option
from simulator.tools.lifecycle import complete, fail, switch_user
from simulator.tools.navigation import get_page_url, go_back, navigate, scroll_down, wait_for_element
from simulator.tools.plugins import load_entry, offered
from simulator.tools.registry import Registry
from simulator.tools.spec import ToolSpec
from simulator.tools.workspace.tools import bash, database_query, edit

TOOLSETS: Mapping[str, tuple[ToolSpec, ...]] = {
    "browser": (
        navigate, go_back, scroll_down, wait_for_element, get_page_url,
        click, fill, press_key, select_option, check,
        screenshot, get_page_text, read_forms, read_links, read_buttons,
        fill_form,
        register, login, logout, switch_user,
        complete, fail,
    ),
    "books": (fetch_book_covers, upload_cover_image),
    "workspace": (bash, edit, database_query),
}  # fmt: skip


def toolset(name: str) -> tuple[ToolSpec, ...]:
    """Give the tools of a toolset, built in or offered by an installed package.

    Raises:
        UsageError: there is no such toolset, or it cannot be loaded.
    """
    if name in TOOLSETS:
        return TOOLSETS[name]
    packages = offered()
    if name in packages:
        return load_entry(packages[name])
    known = toolset_names()
    near = get_close_matches(name, known, n=1)
    hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(known)}"
    raise UsageError(f"there is no toolset {name!r}; {hint}")


def toolset_names() -> tuple[str, ...]:
    """Give the names of all toolsets, the built-in ones first."""
    return (*TOOLSETS, *(name for name in offered() if name not in TOOLSETS))


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
