"""The changed bookshop: every change is there, and how one asks for it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.async_api import Browser, Error, async_playwright

from benchmarks.mutations.bench import shop as serving_shop
from simulator.demo.mutations.catalogue import MUTATIONS
from simulator.demo.mutations.serving import DELAY_S
from simulator.demo.state import site_state
from tests.demo.conftest import Reader, Shop
from tests.fakes import asking

REGISTER = "/account/register"
BUTTON = "one('[data-save] button')"
UNCOUNTED = f"{BUTTON}.textContent === 'Saved' && one('[data-save-count]').textContent[0] === '0'"
ON_PAGES = {
    "ids-renamed": (REGISTER, "!document.getElementById('username') && one('header').matches('[class]')"),
    "fields-reordered": (REGISTER, "one('main input:not([type=hidden])').name === 'terms'"),
    "decoy-button": (REGISTER, "document.querySelectorAll('main button').length === 3"),
    "hidden-duplicate": (REGISTER, "!one('main form').checkVisibility() && one('main form + form').checkVisibility()"),
    "buttons-swapped": ("/", "one('.hero .actions a').textContent === 'Sell a book'"),
    "cards-resorted": ("/sellers/house", "one('.cards a').getAttribute('href') === '/books/1'"),
    "extra-wrappers": (REGISTER, "one('span > span > [name=city]')"),
    "late-button": (REGISTER, "one('main button').disabled"),
    "open-shadow-root": (REGISTER, "one('shop-form').shadowRoot.querySelector('[name=city]')"),
    "polling": ("/", "one('footer > p').textContent === '13 books are for sale'"),
    "texts-reworded": (REGISTER, "one('label[for=city]').textContent === 'Where you live'"),
    "ids-and-label": ("/books/new", "one('[name=price]').labels[0].textContent === 'Asking price in pounds'"),
    "form-in-dialog": (REGISTER, "one('dialog:modal form')"),
    "form-in-iframe": (REGISTER, "one('iframe').contentDocument.querySelector('form[target=_top] [name=city]')"),
    "cookie-banner": ("/", "document.elementFromPoint(5, 5).matches('[role=dialog]')"),
    "twin-card": ("/my/books", "document.querySelectorAll('article').length === 2"),
    "twin-offer": ("/sellers/house", "document.querySelectorAll('article').length === 24"),
    "new-required-field": ("/books/new", "one('[name=isbn]').labels[0].checkVisibility()"),
    "field-gone": ("/books/new", "one('[name=title]') && !one('[name=description]')"),
    "field-type-changed": ("/books/new", "one('[name=price]').type === 'text'"),
    "label-moved": ("/books/new", "one('[name=author]').labels[0].textContent === 'Title'"),
    "login-in-two-steps": ("/account/login", "!one('main [name=password]').checkVisibility()"),
}
"""What is so on a page of the changed shop, and not on the same page of the shop as it is."""
IN_ACTION = {
    "confirm-dialog": (
        "/this-or-that/new",
        "window.confirm = text => { window.asked = text; }; one('main form').requestSubmit()",
        "window.asked === 'Are you sure?'",
    ),
    "form-by-fetch": (REGISTER, "one('main form').requestSubmit()", "one('[role=alert]') && history.length === 2"),
    "optimistic-save": ("/books/1", f"{BUTTON}.click()", UNCOUNTED),
}
"""The same after something was done there."""


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "simulator.demo", *arguments]
    return subprocess.run(command, capture_output=True, text=True, timeout=30, check=False)


def test_the_mutations_are_listed(tmp_path: Path) -> None:
    listed = run("--db", str(tmp_path / "shop.db"), "--mutate", "list")
    assert listed.returncode == 0
    assert [line.partition(":")[0] for line in listed.stdout.splitlines()] == list(MUTATIONS)
    assert not any(tmp_path.iterdir())


def test_an_unknown_mutation_names_the_known_ones(tmp_path: Path) -> None:
    refused = run("--db", str(tmp_path / "shop.db"), "--mutate", "polling", "--mutate", "poling")
    assert refused.returncode == 2
    assert "there is no mutation 'poling'; there are ids-renamed, " in refused.stderr


def test_a_process_serves_several_changes(serving: Any, tmp_path: Path) -> None:
    _, url = serving(tmp_path / "shop.db", "--mutate", "polling", "--mutate", "id-offset")
    page = asking.get(f"{url}/sellers/house").text
    assert 'src="/_mutations/polling.js"' in page
    assert asking.get(f"{url}/_mutations/polling.js").headers["content-type"].startswith("text/javascript")
    assert 'href="/books/15"' in page
    assert 'href="/books/3"' not in page
    assert asking.get(f"{url}/books/3").status_code == 404


ASK = """ms => new Promise((tell) => {
    const one = (selector) => document.querySelector(selector);
    const until = performance.now() + ms;
    const ask = () => {
        let so = false;
        try { so = !!(QUESTION); } catch { so = false; }
        so || performance.now() > until ? tell(so) : setTimeout(ask, 20);
    };
    ask();
})"""


async def _holds(browser: Browser, reader: Reader, path: str, act: str, question: str, wait_ms: float) -> bool:
    context = await browser.new_context(base_url=reader.shop.url)
    try:
        if not path.startswith("/account/"):
            for name, value in reader.client.cookies.items():
                await context.add_cookies([{"name": name, "value": value, "url": reader.shop.url}])
        page = await context.new_page()
        await page.goto(path, wait_until="domcontentloaded")
        if act:
            await page.evaluate(f"{{ const one = (selector) => document.querySelector(selector); {act} }}")
        return bool(await page.evaluate(ASK.replace("QUESTION", question), wait_ms))
    except Error:
        return False
    finally:
        await context.close()


@pytest.mark.slow
@pytest.mark.timeout(600)
async def test_the_pages_are_changed(changed: Callable[..., Reader]) -> None:
    shown = {name: (path, "", question) for name, (path, question) in ON_PAGES.items()} | IN_ACTION
    assert set(shown) == {name for name, mutation in MUTATIONS.items() if mutation.scripts}
    told: dict[str, tuple[bool, bool]] = {}
    anna = changed()
    anna.list_book()
    async with async_playwright() as playwright:
        args = ["--no-sandbox"] if os.geteuid() == 0 else []
        browser = await playwright.chromium.launch(executable_path=shutil.which("chromium-headless-shell"), args=args)
        for name, asked in shown.items():
            there = changed(name)
            if name != "new-required-field":
                there.list_book()
            told[name] = await _holds(browser, anna, *asked, 100), await _holds(browser, there, *asked, 10_000)
        await browser.close()
    assert told == dict.fromkeys(shown, (False, True))


@pytest.fixture
def changed(tmp_path: Path) -> Iterator[Callable[..., Reader]]:
    """Makes members of changed shops."""
    with ExitStack() as stack:

        def make(*mutations: str) -> Reader:
            file = tmp_path / f"{'-'.join(mutations)}.db"
            url = stack.enter_context(serving_shop(file, mutations))
            return Reader(Shop(url, file), stack.enter_context(asking.Client(base_url=url))).register("anna")

        yield make


@pytest.mark.parametrize(
    ("mutation", "address"),
    [
        ("id-offset", r"/books/16"),
        ("uuid-ids", r"/books/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}"),
    ],
)
def test_other_ids_lead_to_the_same_things(changed: Callable[..., Reader], mutation: str, address: str) -> None:
    anna = changed(mutation)
    mine = anna.list_book(title="Emma")
    assert re.fullmatch(address, mine)
    assert '<h1 id="book-title">Emma</h1>' in anna.get(mine).text
    offered = re.findall(r'<option value="([^"]+)">([^<]+) by', anna.get("/this-or-that/new").text)
    by_title = {title: number for number, title in offered}
    anna.submit("/this-or-that/new", {"first": by_title["Emma"], "second": by_title["Walden"]})
    theirs = re.findall(r'href="(/books/[^"]+)">Walden<', anna.get("/sellers/house").text)[0]
    listing = re.findall(r'name="listing" value="([^"]+)"', anna.get(theirs).text)[0]
    assert theirs == f"/books/{listing}"
    anna.submit(theirs, {"body": "Hello", "listing": listing}, to="/sellers/house/message")
    state = site_state(anna.shop.db)
    walden = next(seq for seq, book in state["house"]["listing"].items() if book["title"] == "Walden")
    assert state["anna"]["matchup"]["1"] == {
        "first": ("anna", "listing", 1),
        "second": ("house", "listing", int(walden)),
    }
    assert state["anna"]["message"]["1"]["listing"] == ("house", "listing", int(walden))
    assert anna.get("/books/not-there").status_code == 404


@pytest.mark.parametrize("mutations", [("redirect-added", "uuid-ids"), ("uuid-ids", "redirect-added")])
def test_a_redirect_more_leads_to_the_same_page(changed: Callable[..., Reader], mutations: tuple[str, ...]) -> None:
    anna = changed(*mutations)
    detour = anna.list_book(title="Emma")
    assert detour.startswith("/_mutations/go?to=")
    answer = anna.client.get(detour, follow_redirects=True)
    assert "is now for sale" in answer.text
    assert answer.url.path.startswith("/books/")
    assert anna.client.get("/_mutations/go?to=//elsewhere.example").headers["location"] == "/"


def test_slow_answers_are_slow(changed: Callable[..., Reader]) -> None:
    anna = changed("slow-answers")
    assert anna.get("/").elapsed.total_seconds() >= DELAY_S
