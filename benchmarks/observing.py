"""Rows ``observation …``: how many characters ``read_page`` takes for pages of the bookshop, against Playwright MCP.

Every element that can be acted on has to be in it, with a reference that leads to it.
"""

from __future__ import annotations

from contextlib import AsyncExitStack
from pathlib import Path
from typing import Any

from playwright.async_api import Browser, Page

from benchmarks.measure import Budget, Rounds, Row
from benchmarks.playwright_mcp import PACKAGE, Server, Unavailable, installed
from benchmarks.stage import Stage, record, stage
from benchmarks.unrecorded import unrecorded
from simulator.browser.actor import Actor
from simulator.browser.launch.executable import find_executable
from simulator.tools.families.snapshot import TREE_LIMIT

PAGES = {
    "home": "/",
    "listing": "/books/2",
    "create form": "/books/new",
    "inbox": "/inbox",
    "this or that": "/this-or-that/1",
}
_DEPTH = 15
"""The default of read_page."""
_PASSWORD = "correct horse 1"
_ACTIONABLE = ", ".join(
    [
        "a[href]", "button", "input:not([type=hidden])", "select", "textarea", "summary", "[contenteditable]",
        "[onclick]", "[role=button]", "[role=link]", "[role=tab]", "[role=menuitem]", "[role=checkbox]",
        "[tabindex='0']",
    ]
)  # fmt: skip
_UNREAD = """([selector, refs]) => {
  const read = new Set(refs.flatMap(value => __sim.sought({how: "ref", value})));
  const seen = [...document.querySelectorAll(selector)].filter(el =>
    el.checkVisibility({visibilityProperty: true}) && el.getBoundingClientRect().width > 0);
  return {total: seen.length, unread: seen.filter(el => !read.has(el)).map(el => el.outerHTML.slice(0, 120))};
}"""


async def measure(rounds: Rounds) -> list[Row]:
    """Measure the rows: one sample of each page, as a text is as long every time."""
    async with stage() as on, AsyncExitStack() as stack:
        await record(on, 1)
        actor = (await stack.enter_async_context(unrecorded(on))).actor
        context = actor.page.context
        assert context.browser is not None
        state = on.folder / "cookies.json"
        await context.add_cookies(await _correspond(context.browser, on.site.base_url, state))
        theirs, alternative = await _server(stack, on, state)
        rows = []
        for name, path in PAGES.items():
            ours, elements = await _observe(actor, path)
            told = [float(len(await theirs.snapshot(on.site.base_url + path)))] if theirs else []
            what = f"read_page of {path}, with all {elements} elements to act on"
            rows.append(Row(f"observation {name}", what, alternative, "characters", [float(ours)], told, Budget(1)))
        return rows


async def _server(stack: AsyncExitStack, on: Stage, state: Path) -> tuple[Server | None, str]:
    folder = on.folder / "mcp"
    folder.mkdir()
    try:
        server = await stack.enter_async_context(installed(folder, find_executable().path, state))
    except Unavailable as reason:
        return None, f"{PACKAGE}: {reason}"
    return server, f"browser_snapshot of {PACKAGE}"


async def _observe(actor: Actor, path: str) -> tuple[int, int]:
    """Read a page.

    Returns:
        The characters it takes, and how many elements can be acted on.

    Raises:
        RuntimeError: one of them is not in it.
    """
    await actor.navigation.goto(path)
    read = await actor.reader.tree(depth=_DEPTH, limit=TREE_LIMIT)
    refs = [part.partition("]")[0] for part in read.tree.split("[ref=")[1:]]
    seen = await actor.page.evaluate(_UNREAD, [_ACTIONABLE, refs])
    if seen["unread"] or read.left:
        raise RuntimeError(f"read_page of {path} lacks {seen['unread']} and {read.left} lines")
    return len(read.tree), int(seen["total"])


async def _correspond(browser: Browser, base_url: str, state: Path) -> Any:
    """Log a new user in whom another one has written to.

    Args:
        browser: for a window of each.
        base_url: the bookshop's.
        state: where the user's cookies are written.

    Returns:
        The cookies.
    """
    reader, writer = await browser.new_context(), await browser.new_context()
    await _join(await reader.new_page(), base_url, "bench_reader")
    page = await writer.new_page()
    await _join(page, base_url, "bench_writer")
    await page.goto(f"{base_url}/sellers/bench_reader/message")
    await page.get_by_label("Message", exact=True).fill("Would you keep the Poe for me until Friday?")
    await page.get_by_role("button", name="Send message").click()
    await page.get_by_role("status").wait_for()
    stored = await reader.storage_state(path=state)
    for context in (reader, writer):
        await context.close()
    return stored["cookies"]


async def _join(page: Page, base_url: str, name: str) -> None:
    await page.goto(f"{base_url}/account/register")
    for label, text in (
        ("Username", name),
        ("Display name", name.replace("_", " ").title()),
        ("E-mail", f"{name}@example.org"),
        ("Password", _PASSWORD),
        ("Repeat password", _PASSWORD),
        ("Town or city", "Leeds"),
    ):
        await page.get_by_label(label, exact=True).fill(text)
    await page.get_by_label("I accept the terms").check()
    await page.get_by_role("button", name="Create account").click()
    await page.get_by_label("Username or e-mail").fill(name)
    await page.get_by_label("Password").fill(_PASSWORD)
    await page.get_by_role("button", name="Log in").click()
    await page.get_by_role("button", name="Log out").wait_for()
