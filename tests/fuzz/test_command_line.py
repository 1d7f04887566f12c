"""Every command with every option, given values by a seed: each ends with a documented code and a sentence.

Not a browser is started and no site is reached: the one of ``sim.toml`` answers nowhere, and the browser is not there.
"""

# ruff: noqa: E501, RUF001 (the lists of odd things stay dense)

from __future__ import annotations

import io
import os
import signal
from collections.abc import Iterator
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from random import Random
from typing import Any, NamedTuple

import pytest
from typer.main import get_command

from simulator.cli.main import application, main
from simulator.recording import Recorder
from tests.fuzz.test_files import PERSONA
from tests.fuzz.texts import ODD_TEXTS, damaged

FEW, MANY, SHARES = 120, 10_000, 20
SEED = 13
DOCUMENTED = {0, 1, 2, 3, 130}
SETTINGS = """
[browser]
executable = "no-browser"

[site.gone]
base_url = "http://127.0.0.1:9"
disposable = true

[site.elsewhere]
base_url = "https://shop.example"
"""
NUMBERS = (
    "0",
    "1",
    "2",
    "-1",
    "-0",
    "7",
    "1.5",
    "1e3",
    "1e999",
    "inf",
    "nan",
    "9" * 40,
    "0x10",
    "١",
    "1_000",
    "--1",
    "+1",
)
PATHS = (
    ".", "..", "/", "folder", "folder/deeper/x.db", "missing", "text.txt", "empty", "binary.db", "pipe", "round", "/dev/null",
    "/dev/full", "/dev/zero", "/proc/self/mem", "text.txt/inside", "a" * 300, "x/" * 3000, "~nobody/x", "-", "*", "\udcff.yaml",
    "personas/collector.yaml", "wrong.yaml", "recordings/runs.db", "tools.py", "broken.py", "sim.toml", "é\u202e.db", " ",
)  # fmt: skip
URLS = (
    "", "http://127.0.0.1:9", "http://127.0.0.1:9/", "http://127.0.0.1:9/shop/", "127.0.0.1:9", "localhost", "/", "/x", "//h/x",
    "https://", "http://[::1", "http://[::1]:9", "http://h:99999", "http://h:-1", "http://a b/", "ftp://127.0.0.1/", "file:///etc",
    "javascript:alert(1)", "http://u:p@127.0.0.1:9", "http://127.0.0.1:9/?q=1#x", "http://\u202eh", "http://xn--a", "HTTP://127.0.0.1:9",
)  # fmt: skip
WORDS = (
    "last", "all", "last:2", "gone", "elsewhere", "bookshop", "collector", "bookshop:1", "autopilot", "claude", "openai", "auto",
    "none", "human", "recorded", "strict", "heal", "agent", "same", "fresh", "reuse", "1/2", "0/0", "3/2", "a/b", "playbook",
    "pytest", "json", "trace", "har", "{}", "[]", "{", '{"selector": 3}', '{"a": ' * 3000, "NaN", "click", "browser", "books",
    "failures", "documents", "list", "replay", "record", "1,2", "label=x", "00000000", "ffffffff", "%", "--", "-x",
)  # fmt: skip


class Command(NamedTuple):
    """A command, its words, and its parameters."""

    words: tuple[str, ...]
    parameters: tuple[Any, ...]


def commands() -> list[Command]:
    def walk(command: Any, words: tuple[str, ...]) -> Iterator[Command]:
        inner = getattr(command, "commands", {})
        for name, one in inner.items():
            yield from walk(one, (*words, name))
        if not inner:
            yield Command(words, tuple(command.params))

    return list(walk(get_command(application()), ()))


COMMANDS = commands()


def value(random: Random, parameter: Any = None) -> str:
    """Give something to write for an option or an argument, of its kind more often than not; of a NUL, no shell knows."""
    kind = "" if parameter is None else f"{parameter.metavar or ''} {parameter.name}".lower()
    pool = random.choice((NUMBERS, PATHS, URLS, WORDS, ODD_TEXTS))
    if random.random() < 0.7:
        if parameter is not None and parameter.min is not None:
            pool = NUMBERS[:7]
        elif any(word in kind for word in ("file", "dir", "path", "db", "html", "to")):
            pool = PATHS
        else:
            pool = URLS if "url" in kind else WORDS
    return random.choice(pool).replace("\0", "").replace("\ud800", "\udcff")


def words(random: Random) -> list[str]:
    """Give the words after ``sim``."""
    command = random.choice(COMMANDS)
    given: list[str] = []
    arguments: list[str] = []
    for one in command.parameters:
        is_option = hasattr(one, "is_flag")
        if not one.required and random.random() < (0.7 if is_option else 0.3):
            continue
        if not is_option:
            arguments += [value(random, one) for _ in range(random.randint(1, 3) if one.nargs == -1 else 1)]
        elif one.is_flag:
            given.append(random.choice([*one.opts, *one.secondary_opts]))
        else:
            given += [random.choice(one.opts), value(random, one)]
    if command.words == ("demo", "serve"):
        # It would serve until somebody stops it.
        given += ["--port", random.choice(("-1", "65536", "x", ""))]
    if random.random() < 0.05:
        given.insert(random.randrange(len(given) + 1), value(random))
    return [*command.words, *given, *arguments]


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with things that are odd to be named."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the fuzzed command line")
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    monkeypatch.delenv("SIM_BROWSER", raising=False)
    (tmp_path / "folder").mkdir()
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "collector.yaml").write_text(str(PERSONA), "utf-8")
    (tmp_path / "text.txt").write_text("plain\n", "utf-8")
    (tmp_path / "empty").touch()
    (tmp_path / "binary.db").write_bytes(Random(SEED).randbytes(5000))
    (tmp_path / "wrong.yaml").write_bytes(damaged(Random(3), str(PERSONA)))
    (tmp_path / "tools.py").write_text("x = 1\n", "utf-8")
    (tmp_path / "broken.py").write_text("def\n", "utf-8")
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "round").symlink_to(tmp_path / "round")
    with Recorder.open(tmp_path / "recordings" / "runs.db") as recorder:
        batch = recorder.begin_batch(argv=(), seed="7", settings={})
        run = recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent="autopilot", persona="collector",
            identity={"username": "ann"}, environment={"base_url": "http://127.0.0.1:9"}, site="gone",
        )  # fmt: skip
        run.end_run(status="failed", reason="nothing answers")
        recorder.end_batch(batch, status="failed")
    return tmp_path


def called(arguments: list[str], folder: Path) -> tuple[int, str, str]:
    """Call ``sim`` in this process, on streams that take all that a terminal does."""
    (folder / "sim.toml").write_text(SETTINGS, "utf-8")
    out, err = (io.TextIOWrapper(io.BytesIO(), "utf-8", write_through=True) for _ in range(2))
    with redirect_stdout(out), redirect_stderr(err):
        code = main(arguments)
    out_text, err_text = (stream.buffer.getvalue().decode() for stream in (out, err))
    return code, out_text, err_text


def check_cases(numbers: range, folder: Path) -> None:
    for number in numbers:
        arguments = words(Random(f"{SEED} {number}"))
        try:
            code, out, err = called(arguments, folder)
            assert code in DOCUMENTED
            assert "Traceback" not in out + err
            assert "a mistake in this program" not in out + err
            if code in (2, 3) and "check" not in arguments:
                assert err.strip(), "nothing was said"
            assert max(map(len, err.split("\n"))) < 2000 or "Usage:" in err, err[:3000]
            assert "\x1b" not in err
        except Exception as error:
            raise AssertionError(f"number {number}: sim {arguments}") from error


@pytest.mark.table
def test_every_command_ends_with_a_documented_code_and_a_sentence(folder: Path) -> None:
    check_cases(range(FEW), folder)


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("share", range(SHARES))
def test_ten_thousand_commands_end_with_a_documented_code_and_a_sentence(folder: Path, share: int) -> None:
    check_cases(range(share, MANY, SHARES), folder)


def test_every_command_is_among_the_fuzzed() -> None:
    assert {("demo", "serve"), ("runs", "export"), ("tools", "call"), ("replay",)} <= {one.words for one in COMMANDS}
    assert signal.getsignal(signal.SIGINT) is not signal.SIG_IGN
