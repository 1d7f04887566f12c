"""Recorded runs in other forms: a test that passes on its own, and a playbook that is replayed as the run is."""

from __future__ import annotations

import asyncio
import json
import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler
from pathlib import Path
from typing import Any

import playwright
import pytest
from playwright.async_api import async_playwright

from simulator.browser.launch.executable import find_executable
from simulator.errors import RecordingError, UsageError
from simulator.recording.dependencies import closure
from simulator.recording.reader import Recording
from simulator.recording.upkeep.importing import import_playbook
from simulator.recording.upkeep.verify import verify
from simulator.runner.exporting.script import export, write_export
from simulator.runner.replays.gathering import gathered
from tests.fakes.server import LocalServer
from tests.recording.row_counts import row_counts
from tests.runner.bench import USERS, Bench, Original, Shop

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("what runs are exported as")]

FIXTURES = """
import os

import pytest
from playwright.sync_api import sync_playwright


@pytest.fixture
def browser():
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=os.environ["BROWSER"], args=["--no-sandbox"])
        yield browser
        browser.close()


@pytest.fixture
def page(browser):
    return browser.new_page()
"""


def passes(file: Path, **environment: str) -> str:
    """Run a test file by itself, in a process of its own, with the fixtures that pytest-playwright would give."""
    (file.parent / "conftest.py").write_text(FIXTURES)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-c", os.devnull, "--rootdir", file.parent,
         file],
        cwd=file.parent, capture_output=True, text=True, check=False,
        env={
            "PATH": os.environ["PATH"], "HOME": str(file.parent), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1",
            "BROWSER": str(find_executable().path), **environment,
        },
    )  # fmt: skip
    assert "1 passed" in done.stdout, file.read_text() + done.stdout + done.stderr
    return file.read_text()


@pytest.mark.slow
async def test_a_test_of_users_who_deal_with_each_other_passes_on_its_own(
    original: Original, spoilt: Callable[..., tuple[str, Shop]], tmp_path: Path
) -> None:
    url, shop = spoilt()
    run_id = original.runs()["visitor"]
    written = write_export(export(original.db, run_id, "pytest"), tmp_path / "out" / "test_visitor.py")
    assert {path.parent.name for path in written[1:]} == {"files"}
    text = await asyncio.to_thread(passes, written[0], BASE_URL=url, TEST_PASSWORD="A-Password-19!")
    with Recording.open(original.db) as recording:
        needed = closure(recording, [run_id])
        users = {(recording.run(one).identity or {})["username"] for one in needed} | {"house"}
    assert text.count("new_context()") == len(needed) - 1
    recorded = {name: part for name, part in original.shop.state.items() if name in users}
    assert _said(shop.state) == _said(recorded)


def _said(state: dict[str, Any]) -> dict[str, Any]:
    """What users did, without what hangs on a password."""
    return {name: {key: value for key, value in part.items() if "password" not in key} for name, part in state.items()}


@pytest.mark.slow
async def test_a_playbook_is_imported_and_replayed_as_what_it_was_made_of(bench: Bench, original: Original) -> None:
    folder = bench.folder
    exported = export(original.db, "all", "playbook")
    (book, *files) = write_export(exported, folder / "book.yaml")
    assert files
    imported = import_playbook(book, folder / "imported.db")
    assert len(imported.runs) == USERS
    assert verify(folder / "imported.db") == []
    assert export(folder / "imported.db", "all", "playbook") == exported, "nothing is lost on the way"
    with gathered([str(book)], folder / "none.db", landing=folder / "none.db") as found:
        replayed = await bench.replay(found.source, "again", target=found.targets)
    assert replayed.verdicts == ["passed"] * USERS
    assert replayed.result.state_before == replayed.result.state_after is not None
    assert replayed.shop.state == original.shop.state


@pytest.mark.slow
async def test_several_recordings_are_one_replay(bench: Bench, original: Original, seller: Original) -> None:
    book = bench.folder / "seller.yaml"
    write_export(export(seller.db, "last", "playbook"), book)
    clerk = original.runs()["clerk"]
    with gathered([clerk, str(book)], original.db, landing=bench.folder / "x.db") as found:
        replayed = await bench.replay(found.source, "again", target=found.targets, identity="fresh", seed="9")
        assert found.name == f"{original.db.name}, seller.yaml"
    assert sorted(run.persona for run in replayed.result.runs) == ["clerk", "seller"]
    assert set(replayed.verdicts) == {"passed"}


def test_a_folder_means_its_recordings_but_the_one_where_replays_land(seller: Original, tmp_path: Path) -> None:
    recordings = tmp_path / "recordings"
    recordings.mkdir()
    landing = recordings / "runs.db"
    landing.write_bytes(b"not looked at")
    with pytest.raises(UsageError, match="holds no recording"), gathered([str(recordings)], landing, landing=landing):
        pass
    write_export(export(seller.db, "all", "playbook"), recordings / "seller.yaml")
    with gathered([str(recordings)], landing, landing=landing) as found, Recording.open(found.source) as recording:
        assert [run.persona for run in recording.runs()] == ["seller"]


def test_a_file_is_a_recording_whatever_its_ending(seller: Original, tmp_path: Path) -> None:
    landing = tmp_path / "runs.db"
    kept = tmp_path / "kept.sqlite3"
    shutil.copyfile(seller.db, kept)
    with gathered([str(kept)], landing, landing=landing) as found:
        assert (found.source, found.targets) == (kept, ("all",))


def test_everything_is_there_as_json(seller: Original) -> None:
    whole = json.loads(export(seller.db, "all", "json").content)
    with Recording.open(seller.db) as recording:
        for table, count in row_counts(recording).items():
            if table in whole["tables"]:
                assert len(whole["tables"][table]) == count, table
        assert len(whole["blobs"]) == row_counts(recording)["blob"]
    assert {"run", "step", "action", "variable", "created", "page", "exchange"} <= whole["tables"].keys()


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ("kind: goto", "kind: fly", r"book.yaml:\d+:\d+: runs.0.steps.0.actions.0.kind: Input should be"),
        ("- tool: register", "- tool: register\n    surprise: 1", r"runs.0.steps.0.surprise: Extra inputs"),
        ("playbook: 1", "playbook: 2", r"book.yaml:1:11: playbook: Input should be 1"),
        ("playbook: 1", "playbook: [1", r"book.yaml:\d+:\d+: not YAML"),
        ("step: 7, action: 7", "step: 700, action: 7", "has no step 700"),
        ("name: ", "name: ../", "files.* String should match pattern"),
    ],
)
def test_what_a_playbook_cannot_say_is_refused_with_its_place(
    seller: Original, tmp_path: Path, old: str, new: str, said: str
) -> None:
    text = export(seller.db, "all", "playbook").content.decode()
    head, _, tail = text.rpartition("\nfiles:\n")
    text = f"{head}\nfiles:\n{tail.replace(old, new, 1)}" if old == "name: " else text.replace(old, new, 1)
    (tmp_path / "book.yaml").write_text(text)
    with pytest.raises(RecordingError, match=said):
        import_playbook(tmp_path / "book.yaml", tmp_path / "into.db")
    assert not (tmp_path / "into.db").exists(), "nothing is stored of it"


def test_a_playbook_without_its_files_is_refused(seller: Original, tmp_path: Path) -> None:
    book, cover, *_ = write_export(export(seller.db, "all", "playbook"), tmp_path / "book.yaml")
    cover.write_bytes(b"another picture")
    with pytest.raises(RecordingError, match="is not the file that"):
        import_playbook(book, tmp_path / "into.db")
    cover.unlink()
    with pytest.raises(RecordingError, match="uploads, cannot be read"):
        import_playbook(book, tmp_path / "into.db")
    assert not (tmp_path / "into.db").exists()


class Viewer(SimpleHTTPRequestHandler):
    """Serves Playwright's own trace viewer, and a trace."""

    trace: Path

    def translate_path(self, path: str) -> str:
        return str(self.trace) if path.split("?")[0] == "/trace.zip" else super().translate_path(path)

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def viewer(tmp_path: Path) -> Iterator[str]:
    folder = Path(playwright.__file__).parent / "driver" / "package" / "lib" / "vite" / "traceViewer"
    handler = type("WithTrace", (Viewer,), {"trace": tmp_path / "trace.zip"})
    with LocalServer(("127.0.0.1", 0), partial(handler, directory=str(folder))) as server:
        threading.Thread(target=server.serve_forever).start()
        url = f"http://localhost:{server.server_port}"
        yield f"{url}/index.html?trace={url}/trace.zip"
        server.shutdown()


async def test_a_trace_opens_in_playwrights_viewer(seller: Original, viewer: str, tmp_path: Path) -> None:
    write_export(export(seller.db, "all", "trace"), tmp_path / "trace.zip")
    assert export(seller.db, "all", "trace").content == (tmp_path / "trace.zip").read_bytes()
    async with async_playwright() as driver:
        browser = await driver.chromium.launch(executable_path=find_executable().path, args=["--no-sandbox"])
        page = await browser.new_page()
        await page.goto(viewer)
        await page.locator(".action-title").first.wait_for()
        steps = await page.locator(".action-title").all_inner_texts()
        await page.locator(".action-title").first.click()
        await page.keyboard.press("ArrowRight")
        await page.get_by_text("fill textbox 'Password' with '{{secret.password}}'").first.wait_for()
        await browser.close()
    with Recording.open(seller.db) as recording:
        tools = [step.tool for step in recording.steps(recording.run("last").id)]
    assert [text.splitlines()[0] for text in steps] == tools
