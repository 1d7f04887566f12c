"""A site that shows clock and chance: the same user sees the same again, a fresh one does not; sim.toml has its say."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.config import load_settings
from simulator.config.settings import Settings
from simulator.persona import load_personas
from simulator.recording.reader import Recording
from simulator.replay.plan import IdentityPolicy
from simulator.runner.batch import RunOptions, run_batch
from simulator.runner.performing import run as runs
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from tests.fakes.door import Answer, Door, open_door
from tests.runner.scripted import scripted

PAGE = """<title>Draws</title><h1>Draws</h1><button>Send</button><script>
document.querySelector("button").onclick = () => fetch("/drawn", {method: "POST", body: JSON.stringify({
  random: Math.random(), uuid: crypto.randomUUID(), now: Date.now(),
  still: matchMedia("(prefers-reduced-motion)").matches
})});
</script>"""
PERSONA = "persona: tester\nabout: Somebody who draws.\nlocale: en_GB\ntasks: [register]\n"


@pytest.fixture
def drawn() -> list[dict[str, Any]]:
    return []


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, drawn: list[dict[str, Any]]) -> Iterator[Path]:
    def answer(path: str, headers: object, body: str) -> Answer:
        if path == "/drawn":
            drawn.append(json.loads(body))
        return Answer(PAGE)

    monkeypatch.setenv("SIM_KEY", "the key of the tests of chance")
    monkeypatch.setattr(runs, "Autopilot", scripted([("navigate", {"url": "/"}), ("click", {"selector": "Send"})] * 2))
    with open_door(Door(lambda _: True, answer=answer)) as door:
        (tmp_path / "sim.toml").write_text(f'[site.draws]\nbase_url = "{door.url}"\n', "utf-8")
        (tmp_path / "personas").mkdir()
        (tmp_path / "personas" / "tester.yaml").write_text(PERSONA, "utf-8")
        yield tmp_path


async def recorded(folder: Path, settings: Settings, *, freeze_clock: bool = False) -> dict[str, Any]:
    """Record a run; gives how it was done."""
    options = RunOptions(
        settings=settings, site=settings.site("draws"), personas=tuple(load_personas(folder / "personas").values()),
        count=1, seed="7", db=folder / "runs.db", freeze_clock=freeze_clock,
    )  # fmt: skip
    result = await run_batch(options, lambda event: None, Stop())
    assert [run.status for run in result.runs] == ["passed"]
    with Recording.open(folder / "runs.db") as recording:
        held: dict[str, Any] = recording.run(result.runs[0].run_id).environment["determinism"]
        return held


async def replayed(folder: Path, settings: Settings, identity: IdentityPolicy = "same", **given: Any) -> dict[str, Any]:
    options = ReplayOptions(
        settings=settings, source=folder / "runs.db", target="last", identity=identity,
        db=folder / "replays.db", **given,
    )  # fmt: skip
    result = await replay(options, lambda event: None, Stop())
    assert [(run.verdict, run.drift) for run in result.runs] == [("passed", None)]
    with Recording.open(folder / "replays.db") as recording:
        held: dict[str, Any] = recording.run(result.runs[0].run_id).environment["determinism"]
        return held


@pytest.mark.table
async def test_the_same_user_draws_the_same_and_a_fresh_one_does_not(folder: Path, drawn: list[dict[str, Any]]) -> None:
    settings = load_settings(folder / "sim.toml")
    held = await recorded(folder, settings, freeze_clock=True)
    assert held["random"]
    assert held["clock"]
    assert await replayed(folder, settings) == held
    assert drawn[:2] == drawn[2:4]
    assert drawn[0]["uuid"] != drawn[1]["uuid"]
    assert drawn[0]["still"]
    assert await replayed(folder, settings, "fresh", seed="8") == held
    assert {one["uuid"] for one in drawn[:2]}.isdisjoint(one["uuid"] for one in drawn[4:])
    assert [one["now"] for one in drawn] == [drawn[0]["now"]] * 6

    assert (await replayed(folder, settings, freeze_clock=False))["clock"] is None
    assert drawn[6]["now"] > drawn[0]["now"]
    assert drawn[6]["uuid"] == drawn[0]["uuid"]


@pytest.mark.slow
async def test_a_clock_that_ran_stands_at_the_recorded_start_when_it_is_to_stand(
    folder: Path, drawn: list[dict[str, Any]]
) -> None:
    settings = load_settings(folder / "sim.toml")
    assert (await recorded(folder, settings))["clock"] is None
    assert (await replayed(folder, settings))["clock"] is None
    with Recording.open(folder / "runs.db") as recording:
        (run,) = recording.runs()
    for _ in range(2):
        assert (await replayed(folder, settings, freeze_clock=True))["clock"] == run.started_at
    assert drawn[4]["now"] == drawn[6]["now"] < drawn[0]["now"]


@pytest.mark.slow
async def test_the_site_section_switches_it_off(folder: Path, drawn: list[dict[str, Any]]) -> None:
    settings = load_settings(folder / "sim.toml")
    await recorded(folder, settings, freeze_clock=True)
    with (folder / "sim.toml").open("a", encoding="utf-8") as file:
        file.write("[site.draws.determinism]\nclock = false\nrandom = false\nanimations = false\n")
    off = load_settings(folder / "sim.toml")
    nothing = {"clock": None, "random": False, "animations": False, "third_parties": "live"}
    assert nothing.items() <= (await replayed(folder, off)).items()
    first, again = drawn[0], drawn[2]
    assert (again["uuid"] != first["uuid"], again["now"] > first["now"], again["still"]) == (True, True, False)
    assert nothing.items() <= (await recorded(folder, off, freeze_clock=True)).items()
