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


def registry_of(toolsets: Iterable[str]) -> Registry:
    """Make the registry of some toolsets.

    Raises:
        UsageError: there is no such toolset.
    """
    registry = Registry()
    for name in toolsets:
        if name not in TOOLSETS:
            near = get_close_matches(name, TOOLSETS, n=1)
            hint = f"did you mean {near[0]!r}?" if near else f"there are: {', '.join(TOOLSETS)}"
            raise UsageError(f"there is no toolset {name!r}; {hint}")
        for spec in TOOLSETS[name]:
            registry.register(spec)
    return registry
