from __future__ import annotations

from pathlib import Path

from simulator.cli.reference import reference

DOCUMENT = Path(__file__).parents[2] / "docs" / "cli.md"


def test_the_document_is_what_the_commands_say_of_themselves() -> None:
    assert DOCUMENT.read_text("utf-8") == reference(), "run: python -m simulator.cli.reference docs/cli.md"


def test_every_command_is_in_it() -> None:
    commands = [
        "init", "doctor", "demo serve", "demo state", "demo reset", "personas list", "personas show",
        "personas check", "personas schema", "personas preview", "personas run", "covers", "tools list",
        "tools show", "tools call", "runs list", "runs show", "runs verify", "runs prune", "runs promote", "replay",
    ]  # fmt: skip
    titles = [line.removeprefix("## sim ") for line in reference().splitlines() if line.startswith("## sim ")]
    assert set(commands) <= set(titles)
