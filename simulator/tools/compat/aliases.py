"""Toolsets that call the same tools by the names of other designs. Not responsible for: any tool.

An agent written for one of those designs finds here what it calls, under the name it knows. Where two designs mean
different tools by one name, the toolset decides: ``navigate`` takes an address in most and the description of a link in
``flybrowser``.
"""

from __future__ import annotations

from collections.abc import Mapping

from simulator.tools.compat.computer.tools import computer
from simulator.tools.exporting.tools import write_test
from simulator.tools.families.account import login
from simulator.tools.families.entry import check, fill, secure_fill, select, type_, type_text, upload_file
from simulator.tools.families.extraction import (
    extract_text,
    get_html,
    get_page_content,
    get_page_html,
    get_page_text,
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
from simulator.tools.spec import ToolSpec, renamed
from simulator.tools.workspace.tools import bash, edit

ALIAS_TOOLSETS: Mapping[str, tuple[ToolSpec, ...]] = {
    "tot": (
        screenshot, navigate, click, fill, press_key, get_page_text, get_page_url, scroll_down, wait_for_element,
        switch_user, login,
    ),
    "web-automator": (
        navigate, click, type_, scroll, wait_for, screenshot, get_page_content, extract, get_html,
        renamed(complete, "done", aliases=["complete"]), list_skills, read_skill,
        write_test,
    ),
    "flybrowser": (
        renamed(navigate, "goto"), renamed(follow, "navigate"), back, forward, refresh, scroll, scroll_to, get_page_url,
        open_tab, switch_tab, close_tab, list_tabs,
        click, double_click, right_click, hover, drag, focus, press_key, press_keys,
        fill, type_, type_text, select, check, upload_file, fill_form, submit_form, secure_fill,
        wait, wait_for,
        screenshot, renamed(get_page_html, "get_page_content"), extract_text, extract_structured, get_element_info,
        complete, fail, log, ask_user,
    ),
    "quickstarts": (
        computer, bash, renamed(edit, "str_replace_based_edit_tool", aliases=["str_replace_editor"]),
        navigate, read_page, find, get_page_text, scroll_to, complete, fail,
    ),
}  # fmt: skip
