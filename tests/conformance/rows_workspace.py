"""Rows of the toolset ``workspace``: each call's effect is seen in the run's folder."""

from __future__ import annotations

import sqlite3
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing

from simulator.tools.workspace.folder import Workspace
from tests.conformance.table import Stage, row


@asynccontextmanager
async def allowed(stage: Stage) -> AsyncIterator[Workspace]:
    """Give the run what ``--allow-workspace`` gives it."""
    async with Workspace(stage.run.workdir) as workspace:
        stage.run.workspace = workspace
        yield workspace


@row("workspace", "bash", "is refused where it is not allowed")
async def _(stage: Stage) -> None:
    for tool, given in (
        ("bash", {"command": "touch x"}),
        ("edit", {"command": "view", "path": "/"}),
        ("database_query", {"database": "/x.db", "query": "SELECT 1"}),
    ):
        refused = await stage.refused(tool, **given)
        assert refused.type == "not_allowed"
        assert "--allow-workspace" in refused.message
    assert not list(stage.run.workdir.iterdir())


@row("workspace", "bash", "keeps one shell across calls and tells the exit code")
async def _(stage: Stage) -> None:
    async with allowed(stage) as workspace:
        await stage.did("bash", command="mkdir sub && cd sub && word=hello")
        told = await stage.did("bash", command='pwd; echo "$word" >&2; (exit 3)')
    assert told == {"exit_code": 3, "output": f"{workspace.folder}/sub\n", "error": "hello\n"}


@row("workspace", "bash", "restart begins a new shell")
async def _(stage: Stage) -> None:
    async with allowed(stage):
        await stage.did("bash", command="word=hello")
        await stage.did("bash", restart=True)
        told = await stage.did("bash", command='echo "[$word]"')
        again = await stage.did("bash", command='echo "[$word]"', restart=True)
    assert told["output"] == again["output"] == "[]\n"


@row("workspace", "bash", "caps its output at 16,000 bytes and says so")
async def _(stage: Stage) -> None:
    async with allowed(stage):
        result = await stage.call("bash", command="head -c 10000000 /dev/zero | tr '\\0' x")
    assert result.success
    assert result.metadata["cut_bytes"] == 10_000_000 - 16_000
    assert "[cut: 9984000 bytes]" in result.data["output"]


@row("workspace", "bash", "a command that hangs is an error, and the next one gets a new shell")
async def _(stage: Stage) -> None:
    async with Workspace(stage.run.workdir, timeout_s=3) as workspace:
        stage.run.workspace = workspace
        refused = await stage.refused("bash", command="sleep 987")
        assert refused.type == "timeout"
        assert (await stage.did("bash", command="echo again"))["output"] == "again\n"


@row("workspace", "bash", "needs a command or restart")
async def _(stage: Stage) -> None:
    async with allowed(stage):
        assert (await stage.refused("bash")).type == "invalid_input"
        assert (await stage.refused("bash", command="echo \0")).type == "invalid_input"


@row("workspace", "bash", "variables are filled in, and secrets are not")
async def _(stage: Stage) -> None:
    async with allowed(stage):
        told = await stage.did("bash", command="echo '{{identity.username}} {{secret.password}}'")
    assert told["output"] == "ada_moor_1 {{secret.password}}\n"


@row("workspace", "edit", "create, view, str_replace, insert and undo_edit change a file and take it back")
async def _(stage: Stage) -> None:
    async with allowed(stage) as workspace:
        file = workspace.folder / "notes.md"
        await stage.did("edit", command="create", path=str(file), file_text="one\ntwo\n")
        assert file.read_text() == "one\ntwo\n"
        assert (await stage.did("edit", command="view", path=str(file), view_range=[2, 2])) == "     2\ttwo"
        await stage.did("edit", command="str_replace", path=str(file), old_str="two", new_str="three")
        await stage.did("edit", command="insert", path=str(file), insert_line=0, insert_text="zero")
        assert file.read_text() == "zero\none\nthree\n"
        await stage.did("edit", command="insert", path=str(file), insert_line=3, new_str="four")
        assert file.read_text() == "zero\none\nthree\nfour\n"
        for text in ("zero\none\nthree\n", "one\nthree\n", "one\ntwo\n"):
            await stage.did("edit", command="undo_edit", path=str(file))
            assert file.read_text() == text
        await stage.did("edit", command="str_replace", path=str(file), old_str="two\n")
        assert file.read_text() == "one\n"


@row("workspace", "edit", "its other names are those of the model's own editor tool")
async def _(stage: Stage) -> None:
    async with allowed(stage) as workspace:
        for name in ("str_replace_editor", "str_replace_based_edit_tool"):
            await stage.did(name, command="create", path=f"{workspace.folder}/{name}", file_text="x")
            assert (workspace.folder / name).read_text() == "x"


@row("workspace", "edit", "a text that does not stand exactly once is an error")
async def _(stage: Stage) -> None:
    async with allowed(stage) as workspace:
        file = workspace.folder / "notes.md"
        file.write_text("one\none\n")
        refused = await stage.refused("edit", command="str_replace", path=str(file), old_str="one", new_str="x")
        assert (refused.type, "lines 1, 2" in refused.message) == ("ambiguous", True)
        assert file.read_text() == "one\none\n"


@row("workspace", "edit", "what a command requires is told")
async def _(stage: Stage) -> None:
    async with allowed(stage) as workspace:
        file = workspace.folder / "notes.md"
        file.write_text("one")
        for given, missing in (
            ({"command": "create", "path": f"{file}.new"}, "file_text"),
            ({"command": "str_replace", "path": str(file)}, "old_str"),
            ({"command": "insert", "path": str(file), "insert_text": "x"}, "insert_line"),
            ({"command": "insert", "path": str(file), "insert_line": 0}, "insert_text"),
        ):
            refused = await stage.refused("edit", **given)
            assert refused.type == "invalid_input"
            assert missing in refused.message
        assert (await stage.refused("edit", command="remove", path=str(file))).type == "invalid_input"


@row("workspace", "edit", "no path leaves the run's folder, links included")
async def _(stage: Stage) -> None:
    async with allowed(stage) as workspace:
        (workspace.folder.parent / "other.txt").write_text("of somebody else")
        (workspace.folder / "link").symlink_to("../other.txt")
        for path in ("/etc/passwd", f"{workspace.folder}/../other.txt", f"{workspace.folder}/link"):
            assert (await stage.refused("edit", command="view", path=path)).type == "not_allowed"
        refused = await stage.refused(
            "edit", command="str_replace", path=f"{workspace.folder}/link", old_str="somebody", new_str="me"
        )
        assert refused.type == "not_allowed"
        assert (await stage.refused("edit", command="view", path="notes.md")).type == "invalid_input"
    assert (workspace.folder.parent / "other.txt").read_text() == "of somebody else"


@row("workspace", "database_query", "answers columns and rows, up to 200, and changes nothing")
async def _(stage: Stage) -> None:
    file = stage.run.workdir / "shop.db"
    with closing(sqlite3.connect(file)) as connection:
        connection.executescript("CREATE TABLE book (title, price);")
        connection.executemany("INSERT INTO book VALUES (?, ?)", [(f"Book {n}", n) for n in range(300)])
        connection.commit()
    before = file.read_bytes()
    async with allowed(stage):
        query = {"database": str(file), "query": "SELECT title FROM book WHERE price = ?"}
        assert (await stage.did("database_query", **query, values=[7]))["rows"] == [["Book 7"]]
        result = await stage.call("database_query", database=str(file), query="SELECT * FROM book")
        assert len(result.data["rows"]) == 200
        assert result.data["columns"] == ["title", "price"]
        assert result.data["more"]
        for attempt in ("DELETE FROM book", "ATTACH '/tmp/other.db' AS o", "PRAGMA user_version = 3", "VACUUM"):
            refused = await stage.refused("database_query", database=str(file), query=attempt)
            assert refused.type == "not_allowed"
    assert file.read_bytes() == before


@row("workspace", "database_query", "reaches files of the run's folder only")
async def _(stage: Stage) -> None:
    async with allowed(stage) as workspace:
        outside = workspace.folder.parent / "outside.db"
        with closing(sqlite3.connect(outside)) as connection:
            connection.execute("CREATE TABLE book (title)")
        refused = await stage.refused("database_query", database=str(outside), query="SELECT 1")
        assert refused.type == "not_allowed"
        missing = await stage.refused("database_query", database=f"{workspace.folder}/none.db", query="SELECT 1")
        assert missing.type == "not_found"
    assert not (workspace.folder / "none.db").exists()
