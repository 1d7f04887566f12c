"""A pytest plugin with the fixtures that pytest-playwright gives, for the one run that checks an exported test.

Not responsible for: running it. Browser and context are as the run's were: what the browser may reach, its view, its
locale. It is loaded by its name in the process of that test alone.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, sync_playwright

SETTINGS: Final = "SIM_CHECK_BROWSER"
"""Environment variable with the arguments of the browser and of its contexts, as JSON."""


class _Contexts:
    """A browser whose contexts are all as the run's was."""

    def __init__(self, browser: Browser, context: dict[str, Any]) -> None:
        self._browser = browser
        self._context = context

    def new_context(self) -> Any:
        """Open a context."""
        return self._browser.new_context(**self._context)


@pytest.fixture
def browser() -> Iterator[_Contexts]:
    """Start the browser."""
    settings = json.loads(os.environ[SETTINGS])
    with sync_playwright() as playwright:
        started = playwright.chromium.launch(**settings["launch"])
        yield _Contexts(started, settings["context"])
        started.close()


@pytest.fixture
def page(browser: _Contexts) -> Page:
    """Open a page in a context of its own."""
    opened: Page = browser.new_context().new_page()
    return opened
