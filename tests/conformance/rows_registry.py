"""Rows on what holds for every tool: validation, errors, aliases."""

from __future__ import annotations

from tests.conformance.table import Stage, row


@row("browser", "fill", "a value goes into a field and into what is sent")
async def _(stage: Stage) -> None:
    stage.site.pages["/thanks"] = "<h1>Thanks</h1>"
    stage.site.answers["/send"] = lambda fields: "/thanks"
    await stage.open("<form method=post action=/send><label>Name <input name=name></label><button>Send</button></form>")
    await stage.did("fill", selector="Name", value="{{identity.first_name}}")
    assert await stage.page.input_value("input") == "Ada"
    await stage.did("click", selector="Send")
    assert stage.site.posts == [("/send", {"name": "Ada"})]


@row("browser", "click", "a field that it lacks is told, with the schema's example")
async def _(stage: Stage) -> None:
    failure = await stage.refused("click")
    assert failure.type == "invalid_input"
    assert "selector: is required" in failure.message
    assert "Example: {" in failure.message


@row("browser", "clik", "an unknown tool is told with the nearest names")
async def _(stage: Stage) -> None:
    failure = await stage.refused("clik", selector="a")
    assert failure.type == "unknown_tool"
    assert "did you mean click" in failure.message
