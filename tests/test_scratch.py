"""Temporary folders: those of programs that were killed are removed, and no others."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.scratch import remove_abandoned, scratch_folder

PROGRAM = """
from simulator.scratch import scratch_folder
with scratch_folder() as folder:
    (folder / "secret.txt").write_text("of a program")
    print(folder, flush=True)
    input()
"""


@pytest.fixture(autouse=True)
def temporary(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


@contextmanager
def another() -> Iterator[tuple[subprocess.Popen[str], Path]]:
    """Run a program that has a folder of its own."""
    command = [sys.executable, "-c", PROGRAM]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as program:
        assert program.stdout is not None
        try:
            yield program, Path(program.stdout.readline().strip())
        finally:
            program.kill()


def test_a_folder_goes_with_its_context(temporary: Path) -> None:
    with scratch_folder() as folder:
        (folder / "inner").mkdir()
        assert folder.parent == temporary
    assert list(temporary.iterdir()) == []


def test_what_a_killed_program_left_goes_with_the_next_folder(temporary: Path) -> None:
    with another() as (program, folder):
        program.kill()
        program.wait()
        assert (folder / "secret.txt").exists()
        with scratch_folder() as ours:
            assert list(temporary.iterdir()) == [ours]


def test_folders_that_are_in_use_stay(temporary: Path) -> None:
    with another() as (program, folder), scratch_folder() as ours:
        assert remove_abandoned() == []
        assert (folder / "secret.txt").exists()
        assert ours.exists()
        program.communicate("\n")
        assert program.returncode == 0
        assert list(temporary.iterdir()) == [ours]


def test_what_is_not_ours_stays(temporary: Path) -> None:
    kept = temporary / "elsewhere"
    kept.mkdir()
    (kept / ".lock").touch()
    (temporary / "sim-of-another-tool").mkdir()
    (temporary / "sim-link").symlink_to(kept)
    locked_by_nobody = temporary / "other-prefix"
    locked_by_nobody.mkdir()
    (locked_by_nobody / ".lock").touch()
    before = sorted(os.listdir(temporary))
    assert remove_abandoned() == []
    assert sorted(os.listdir(temporary)) == before
