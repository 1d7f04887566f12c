"""Asking the script of a page: what answers, what does not, and what is heard of a page that goes meanwhile."""

from __future__ import annotations

import asyncio
import contextlib

import pytest
from playwright.async_api import Error as PlaywrightError
from playwright.async_api import Page

from simulator.browser.follow import is_closed
from simulator.browser.launch.script import ask
from tests.browser.conftest import Answer, SmallSite, Stage

pytestmark = [pytest.mark.asyncio(loop_scope="session")]


async def _asked(stage: Stage, site: SmallSite) -> tuple[Page, asyncio.Task[object]]:
    """Ask a page to come to rest whose document never ends."""
    site.routes["/slow"] = Answer("<title>Slow</title><p>Slow", rest="end", rest_after=site.gate())
    page = stage.actor.page
    await page.goto(f"{site.url}/slow", wait_until="commit")
    assert await ask(page, "tokenOf")
    asking = asyncio.create_task(ask(page, "follow", 60_000, {"opening": True}))
    await page.evaluate("0")
    assert not asking.done()
    return page, asking


async def test_a_page_answers_with_what_no_quoting_spoils(stage: Stage, site: SmallSite) -> None:
    words = "'\"`\\${1}</script>\u2028\u00e9\U0001f600"
    site.page("/said", "<p id=said></p>")
    page = stage.actor.page
    await page.goto(f"{site.url}/said")
    await page.evaluate("words => { said.textContent = words }", words)
    told = await ask(page, "readShown", {"words": [words.lower()], "names": [], "pictures": False})
    assert [one["text"] for one in told["places"]] == [words.replace("\u2028", " ")]


async def test_what_goes_wrong_in_the_page_is_an_error(stage: Stage, site: SmallSite) -> None:
    site.page("/", "")
    await stage.actor.page.goto(f"{site.url}/")
    with pytest.raises(PlaywrightError, match="TypeError"):
        await ask(stage.actor.page, "noSuchQuestion")


@pytest.mark.parametrize("ending", ["crash", "close", "leave"])
async def test_a_page_that_goes_while_it_is_asked_is_heard_of(stage: Stage, site: SmallSite, ending: str) -> None:
    page, asking = await _asked(stage, site)
    if ending == "leave":
        site.page("/next", "next")
        await page.goto(f"{site.url}/next")
    elif ending == "close":
        await page.close()
    else:
        with contextlib.suppress(PlaywrightError):
            await page.goto("chrome://crash")
    with pytest.raises(PlaywrightError) as error:
        await asyncio.wait_for(asking, 30)
    assert is_closed(error.value) is (ending != "leave")


async def test_a_page_that_has_crashed_answers_nothing(stage: Stage) -> None:
    page = stage.actor.page
    with contextlib.suppress(PlaywrightError):
        await page.goto("chrome://crash")
    with pytest.raises(PlaywrightError, match="crashed"):
        await asyncio.wait_for(ask(page, "tokenOf"), 30)
