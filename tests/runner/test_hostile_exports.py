"""A recording is a stranger's file: an export runs nothing of it, and writes only where it was told to."""

from __future__ import annotations

import ast
import json
import shutil
import zipfile
from io import BytesIO
from pathlib import Path
from typing import Any, get_args

import pytest

from simulator.cli.main import main
from simulator.errors import RecordingError, SimulatorError
from simulator.filenames import base_name
from simulator.recording.reader import Recording
from simulator.recording.upkeep.playbook_text import parse_playbook
from simulator.report.page import html_report
from simulator.runner.exporting.script import Format, export, write_export
from tests.runner.hostile import change, check_source, payloads, set_options, spoil, stranger

COLLECTED = ("conftest.py", "__init__.py", "test_x.py", "x_test.py", "x.pth", "pytest.ini", "pyproject.toml", "tox.ini")


@pytest.fixture(scope="module")
def made(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A recording of which each test has a copy."""
    path = tmp_path_factory.mktemp("made") / "stranger.db"
    stranger(path)
    return path


@pytest.fixture
def db(made: Path, tmp_path: Path) -> Path:
    path = tmp_path / "in" / "stranger.db"
    path.parent.mkdir()
    shutil.copyfile(made, path)
    return path


def files(folder: Path) -> list[str]:
    return sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if not path.is_dir())


def test_what_was_recorded_stands_in_a_test_as_literals(db: Path, tmp_path: Path) -> None:
    written = write_export(export(db, "last", "pytest"), tmp_path / "out" / "test_it.py")
    text = written[0].read_text("utf-8")
    check_source(text)
    (upload,) = written[1:]
    assert upload.parent.name == "files"
    assert f'FILES / "{upload.name}").read_bytes()' in text
    assert '"name": "cover.png"' in text
    assert 'with page.expect_navigation(url=re.compile("/books/[^/?#&]+$")) as landed:\n' in text
    assert 'with page.expect_response(sent("POST", "/api/[^/?#&]+(?:[?#]|$)")) as saved:\n' in text
    assert 'expect(user_the_other_page.locator("body")).to_contain_text("Emma", use_inner_text=True)' in text


OPTIONS: list[tuple[str, dict[str, Any]]] = [
    ("click", {"count": "__import__('os').system('x')"}),
    ("click", {"count": 10**400}),
    ("click", {"position": {"x": 1}}),
    ("click", {"position": ["a", 1]}),
    ("click", {"button": "left'"}),
    ("click", {"modifiers": "Shift"}),
    ("press", {"hold_ms": "__import__('os')"}),
    ("press", {"hold_ms": -1}),
    ("scroll", {"dx": "0); x("}),
    ("scroll", {"by": [1]}),
    ("drag", {"onto": {"tag": 5}}),
    ("drag", {}),
    ("wait", {"until": "url", "timeout": "1) or x("}),
    ("wait", {"until": "element", "timeout": 1, "how": {"a": 1}}),
    ("select", {"option": {"a": 1}}),
    ("upload", {"name": "x.png"}),
    ("upload", {"name": "x.png", "sha256": "../../x"}),
]


@pytest.mark.parametrize(("kind", "options"), OPTIONS, ids=[f"{kind} {ascii(how)[:40]}" for kind, how in OPTIONS])
def test_options_that_no_action_has_are_refused_with_their_place(
    db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], kind: str, options: dict[str, Any]
) -> None:
    set_options(db, kind, options)
    assert main(["runs", "export", "last", "--db", str(db), "--format", "pytest", "--to", f"{tmp_path}/out/t.py"]) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert "action" in said or "step 1" in said
    assert not (tmp_path / "out").exists()


def test_a_kind_that_no_action_has_is_refused(db: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    change(db, "UPDATE action SET kind = ? WHERE kind = 'check'", "click(); __import__('os').system")
    assert main(["runs", "export", "last", "--db", str(db), "--format", "pytest", "--to", f"{tmp_path}/out/t.py"]) == 2
    assert capsys.readouterr().err.count("\n") == 1
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("name", [*COLLECTED, "CON", "test_it.py", "Ünï cödé.png", "a'b\"c.png", "-rf", ".bashrc"])
def test_an_uploads_name_is_told_to_the_site_and_names_no_file(db: Path, tmp_path: Path, name: str) -> None:
    with Recording.open(db) as recording:
        told = next(one for one in recording.actions(recording.run("last").id) if one.kind == "upload").options
    set_options(db, "upload", {**told, "name": name})
    out = tmp_path / "out"
    test, upload = write_export(export(db, "last", "pytest"), out / "test_it.py")
    assert files(out) == [f"files/{upload.name}", "test_it.py"]
    assert upload.name.rpartition(".")[2] in ("png", "txt", "bin")
    given = [node for node in ast.walk(ast.parse(test.read_text("utf-8"))) if isinstance(node, ast.Dict)]
    assert any(name in [getattr(value, "value", None) for value in one.values] for one in given)


@pytest.mark.parametrize(
    "name", ["/../../x/conftest.py", "..", ".", "", " ", "a/b", "a\\b", "x\0y", "x\ny", "\ud800", "n" * 400, "é" * 128]
)
def test_what_is_no_name_of_a_file_is_refused(
    db: Path, tmp_path: Path, name: str, capsys: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(ValueError, match="name of a file"):
        base_name(name)
    with Recording.open(db) as recording:
        told = next(one for one in recording.actions(recording.run("last").id) if one.kind == "upload").options
    set_options(db, "upload", {**told, "name": name})
    assert main(["runs", "export", "last", "--db", str(db), "--format", "pytest", "--to", f"{tmp_path}/out/t.py"]) == 2
    assert "name" in capsys.readouterr().err
    assert files(tmp_path) == ["in/stranger.db"]


def test_nothing_is_written_through_links_that_lead_elsewhere(db: Path, tmp_path: Path) -> None:
    out, elsewhere = tmp_path / "out", tmp_path / "elsewhere"
    out.mkdir()
    elsewhere.mkdir()
    exported = export(db, "last", "pytest")
    (name,) = exported.files
    (out / "files").symlink_to(elsewhere)
    with pytest.raises(SimulatorError, match="leads elsewhere"):
        write_export(exported, out / "test_it.py")
    assert files(elsewhere) == files(out / "files") == []
    (out / "files").unlink()
    (out / "files").mkdir()
    (elsewhere / "kept").write_text("as it was")
    (out / name).symlink_to(elsewhere / "kept")
    write_export(exported, out / "test_it.py")
    assert (elsewhere / "kept").read_text() == "as it was"
    assert not (out / name).is_symlink()


def test_a_file_that_is_not_what_its_hash_says_is_not_written(db: Path) -> None:
    change(db, "UPDATE blob SET bytes = ?, encoding = 'identity' WHERE media_type = 'image/png'", b"import os")
    for form in ("pytest", "playbook"):
        with pytest.raises(SimulatorError):
            export(db, "last", form)


def looked_at(db: Path, out: Path, canary: Path) -> None:
    """Export a recording in every form, and read what was written as its readers do."""
    for form in get_args(Format):
        to = out / form / "test_it.py"
        refused: SimulatorError | None = None
        try:
            exported = export(db, "last", form)
        except SimulatorError as error:
            refused = error
        if refused:
            assert (refused.exit_code, str(refused).strip().count("\n")) == (2, 0), refused
            continue
        written = write_export(exported, to)
        assert [path for path in written if not path.resolve().is_relative_to(to.parent.resolve())] == []
        assert {path.parent.name for path in written[1:]} <= {"files"}
        assert not [path for path in written[1:] if path.suffix not in (".png", ".txt", ".bin", ".jpeg")]
        match form:
            case "pytest":
                check_source(exported.content.decode())
            case "playbook":
                parse_playbook(to)
            case "har" | "json":
                json.loads(exported.content)
            case "trace":
                names = zipfile.ZipFile(BytesIO(exported.content)).namelist()
                assert not [name for name in names if name.startswith("/") or ".." in name]
    assert not canary.exists()


STEERS = "\x1b]0;mine\x07\x1b[2J\x9b31m\u202e"


def test_what_a_page_says_steers_no_terminal(db: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """Neither in what is shown of a run, nor in what an export refuses."""
    change(db, "UPDATE page SET title = ?, alerts = ?, notes = ?", STEERS, json.dumps([STEERS]), json.dumps([STEERS]))
    change(db, "UPDATE run SET persona = ?, reason = ?, label = ?", STEERS, STEERS, STEERS)
    change(db, "UPDATE step SET tool = ?, task = ?", STEERS, STEERS)
    change(db, "UPDATE created SET kind = ?, fields = ?", STEERS, json.dumps({STEERS: STEERS}))
    change(
        db, "UPDATE action SET target = json_replace(target, '$.name', ?, '$.css', '') WHERE target NOT NULL", STEERS
    )
    shown = [["list"], ["show", "last"], ["show", "last", "--variables"], ["export", "last", "--format", "pytest"]]
    for words in shown:
        main(["runs", *words, "--db", str(db)])
        out, err = capsys.readouterr()
        assert not set(out + err) & {"\x1b", "\x07", "\x9b", "\u202e"}, words


SEED = 1309


@pytest.mark.parametrize("seed", range(SEED, SEED + 20))
def test_generated_recordings_are_exported_as_data_or_refused(db: Path, tmp_path: Path, seed: int) -> None:
    spoil(db, seed, tmp_path / "canary")
    looked_at(db, tmp_path / "out", tmp_path / "canary")


@pytest.mark.slow
@pytest.mark.parametrize("first", range(0, 2000, 100))
def test_many_generated_recordings_are_exported_as_data_or_refused(made: Path, tmp_path: Path, first: int) -> None:
    for seed in range(first, first + 100):
        path = tmp_path / f"{seed}.db"
        shutil.copyfile(made, path)
        done = spoil(path, seed, tmp_path / "canary")
        try:
            looked_at(path, tmp_path / str(seed), tmp_path / "canary")
        except Exception as error:
            raise AssertionError(f"seed {seed}: {done}") from error


@pytest.mark.parametrize(
    "at", [pytest.param(at, marks=() if at % 4 == 0 else pytest.mark.slow) for at in range(len(payloads(Path("x"))))]
)
def test_every_text_of_a_run_is_hostile_at_once(db: Path, tmp_path: Path, at: int) -> None:
    """Whatever is free text: persona, label, tool, task, values, titles, notes, evidence, what was made."""
    canary, path = tmp_path / "canary", db
    bad = payloads(canary)[at]
    texts = {
        "run": ("persona", "label", "agent", "site", "reason"),
        "step": ("tool", "task"), "page": ("title",), "action": ("recorded_value", "error"),
        "created": ("kind",), "variable": ("value",),
    }  # fmt: skip
    for table, columns in texts.items():
        for column in columns:
            if bad.isascii() or bad.isprintable():
                change(path, f"UPDATE {table} SET {column} = ? WHERE {column} IS NOT NULL", bad)
    if bad.isascii() or bad.isprintable():
        change(path, "UPDATE actor SET name = ? WHERE ordinal = 1", bad)
    notes = json.dumps([bad])
    change(path, "UPDATE page SET notes = ?, alerts = ?", notes, notes)
    change(path, "UPDATE created SET fields = ?", json.dumps({bad: bad}))
    for key in ("$.name", "$.css", "$.label", "$.scopes[0].texts[0]", "$.frame[0]", "$.test_id"):
        change(
            path,
            f"UPDATE action SET target = json_replace(target, '{key}', json(?)) WHERE target NOT NULL",
            json.dumps(bad),
        )
    looked_at(path, tmp_path / "out", canary)
    try:
        with Recording.open(path) as recording:
            page = html_report(recording, "last")
    except RecordingError:
        return  # half a character, which no recording of ours holds, or an endless name
    assert "<script" not in page.lower()
    assert "<img" not in page
    assert "\nfigure" in page
