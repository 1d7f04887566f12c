"""Rows of what tools show of frames and do in them."""

from __future__ import annotations

from tests.conformance.table import Stage, row

SHOP = "<h1>Shop</h1><button>Pay</button><iframe name=pay tabindex=1 src=/pay></iframe>"
PAY = """<h2>Card</h2><label>Number <input id=n></label><label>Word <input type=password value=hush></label>
<button onclick="fetch('/did', {method: 'POST', body: new URLSearchParams({n: n.value})})">Pay</button>"""


async def _shop(stage: Stage) -> None:
    stage.site.pages["/pay"] = PAY
    stage.site.answers["/did"] = lambda fields: (200, "")
    await stage.open(SHOP)


@row("browser", "read_page", "tells what is in frames below them, with refs that act there")
async def _(stage: Stage) -> None:
    await _shop(stage)
    assert str(await stage.did("read_page")).splitlines()[1:] == [
        '- button "Pay" [ref=e1]',
        '- iframe "pay" [ref=e2]',
        '  - heading [level=2] "Card"',
        '  - textbox "Number" [ref=e3]',
        '  - textbox "Word" [secret] [ref=e4] (filled)',
        '  - button "Pay" [ref=e5]',
    ]
    await stage.did("fill", selector="ref=e3", value="4111")
    await stage.did("click", selector="ref=e5")
    assert stage.site.posts == [("/did", {"n": "4111"})]


@row("browser", "find", "finds what is in frames, too")
async def _(stage: Stage) -> None:
    await _shop(stage)
    found = await stage.did("find", description="number")
    assert [one["role"] for one in found] == ["textbox"]
    await stage.did("type_text", selector=f"ref={found[0]['ref']}", text="4111")
    assert await stage.page.frames[1].evaluate("() => n.value") == "4111"


@row("browser", "get_page_text", "reads frames after the page")
async def _(stage: Stage) -> None:
    await _shop(stage)
    lines = str(await stage.did("get_page_text")).splitlines()
    assert lines.index("Shop") < lines.index("Card")


@row("browser", "click", "what the page itself has comes before what a frame has")
async def _(stage: Stage) -> None:
    await _shop(stage)
    await stage.did("click", selector="role=button[name='Pay']")
    assert stage.site.posts == []


@row("browser", "press_key", "goes to what has the focus in a frame")
async def _(stage: Stage) -> None:
    await _shop(stage)
    await stage.did("focus", selector="Number")
    await stage.did("press_key", key="4")
    assert await stage.page.frames[1].evaluate("() => n.value") == "4"


@row("browser", "wait_for", "waits for what is in frames, too")
async def _(stage: Stage) -> None:
    await _shop(stage)
    stage.site.pages["/pay"] = PAY + "<script>setTimeout(() => document.body.append('Ready'), 200)</script>"
    await stage.open(SHOP)
    await stage.did("wait", text="Ready", timeout=3000)
    await stage.did("wait_for", selector="#n", timeout=3000)


@row("elements", "element_discovery", "addresses what is in frames by refs alone")
async def _(stage: Stage) -> None:
    await _shop(stage)
    told = await stage.did("element_discovery", action="find_by_type", element_type="button")
    assert told["total_found"] == 2
    ours, framed = (one["selector"] for one in told["elements"])
    assert (ours, framed.startswith("ref=e")) == ('role=button[name="Pay"]', True)
    await stage.did("element_interaction", action="click", selector=framed)
    assert stage.site.posts == [("/did", {"n": ""})]
