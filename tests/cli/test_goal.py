"""One goal in free words: done by a scripted model, recorded, and replayed without it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from simulator.config import default_text
from tests.fakes.messages_api import KEY, call, messages_api
from tests.ports import port_of_nobody
from tests.seam import needs_bookshop

pytestmark = pytest.mark.promise("a goal in words")


@pytest.fixture(autouse=True)
def project(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A project whose bookshop nobody serves, and no key."""
    port = port_of_nobody()
    (folder / "sim.toml").write_text(default_text().replace("127.0.0.1:8765", f"127.0.0.1:{port}"), "utf-8")


@needs_bookshop
def test_a_goal_is_done_recorded_and_replayed_without_the_model(sim, monkeypatch: pytest.MonkeyPatch) -> None:
    script = [
        call("navigate", url="/books"),
        call("click", selector="This or that"),
        call("complete", result="I have looked at what competes."),
    ]
    with messages_api(script) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        done = sim("goal", "Look at what competes.", "--persona", "voter", "--seed", "7")
        assert done.code == 0, done.out + done.err
        assert api.refused == []
        assert "Look at what competes." in str(api.requests[0].body)
        asked = len(api.requests)
    monkeypatch.delenv("ANTHROPIC_API_KEY")
    first, proven = sim("runs", "list", "--kind", "record", "--json").json
    assert [(run["persona"], run["status"]) for run in (first, proven)] == [("voter", "passed")] * 2
    assert "proven(fresh): 1 run performed once more by fresh users" in done.out
    assert list(proven["summary"]["proofs"]) == ["fresh"]
    replayed = sim("replay", "last", "--reset")
    assert replayed.code == 0, replayed.out + replayed.err
    assert replayed.out.startswith("passed: 1 run, 2 actions ")
    assert len(api.requests) == asked


@needs_bookshop
def test_steps_are_limited(sim, monkeypatch: pytest.MonkeyPatch) -> None:
    with messages_api(lambda request: call("navigate", url=f"/books?page={request.turn + 1}")) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        done = sim("goal", "Read everything.", "--max-steps", "3", "--json", "--events", "events.jsonl")
    assert done.code == 1
    (run,) = done.json["runs"]
    assert (run["persona"], run["status"], run["steps"]) == ("visitor", "failed", 3)
    assert "3 steps" in run["reason"]
    told = [json.loads(line) for line in Path("events.jsonl").read_text("utf-8").splitlines()]
    (limit,) = (event for event in told if event["event"] == "limit_reached")
    assert (limit["limit"], limit["reason"], limit["ends"]) == ("step_limit", run["reason"], True)


@pytest.mark.parametrize("text", ["", "  "])
def test_a_goal_says_something(sim, monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
    refused = sim("goal", text)
    assert (refused.code, refused.out) == (2, "")
    assert refused.err == "sim: the goal is empty; say in plain words what is to be done\n"


def test_without_a_key_nothing_begins(sim, folder: Path) -> None:
    refused = sim("goal", "Buy a book.")
    assert refused.code == 3
    assert refused.err.endswith("there is no key for one: set ANTHROPIC_API_KEY or OPENAI_API_KEY\n")
    assert sim("goal", "Buy a book.", "--agent", "autopilot").code == 2
    assert not (folder / "recordings").exists()
