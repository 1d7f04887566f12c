from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
import typer
from typer.testing import CliRunner, Result

from simulator.cli.pictures import pictures
from simulator.errors import ConfigError, EnvironmentFailure
from tests.fakes.cover_services import CoverServices, cover_services
from tests.ports import port_of_nobody


@pytest.fixture
def services() -> Iterator[CoverServices]:
    with cover_services() as running:
        yield running


@pytest.fixture(autouse=True)
def empty_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def sim_covers(*arguments: str) -> Result:
    app = typer.Typer()
    app.command()(pictures)
    return CliRunner().invoke(app, arguments)


def configure(folder: Path, origin: str) -> None:
    (folder / "sim.toml").write_text(
        f"[site.bookshop.bookshop.covers]\nsources = ['open_library']\nopen_library_url = '{origin}'\n"
        f"open_library_covers_url = '{origin}'\ncache_dir = 'cache'\nallow_private = true\nrate = 100\n"
        "[site.bookshop]\nbase_url = 'http://127.0.0.1:1'\n",
        "utf-8",
    )


def test_rows_of_drawn_covers_without_any_settings() -> None:
    result = sim_covers("Emma Jane Austen", "--count", "2", "--verify")
    assert result.exit_code == 0
    heading, first, second = result.stdout.splitlines()
    assert heading.split() == ["title", "author", "source", "there", "address"]
    assert first.startswith("Emma")
    assert "  offline  yes    cover:" in first
    assert "Jane Austen" in second


def test_json_and_a_cover_that_is_missing(services: CoverServices, empty_folder: Path) -> None:
    configure(empty_folder, services.origin)
    result = sim_covers("crime", "--verify", "--json")
    assert result.exit_code == 1
    told = json.loads(result.stdout)
    assert [(cover["title"], cover["verified"]) for cover in told] == [
        ("The Hound of the Baskervilles", True),
        ("Anonymous Crimes", True),
        ("The Moonstone", False),
    ]
    assert (empty_folder / "cache").is_dir()


def test_without_verify_no_image_is_fetched(services: CoverServices, empty_folder: Path) -> None:
    configure(empty_folder, services.origin)
    result = sim_covers("crime", "--json")
    assert result.exit_code == 0
    assert "verified" not in json.loads(result.stdout)[0]
    assert services.count() == {"/search.json": 1}


def test_a_source_that_cannot_be_reached_is_a_failure_of_the_environment(empty_folder: Path) -> None:
    configure(empty_folder, f"http://127.0.0.1:{port_of_nobody()}")
    result = sim_covers("crime")
    assert isinstance(result.exception, EnvironmentFailure)
    assert "no source of pictures could be asked" in str(result.exception)


def test_an_unknown_site() -> None:
    result = sim_covers("crime", "--site", "bookshob")
    assert isinstance(result.exception, ConfigError)
    assert "did you mean 'bookshop'?" in str(result.exception)
