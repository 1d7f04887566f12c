"""A recording is a stranger's file: every column is what its type says, or is refused with its place."""

from __future__ import annotations

import contextlib
import shutil
import sqlite3
import tracemalloc
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from simulator.browser.action_recorder import ActionStart
from simulator.browser.evidence import Target
from simulator.browser.operations import _MODELS, options_json
from simulator.canonical import sha256
from simulator.errors import RecordingError, ToolError
from simulator.recording import Recorder, Recording, documents, rows
from simulator.recording.layout import unpack
from simulator.recording.reader import examine
from simulator.recording.upkeep.comments import json_columns
from simulator.recording.upkeep.promote import promote
from simulator.recording.upkeep.verify import verify
from simulator.replay.drift import DriftReport
from simulator.replay.healing import Heal
from simulator.runner.repairs.repair import Repair
from simulator.tools.contracts import ToolCall, ToolResult
from tests.fuzz.corpus import write_recording

IDENTITY = {"username": "ann1", "books": [{"title": "Emma"}]}
PERSONA = {"persona": "collector", "about": "Ann.", "locale": "en_GB", "tasks": ["login"]}


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("whole") / "every.db"
    write_recording(path, IDENTITY, PERSONA)
    return path


@pytest.fixture
def every(whole: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(whole, tmp_path))


def change(path: Path, statement: str, *values: Any) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        assert connection.execute(statement, values).rowcount > 0


def read_all(path: Path) -> None:
    with Recording.open(path) as recording:
        for run in recording.runs():
            examine(recording, run.id)


def test_a_recording_with_everything_in_it_is_whole(every: Path) -> None:
    assert verify(every) == []
    read_all(every)
    with Recording.open(every) as recording:
        kinds = {action.kind for run in recording.runs() for action in recording.actions(run.id)}
    assert kinds == set(_MODELS), "every kind of action stands in it"


@pytest.mark.parametrize(
    ("statement", "value", "place"),
    [
        ("UPDATE action SET options = ? WHERE kind = 'click'", '{"count":"__import__(1)"}', "options.count"),
        ("UPDATE action SET options = ? WHERE kind = 'click'", '{"count":1000000000}', "options.count"),
        ("UPDATE action SET options = ? WHERE kind = 'click'", '{"count":true}', "options.count"),
        ("UPDATE action SET options = ? WHERE kind = 'click'", '{"position":{"x":1}}', "options.position"),
        ("UPDATE action SET options = ? WHERE kind = 'click'", '{"position":[1,"2"]}', "options.position.1"),
        ("UPDATE action SET options = ? WHERE kind = 'click'", '{"position":[1,1e999]}', "options"),
        ("UPDATE action SET options = ? WHERE kind = 'click'", '{"hold_ms":5}', "options.hold_ms"),
        ("UPDATE action SET options = ? WHERE kind = 'press'", '{"hold_ms":"os.system(1)"}', "options.hold_ms"),
        ("UPDATE action SET options = ? WHERE kind = 'upload'", '{"name":"a.png"}', "options.sha256"),
        ("UPDATE action SET options = ? WHERE kind = 'wait'", '{"until":"never","timeout":5}', "options.until"),
        ("UPDATE action SET options = ? WHERE kind = 'drag'", '{"onto":{"tag":3}}', "options.onto.tag"),
        (
            "UPDATE action SET options = ? WHERE kind = 'goto'",
            '{"told_by":{"link":{"tag":"a"}}}',
            "options.told_by.url",
        ),
        ("UPDATE action SET options = ? WHERE kind = 'goto'", "[" * 9999, "options"),
        ("UPDATE action SET options = ? WHERE kind = 'goto'", '{"answered":"\\ud800"}', "options"),
        ("UPDATE action SET kind = ?", "__import__('os')", "kind"),
        ("UPDATE action SET target = ? WHERE kind = 'click'", None, "target"),
        ("UPDATE action SET target = ? WHERE kind = 'click'", '{"tag":"a","scope_depth":4}', "target"),
        ("UPDATE action SET target = ? WHERE kind = 'goto'", '{"tag":"a"}', "target"),
        ("UPDATE action SET value = ? WHERE kind = 'fill'", None, "value"),
        ("UPDATE action SET value = ? WHERE kind = 'scroll'", "all the way", "value"),
        ("UPDATE action SET value = ? WHERE kind = 'switch_tab'", "../1", "value"),
        ("UPDATE action SET choice = ? WHERE choice IS NOT NULL", '{"rule":""}', "choice.rule"),
        ("UPDATE action SET started_at = ?", "soon", "started_at"),
        ("UPDATE step SET input = ?", "[]", "input"),
        ("UPDATE step SET flags = ?", '{"shows":{"site.code_1":{"action":0}}}', "flags.shows.site.code_1.words"),
        ("UPDATE step SET flags = ?", '{"learnt":{"x":{}}}', "flags.learnt.x"),
        ("UPDATE step SET images = ?", '[{"sha256":"x"}]', "images.0"),
        ("UPDATE step SET metadata = ?", '{"mail":{"to":3}}', "metadata.mail.to"),
        ("UPDATE step SET status = ?", "nearly", "status"),
        ("UPDATE step SET id = ? WHERE ordinal = 24", "../../x", "id"),
        ("UPDATE run SET environment = ?", '{"base_url":5}', "environment.base_url"),
        ("UPDATE run SET environment = ?", '{"context":{"width":"wide"}}', "environment.context.width"),
        ("UPDATE run SET summary = ?", '{"drift":{"verdict":"x"}}', "summary.drift.verdict"),
        ("UPDATE run SET summary = ?", '{"tasks":[["a"]]}', "summary.tasks.0.1"),
        ("UPDATE run SET identity = ?", '{"books":[3]}', "identity.books.0"),
        ("UPDATE run SET number = ?", -1, "number"),
        ("UPDATE batch SET settings = ?", '{"count":1000000000000}', "settings.count"),
        ("UPDATE batch SET argv = ?", "{}", "argv"),
        ("UPDATE actor SET context = ?", '{"height":0}', "context.height"),
        ("UPDATE page SET requests = ?", '[["GET"]]', "requests.0.1"),
        ("UPDATE created SET fields = ?", '{"title":1}', "fields.title"),
        ("UPDATE exchange SET request_headers = ?", '[["a","b","c"]]', "request_headers.0"),
        ("UPDATE exchange SET timings = ?", '{"ended":-1}', "timings.ended"),
        ("UPDATE llm_call SET usage = ?", '{"input":"many"}', "usage.input"),
        ("UPDATE variable SET kind = ?", "code", "kind"),
    ],
)
def test_what_does_not_fit_is_told_with_file_table_row_and_column(
    every: Path, tmp_path: Path, statement: str, value: Any, place: str
) -> None:
    if "step SET id" in statement:
        change(every, "UPDATE step SET id = ? WHERE ordinal = 23 AND run_id = (SELECT max(id) FROM run)", value)
    else:
        change(every, statement, value)
    table = statement.split()[1]
    with pytest.raises(RecordingError) as told:
        read_all(every)
    assert str(told.value).startswith(f"{every}: {table} "), told.value
    assert f": {place}" in str(told.value), told.value
    assert len(str(told.value)) < 700
    found = [problem for problem in verify(every) if problem.where.startswith(table)]
    assert any(problem.what.startswith(place) for problem in found), found
    with pytest.raises(RecordingError), Recording.open(every) as recording:
        promote(every, [run.id for run in recording.runs()], tmp_path / "other.db")
    assert not (tmp_path / "other.db").exists()


@pytest.mark.parametrize("name", ["..", "a/b", "a\\b", "x" * 400, "a\0b", "", " ", "\n"])
def test_a_file_that_was_uploaded_has_the_name_of_a_file(every: Path, name: str) -> None:
    change(every, "UPDATE action SET options = json_set(options, '$.name', ?) WHERE kind = 'upload'", name)
    with pytest.raises(RecordingError, match=r"options\.name"):
        read_all(every)


def test_every_json_column_has_a_type_of_its_own() -> None:
    import simulator.recording.parsing as parsing
    from simulator.recording.database import wrap

    read = {value.table: set(value._json) for value in vars(parsing).values() if isinstance(value, parsing.RowType)}
    with contextlib.closing(sqlite3.connect(":memory:")) as connection:
        from simulator.recording.schema import MIGRATIONS

        MIGRATIONS.apply(wrap(connection))
        columns = {table: set(found) for table, found in json_columns(wrap(connection)).items() if found}
    assert {table: found for table, found in read.items() if found} == columns


def test_what_bytes_unfold_into_is_bounded_by_what_they_say(every: Path) -> None:
    bomb = zlib.compress(bytes(200_000_000))
    values = ("0" * 64, "text/plain", 10, "zlib", bomb)
    change(every, "INSERT INTO blob VALUES (?, ?, ?, ?, ?)", *values)
    tracemalloc.start()
    try:
        with Recording.open(every) as recording, pytest.raises(RecordingError, match="unfolds into more than 10 bytes"):
            recording.blobs.read("0" * 64)
        assert any("unfolds into more than 10" in problem.what for problem in verify(every))
        assert tracemalloc.get_traced_memory()[1] < 50_000_000
    finally:
        tracemalloc.stop()
    with pytest.raises(ValueError, match="the limit is 256 MiB"):
        unpack("zlib", bomb, 2**40)
    with pytest.raises(ValueError, match="cut off"):
        unpack("zlib", bomb[:-20], 200_000_000)


def test_bytes_are_given_out_only_where_they_hash_to_their_name(every: Path) -> None:
    change(every, "UPDATE blob SET bytes = zeroblob(size), encoding = 'identity'")
    with Recording.open(every) as recording:
        run = recording.runs()[0]
        (upload,) = (action for action in recording.actions(run.id) if action.kind == "upload")
        with pytest.raises(RecordingError, match="they hash to"):
            recording.blobs.read(upload.options["sha256"])


@pytest.mark.parametrize(
    "options", [{"count": 0}, {"count": 10**9}, {"position": [float("nan"), 1]}, {"wheel": 1}, {"button": "fourth"}]
)
def test_what_could_not_be_read_again_is_not_written(path: Path, begin_run: Callable[..., Any], options: Any) -> None:
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        step = run.begin_step(call=ToolCall(id="1", name="click"), replay="actions")
        with pytest.raises(ToolError, match=f"click: .*{next(iter(options))}"):
            run.begin(ActionStart("click", "main", Target(tag="a"), options=options))
        run.end_step(step, ToolResult(success=True))
    assert verify(path) == []


def test_options_are_written_as_they_are_read() -> None:
    onto = Target(tag="li", role="listitem", name="Done")
    written = options_json("drag", {"onto": onto, "onto_position": (1, 2.5)})
    assert written == {"onto": {"tag": "li", "role": "listitem", "name": "Done"}, "onto_position": [1, 2.5]}
    assert options_json("drag", written) == written
    with pytest.raises(ValidationError):
        options_json("drag", {})


@pytest.mark.parametrize(
    ("kept", "told"), [(documents.Drift, DriftReport), (documents.Heal, Heal), (documents.Repair, Repair)]
)
def test_what_reports_keep_is_what_is_read(kept: Any, told: Any) -> None:
    # A drift's `expected` is called as it was when the first recordings were made.
    names = {"sought" if (told, name) == (DriftReport, "expected") else name for name in told.__dataclass_fields__}
    assert set(kept.__annotations__) == names
    assert TypeAdapter(kept)


def test_ids_and_hashes_are_nothing_but_that() -> None:
    for kind, wrong in ((rows.Id, "../x"), (rows.Id, ""), (rows.Id, "a b"), (rows.Sha256, sha256(b"")[1:])):
        with pytest.raises(ValidationError):
            TypeAdapter(kind).validate_python(wrong)


def test_a_distance_that_a_variable_made_no_number_is_told() -> None:
    from simulator.browser.acting.gestures import _number

    assert _number("-12.5") == -12.5
    for wrong in ("Ann", "", "nan", "1e999"):
        with pytest.raises(ToolError, match="expected a number"):
            _number(wrong)


def test_migrations_that_are_no_text_are_damage(every: Path) -> None:
    change(every, "UPDATE _sqlite_migrations SET applied_at = CAST(x'ff80' AS TEXT)")
    with contextlib.closing(sqlite3.connect(every)) as connection:
        connection.execute("PRAGMA journal_mode = DELETE")
    with pytest.raises(RecordingError, match="cannot be read as a recording"):
        Recording.open(every)
    with pytest.raises(RecordingError, match="cannot be read as a recording"):
        Recorder.open(every)
