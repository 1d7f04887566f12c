from __future__ import annotations

import sqlite3
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from simulator.browser.action_recorder import ActionOutcome, ActionStart
from simulator.browser.evidence import Target
from simulator.errors import RecordingError
from simulator.recording import Recorder, Recording
from simulator.recording.upkeep import describe
from simulator.recording.upkeep.comments import comments
from simulator.recording.upkeep.promote import promote
from simulator.recording.upkeep.prune import prune
from simulator.recording.upkeep.verify import verify
from simulator.tools.contracts import Image, ToolCall, ToolResult
from tests.journal import enter
from tests.recording.row_counts import row_counts

DOCS = Path(__file__).parents[2] / "docs" / "recordings.md"


@pytest.fixture
def full(path, begin_run, record_step):
    """A recording of three batches: two runs of which the second needs the first, one with a picture, one more."""
    with Recorder.open(path) as recorder:
        first = begin_run(recorder)
        producer = record_step(first)
        first.end_run(status="passed", verdict="passed")
        second = begin_run(recorder, batch_id=first.batch_id, number=1)
        second.variables.set("secret.password", None, kind="secret")
        needing = record_step(second)
        second.add_dependency(step_id=needing, producer_run=first.id, producer_step=producer, name="site.listing_1.id")
        enter(second, step_id=needing, kind="message", url="/inbox", fields={"text": "Hello"})
        second.end_run(status="passed", verdict="passed")
        recorder.end_batch(first.batch_id, status="passed")
        third = begin_run(recorder)
        step_id = third.begin_step(call=ToolCall(id="1", name="upload"), replay="actions")
        cover = third.put_blob(b"cover bytes", "image/png")
        action_id = third.begin(
            ActionStart("upload", "main", Target(tag="input"), options={"sha256": cover, "name": "cover.png"})
        )
        third.end(action_id, ActionOutcome(status="done"))
        image = Image(media_type="image/png", data=b"screenshot bytes")
        third.end_step(step_id, ToolResult(success=True, images=(image,)))
        third.end_run(status="passed", verdict="passed")
        recorder.end_batch(third.batch_id, status="passed")
        fourth = begin_run(recorder)
        record_step(fourth, number=4)
        fourth.end_run(status="failed", verdict="target_missing")
        recorder.end_batch(fourth.batch_id, status="failed")
    assert verify(path) == []
    return path, [first, second, third, fourth]


def contents(path: Path, run_id: str) -> list[object]:
    with Recording.open(path) as recording:
        batch = recording.run(run_id).batch_id
        return [
            recording.run(run_id),
            recording.batch(batch).argv,
            recording.actors(run_id),
            recording.steps(run_id),
            recording.actions(run_id),
            recording.variables(run_id),
            recording.variable_uses(run_id),
            recording.dependencies(run_id),
            recording.created(run_id),
        ]


def test_promotion_copies_a_run_with_what_it_needs(full, tmp_path):
    path, (first, second, third, _) = full
    destination = tmp_path / "committed" / "bookshop.db"
    before = path.read_bytes()
    promoted = promote(path, [second.id], destination)
    assert promoted.added == (first.id, second.id)
    assert promoted.size == destination.stat().st_size < 96_000
    assert path.read_bytes() == before
    for run in (first, second):
        assert contents(destination, run.id) == contents(path, run.id)
    assert verify(destination) == []

    promoted = promote(path, [third.id], destination)
    assert promoted.added == (third.id,)
    with Recording.open(destination) as recording:
        (step,) = recording.steps(third.id)
        (action,) = recording.actions(third.id)
        assert recording.blobs.read(step.images[0][0]) == b"screenshot bytes"
        assert recording.blobs.read(action.options["sha256"]) == b"cover bytes"
    assert verify(destination) == []


def test_promotion_is_repeatable_to_the_byte(full, tmp_path):
    path, (_, second, third, _) = full
    one, other = tmp_path / "one.db", tmp_path / "other.db"
    for destination in (one, other):
        promote(path, [second.id, third.id], destination)
    assert one.read_bytes() == other.read_bytes()
    written = one.stat().st_mtime_ns
    promoted = promote(path, [third.id, second.id], one)
    assert (promoted.added, len(promoted.present)) == ((), 3)
    assert one.stat().st_mtime_ns == written
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one.db", "other.db", "recordings"]


def test_a_promoted_recording_is_read_without_a_trace(full, tmp_path):
    path, (first, *_) = full
    destination = tmp_path / "committed" / "bookshop.db"
    promote(path, [first.id], destination)
    before = destination.read_bytes(), destination.stat().st_mtime_ns
    with Recording.open(destination) as recording:
        assert recording.steps(first.id)
        assert [file.name for file in destination.parent.iterdir()] == ["bookshop.db"]
    assert (destination.read_bytes(), destination.stat().st_mtime_ns) == before
    assert destination.read_bytes()[18:20] == b"\x01\x01"


def test_a_run_that_goes_on_is_not_promoted(path, begin_run, tmp_path):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        with pytest.raises(RecordingError, match="still going on"):
            promote(path, [run.id], tmp_path / "bookshop.db")
    assert not (tmp_path / "bookshop.db").exists()


def test_a_file_that_is_being_written_is_no_destination(full, begin_run):
    path, (first, *_) = full
    with Recorder.open(path) as recorder:
        begin_run(recorder)
        with pytest.raises(RecordingError, match="being written to"):
            promote(path, [first.id], path)


def test_a_folder_that_takes_no_file_is_told_by_the_name_that_was_given(full):
    path, (first, *_) = full
    destination = Path("/proc/promoted.db")
    with pytest.raises(RecordingError, match=r"^/proc/promoted\.db"):
        promote(path, [first.id], destination)


def test_pruning_keeps_the_newest_batches_and_what_they_need(full):
    path, (*_, fourth) = full
    pruned = prune(path, keep=1)
    assert (pruned.batches, pruned.runs, pruned.blobs) == (2, 3, 2)
    with Recording.open(path) as recording:
        assert [run.id for run in recording.runs()] == [fourth.id]
        assert row_counts(recording)["page"] == 2
        assert row_counts(recording)["process"] == 1
    assert verify(path) == []


def test_pruning_keeps_a_batch_that_another_depends_on(full, begin_run, record_step):
    path, (_, _, third, _) = full
    with Recorder.open(path) as recorder:
        fifth = begin_run(recorder)
        fifth.add_dependency(step_id=record_step(fifth), producer_run=third.id, producer_step=None, name="x")
        fifth.end_run(status="passed")
        recorder.end_batch(fifth.batch_id, status="passed")
    assert prune(path, keep=1).batches == 2
    with Recording.open(path) as recording:
        assert [run.id for run in recording.runs()] == [third.id, fifth.id]


def test_pruning_by_age_and_kind(full):
    path, _ = full
    assert prune(path).batches == 0
    assert prune(path, older_than=datetime.now(UTC) - timedelta(hours=1)).batches == 0
    assert prune(path, older_than=datetime.now(UTC) + timedelta(hours=1), kind="replay").batches == 0
    assert prune(path, older_than=datetime.now(UTC) + timedelta(hours=1), kind="record").batches == 3
    with Recording.open(path) as recording:
        assert recording.batches() == []
    assert verify(path) == []


def test_pruning_leaves_what_goes_on(path, begin_run):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        assert prune(path, keep=0).batches == 0
        run.begin_step(call=ToolCall(id="1", name="goto"), replay="actions")


@pytest.mark.parametrize(
    ("damage", "found"),
    [
        ("UPDATE blob SET bytes = x'00'", "its bytes hash to"),
        ("UPDATE blob SET size = 3", "bytes, not 3"),
        ("UPDATE blob SET encoding = 'zlib'", "cannot be unpacked"),
        ("DELETE FROM blob", "uploads the missing blob"),
        ("DELETE FROM blob", "shows the missing blob"),
        ("UPDATE page SET title = 'Other'", "its content hashes to"),
        ("DELETE FROM page", "refers to a missing row of 'page'"),
        ("DELETE FROM actor", "refers to a missing row of 'actor'"),
        ("UPDATE step SET input = '{'", "input: is not JSON"),
        ("UPDATE action SET target = '{\"tag\": 3}'", "target.tag: Input should be a valid string"),
        ("UPDATE step SET ordinal = ordinal + 1", "are numbered 1 to 1"),
        ("UPDATE action SET ordinal = 7", "are numbered 7 to 7"),
        ("UPDATE sequence SET value = 1", "beyond the sequence"),
        ("UPDATE step SET status = 'pending'", "is pending in a run that is passed"),
        ("UPDATE action SET status = 'pending'", "is pending in a step that is done"),
        ("UPDATE run SET ended_at = NULL", "but has no end"),
        ("UPDATE action SET value = '{{secret.password}}'", "typed into a secret field"),
        ("DELETE FROM step WHERE tool = 'upload'", "refers to a missing row of 'step'"),
    ],
)
def test_verify_finds_damage(full, damage, found):
    path, _ = full
    with sqlite3.connect(path) as connection:
        connection.execute(damage)
    connection.close()
    assert any(found in str(problem) for problem in verify(path)), verify(path)


def test_verify_finds_a_broken_index(full):
    path, _ = full
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = DELETE")
    (root,) = connection.execute("SELECT rootpage FROM sqlite_master WHERE name = 'run_batch'").fetchone()
    connection.close()
    data = bytearray(path.read_bytes())
    data[(root - 1) * 4096 + 3 : (root - 1) * 4096 + 5] = b"\0\0"  # the page says that it has no entries
    path.write_bytes(data)
    assert any(problem.where == "file" for problem in verify(path))


def test_the_docs_hold_the_schema():
    text = DOCS.read_text("utf-8")
    assert text == describe.renewed(text), "run: python -m simulator.recording.upkeep.describe docs/recordings.md"


def test_every_table_and_column_says_what_it_holds(path):
    Recorder.open(path).close()
    connection = sqlite3.connect(path)
    found = {
        table: {column[1] for column in connection.execute(f"PRAGMA table_info({table})")}
        for (table,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table' AND name NOT GLOB '_*'")
    }
    strict = {row[1]: row[5] for row in connection.execute("PRAGMA table_list")}
    with describe.open_new() as db:
        told = comments(db)
    connection.close()
    assert {table: set(columns) - {""} for table, columns in told.items()} == found
    assert all(text for columns in told.values() for text in columns.values())
    assert {strict[table] for table in found} == {1}
