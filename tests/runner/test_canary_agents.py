"""No secret anywhere, whichever agent acts, whatever tool it calls: on a site that says every password it was given.

The model calls every tool that there is with its own example, and tools that take text with the password's variable.
"""

from __future__ import annotations

import json
import logging
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from simulator.cli.main import main
from simulator.recording.upkeep.verify import verify
from simulator.tools.toolsets import toolset
from tests.fakes import chat_completions, messages_api
from tests.fakes.messages_api import Answer, calls, use
from tests.runner.echo_site import careless_site
from tests.runner.leaks import cells, files, leaks
from tests.runner.program import KEY
from tests.runner.test_canary import password

pytestmark = pytest.mark.timeout(600)

PERSONA = """
persona: canary
about: Somebody who tries everything.
locale: en_GB
traits: {patience: high}
tasks: [do: Try everything.]
limits: {steps: 2000, minutes: 30, tokens: 1000000000}
tools: {toolsets: %s, max_safety: dangerous}
"""
SECRET = "{{secret.password}}"
ENDING = frozenset({"complete", "fail", "done"})
FIRST: list[tuple[str, dict[str, Any]]] = [
    ("navigate", {"url": "/register"}),
    ("fill_form", {"values": {"password": SECRET, "again": SECRET}, "submit": True}),
    ("login", {}),
    ("navigate", {"url": "/welcome?all"}),
]
MEMBERS: list[tuple[str, dict[str, Any]]] = [
    ("browser.navigate", {"url": "/register"}),
    ("browser.read_page", {}),
    ("login", {}),
    ("browser.navigate", {"url": "/welcome?all"}),
    *((f"browser.{name}", {}) for name in ("screenshot", "read_page", "get_page_text", "read_console", "read_network")),
    ("browser.zoom", {"region": [0, 0, 300, 200]}),
    ("browser.find", {"query": "password"}),
    ("browser.type", {"text": SECRET}),
    ("browser.key", {"text": SECRET}),
    ("browser.navigate", {"url": f"/welcome?password={SECRET}"}),
    ("browser.form_input", {"target": {"type": "ref", "ref": "ref_1"}, "value": SECRET}),
    ("browser.javascript_exec", {"code": "document.cookie"}),
]
OUR_TOOLSETS = ("browser", "books", "elements", "computer", "workspace")
WAYS = {
    "claude": ("claude", OUR_TOOLSETS),
    "anthropic-browser": ("claude", ("anthropic-browser",)),
    "openai": ("openai", OUR_TOOLSETS),
}


def script(toolsets: tuple[str, ...]) -> list[tuple[str, dict[str, Any]]]:
    """Call every tool by its examples, and between them something that goes well: nobody gives up."""
    calls = list(FIRST if "browser" in toolsets else MEMBERS)
    specs = {spec.name: spec for name in toolsets for spec in toolset(name)}
    well = "navigate" if "navigate" in specs else "browser.navigate"
    for place, spec in enumerate(one for one in specs.values() if one.name not in ENDING):
        if place % 4 == 0:
            calls.append((well, {"url": f"/welcome?all={place}"}))
        for example in spec.examples[:1]:
            given = {
                key: SECRET if key in spec.typed and isinstance(text, str) else text for key, text in example.items()
            }
            if "timeout" in spec.schema["properties"]:
                given["timeout"] = 200  # Milliseconds; most of what the examples name is not on this site.
            calls.append((spec.name, given))
    return calls


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A project with a careless site, in which even temporary files land."""
    with careless_site() as url:
        (tmp_path / "tmp").mkdir()
        monkeypatch.setenv("TMPDIR", str(tmp_path / "tmp"))
        monkeypatch.setattr(tempfile, "tempdir", None)
        monkeypatch.setenv("SIM_KEY", KEY)
        monkeypatch.chdir(tmp_path)
        (tmp_path / "sim.toml").write_text(
            '[browser]\naction_ms = 300\n[bookshop]\ncovers.sources = ["offline"]\n'
            f'[site.careless]\nbase_url = "{url}"\n'
            '[site.careless.routes]\nregister = "/register"\nlogin = "/login"\n',
            "utf-8",
        )
        yield tmp_path


@pytest.mark.table
@pytest.mark.parametrize("way", ["claude", "anthropic-browser", pytest.param("openai", marks=pytest.mark.slow)])
def test_every_agent_and_every_tool(
    folder: Path,
    way: str,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str],
) -> None:
    agent, toolsets = WAYS[way]
    rest = script(toolsets)
    wanted = {name.rpartition(".")[2] for name, _ in rest}
    secret = password("careless", "canary", "7", 1)
    found: list[str] = []

    def obey(request: Any) -> Answer:
        if request.turn % 20 == 5:
            found.extend(leaks(files(folder), [secret]))
        if request.turn >= len(rest):
            return calls(use("complete", result=f"I tried everything; my password is {SECRET}."))
        name, input = rest[request.turn]
        family, _, member = name.rpartition(".")
        return calls(use(member, toolset=family, **input), text=f"Now {SECRET} and {name}.")

    for name in ("simulator", "asyncio", "httpx", "playwright", "anthropic", "openai"):
        caplog.set_level(logging.DEBUG, name)
    (folder / "personas").mkdir()
    (folder / "personas" / "canary.yaml").write_text(PERSONA % json.dumps(toolsets), "utf-8")
    fake = messages_api.messages_api if agent == "claude" else chat_completions.chat_completions
    with fake(obey) as api:
        variable, key, path = (
            ("ANTHROPIC", messages_api.KEY, "") if agent == "claude" else ("OPENAI", chat_completions.KEY, "/v1")
        )
        monkeypatch.setenv(f"{variable}_API_KEY", key)
        monkeypatch.setenv(f"{variable}_BASE_URL", api.url + path)
        allowed = ["--allow-workspace"] if "workspace" in toolsets else []
        model = ["--model", "gpt-of-the-tests"] if agent == "openai" else []
        ran = main(
            ["personas", "run", "canary", "--agent", agent, "--seed", "7", "--db", "runs.db", "--screenshots", "none",
             "--events", "events.jsonl", "--log", "run.log", *allowed, *model]
        )  # fmt: skip
        assert api.refused == []
        assert len(api.requests) > len(rest), "the model came to its end"
        said = {"requests": api.everything}
    assert ran == 0, capfd.readouterr()
    for command in (
        ["runs", "list", "--json"], ["runs", "show", "last"], ["runs", "show", "last", "--json"],
        ["plan", "last"], ["runs", "verify"], ["report", "--html", "report.html"],
        ["offline", "last"], ["plan", "last"], ["replay", "last", "--junit", "junit.xml"],
    ):  # fmt: skip
        main([*command, "--db", "runs.db"])
    out, err = capfd.readouterr()
    said |= {"out": out.encode(), "err": err.encode(), "log": caplog.text.encode()}
    assert {path.name for path in folder.iterdir()} >= {"runs.db", "events.jsonl", "run.log", "report.html"}
    assert b"{{secret.password}}" in said["requests"]
    assert found == [], "in a file while it ran"
    assert leaks(said.items(), [secret]) == []
    assert leaks(cells(folder / "runs.db"), [secret]) == []
    assert leaks(files(folder), [secret]) == []
    assert verify(folder / "runs.db") == []
    told = {json.loads(line).get("tool", "") for line in (folder / "events.jsonl").read_text("utf-8").splitlines()}
    assert wanted <= {str(name).rpartition(".")[2] for name in told}, "every one was called"
