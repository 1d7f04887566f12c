"""The alternative to a replay on the office: the visit as an expert writes it by hand, with a good tester's assertions.

After each page: its address, its heading and no alert; after each write what it made, where the site shows it.
Imports nothing of the product. ``python -m benchmarks.clerk ADDRESS BROWSER JSON`` is the whole command.
"""

from __future__ import annotations

import asyncio
import json
import re
import sys
from dataclasses import dataclass

from playwright.async_api import Browser, Locator, Page, async_playwright, expect

NOTES = ("Paper, 20 sheets", "Ink for the press", "Call the printer back")
CHANGED = "Paper, 25 sheets"


@dataclass(frozen=True, slots=True)
class Clerk:
    """Who visits."""

    username: str
    name: str
    email: str
    password: str
    locale: str
    timezone: str
    width: int
    height: int


async def visit(browser: Browser, base_url: str, who: Clerk) -> None:
    """Open an account, keep notes, change one, order a lamp and track it.

    Raises:
        AssertionError: the site did not do as it should.
    """
    context = await browser.new_context(
        base_url=base_url,
        locale=who.locale,
        timezone_id=who.timezone,
        viewport={"width": who.width, "height": who.height},
        reduced_motion="reduce",
        service_workers="block",
    )
    try:
        page = await context.new_page()
        await page.goto("/register")
        await _arrived(page, "/register", "Register")
        await page.get_by_label("Username").fill(who.username)
        await page.get_by_label("Name", exact=True).fill(who.name)
        await page.get_by_label("E-mail").fill(who.email)
        await page.get_by_label("Password").fill(who.password)
        await page.get_by_role("button", name="Create account").click()
        await _arrived(page, "/login", "Log in")
        await page.get_by_label("Username").fill(who.username)
        await page.get_by_label("Password").fill(who.password)
        await page.get_by_role("button", name="Log in").click()
        await _arrived(page, "/desk", "Desk")
        await expect(page.get_by_text(f"Hello {who.name}")).to_be_visible()
        for text in NOTES:
            await page.get_by_role("textbox", name="Note").fill(text)
            await _sent(page, page.get_by_role("button", name="Keep note"), text)
            await _to_desk(page, text)
        await page.get_by_role("link", name=NOTES[0]).click()
        await _arrived(page, re.compile(r"/notes/\d+$"), "Note")
        await page.get_by_role("textbox", name="Text").fill(CHANGED)
        await _sent(page, page.get_by_role("button", name="Change"), CHANGED)
        await _to_desk(page, CHANGED)
        await page.get_by_role("button", name="Order a lamp").click()
        await _arrived(page, re.compile(r"/orders/\d+$"), "Thank you")
        number, code = await page.locator("dd strong").inner_text(), await page.locator("code").inner_text()
        await page.get_by_role("link", name="Track an order").click()
        await _arrived(page, "/track", "Track an order")
        await page.get_by_role("textbox", name="Order").fill(number)
        await page.get_by_role("textbox", name="Code").fill(code)
        await page.get_by_role("button", name="Track").click()
        await _arrived(page, "/track", "On its way")
        await expect(page.get_by_role("status")).to_have_text("Your lamp is on its way.")
    finally:
        await context.close()


async def _sent(page: Page, button: Locator, text: str) -> None:
    await button.click()
    await _arrived(page, re.compile(r"/notes/\d+$"), "Note")
    await expect(page.get_by_text("Your note is kept.")).to_be_visible()
    await expect(page.get_by_text(text, exact=True)).to_be_visible()


async def _to_desk(page: Page, text: str) -> None:
    await page.get_by_role("link", name="Desk").click()
    await _arrived(page, "/desk", "Desk")
    await expect(page.get_by_role("listitem").filter(has_text=text)).to_have_count(1)


async def _arrived(page: Page, url: str | re.Pattern[str], heading: str) -> None:
    await expect(page).to_have_url(url)
    await expect(page.get_by_role("heading", level=1)).to_have_text(heading)
    await expect(page.get_by_role("alert")).to_have_count(0)


async def main(base_url: str, executable: str, who: Clerk) -> None:
    """Start a browser, and visit."""
    async with async_playwright() as playwright:
        browser = await playwright.chromium.launch(executable_path=executable, args=["--no-sandbox"])
        await visit(browser, base_url, who)
        await browser.close()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2], Clerk(**json.loads(sys.argv[3]))))
