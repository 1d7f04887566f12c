"""What only a browser shows: scripts, names and roles, the keyboard, and that nothing is refused by the CSP."""

from __future__ import annotations

import os
import shutil
from collections.abc import AsyncIterator
from typing import Any

import pytest
from playwright.async_api import Browser, BrowserContext, FilePayload, Page, async_playwright, expect

pytestmark = pytest.mark.promise("the bookshop in a browser", quick=2)

PAGES = [
    "/", "/books", "/books/1", "/books/2", "/books/new", "/sellers/house", "/sellers/house/message", "/my/books",
    "/saved", "/inbox", "/this-or-that", "/this-or-that/1", "/this-or-that/new", "/about", "/terms",
]  # fmt: skip

UNNAMED = """() => [...document.querySelectorAll('input:not([type=hidden]), select, textarea, button, a, img')]
    .filter(e => !e.closest('[aria-hidden=true]') && !e.hidden)
    .filter(e => !(e.labels?.length || e.textContent.trim() || e.getAttribute('alt') !== null
        || e.getAttribute('aria-label')))
    .map(e => e.outerHTML)"""


@pytest.fixture
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        sandboxed = os.geteuid() != 0
        browser = await playwright.chromium.launch(
            executable_path=shutil.which("chromium-headless-shell"),
            args=[] if sandboxed else ["--no-sandbox"],
        )
        yield browser
        await browser.close()


async def page_of(reader: Any, browser: Browser, **options: Any) -> Page:
    """Open a page in which the reader is logged in; what the console complains of fails the test."""
    context: BrowserContext = await browser.new_context(base_url=reader.shop.url, **options)
    await context.add_cookies(
        [{"name": n, "value": v, "url": reader.shop.url} for n, v in reader.client.cookies.items()]
    )
    return await context.new_page()


def complaints(page: Page) -> list[str]:
    found: list[str] = []
    page.on("pageerror", lambda error: found.append(str(error)))
    page.on("console", lambda message: found.append(message.text) if message.type == "error" else None)
    return found


async def test_a_reader_registers_and_sells_a_book(visitor: Any, browser: Browser, make_image: Any) -> None:
    page = await page_of(visitor, browser)
    found = complaints(page)
    await page.goto("/account/register")
    for label, value in (
        ("Username", "anna"),
        ("Display name", "Anna"),
        ("E-mail", "anna@example.org"),
        ("Password", visitor.password),
        ("Repeat password", visitor.password),
        ("Town or city", "Leeds"),
    ):
        await page.get_by_label(label, exact=True).fill(value)
    await page.get_by_label("I accept the terms").check()
    await page.get_by_role("button", name="Create account").click()
    await expect(page.get_by_role("status")).to_contain_text("Welcome, Anna!")
    await page.get_by_label("Username or e-mail").fill("anna")
    await page.get_by_label("Password").fill(visitor.password)
    await page.get_by_role("main").get_by_role("button", name="Log in").click()

    await page.get_by_role("navigation", name="Main").get_by_role("link", name="Sell a book").click()
    await page.get_by_label("Title").fill("Emma")
    await page.get_by_label("Author").fill("Jane Austen")
    await page.get_by_label("Genre").select_option(label="Classics")
    await page.get_by_role("group", name="Condition").get_by_label("Like new").check()
    await page.get_by_label("Price in pounds").fill("4.50")
    await page.get_by_label("Description").fill("One\nTwo")
    preview = page.get_by_alt_text("Preview of the chosen cover")
    await expect(preview).to_be_hidden()
    picture = FilePayload(name="emma.png", mimeType="image/png", buffer=make_image())
    await page.get_by_label("Cover picture").set_input_files(picture)
    await expect(preview).to_be_visible()
    await expect(preview).to_have_js_property("naturalWidth", 40)
    await page.get_by_role("button", name="Put it up for sale").click()
    await expect(page.get_by_role("heading", level=1)).to_have_text("Emma")
    await expect(page.get_by_alt_text("Cover of Emma")).to_have_js_property("naturalWidth", 40)
    assert visitor.shop.state()["anna"]["listing"]["1"]["description"] == "One\nTwo"
    assert found == []


async def test_saving_changes_the_button_and_the_count_in_place(anna: Any, browser: Browser) -> None:
    page = await page_of(anna, browser)
    await page.goto("/books/1")
    await page.evaluate("window.untouched = true")
    await page.get_by_role("button", name="Save", exact=True).click()
    saved = page.get_by_role("button", name="Saved")
    await expect(saved).to_have_attribute("aria-pressed", "true")
    await expect(page.get_by_text("1 reader has saved this book")).to_be_visible()
    assert "save" in anna.shop.state()["anna"]
    await saved.click()
    await expect(page.get_by_text("0 readers have saved this book")).to_be_visible()
    assert "save" not in anna.shop.state()["anna"]
    assert await page.evaluate("window.untouched")


@pytest.mark.slow
async def test_saving_on_a_card_saves_that_book(anna: Any, browser: Browser) -> None:
    page = await page_of(anna, browser)
    await page.goto("/books")
    card = page.get_by_role("article", name="Middlemarch")
    await card.get_by_role("button", name="Save").click()
    await expect(card.get_by_role("button")).to_have_text("Saved")
    await expect(page.get_by_role("button", name="Saved")).to_have_count(1)
    assert anna.shop.state()["anna"]["save"]["1"]["listing"] == ["house", "listing", 5]


@pytest.mark.slow
async def test_saving_works_without_a_script(anna: Any, browser: Browser) -> None:
    page = await page_of(anna, browser, java_script_enabled=False)
    await page.goto("/books/1")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("status")).to_contain_text("is saved")
    await expect(page.get_by_role("button", name="Saved")).to_be_visible()


async def test_a_save_after_logging_out_elsewhere_does_not_claim_success(anna: Any, browser: Browser) -> None:
    page = await page_of(anna, browser)
    await page.goto("/books/1")
    anna.submit("/", {}, to="/account/logout")
    await page.get_by_role("button", name="Save", exact=True).click()
    await expect(page.get_by_role("link", name="Log in to save or write")).to_be_visible()


@pytest.mark.breadth(1)
@pytest.mark.parametrize("width", [1280, 390])
async def test_every_page_is_whole_and_named(anna: Any, browser: Browser, width: int) -> None:
    page = await page_of(anna, browser, viewport={"width": width, "height": 900})
    own = anna.list_book(title="A title as long as they come " * 6)
    found = complaints(page)
    titles = set()
    for path in (*PAGES, own, f"{own}/edit", f"{own}/delete"):
        response = await page.goto(path)
        assert response is not None
        assert response.status == 200, path
        await expect(page.get_by_role("heading", level=1)).to_have_count(1)
        await expect(page.locator("html")).to_have_attribute("lang", "en-GB")
        for landmark in ("banner", "main", "contentinfo", "search"):
            await expect(page.get_by_role(landmark)).to_have_count(1)  # type: ignore[arg-type]
        assert await page.evaluate(UNNAMED) == [], path
        assert await page.evaluate("document.documentElement.scrollWidth <= innerWidth"), path
        doubles = "[...document.querySelectorAll('[id]')].length - new Set([...document.querySelectorAll('[id]')]"
        assert await page.evaluate(doubles + ".map(e => e.id)).size") == 0, path
        titles.add(await page.title())
    assert len(titles) == len(PAGES) + 3
    assert found == []


async def test_the_keyboard_skips_to_the_content(visitor: Any, browser: Browser) -> None:
    page = await page_of(visitor, browser)
    await page.goto("/books")
    await page.keyboard.press("Tab")
    await expect(page.get_by_role("link", name="Skip to content")).to_be_focused()
    await page.keyboard.press("Enter")
    await expect(page.get_by_role("main")).to_be_focused()


async def test_an_error_leads_to_its_field(anna: Any, browser: Browser) -> None:
    page = await page_of(anna, browser)
    await page.goto("/books/new")
    await page.get_by_role("button", name="Put it up for sale").click()
    summary = page.get_by_role("alert")
    await expect(summary).to_contain_text("Please check 6 fields")
    await expect(page.get_by_label("Title")).to_have_accessible_description("Enter the title of the book.")
    await summary.get_by_role("link", name="Price").click()
    await expect(page.get_by_label("Price in pounds")).to_be_focused()
