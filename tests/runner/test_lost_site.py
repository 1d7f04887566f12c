"""A site that goes away under a replay or a resumption, dead or silent: told, within a bound, and nothing is lost."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from simulator.cli.main import main
from simulator.errors import SiteUnreachable
from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.runner.events import Event, ReplayResult, RunStarted, StepDone
from simulator.runner.interrupted.resume import ResumeOptions, resume
from simulator.runner.replays.options import ReplayOptions
from simulator.runner.replays.replaying import replay
from simulator.runner.stop import Stop
from tests.fakes.messages_api import call
from tests.runner.bench import Bench, Shop
from tests.runner.one_run import OneRun
from tests.runner.program import KEY
from tests.runner.resuming import Cut, cut

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("a run that was cut off goes on", quick=2)]

MORTAL = Path(__file__).parent.parent / "sites" / "mortal.py"
NEWCOMER = {"persona": "newcomer", "tasks": ["register", "login", {"browse": {"pages": 1}}]}
WRITER = {"persona": "writer", "tasks": ["register", {"browse": {"pages": 1}}, "message_seller", "logout"]}
SEND = [call("navigate", url="/"), call("fill_form", values={"Note": "Hello"}, submit=True)]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


@contextmanager
def process(*command: str | Path) -> Iterator[tuple[subprocess.Popen[str], str]]:
    """Run a site in a process of its own; gives it, and the first line that it prints."""
    with subprocess.Popen([sys.executable, *map(str, command)], stdout=subprocess.PIPE, text=True) as site:
        try:
            assert site.stdout is not None
            yield site, site.stdout.readline().strip()
        finally:
            site.kill()


@contextmanager
def bookshop(shop: Shop) -> Iterator[tuple[subprocess.Popen[str], str]]:
    with process("-m", "simulator.demo", "--port", "0", "--db", shop.file) as (site, said):
        yield site, json.loads(said)["url"]


@pytest.mark.parametrize("fate", ["dies", pytest.param("hangs", marks=pytest.mark.slow)])
def test_a_site_that_goes_under_a_replay_is_told_and_no_drift(
    fate: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with process(MORTAL, fate, "2") as (_, url):
        run = OneRun(tmp_path, url, capsys)
        assert all(one.success for one in run.record(SEND))
        told = run.replay()
        assert (told["verdict"], told["code"]) == ("environment", 3)
        assert "does not answer any more" in told["drift"]["found"]
        code, out, err = run.sim("replay", "a.db", "--db", "c.db")
    assert (code, out) == (3, ""), "where it is gone before the beginning, nothing begins"
    assert "nothing answers at" in err
    assert verify(tmp_path / "b.db") == []


@pytest.mark.table
@pytest.mark.parametrize("silent", [False, pytest.param(True, marks=pytest.mark.slow)])
async def test_a_site_that_goes_ends_a_whole_replay(bench: Bench, tmp_path: Path, silent: bool) -> None:
    name = f"newcomers-{silent}"
    original = await bench.record(name, (NEWCOMER,), count=4, concurrency=2)
    steps = 0
    with bookshop(Shop(tmp_path / "shop.db")) as (site, url):

        def listen(event: Event) -> None:
            nonlocal steps
            steps += isinstance(event, StepDone)
            if isinstance(event, StepDone) and steps == 1:
                os.kill(site.pid, 19 if silent else 9)

        section = bench.settings.site("bookshop").with_base_url(url)
        options = ReplayOptions(
            settings=bench.settings, site=section, source=original.db, target="last", db=tmp_path / "replay.db",
            screenshots="none", concurrency=2,
        )  # fmt: skip
        result: ReplayResult = await replay(options, listen, Stop())
    assert result.lost_site
    assert "does not answer any more" in result.reason
    assert {run.verdict for run in result.runs} == {"environment"}
    assert 1 <= len(result.runs) <= 2, "those who had not begun do not begin"
    assert verify(tmp_path / "replay.db") == []


@pytest.fixture
def writer(bench: Bench, request: pytest.FixtureRequest) -> Cut:
    """A writer who was killed before the message was sent, on a bookshop that somebody else served."""
    name = request.node.name.partition("[")[0]
    return cut(bench, (WRITER,), route="POST /sellers/[^/]+/message", when="before", name=name)


def kept(db: Path) -> tuple[object, ...]:
    """What is to be lost by nothing: the run's summary, and its steps that count."""
    with Recording.open(db) as recording:
        run = recording.run("last")
        steps = [one for one in recording.steps(run.id) if "resume" not in one.flags]
        return (run.summary or {}).get("tasks"), [(one.tool, one.input, one.success) for one in steps]


@pytest.mark.table
@pytest.mark.parametrize("silent", [False, pytest.param(True, marks=pytest.mark.slow)])
async def test_a_site_that_goes_while_a_user_comes_back_loses_nothing(writer: Cut, silent: bool) -> None:
    before = kept(writer.db)
    assert before[0], "it had ended tasks"
    with bookshop(writer.shop) as (site, url):

        def listen(event: Event) -> None:
            if isinstance(event, RunStarted):
                os.kill(site.pid, 19 if silent else 9)

        options = ResumeOptions(
            settings=writer.bench.settings, base_url=url, db=writer.db, target="last", screenshots="none"
        )
        with pytest.raises(SiteUnreachable, match="does not answer any more; when it does, go on with"):
            await resume(options, listen, Stop())
    assert kept(writer.db) == before
    with Recording.open(writer.db) as recording:
        assert (recording.run("last").status, recording.run("last").verdict) == ("failed", "environment")
    result = await writer.resume()
    assert [(run.status, run.reason) for run in result.runs] == [("passed", "")]
    assert sum("message" in name for name in writer.shop.effects) == 1


@pytest.mark.table
def test_a_site_that_is_down_is_not_taken_for_the_bundled_one(
    writer: Cut, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    before = kept(writer.db)
    monkeypatch.chdir(tmp_path)
    (tmp_path / "sim.toml").write_text(
        '[site.bookshop]\nbase_url = "http://127.0.0.1:1"\nbundled = true\ndatabase = "shop.db"\n'
    )
    code = main(["runs", "resume", "last", "--db", str(writer.db)])
    said = capsys.readouterr().err
    assert (code, "nothing answers at" in said) == (3, True), said
    assert not (tmp_path / "shop.db").exists(), "no bookshop was started instead"
    assert kept(writer.db) == before
