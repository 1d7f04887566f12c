"""Rows on what holds for every tool: the way of a call, its errors, own tools, and how results are given."""

from __future__ import annotations

import asyncio
import threading
from typing import Any

from simulator.errors import ToolError
from simulator.tools.compat.elements.browser import unified_browser
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolCall, ToolResult
from simulator.tools.dispatch import SafetyDispatcher
from simulator.tools.metadata import ToolMetadata, ToolParameter
from simulator.tools.spec import tool
from simulator.tools.views import ToolCollection, ToolFailure, to_anthropic, to_openai, to_params, view
from tests.conformance.table import Stage, row

BUTTON = "<button onclick=\"document.title = 'pressed'\">Press</button>"


@row("browser", "fill", "a value goes into a field and into what is sent")
async def _(stage: Stage) -> None:
    stage.site.pages["/thanks"] = "<h1>Thanks</h1>"
    stage.site.answers["/send"] = lambda fields: "/thanks"
    await stage.open("<form method=post action=/send><label>Name <input name=name></label><button>Send</button></form>")
    await stage.did("fill", selector="Name", value="{{identity.first_name}}")
    assert await stage.page.input_value("input") == "Ada"
    await stage.did("click", selector="Send")
    assert stage.site.posts == [("/send", {"name": "Ada"})]


@row("browser", "any", "an unknown tool is told with the nearest names")
async def _(stage: Stage) -> None:
    failure = await stage.refused("clik", selector="a")
    assert failure.type == "unknown_tool"
    assert "did you mean click" in failure.message


@row("browser", "any", "a wrong field is told with what was expected and an example")
async def _(stage: Stage) -> None:
    await stage.open(BUTTON)
    missing = await stage.refused("click")
    assert missing.type == "invalid_input"
    assert "selector: is required" in missing.message
    assert "Example: {" in missing.message
    wrong = await stage.refused("scroll", direction="left")
    assert "direction: expected 'up' or 'down', found 'left'" in wrong.message
    extra = await stage.refused("click", selector="Press", speed=3)
    assert "speed: is not a parameter; there are: selector" in extra.message


@row("browser", "any", "an invalid call is told as invalid, though it would be refused")
async def _(stage: Stage) -> None:
    await stage.open(BUTTON)
    careful = SafetyDispatcher(stage.dispatcher, stage.run.registry, ceiling="safe")

    async def refusal(**given: Any) -> str:
        result = await careful.dispatch(ToolCall(id="1", name="click", input=given))
        assert result.error is not None
        return f"{result.error.type}: {result.error.message}"

    assert (await refusal()).startswith("invalid_input: click: selector: is required")
    assert (await refusal(selector="Press")).startswith("not_allowed: click is low_risk, the persona allows up to safe")
    assert await stage.page.title() != "pressed"


@row("browser", "any", "an alias is the tool itself")
async def _(stage: Stage) -> None:
    stage.site.pages["/there"] = "<h1>There</h1>"
    await stage.did("goto", url="/there")
    assert await stage.page.inner_text("h1") == "There"


@row("browser", "any", "a tool that needs a page says so when none is open")
async def _(stage: Stage) -> None:
    for name, given in (("click", {"selector": "Press"}), ("get_page_text", {}), ("fill_form", {"values": {}})):
        failure = await stage.refused(name, **given)
        assert failure.type == "page_closed"
        assert failure.message == f"{name} needs a page, and none is open; navigate to one first"


@tool(category="utility", safety="safe", replay="skip", timeout_s=1, examples=[{"how": "bug"}])
async def misbehave(ctx: RunContext, how: str) -> None:
    """Go wrong.

    Args:
        ctx: The run.
        how: In which way.
    """
    if how == "bug":
        raise ZeroDivisionError(f"divided by {ctx.vault.mask('zero')}")
    if how == "told":
        raise ToolError("unavailable", "nothing to be had; try later")
    await asyncio.Event().wait()


@row(
    "browser", "any", "a bug is told as internal, with no exception; a tool's own error as it is", replay="never: reads"
)
async def _(stage: Stage) -> None:
    stage.run.registry.register(misbehave)
    bug = await stage.refused("misbehave", how="bug")
    assert (bug.type, bug.message) == ("internal", "misbehave broke: ZeroDivisionError: divided by zero")
    told = await stage.refused("misbehave", how="told")
    assert (told.type, told.message) == ("unavailable", "nothing to be had; try later")


@row("browser", "any", "a call that takes longer than its tool allows is stopped")
async def _(stage: Stage) -> None:
    stage.run.registry.register(misbehave)
    stopped = await stage.refused("misbehave", how="hang")
    assert (stopped.type, stopped.message) == ("timeout", "misbehave was stopped after 1 s; look at the page")


class Greet:
    """A tool that is a class."""

    metadata = ToolMetadata(
        name="greet",
        description="Greet somebody.",
        parameters=(ToolParameter("name", "string", "Whom.", required=True),),
    )

    async def execute(self, name: str) -> ToolResult:
        return ToolResult.success_result(f"Hello, {name}")


@row("browser", "any", "a tool that is registered in a run can be called by the next call")
async def _(stage: Stage) -> None:
    assert (await stage.refused("greet", name="Ada")).type == "unknown_tool"
    stage.run.registry.register(Greet)
    assert await stage.did("greet", name="Ada") == "Hello, Ada"
    assert "name: is required" in (await stage.refused("greet")).message


@tool(category="utility", safety="safe", replay="skip", examples=[{}])
def ponder(ctx: RunContext) -> str:
    """Think, without letting others wait.

    Args:
        ctx: The run.
    """
    return "in another thread" if threading.current_thread() is not threading.main_thread() else "in everybody's way"


@row("browser", "any", "blocking work runs in a thread")
async def _(stage: Stage) -> None:
    stage.run.registry.register(ponder)
    assert await stage.did("ponder") == "in another thread"


@row("browser", "any", "a text-only model is offered no screenshot")
async def _(stage: Stage) -> None:
    offered = stage.run.registry.get_filtered_registry(["tool_use"], warn_suboptimal=False)
    assert offered.find("screenshot") is None
    assert offered.find("click") is not None
    assert stage.run.registry.get_filtered_registry(["vision"]).find("screenshot") is not None


@row("browser", "any", "results go to models as their APIs have them")
async def _(stage: Stage) -> None:
    await stage.open(BUTTON)
    picture = await stage.call("screenshot")
    block = to_anthropic(picture, "toolu_1")
    assert block["is_error"] is False
    assert [one["type"] for one in block["content"]][-1] == "image"
    assert to_openai(picture, "call_1")[1]["content"][0]["image_url"]["url"].startswith("data:image/png;base64,iVBOR")
    assert view(picture).base64_image
    missing = await stage.call("click", selector="Pull")
    assert to_anthropic(missing, "toolu_2")["is_error"] is True
    assert str(view(missing).error).startswith("not_found: ")


@row("browser", "any", "a collection gives parameters and runs its tools")
async def _(stage: Stage) -> None:
    await stage.open(BUTTON)
    click = stage.run.registry.get_tool("click")
    tools = ToolCollection(click, dispatcher=stage.dispatcher)
    assert tools.to_params() == [to_params(click)]
    assert await tools.run(name="click", tool_input={"selector": "Press"})
    assert await stage.page.title() == "pressed"
    assert isinstance(await tools.run(name="click", tool_input={"selector": "Pull"}), ToolFailure)


@row("browser", "open_tab", "opens the browser's only tab after all were closed")
async def _(stage: Stage) -> None:
    stage.run.registry.register(unified_browser)
    await stage.open(BUTTON)
    await stage.did("unified_browser", action="close_browser")
    told = await stage.did("open_tab", url="/")
    assert [one["url"] for one in told["tabs"]] == ["/"]
    assert await stage.page.inner_text("button") == "Press"
