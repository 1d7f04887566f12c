"""A site whose links, forms and answers hold what nobody expects in them: runs go on, and replays do."""

from __future__ import annotations

import pytest

from simulator.addresses import urljoin, urlsplit
from simulator.canonical import url_shape
from simulator.tools.toolsets import registry_of
from tests.conformance.recorded import Theatre

ODD = (
    "http://[::1",
    "http://[x]/a",
    "//[",
    "http://h:99999/",
    "http://h:-1/",
    "https://a]b/",
    "http://\uff03/",
    "http:///",
)
"""What Python's own functions, or a part of what they give, raise on."""


@pytest.mark.parametrize("address", ODD)
def test_any_text_has_parts_and_a_shape(address: str) -> None:
    assert urlsplit(address).geturl()
    assert urljoin("http://site.example/a/b", address)
    assert url_shape(address) is not None


def page(address: str) -> str:
    return f"""
    <h1>Shelf</h1><a href="{address}">Odd</a> <a href=/other>Other</a> <img src="{address}" alt=Cover>
    <form method=post action="{address}"><label>Note <input name=note></label><button>Send oddly</button></form>
    <form method=post action=/send><label>Title <input name=title></label><button>Send</button></form>
    <ul><li><a href="{address}">Emma</a> <button>Keep</button>
    <li><a href="{address}#2">Ulysses</a> <button>Keep</button></ul>
    <script>fetch("{address}", {{method: "POST", body: "x"}}).catch(() => 0)</script>
    """


@pytest.mark.asyncio(loop_scope="session")
@pytest.mark.breadth(1, table=2)
@pytest.mark.parametrize("address", ODD)
async def test_a_run_on_a_page_of_odd_addresses_is_recorded_and_replayed(theatre: Theatre, address: str) -> None:
    theatre.site.pages |= {"/": page(address), "/other": "<h1>Other</h1>"}
    theatre.site.answers["/send"] = lambda fields: address if fields["title"] == "odd" else "/other"
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        results = [
            await stage.call("navigate", url="/"),
            await stage.call("navigate", url=address),
            await stage.call("open_tab", url=address),
            await stage.call("navigate", url="/"),
            await stage.call("click", selector="Odd"),
            await stage.call("navigate", url="/"),
            await stage.call("fill_form", form="Send oddly", values={"Note": "A note of mine"}, submit=True),
            await stage.call("navigate", url="/"),
            await stage.call("fill_form", form="Send", values={"Title": "odd"}, submit=True),
            await stage.call("navigate", url="/"),
            await stage.call("type_text", selector="Title", text="Emma of Highbury"),
            await stage.call("click", selector="Send"),
        ]
    broken = [one.error.message for one in results if one.error and one.error.type == "internal"]
    assert not broken
    assert results[-1].success, results[-1].error
    again = await theatre.replay(stage)
    assert again is not None


DEEP = """
<h1>Shelf</h1><label>Title <input id=title></label><button onclick="send()">Save</button><p id=told></p>
<script>
const nested = (depth, end) => "[".repeat(depth) + JSON.stringify(end) + "]".repeat(depth);
async function send() {
  for (const depth of [1, 400, 980, 5000]) {
    const body = nested(depth, title.value);
    await fetch("/send", {method: "POST", body, headers: {"content-type": "application/json"}}).catch(() => 0);
  }
  told.textContent = "Sent " + title.value;
}
</script>
"""


@pytest.mark.asyncio(loop_scope="session")
async def test_a_body_that_is_nested_without_end_is_recorded_and_replayed(theatre: Theatre) -> None:
    theatre.site.pages |= {"/": DEEP}
    theatre.site.answers["/send"] = lambda fields: "/"
    async with theatre.stage(registry_of(["browser"]), {}) as stage:
        results = [
            await stage.call("navigate", url="/"),
            await stage.call("type_text", selector="Title", text="Emma of Highbury"),
            await stage.call("click", selector="Save"),
            await stage.call("get_page_text"),
        ]
    assert [one.error for one in results] == [None] * 4
    assert "Sent Emma of Highbury" in str(results[-1].data)
    assert await theatre.replay(stage) is not None
