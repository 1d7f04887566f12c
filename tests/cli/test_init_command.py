from __future__ import annotations

from pathlib import Path

import pytest

from simulator.config import load_settings
from simulator.persona import load_personas
from tests.seam import needs_bookshop


@needs_bookshop
def test_writes_settings_and_personas_that_can_be_read(sim, folder: Path) -> None:
    assert sim("init").code == 0
    assert load_settings().file == folder / "sim.toml"
    assert len(load_personas(folder / "personas")) >= 8
    assert sim("personas", "check").code == 0


@pytest.mark.parametrize(
    ("given", "url", "allowed"),
    [
        ("http://127.0.0.1:9/", "http://127.0.0.1:9", "127.0.0.1:9"),
        ("https://Staging.example.org/shop", "https://Staging.example.org/shop", "Staging.example.org"),
        ('http://a.example/"b', 'http://a.example/"b', "a.example"),
    ],
)
def test_a_site_of_ones_own_has_no_pack(sim, folder: Path, given: str, url: str, allowed: str) -> None:
    done = sim("init", "--base-url", given)
    assert (done.code, done.err) == (0, "")
    settings = load_settings()
    assert (settings.packs, settings.site().name, settings.site().base_url) == ((), "mine", url)
    assert f'# allowed_hosts = ["{allowed}"]' in (folder / "sim.toml").read_text("utf-8")
    assert list(load_personas(folder / "personas")) == ["visitor"]
    assert sim("personas", "check").code == 0


def test_where_packs_bring_no_personas_there_is_a_plain_one(sim, folder: Path) -> None:
    (folder / "sim.toml").write_text("packs = []\n", "utf-8")
    listed = sim("personas", "list", "--json")
    assert [one["persona"] for one in listed.json] == ["visitor"]
    done = sim("init", "--force")
    assert (done.code, done.err) == (0, "")
    assert "[site.mine] of sim.toml names" in done.out
    assert load_settings().site().name == "mine"


def test_an_address_that_is_none_is_refused(sim, folder: Path) -> None:
    refused = sim("init", "--base-url", "staging.example.org")
    assert refused.code == 2
    assert refused.err.startswith("sim: --base-url: expected an address like")
    assert not list(folder.iterdir())


def test_writes_nothing_where_a_file_is_already_there(sim, folder: Path) -> None:
    (folder / "personas").mkdir()
    mine = folder / "personas" / "visitor.yaml"
    mine.write_text("mine", "utf-8")
    refused = sim("init", "--base-url", "http://127.0.0.1:9")
    assert refused.code == 2
    assert refused.err.startswith("sim: personas/visitor.yaml: already here")
    assert "--force" in refused.err
    assert not (folder / "sim.toml").exists()
    assert mine.read_text("utf-8") == "mine"


def test_force_writes_over_it(sim, folder: Path) -> None:
    sim("init")
    (folder / "sim.toml").write_text("[run]\n", "utf-8")
    assert sim("init", "--force").code == 0
    assert "[site." in (folder / "sim.toml").read_text("utf-8")


@needs_bookshop
def test_names_some_of_many_files_in_the_way(sim) -> None:
    sim("init")
    assert "and 8 more: already here" in sim("init").err


def test_a_folder_that_cannot_be_made_is_refused(sim, folder: Path) -> None:
    (folder / "personas").write_text("a file", "utf-8")
    refused = sim("init")
    assert refused.code == 2
    assert refused.err.startswith("sim: personas: cannot be written")
