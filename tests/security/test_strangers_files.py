"""What docs/security.md says of files that somebody else wrote: which commands only read them.

The settings here name programs that leave a trace when they are started.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from simulator.cli.main import main
from simulator.recording import Recorder

DOCUMENT = (Path(__file__).parents[2] / "docs" / "security.md").read_text("utf-8")
READING = (
    "personas list",
    "personas show stranger",
    "personas check personas/stranger.yaml",
    "personas preview stranger",
    "personas run --dry-run",
    "tools list",
    "tools show click",
    "runs list",
    "runs show last",
    "runs verify",
    "plan last",
)
"""Commands that are said to run nothing of a stranger's persona, ``sim.toml`` or recording."""
PERSONA = """
persona: stranger
about: "$(touch started) `touch started` {{ secret.password }} ; touch started"
locale: en_GB
tasks:
  - register
tools: {toolsets: [browser, workspace], max_safety: dangerous}
"""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("SIM_KEY", "the key of the tests of strangers")
    monkeypatch.setenv("DEAR", "a dear secret of the environment")
    program = tmp_path / "program"
    program.write_text(f"#!/bin/sh\ntouch {tmp_path}/started\n", "utf-8")
    program.chmod(0o755)
    (tmp_path / "sim.toml").write_text(
        f"[browser]\nexecutable = '{program}'\nargs = ['--renderer-cmd-prefix={program}']\n"
        "[site.theirs]\nbase_url = 'http://127.0.0.1:9'\nheaders = { X = { env = 'DEAR' } }\n"
        f"snapshot = {{ command = ['{program}'] }}\n",
        "utf-8",
    )
    (tmp_path / "personas").mkdir()
    (tmp_path / "personas" / "stranger.yaml").write_text(PERSONA, "utf-8")
    with Recorder.open(tmp_path / "recordings" / "runs.db") as recorder:
        batch = recorder.begin_batch(argv=(), seed="7", settings={})
        run = recorder.begin_run(
            batch_id=batch, number=1, kind="record", agent="autopilot", persona="stranger",
            identity={"username": "ann"}, environment={"base_url": "http://127.0.0.1:9"}, site="theirs",
        )  # fmt: skip
        run.end_run(status="passed", reason="")
        recorder.end_batch(batch, status="passed")
    return tmp_path


@pytest.mark.parametrize("command", READING)
def test_a_command_that_reads_starts_nothing(folder: Path, command: str, capsys: pytest.CaptureFixture[str]) -> None:
    before = (folder / "recordings" / "runs.db").read_bytes()
    code = main(command.split())
    told = capsys.readouterr()
    assert code in (0, 1, 2), told.err
    assert "Traceback" not in told.err
    assert not (folder / "started").exists()
    assert "a dear secret" not in told.out + told.err
    assert (folder / "recordings" / "runs.db").read_bytes() == before


def test_others_start_what_the_settings_name(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    main(["doctor"])
    assert (folder / "started").exists(), "then the document is too careful"


def test_the_document_names_these_commands() -> None:
    (settings,) = (line for line in DOCUMENT.splitlines() if line.startswith("| `sim.toml` |"))
    reading, acting = settings.split("|")[2:4]
    for command in READING:
        group, *rest = command.split()
        word = "run --dry-run" if "--dry-run" in rest else group if group == "plan" else rest[0]
        assert f"sim {group}" in reading
        assert word in reading
    assert "sim doctor" in acting
