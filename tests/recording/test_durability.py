from __future__ import annotations

import errno
import resource
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from simulator.errors import RecordingError, StorageFull
from simulator.recording import Recorder, Recording, database
from simulator.recording.schema import MIGRATIONS
from simulator.recording.upkeep.verify import verify
from simulator.tools.contracts import ToolCall
from tests.recording.row_counts import row_counts

WRITER = Path(__file__).with_name("writer_process.py")


def start_writer(path: Path, steps: int, **options) -> subprocess.Popen[str]:
    command = [sys.executable, str(WRITER), str(path), str(steps)]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=WRITER.parents[2], **options
    )


@pytest.mark.breadth(1)
@pytest.mark.parametrize("lines", [2, 11, 40, 41])
def test_kill_9_loses_nothing_that_was_committed(path, lines):
    with start_writer(path, 1_000_000) as writer:
        told = [writer.stdout.readline().split() for _ in range(lines)]
        with Recording.open(path) as recording:
            assert recording.run("last").status == "running"
        writer.kill()
        rest = [line.split() for line in writer.stdout.read().splitlines()]
        told += [line for line in rest if len(line) == 2]
    done = [id for word, id in told if word == "done" and len(id) == 36]
    pending = [id for word, id in told if word == "pending" and len(id) == 36]

    with Recording.open(path) as recording:
        run = recording.run("last")
        steps = {step.id: step for step in recording.steps(run.id)}
        assert (run.status, run.verdict, recording.batch("last").status) == ("interrupted",) * 3
        assert {steps[id].status for id in done} <= {"done"}
        assert set(pending) <= set(steps)
        assert {step.status for step in steps.values()} <= {"done", "interrupted"}
        assert {action.status for action in recording.actions(run.id)} <= {"done", "interrupted"}
    assert verify(path) == []

    with Recorder.open(path), sqlite3.connect(path) as connection:
        statuses = connection.execute("SELECT status FROM run UNION ALL SELECT status FROM batch").fetchall()
        left = connection.execute("SELECT count(*) FROM step WHERE status = 'pending'").fetchone()
    connection.close()
    assert statuses == [("interrupted",)] * 2
    assert left == (0,)
    assert verify(path) == []


def test_what_is_running_elsewhere_is_not_interrupted(path):
    with start_writer(path, 1_000_000) as writer:
        writer.stdout.readline()
        with Recorder.open(path) as recorder:
            assert recorder.reap() == 0
        with Recording.open(path) as recording:
            assert recording.run("last").status == "running"
        writer.kill()


@pytest.mark.table
def test_eight_processes_create_one_file_at_once(path):
    writers = [start_writer(path, 20) for _ in range(8)]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert (writer.returncode, errors) == (0, "")
    with Recording.open(path) as recording:
        assert [run.status for run in recording.runs()] == ["passed"] * 8
        assert row_counts(recording)["step"] == 160
    assert verify(path) == []
    assert sorted(file.name for file in path.parent.iterdir()) == ["runs.db"]


def test_a_file_is_a_recording_from_the_moment_others_see_it(tmp_path):
    for number in range(5):
        path = tmp_path / f"{number}.db"
        with start_writer(path, 0) as writer:
            while not path.exists() and writer.poll() is None:
                pass
            with Recording.open(path) as recording:
                assert len(recording.runs()) <= 1
            writer.communicate(timeout=60)


def test_a_disk_without_hard_links_takes_a_recording_too(path, monkeypatch):
    def refuse(*_):
        raise PermissionError(errno.EPERM, "no links here")

    monkeypatch.setattr(database.os, "link", refuse)
    Recorder.open(path).close()
    assert verify(path) == []
    assert [file.name for file in path.parent.iterdir()] == ["runs.db"]


def test_a_size_limit_ends_with_one_sentence_and_keeps_what_was_committed(path):
    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (1_500_000, 1_500_000))

    with start_writer(path, 1_000_000, preexec_fn=limit) as writer:
        output, errors = writer.communicate(timeout=120)
    assert writer.returncode == 1
    assert errors.splitlines()[-1].startswith("simulator.errors.StorageFull: ")
    assert "disk is full or a size limit is reached" in errors
    done = [line.split()[1] for line in output.splitlines() if line.startswith("done")]
    assert len(done) > 10
    with Recording.open(path) as recording:
        steps = {step.id: step.status for step in recording.steps(recording.run("last").id)}
    assert {steps[id] for id in done} == {"done"}
    assert verify(path) == []


def test_a_full_file_is_storage_full_and_the_transaction_is_undone(path, begin_run):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        recorder.writer.connection.execute("PRAGMA max_page_count = 1")
        with pytest.raises(StorageFull, match="free some space"):
            run.put_blob(b"x" * 100_000, "image/png")
        recorder.writer.connection.execute("PRAGMA max_page_count = 1000000")
        run.begin_step(call=ToolCall(id="1", name="goto"), replay="actions")
        run.end_run(status="failed")
    assert verify(path) == []


def test_a_locked_file_is_told(path, begin_run, monkeypatch):
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with Recorder.open(path) as recorder, sqlite3.connect(path, isolation_level=None) as other:
        run = begin_run(recorder)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(RecordingError, match=r"runs\.db is locked by another program"):
            run.begin_step(call=ToolCall(id="1", name="goto"), replay="actions")
        other.execute("ROLLBACK")
        run.begin_step(call=ToolCall(id="1", name="goto"), replay="actions")
    other.close()


@pytest.mark.parametrize("open_it", [Recorder.open, Recording.open, verify])
def test_what_is_no_recording_is_refused(tmp_path, open_it):
    text = tmp_path / "text.db"
    text.write_text("This is a text of some length, and surely no database.\n" * 40)
    foreign = tmp_path / "foreign.db"
    with sqlite3.connect(foreign) as connection:
        connection.execute("CREATE TABLE other (x)")
    connection.close()
    before = foreign.read_bytes()
    with pytest.raises(RecordingError, match=r"text\.db is not a recording \(not an SQLite file\)"):
        open_it(text)
    with pytest.raises(RecordingError, match=r"foreign\.db is an SQLite file but not a recording"):
        open_it(foreign)
    assert foreign.read_bytes() == before
    with pytest.raises(RecordingError, match=r"check the path|no such recording"):
        open_it(tmp_path / "text.db" / "below.db")


@pytest.mark.skipif(sys.platform != "linux", reason="needs a folder in which nobody can make a file")
@pytest.mark.parametrize("path", ["/proc/runs.db", "/proc/folder/runs.db"])
def test_a_place_that_takes_no_file_is_told(path):
    with pytest.raises(RecordingError, match=r"/runs\.db.*check the path and its permissions"):
        Recorder.open(Path(path))


def test_reading_what_is_missing_is_told(tmp_path):
    with pytest.raises(RecordingError, match=r"no\.db: there is no such recording"):
        Recording.open(tmp_path / "no.db")
    assert list(tmp_path.iterdir()) == []


def test_an_older_recording_is_migrated_and_a_copy_stays(path, begin_run):
    make_older(path)
    with Recording.open(path) as recording:
        assert row_counts(recording)["exchange"] == 0
    assert [file.name for file in path.parent.iterdir()] == ["runs.db"]
    assert tables(path).isdisjoint({"exchange"})

    with Recorder.open(path) as recorder:
        begin_run(recorder).end_run(status="passed")
    assert "exchange" in tables(path)
    copy = path.with_name("runs.before-m002_traffic.db")
    assert sorted(path.parent.iterdir()) == [copy, path]
    assert "exchange" not in tables(copy)
    assert "step" in tables(copy)


@pytest.mark.parametrize("open_it", [Recorder.open, Recording.open])
def test_a_newer_recording_is_refused(path, open_it):
    Recorder.open(path).close()
    with sqlite3.connect(path) as connection:
        connection.execute(
            "INSERT INTO _sqlite_migrations (migration_set, name, applied_at) VALUES (?, 'm099_dreams', 'later')",
            (MIGRATIONS.name,),
        )
    connection.close()
    with pytest.raises(RecordingError, match=r"made by a newer simulator \(its schema has m099_dreams\)"):
        open_it(path)


@pytest.mark.breadth(1)
@pytest.mark.parametrize("killed", [False, True])
def test_reading_leaves_file_and_folder_as_they_were(path, killed):
    with start_writer(path, 1_000_000 if killed else 30) as writer:
        for _ in range(30):
            writer.stdout.readline()
        if killed:
            writer.kill()
        writer.communicate()
    before = {file.name: file.read_bytes() for file in path.parent.iterdir() if not file.name.endswith("-shm")}
    names = sorted(file.name for file in path.parent.iterdir())
    with Recording.open(path) as recording:
        run = recording.run("last")
        assert len(recording.steps(run.id)) >= 14
        assert sorted(file.name for file in path.parent.iterdir()) == names
    assert sorted(file.name for file in path.parent.iterdir()) == names
    assert {name: (path.parent / name).read_bytes() for name in before} == before


def test_a_log_without_its_index_is_read_too(path, tmp_path):
    with start_writer(path, 1_000_000) as writer:
        for _ in range(21):
            writer.stdout.readline()
        writer.kill()
        writer.communicate()
    carried = tmp_path / "carried"
    carried.mkdir()
    for name in ("runs.db", "runs.db-wal"):
        shutil.copy(path.with_name(name), carried / name)
    with Recording.open(carried / "runs.db") as recording:
        assert len(recording.steps(recording.run("last").id)) >= 10
    assert sorted(file.name for file in carried.iterdir()) == ["runs.db", "runs.db-wal"]


def test_a_damaged_file_is_told(path, begin_run, record_step):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        for number in range(50):
            record_step(run, number=number)
    page_size = 4096
    data = bytearray(path.read_bytes())
    for start in range(0, len(data), page_size):
        if run.id.encode() in data[start : start + page_size] and start > len(data) // 2:
            data[start : start + page_size] = b"\xff" * page_size
    path.write_bytes(data)
    with Recording.open(path) as recording, pytest.raises(RecordingError, match=r"is damaged"):
        recording.steps(run.id)
    assert any(problem.where == "file" for problem in verify(path))


def make_older(path: Path) -> None:
    """Make a recording as the first release of the schema did."""
    path.parent.mkdir()
    connection = sqlite3.connect(path, isolation_level=None)
    connection.execute("PRAGMA journal_mode = WAL")
    MIGRATIONS.apply(database.wrap(connection), stop_before="m002_traffic")
    connection.close()


def tables(path: Path) -> set[str]:
    connection = sqlite3.connect(f"file:{path}?mode=ro&immutable=1", uri=True)
    names = {name for (name,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    connection.close()
    return names


def test_reading_what_this_process_writes_does_not_drop_its_locks(path, begin_run, record_step):
    with Recorder.open(path) as recorder:
        run = begin_run(recorder)
        record_step(run)
        with Recording.open(path) as recording:
            assert len(recording.steps(run.id)) == 1
        with start_writer(path, 3) as other:  # when it closes the file it must see that it is not alone
            other.communicate()
        record_step(run, number=1)
        run.end_run(status="passed")
        with Recording.open(path) as recording:
            assert len(recording.steps(run.id)) == 2
    with Recording.open(path) as recording:
        assert len(recording.steps(run.id)) == 2
    assert verify(path) == []
