"""A site whose answer breaks off: what is only read is read again, what may have taken effect is not done twice."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from simulator.config import load_settings
from simulator.persona import load_personas
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.events import ReplayedRun
from simulator.runner.performing import run as runs
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from tests.fakes.door import Answer, Door, open_door
from tests.runner.scripted import scripted

CALLS = [
    ("navigate", {"url": "/list"}),
    ("fill", {"selector": "Note", "value": "milk"}),
    ("click", {"selector": "Save"}),
]


@dataclass
class Notes:
    """Keeps notes; breaks off the answers that it is told to, after it has done what was asked."""

    breaking: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    kept: list[str] = field(default_factory=list)

    def __call__(self, path: str, headers: Mapping[str, str], body: str) -> Answer:
        self.asked.append(path)
        if path == "/save":
            self.kept += parse_qs(body)["note"]
        if path in self.breaking:
            self.breaking.remove(path)
            raise ConnectionResetError
        return Answer(
            f"<title>Notes</title><h1>Notes</h1><p>{', '.join(self.kept)}</p><form method=post action=/save>"
            "<label>Note <input name=note></label><button>Save</button></form>"
        )


@pytest.fixture
def notes() -> Notes:
    return Notes()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, notes: Notes) -> Iterator[Path]:
    monkeypatch.setenv("SIM_KEY", "the key of the tests of retries")
    monkeypatch.setattr(runs, "Autopilot", scripted(CALLS))
    with open_door(Door(lambda _: True, answer=notes)) as door:
        (tmp_path / "sim.toml").write_text(f'[site.notes]\nbase_url = "{door.url}"\n', "utf-8")
        (tmp_path / "personas").mkdir()
        text = "persona: keeper\nabout: Somebody who keeps notes.\nlocale: en_GB\ntasks: [register]\n"
        (tmp_path / "personas" / "keeper.yaml").write_text(text, "utf-8")
        yield tmp_path


async def replayed(folder: Path) -> ReplayedRun:
    options = ReplayOptions(
        settings=load_settings(folder / "sim.toml"), source=folder / "runs.db", target="last", db=folder / "replays.db"
    )
    (run,) = (await replay(options, lambda event: None, Stop())).runs
    return run


@pytest.mark.table
async def test_reads_are_repeated_and_writes_are_not(folder: Path, notes: Notes) -> None:
    settings = load_settings(folder / "sim.toml")
    personas = tuple(load_personas(folder / "personas").values())
    site = settings.site("notes")
    options = RunOptions(settings=settings, site=site, personas=personas, count=1, seed="7", db=folder / "runs.db")
    await run_batch(options, lambda event: None, Stop())
    assert notes.kept == ["milk"]

    notes.asked.clear()
    notes.breaking.append("/list")
    first = await replayed(folder)
    assert first.verdict == "passed", first.drift
    assert 2 <= notes.asked.count("/list") <= 5, "the browser's page about the first may break off the second"
    assert notes.asked.count("/save") == 1

    notes.asked.clear()
    notes.breaking += ["/list"] * 9
    stopped = await replayed(folder)
    assert stopped.drift is not None
    assert stopped.drift.step == 1
    assert notes.asked.count("/list") <= 5
    assert "/save" not in notes.asked
    notes.breaking.clear()

    notes.kept.clear()
    notes.breaking.append("/save")
    broken = await replayed(folder)
    assert broken.drift is not None
    assert (broken.verdict, broken.drift.step) == ("environment", 3)
    assert notes.kept == ["milk"], "it took effect, and was not done again"
