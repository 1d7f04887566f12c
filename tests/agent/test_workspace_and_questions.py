"""A scripted model works in its run's folder and asks its person; a replay gives both back, and does neither."""

from __future__ import annotations

from pathlib import Path

import psutil
import pytest

from simulator.errors import UsageError
from simulator.recording.reader import Recording
from tests.fakes.messages_api import KEY, Answer, Request, call, calls, messages_api, use
from tests.runner.bench import Bench, settings

pytestmark = pytest.mark.timeout(300)

TINKERER = {
    "persona": "tinkerer",
    "tasks": ["register", {"do": "Note how your person wants things shipped."}],
    "tools": {"toolsets": ["browser", "books", "workspace"]},
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, settings())


def model(request: Request) -> Answer:
    if request.turn == 0:
        return calls(
            use("ask_user", question="Which shipping do you prefer?"),
            use("bash", command="setsid sleep 987 >/dev/null 2>&1 & echo $!"),
        )
    return call("complete", result="Noted.")


@pytest.mark.table
async def test_what_was_asked_and_run_is_recorded_and_given_back(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    async def person(question: str) -> str:
        asked.append(question)
        return "By post"

    with messages_api(model) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        made = await bench.record(
            "made", (TINKERER,), count=1, concurrency=1, agent="claude", allow_workspace=True, ask=person
        )
        monkeypatch.delenv("ANTHROPIC_API_KEY")
    assert asked == ["Which shipping do you prefer?"]
    with Recording.open(made.db) as recording:
        given = {step.tool: step.result for step in recording.steps(made.result.runs[0].run_id)}
    assert given["ask_user"] == "By post"
    assert given["bash"]["exit_code"] == 0
    assert not psutil.pid_exists(int(given["bash"]["output"])), "what a run has started ends with it"

    replayed = await bench.replay(made.db, "again")
    assert replayed.verdicts == ["passed"]
    assert len(asked) == 1
    with Recording.open(replayed.result.db) as recording:
        again = {step.tool: step.result for step in recording.steps(replayed.result.runs[0].run_id)}
    assert (again["ask_user"], again["bash"]) == (given["ask_user"], given["bash"])


async def test_the_workspace_is_refused_where_it_is_not_allowed(bench: Bench) -> None:
    with pytest.raises(UsageError, match="--allow-workspace"):
        await bench.record("made", (TINKERER,), count=1, concurrency=1)
