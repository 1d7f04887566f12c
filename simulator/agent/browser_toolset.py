"""A driver for the SDK's browser toolset: each member by the tools that every agent has.

Not responsible for: recording, or checking inputs, which the SDK does before a member is reached. A tab that a call
names is made the active one first.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any, Literal, get_args

from anthropic.tools import ToolError
from anthropic.tools.browser import (
    BetaAsyncAbstractBrowserToolset20260801,
    BetaBrowserMemberResult,
    BetaBrowserNavigateResult,
    BetaBrowserState,
    BetaScreenshotResult,
    BetaToolsetCallContext,
)
from anthropic.types import beta as types
from pydantic import BaseModel, JsonValue

from simulator.agent.browser_texts import (
    Addresses,
    RunFolder,
    dicts_of,
    lines_of,
    match_line,
    page_of,
    picture_of,
    ref_of,
    selector_of,
)
from simulator.config import Site
from simulator.errors import ToolErrorType
from simulator.tools.contracts import Dispatcher, ToolCall, ToolFailure, ToolResult

READING = frozenset(
    {
        "screenshot", "zoom", "read_page", "find", "get_page_text", "wait", "read_console", "read_network",
        "javascript_exec", "list_tabs",
    }
)  # fmt: skip
"""Members that do nothing to a page."""
TYPED: Mapping[str, tuple[str, ...]] = {
    "type": ("text",),
    "key": ("text",),
    "hold_key": ("text",),
    "form_input": ("value",),
}
"""Fields of an input that go into the page, and may so be a secret in plain words."""
_HISTORY = {"back": "back", "forward": "forward", "reload": "refresh"}
_OF_TABS = frozenset({"switch_tab", "close_tab"})
_NOTCHES = 3
_Context = BetaToolsetCallContext


class BrowserToolset(BetaAsyncAbstractBrowserToolset20260801):
    """The browser of one run, as the SDK's toolset wants it.

    Args:
        inner: does the calls of our tools, unrecorded.
        site: where the users act.
        workdir: the run's own folder.
    """

    def __init__(self, inner: Dispatcher, site: Site, workdir: Path) -> None:
        self._addresses = Addresses(site)
        super().__init__(
            configs={
                "file_upload": {"enabled": True},
                "read_console": {"enabled": True},
                "read_network": {"enabled": True},
                "javascript_exec": {"enabled": False},
            },
            confirm=lambda _: True,
            url_policy=self._addresses.check,
            file_policy=RunFolder(workdir),
        )
        self._inner = inner
        self._tabs: list[types.BetaBrowserStateTabEntryParam] = []
        self.refused: ToolFailure | None = None
        """Why one of our tools refused in the call under way."""

    @classmethod
    def inputs(cls) -> Mapping[str, type[BaseModel]]:
        """Give the input of each member, as the API describes it."""
        blocks = get_args(get_args(types.BetaResponseBrowserToolUseBlock)[0])
        found: dict[str, type[BaseModel]] = {}
        for block in blocks:
            (name,) = get_args(block.model_fields["name"].annotation)
            found[name] = block.model_fields["input"].annotation
        return found

    async def execute(
        self, context: _Context, name: types.BetaBrowserMemberName, input: types.BetaBrowserMemberInput
    ) -> BetaBrowserMemberResult:
        """Call a member, on the tab that it names."""
        tab = getattr(input, "tab_id", None)
        active = any(one["tab_id"] == tab and one.get("active") for one in self._tabs)
        if tab and name not in _OF_TABS and not active:
            await self._call(context, "switch_tab", tab=self._number(tab))
        return await super().execute(context, name, input)

    # -- the page

    async def navigate(self, context: _Context, input: types.BetaBrowserNavigateInput) -> BetaBrowserNavigateResult:
        """Open an address, or go through the history."""
        if input.url in _HISTORY:
            page = page_of(await self._call(context, _HISTORY[input.url]))
        else:
            page = page_of(await self._call(context, "navigate", url=self._addresses.read(input.url)))
        status = page.get("status")
        return BetaBrowserNavigateResult(
            url=self._addresses.absolute(str(page.get("url", ""))),
            status=status if isinstance(status, int) else None,
            title=str(page.get("title", "")),
        )

    async def read_page(self, context: _Context, input: types.BetaBrowserReadPageInput) -> str:
        """Read the page as a tree."""
        given: dict[str, JsonValue] = {"ref": ref_of(input.ref) if input.ref else ""}
        if input.depth is not None:
            given["depth"] = input.depth
        given["filter"] = "interactive" if input.filter == "interactive" else "all"
        return str((await self._call(context, "read_page", **given)).data or "")

    async def find(self, context: _Context, input: types.BetaBrowserFindInput) -> str:
        """Find elements by a description."""
        matches = dicts_of((await self._call(context, "find", description=input.query)).data)
        return "\n".join(match_line(match) for match in matches) or "nothing on the page fits that description"

    async def get_page_text(self, context: _Context, input: types.BetaBrowserGetPageTextInput) -> str:
        """Read the page's visible text."""
        return str((await self._call(context, "get_page_text")).data or "")

    async def read_console(self, context: _Context, input: types.BetaBrowserReadConsoleInput) -> str:
        """Read what the page logged."""
        return lines_of((await self._call(context, "read_console")).data)

    async def read_network(self, context: _Context, input: types.BetaBrowserReadNetworkInput) -> str:
        """Read what the page requested."""
        return lines_of((await self._call(context, "read_network")).data)

    async def screenshot(self, context: _Context, input: types.BetaBrowserScreenshotInput) -> BetaScreenshotResult:
        """Take a picture of the viewport, in the size that coordinates refer to."""
        return picture_of(await self._call(context, "computer", action="screenshot"))

    async def zoom(self, context: _Context, input: types.BetaBrowserZoomInput) -> BetaScreenshotResult:
        """Take an enlarged picture of a part of the viewport."""
        return picture_of(await self._call(context, "computer", action="zoom", region=list(input.region)))

    async def wait(self, context: _Context, input: types.BetaBrowserWaitInput) -> str | None:
        """Wait some seconds."""
        return self._told(await self._call(context, "wait", seconds=input.duration))

    # -- the pointer

    async def left_click(self, context: _Context, input: types.BetaBrowserLeftClickInput) -> str | None:
        """Click."""
        return await self._click(context, input, "left_click", by_ref="click")

    async def right_click(self, context: _Context, input: types.BetaBrowserRightClickInput) -> str | None:
        """Click with the right button."""
        return await self._click(context, input, "right_click", by_ref="right_click")

    async def middle_click(self, context: _Context, input: types.BetaBrowserMiddleClickInput) -> str | None:
        """Click with the middle button."""
        return await self._click(context, input, "middle_click")

    async def double_click(self, context: _Context, input: types.BetaBrowserDoubleClickInput) -> str | None:
        """Click twice."""
        return await self._click(context, input, "double_click", by_ref="double_click")

    async def triple_click(self, context: _Context, input: types.BetaBrowserTripleClickInput) -> str | None:
        """Click three times."""
        return await self._click(context, input, "triple_click")

    async def hover(self, context: _Context, input: types.BetaBrowserHoverInput) -> str | None:
        """Rest the pointer on something."""
        if isinstance(input.target, types.BetaBrowserRefTarget):
            return self._told(await self._call(context, "hover", selector=selector_of(input.target)))
        return await self._point(context, "mouse_move", input.target)

    async def mouse_move(self, context: _Context, input: types.BetaBrowserMouseMoveInput) -> str | None:
        """Move the pointer."""
        return await self._point(context, "mouse_move", input.target)

    async def left_mouse_down(self, context: _Context, input: types.BetaBrowserLeftMouseDownInput) -> str | None:
        """Press the button and hold it."""
        await self._point(context, "mouse_move", input.target)
        return self._told(await self._call(context, "computer", action="left_mouse_down"))

    async def left_mouse_up(self, context: _Context, input: types.BetaBrowserLeftMouseUpInput) -> str | None:
        """Let the button go."""
        await self._point(context, "mouse_move", input.target)
        return self._told(await self._call(context, "computer", action="left_mouse_up"))

    async def left_click_drag(self, context: _Context, input: types.BetaBrowserLeftClickDragInput) -> str | None:
        """Drag from one point to another."""
        start: JsonValue = [input.from_.x, input.from_.y]
        return await self._point(context, "left_click_drag", input.target, start_coordinate=start)

    async def scroll(self, context: _Context, input: types.BetaBrowserScrollInput) -> str | None:
        """Turn the wheel."""
        turns = _NOTCHES if input.scroll_amount is None else input.scroll_amount
        direction: JsonValue = input.scroll_direction
        return await self._point(context, "scroll", input.target, scroll_direction=direction, scroll_amount=turns)

    async def scroll_to(self, context: _Context, input: types.BetaBrowserScrollToInput) -> str | None:
        """Scroll an element into view."""
        return self._told(await self._call(context, "scroll_to", selector=selector_of(input.target)))

    # -- the keyboard, and fields

    async def type(self, context: _Context, input: types.BetaBrowserTypeInput) -> str | None:
        """Type into what has the focus."""
        return self._told(await self._call(context, "computer", action="type", text=input.text))

    async def key(self, context: _Context, input: types.BetaBrowserKeyInput) -> str | None:
        """Press keys, one after the other."""
        told: str | None = None
        for _ in range(1 if input.repeat is None else input.repeat):
            for key in input.text.split():
                told = self._told(await self._call(context, "computer", action="key", text=key))
        return told

    async def hold_key(self, context: _Context, input: types.BetaBrowserHoldKeyInput) -> str | None:
        """Hold a key."""
        held = await self._call(context, "computer", action="hold_key", text=input.text, duration=input.duration)
        return self._told(held)

    async def form_input(self, context: _Context, input: types.BetaBrowserFormInputInput) -> str | None:
        """Give a field its value, as its kind wants it."""
        selector, value = selector_of(input.target), input.value
        if isinstance(value, bool):
            return self._told(await self._call(context, "check", selector=selector, checked=value))
        text = f"{value:g}" if isinstance(value, float) else str(value)
        info = (await self._call(context, "get_element_info", selector=selector)).data
        if isinstance(info, dict) and info.get("tag") == "select":
            return self._told(await self._call(context, "select", selector=selector, value=text))
        return self._told(await self._call(context, "fill", selector=selector, value=text))

    async def file_upload(self, context: _Context, input: types.BetaBrowserFileUploadInput) -> str | None:
        """Give a file to a field."""
        if not input.paths or len(input.paths) > 1:
            raise self._refusal("invalid_input", "file_upload takes the path of one file of the run's folder")
        name = Path(input.paths[0]).name
        return self._told(await self._call(context, "upload_file", selector=selector_of(input.target), name=name))

    # -- tabs

    async def new_tab(
        self, context: _Context, input: types.BetaBrowserNewTabInput
    ) -> types.BetaBrowserStateTabEntryParam:
        """Open a tab."""
        return self._active(self._tabs_of(await self._call(context, "open_tab")))

    async def list_tabs(
        self, context: _Context, input: types.BetaBrowserListTabsInput
    ) -> list[types.BetaBrowserStateTabEntryParam]:
        """List the tabs."""
        return self._tabs_of(await self._call(context, "list_tabs"))

    async def switch_tab(
        self, context: _Context, input: types.BetaBrowserSwitchTabInput
    ) -> types.BetaBrowserStateTabEntryParam:
        """Look at another tab."""
        return self._active(self._tabs_of(await self._call(context, "switch_tab", tab=self._number(input.tab_id))))

    async def close_tab(self, context: _Context, input: types.BetaBrowserCloseTabInput) -> None:
        """Close a tab."""
        await self._call(context, "close_tab", tab=self._number(input.tab_id))

    async def _browser_state(self, context: _Context) -> BetaBrowserState:
        """List the tabs, and which of them are new; where they cannot be read, as they were."""
        result = await self._inner.dispatch(ToolCall(id=_id(context), name="list_tabs"))
        if not result.success:
            return BetaBrowserState(tabs=self._tabs)
        known = {tab["tab_id"] for tab in self._tabs}
        tabs = self._tabs_of(result)
        opened: list[Any] = [
            {"type": "tab_opened", "tab_id": tab["tab_id"]} for tab in tabs if known and tab["tab_id"] not in known
        ]
        self._tabs = tabs
        return BetaBrowserState(tabs=tabs, state_changes=opened)

    # -- through our tools

    async def _call(self, context: _Context, tool: str, **input: JsonValue) -> ToolResult:
        """Call a tool of ours.

        Raises:
            ToolError: it failed, with what it said.
        """
        result = await self._inner.dispatch(ToolCall(id=_id(context), name=tool, input=input))
        if result.error is not None:
            raise self._refusal(result.error.type, result.error.message)
        return result

    def _refusal(self, type: ToolErrorType, message: str) -> ToolError:
        """Make the SDK's error of a refusal, and keep what kind of one it is, which the SDK's has no place for."""
        self.refused = ToolFailure(type=type, message=message)
        return ToolError(message)

    def _number(self, tab_id: str) -> int:
        if not tab_id.isdecimal():
            raise self._refusal("not_found", f"there is no tab {tab_id!r}; list_tabs lists those that are open")
        return int(tab_id)

    async def _click(
        self,
        context: _Context,
        input: types.BetaBrowserLeftClickInput
        | types.BetaBrowserRightClickInput
        | types.BetaBrowserMiddleClickInput
        | types.BetaBrowserDoubleClickInput
        | types.BetaBrowserTripleClickInput,
        action: Literal["left_click", "right_click", "middle_click", "double_click", "triple_click"],
        *,
        by_ref: str = "",
    ) -> str | None:
        keys: dict[str, JsonValue] = {"text": input.modifiers} if input.modifiers else {}
        if isinstance(input.target, types.BetaBrowserCoordinateTarget):
            return await self._point(context, action, input.target, **keys)
        if not by_ref or keys:
            raise self._refusal(
                "invalid_input", f"{action} of an element takes its coordinate here; scroll_to it first"
            )
        return self._told(await self._call(context, by_ref, selector=selector_of(input.target)))

    async def _point(
        self, context: _Context, action: str, target: types.BetaBrowserCoordinateTarget, **more: JsonValue
    ) -> str | None:
        place: JsonValue = [target.x, target.y]
        return self._told(await self._call(context, "computer", action=action, coordinate=place, **more))

    def _told(self, result: ToolResult) -> str | None:
        """Say in a line what was acted on, and what the page is by then."""
        if not isinstance(result.data, dict):
            return str(result.data) if result.data else None
        page = page_of(result)
        parts = [str(result.data["element"])] if result.data.get("element") else []
        parts.append(f"now on {self._addresses.absolute(str(page.get('url', '')))} — {page.get('title', '')}")
        for kind in ("alerts", "notes"):
            said = page.get(kind)
            parts += [f"{kind}: {'; '.join(map(str, said))}"] if isinstance(said, list) and said else []
        return "; ".join(parts)

    def _tabs_of(self, result: ToolResult) -> list[types.BetaBrowserStateTabEntryParam]:
        data = result.data if isinstance(result.data, dict) else {}
        return [
            {
                "tab_id": str(tab.get("tab")),
                "title": str(tab.get("title") or ""),
                "url": self._addresses.absolute(str(tab.get("url") or "")),
                "active": tab.get("tab") == data.get("current"),
            }
            for tab in dicts_of(data.get("tabs"))
        ]

    def _active(self, tabs: list[types.BetaBrowserStateTabEntryParam]) -> types.BetaBrowserStateTabEntryParam:
        return next(tab for tab in tabs if tab.get("active"))


def _id(context: _Context) -> str:
    return context.tool_use.id if context.tool_use else ""
