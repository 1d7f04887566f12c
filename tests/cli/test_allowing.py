"""What a person at the terminal allows and answers: the toolset ``workspace``, and questions of a run."""

from __future__ import annotations

import asyncio
import os
import pty
import sys
from pathlib import Path

import pytest

from simulator.cli.prompt import ask_terminal

PERSONA = """\
persona: tinkerer
about: Works with files.
locale: en_GB
tasks: [register]
tools: {toolsets: [browser, workspace]}
"""


@pytest.fixture
def tinkerer(folder: Path, sim) -> None:
    (folder / "personas").mkdir()
    (folder / "personas" / "tinkerer.yaml").write_text(PERSONA, "utf-8")


@pytest.mark.usefixtures("tinkerer")
def test_a_persona_that_names_the_workspace_is_refused_without_the_option(sim, folder: Path) -> None:
    refused = sim("personas", "run", "tinkerer")
    assert refused.code == 2
    assert refused.err == (
        "sim: the persona 'tinkerer' names the toolset 'workspace', which runs commands on this machine; "
        "allow it with --allow-workspace, or take it out of tools.toolsets\n"
    )
    assert not (folder / "recordings").exists()


@pytest.mark.usefixtures("tinkerer")
def test_with_the_option_it_is_not_refused(sim) -> None:
    refused = sim("personas", "run", "tinkerer", "--allow-workspace", "--base-url", "http://127.0.0.1:9")
    assert "workspace" not in refused.err


async def test_a_question_is_put_to_the_terminal(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    person, terminal = pty.openpty()
    with os.fdopen(terminal, "r") as stdin:
        monkeypatch.setattr(sys, "stdin", stdin)
        asked = asyncio.create_task(ask_terminal("Which colour?"))
        await asyncio.sleep(0)
        assert "Which colour?" in capsys.readouterr().err
        os.write(person, b"  dark blue \n")
        assert await asked == "dark blue"
        cancelled = asyncio.create_task(ask_terminal("And the other?"))
        await asyncio.sleep(0)
        cancelled.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cancelled
    os.close(person)
