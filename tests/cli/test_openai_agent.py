"""``--agent openai`` as a person calls it: what it needs, what it is refused, and a run that is replayed without it."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from simulator.agent.models.choose import choose_agent
from simulator.config import default_text
from simulator.recording.reader import Recording
from tests.fakes.chat_completions import KEY, Answer, Dialect, Fault, Request, call, calls, chat_completions, use
from tests.ports import port_of_nobody
from tests.seam import needs_bookshop

READER = """
persona: reader
about: Somebody who looks around.
locale: en_GB
tasks:
  - do: Look at the newest books.
"""


@pytest.fixture(autouse=True)
def project(folder: Path) -> None:
    """A project with one persona, whose bookshop nobody serves, and no key."""
    port = port_of_nobody()
    (folder / "sim.toml").write_text(default_text().replace("127.0.0.1:8765", f"127.0.0.1:{port}"), "utf-8")
    (folder / "personas").mkdir()
    (folder / "personas" / "reader.yaml").write_text(READER, "utf-8")


def look(request: Request) -> Answer:
    return calls(use("navigate", url="/books?sort=newest"), use("complete", result="I looked."))


@pytest.mark.slow
@needs_bookshop
def test_a_run_is_recorded_and_replayed_without_the_model(sim, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with (folder / "sim.toml").open("a") as toml:
        toml.write('\n[models."gemma:4b"]\nvision = false\n')
    with chat_completions(look, Dialect(key=None, vision=False)) as api:
        monkeypatch.setenv("OPENAI_BASE_URL", f"{api.url}/v1")
        asked = ("personas", "run", "reader", "--agent", "openai", "--model", "gemma:4b", "--seed", "7", "--json")
        (shown,) = sim(*asked, "--dry-run").json
        assert api.requests == []
        run = sim(*asked)
        assert run.code == 0, run.err
        assert api.refused == []
        (request,) = api.requests
    assert request.body["model"] == "gemma:4b"
    assert request.said in shown["tasks"]
    assert request.tools == [tool["name"] for tool in shown["tools"]]
    assert "screenshot" not in request.tools
    (told,) = run.json["runs"]
    assert told["tasks"][0] | {"seconds": 0} == {"task": "do", "status": "done", "seconds": 0, "reason": "I looked."}
    with Recording.open(folder / "recordings" / "runs.db") as recording:
        assert recording.run(told["run_id"]).agent == "openai"
    monkeypatch.delenv("OPENAI_BASE_URL")
    offline = sim("offline", "last")
    assert offline.code == 0, offline.out + offline.err
    replay = sim("replay", "last", "--reset")
    assert replay.code == 0, replay.out + replay.err


@needs_bookshop
def test_a_goal(sim, folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with chat_completions([Fault(404, "no such model")]) as api:
        monkeypatch.setenv("OPENAI_API_KEY", KEY)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{api.url}/v1")
        refused = sim("goal", "Buy a book.", "--agent", "openai", "--model", "nobody")
    assert refused.code == 3
    assert "does not know 'nobody' (no such model)" in refused.err
    assert "Buy a book." in api.requests[0].task


def test_without_a_key_it_says_so_and_does_nothing(sim, folder: Path) -> None:
    for command in (("personas", "run", "reader"), ("goal", "Buy a book.")):
        refused = sim(*command, "--agent", "openai")
        assert refused.code == 3
        assert refused.err.count("\n") == 1
        assert "OPENAI_API_KEY" in refused.err


def test_another_server_takes_the_name_of_a_model(sim, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    refused = sim("personas", "run", "reader", "--agent", "openai")
    assert refused.code == 2
    assert "name one with --model" in refused.err


def test_without_its_package_it_says_what_to_install(sim, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    monkeypatch.setitem(sys.modules, "openai", None)
    monkeypatch.delitem(sys.modules, "simulator.agent.models.openai", raising=False)
    refused = sim("personas", "run", "reader", "--agent", "openai")
    assert refused.code == 3
    assert refused.err.count("\n") == 1
    assert "pip install 'persona-replay[openai]'" in refused.err


@pytest.mark.parametrize("more", [(), ("--dry-run",)])
def test_the_toolset_of_another_api_is_refused(sim, monkeypatch: pytest.MonkeyPatch, more: tuple[str, ...]) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", KEY)
    asked = ("personas", "run", "reader", "--agent", "openai", "--toolset", "anthropic-browser", *more)
    refused = sim(*asked)
    assert refused.code == 2
    assert "'anthropic-browser' belongs to the Messages API" in refused.err
    assert "--agent claude" in refused.err


def test_auto_takes_it_where_its_key_alone_is_set(monkeypatch: pytest.MonkeyPatch) -> None:
    own, other = {"OPENAI_API_KEY": KEY}, {"ANTHROPIC_API_KEY": "x"}
    assert choose_agent("auto", own) == "openai"
    assert choose_agent("auto", own | other) == "claude"
    monkeypatch.setattr(
        "simulator.agent.models.choose.find_spec", lambda package: None if package == "openai" else object()
    )
    assert choose_agent("auto", own) == "autopilot"


@needs_bookshop
def test_a_wrong_key_ends_the_batch_and_is_not_repeated(sim, monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = "sk-wrong-key-of-the-tests"
    with chat_completions(lambda _: call("complete", result="Done.")) as api:
        monkeypatch.setenv("OPENAI_API_KEY", wrong)
        monkeypatch.setenv("OPENAI_BASE_URL", f"{api.url}/v1")
        asked = ("personas", "run", "reader", "--agent", "openai", "--model", "x", "--count", "3", "--concurrency", "1")
        refused = sim(*asked)
        assert len(api.requests) == 1
    assert refused.code == 3
    assert "refuses the key" in refused.err
    assert wrong not in refused.out + refused.err
