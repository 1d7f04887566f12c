"""A user who does every kind of task is cut off after any write of the recording, and comes to what the others come to.

A place is a write of the recorder: of each step and each action there is one before it and one after it. What a killed
program leaves there is copied while one run goes through, so that each place costs a resumption alone; a signal or the
death of a browser is done to a run of its own. All places are tried among the slow tests, where they take most of an
hour; otherwise a few, others each day: ``SIM_TEST_SEED`` names them.
"""

from __future__ import annotations

import json
import os
import random
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from simulator.recording.reader import Recording
from simulator.recording.upkeep.verify import verify
from simulator.runner.interrupted.resume import ResumeOptions, resume
from simulator.runner.stop import Stop
from tests.fakes import messages_api
from tests.fakes.model_server import Answer, Request, call, calls, use
from tests.runner.bench import Bench, Shop, persona, settings
from tests.runner.program import KEY, PATIENCE_S
from tests.shared import made_once

pytestmark = [pytest.mark.timeout(600), pytest.mark.promise("a run that was cut off goes on", quick=2)]

CUTTING = Path(__file__).with_name("cutting.py")
EVERYTHING: dict[str, Any] = {
    "persona": "everything",
    "tasks": [
        "register",
        {"browse": {"pages": 2}},
        {"list_books": {"count": 3}},
        "edit_listing",
        "create_matchup",
        "delete_listing",
        {"save_listings": {"count": 2}},
        "message_seller",
        {"vote": {"count": 2}},
        "logout",
        "login",
        {"do": "Write to the seller of any book."},
        {"browse": {"pages": 1, "query": "the"}},
    ],
}
SEED = os.environ.get("SIM_TEST_SEED") or str(datetime.now(UTC).date())
SHARDS = 24
OFTEN, DAILY = 2, 5
GONE = {"page": 1, "down": 3, "hangs": 3}
"""What may go around a run, and the exit code that tells it."""
WAYS = ("kill", "interrupt", "terminate", "browser")


def drawn(what: str, count: int) -> list[float]:
    """Draw places for today, as shares of all there are."""
    chance = random.Random(f"{SEED} {what}")
    return [chance.random() for _ in range(count)]


@pytest.fixture(autouse=True)
def key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("SIM_KEY", KEY)


def writes(request: Request) -> Answer:
    """Answer as a model that writes one message, and looks first whether it has."""
    back = "You were at this task when your browser was lost." in request.task
    if back and "fill_form" in request.task and "had not taken effect" not in request.task:
        return call("complete", result="I wrote before I was cut off.")
    match request.turn:
        case 0:
            return calls(use("navigate", url="/sellers/house/message"), use("read_forms"))
        case 1 if request.results[-1].get("is_error"):
            return call("fail", reason="My page has gone.")
        case 1:
            forms = json.loads(request.results[-1]["content"][0]["text"])["forms"]
            form = next(form for form in forms if '"message"' in json.dumps(form))
            given = {"message": "Hello! Do you have more of these?"}
            return call("fill_form", form=f"ref={form['ref']}", values=given, submit=True)
        case _:
            return call("complete", result="I wrote.")


@contextmanager
def model() -> Iterator[dict[str, str]]:
    """Serve the model; gives what a program has to know of it."""
    with messages_api.messages_api(writes) as api:
        yield {"ANTHROPIC_API_KEY": messages_api.KEY, "ANTHROPIC_BASE_URL": api.url}
        assert api.refused == []


def perform(folder: Path, cut: dict[str, Any]) -> subprocess.CompletedProcess[str]:
    """Have the user act, and be cut off."""
    personas = folder / "personas"
    personas.mkdir(parents=True)
    whole = persona(EVERYTHING).model_dump(mode="json", exclude_defaults=True) | {"tasks": EVERYTHING["tasks"]}
    (personas / "everything.yaml").write_text(json.dumps(whole))
    shop = [sys.executable, "-m", "simulator.demo", "--port", "0", "--db", str(folder / "shop.db"), "--reset"]
    with model() as known, subprocess.Popen(shop, stdout=subprocess.PIPE, text=True) as server:
        try:
            assert server.stdout is not None
            url = json.loads(server.stdout.readline())["url"]
            command = ["personas", "run", "--personas", personas, "--seed", "7", "--agent", "claude", "--base-url", url]
            known = known | {"CUT": json.dumps({"shop": str(folder / "shop.db"), "site": server.pid, **cut})}
            return subprocess.run(
                [sys.executable, CUTTING, *command, "--db", folder / "runs.db", "--screenshots", "none"],
                env=os.environ | known,
                capture_output=True, text=True, check=False, timeout=PATIENCE_S,
            )  # fmt: skip
        finally:
            server.kill()


@pytest.fixture(scope="session")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The run that nothing cut off: its recording, its shop, and under ``copies`` both as they were at each place."""

    def make(folder: Path) -> None:
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("SIM_KEY", KEY)
            done = perform(folder, {"copies": str(folder / "copies")})
        assert done.returncode == 0, done.stdout + done.stderr

    return made_once(tmp_path_factory, "everywhere", make)


def places(whole: Path) -> list[Path]:
    return sorted((whole / "copies").iterdir())


async def goes_on(folder: Path) -> None:
    """Resume what is in a folder."""
    bench = Bench(folder, settings())
    options = ResumeOptions(
        settings=bench.settings, site=bench.site(Shop(folder / "shop.db")), db=folder / "runs.db", target="last",
        screenshots="none",
    )  # fmt: skip
    result = await resume(options, lambda _: None, Stop())
    assert [(run.status, run.reason) for run in result.runs] == [("passed", "")]
    assert verify(folder / "runs.db") == []


def told(folder: Path) -> dict[str, Any]:
    """What a recording and its shop say: state, verdict, tasks, and the steps that count.

    References are numbered by each browser anew, and a task in free words is begun again with other words.
    """
    with Recording.open(folder / "runs.db") as recording:
        (run,) = recording.runs(recording.batch("last").id)
        steps = [one for one in recording.steps(run.id) if one.flags.get("resume") not in ("anew", "back")]
    by_task = [one for one in steps if one.task != "do"]
    return {
        "state": Shop(folder / "shop.db").whole,
        "run": (run.status, run.verdict, run.reason),
        "tasks": [task[:2] for task in (run.summary or {})["tasks"]],
        "steps": [(one.tool, re.sub(r"ref=e\d+", "ref", json.dumps(one.input)), one.success) for one in by_task],
    }


async def compared(place: Path, whole: Path, folder: Path) -> None:
    """Resume what was copied at a place, and compare it with the whole."""
    shutil.copytree(place, folder)
    with pytest.MonkeyPatch.context() as patch, model() as known:
        for name, value in known.items():
            patch.setenv(name, value)
        await goes_on(folder)
    assert told(folder) == told(whole)
    shutil.rmtree(folder)


async def failures(found: Sequence[Path], whole: Path, folder: Path) -> list[str]:
    """Tell at which places something else came of it, and what."""
    wrong = []
    for place in found:
        try:
            await compared(place, whole, folder / place.name)
        except Exception as error:
            wrong.append(f"{place.name}: {type(error).__name__}: {error}")
    return wrong


@pytest.mark.table
@pytest.mark.parametrize("share", drawn("kill", OFTEN), ids=lambda share: f"{share:.2f}")
async def test_a_killed_run_comes_to_what_the_whole_one_came_to(whole: Path, tmp_path: Path, share: float) -> None:
    found = places(whole)
    await compared(found[int(share * len(found))], whole, tmp_path / "cut")


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("shard", range(SHARDS))
async def test_so_it_does_from_every_place(whole: Path, tmp_path: Path, shard: int) -> None:
    assert await failures(places(whole)[shard::SHARDS], whole, tmp_path) == []


@pytest.mark.table
async def test_it_does_right_after_the_press_of_a_save(whole: Path, tmp_path: Path) -> None:
    """Between the press and the look, what is looked at is in another browser than what was pressed."""
    with Recording.open(whole / "runs.db") as recording:
        steps = recording.steps(recording.run("last").id)
    saved = [one.ordinal for one in steps if (one.task or "").startswith("save_listings") and one.tool == "click"][1]

    def begun(place: Path) -> int:
        with Recording.open(place / "runs.db") as recording:
            return len(recording.steps(recording.run("last").id))

    pressed = [one for one in places(whole) if one.name.endswith("end_step") and begun(one) == saved + 1]
    assert len(pressed) == 1
    await compared(pressed[0], whole, tmp_path / "cut")


@pytest.mark.table
async def test_it_keeps_what_was_typed_before_it_was_known_to_be_no_secret(whole: Path, tmp_path: Path) -> None:
    """Words of one's own are stored when their step ends: one that had sent them and did not end has them, too."""

    def lacks(place: Path) -> bool:
        with Recording.open(place / "runs.db") as recording:
            last = recording.steps(recording.run("last").id)[-1]
            return last.tool == "fill_form" and last.withheld

    ended = [one for one in places(whole) if one.name.endswith(("-end", "-end_step"))]
    sent = [one for one, then in pairwise(ended) if then.name.endswith("-end_step") and lacks(one)]
    assert sent
    await compared(sent[0], whole, tmp_path / "cut")


@pytest.mark.slow
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("turn", range(DAILY))
async def test_so_does_one_that_is_stopped_in_any_way(whole: Path, tmp_path: Path, way: str, turn: int) -> None:
    folder = tmp_path / "cut"
    place = 1 + int(drawn(way, DAILY)[turn] * (len(places(whole)) - 1))
    ended = perform(folder, {"by": way, "place": place})
    assert ended.returncode in {"kill": (-9,), "browser": (1,)}.get(way, (130, 0)), ended.stdout + ended.stderr
    assert "Traceback" not in ended.stderr
    if ended.returncode:
        with pytest.MonkeyPatch.context() as patch, model() as known:
            for name, value in known.items():
                patch.setenv(name, value)
            await goes_on(folder)
    assert told(folder) == told(whole)


@pytest.mark.table
@pytest.mark.parametrize(
    ("way", "share"),
    [
        *(pytest.param(way, drawn(way, 1)[0], marks=() if way == "page" else pytest.mark.slow) for way in GONE),
        *(pytest.param(way, share, marks=pytest.mark.slow) for way in GONE for share in (0.1, 0.5, 0.9)),
    ],
)
async def test_a_run_goes_on_after_what_was_around_it_had_gone(
    whole: Path, tmp_path: Path, way: str, share: float
) -> None:
    folder = tmp_path / "cut"
    place = 1 + int(0.9 * share * len(places(whole)))
    ended = perform(folder, {"by": way, "place": place})
    assert "Traceback" not in ended.stderr
    if way == "page" and ended.returncode == 0:
        # It died while another document was on its way, which has a process of its own: nothing was lost.
        assert told(folder) == told(whole)
        return
    assert ended.returncode == GONE[way], ended.stdout + ended.stderr
    with Recording.open(folder / "runs.db") as recording:
        (run,) = recording.runs(recording.batch("last").id)
    assert (run.status, run.verdict) == ("failed", "environment"), run.reason
    said = "the page crashed under this user" if way == "page" else "does not answer any more"
    assert said in str(run.reason)
    with pytest.MonkeyPatch.context() as patch, model() as known:
        for name, value in known.items():
            patch.setenv(name, value)
        await goes_on(folder)
    assert told(folder) == told(whole)
