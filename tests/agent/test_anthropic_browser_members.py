"""Each member of the browser toolset, and the tools of ours that it calls, without a browser."""

from __future__ import annotations

import io
from pathlib import Path
from typing import Any

import pytest
from PIL import Image as Pictures
from pydantic import JsonValue

from simulator.agent.browser_members import BrowserMembers
from simulator.config import Site
from simulator.tools.contracts import Image, ToolCall, ToolFailure, ToolResult

PAGE: dict[str, JsonValue] = {"url": "/books", "title": "Books", "status": 200, "notes": ["Saved."]}
TABS: dict[str, JsonValue] = {
    "tabs": [{"tab": 1, "url": "/", "title": "Home"}, {"tab": 2, "url": "/books", "title": "Books"}],
    "current": 1,
    "page": PAGE,
}


class Tools:
    """Answers every call, and keeps it; ``list_tabs`` is how the state is read, and is not kept."""

    def __init__(self, picture: Image) -> None:
        self.called: list[tuple[str, dict[str, JsonValue]]] = []
        self.picture = picture
        self.tag = "input"
        self.failing = ""

    async def dispatch(self, call: ToolCall) -> ToolResult:
        if call.name in ("list_tabs", "open_tab", "switch_tab", "close_tab"):
            if call.name != "list_tabs":
                self.called.append((call.name, call.input))
            return ToolResult(success=True, data=TABS)
        self.called.append((call.name, call.input))
        if call.name == self.failing:
            return ToolResult(success=False, error=ToolFailure(type="not_actionable", message="it is covered"))
        if call.input.get("action") in ("screenshot", "zoom"):
            return ToolResult(success=True, data=PAGE, images=(self.picture,))
        if call.name == "get_element_info":
            return ToolResult(success=True, data={"tag": self.tag})
        if call.name == "find":
            return ToolResult(success=True, data=[{"ref": "e1", "role": "link", "name": "Books", "href": "/books"}])
        if call.name in ("read_console", "read_network"):
            return ToolResult(success=True, data=["one", "two"])
        if call.name in ("read_page", "get_page_text"):
            return ToolResult(success=True, data="a page")
        if call.name in ("navigate", "back", "forward", "refresh"):
            return ToolResult(success=True, data=PAGE)
        return ToolResult(success=True, data={"element": "link 'Books'", "page": PAGE})


@pytest.fixture
def tools() -> Tools:
    file = io.BytesIO()
    Pictures.new("1", (4, 4)).save(file, "PNG")
    return Tools(Image(media_type="image/png", data=file.getvalue()))


@pytest.fixture
def members(tools: Tools, tmp_path: Path) -> BrowserMembers:
    (tmp_path / "cover.png").write_bytes(b"x")
    return BrowserMembers(tools, Site(base_url="http://127.0.0.1:8765"), tmp_path)


async def done(members: BrowserMembers, name: str, **input: Any) -> ToolResult:
    members.begin_answer()
    call = ToolCall(
        id="toolu_1", name=members.call_name(name), input={key.rstrip("_"): value for key, value in input.items()}
    )
    return await members.dispatch(call)


REF = {"type": "ref", "ref": "e7"}
POINT = {"type": "coordinate", "x": 30, "y": 40}
AT: JsonValue = [30, 40]
CALLS: list[tuple[str, dict[str, Any], list[tuple[str, dict[str, JsonValue]]]]] = [
    ("navigate", {"url": "/books"}, [("navigate", {"url": "/books"})]),
    ("navigate", {"url": "127.0.0.1:8765/books"}, [("navigate", {"url": "http://127.0.0.1:8765/books"})]),
    ("navigate", {"url": " Back "}, [("back", {})]),
    ("navigate", {"url": "forward"}, [("forward", {})]),
    ("navigate", {"url": "reload"}, [("refresh", {})]),
    ("left_click", {"target": REF}, [("click", {"selector": "ref=e7"})]),
    ("left_click", {"target": {"type": "ref", "ref": "[ref=e7]"}}, [("click", {"selector": "ref=e7"})]),
    ("left_click", {"target": POINT}, [("computer", {"action": "left_click", "coordinate": AT})]),
    (
        "left_click",
        {"target": POINT, "modifiers": "ctrl+shift"},
        [("computer", {"action": "left_click", "coordinate": AT, "text": "ctrl+shift"})],
    ),
    ("right_click", {"target": REF}, [("right_click", {"selector": "ref=e7"})]),
    ("right_click", {"target": POINT}, [("computer", {"action": "right_click", "coordinate": AT})]),
    ("middle_click", {"target": POINT}, [("computer", {"action": "middle_click", "coordinate": AT})]),
    ("double_click", {"target": REF}, [("double_click", {"selector": "ref=e7"})]),
    ("double_click", {"target": POINT}, [("computer", {"action": "double_click", "coordinate": AT})]),
    ("triple_click", {"target": POINT}, [("computer", {"action": "triple_click", "coordinate": AT})]),
    ("hover", {"target": REF}, [("hover", {"selector": "ref=e7"})]),
    ("hover", {"target": POINT}, [("computer", {"action": "mouse_move", "coordinate": AT})]),
    ("mouse_move", {"target": POINT}, [("computer", {"action": "mouse_move", "coordinate": AT})]),
    (
        "left_mouse_down",
        {"target": POINT},
        [("computer", {"action": "mouse_move", "coordinate": AT}), ("computer", {"action": "left_mouse_down"})],
    ),
    (
        "left_click_drag",
        {"from_": {"type": "coordinate", "x": 1, "y": 2}, "target": POINT},
        [("computer", {"action": "left_click_drag", "coordinate": AT, "start_coordinate": [1, 2]})],
    ),
    (
        "scroll",
        {"target": POINT, "scroll_direction": "up"},
        [("computer", {"action": "scroll", "coordinate": AT, "scroll_direction": "up", "scroll_amount": 3})],
    ),
    ("scroll_to", {"target": REF}, [("scroll_to", {"selector": "ref=e7"})]),
    ("type", {"text": "{{identity.email}}"}, [("computer", {"action": "type", "text": "{{identity.email}}"})]),
    (
        "key",
        {"text": "Tab Return", "repeat": 2},
        [("computer", {"action": "key", "text": key}) for key in ("Tab", "Return") * 2],
    ),
    (
        "hold_key",
        {"text": "Right", "duration": 1},
        [("computer", {"action": "hold_key", "text": "Right", "duration": 1.0})],
    ),
    ("form_input", {"target": REF, "value": True}, [("check", {"selector": "ref=e7", "checked": True})]),
    (
        "form_input",
        {"target": REF, "value": "4.50"},
        [("get_element_info", {"selector": "ref=e7"}), ("fill", {"selector": "ref=e7", "value": "4.50"})],
    ),
    (
        "form_input",
        {"target": REF, "value": 3},
        [("get_element_info", {"selector": "ref=e7"}), ("fill", {"selector": "ref=e7", "value": "3"})],
    ),
    ("read_page", {}, [("read_page", {"ref": "", "filter": "all"})]),
    (
        "read_page",
        {"ref": "e7", "depth": 3, "filter": "interactive"},
        [("read_page", {"ref": "e7", "depth": 3, "filter": "interactive"})],
    ),
    ("find", {"query": "the books"}, [("find", {"description": "the books"})]),
    ("get_page_text", {}, [("get_page_text", {})]),
    ("read_console", {}, [("read_console", {})]),
    ("read_network", {}, [("read_network", {})]),
    ("screenshot", {}, [("computer", {"action": "screenshot"})]),
    ("zoom", {"region": [0, 0, 9, 9]}, [("computer", {"action": "zoom", "region": [0, 0, 9, 9]})]),
    ("wait", {"duration": 2}, [("wait", {"seconds": 2.0})]),
    (
        "file_upload",
        {"target": REF, "paths": ["cover.png"]},
        [("upload_file", {"selector": "ref=e7", "name": "cover.png"})],
    ),
    ("switch_tab", {"tab_id": "2"}, [("switch_tab", {"tab": 2})]),
    ("close_tab", {"tab_id": "2"}, [("close_tab", {"tab": 2})]),
    ("list_tabs", {}, []),
]  # fmt: skip


@pytest.mark.parametrize(
    ("name", "input", "expected"), CALLS, ids=[f"{place}-{name}" for place, (name, *_) in enumerate(CALLS)]
)
async def test_a_member_calls_our_tools(
    members: BrowserMembers, tools: Tools, name: str, input: dict[str, Any], expected: list[Any]
) -> None:
    result = await done(members, name, **input)
    assert result.error is None
    assert tools.called == expected


async def test_an_option_is_selected_by_form_input(members: BrowserMembers, tools: Tools) -> None:
    tools.tag = "select"
    assert (await done(members, "form_input", target=REF, value="Crime")).success
    assert tools.called[-1] == ("select", {"selector": "ref=e7", "value": "Crime"})


async def test_a_tab_that_is_named_is_made_the_active_one(members: BrowserMembers, tools: Tools) -> None:
    await done(members, "list_tabs")
    await done(members, "get_page_text", tab_id="1")
    assert [name for name, _ in tools.called] == ["get_page_text"]
    await done(members, "get_page_text", tab_id="2")
    assert tools.called[1:] == [("switch_tab", {"tab": 2}), ("get_page_text", {})]


async def test_what_a_member_tells(members: BrowserMembers) -> None:
    clicked = await done(members, "left_click", target=REF)
    assert isinstance(clicked.data, dict)
    first, second, state = clicked.data["content"]
    assert first["text"] == "Clicked."
    assert second["text"] == "link 'Books'; now on http://127.0.0.1:8765/books — Books; notes: Saved."
    assert [tab["tab_id"] for tab in state["tabs"] if tab["active"]] == ["1"]
    went = await done(members, "navigate", url="/books")
    assert went.data["content"][0]["text"] == "Navigated to http://127.0.0.1:8765/books — Books (HTTP 200)"
    found = await done(members, "find", query="books")
    assert found.data["content"][0]["text"] == 'link "Books" [ref=e1] -> /books'


async def test_a_picture_is_kept_beside_the_data(members: BrowserMembers, tools: Tools) -> None:
    shot = await done(members, "screenshot")
    assert shot.images == (tools.picture,)
    assert shot.data["content"][0] == {"type": "image"}


async def test_what_our_tool_refuses_keeps_its_type(members: BrowserMembers, tools: Tools) -> None:
    tools.failing = "click"
    refused = await done(members, "left_click", target=REF)
    assert refused.error == ToolFailure(type="not_actionable", message="it is covered")


@pytest.mark.parametrize("name", ["middle_click", "triple_click"])
async def test_clicks_that_no_tool_of_ours_does_by_reference_say_what_to_do(members: BrowserMembers, name: str) -> None:
    refused = await done(members, name, target=REF)
    assert refused.error
    assert "coordinate" in refused.error.message


async def test_a_tab_that_cannot_be(members: BrowserMembers) -> None:
    refused = await done(members, "switch_tab", tab_id="tab-1")
    assert refused.error
    assert (refused.error.type, "list_tabs" in refused.error.message) == ("not_found", True)


async def test_calls_of_our_own_tools_pass_through(members: BrowserMembers, tools: Tools) -> None:
    await members.dispatch(ToolCall(id="1", name="complete", input={"result": "x"}))
    assert tools.called == [("complete", {"result": "x"})]
