"""Recorded runs as tests of somebody's project: collected, replayed and told by pytest in a process of its own."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from simulator.config import default_text
from tests.runner.bench import Original, Shop

Run = Callable[..., subprocess.CompletedProcess[str]]


@pytest.fixture
def project(tmp_path: Path, seller: Original) -> Path:
    """A project with a recording, and a bookshop that nobody serves."""
    folder = tmp_path / "project"
    (folder / "recordings").mkdir(parents=True)
    shutil.copyfile(seller.db, folder / "recordings" / "seller.db")
    (folder / "sim.toml").write_text(default_text().replace("127.0.0.1:8765", "127.0.0.1:1"), "utf-8")
    return folder


@pytest.fixture
def run_pytest(project: Path) -> Run:
    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        command = [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "-p", "no:randomly", *arguments]
        environment = {**os.environ, "COLUMNS": "100"}
        return subprocess.run(command, cwd=project, env=environment, capture_output=True, text=True, timeout=120)

    return run


@pytest.mark.slow
def test_every_recorded_run_is_a_test(project: Path, run_pytest: Run) -> None:
    done = run_pytest("-v")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "recordings/seller.db::seller-1-" in done.stdout
    assert "1 passed" in done.stdout
    again = run_pytest()
    assert again.returncode == 0, "the replays that were recorded meanwhile are no tests"
    assert "1 passed" in again.stdout


@pytest.mark.slow
def test_a_marker_says_who_performs_it_and_a_fixture_replays(project: Path, run_pytest: Run) -> None:
    (project / "conftest.py").write_text(
        "import pytest\n"
        "def pytest_collection_modifyitems(items):\n"
        "    for item in items:\n"
        "        if item.path.suffix == '.db':\n"
        "            item.add_marker(pytest.mark.sim_identity('same'))\n",
        "utf-8",
    )
    (project / "test_own.py").write_text(
        "def test_own(sim_replay):\n"
        "    first, = sim_replay('recordings/seller.db').runs\n"
        "    second, = sim_replay('recordings/seller.db').runs\n"
        "    assert first.username != second.username\n",
        "utf-8",
    )
    done = run_pytest("--strict-markers")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "2 passed" in done.stdout


def test_what_is_not_proven_fails_where_proof_is_required(project: Path, run_pytest: Run) -> None:
    done = run_pytest("--require-proven")
    assert done.returncode == 1, done.stdout + done.stderr
    assert "of seller.db is not proven: perform it once more with 'sim prove" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.table
def test_a_drift_reads_as_one(project: Path, run_pytest: Run, spoilt: Callable[..., tuple[str, Shop]]) -> None:
    url, _ = spoilt(replace=[["Put it up for sale", "Publish"]])
    done = run_pytest("--sim-base-url", url)
    assert done.returncode == 1, done.stdout + done.stderr
    assert "failed: 1 of 1 run drifted; first: user 1, target_missing at step" in done.stdout
    assert "button 'Publish'" in done.stdout, "what there is near it"
    assert "Traceback" not in done.stdout
    assert "pytest_plugin.py" not in done.stdout


@pytest.mark.slow
def test_a_site_that_is_down_is_one_sentence(project: Path, run_pytest: Run) -> None:
    with (project / "sim.toml").open("a", encoding="utf-8") as file:
        file.write("\n[site.mine]\nbase_url = 'http://127.0.0.1:1'\n")
    done = run_pytest("--sim-site", "mine")
    assert done.returncode == 1
    assert "nothing answers at http://127.0.0.1:1" in done.stdout
    assert "Traceback" not in done.stdout


@pytest.mark.slow
def test_a_file_that_is_no_recording_is_told_where_it_counts(project: Path, run_pytest: Run) -> None:
    (project / "other.db").write_text("something else", "utf-8")
    (project / "recordings" / "broken.db").write_text("no database", "utf-8")
    done = run_pytest("--collect-only")
    assert done.returncode == 2
    assert "broken.db" in done.stdout
    assert "other.db" not in done.stdout
