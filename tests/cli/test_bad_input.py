"""Every wrong thing that a person can hand to `sim` is told in one sentence, with the right exit code."""

from __future__ import annotations

import sqlite3
from pathlib import Path

import psutil
import pytest

from simulator.recording import database
from tests.seam import needs_bookshop

COMMANDS_ON_A_RECORDING = [
    ("runs", "list"),
    ("runs", "show", "last"),
    ("runs", "verify"),
    ("runs", "prune"),
    ("runs", "promote", "last", "--to", "kept.db"),
]


def one_sentence(err: str) -> str:
    lines = err.splitlines()
    assert len(lines) == 1, err
    assert lines[0].startswith("sim: ")
    return lines[0]


@pytest.mark.parametrize("words", [("replay", "absent.db"), ("seed", "last", "--nonsense"), ("replay", "--help")])
def test_a_command_that_performs_nothing_leaves_no_process(sim, words: tuple[str, ...]) -> None:
    """The driver of its browser runs before the words are read."""
    before = {one.pid for one in psutil.Process().children()}
    assert sim(*words).code == (0 if "--help" in words else 2)
    assert {one.pid for one in psutil.Process().children()} <= before


@pytest.mark.parametrize("command", COMMANDS_ON_A_RECORDING)
def test_a_recording_that_is_missing(sim, command: tuple[str, ...]) -> None:
    refused = sim(*command, "--db", "nowhere.db")
    assert refused.code == 2
    assert "nowhere.db: there is no such recording" in one_sentence(refused.err)
    assert not Path("nowhere.db").exists()


@pytest.mark.parametrize("command", COMMANDS_ON_A_RECORDING)
def test_a_recording_that_is_no_database(sim, command: tuple[str, ...]) -> None:
    Path("notes.db").write_text("not a database, but longer than the header of one is: " * 10, "utf-8")
    refused = sim(*command, "--db", "notes.db")
    assert refused.code == 2
    assert "notes.db is not a recording" in one_sentence(refused.err)


def test_a_database_of_another_program(sim) -> None:
    with sqlite3.connect("other.db") as connection:
        connection.execute("CREATE TABLE note (text)")
    connection.close()
    refused = sim("runs", "list", "--db", "other.db")
    assert refused.code == 2
    assert "not a recording" in one_sentence(refused.err)


def test_a_recording_that_another_program_has_locked(
    sim, recorded: str, folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0.05)
    with sqlite3.connect(folder / "recordings" / "runs.db", isolation_level=None) as other:
        other.execute("BEGIN EXCLUSIVE")
        refused = sim("runs", "prune", "--keep", "0")
    other.close()
    assert refused.code == 2
    assert "is locked by another program" in one_sentence(refused.err)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("[run\n", "sim.toml:1:"),
        ("[run]\nconcurency = 2\n", "did you mean 'concurrency'?"),
        ("[run]\nconcurrency = 0\n", "expected a whole number above 0"),
    ],
)
def test_a_wrong_sim_toml(sim, folder: Path, text: str, said: str) -> None:
    (folder / "sim.toml").write_text(text, "utf-8")
    refused = sim("personas", "run")
    assert refused.code == 2
    assert said in one_sentence(refused.err)


def test_an_unknown_site(sim) -> None:
    refused = sim("personas", "run", "--site", "bokshop")
    assert refused.code == 2
    assert "did you mean 'bookshop'?" in one_sentence(refused.err)


def test_a_base_url_that_is_none(sim) -> None:
    refused = sim("personas", "run", "--base-url", "not a url")
    assert refused.code == 2
    assert "expected an address like" in one_sentence(refused.err)


def test_a_base_url_where_nothing_answers_is_not_taken_for_the_bundled_shop(sim) -> None:
    refused = sim("personas", "run", "--base-url", "http://127.0.0.1:9")
    assert refused.code == 3
    assert "nothing answers at http://127.0.0.1:9" in one_sentence(refused.err)


def test_a_missing_persona_folder(sim) -> None:
    refused = sim("personas", "list", "--personas", "nowhere")
    assert refused.code == 2
    assert "'sim init' makes one" in one_sentence(refused.err)


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("personas", "run", "--count", "0"), "'--count'"),
        (("personas", "run", "--count", "many"), "'--count'"),
        (("personas", "run", "--agent", "nobody"), "'--agent'"),
        (("replay",), "'PATH'"),
        (("replay", "last", "--identity", "other"), "'--identity'"),
        (("rplay",), "No such command 'rplay'"),
        (("runs", "list", "--nonsense"), "No such option: --nonsense"),
    ],
)
def test_usage_errors(sim, arguments: tuple[str, ...], said: str) -> None:
    refused = sim(*arguments)
    assert (refused.code, refused.out) == (2, "")
    assert said in refused.err
    assert "--help" in refused.err


def test_an_unknown_tool_and_toolset(sim) -> None:
    assert "did you mean click?" in one_sentence(sim("tools", "show", "clik").err)
    refused = sim("tools", "list", "--toolset", "browsr")
    assert refused.code == 2
    assert "did you mean 'browser'?" in one_sentence(refused.err)


@needs_bookshop
def test_a_bookshop_that_is_missing_or_something_else(sim, recorded: str) -> None:
    missing = sim("demo", "state")
    assert missing.code == 2
    assert "no such bookshop database" in one_sentence(missing.err)
    foreign = sim("demo", "state", "--db", "recordings/runs.db")
    assert foreign.code == 2
    assert "not a bookshop's" in one_sentence(foreign.err)


def test_a_result_that_the_disk_takes_no_more(sim, recorded: str) -> None:
    refused = sim("report", "--html", "/dev/full")
    assert refused.code == 3
    assert "/dev/full cannot be written: No space left on device; make room for it" in one_sentence(refused.err)
