"""Rows on the toolsets that call our tools by the names of other designs: what each name means there."""

from __future__ import annotations

from simulator.tools.toolsets import registry_of
from simulator.tools.views import to_params
from simulator.tools.workspace.folder import Workspace
from tests.conformance.table import Stage, row

PAGE = "<title>Shop</title><h1>Shop</h1><a href=/books>All our books</a><p style='margin-top:3000px'>End</p>"
BOOKS = "<title>Books</title><h1>Books</h1>"


def names(stage: Stage) -> list[str]:
    return [spec.name for spec in stage.run.registry.list_tools()]


@row("tot", "any", "its tools are these", alone="alone: a run has tools of its own besides")
async def _(stage: Stage) -> None:
    assert names(stage) == [
        "screenshot", "navigate", "click", "fill", "press_key", "get_page_text", "get_page_url", "scroll_down",
        "wait_for_element", "switch_user", "login", "fetch_book_covers", "upload_cover_image",
    ]  # fmt: skip


@row("tot", "navigate", "url is a path on the site or a whole address")
async def _(stage: Stage) -> None:
    stage.site.pages |= {"/": PAGE, "/books": BOOKS}
    await stage.did("navigate", url="/books")
    assert await stage.page.inner_text("h1") == "Books"
    await stage.did("navigate", url=f"{stage.site.url}/")
    assert await stage.page.inner_text("h1") == "Shop"


@row("tot", "fetch_book_covers", "count defaults to 4")
async def _(stage: Stage) -> None:
    assert len(await stage.did("fetch_book_covers", query="crime")) == 4


@row("web-automator", "any", "its tools are these", alone="alone: a run has tools of its own besides")
async def _(stage: Stage) -> None:
    assert {
        "navigate", "click", "type", "scroll", "wait_for", "screenshot", "get_page_content", "extract", "done",
        "get_html", "write_test", "list_skills", "read_skill",
    } == set(names(stage))  # fmt: skip


@row("web-automator", "done", "ends the run with a result")
async def _(stage: Stage) -> None:
    assert stage.run.registry.get_tool("done").is_terminal
    assert await stage.did("done", result="The title is Shop") == "The title is Shop"


@row("web-automator", "type", "clears the field and fills it")
async def _(stage: Stage) -> None:
    await stage.open("<label>Title <input name=title value=old></label>")
    await stage.did("type", selector="input", text="Emma")
    assert await stage.page.input_value("input") == "Emma"


@row("flybrowser", "navigate", "takes the description of a link, and goto takes the address")
async def _(stage: Stage) -> None:
    stage.site.pages |= {"/": PAGE, "/books": BOOKS}
    await stage.did("goto", url="/")
    await stage.did("navigate", description="all books")
    assert await stage.page.inner_text("h1") == "Books"
    assert "description: is required" in (await stage.refused("navigate", url="/")).message


@row("flybrowser", "get_page_content", "answers HTML")
async def _(stage: Stage) -> None:
    await stage.open(PAGE)
    assert "<h1>Shop</h1>" in str(await stage.did("get_page_content"))


@row("flybrowser", "complete", "ends the run")
async def _(stage: Stage) -> None:
    assert stage.run.registry.get_tool("complete").is_terminal
    assert stage.run.registry.get_tool("fail").is_terminal


@row("quickstarts", "any", "the Messages API knows its tools by their versioned types")
async def _(stage: Stage) -> None:
    types = {spec.name: to_params(spec, display=(1280, 800)).get("type") for spec in stage.run.registry.list_tools()}
    assert types["bash"] == "bash_20250124"
    assert types["str_replace_based_edit_tool"] == "text_editor_20250728"
    assert types["computer"] == "computer_20251124"


@row("quickstarts", "str_replace_based_edit_tool", "creates a file and changes it, under the name that models know")
async def _(stage: Stage) -> None:
    async with Workspace(stage.run.workdir) as workspace:
        stage.run.workspace = workspace
        file = workspace.folder / "notes.md"
        given = {"path": str(file)}
        await stage.did("str_replace_based_edit_tool", command="create", file_text="one\n", **given)
        await stage.did("str_replace_based_edit_tool", command="str_replace", old_str="one", new_str="two", **given)
        failure = await stage.refused("str_replace_based_edit_tool", command="str_replace", old_str="one", **given)
        assert failure.type == "not_found"
        assert file.read_text() == "two\n"


@row("flybrowser", "goto", "takes an address")
async def _(stage: Stage) -> None:
    stage.site.pages["/books"] = BOOKS
    await stage.did("goto", url="/books")
    assert await stage.page.inner_text("h1") == "Books"
    assert "url: is required" in (await stage.refused("goto", description="books")).message


@row("quickstarts", "bash", "is refused where the workspace is not allowed")
async def _(stage: Stage) -> None:
    assert (await stage.refused("bash", command="true")).type == "not_allowed"


@row(
    "tot",
    "any",
    "each tool is the one of browser or books of that name",
    alone="alone: a run has tools of its own besides",
)
async def _(stage: Stage) -> None:
    ours = registry_of(["browser", "books"])
    assert all(ours.find(spec.name) == spec for spec in stage.run.registry.list_tools())


@row(
    "flybrowser",
    "any",
    "each tool is one of browser; goto, navigate and get_page_content are named otherwise there",
    alone="alone: a run has tools of its own besides",
)
async def _(stage: Stage) -> None:
    ours = registry_of(["browser"])
    others = {spec.name for spec in stage.run.registry.list_tools() if ours.find(spec.name) != spec}
    assert others == {"goto", "navigate", "get_page_content"}
    assert all(any(spec.run is one.run for one in ours.list_tools()) for spec in stage.run.registry.list_tools())
