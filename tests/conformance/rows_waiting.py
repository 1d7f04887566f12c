"""Rows on waiting: for an element, a text, an address, or some seconds."""

from __future__ import annotations

from simulator.tools.families.waiting import wait_for
from tests.conformance.table import Stage, row

LATE = "<h1>Searching</h1><script>setTimeout(() => {{ {} }}, 700)</script>"
SHOWS = LATE.format("document.body.insertAdjacentHTML('beforeend', '<p id=results>3 books found</p>')")


@row("browser", "wait_for", "an element by CSS that comes later; a replay waits, too")
async def _(stage: Stage) -> None:
    await stage.open(SHOWS)
    told = await stage.did("wait_for", selector="#results")
    assert told["there"] == "#results"
    assert await stage.page.inner_text("#results") == "3 books found"


@row("browser", "wait_for", "an element by its words")
async def _(stage: Stage) -> None:
    await stage.open(SHOWS)
    await stage.did("wait_for", selector="3 books found")
    assert await stage.page.locator("#results").is_visible()


@row("browser", "wait_for", "an element by role and name")
async def _(stage: Stage) -> None:
    await stage.open(LATE.format("document.body.insertAdjacentHTML('beforeend', '<button>More</button>')"))
    await stage.did("wait_for", selector='role=button[name="More"]')
    assert await stage.page.locator("button").is_visible()


@row("browser", "wait_for", "an element of a reading is there already")
async def _(stage: Stage) -> None:
    await stage.open("<button>Save</button>")
    (button,) = (await stage.did("read_buttons"))["buttons"]
    await stage.did("wait_for", selector=f"ref={button['ref']}")


@row("browser", "wait_for", "timeout is 10000 ms")
async def _(stage: Stage) -> None:
    assert wait_for.schema["properties"]["timeout"]["default"] == 10_000
    await stage.open("<h1>Nothing</h1>")


@row("browser", "wait_for", "what does not come within timeout is told")
async def _(stage: Stage) -> None:
    await stage.open("<h1>Nothing</h1><p id=never hidden>Never</p>")
    for selector in ("#never", "css=#never", "Never"):
        failure = await stage.refused("wait_for", selector=selector, timeout=200)
        assert failure.type == "timeout"
        assert "ever" in failure.message
        assert "0.2 s" in failure.message


@row("browser", "wait_for_element", "up to 8 seconds")
async def _(stage: Stage) -> None:
    await stage.open(SHOWS)
    assert await stage.did("wait_for_element", selector="css=#results") == "css=#results is there"
    assert await stage.page.locator("#results").is_visible()


@row("browser", "wait", "for a text; a replay waits, too")
async def _(stage: Stage) -> None:
    await stage.open(SHOWS)
    assert (await stage.did("wait", text="3 books  found"))["url"] == "/"
    assert await stage.page.locator("#results").is_visible()


@row("browser", "wait", "for a text that holds a variable")
async def _(stage: Stage) -> None:
    await stage.open(LATE.format("document.body.append('Hello Ada Moor')"))
    await stage.did("wait", text="Hello {{identity.display_name}}")
    assert "Hello Ada Moor" in await stage.page.inner_text("body")


@row("browser", "wait", "for a path, whatever its query")
async def _(stage: Stage) -> None:
    stage.site.pages["/orders/17"] = "<h1>Order</h1>"
    await stage.open(LATE.format("location.assign('/orders/17?new=1')"))
    assert (await stage.did("wait", url="/orders/17"))["status"] == 200
    assert await stage.page.inner_text("h1") == "Order"


@row("browser", "wait", "for an address with a part that may be anything")
async def _(stage: Stage) -> None:
    await stage.open(LATE.format("history.pushState(null, '', '/orders/18/paid')"))
    await stage.did("wait", url=f"{stage.site.url}/orders/*/paid")
    assert stage.page.url.endswith("/orders/18/paid")


@row("browser", "wait", "for some seconds")
async def _(stage: Stage) -> None:
    await stage.open(SHOWS)
    await stage.did("wait", seconds=1)
    assert await stage.page.locator("#results").is_visible()
    await stage.did("wait", text="3 books found")


@row("browser", "wait", "exactly one of the three, and at most 30 seconds")
async def _(stage: Stage) -> None:
    await stage.open("<h1>Nothing</h1>")
    for given in ({}, {"text": "a", "url": "/b"}, {"seconds": 1, "text": "a"}):
        failure = await stage.refused("wait", **given)
        assert failure.type == "invalid_input"
        assert "one of seconds, text or url" in failure.message
    assert (await stage.refused("wait", seconds=31)).type == "invalid_input"


@row("browser", "wait", "what does not come within timeout is told")
async def _(stage: Stage) -> None:
    await stage.open("<h1>Nothing</h1>")
    failure = await stage.refused("wait", text="Thank you", timeout=200)
    assert failure.type == "timeout"
    assert "text 'Thank you' did not appear within 0.2 s" in failure.message
    assert (await stage.refused("wait", url="/thanks", timeout=200)).type == "timeout"
