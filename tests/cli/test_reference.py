from __future__ import annotations

from pathlib import Path

import pytest
import typer
from typer.main import get_command

from simulator.cli.main import application
from simulator.cli.reference import reference

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_document_is_what_the_commands_say_of_themselves() -> None:
    assert DOCUMENT.read_text("utf-8") == reference(), "run: python -m simulator.cli.reference docs/cli.md"


def test_every_command_is_in_it() -> None:
    commands = [
        "init", "doctor", "demo serve", "demo state", "demo reset", "personas list", "personas show",
        "personas check", "personas schema", "personas preview", "personas run", "packs pictures", "tools list",
        "tools show", "tools call", "runs list", "runs show", "runs verify", "runs prune", "runs promote", "replay",
    ]  # fmt: skip
    titles = [line.removeprefix("## sim ") for line in reference().splitlines() if line.startswith("## sim ")]
    assert set(commands) <= set(titles)


@pytest.mark.parametrize("group", ["", "personas", "runs", "demo", "tools", "packs"])
def test_no_command_is_cut_off_in_a_list_of_eighty_columns(group: str) -> None:
    command = get_command(application())
    shown = getattr(command, "commands")[group] if group else command  # noqa: B009
    text = typer.Context(shown, info_name=group or "sim", terminal_width=80).get_help()
    commands = text.partition("Commands:")[2].splitlines()
    assert len(commands) > 2
    assert [line for line in commands if line.endswith("...")] == []
