"""A thousand users are seeded, and killed twice: each is on the site once, as an uninterrupted seeding makes them.

``SIM_SEEDED_USERS`` gives another number of users, for development.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.replay.plan import plan_run
from simulator.runner.seeding.fan_out import FanOut
from simulator.runner.seeding.seats import Source, numbered
from tests.runner.bench import Bench
from tests.runner.program import KEY, SIM
from tests.runner.resuming import Cut, held

USERS = int(os.environ.get("SIM_SEEDED_USERS", "1000"))
COMPARED = min(20, USERS)
"""So many of them are made without a kill, too, and everything that the site holds of them is compared."""
LONG_S = 3_000
"""How long a part of it may take, in seconds."""
SEED = "11"
JOINER = {"persona": "joiner", "tasks": ["register"]}
ROUTE = "POST /account/register"
pytestmark = [pytest.mark.slow, pytest.mark.timeout(3 * LONG_S)]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


async def test_a_thousand_users_are_made_once_though_it_is_killed_twice(bench: Bench) -> None:
    original = await bench.record("joiner", (JOINER,), count=1, concurrency=1)
    whole = await bench.replay(
        original.db, "whole", identity="fresh", seed=SEED, fan_out=FanOut(count=COMPARED), concurrency=2
    )
    assert whole.result.passed, whole.drifts

    cut = Cut(bench, bench.folder / "cut.db", bench.shop("cut"))
    seeding = ["seed", str(original.db), "--count", str(USERS), "--seed", SEED, "--concurrency", "4", "--yes"]
    going_on = ["runs", "resume", "last", "--concurrency", "4"]
    cut.strike(seeding, route=ROUTE, when="after", nth=USERS // 3, reset=True, patience_s=LONG_S)
    cut.strike(going_on, route=ROUTE, when="before", nth=USERS // 3, patience_s=LONG_S)
    _finish(cut, going_on)

    with Recording.open(original.db) as recording:
        source = Source([plan_run(recording, run) for run in recording.runs()], SEED, bench.site(cut.shop))
    seats = numbered(source, FanOut(count=USERS), range(1, USERS + 1))
    drawn = {part.identity.username: part.identity for part in map(source.part, seats)}
    assert len(drawn) == USERS
    state = {name: part for name, part in held(cut.shop).items() if name != "house"}
    assert state.keys() == drawn.keys()
    assert cut.shop.effects.count("user.created") == USERS, "nobody registered twice"
    uninterrupted = {name: part for name, part in held(whole.shop).items() if name != "house"}
    assert {name: state[name] for name in uninterrupted} == uninterrupted
    with Recording.open(cut.db) as recording:
        (seeded,) = recording.batches()
        runs = recording.runs(seeded.id)
    assert seeded.status == "passed"
    assert sorted(run.number for run in runs) == list(range(1, USERS + 1))
    assert {run.status for run in runs} == {"passed"}
    assert verify(cut.db) == []


def _finish(cut: Cut, command: list[str]) -> None:
    """Run a command to its end, on a bookshop that kills nobody."""
    server = subprocess.Popen(
        [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(cut.shop.file)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        done = subprocess.run(
            [SIM, *command, "--db", str(cut.db), "--base-url", url, "--screenshots", "none"],
            env=os.environ | {"SIM_KEY": KEY}, capture_output=True, text=True, check=False, timeout=LONG_S,
        )  # fmt: skip
    finally:
        server.terminate()
        server.communicate()
    assert done.returncode == 0, done.stdout + done.stderr
