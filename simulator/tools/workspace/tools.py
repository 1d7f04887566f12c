"""The tools of the toolset ``workspace``. Not responsible for: what they do it with.

A replay never does any of it again: the recorded result stands, and files that were uploaded are in the recording.
"""

from __future__ import annotations

import asyncio
from typing import Annotated, Literal

from pydantic import Field, JsonValue

from simulator.errors import ToolError
from simulator.tools.context import RunContext
from simulator.tools.contracts import ToolResult
from simulator.tools.spec import tool
from simulator.tools.workspace import editing, querying
from simulator.tools.workspace.folder import Workspace
from simulator.tools.workspace.shell import TIMEOUT_S

_BEYOND_S = 15
"""Seconds that ending a command may take beyond its own time."""


@tool(
    category="system",
    safety="dangerous",
    grant="workspace",
    replay="result",
    timeout_s=TIMEOUT_S + _BEYOND_S,
    examples=[{"command": "ls -la"}, {"restart": True}],
)
async def bash(
    ctx: RunContext, command: Annotated[str, Field(max_length=100_000)] = "", restart: bool = False
) -> ToolResult:
    """Run a command in the run's folder, in a shell that is kept: folder, variables and functions stay.

    It is stopped after 120 seconds, with everything that the shell has started. It gets no standard input.

    Args:
        ctx: The run.
        command: One or more lines of bash.
        restart: Begin a new shell first.

    Returns:
        The exit code, the output and the error output, each up to 16,000 bytes: its beginning and its end.
    """
    workspace = _workspace(ctx)
    if not command and not restart:
        raise ToolError("invalid_input", "bash: give a command, or restart")
    if "\0" in command:
        raise ToolError("invalid_input", "command: no null character can stand in it")
    if restart:
        await workspace.shell.close()
        if not command:
            return ToolResult(success=True, data="the next command begins a new shell")
    ran = await workspace.shell.run(ctx.bindings.render(command))
    told: dict[str, JsonValue] = {"exit_code": ran.exit_code, "output": ctx.vault.mask(ran.output.text)}
    if ran.error.text:
        told["error"] = ctx.vault.mask(ran.error.text)
    if ran.ended:
        told["note"] = "the shell has ended, with everything it had started; the next command begins a new one"
    return ToolResult(success=True, data=told, metadata={"cut_bytes": ran.output.cut + ran.error.cut})


@tool(
    category="system",
    safety="high",
    grant="workspace",
    replay="result",
    aliases=["str_replace_editor", "str_replace_based_edit_tool"],
    examples=[
        {"command": "view", "path": "/the/folder/of/the/run/notes.md", "view_range": [1, 20]},
        {"command": "create", "path": "/the/folder/of/the/run/notes.md", "file_text": "Three entries added.\n"},
        {"command": "str_replace", "path": "/the/folder/of/the/run/notes.md", "old_str": "Three", "new_str": "Four"},
        {"command": "insert", "path": "/the/folder/of/the/run/notes.md", "insert_line": 1, "insert_text": "One sold."},
        {"command": "undo_edit", "path": "/the/folder/of/the/run/notes.md"},
    ],
)
async def edit(
    ctx: RunContext,
    command: Literal["view", "create", "str_replace", "insert", "undo_edit"],
    path: str,
    file_text: str | None = None,
    old_str: str | None = None,
    new_str: str | None = None,
    insert_line: Annotated[int, Field(ge=0)] | None = None,
    insert_text: str | None = None,
    view_range: list[int] | None = None,
) -> JsonValue:
    """Look at a text file of the run's folder, or change it.

    Args:
        ctx: The run.
        command: view shows a file with line numbers, or a folder two levels deep; create writes a new file;
            str_replace changes a text that stands in the file exactly once; insert adds lines;
            undo_edit takes back the last change of the file.
        path: An absolute path in the run's folder.
        file_text: For create, the whole text.
        old_str: For str_replace, the text that is there, white space included.
        new_str: For str_replace, the text to put in its place; empty takes it out.
        insert_line: For insert, the line behind which the text goes; 0 is before the first.
        insert_text: For insert, the text; new_str is taken for it, too.
        view_range: For view, the first and the last line, from 1; -1 as the last is the end.

    Returns:
        The file or folder, up to 16,000 characters, or the change with four lines around it.
    """
    workspace = _workspace(ctx)
    file = workspace.inside(ctx.bindings.render(path))

    def given(name: str, text: str | None) -> str:
        if text is None:
            raise ToolError("invalid_input", f"{name}: is required by {command}")
        return ctx.bindings.render(text)

    match command:
        case "view":
            done = editing.view(workspace, file, view_range)
        case "create":
            done = editing.create(workspace, file, given("file_text", file_text))
        case "str_replace":
            done = editing.replace(workspace, file, given("old_str", old_str), given("new_str", new_str or ""))
        case "insert":
            if insert_line is None:
                raise ToolError("invalid_input", "insert_line: is required by insert")
            text = insert_text if insert_text is not None else new_str
            done = editing.insert(workspace, file, insert_line, given("insert_text", text))
        case "undo_edit":
            done = editing.undo(workspace, file)
    return ctx.vault.mask(done)


@tool(
    category="system",
    safety="high",
    grant="workspace",
    replay="result",
    timeout_s=30,
    examples=[
        {"database": "/the/folder/of/the/run/site.db", "query": "SELECT name FROM item WHERE price < ?", "values": [5]}
    ],
)
async def database_query(
    ctx: RunContext, database: str, query: str, values: list[str | int | float | None] | None = None
) -> ToolResult:
    """Ask a SQLite database in the run's folder; nothing in it can be changed.

    Args:
        ctx: The run.
        database: An absolute path in the run's folder.
        query: One SQL statement that reads.
        values: What stands for its question marks.

    Returns:
        The columns and up to 200 rows, and whether there are more.
    """
    file = _workspace(ctx).inside(ctx.bindings.render(database))
    if not file.is_file():
        raise ToolError("not_found", f"there is no database {file}")
    found = await asyncio.to_thread(querying.ask, file, ctx.bindings.render(query), values or [])
    return ToolResult(
        success=True,
        data={"columns": list(found.columns), "rows": [list(row) for row in found.rows], "more": found.cut},
        metadata={"rows": len(found.rows), "cut": found.cut},
    )


def _workspace(ctx: RunContext) -> Workspace:
    if ctx.workspace is None:
        raise ToolError(
            "not_allowed",
            "the toolset 'workspace' is off; a persona gets it by naming it in tools.toolsets where "
            "'sim personas run' is called with --allow-workspace; go on without it, or fail",
        )
    return ctx.workspace
