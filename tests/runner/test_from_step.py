"""A run is replayed up to a step, and a model goes on live from there: a new revision, recorded like any run."""

from __future__ import annotations

import asyncio
import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from simulator.agent.blocks import result_block
from simulator.agent.models.model import ToolUse
from simulator.errors import RecordingError, UsageError
from simulator.recording import Recording, RunRow
from simulator.recording.upkeep.verify import verify
from simulator.runner import events
from simulator.runner.continuing.going_on import GoOnOptions, go_on
from simulator.runner.continuing.offline import OfflineOptions, replay_offline
from simulator.runner.continuing.prefix import with_note
from simulator.runner.stop import Stop
from simulator.tools.contracts import ToolResult
from tests.fakes.messages_api import KEY, Answer, MessagesApi, Request, call, calls, messages_api, use
from tests.runner.bench import Bench, Original, Shop, settings

pytestmark = [pytest.mark.timeout(300), pytest.mark.promise("a run that was cut off goes on", quick=2)]

SELLER = {"persona": "seller", "tasks": ["register", {"list_books": {"count": 1}}]}
WRITER = {
    "persona": "writer",
    "tasks": ["register", {"do": "Write a friendly message to another seller."}, "message_seller"],
}


def writer(text: str) -> Callable[[Request], Answer]:
    """A model that finds a book by what it reads, and writes to its seller."""

    def act(request: Request) -> Answer:
        said = json.dumps(request.body["messages"][-1])
        if request.turn == 0:
            return calls(use("navigate", url="/books"), use("read_links"), text="I look for a book.")
        if "read_links" in json.dumps(request.body["messages"][-2]):
            links = json.loads(request.results[-1]["content"][0]["text"])["links"]
            titles = [link for link in links if link["name"] and link["name"] == link.get("card", [""])[0]]
            book = [link for link in titles if "£" in "".join(link["card"])][-1]
            return calls(use("click", selector=f"ref={book['ref']}"), use("read_forms"))
        if "read_forms" in json.dumps(request.body["messages"][-2]) and "void" not in said:
            forms = json.loads(request.results[-1]["content"][0]["text"])["forms"]
            form = next(form for form in forms if '"meaning": "message"' in json.dumps(form))
            return calls(use("fill_form", form=f"ref={form['ref']}", values={"message": text}, submit=True))
        if "void" in said:
            return call("read_forms")
        return call("complete", result="I wrote to a seller.")

    return act


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Original:
    """A seller, and a user of whose tasks one is in free words."""
    bench = Bench(tmp_path_factory.mktemp("written"), settings())
    with serving(writer("Hello! Is it still to be had?")) as _:
        return asyncio.run(bench.record("written", (SELLER, WRITER), count=2, concurrency=1, agent="claude"))


class serving:
    """Serves the Messages API, and points the agent to it."""

    def __init__(self, script: Callable[[Request], Answer]) -> None:
        self._context = messages_api(script)
        self._patch = pytest.MonkeyPatch()

    def __enter__(self) -> MessagesApi:
        api = self._context.__enter__()
        self._patch.setenv("ANTHROPIC_API_KEY", KEY)
        self._patch.setenv("ANTHROPIC_BASE_URL", api.url)
        return api

    def __exit__(self, *error: Any) -> None:
        self._patch.undo()
        self._context.__exit__(*error)


@pytest.fixture
def copy(written: Original, tmp_path: Path) -> Original:
    """The recording, to be added to, and a new shop."""
    return copied(written, tmp_path)


def copied(original: Original, folder: Path) -> Original:
    db = folder / "copy.db"
    shutil.copyfile(original.db, db)
    return Original(db, Shop(folder / "shop.db"), original.result)


async def from_step(
    original: Original, bench: Bench, step: int, *, persona: str = "writer", **more: Any
) -> events.BatchResult:
    options = GoOnOptions(
        settings=bench.settings,
        site=bench.site(original.shop),
        db=original.db,
        step=step,
        screenshots="none",
        **{"agent": "claude", "run": original.runs()[persona], **more},
    )
    return await go_on(options, lambda _: None, Stop())


def place_of(original: Original, tool: str) -> int:
    """The number of the first step that calls a tool."""
    with Recording.open(original.db) as recording:
        steps = recording.steps(original.runs()["writer"])
    return next(step.ordinal + 1 for step in steps if step.tool == tool)


def row(original: Original, result: events.BatchResult) -> RunRow:
    with Recording.open(original.db) as recording:
        return recording.run(result.runs[0].run_id)


@pytest.mark.slow
async def test_a_model_goes_on_from_the_middle_of_an_answer(written: Original, copy: Original, bench: Bench) -> None:
    step = place_of(copy, "read_forms")
    with serving(writer("Something else: what a lovely copy!")) as api:
        result = await from_step(copy, bench, step)
        assert api.refused == []
    (outcome,) = result.runs
    assert [(task.task, task.status) for task in outcome.tasks] == [
        ("register", "done"), ("do", "done"), ("message_seller", "done"),
    ]  # fmt: skip
    assert (outcome.status, outcome.reason) == ("passed", "")
    first = api.requests[0]
    assert len(api.requests) == 3, "what was answered before is not asked again"
    assert "I look for a book." in json.dumps(first.body["messages"])
    assert "every ref=… given out before is void" in first.body["messages"][-1]["content"][-1]["content"][-1]["text"]
    messages = json.dumps(copy.shop.state[outcome.username]["message"])
    assert messages.count("Something else: what a lovely copy!") == 1
    assert copy.shop.effects == [*written.shop.effects], "each effect once, the seller's before them"

    revision, source = row(copy, result), copy.runs()["writer"]
    assert (revision.kind, revision.revision, revision.source_run) == ("record", 2, source)
    with Recording.open(copy.db) as recording:
        old, new = recording.steps(source), recording.steps(revision.id)
        assert [one.tool for one in new[: step - 1]] == [one.tool for one in old[: step - 1]]
        assert [one.result for one in new[: step - 2]] == [one.result for one in old[: step - 2]]
        asked = recording.llm_calls(revision.id)
    assert sum(one.usage["input"] > 0 for one in asked if one.usage) == len(api.requests)
    assert (revision.summary or {})["model"]["calls"] == len(api.requests)
    assert verify(copy.db) == []

    replayed = await bench.replay(copy.db, "again", target=revision.id)
    assert replayed.verdicts == ["passed", "passed"], "the seller, and the new revision"
    assert replayed.shop.whole == copy.shop.whole
    offline = await replay_offline(OfflineOptions(settings=bench.settings, source=copy.db, target=revision.id))
    assert [(run.difference, run.note) for run in offline.runs] == [(None, ""), (None, "")]
    assert offline.runs[1].run_id == revision.id


@pytest.mark.slow
async def test_the_autopilot_goes_on_with_what_needs_no_model(written: Original, copy: Original, bench: Bench) -> None:
    step = place_of(copy, "complete") + 2
    with serving(writer("unused")) as api:
        result = await from_step(copy, bench, step, max_steps=30)
    assert api.requests == []
    assert result.runs[0].status == "passed"
    assert copy.shop.whole == written.shop.whole
    assert row(copy, result).revision == 2


@pytest.mark.slow
async def test_a_budget_ends_what_goes_on(copy: Original, bench: Bench) -> None:
    step = place_of(copy, "click")
    with serving(writer("Hello again!")):
        result = await from_step(copy, bench, step, max_steps=1)
    (outcome,) = result.runs
    assert outcome.status == "failed"
    assert "steps is used up" in outcome.reason
    assert outcome.steps == step


@pytest.mark.slow
async def test_a_site_that_is_not_as_it_was_ends_it(written: Original, copy: Original, bench: Bench) -> None:
    written.shop.copy_to(copy.shop.file)
    before = copy.shop.effects
    result = await from_step(copy, bench, 3, persona="seller", agent="autopilot")
    (outcome,) = result.runs
    assert outcome.status == "interrupted"
    assert outcome.reason.startswith("the site is not as it was recorded, before step 1 was over: ")
    with pytest.raises(RecordingError, match="whose replay did not pass"):
        await from_step(copy, bench, 3)
    assert copy.shop.effects == before


@pytest.mark.parametrize(
    ("step", "more", "kind", "told"),
    [
        (0, {}, RecordingError, "steps: --from takes 1 .* not 0"),
        (99, {}, RecordingError, "not 99"),
        (2, {"agent": "autopilot"}, UsageError, "done by a model; say which agent"),
    ],
)
async def test_what_cannot_be_gone_on_with_is_told(
    talked: Original,
    bench: Bench,
    tmp_path: Path,
    step: int,
    more: dict[str, Any],
    kind: type[Exception],
    told: str,
) -> None:
    copy = copied(talked, tmp_path)
    with pytest.raises(kind, match=told):
        await from_step(copy, bench, step, persona="reader", **more)
    assert not copy.shop.file.exists()


@pytest.mark.table
async def test_a_run_without_a_task_left_is_told(copy: Original, bench: Bench) -> None:
    with Recording.open(copy.db) as recording:
        last = recording.run(copy.runs()["writer"]).steps
    with pytest.raises(RecordingError, match=f"has no task left at step {last + 1}"):
        await from_step(copy, bench, last + 1)
    assert not copy.shop.file.exists()


@pytest.mark.parametrize("toolset", ["", "browser"])
def test_whoever_goes_on_is_told_that_it_has_a_new_browser(toolset: str) -> None:
    data: Any = {"content": [{"type": "text", "text": "clicked"}]} if toolset else "clicked"
    result = with_note(ToolResult(success=True, data=data), "a new browser")
    block = result_block(ToolUse("use_1", "left_click", {}, toolset), result, str)
    assert sorted(one["text"] for one in block["content"]) == ["a new browser", "clicked"]
