from __future__ import annotations

from pathlib import Path

from simulator.config import load_settings
from simulator.persona import load_personas


def test_writes_settings_and_personas_that_can_be_read(sim, folder: Path) -> None:
    assert sim("init").code == 0
    assert load_settings().file == folder / "sim.toml"
    assert len(load_personas(folder / "personas")) >= 8
    assert sim("personas", "check").code == 0


def test_writes_nothing_where_a_file_is_already_there(sim, folder: Path) -> None:
    (folder / "personas").mkdir()
    mine = folder / "personas" / "collector.yaml"
    mine.write_text("mine", "utf-8")
    refused = sim("init")
    assert refused.code == 2
    assert refused.err.startswith("sim: personas/collector.yaml: already here")
    assert "--force" in refused.err
    assert not (folder / "sim.toml").exists()
    assert mine.read_text("utf-8") == "mine"


def test_force_writes_over_it(sim, folder: Path) -> None:
    sim("init")
    (folder / "sim.toml").write_text("[run]\n", "utf-8")
    assert sim("init", "--force").code == 0
    assert "[site.bookshop]" in (folder / "sim.toml").read_text("utf-8")


def test_names_some_of_many_files_in_the_way(sim) -> None:
    sim("init")
    assert "and 8 more: already here" in sim("init").err


def test_a_folder_that_cannot_be_made_is_told(sim, folder: Path) -> None:
    (folder / "personas").write_text("a file", "utf-8")
    refused = sim("init")
    assert refused.code == 2
    assert refused.err.startswith("sim: personas: cannot be written")
