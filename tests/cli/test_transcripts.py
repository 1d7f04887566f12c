"""Every command of the command line: what it prints and exits with, as committed transcripts tell.

``make transcripts`` writes anew what commands tell now, and shows what is otherwise.
"""

from __future__ import annotations

import difflib
import lzma
import os
import shutil
import sqlite3
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
import typer
from typer.main import get_command

from simulator.cli.main import application
from tests.cli.transcript import FOLDER, Block, Command, Line, Told, all_blocks, masked, renew
from tests.fakes.messages_api import KEY, call, messages_api
from tests.golden.replaying import FOLDER as GOLDEN
from tests.ports import port_of_nobody
from tests.seam import needs_bookshop

RECORDINGS = {
    "clerk": "bookshop-94cbccc",
    "six": "bookshop-cee1f7e",
    "orders": "orders-7b5cb46",
    "office": "office-7b5cb46",
}
"""Golden recordings that the commands are given, by the names that they have there."""
BLOCKS = all_blocks()
UNPLAYED = {
    "--install-completion": "changes the home of whoever runs it",
    "--show-completion": "depends on their shell",
}
"""Options that no transcript gives, and why."""


def _unpack(packed: Path, to: Path) -> None:
    to.write_bytes(lzma.decompress(packed.read_bytes()))


@pytest.fixture(scope="session")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder that every block begins in: personas, playbooks, recordings, and files that are no such thing."""
    folder = tmp_path_factory.mktemp("transcripts") / "project"
    shutil.copytree(FOLDER / "project", folder)
    for name, golden in RECORDINGS.items():
        _unpack(GOLDEN / f"{golden}.db.xz", folder / f"{name}.db")
    for packed in folder.glob("*.xz"):
        _unpack(packed, packed.with_suffix(""))
        packed.unlink()
    shutil.copyfile(folder / "orders.db", folder / "forged.db")
    with closing(sqlite3.connect(folder / "forged.db")) as forged, forged:
        forged.execute("UPDATE page SET title = 'forged' WHERE sha256 = (SELECT min(sha256) FROM page)")
    with closing(sqlite3.connect(folder / "other.db")) as other, other:
        other.execute("CREATE TABLE note (text)")
    return folder


@pytest.fixture(scope="session")
def known(project: Path) -> frozenset[str]:
    """Ids of runs and batches in the committed recordings: they are the same each time, and stay in a transcript."""
    found: set[str] = set()
    for file in project.glob("*.db"):
        if file.stem in (*RECORDINGS, "mixed"):
            with closing(sqlite3.connect(file)) as recording:
                found.update(one for (one,) in recording.execute("SELECT id FROM run UNION SELECT id FROM batch"))
    return frozenset(found | {one[-8:] for one in found})


@pytest.fixture
def place(folder: Path, project: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """The project in a folder of its own, where this process is."""
    shutil.copytree(project, folder, dirs_exist_ok=True)
    monkeypatch.setenv("COLUMNS", "100")
    return folder


@pytest.fixture
def model(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """For blocks that are given one: a model that looks at the books, and says that it is done."""
    block = request.getfixturevalue("block")
    if "model" not in block.tags:
        yield
        return
    with messages_api(
        lambda asked: call("complete", result="Done.") if asked.turn else call("navigate", url="/books")
    ) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        yield


def _marked(block: Block) -> object:
    marks = [pytest.mark.table] if "browser" in block.tags else []
    return pytest.param(block, id=f"{block.file.stem}: {block.title}", marks=marks)


@needs_bookshop
@pytest.mark.breadth(20, table=-1)
@pytest.mark.usefixtures("model")
@pytest.mark.parametrize("block", [*map(_marked, BLOCKS)])
def test_what_commands_tell(
    sim,
    block: Block,
    place: Path,
    known: frozenset[str],
    monkeypatch: pytest.MonkeyPatch,
    request: pytest.FixtureRequest,
) -> None:
    toml = place / "sim.toml"
    toml.write_text(toml.read_text("utf-8").replace(":8765", f":{port_of_nobody()}"), "utf-8")

    def play(command: Command) -> Told:
        match command.words:
            case ["sim", *words]:
                with monkeypatch.context() as inside:
                    for name, value in command.env.items():
                        inside.setenv(name, value)
                    inside.setattr(sys, "stdin", nobody)
                    inside.setattr(sys, "argv", ["sim", *words])
                    given = sim(*words)
                return Told(given.out, given.err, given.code)
            case ["cat", file]:
                return Told((place / file).read_text("utf-8"), "", 0)
            case ["cd", inner]:
                monkeypatch.chdir(place / inner)
                return Told("", "", 0)
            case ["ls", inside_of]:
                names = {one.name for one in (place / inside_of).iterdir()} - {"__pycache__"}
                return Told("\n".join(sorted(names)), "", 0)
        raise AssertionError(f"a transcript knows no {command.words}")

    with open(os.devnull) as nobody:
        now = block.played(play, lambda text: masked(text, place, known))
    if request.config.getoption("--renew-transcripts", default=False):
        if now != block:
            renew(now)
        return
    if now != block:
        texts = [one.text().split("\n") for one in (block, now)]
        difference = difflib.unified_diff(*texts, "committed", "now", n=8, lineterm="")
        pytest.fail("\n".join([*difference, "", "Right as it is now? Then: make transcripts"]), pytrace=False)


def _commands(context: typer.Context) -> Iterator[typer.Context]:
    """Walk through all commands, groups included."""
    yield context
    for name, command in getattr(context.command, "commands", {}).items():
        yield from _commands(typer.Context(command, parent=context, info_name=name))


def _played() -> dict[str, list[Line]]:
    """Give the lines of the transcripts by their command: the longest that they begin with."""
    names = [context.command_path for context in _commands(typer.Context(get_command(application()), info_name="sim"))]
    found: dict[str, list[Line]] = {name: [] for name in names}
    for line in (line for block in BLOCKS for line in block.lines):
        words = f"{' '.join(line.command.words)} "
        if called := [name for name in names if words.startswith(f"{name} ")]:
            found[max(called, key=len)].append(line)
    return found


def test_every_command_and_every_option_is_in_a_transcript() -> None:
    """An option counts where its line got past the reading of options: wrong usage alone says nothing of it."""
    played = _played()
    missing = []
    for context in _commands(typer.Context(get_command(application()), info_name="sim")):
        lines = played[context.command_path]
        usable = [line for line in lines if not line.told[0].startswith(("! Usage: ", "! Error: "))]
        given = {word.partition("=")[0] for line in usable for word in line.command.words}
        for option in (one for one in context.command.params if one.param_type_name == "option"):
            names = [one for one in (*option.opts, *option.secondary_opts) if one.startswith("--")]
            missing += [f"{context.command_path} {name}" for name in names if name not in given | UNPLAYED.keys()]
        acts = not hasattr(context.command, "commands") and not context.command.hidden
        if acts and all(line.code for line in lines):
            missing.append(f"{context.command_path}, done")
        if not any(line.code for line in lines):
            missing.append(f"{context.command_path}, refused")
    assert missing == []


def test_every_command_has_help(sim) -> None:
    for context in _commands(typer.Context(get_command(application()), info_name="sim")):
        words = context.command_path.split()[1:]
        helped = sim(*words, "--help")
        assert (helped.code, helped.err) == (0, ""), words
        assert helped.out.startswith(f"Usage: {context.command_path} "), words
        if not context.command.hidden:
            assert sim(*words, "-h").out == helped.out
