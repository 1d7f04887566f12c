"""The alternative to a replay: the same user's visit as a good engineer writes it for Playwright by hand.

Imports nothing of the product, so that what it costs is Playwright's cost alone.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Any, Self

from playwright.async_api import Browser, Locator, Page, Response, expect

TIMEOUT_MS = 30_000
"""How long each thing may take: on a busy machine both sides are slow, and neither fails."""
expect.set_options(timeout=TIMEOUT_MS)


@dataclass(frozen=True, slots=True)
class Book:
    """A book that is put up for sale."""

    title: str
    author: str
    genre: str
    condition: str
    price: str
    description: str
    cover: str
    """Path of its cover."""


@dataclass(frozen=True, slots=True)
class Shopper:
    """A user, and what they do."""

    username: str
    display_name: str
    email: str
    password: str
    city: str
    books: tuple[Book, ...]
    seller: str
    """The username of whose books they look at."""
    seller_name: str
    saves: str
    """The title of the book that they save."""
    asks_about: str
    message: str
    locale: str
    timezone: str
    width: int
    height: int

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> Self:
        """Read one that was written by ``dataclasses.asdict``."""
        return cls(**{**given, "books": tuple(Book(**book) for book in given["books"])})


async def visit(browser: Browser, base_url: str, who: Shopper) -> None:
    """Do one user's whole visit in a context of its own.

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
        await _register(page, who)
        await _log_in(page, who)
        for book in who.books:
            await _sell(page, book)
        await _save(page, who)
        await _write(page, who)
        await _submit(page, page.get_by_role("button", name="Log out"), "/")
    finally:
        await context.close()


async def _register(page: Page, who: Shopper) -> None:
    await _go(page, "/account/register")
    await page.get_by_label("Username", exact=True).fill(who.username)
    await page.get_by_label("Display name").fill(who.display_name)
    await page.get_by_label("E-mail").fill(who.email)
    await page.get_by_label("Password", exact=True).fill(who.password)
    await page.get_by_label("Repeat password").fill(who.password)
    await page.get_by_label("Town or city").fill(who.city)
    await page.get_by_label("I accept the terms").check()
    await _submit(page, page.get_by_role("button", name="Create account"), "/account/login")


async def _log_in(page: Page, who: Shopper) -> None:
    await page.get_by_label("Username or e-mail").fill(who.username)
    await page.get_by_label("Password").fill(who.password)
    await _submit(page, page.get_by_role("button", name="Log in"), "/")


async def _sell(page: Page, book: Book) -> None:
    await _go(page, "/books/new")
    await page.get_by_label("Cover picture").set_input_files(book.cover)
    await page.get_by_label("Title").fill(book.title)
    await page.get_by_label("Author").fill(book.author)
    await page.get_by_label("Genre").select_option(book.genre)
    await page.get_by_label(book.condition, exact=True).check()
    await page.get_by_label("Price in pounds").fill(book.price)
    await page.get_by_label("Description").fill(book.description)
    await _submit(page, page.get_by_role("button", name="Put it up for sale"), re.compile(r"/books/\d+$"))
    main = page.get_by_role("main")
    await expect(main.get_by_role("heading", name=book.title, exact=True)).to_be_visible()
    for text in (book.author, book.price, book.condition, book.genre, book.description):
        await expect(main).to_contain_text(text)


async def _save(page: Page, who: Shopper) -> None:
    await _go(page, f"/sellers/{who.seller}")
    await _submit(page, page.get_by_role("link", name=who.saves, exact=True), re.compile(r"/books/\d+$"))
    async with page.expect_response(re.compile(r"/books/\d+/save$")) as answer:
        await page.get_by_role("button", name="Save", exact=True).click()
    assert (await answer.value).ok
    await expect(page.get_by_role("alert")).to_have_count(0)


async def _write(page: Page, who: Shopper) -> None:
    await _go(page, f"/sellers/{who.seller}")
    await _submit(page, page.get_by_role("link", name=who.asks_about, exact=True), re.compile(r"/books/\d+$"))
    await page.get_by_label(f"Message to {who.seller_name}").fill(who.message)
    await _submit(page, page.get_by_role("button", name="Send message"), re.compile(r"/books/\d+$"))


async def _go(page: Page, path: str) -> None:
    await _arrived(page, await page.goto(path, wait_until="domcontentloaded"), path)


async def _submit(page: Page, target: Locator, url: str | re.Pattern[str]) -> None:
    async with page.expect_navigation(wait_until="domcontentloaded") as navigation:
        await target.click()
    await _arrived(page, await navigation.value, url)


async def _arrived(page: Page, response: Response | None, url: str | re.Pattern[str]) -> None:
    assert response is not None
    assert response.ok, f"{response.status} at {response.url}"
    await expect(page).to_have_url(url)
    await expect(page.get_by_role("alert")).to_have_count(0)
