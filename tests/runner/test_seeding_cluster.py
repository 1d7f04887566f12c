"""Casts on a Dask cluster of processes: they come back as one batch, and who is killed doubles nothing."""

from __future__ import annotations

import json
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import psutil
import pytest

from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.runner.seeding.fan_out import FanOut
from simulator.secrets import MachineKey, Vault, scope_of
from tests.ports import port_of_nobody
from tests.runner.bench import Bench, Original
from tests.runner.on_the_bookshop import batch, recorded
from tests.runner.program import KEY, PATIENCE_S, SIM
from tests.runner.resuming import SITES, held

pytest.importorskip("distributed", reason="the extra 'cluster' is not installed: pip install 'persona-replay[cluster]'")
pytestmark = [
    pytest.mark.slow,
    pytest.mark.timeout(900),
    pytest.mark.filterwarnings("default"),  # Dask warns of what is its own
]
SEED = "5"
COUNT = 3
SELLER = {
    "persona": "seller",
    "tasks": ["register", {"list_books": {"count": 2}}, {"edit_listing": {"field": "price"}}],
}


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@pytest.fixture(scope="module")
def sold(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """A seller of two books, who changes the price of one."""
    return recorded(tmp_path_factory, "clustered", batch("clustered", (SELLER,), 1, 1))


@dataclass
class Cluster:
    """A scheduler and workers, each a process of its own in a folder of its own."""

    folder: Path
    address: str = ""
    processes: list[subprocess.Popen[bytes]] = field(default_factory=list)

    def start(self, module: str, *arguments: str, **env: str) -> subprocess.Popen[bytes]:
        home = self.folder / str(len(self.processes))
        home.mkdir()
        said = (home / "said.txt").open("wb")
        process = subprocess.Popen(
            [sys.executable, "-m", f"distributed.cli.{module}", *arguments, "--no-dashboard"],
            stdout=said, stderr=subprocess.STDOUT, cwd=home, env=os.environ | {"SIM_KEY": KEY, **env},
        )  # fmt: skip
        said.close()
        self.processes.append(process)
        return process

    def worker(self, **env: str) -> subprocess.Popen[bytes]:
        local = str(self.folder / f"worker{len(self.processes)}")
        return self.start(
            "dask_worker", self.address, "--nthreads", "1", "--no-nanny", "--local-directory", local, **env
        )


@pytest.fixture
def cluster(tmp_path: Path) -> Iterator[Cluster]:
    folder, port = tmp_path / "cluster", port_of_nobody()
    folder.mkdir()
    made = Cluster(folder, f"tcp://127.0.0.1:{port}")
    made.start("dask_scheduler", "--host", "127.0.0.1", "--port", str(port))
    yield made
    for process in reversed(made.processes):
        with suppress(psutil.NoSuchProcess):
            for one in [*psutil.Process(process.pid).children(recursive=True), process]:
                one.kill()
        process.wait(PATIENCE_S)


def seeded(cluster: Cluster, source: Path, db: Path, *more: str) -> subprocess.CompletedProcess[str]:
    """Seed by the program, on the cluster."""
    command = ["seed", str(source), "--db", str(db), "--count", str(COUNT), "--seed", SEED, "--yes"]
    return subprocess.run(
        [SIM, *command, "--scheduler", cluster.address, "--screenshots", "none", *more],
        env=os.environ | {"SIM_KEY": KEY}, capture_output=True, text=True, check=False, timeout=PATIENCE_S * 2,
    )  # fmt: skip


@pytest.mark.parametrize(
    ("route", "when", "nth"),
    [("POST /books/new", "after", 3), ("POST /account/register", "before", 2), (r"POST /books/\d+/edit", "after", 1)],
)
async def test_a_cast_of_a_worker_that_is_killed_is_finished_by_another(
    bench: Bench, sold: Original, cluster: Cluster, route: str, when: str, nth: int
) -> None:
    whole = await bench.replay(
        sold.db, "whole", identity="fresh", seed=SEED, fan_out=FanOut(count=COUNT), concurrency=2
    )
    assert whole.result.passed, whole.drifts
    shop, db = bench.shop("spread"), bench.folder / "spread.db"
    doomed = cluster.worker()
    pid = Path(f"{shop.file}.pid")
    pid.write_text(str(doomed.pid))
    kill = {"route": route, "nth": nth, "when": when, "pid": str(pid)}
    server = subprocess.Popen(
        [sys.executable, str(SITES / "killing_bookshop.py"), "--port", "0", "--db", str(shop.file), "--reset"],
        stdout=subprocess.PIPE, text=True, env=os.environ | {"KILL": json.dumps(kill)},
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]

        def replace() -> None:
            doomed.wait()
            cluster.worker()

        successor = threading.Thread(target=replace, daemon=True)
        successor.start()
        done = seeded(cluster, sold.db, db, "--base-url", url, "--json")
        successor.join(PATIENCE_S)
    finally:
        server.kill()
        server.communicate()
    assert done.returncode == 0, done.stdout + done.stderr
    assert doomed.returncode == -9
    assert held(shop) == held(whole.shop)
    with Recording.open(db) as recording:
        (one,) = recording.batches()
        runs = recording.runs(one.id)
    assert one.status == "passed"
    assert [(run.number, run.status) for run in runs] == [(number, "passed") for number in range(1, COUNT + 1)]
    assert verify(db) == []


@pytest.mark.parametrize(
    ("route", "nth", "workers_die"),
    [("POST /books/new", 1, False), ("POST /books/new", 4, False), ("POST /books/new", 4, True)],
)
async def test_a_command_that_is_killed_is_gone_on_with_by_what_its_workers_did(
    bench: Bench, sold: Original, cluster: Cluster, route: str, nth: int, workers_die: bool
) -> None:
    whole = await bench.replay(
        sold.db, "whole", identity="fresh", seed=SEED, fan_out=FanOut(count=COUNT), concurrency=2
    )
    assert whole.result.passed, whole.drifts
    shop, db = bench.shop("spread"), bench.folder / "spread.db"
    workers = [cluster.worker(), cluster.worker()]
    pid = Path(f"{shop.file}.pid")
    kill = {"route": route, "nth": nth, "when": "before", "pid": str(pid), "answers": True}
    server = subprocess.Popen(
        [sys.executable, str(SITES / "killing_bookshop.py"), "--port", "0", "--db", str(shop.file), "--reset"],
        stdout=subprocess.PIPE, text=True, env=os.environ | {"KILL": json.dumps(kill)},
    )  # fmt: skip
    try:
        assert server.stdout is not None
        at = ["--base-url", json.loads(server.stdout.readline())["url"], "--db", str(db), "--screenshots", "none"]
        made = ["seed", str(sold.db), "--count", str(COUNT), "--seed", SEED, "--yes", "--scheduler", cluster.address]
        command = subprocess.Popen([SIM, *made, *at], env=os.environ | {"SIM_KEY": KEY})
        pid.write_text(str(command.pid))
        assert command.wait(PATIENCE_S) == -9
        if workers_die:
            for worker in workers:
                worker.kill()
                worker.wait()
        gone_on = subprocess.run(
            [SIM, "runs", "resume", "last", *at, "--scheduler", cluster.address],
            env=os.environ | {"SIM_KEY": KEY}, capture_output=True, text=True, check=False, timeout=PATIENCE_S,
        )  # fmt: skip
    finally:
        server.kill()
        server.communicate()
    assert gone_on.returncode == 0, gone_on.stdout + gone_on.stderr
    assert held(shop) == held(whole.shop)
    with Recording.open(db) as recording:
        (one,) = recording.batches()
        runs = recording.runs(one.id)
    assert one.status == "passed"
    assert [(run.number, run.status) for run in runs] == [(number, "passed") for number in range(1, COUNT + 1)]
    assert verify(db) == []


def test_a_worker_with_another_key_is_given_nothing(bench: Bench, sold: Original, cluster: Cluster) -> None:
    other = "another key, of another machine"
    cluster.worker(SIM_KEY=other)
    shop = bench.shop("refused")
    server = subprocess.Popen(
        [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(shop.file)],
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True,
    )  # fmt: skip
    try:
        assert server.stdout is not None
        url = json.loads(server.stdout.readline())["url"]
        done = seeded(cluster, sold.db, bench.folder / "refused.db", "--base-url", url)
    finally:
        server.terminate()
        server.communicate()
    assert done.returncode == 3, done.stdout + done.stderr
    assert f"another machine key ({MachineKey(other.encode()).fingerprint})" in done.stderr
    assert "start it with the same SIM_KEY" in done.stderr
    assert [name for name in shop.state if name != "house"] == []


async def test_neither_the_key_nor_a_password_travels(
    bench: Bench, sold: Original, cluster: Cluster, monkeypatch: pytest.MonkeyPatch
) -> None:
    from simulator.runner.cluster import spreading
    from simulator.runner.cluster.jobs import Job, unpacked

    sent: list[Job] = []

    def noted(**given: Any) -> Job:
        sent.append(Job(**given))
        return sent[-1]

    monkeypatch.setattr(spreading, "Job", noted)
    cluster.worker()
    cluster.worker()
    spread = await bench.replay(
        sold.db,
        "secret",
        identity="fresh",
        seed=SEED,
        fan_out=FanOut(count=COUNT),
        elsewhere=partial(spreading.open_spread, cluster.address),
    )
    assert spread.result.passed, spread.drifts
    assert len(sent) == COUNT
    for job in sent:
        whole = pickle.dumps(job) + unpacked(job.source) + unpacked(job.batch)
        assert KEY.encode() not in whole
        for identity in job.identities.values():
            scope = scope_of("bookshop", identity["persona"], identity["seed"], identity["number"])
            assert Vault(KEY.encode(), scope=scope).reveal("password").encode() not in whole
