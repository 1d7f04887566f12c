"""Commands that take their options in groups: typer sees every option, the command gets the groups."""

from __future__ import annotations

from typing import Annotated, NamedTuple

import pytest
import typer
from typer.main import get_command

from simulator.cli.option_groups import grouped


class Where(NamedTuple):
    site: Annotated[str, typer.Option("--site", envvar="TEST_SITE", help="Where.")]
    reset: Annotated[bool, typer.Option("--reset")] = False


class How(NamedTuple):
    times: Annotated[int, typer.Option("--count", min=1)] = 3


got: list[object] = []


def command(
    names: Annotated[list[str], typer.Argument(metavar="NAME")],
    *,
    where: Where,
    quiet: Annotated[bool, typer.Option("--quiet")] = False,
    how: How,
) -> None:
    """Do it."""
    got.append((names, where, quiet, how))


def called(*words: str) -> int:
    app = typer.Typer(rich_markup_mode=None)
    app.command()(grouped(command))
    got.clear()
    with pytest.raises(SystemExit) as left:
        get_command(app)(args=list(words))
    return int(left.value.code or 0)


def test_a_command_gets_its_groups(monkeypatch: pytest.MonkeyPatch) -> None:
    assert called("ann", "ben", "--site", "shop", "--count", "5") == 0
    assert got == [(["ann", "ben"], Where(site="shop"), False, How(times=5))]
    monkeypatch.setenv("TEST_SITE", "office")
    assert called("ann", "--reset", "--quiet") == 0
    assert got == [(["ann"], Where(site="office", reset=True), True, How())]


def test_a_field_is_an_option_like_any_other(capsys: pytest.CaptureFixture[str]) -> None:
    assert called("ann", "--site", "shop", "--count", "0") == 2
    assert called("ann") == 2
    assert "Missing option '--site'" in capsys.readouterr().err
    assert called("--help") == 0
    told = capsys.readouterr().out
    assert "Do it." in told
    places = [told.index(option) for option in ("--site", "--reset", "--quiet", "--count")]
    assert places == sorted(places), "in the order of the parameters"
