"""Rows of the toolset ``computer``: each action of the model's own tool, on a real page."""

from __future__ import annotations

from io import BytesIO
from typing import Any

from PIL import Image

from tests.conformance.table import Stage, row

HEARD = """<output id=heard></output><script>
const seen = [];
for (const type of ["click", "dblclick", "auxclick", "contextmenu", "keydown", "keyup"])
  document.addEventListener(type, (e) => {
    if (type === "auxclick" && e.button === 2) return;
    const held = [["ctrl", e.ctrlKey], ["shift", e.shiftKey]].filter(([, on]) => on).map(([name]) => name);
    seen.push([type, e.key ?? e.detail, ...held, e.target.id].join(" "));
    document.getElementById("heard").textContent = seen.join(", ");
  });
</script>"""
BUTTON = '<button id=go style="position:absolute;left:300px;top:200px;width:100px;height:40px">Go</button>'
FIELD = (
    '<label style="position:absolute;left:300px;top:300px">Name <input id=name style="width:200px;height:30px"></label>'
)


async def heard(stage: Stage) -> str:
    return str(await stage.page.text_content("#heard"))


async def middle(stage: Stage, selector: str) -> list[int]:
    """Give the middle of an element; the picture of a page of 1280 by 800 is as large as the page."""
    box = await stage.page.locator(selector).bounding_box()
    assert box is not None
    return [round(box["x"] + box["width"] / 2), round(box["y"] + box["height"] / 2)]


async def at(stage: Stage, action: str, selector: str, **more: Any) -> Any:
    return await stage.did("computer", action=action, coordinate=await middle(stage, selector), **more)


@row("computer", "computer", "screenshot shows the viewport in the size that coordinates are in")
async def _(stage: Stage) -> None:
    for width, height, seen in ((1280, 800, (1280, 800)), (1920, 1080, (1429, 804)), (390, 844, (390, 844))):
        await stage.page.set_viewport_size({"width": width, "height": height})
        await stage.open(BUTTON)
        result = await stage.call("computer", action="screenshot")
        assert Image.open(BytesIO(result.images[0].data)).size == seen
        assert (result.metadata["width"], result.metadata["height"]) == seen


@row("computer", "computer", "a pixel of the picture is the same place on the page, at three sizes")
async def _(stage: Stage) -> None:
    dots = "".join(
        f"<button style='position:absolute;left:{left}%;top:{top}%;width:24px;height:24px;padding:0;border:0;"
        f"background:rgb({left},{top},0)' aria-label='dot {left} {top}' "
        f"onclick='document.title += \" {left}/{top}\"'></button>"
        for left in (1, 50, 97)
        for top in (1, 50, 95)
    )
    for width, height in ((1280, 800), (1920, 1080), (2560, 1440)):
        await stage.page.set_viewport_size({"width": width, "height": height})
        await stage.open(f"<body style='margin:0;height:100vh;position:relative'>{dots}", f"/{width}")
        picture = Image.open(BytesIO((await stage.call("computer", action="screenshot")).images[0].data)).convert("RGB")
        across, down = picture.width / width, picture.height / height
        for left, top in ((1, 1), (50, 95), (97, 50)):
            x, y = int((left * width / 100 + 12) * across), int((top * height / 100 + 12) * down)
            assert picture.getpixel((x, y)) == (left, top, 0)
            told = await stage.did("computer", action="left_click", coordinate=[x, y])
            assert told["element"] == f"button 'dot {left} {top}'"
        assert (await stage.page.title()).split()[-3:] == ["1/1", "50/95", "97/50"]


@row("computer", "computer", "left_click clicks what reacts at the coordinate, and a replay finds it by its evidence")
async def _(stage: Stage) -> None:
    await stage.open(HEARD + BUTTON)
    told = await at(stage, "left_click", "#go")
    assert told["element"] == "button 'Go'"
    assert await heard(stage) == "click 1 go"


@row("computer", "computer", "right, middle, double and triple click")
async def _(stage: Stage) -> None:
    await stage.open(HEARD + BUTTON)
    for action in ("right_click", "middle_click", "double_click", "triple_click"):
        await at(stage, action, "#go")
    assert await heard(stage) == (
        "contextmenu 0 go, auxclick 1 go, click 1 go, click 2 go, dblclick 2 go, "
        "click 1 go, click 2 go, dblclick 2 go, click 3 go"
    )


@row("computer", "computer", "text holds keys during a click")
async def _(stage: Stage) -> None:
    await stage.open(HEARD + BUTTON)
    await at(stage, "left_click", "#go", text="ctrl+shift")
    assert "click 1 ctrl shift go" in await heard(stage)
    refused = await stage.refused("computer", action="left_click", coordinate=[1, 1], text="a")
    assert refused.type == "invalid_input"


@row("computer", "computer", "a click without coordinate is where the mouse is")
async def _(stage: Stage) -> None:
    await stage.open(HEARD + BUTTON)
    assert "has not been moved" in (await stage.refused("computer", action="left_click")).message
    await at(stage, "mouse_move", "#go")
    await stage.did("computer", action="left_click")
    assert await heard(stage) == "click 1 go"


@row("computer", "computer", "a coordinate outside of the picture is an error that tells its size")
async def _(stage: Stage) -> None:
    await stage.open(BUTTON)
    for wrong in ([1280, 10], [10, 800], [-1, 5]):
        refused = await stage.refused("computer", action="left_click", coordinate=wrong)
        assert "1280 by 800" in refused.message
    for malformed in ([1], [1, 2, 3], "1,2"):
        assert (await stage.refused("computer", action="left_click", coordinate=malformed)).type == "invalid_input"


@row("computer", "computer", "mouse_move rests the pointer on what is there")
async def _(stage: Stage) -> None:
    await stage.open(BUTTON + "<p id=said></p><script>go.onmouseenter = () => said.textContent = 'over it'</script>")
    await at(stage, "mouse_move", "#go")
    assert await stage.page.text_content("#said") == "over it"


@row("computer", "computer", "cursor_position tells where the mouse is")
async def _(stage: Stage) -> None:
    await stage.open(BUTTON)
    assert await stage.did("computer", action="cursor_position") == {"x": 0, "y": 0}
    await stage.did("computer", action="mouse_move", coordinate=[350, 220])
    assert await stage.did("computer", action="cursor_position") == {"x": 350, "y": 220}


@row("computer", "computer", "type enters text into the focused field, key by key")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    refused = await stage.refused("computer", action="type", text="nowhere")
    assert "nothing has the focus" in refused.message
    await at(stage, "left_click", "#name")
    told = await stage.did("computer", action="type", text="I am {{identity.first_name}}")
    assert told["element"] == "textbox 'Name'"
    assert await stage.page.input_value("#name") == "I am Ada"


@row("computer", "computer", "a password is typed by its placeholder, and goes nowhere else")
async def _(stage: Stage) -> None:
    await stage.open("<label>Password <input id=word type=password></label><label>Name <input id=name></label>")
    await at(stage, "left_click", "#word")
    told = await stage.did("computer", action="type", text="{{secret.password}}")
    typed = await stage.page.input_value("#word")
    assert len(typed) >= 16
    assert typed not in str(told)
    await at(stage, "left_click", "#name")
    refused = await stage.refused("computer", action="type", text="{{secret.password}}")
    assert refused.type == "not_allowed"
    assert await stage.page.input_value("#name") == ""


@row("computer", "computer", "key presses a key or a chord, as often as repeat says")
async def _(stage: Stage) -> None:
    await stage.open(FIELD)
    await at(stage, "left_click", "#name")
    await stage.did("computer", action="type", text="abcdef")
    await stage.did("computer", action="key", text="BackSpace", repeat=2)
    assert await stage.page.input_value("#name") == "abcd"
    await stage.did("computer", action="key", text="ctrl+a")
    await stage.did("computer", action="key", text="Delete")
    assert await stage.page.input_value("#name") == ""
    assert "did you mean" in (await stage.refused("computer", action="key", text="Retrun")).message


@row("computer", "computer", "hold_key holds a key for a time")
async def _(stage: Stage) -> None:
    await stage.open(
        FIELD + "<p id=said></p><script>let since = 0; const field = document.getElementById('name');"
        "field.addEventListener('keydown', () => since = performance.now());"
        "field.addEventListener('keyup', () => said.textContent = performance.now() - since >= 290 ? 'held' : 'short')"
        "</script>"
    )
    await at(stage, "left_click", "#name")
    await stage.did("computer", action="hold_key", text="ArrowRight", duration=0.3)
    assert await stage.page.text_content("#said") == "held"
    assert (await stage.refused("computer", action="hold_key", text="a", duration=11)).type == "invalid_input"


DRAG = """<div draggable=true id=from style="position:absolute;left:100px;top:100px;width:60px;height:60px" role=button
  aria-label=Card>Card</div>
<div id=to role=region aria-label=Basket style="position:absolute;left:500px;top:100px;width:200px;height:200px">
  Basket</div>
<script>to.ondragover = (e) => e.preventDefault(); to.ondrop = (e) => { to.textContent = "dropped"; }</script>"""


@row("computer", "computer", "left_click_drag drags from start_coordinate to coordinate")
async def _(stage: Stage) -> None:
    await stage.open(DRAG)
    start = await middle(stage, "#from")
    await at(stage, "left_click_drag", "#to", start_coordinate=start)
    assert await stage.page.text_content("#to") == "dropped"


@row("computer", "computer", "left_mouse_down, mouse_move and left_mouse_up are a drag; in one place, a click")
async def _(stage: Stage) -> None:
    await stage.open(DRAG + HEARD + BUTTON)
    await at(stage, "mouse_move", "#from")
    await stage.did("computer", action="left_mouse_down")
    await at(stage, "mouse_move", "#to")
    await stage.did("computer", action="left_mouse_up")
    assert await stage.page.text_content("#to") == "dropped"
    await at(stage, "mouse_move", "#go")
    await stage.did("computer", action="left_mouse_down")
    await stage.did("computer", action="left_mouse_up")
    assert (await heard(stage)).endswith("click 1 go")
    assert "not held" in (await stage.refused("computer", action="left_mouse_up")).message


@row("computer", "computer", "scroll moves the page by 100 px a turn, each way")
async def _(stage: Stage) -> None:
    await stage.open("<div style='width:4000px;height:4000px'></div>")
    for direction, turns in (("down", 5), ("right", 3), ("up", 2), ("left", 1)):
        await stage.did(
            "computer", action="scroll", coordinate=[640, 400], scroll_direction=direction, scroll_amount=turns
        )
    assert await stage.page.evaluate("[scrollX, scrollY]") == [200, 300]


@row("computer", "computer", "scroll moves the part of the page that is under the mouse")
async def _(stage: Stage) -> None:
    await stage.open(
        "<ul id=list style='height:200px;overflow:auto;margin:0'>"
        + "".join(f"<li><button>Item {n}</button></li>" for n in range(40))
        + "</ul><div style='height:4000px'></div>"
    )
    place = await middle(stage, "li:nth-child(3) button")
    await stage.did("computer", action="scroll", coordinate=place, scroll_direction="down", scroll_amount=2)
    assert await stage.page.evaluate("[list.scrollTop, scrollY]") == [200, 0]


@row("computer", "computer", "zoom shows a region enlarged")
async def _(stage: Stage) -> None:
    await stage.open(
        "<div style='position:absolute;left:100px;top:100px;width:200px;height:125px;background:rgb(255,0,0)'></div>"
    )
    result = await stage.call("computer", action="zoom", region=[100, 100, 300, 225])
    picture = Image.open(BytesIO(result.images[0].data)).convert("RGB")
    assert picture.size == (1280, 800)
    assert {picture.getpixel(place) for place in ((5, 5), (1275, 795), (640, 400))} == {(255, 0, 0)}
    for wrong in ([0, 0, 0, 10], [10, 10, 5, 20], [0, 0, 1281, 10]):
        assert "1280 by 800" in (await stage.refused("computer", action="zoom", region=wrong)).message


@row("computer", "computer", "wait waits, up to 60 seconds", replay="never: a replay waits for signals, not for time")
async def _(stage: Stage) -> None:
    await stage.open("<p id=said>no</p><script>setTimeout(() => said.textContent = 'yes', 50)</script>")
    await stage.did("computer", action="wait", duration=0.2)
    assert await stage.page.text_content("#said") == "yes"
    assert (await stage.refused("computer", action="wait", duration=61)).type == "invalid_input"


@row("computer", "computer", "what an action requires is told")
async def _(stage: Stage) -> None:
    await stage.open(BUTTON)
    for action, name in (
        ("key", "text"), ("type", "text"), ("hold_key", "text"), ("mouse_move", "coordinate"), ("wait", "duration"),
        ("scroll", "scroll_direction"), ("zoom", "region"), ("left_click_drag", "coordinate"),
    ):  # fmt: skip
        refused = await stage.refused("computer", action=action)
        assert refused.type == "invalid_input"
        assert name in refused.message
    assert (await stage.refused("computer", action="teleport")).type == "invalid_input"
