"""Damaged recordings and playbooks, given to every command that reads one.

Whatever the damage is: the command ends with a documented code, says what is wrong in words, writes nothing but what
it was told to write, and leaves the file as it was.
"""

from __future__ import annotations

import contextlib
import io
import os
import shutil
import sqlite3
import warnings
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random

import pytest

from simulator.cli.main import main
from simulator.recording import Recording
from simulator.recording.upkeep.verify import verify
from tests.fuzz.corpus import write_recording
from tests.fuzz.damage import daily_seed, damage_recording, damaged_text

READING = (
    "runs list --db {db}",
    "runs list --json --db {db}",
    "runs show {run} --db {db}",
    "runs show {run} --json --db {db}",
    "plan {run} --db {db}",
    "runs show {run} --variables --db {db}",
    "runs show {run} --residue --db {db}",
    "runs show {run} --exchanges --db {db}",
    "runs diff {run} {other} --db {db}",
    "runs diff {run} {other} --json --db {db}",
    "runs verify --db {db}",
    "runs verify --json --db {db}",
    "runs export {run} --format pytest --to out/test_it.py --db {db}",
    "runs export all --format pytest --to out/test_it.py --db {db}",
    "runs export {run} --format playbook --to out/it.yaml --db {db}",
    "runs export all --format playbook --db {db}",
    "runs export {run} --format har --to out/it.har --db {db}",
    "runs export {run} --format trace --to out/it.zip --db {db}",
    "runs export {run} --format json --to out/it.json --db {db}",
    "runs export all --format datasette --to out/metadata.yaml --db {db}",
    "runs promote {run} --to out/promoted.db --db {db}",
    "report last --html out/report.html --db {db}",
    "plan all --source {db} --db out/runs.db",
    "plan {run} --json --source {db} --db out/runs.db",
    "offline {run} --source {db} --db out/runs.db",
    "offline all --source {db} --db out/runs.db",
    "plan {run} --shard 1/2 --source {db} --db out/runs.db",
    "replay {run} --source {db} --db out/runs.db",
)
"""Commands that read a recording. The last one is to stop before it acts, as nothing answers at its site."""
WRITING = (
    "runs edit {run} --keep 2 --db {db}",
    "runs edit {run} --rewrite 3 Sense --db {db}",
    "runs prune --keep 1 --db {db}",
    "runs prune --keep 0 --db {db}",
    "runs resume {run} --db {db}",
    "cleanup {run} --yes --db {db}",
    "runs import good.yaml --db {db}",
)
"""Commands that write into the recording itself."""
PLAYBOOKS = ("runs import {file} --db out/new.db", "plan {file} --db out/new.db")
CODES = (0, 1, 2, 3)
SITE = '[sites.bookshop]\nbase_url = "http://127.0.0.1:9"\n'


@dataclass(frozen=True)
class Corpus:
    """Files that are whole, and the runs in each recording."""

    folder: Path
    recordings: dict[Path, list[str]]
    playbooks: list[Path]


@pytest.fixture(scope="module")
def corpus(tmp_path_factory: pytest.TempPathFactory) -> Corpus:
    folder = tmp_path_factory.mktemp("corpus")
    committed = folder / "bookshop.db"
    shutil.copyfile(Path(__file__).parents[2] / "recordings" / "bookshop.db", committed)
    with Recording.open(committed) as recording:
        known = recording.runs()[0]
        assert known.identity is not None
        persona = known.environment["persona"]
        assert persona is not None
        every = folder / "every.db"
        write_recording(every, dict(known.identity), persona)
    assert verify(every) == []
    recordings = {}
    for path in (committed, every):
        with Recording.open(path) as recording:
            recordings[path] = [run.id for run in recording.runs()]
        with contextlib.closing(sqlite3.connect(path)) as connection:
            connection.execute("PRAGMA journal_mode = DELETE")
    playbooks = []
    for path in recordings:
        to = folder / f"{path.stem}.yaml"
        assert ran(f"runs export all --to {to} --db {path}".split())[0] == 0
        playbooks.append(to)
    return Corpus(folder, recordings, playbooks)


def ran(arguments: list[str]) -> tuple[int, str]:
    """Run a command in this process; gives its exit code and all that it says."""
    said = io.StringIO()
    with contextlib.redirect_stdout(said), contextlib.redirect_stderr(said):
        code = main(arguments)
    return code, said.getvalue()


def contents(folder: Path) -> dict[str, bytes]:
    """All files of a folder but for what a command is told to write."""
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file() and path.relative_to(folder).parts[:2] != ("case", "out")
    }


@contextlib.contextmanager
def standing(folder: Path) -> Iterator[None]:
    (folder / "out").mkdir(parents=True)
    (folder / "sim.toml").write_text(SITE)
    before = Path.cwd()
    os.chdir(folder)
    try:
        yield
    finally:
        os.chdir(before)


def check_case(corpus: Corpus, folder: Path, seed: int, number: int) -> None:
    """Damage one file, run one command on it, and see what came of it."""
    rng = Random(f"{seed}-{number}")
    place = folder / "case"
    with standing(place):
        if rng.random() < 0.2:
            playbook = rng.choice(corpus.playbooks)
            shutil.copytree(corpus.folder / "files", place / "files")
            (place / "it.yaml").write_bytes(damaged_text(playbook.read_text("utf-8"), rng))
            what, command, writes = "its text is damaged", rng.choice(PLAYBOOKS).format(file="it.yaml"), False
        else:
            source, runs = rng.choice([*corpus.recordings.items()])
            shutil.copyfile(source, place / "it.db")
            shutil.copyfile(corpus.playbooks[1], place / "good.yaml")
            shutil.copytree(corpus.folder / "files", place / "files")
            what = damage_recording(place / "it.db", rng)
            writes = rng.random() < 0.2
            command = rng.choice(WRITING if writes else READING)
            command = command.format(db="it.db", run=rng.choice([*runs, "last"]), other=rng.choice(runs))
        case = f"SIM_FUZZ_SEED={seed} case {number}: {what}: sim {command}"
        before = contents(folder)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("error")
                code, said = ran(command.split())
        except BaseException as error:
            raise AssertionError(f"{case}: {type(error).__name__}") from error
        assert code in CODES, f"{case}: exit code {code}: {said}"
        assert code == 0 or said.strip(), f"{case}: exit code {code}, and not a word"
        assert "Traceback" not in said, f"{case}: {said}"
        assert "a mistake in this program" not in said, f"{case}: {said}"
        after = contents(folder)
        if writes:
            mine = ("case/it.", "case/good.", "case/recordings")
            before, after = ({n: b for n, b in some.items() if not n.startswith(mine)} for some in (before, after))
        assert after == before, f"{case}: {sorted(dict(after.items() ^ before.items()))}"
    shutil.rmtree(place)


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    for name in os.environ:
        if name.startswith("SIM_") and name != "SIM_FUZZ_SEED":
            monkeypatch.delenv(name)
    monkeypatch.setenv("SIM_KEY", "the key of these tests")
    monkeypatch.setenv("SIM_BROWSER", str(tmp_path / "none"))
    return tmp_path


@pytest.mark.table
@pytest.mark.timeout(900)
def test_damaged_files_are_told_and_harm_nothing(corpus: Corpus, folder: Path) -> None:
    seed = daily_seed()
    for number in range(80):
        check_case(corpus, folder, seed, number)


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("share", range(10))
def test_ten_thousand_damaged_files_are_told_and_harm_nothing(corpus: Corpus, folder: Path, share: int) -> None:
    seed = daily_seed() + 1
    for number in range(share * 1000, (share + 1) * 1000):
        check_case(corpus, folder, seed, number)
