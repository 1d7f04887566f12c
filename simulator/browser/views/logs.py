"""What a page logged and requested since it was opened. Not responsible for: which requests are allowed, or masking.

The browser's driver keeps the last of them for every page in any case; nothing listens while a run does not ask.
"""

from __future__ import annotations

from dataclasses import dataclass

from playwright.async_api import Page, Request


@dataclass(frozen=True, slots=True)
class LogEntry:
    """One line of a page's console, or an error that no script of the page caught."""

    level: str
    """As the browser calls it: ``log``, ``info``, ``warning``, ``error``, …; ``uncaught`` for an error."""
    text: str
    source: str
    """``URL:line``, where it is known; empty otherwise."""


@dataclass(frozen=True, slots=True)
class RequestEntry:
    """One request of a page."""

    method: str
    url: str
    kind: str
    """What the page wanted it for: ``document``, ``fetch``, ``image``, …"""
    status: int | None
    """None while nothing has been answered."""
    failure: str
    """Why there is no answer and will be none; empty otherwise."""


async def logged(page: Page) -> list[LogEntry]:
    """Give the console of a page, oldest first, then its uncaught errors: the last 200 of each."""
    lines = [
        LogEntry(
            one.type, one.text, f"{one.location['url']}:{one.location['lineNumber']}" if one.location["url"] else ""
        )
        for one in await page.console_messages(filter="all")
    ]
    return [*lines, *(LogEntry("uncaught", str(error.message), "") for error in await page.page_errors(filter="all"))]


async def requested(page: Page) -> list[RequestEntry]:
    """Give the last 100 requests of a page, oldest first."""
    return [_entry(request) for request in await page.requests()]


def _entry(request: Request) -> RequestEntry:
    answer = request.existing_response
    return RequestEntry(
        request.method, request.url, request.resource_type, answer.status if answer else None, request.failure or ""
    )
