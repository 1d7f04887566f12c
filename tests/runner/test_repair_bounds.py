"""What bounds a repair by a model: limits, whoever stops it, a kill, users who depend on it, and other users."""

from __future__ import annotations

import asyncio
import threading
from pathlib import Path

import pytest

from benchmarks.mutations.bench import shop
from benchmarks.mutations.truth import Truth
from simulator.bindings import Bindings
from simulator.recording import Recording
from simulator.recording.dependencies import ordinal_of
from simulator.recording.redoing import place_of
from simulator.recording.upkeep.verify import verify
from simulator.replay.left.made import made_things
from simulator.runner.repairs.repair import RepairOptions
from simulator.runner.stop import Stop
from tests.fakes import chat_completions as openai
from tests.fakes.messages_api import Answer, Held, Request, say
from tests.runner.program import kill, left_after_five_seconds, project, wait_until
from tests.runner.repairs import (
    BOOK,
    ISBN,
    SELLER,
    Recorded,
    again,
    effects,
    model,
    offer,
    performed,
    record,
    revisions,
    script,
)

pytestmark = [pytest.mark.timeout(300), pytest.mark.promise("a model repairs a replay")]

WRITER = {"persona": "writer", "tasks": ["register", "message_seller"]}
NOBODY_ELSE = {"persona": "lister", "tasks": ["register", {"list_books": {"count": 1}}]}


@pytest.fixture(scope="module")
def dealing(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """A seller, and somebody who writes to that seller about the book."""
    return asyncio.run(record(tmp_path_factory.mktemp("dealing"), SELLER, WRITER))


@pytest.fixture(scope="module")
def listers(tmp_path_factory: pytest.TempPathFactory) -> Recorded:
    """Two users who sell a book each."""
    return asyncio.run(record(tmp_path_factory.mktemp("listers"), NOBODY_ELSE, NOBODY_ELSE | {"persona": "other"}))


@pytest.mark.slow
async def test_who_depends_on_a_repaired_run_finds_what_it_made(dealing: Recorded, tmp_path: Path) -> None:
    with model(script(offer(isbn=ISBN))) as api:
        replayed = await performed(dealing, tmp_path / "repaired", "new-required-field", concurrency=2)
        assert api.refused == []
    assert [(run.drift, run.verdict) for run in replayed.result.runs] == [(None, "repaired"), (None, "passed")]
    assert replayed.truth.state == dealing.truth.state
    (revision,) = revisions(replayed.db)
    assert [run.revision for run in replayed.result.runs] == [revision, ""]
    with Recording.open(replayed.db) as recording:
        written = next(run.id for run in recording.runs() if run.kind == "record" and run.persona == "writer")
        (need,) = recording.dependencies(written)
        steps = recording.steps(revision)
        made = made_things(recording, revision, Bindings({}))[0].step
        place = ordinal_of(recording, need.producer_step or "")
        there = next(step.ordinal for step in steps if place_of(step.ordinal, step.flags) >= place)
        assert there >= made > place, "who waits for the recorded step waits for the one that makes it now"
    strict = await again(replayed, tmp_path / "again", "new-required-field", target=written, concurrency=2)
    assert [(run.drift, run.verdict) for run in strict.result.runs] == [(None, "passed"), (None, "passed")]
    assert strict.truth.state == dealing.truth.state


@pytest.mark.slow
async def test_the_limit_holds_for_all_runs_together(listers: Recorded, tmp_path: Path) -> None:
    repair = RepairOptions(agent="claude", limit_tokens=1)
    with model(script(offer(isbn=ISBN))) as api:
        replayed = await performed(listers, tmp_path / "bounded", "new-required-field", concurrency=1, repair=repair)
        assert len(api.requests) == 1, "the second user asks nothing any more"
    assert not replayed.result.interrupted
    assert [run.verdict for run in replayed.result.runs] == ["postcondition", "postcondition"]
    for run in replayed.result.runs:
        assert run.drift is not None
        assert "not repaired: the batch's limit of 1 tokens is used up" in run.drift.sentence
    assert revisions(replayed.db) == []


@pytest.mark.slow
async def test_a_repair_takes_so_many_steps(listers: Recorded, tmp_path: Path) -> None:
    repair = RepairOptions(agent="claude", max_steps=1)
    with model(script(offer(isbn=ISBN))) as api:
        replayed = await performed(listers, tmp_path / "bounded", "new-required-field", repair=repair)
        assert len(api.requests) == 2, "one for each user"
    for run in replayed.result.runs:
        assert run.drift is not None
        assert "limit of 1 steps is used up" in run.drift.sentence
    assert effects(replayed.truth).count("listing.created") == 0


@pytest.mark.slow
async def test_who_stops_a_repair_leaves_what_was_done_and_no_revision(listers: Recorded, tmp_path: Path) -> None:
    stop = Stop()

    def interrupted(request: Request) -> Answer:
        stop_soon()
        return offer(isbn=ISBN)

    loop = asyncio.get_running_loop()

    def stop_soon() -> None:
        loop.call_soon_threadsafe(stop.request)

    with model(interrupted) as api:
        replayed = await performed(listers, tmp_path / "stopped", "new-required-field", stop=stop, concurrency=1)
        assert len(api.requests) == 1
    assert replayed.result.interrupted
    assert replayed.result.runs[0].verdict == "interrupted"
    assert revisions(replayed.db) == []
    assert verify(replayed.db) == []


@pytest.mark.slow
def test_a_kill_in_the_middle_leaves_what_was_done_and_no_revision(listers: Recorded, tmp_path: Path) -> None:
    release, asked = threading.Event(), threading.Event()

    def held(request: Request) -> Answer:
        if request.turn == 0:
            return offer(isbn=ISBN)
        asked.set()
        return Held(say("never read"), release)

    (tmp_path / "home").mkdir()
    database = tmp_path / "changed.shop.db"
    with shop(database, ["new-required-field"]) as url, model(held), project(tmp_path / "home") as ours:
        replay = ours.start(
            "replay", listers.db, "--mode", "agent", "--agent", "claude", "--base-url", url, "--concurrency", "1"
        )
        wait_until(asked.is_set, replay)
        family = kill(replay)
        release.set()
        assert left_after_five_seconds(family) == []
    assert effects(Truth.of(database)).count("listing.created") == 1, "what the model had done"
    assert verify(ours.db) == []
    assert revisions(ours.db) == []
    with Recording.open(ours.db) as recording:
        (run,) = recording.runs()
        assert (run.kind, run.status) == ("replay", "interrupted")
        assert [made.kind for made in made_things(recording, run.id, Bindings({}))] == ["book"]
        assert [call.status for call in recording.llm_calls(run.id)] == ["done", "interrupted"]


@pytest.mark.slow
async def test_a_model_of_another_provider_repairs(
    listers: Recorded, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def act(request: openai.Request) -> openai.Answer:
        if request.turn:
            return openai.call("complete", result="Done.")
        return openai.calls(
            openai.use("navigate", url="/books/new"),
            openai.use("upload_cover_image", cover_url="{{file.cover_1}}"),
            openai.use("fill_form", values={**BOOK, "isbn": ISBN}, submit=True),
        )

    with openai.chat_completions(act) as api:
        monkeypatch.setenv("OPENAI_API_KEY", openai.KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{api.url}/v1")
        repair = RepairOptions(agent="openai", model="gpt-of-the-tests")
        replayed = await performed(listers, tmp_path / "repaired", "new-required-field", repair=repair)
        assert api.refused == []
    assert [(run.drift, run.verdict) for run in replayed.result.runs] == [(None, "repaired")] * 2
    assert replayed.truth.state == listers.truth.state
    assert len(revisions(replayed.db)) == 2


@pytest.mark.slow
async def test_what_a_fresh_user_repaired_is_performed_by_the_recorded_one(listers: Recorded, tmp_path: Path) -> None:
    with model(script(offer(isbn=ISBN))) as api:
        replayed = await performed(
            listers, tmp_path / "repaired", "new-required-field", identity="fresh", seed="others"
        )
        assert api.refused == []
    assert [(run.drift, run.verdict) for run in replayed.result.runs] == [(None, "repaired")] * 2
    assert effects(replayed.truth).count("listing.created") == 2
    strict = await again(replayed, tmp_path / "again", "new-required-field", target="last")
    assert [(run.drift, run.verdict) for run in strict.result.runs] == [(None, "passed")] * 2
    assert strict.truth.state == listers.truth.state
