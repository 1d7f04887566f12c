"""The shape of an address, as this program tells it and as its script in the page does: one rule, two languages."""

from __future__ import annotations

from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler

import pytest

from simulator.browser.launch.access import Access
from simulator.browser.launch.executable import find_executable
from simulator.browser.launch.network import NetworkPolicy, endpoints
from simulator.browser.launch.pool import BrowserPool, ContextProfile
from simulator.canonical import url_shape
from tests.fakes.server import served

ADDRESSES = [
    "/",
    "/books",
    "/books/42",
    "/books/42/edit",
    "/books/42?page=2",
    "/books?b=2&a=1",
    "/books?sort=title&q=emma",
    "/books?q=",
    "/books?flag",
    "/books?token=3f2a90bb12cd44ef",
    "/books#42",
    "/books#reviews",
    "/books/7#reviews",
    "/orders/0190a2b3-1c2d-7e4f-8a9b-0c1d2e3f4a5b/pay",
    "/orders/INV-2024",
    "/orders/inv-9",
    "/o/Zx81kQp0aa_TT-91xx",
    "/o/zx81kqp0aatt91xx",
    "/o/deadbeefdead",
    "/o/deadbeefdea1",
    "/this-or-that/new",
    "/sellers/anna.smith7",
    "/1984",
    "/a1",
    "/books//7/",
    "/b%C3%BCcher/7?q=%C3%BC",
    "/books?id=7&id=x",
    "/books?a=b=c",
    "/#/books/42/edit?tab=7&by=me",
    "/app?x=1#!/books/42",
    "/#/",
    "/#//books/42",
    "/#books/42",
]


@pytest.fixture
def site() -> Iterator[str]:
    """An empty page on loopback."""

    class Empty(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200)
            self.send_header("Content-Type", "text/html")
            self.send_header("Content-Length", "15")
            self.end_headers()
            self.wfile.write(b"<!doctype html>")

        def log_message(self, *_: object) -> None:
            return

    with served(Empty) as url:
        yield url


async def test_both_tell_the_same_shape(site: str) -> None:
    policy = NetworkPolicy(endpoints(site, ()))
    profile = ContextProfile(locale="en-GB", timezone="Europe/London", width=800, height=600)
    async with BrowserPool(find_executable(), policy, origin=site) as pool, pool.context(profile, Access()) as context:
        page = await context.new_page()
        await page.goto(site)
        told = await page.evaluate("addresses => addresses.map(__sim.shapeOf)", ADDRESSES)
    assert dict(zip(ADDRESSES, told, strict=True)) == {address: url_shape(address) for address in ADDRESSES}
