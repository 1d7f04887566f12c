"""The browser reaches the site and nothing else; what was refused is counted."""

from __future__ import annotations

import socketserver
import threading
from collections.abc import Iterator
from typing import Any

import pytest

from simulator.browser.find import Find
from simulator.browser.launch.network import Endpoint, NetworkPolicy, endpoints
from simulator.errors import ToolError
from tests.browser.conftest import Answer

pytestmark = pytest.mark.asyncio(loop_scope="session")


class Trap:
    """Listens beside the site, on loopback in both families; nobody is to come."""

    def __init__(self) -> None:
        self.port = 0
        self.visits = 0


@pytest.fixture
def trap() -> Iterator[Trap]:
    found = Trap()

    class Visit(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            found.visits += 1

    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), Visit) as server:
        found.port = server.server_address[1]
        thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
        thread.start()
        yield found
        server.shutdown()
        thread.join()


def foreign(site: Any, trap: Trap) -> list[str]:
    own = site.url.rpartition(":")[2]
    return [
        f"http://127.0.0.1:{trap.port}/x",
        f"http://localhost:{trap.port}/x",
        f"http://[::1]:{trap.port}/x",
        f"http://localhost:{own}/x",
        f"http://[::1]:{own}/x",
        f"http://[::ffff:7f00:1]:{own}/x",
        f"http://127.0.0.2:{own}/x",
        f"http://site.localhost:{own}/x",
        "http://example.org/x",
        "https://example.org/x",
        "http://192.0.2.1/x",
    ]


async def test_no_kind_of_request_leaves_the_site(stage: Any, site: Any, pool: Any, trap: Trap) -> None:
    addresses = foreign(site, trap)
    before = len(pool.blocked)
    site.routes["/fine"] = Answer("fine", media_type="text/plain")
    for address in addresses:
        site.routes["/there"] = Answer(status=302, headers={"Location": address})
        await stage.show(
            site,
            f"""<img src="{address}?img"><script src="{address}?script"></script><iframe src="{address}?frame"></iframe>
            <link rel=stylesheet href="{address}?css"><p id=out></p>""",
        )
        told = await stage.actor.page.evaluate(
            """async (address) => {
              const failed = (work) => work.then(() => "reached", () => "refused");
              const socket = new WebSocket(address.replace("http", "ws"));
              const closed = new Promise((go) => {
                socket.onclose = () => go("refused");
                socket.onopen = () => go("reached");
              });
              navigator.sendBeacon(address + "?beacon");
              const mode = "no-cors";
              return [await failed(fetch(address, { mode })), await failed(fetch("/there", { mode })), await closed,
                await (await fetch("/fine")).text()];
            }""",
            address,
        )
        assert told == ["refused", "refused", "refused", "fine"], address
    assert trap.visits == 0
    blocked = pool.blocked[before:]
    for address in addresses:
        sockets = [url for url in blocked if url == address.replace("http", "ws")]
        for kind in ("?img", "?script", "?frame", "?css", ""):
            assert address + kind in blocked
        assert len(sockets) == 1
    assert not [url for url in blocked if url.startswith(site.url)]


async def test_a_link_or_redirect_that_leads_elsewhere_fails_as_blocked_or_not_loaded(
    stage: Any, site: Any, trap: Trap
) -> None:
    site.routes["/away"] = Answer(status=302, headers={"Location": f"http://127.0.0.1:{trap.port}/x"})
    await stage.show(site, "<a href=/away>Go</a>")
    with pytest.raises(ToolError) as raised:
        await stage.actor.click(Find("text", "Go"))
    assert raised.value.type == "navigation"
    with pytest.raises(ToolError) as raised:
        await stage.actor.navigation.goto("/away")
    assert raised.value.type == "blocked"
    assert trap.visits == 0
    await stage.show(site, "<h1>Back</h1>")
    assert stage.actor.here.status == 200


@pytest.mark.parametrize(
    "address",
    [
        "file:///etc/passwd",
        "data:text/html,x",
        "javascript:alert(1)",
        "http://example.org/",
        "ftp://127.0.0.1/",
        "about:blank",
    ],
)
async def test_other_addresses_cannot_be_visited(stage: Any, site: Any, address: str) -> None:
    await stage.show(site, "")
    with pytest.raises(ToolError) as raised:
        await stage.actor.navigation.goto(address)
    assert raised.value.type == "blocked"
    assert stage.actor.page.url == f"{site.url}/"


async def test_a_page_installs_no_service_worker(stage: Any, site: Any) -> None:
    site.routes["/worker.js"] = Answer("", media_type="text/javascript")
    await stage.show(site, "")
    script = """async () => {
      await navigator.serviceWorker.register("/worker.js").catch(() => {});
      return (await navigator.serviceWorker.getRegistrations()).length;
    }"""
    assert await stage.actor.page.evaluate(script) == 0
    assert site.count("GET /worker.js") == 0


async def test_endpoints_and_what_they_allow() -> None:
    found = endpoints("http://127.0.0.1:8000", ["cdn.example.org", "[::1]:9", "h:1", "h:1"])
    assert found == (
        Endpoint("127.0.0.1", 8000),
        Endpoint("cdn.example.org", 80),
        Endpoint("cdn.example.org", 443),
        Endpoint("::1", 9),
        Endpoint("h", 1),
    )
    policy = NetworkPolicy(found)
    allowed = ["http://127.0.0.1:8000/x", "https://cdn.example.org", "wss://cdn.example.org/s", "http://[::1]:9/"]
    refused = ["http://127.0.0.1/", "http://127.0.0.1:8001", "http://cdn.example.org:8000", "data:,x", "http://h:x/"]
    assert [policy.allows(url) for url in allowed + refused] == [True] * 4 + [False] * 5
    policy.close()
