"""``sim personas run --agent claude`` as a person calls it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from simulator.recording.reader import Recording
from tests.fakes.messages_api import KEY, Answer, Fault, Request, calls, messages_api, say, use
from tests.runner.program import Project, project

pytestmark = pytest.mark.timeout(600)

READER = """
persona: reader
about: Somebody who looks around.
locale: en_GB
tasks:
  - do: Look at the newest books.
"""


@pytest.fixture
def ours(tmp_path: Path) -> Iterator[Project]:
    with project(tmp_path) as made:
        made.add_persona(READER)
        yield made


def look(request: Request) -> Answer:
    return calls(use("navigate", url="/books?sort=newest"), use("complete", result="I looked."))


@pytest.mark.slow
def test_a_run_and_its_replay(ours: Project) -> None:
    with messages_api(look) as api:
        env = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
        run = ours.sim("personas", "run", "reader", "--seed", "7", "--model", "claude-y", "--json", **env)
        assert run.returncode == 0, run.stderr
        assert [request.body["model"] for request in api.requests] == ["claude-y"], "auto takes it where its key is set"
    (told,) = json.loads(run.stdout)["runs"]
    assert told["tasks"][0] | {"seconds": 0} == {"task": "do", "status": "done", "seconds": 0, "reason": "I looked."}
    replay = ours.sim("replay", "last", "--reset")
    assert replay.returncode == 0, replay.stdout + replay.stderr


@pytest.mark.table
def test_without_a_key_it_says_so_and_does_nothing(ours: Project) -> None:
    run = ours.sim("personas", "run", "reader", "--agent", "claude")
    assert run.returncode == 3
    assert run.stderr.count("\n") == 1
    assert "ANTHROPIC_API_KEY" in run.stderr
    assert "--agent autopilot" in run.stderr


@pytest.mark.slow
def test_without_a_key_auto_leaves_free_words_out(ours: Project) -> None:
    run = ours.sim("personas", "run", "reader", "--json")
    assert run.returncode == 0
    assert json.loads(run.stdout)["runs"][0]["tasks"][0]["reason"] == "needs a model"


@pytest.mark.table
def test_a_refused_key_ends_the_batch_with_a_sentence(ours: Project) -> None:
    with messages_api([Fault(401, "invalid x-api-key")] * 3) as api:
        env = {"ANTHROPIC_API_KEY": "sk-ant-wrong-key", "ANTHROPIC_BASE_URL": api.url}
        run = ours.sim("personas", "run", "reader", "--count", "3", "--concurrency", "1", **env)
        assert len(api.requests) == 1
    assert run.returncode == 3
    assert "refuses the key" in run.stderr
    assert "Traceback" not in run.stderr
    assert "sk-ant-wrong-key" not in run.stdout + run.stderr


@pytest.mark.slow
def test_a_model_that_does_nothing_is_a_failed_run(ours: Project) -> None:
    with messages_api([say("I would rather not.")] * 3) as api:
        env = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
        run = ours.sim("personas", "run", "reader", "--json", **env)
    assert run.returncode == 1
    assert "I would rather not." in json.loads(run.stdout)["runs"][0]["reason"]


@pytest.mark.slow
def test_a_dry_run_prints_what_a_model_would_be_told_and_does_nothing(ours: Project) -> None:
    shown = ours.sim("personas", "run", "reader", "--dry-run", "--seed", "7")
    assert shown.returncode == 0, shown.stderr
    assert "Your task now: Look at the newest books." in shown.stdout
    assert "a user of a web site: Somebody who looks around." in shown.stdout
    assert "Tools: navigate, " in shown.stdout
    assert not ours.db.exists()
    (told,) = json.loads(ours.sim("personas", "run", "reader", "--dry-run", "--seed", "7", "--json").stdout)
    with messages_api(look) as api:
        env = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
        assert ours.sim("personas", "run", "reader", "--seed", "7", **env).returncode == 0
        (request,) = api.requests
    assert request.said in told["tasks"]
    assert [tool["name"] for tool in told["tools"]] == request.tools
    assert told["system"].splitlines()[0] == request.system.splitlines()[0]


@pytest.mark.slow
def test_limits_of_a_batch_and_what_it_used(ours: Project) -> None:
    with messages_api(look) as api:
        env = {"ANTHROPIC_API_KEY": KEY, "ANTHROPIC_BASE_URL": api.url}
        refused = ours.sim("personas", "run", "reader", "--limit-money", "1", **env)
        assert refused.returncode == 2
        assert "nobody knows what 'claude-sonnet-5-5' costs: write its prices into sim.toml" in refused.stderr
        assert api.requests == []
        run = ours.sim("personas", "run", "reader", "--count", "3", "--concurrency", "1", "--limit-steps", "3", **env)
        assert run.returncode == 130, run.stderr
    assert "1 other never began; the batch's limit of 3 steps is used up" in run.stdout
    assert "cost: unknown" in run.stdout
    with Recording.open(ours.db) as recording:
        batch = recording.batch("last").id
    told = json.loads(ours.sim("runs", "show", batch, "--json").stdout)
    assert [one["status"] for one in told["runs"]] == ["passed", "interrupted", "cancelled"]
    assert [one["calls"] for one in told["usage"]] == [1, 1, 0]
    assert told["total"]["cost"] == {"known": {}, "unknown_calls": 2}
    shown = ours.sim("runs", "show", batch).stdout
    assert f"batch {batch} (record): interrupted" in shown
    assert "asked of models, by user" in shown
