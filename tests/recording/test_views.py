"""The views that people read a recording by, and what Datasette shows beside them."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from ruamel.yaml import YAML

from simulator.browser.action_recorder import ActionOutcome, ActionStart, PageState
from simulator.browser.effects.model import Carried, Effect, Kind, KnownThing, Observed, Place, Write
from simulator.browser.evidence import Target
from simulator.errors import RecordingError
from simulator.recording import Recorder, Recording
from simulator.recording.upkeep import describe
from simulator.recording.upkeep.comments import NOT_WRITTEN, comments, view_comments
from simulator.recording.upkeep.datasette import write_metadata
from simulator.tools.contracts import ToolCall, ToolFailure, ToolResult
from tests.journal import enter
from tests.recording.heard import act

VIEWS = {"v_runs", "v_steps", "v_actions", "v_failures", "v_created", "v_exchanges", "v_models", "v_writes", "v_things"}


@pytest.fixture
def looked_at(path: Path, begin_run: Any) -> Iterator[sqlite3.Connection]:
    """A recording of a run that failed at its second step, opened as any SQLite tool opens it."""
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        step = run.begin_step(call=ToolCall(id="1", name="click", input={"selector": "Save"}), replay="actions")
        act(run)
        run.end_step(step, ToolResult(success=True))
        enter(run, step_id=step, kind="book", url="/books/4", fields={"title": "Emma"})
        step = run.begin_step(call=ToolCall(id="2", name="click", input={}), replay="actions", task="list_books")
        action = run.begin(start(PageState("/books", "Books", 200, alerts=("Too dear",))))
        run.keep_snapshot(PageState("/books", "Books", 200, alerts=("Too dear",)), 'alert "Too dear"')
        run.end_step(step, ToolResult(success=False, error=ToolFailure(type="not_found", message="it is gone")))
        assert action
        run.end_run(status="failed", reason="it is gone")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        yield connection


def start(page: PageState) -> ActionStart:
    return ActionStart("click", "main", Target(tag="button", role="button", name="Delete"), before=page)


def rows(connection: sqlite3.Connection, view: str) -> list[dict[str, Any]]:
    return [dict(row) for row in connection.execute(f"SELECT * FROM {view}")]


def test_every_view_tells_what_stands_in_the_tables(looked_at: sqlite3.Connection, path: Path) -> None:
    (run,) = rows(looked_at, "v_runs")
    assert (run["status"], run["reason"], run["steps"], run["made"]) == ("failed", "it is gone", 2, 1)
    assert run["seconds"] >= 0
    assert [(one["step"], one["tool"], one["status"], one["actions"]) for one in rows(looked_at, "v_steps")] == [
        (1, "click", "done", 1),
        (2, "click", "failed", 1),
    ]
    assert [(one["step"], one["kind"], one["role"], one["element"]) for one in rows(looked_at, "v_actions")] == [
        (1, "click", "button", None),
        (2, "click", "button", "Delete"),
    ]
    (failure,) = rows(looked_at, "v_failures")
    told = ("step", "tool", "task", "error_type", "error", "page", "title", "alerts")
    assert [failure[name] for name in told] == [
        2, "click", "list_books", "not_found", "it is gone", "/books", "Books", '["Too dear"]',
    ]  # fmt: skip
    with Recording.open(path) as recording:
        assert recording.blobs.read(failure["snapshot"]) == b'alert "Too dear"'
    (made,) = rows(looked_at, "v_created")
    assert (made["kind"], made["url"], made["step"], made["status"]) == ("book", "/books/4", 1, "live")
    assert {row["name"] for row in looked_at.execute("SELECT name FROM sqlite_master WHERE type = 'view'")} == VIEWS


def test_what_was_made_is_told_by_what_was_seen_of_writes(path: Path, begin_run: Any) -> None:
    def do(start: ActionStart, sent: str, kind: Kind, thing: KnownThing, place: Place) -> None:
        step = run.begin_step(call=ToolCall(id=sent, name=start.kind, input={}), replay="actions")
        action = run.begin(start)
        carried = (Carried("text", action),) if start.value else ()
        write = Write(0, action, "document", "POST", sent, "", 303, "", carried)
        effect = Effect(action, action, 0, "kept", "same", place, kind=kind, thing=thing)
        run.end(action, ActionOutcome("done", observed=Observed((write,), (effect,))))
        run.end_step(step, ToolResult(success=True))

    def put(label: str, value: str) -> ActionStart:
        return ActionStart("fill", "main", Target(tag="input", label=label, form="post /new"), value)

    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        for number, title in (("4", "Emma"), ("5", "Persuasion")):
            own = KnownThing((number,), True, f"/books/{number}")
            do(put("Title", title), "/books/new", "echo", own, Place(own.at, "text", "", True))
        listed = Place("/sent", "text", "", True)
        do(put("Text", "Is it yours?"), "/sellers/ann/messages", "echo", KnownThing((), True), listed)
        gone = ActionStart("click", "main", Target(tag="button"))
        do(gone, "/books/4/delete", "disappearance", KnownThing(("4",)), Place("/my", "card", "", True))
        run.end_run(status="passed")
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as connection:
        connection.row_factory = sqlite3.Row
        found = rows(connection, "v_created")
        (told,) = rows(connection, "v_runs")
    assert [tuple(one[name] for name in ("step", "kind", "url", "fields", "status")) for one in found] == [
        (1, "book", "/books/4", '{"Title":"Emma"}', "removed"),
        (2, "book", "/books/5", '{"Title":"Persuasion"}', "live"),
        (3, "message", "/sent", '{"Text":"Is it yours?"}', "live"),
    ]
    assert told["made"] == 3


def test_every_column_of_a_view_is_described() -> None:
    with describe.open_new() as db:
        described = view_comments(db)
        assert set(described) == VIEWS
        for view, about in described.items():
            columns = [row["name"] for row in db.query("SELECT name FROM pragma_table_info(?)", [view])]
            assert columns == [name for name in about if name], view
            assert about[""]
        tables = comments(db)
    assert all(column in tables[table] for table, column in NOT_WRITTEN), "no such column"


def test_a_recording_without_views_is_read_and_gets_them_where_it_is_written_to(
    looked_at: sqlite3.Connection, path: Path
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        for view in VIEWS:
            connection.execute(f"DROP VIEW {view}")
        connection.execute("DROP TABLE effect")
        connection.execute("DROP TABLE write")
        connection.execute("DROP INDEX action_secret")
        connection.execute("DROP INDEX run_cleanup")
        connection.execute("DELETE FROM _sqlite_migrations WHERE name > 'm003'")
        connection.execute("PRAGMA journal_mode = DELETE")
    before = path.read_bytes()
    with Recording.open(path) as recording:
        assert [step.status for step in recording.steps(recording.run("last").id)] == ["done", "failed"]
    assert path.read_bytes() == before
    Recorder.open(path).close()
    with closing(sqlite3.connect(path)) as connection:
        assert len(connection.execute("SELECT * FROM v_steps").fetchall()) == 2


@pytest.mark.parametrize("view", ["v_runs", "v_created", "v_things"])
def test_a_view_finds_what_it_counts_by_indexes(looked_at: sqlite3.Connection, view: str) -> None:
    """Of thousands of runs nothing is read for each thing that was made but what belongs to it."""
    plan = [row["detail"] for row in looked_at.execute(f"EXPLAIN QUERY PLAN SELECT * FROM {view}")]
    tables = {row["name"] for row in looked_at.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    assert tables >= {"run", "step", "action", "write", "effect"}
    inner = [line for line in plan if line.startswith("SCAN ") and "VIRTUAL" not in line]
    assert {line.split()[1] for line in inner} <= {"run", "write", "created", "made", "put", "v_things"}, plan
    assert view == "v_runs" or any("cleanup USING" in line and "run_cleanup" in line for line in plan)
    assert any("beside USING" in line and "action_secret" in line for line in plan)


def test_datasette_is_told_of_every_table_and_its_queries_can_be_asked(looked_at: sqlite3.Connection) -> None:
    whole = YAML(typ="safe", pure=True).load(write_metadata("runs"))
    told = whole["databases"]["runs"]
    names = {row["name"] for row in looked_at.execute("SELECT name FROM sqlite_master WHERE type IN ('table', 'view')")}
    assert set(told["tables"]) == names - {"sqlite_sequence", "_sqlite_migrations_applied"}
    assert told["tables"]["v_failures"]["columns"]["snapshot"]
    for query in told["queries"].values():
        looked_at.execute(query["sql"], {"run": "x"}).fetchall()


def test_an_altered_table_is_refused_when_the_file_is_opened(looked_at: sqlite3.Connection, path: Path) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("ALTER TABLE step ADD COLUMN more TEXT")
    with pytest.raises(RecordingError, match="the columns of its table 'step' are not those of a recording: more"):
        Recording.open(path)
    with pytest.raises(RecordingError, match="'step'"):
        Recorder.open(path)


@pytest.mark.parametrize("column", ["migration_set", "name", "applied_at"])
def test_an_altered_table_of_migrations_is_refused(looked_at: sqlite3.Connection, path: Path, column: str) -> None:
    looked_at.close()
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        rows = connection.execute("SELECT * FROM _sqlite_migrations").fetchall()
        names = [row[1] for row in connection.execute("PRAGMA table_info(_sqlite_migrations)")]
        connection.execute("DROP TABLE _sqlite_migrations")
        other = ", ".join("other" if name == column else name for name in names)
        connection.execute(f"CREATE TABLE _sqlite_migrations ({other})")
        connection.executemany(f"INSERT INTO _sqlite_migrations VALUES ({', '.join('?' for _ in names)})", rows)
    for opened in (Recording, Recorder):
        with pytest.raises(RecordingError, match="the columns of its table '_sqlite_migrations' are not those"):
            opened.open(path)


def test_what_would_act_by_itself_is_refused_where_the_file_is_written_to(
    looked_at: sqlite3.Connection, path: Path
) -> None:
    with closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("CREATE TRIGGER boom AFTER INSERT ON batch BEGIN DELETE FROM run; END")
    with Recording.open(path) as recording:
        assert recording.runs()
    with pytest.raises(RecordingError, match="has the trigger 'boom'"):
        Recorder.open(path)
