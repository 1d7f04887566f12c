"""What each kind of generated change does to a page: whether it is there, and what a person would send now."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from dataclasses import dataclass, field

import pytest
import pytest_asyncio
from playwright.async_api import Browser, Page, Route, async_playwright

from benchmarks.mutations.generated.catalogue import KINDS
from benchmarks.mutations.generated.draw import Combination, Mutating, single
from benchmarks.sites.bodies import leaves
from benchmarks.sites.proxy import MARK, Answered, Asked
from benchmarks.sites.recorded import RecordedWrite
from simulator.browser.launch.executable import find_executable

pytestmark = pytest.mark.asyncio(loop_scope="module")

WRITE = RecordedWrite("POST", "/notes/[^/]+", 0, ("title", "author", "price"), (), True)
URL = "http://site.example/"
FORM_TYPE = "application/x-www-form-urlencoded"
PAGE = """<!doctype html><html lang=en><title>Notes</title>
<header><nav><a href=/about>About</a></nav></header><main>
<h2>All notes</h2><ul><li id=n1><a href=/notes/1>First</a> <a href=/pin/1>Pin</a></li>
<li id=n2><a href=/notes/2>Second</a> <a href=/pin/2>Pin</a></li>
<li id=n3><a href=/notes/3>Third</a> <a href=/pin/3>Pin</a></li></ul>
<h2>Edit a note</h2><form method=post action=/notes/5 id=note><input type=hidden name=id value=5>
<p><label for=t>Title</label><input id=t name=title data-of=title></p>
<p><label for=a>Author</label><input id=a name=author data-of=author></p>
<p><label for=p>Price</label><input id=p name=price type=number data-of=price></p>
<p><label for=k>Kind</label><select id=k name=kind><option value=a>Apple<option value=b>Berry</select></p>
<button data-of=go>Save note</button></form>
<form method=post action=/notes/9><button>Delete note</button></form>
<table><tr><th>Reader</th><th>Notes</th></tr><tr><td>Kim</td><td>3</td></tr></table>
<p><button type=button data-action=print>Print</button>
<button type=button data-action=share>Share</button></p></main>"""
FILLED = [("id", "5"), ("title", "Emma"), ("author", "Jane Austen"), ("price", "4"), ("kind", "a")]

SHOWS = {
    "wrap": "document.querySelector('div > input, span > input, div > button, span > a')",
    "move": "[...document.querySelectorAll('[data-of]')].map(e => e.dataset.of).join() !== 'title,author,price,go' "
    "|| document.body.lastElementChild.matches('header,nav')",
    "rename-ids": "!document.getElementById('t') && document.querySelector('label[for^=t-]').control",
    "rename-names": "['title', 'author', 'price'].some((name) => !note.elements[name])",
    "exchange-names": "[...document.querySelectorAll('input[data-of]')].some(e => e.name !== e.dataset.of)",
    "tabulate": "document.querySelector('tr#n1 > td > a[href=\"/notes/1\"]')",
    "insert": "document.querySelectorAll('li').length > 3",
    "remove": "document.querySelectorAll('li').length === 2 && document.querySelector('p > b').innerText.length > 3",
    "twin-dialog": "document.querySelector('[role=dialog] form').getAttribute('action') !== '/notes/5'",
    "swap-contents": "document.querySelector('#n1 a').innerText === 'Pin'",
    "swap-headings": "document.querySelector('h2').innerText === 'Edit a note'",
    "resort": "document.querySelector('li').id !== 'n1'",
    "twin-hidden": "document.forms.length > 2 && !document.forms[0].checkVisibility()",
    "twin-link": 'document.querySelectorAll(\'a[href="/notes/1"],a[href="/notes/2"],a[href="/notes/3"]\').length > 3',
    "reword": "[...document.querySelectorAll('label, button')].map((el) => el.innerText).join() "
    "!== 'Title,Author,Price,Kind,Save note,Delete note,Print,Share'",
    "paginate": "document.querySelectorAll('li').length < 3",
    "delay": "document.querySelector('head style')",
    "retype": "document.querySelector('[data-of=price]').type === 'text'",
    "banner": "document.body.innerText.includes('new look')",
    "cover": "document.elementFromPoint(9, 9).closest('[aria-label=Cookies]')",
    "twin-other": "document.querySelector('a[href=\"/notes/4\"]') && document.forms.length > 2",
    "recycle": "document.querySelector('li')",
    "swap-names": "[...document.querySelectorAll('input[data-of]')].some(e => e.name !== e.dataset.of)",
    "swap-labels": "[...document.querySelectorAll('input[data-of]')]"
    ".some(e => e.labels[0].innerText.toLowerCase() !== e.dataset.of)",
    "retarget": "true",
    "swap-late": "[...document.querySelectorAll('input[data-of]')].some(e => e.name !== e.dataset.of)",
    "swap-choices": "document.querySelector('option').value !== 'a'",
    "swap-buttons": "document.querySelector('[data-of=go]').innerText === 'Delete note'",
    "swap-addresses": "document.querySelector('#n1 a').getAttribute('href') !== '/notes/1'",
    "columns": "document.querySelector('th').innerText === 'Notes'",
    "swap-acts": "document.querySelector('[data-action=print]').innerText === 'Share'",
    "swap-rows": "!document.querySelector('#n1 a + a') && document.querySelectorAll('li').length > 3",
    "decoy-dialog": "document.querySelector('[aria-label=\"Are you sure?\"] button').innerText === 'Save note'",
}
"""By kind, a script that is true of a page with such a change."""


@dataclass
class Opened:
    """A page with changes, and what it sent."""

    page: Page
    sent: list[Asked] = field(default_factory=list)
    marks: set[str] = field(default_factory=set)

    async def show(self, changes: Combination) -> None:
        change = Mutating(changes)
        await self.page.unroute_all()

        async def answer(route: Route) -> None:
            request = route.request
            if MARK in request.url:
                change.marks.add(request.url.rpartition(MARK)[2])
                await route.fulfill(status=204)
            elif request.method != "GET" or "?" in request.url:
                body = request.post_data_buffer or request.url.partition("?")[2].encode()
                asked = Asked(request.method, f"/{request.url.removeprefix(URL)}", (("content-type", FORM_TYPE),), body)
                await change.write(asked, self.keep)
                await route.fulfill(status=204)
            else:
                await route.fulfill(body=change.document(Asked("GET", "/", ()), PAGE), content_type="text/html")

        await self.page.route("**/*", answer)
        await self.page.goto(URL)
        self.marks = change.marks

    async def keep(self, asked: Asked) -> Answered:
        self.sent.append(asked)
        return Answered(204, ())

    async def send(self) -> tuple[str, str, list[tuple[str, str]]]:
        """Fill the form as somebody does who knows each field by what it is for, and send it."""
        await self.page.evaluate(
            """(values) => {
              const all = (name) => [...document.querySelectorAll(`[data-of=${name}]`)];
              const seen = (name) => all(name).find((el) => el.checkVisibility());
              for (const [name, value] of values) if (seen(name)) seen(name).value = value;
              seen("go").click();
            }""",
            FILLED,
        )
        async with asyncio.timeout(20):
            while not self.sent:
                await self.page.wait_for_timeout(20)
        asked = self.sent[0]
        return asked.method, asked.path, [(one.place, str(one.value)) for one in leaves(FORM_TYPE, asked.body) or ()]


@pytest_asyncio.fixture(scope="module", loop_scope="module")
async def browser() -> AsyncIterator[Browser]:
    async with async_playwright() as playwright:
        launched = await playwright.chromium.launch(executable_path=find_executable().path, args=["--no-sandbox"])
        yield launched
        await launched.close()


@pytest_asyncio.fixture(loop_scope="module")
async def opened(browser: Browser) -> AsyncIterator[Opened]:
    page = await browser.new_page()
    yield Opened(page)
    await page.close()


async def test_a_page_as_it_is_shows_no_change(opened: Opened) -> None:
    await opened.show(Combination(0, ()))
    there = [name for name, script in SHOWS.items() if await opened.page.evaluate(f"try_(() => {script})".replace(
        "try_", "((f) => { try { return Boolean(f()) } catch { return false } })"))]  # fmt: skip
    assert set(there) <= {"recycle", "retarget"}
    assert await opened.send() == ("POST", "/notes/5", FILLED)
    assert opened.marks == set()


@pytest.mark.breadth(3)
@pytest.mark.parametrize("name", KINDS)
async def test_a_change_is_made_and_told(opened: Opened, name: str) -> None:
    # What is drawn may spare a page; among some seeds there is one that does not.
    for seed in range(3, 9):
        await opened.show(single(name, seed, [WRITE]))
        if name == "swap-late":
            await opened.page.locator("[name=title]").first.dispatch_event("focusin")
            await opened.page.locator("[data-of=go]").dispatch_event("pointerdown")
        if opened.marks:
            break
    assert opened.marks == {name}
    assert await opened.page.evaluate(f"Boolean({SHOWS[name]})")


@pytest.mark.breadth(2)
@pytest.mark.parametrize("name", [name for name, kind in KINDS.items() if kind.sort == "harmless"])
@pytest.mark.parametrize("seed", [1, 2])
async def test_the_site_gets_the_same_after_a_harmless_change(opened: Opened, name: str, seed: int) -> None:
    await opened.show(single(name, seed, [WRITE]))
    await opened.page.wait_for_function(
        "[...document.querySelectorAll('[data-of=go]')].some((el) => el.checkVisibility())"
    )
    method, path, fields = await opened.send()
    assert (method, path) == ("POST", "/notes/5")
    assert sorted(fields) == sorted(FILLED)


@pytest.mark.breadth(2)
@pytest.mark.parametrize("name", ["swap-names", "swap-choices", "retarget"])
@pytest.mark.parametrize("seed", range(1, 7))
async def test_the_site_gets_something_else_after_a_deceptive_change(opened: Opened, name: str, seed: int) -> None:
    await opened.show(single(name, seed, [WRITE]))
    assert await opened.send() != ("POST", "/notes/5", FILLED)


async def test_a_decoy_dialog_sends_something_else(opened: Opened) -> None:
    await opened.show(single("decoy-dialog", 1, [WRITE]))
    await opened.page.get_by_role("button", name="Save note").last.click()
    async with asyncio.timeout(20):
        while not opened.sent:
            await opened.page.wait_for_timeout(20)
    assert opened.sent[0].path != "/notes/5"


async def test_recycled_nodes_lead_elsewhere_in_time(opened: Opened) -> None:
    change = {"name": "recycle", "seed": 1, "ms": 0, "on": ["pointerdown"]}
    await opened.show(Combination(0, (change,)))
    told = "[...document.querySelectorAll('li')].map((el) => `${el.innerText} ${el.firstChild.getAttribute('href')}`)"
    before = await opened.page.evaluate(told)
    await opened.page.locator("li").first.dispatch_event("pointerdown")
    after = await opened.page.evaluate(told)
    assert after == [*before[1:], before[0]]
