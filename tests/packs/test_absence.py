"""The seam is real: the program works where neither the bookshop's pack nor the bookshop is there.

A copy of the package without both is run as a program of its own.
"""

from __future__ import annotations

import json
import lzma
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.seam import copy_without_the_bookshop
from tests.tiers import SEED

pytestmark = pytest.mark.promise("the program without a pack")

ROOT = Path(__file__).parents[2]
PERSONA = """\
persona: guest
about: Looks around.
locale: en_GB
tasks: [register, {visit: {path: /about}}, logout, {do: Read a page.}]
"""
SELLER = "persona: seller\nabout: Sells.\nlocale: en_GB\ntasks: [register, list_books]\n"
BROWSING = ("agent", "benchmarks", "browser", "conformance", "golden", "mutations", "runner", "security")
RECORDING = "bookshop-94cbccc"


@pytest.fixture(scope="module")
def core(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the package, but for what is known of bookshops, and with an old recording of one."""
    folder = tmp_path_factory.mktemp("core")
    leave = shutil.ignore_patterns("bookshop", "demo", "__pycache__")
    shutil.copytree(ROOT / "simulator", folder / "simulator", ignore=leave)
    assert not (folder / "simulator" / "demo").exists()
    assert not (folder / "simulator" / "packs" / "bookshop").exists()
    (folder / "guest.yaml").write_text(PERSONA, "utf-8")
    (folder / "seller.yaml").write_text(SELLER, "utf-8")
    (folder / "old.db").write_bytes(lzma.decompress((ROOT / "tests/golden" / f"{RECORDING}.db.xz").read_bytes()))
    (folder / "sim.toml").write_text('packs = []\n[site.shop]\nbase_url = "http://127.0.0.1:9"\n', "utf-8")
    return folder


@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    ("seed", "without", "many"),
    [
        pytest.param("15", BROWSING, 1500, marks=pytest.mark.table, id="rooms without a browser"),
        pytest.param(str(SEED), (), 2000, marks=pytest.mark.slow, id="all rooms"),
    ],
)
def test_the_core_passes_its_own_tests(tmp_path: Path, seed: str, without: tuple[str, ...], many: int) -> None:
    """What `make test` runs on a day."""
    copy = tmp_path / "copy"
    copy_without_the_bookshop(copy)
    (copy / "tests" / "packs" / "test_absence.py").unlink()
    command = [sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "loadfile", "-p", "no:cacheprovider"]
    done = subprocess.run(
        [*command, "-m", "not slow", "--basetemp", str(tmp_path / "base"), "tests"]
        + [f"--ignore=tests/{room}" for room in without],
        cwd=copy,
        env={**os.environ, "PYTHONPATH": str(copy), "TEST_SEED": seed},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-6000:] + done.stderr[-2000:]
    passed = re.search(r"(\d+) passed", done.stdout)
    assert passed is not None
    assert int(passed[1]) > many, "the tests were not found"


def sim(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    program = "import sys; from simulator.cli.main import main; sys.exit(main())"
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        cwd=folder,
        env={**os.environ, "PYTHONPATH": str(folder)},
        capture_output=True,
        text=True,
        timeout=240,
        check=False,
    )


def test_every_module_of_the_core_can_be_imported(core: Path) -> None:
    program = """
import importlib, pkgutil, simulator
for module in pkgutil.walk_packages(simulator.__path__, "simulator."):
    if not module.name.endswith(("__main__", "pytest_plugin")):
        importlib.import_module(module.name)
assert simulator.__file__.startswith(%r), simulator.__file__
"""
    env = {**os.environ, "PYTHONPATH": str(core)}
    done = subprocess.run(
        [sys.executable, "-c", program % str(core)], cwd=core, env=env, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["--help"], "Synthetic users"),
        (["packs", "list"], "bookshop  -        no"),
        (["personas", "check", "guest.yaml"], "no mistakes"),
        (["personas", "schema"], '"register"'),
        (["tools", "list"], "navigate"),
        (["runs", "list", "--db", "old.db"], "passed"),
        (["runs", "show", "last", "--db", "old.db"], "list_books"),
        (["plan", "old.db"], "click"),
    ],
)
def test_commands_work(core: Path, words: list[str], said: str) -> None:
    done = sim(core, *words)
    assert done.returncode == 0, done.stderr
    assert said in done.stdout


def test_what_needs_a_pack_says_so(core: Path) -> None:
    unknown = sim(core, "personas", "check", "seller.yaml")
    assert unknown.returncode == 2
    assert "unknown task 'list_books'" in unknown.stdout
    fresh = sim(core, "replay", "old.db", "--identity", "fresh", "--site", "shop")
    assert fresh.returncode == 2
    assert "in 'packs' of sim.toml" in fresh.stderr
    shop = sim(core, "demo", "state")
    assert (shop.returncode, "comes without the bookshop" in shop.stderr) == (2, True)
    (core / "guests").mkdir()
    shutil.copyfile(core / "guest.yaml", core / "guests" / "guest.yaml")
    bundled = sim(core, "personas", "run", "--personas", "guests", "--site", "bookshop")
    assert (bundled.returncode, bundled.stderr.startswith("sim: this installation comes without")) == (3, True)


def test_a_new_project_is_for_a_site_of_ones_own(core: Path, tmp_path: Path) -> None:
    env = {**os.environ, "PYTHONPATH": str(core)}
    program = "import sys; from simulator.cli.main import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "init"], cwd=tmp_path, env=env, capture_output=True, text=True, check=False
    )
    assert (done.returncode, done.stdout.splitlines()[0]) == (0, "wrote sim.toml and 1 persona in personas/")
    assert "packs = []" in (tmp_path / "sim.toml").read_text("utf-8")


def test_a_pack_that_is_not_there_is_told_and_switched_off(core: Path) -> None:
    other = core / "named"
    other.mkdir()
    (other / "sim.toml").write_text('packs = ["bookshop"]\n', "utf-8")
    env = {**os.environ, "PYTHONPATH": str(core)}
    program = "import sys; from simulator.cli.main import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "personas", "check", "../guest.yaml"],
        cwd=other, env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0
    (line,) = done.stderr.splitlines()
    assert line.startswith("the pack 'bookshop' is switched off: ")


def test_where_no_pack_is_installed_a_file_without_packs_is_read(core: Path) -> None:
    """The bundled site has a section for the pack, which nobody takes then: no command began."""
    program = "import sys, importlib.metadata as m; m.entry_points = lambda **of: m.EntryPoints()"
    done = subprocess.run(
        [sys.executable, "-c", f"{program}; from simulator.cli.main import main; sys.exit(main())", "packs", "list"],
        cwd=core,
        env={**os.environ, "PYTHONPATH": str(core)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, "bookshop" in done.stdout) == (0, False), done.stderr


@pytest.fixture
def shop(tmp_path: Path) -> Iterator[str]:
    """The bookshop as a program of its own, of the whole package; gives its address."""
    command = [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(tmp_path / "shop.db"), "--reset"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None
        found = re.search(r"http://[\d.]+:\d+", process.stdout.readline())
        try:
            assert found is not None
            yield found[0]
        finally:
            process.terminate()


def test_an_old_recording_replays_without_its_pack(core: Path, shop: str, tmp_path: Path) -> None:
    section = (ROOT / "simulator/config/default_sim.toml").read_text("utf-8").partition("[site.bookshop.routes]")[2]
    text = f'packs = []\n[site.bookshop]\nbase_url = "{shop}"\n[site.bookshop.routes]{section}'
    project = tmp_path / "project"
    project.mkdir()
    (project / "sim.toml").write_text(text, "utf-8")
    program = "import sys; from simulator.cli.main import main; sys.exit(main())"
    done = subprocess.run(
        [sys.executable, "-c", program, "replay", str(core / "old.db"), "--db", "new.db", "--json"],
        cwd=project,
        env={**os.environ, "PYTHONPATH": str(core)},
        capture_output=True,
        text=True,
        timeout=280,
        check=False,
    )
    assert done.returncode == 0, (done.stdout[-2000:], done.stderr[-2000:])
    told = json.loads(done.stdout)
    assert {run["verdict"] for run in told["runs"]} == {"passed"}
