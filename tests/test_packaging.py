"""The wheel, installed away from the checkout: what someone gets who does not develop it."""

from __future__ import annotations

import json
import lzma
import os
import subprocess
import sys
import zipfile
from pathlib import Path

import pytest

from tests.seam import copy_without_the_bookshop, needs_bookshop

ROOT = Path(__file__).parent.parent
pytestmark = [pytest.mark.slow, pytest.mark.timeout(1200)]


def call(*command: str | Path, cwd: Path, **env: str) -> str:
    inherited = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
    done = subprocess.run(command, cwd=cwd, env=inherited | env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, f"{command}: exit {done.returncode}\n{done.stdout}\n{done.stderr}"
    return done.stdout


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    call(*pip, "--wheel-dir", folder, ROOT, cwd=folder)
    (built,) = folder.glob("*.whl")
    return built


@pytest.mark.skipif(not (ROOT / ".git").exists(), reason="git says which files are the project's")
def test_wheel_holds_the_product_and_nothing_else(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    assert {name.split("/")[0].split("-")[0] for name in names} == {"simulator", "persona_replay"}
    starters = {name for name in names if name.startswith("simulator/packs/bookshop/starter/")}
    own = [file.relative_to(ROOT / "personas") for file in (ROOT / "personas").rglob("*") if file.is_file()]
    assert starters == {f"simulator/packs/bookshop/starter/{file.as_posix()}" for file in own}
    tracked = call("git", "ls-files", "simulator", cwd=ROOT).split()
    assert set(tracked) <= names


@needs_bookshop
def test_a_wheel_without_the_bookshop_works(tmp_path: Path) -> None:
    copy = tmp_path / "copy"
    copy.mkdir()
    copy_without_the_bookshop(copy)
    built = tmp_path / "built"
    pip = (sys.executable, "-m", "pip", "wheel", "--quiet", "--no-deps", "--no-build-isolation")
    call(*pip, "--wheel-dir", built, copy, cwd=tmp_path)
    (file,) = built.glob("*.whl")
    assert not any("bookshop" in name or "/demo/" in name for name in zipfile.ZipFile(file).namelist())
    call(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    call(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", file, cwd=tmp_path)
    project = tmp_path / "project"
    project.mkdir()
    (project / "sim.toml").write_text('packs = []\n[site.shop]\nbase_url = "http://127.0.0.1:9"\n', "utf-8")
    (project / "guest.yaml").write_text("persona: guest\nabout: Looks.\nlocale: en_GB\ntasks: [register]\n", "utf-8")
    packed = ROOT / "tests" / "golden" / "bookshop-94cbccc.db.xz"
    (project / "old.db").write_bytes(lzma.decompress(packed.read_bytes()))
    where = call(python, "-c", "import simulator; print(simulator.__file__)", cwd=project)
    assert Path(where).is_relative_to(tmp_path / "venv")

    def sim(*arguments: str) -> str:
        return call(python.with_name("sim"), *arguments, cwd=project, XDG_CONFIG_HOME=str(tmp_path / "config"))

    assert "bookshop" not in sim("packs", "list")
    assert "no mistakes" in sim("personas", "check", "guest.yaml")
    assert "list_books" in sim("runs", "show", "last", "--db", "old.db")
    assert "click" in sim("plan", "old.db")


@needs_bookshop
def test_wheel_works_without_the_checkout(wheel: Path, tmp_path: Path) -> None:
    call(sys.executable, "-m", "venv", tmp_path / "venv", cwd=tmp_path)
    python = tmp_path / "venv" / "bin" / "python"
    call(python, "-m", "pip", "install", "--quiet", "-c", ROOT / "constraints.txt", wheel, cwd=tmp_path)
    shop = tmp_path / "empty"
    shop.mkdir()
    where = call(python, "-c", "import simulator; print(simulator.__file__)", cwd=shop)
    assert Path(where).is_relative_to(tmp_path / "venv")

    def sim(*arguments: str) -> str:
        own = {"XDG_CONFIG_HOME": str(tmp_path / "config"), "XDG_CACHE_HOME": str(tmp_path / "cache")}
        return call(python.with_name("sim"), *arguments, cwd=shop, **own)

    sim("init")
    recorded = json.loads(sim("personas", "run", "--count", "3", "--seed", "wheel", "--json"))
    assert [run["status"] for run in recorded["runs"]] == ["passed"] * 3
    chosen = recorded["runs"][-1]["run_id"]
    replayed = json.loads(sim("replay", chosen, "--reset", "--json"))
    assert chosen in [run["source_run"] for run in replayed["runs"]]
    assert {run["verdict"] for run in replayed["runs"]} == {"passed"}
    assert replayed["state_after"] == replayed["state_before"] is not None
