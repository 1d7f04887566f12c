"""What is said of a site that cannot be reset or does not answer: what to do."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler

import pytest

from simulator.browser.launch.access import Access
from simulator.config import Site
from simulator.errors import SiteUnreachable, UsageError
from simulator.runner.surroundings.site_control import SiteControl, answers, running_site
from tests.fakes.server import LocalServer

NOWHERE = "http://127.0.0.1:1"


@pytest.mark.parametrize(
    ("bundled", "said"),
    [(True, "'sim demo reset' empties it, then go on without --reset"), (False, 'reset = { url = "/reset" }')],
)
async def test_a_site_that_cannot_be_reset_from_here_says_what_to_do(bundled: bool, said: str) -> None:
    site = Site(base_url=NOWHERE, bundled=bundled, disposable=True)
    with pytest.raises(UsageError, match="cannot be reset from here") as caught:
        await SiteControl(site).reset()
    assert said in str(caught.value)


async def test_a_site_that_is_down_says_what_to_do() -> None:
    with pytest.raises(SiteUnreachable, match=r"nothing answers at http://127\.0\.0\.1:1, .*; start it, or name"):
        async with running_site(Site(base_url=NOWHERE)):
            pass


async def test_whoever_answers_at_any_address_with_any_header_is_there() -> None:
    asked: list[str] = []

    class Door(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(403)

        def log_message(self, *_: object) -> None:
            return

    with LocalServer(("127.0.0.1", 0), Door) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01}, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"
        named = Site(base_url=url).model_copy(update={"base_url": f"{url}/café x?q=%20"})
        assert await answers(named, Access(headers={"X-Door": "grün"}))
        assert not await answers(named, Access(headers={"X-Door": "two\nlines"}))
        server.shutdown()
    assert asked == ["/caf%C3%A9%20x?q=%20"]
