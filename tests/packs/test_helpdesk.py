"""The example of a pack: written from public names alone, it acts on its own site and replays."""

from __future__ import annotations

import ast
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

ROOT = Path(__file__).parents[2]
EXAMPLE = ROOT / "examples" / "packs" / "helpdesk"
PAGE = (ROOT / "docs" / "packs.md").read_text("utf-8")


@pytest.fixture(scope="module")
def installed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the pack, and with what an installer writes of it."""
    folder = tmp_path_factory.mktemp("installed")
    for name in ("helpdesk_pack.py", "helpdesk_doing.py"):
        shutil.copy(EXAMPLE / name, folder)
    info = folder / "helpdesk_pack-0.1.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: helpdesk-pack\nVersion: 0.1\n", "utf-8")
    (info / "entry_points.txt").write_text("[simulator.packs]\nhelpdesk = helpdesk_pack:PACK\n", "utf-8")
    return folder


@pytest.fixture
def site() -> Iterator[str]:
    """The helpdesk as a program of its own; gives its address."""
    command = [sys.executable, str(EXAMPLE / "helpdesk_site.py"), "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
        try:
            assert found is not None
            yield found[0]
        finally:
            process.terminate()


def sim(installed: Path, project: Path, *words: str) -> Any:
    program = "import sys; from simulator.cli.main import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, *words, "--json"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(installed), str(ROOT)]), "SIM_KEY": "0" * 64},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )
    assert done.returncode == 0, (done.stdout[-3000:], done.stderr[-3000:])
    return json.loads(done.stdout)


def held(site: str) -> list[Any]:
    """What the site holds, whatever the order in which users came."""
    tickets = httpx.get(f"{site}/state").json()["tickets"]
    return sorted((one["title"], one["by"], one["state"], sorted(one["comments"])) for one in tickets)


def test_it_acts_on_its_site_and_replays_there(installed: Path, site: str, tmp_path: Path) -> None:
    shutil.copytree(EXAMPLE / "personas", tmp_path / "personas")
    text = (EXAMPLE / "sim.toml").read_text("utf-8").replace("http://127.0.0.1:8770", site)
    (tmp_path / "sim.toml").write_text(text, "utf-8")
    assert sim(installed, tmp_path, "packs", "check") == {"helpdesk": []}
    run = sim(
        installed, tmp_path, "personas", "run", "--count", "4", "--seed", "7", "--agent", "autopilot",
        "--site", "helpdesk", "--db", "runs.db",
    )  # fmt: skip
    assert [one["status"] for one in run["runs"]] == ["passed"] * 4, run
    made = held(site)
    assert [state for _, _, state, _ in made].count("closed") == 2
    assert sum(len(comments) for *_, comments in made) == 3
    assert all(by != author for _, author, _, comments in made for by, _ in comments)
    replayed = sim(installed, tmp_path, "replay", "runs.db", "--reset", "--db", "again.db")
    assert [one["verdict"] for one in replayed["runs"]] == ["passed"] * 4
    assert held(site) == made
    fresh = sim(installed, tmp_path, "replay", "runs.db", "--identity", "fresh", "--seed", "8", "--db", "fresh.db")
    assert [one["verdict"] for one in fresh["runs"]] == ["passed"] * 4
    (tmp_path / "sim.toml").write_text(text.replace('packs = ["helpdesk"]', "packs = []"), "utf-8")
    alone = sim(installed, tmp_path, "replay", "runs.db", "--reset", "--db", "alone.db")
    assert [one["verdict"] for one in alone["runs"]] == ["passed"] * 4


@pytest.mark.parametrize("name", ["helpdesk_pack.py", "helpdesk_doing.py"])
def test_it_imports_names_alone_that_the_page_on_packs_tells(name: str) -> None:
    for node in ast.walk(ast.parse((EXAMPLE / name).read_text("utf-8"))):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("simulator"):
            (row,) = [line for line in PAGE.splitlines() if line.startswith(f"| `{node.module}` |")]
            for one in node.names:
                assert f"`{one.name}`" in row
        assert not (isinstance(node, ast.Import) and any(one.name.startswith("simulator") for one in node.names))
