"""What the Messages API has a type for is offered by it, called by its name, and answered as the model expects it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from simulator.agent.blocks import tool_params
from simulator.recording.reader import Recording
from simulator.tools.spec import ToolSpec, tool
from simulator.tools.toolsets import registry_of
from tests.fakes.messages_api import KEY, Answer, Request, call, calls, messages_api, use
from tests.runner.bench import Bench, settings

pytestmark = pytest.mark.timeout(300)

DISPLAY = (1280, 800)
TINKERER = {
    "persona": "tinkerer",
    "tasks": [{"do": "Look at the shop and note what you see."}],
    "tools": {"toolsets": ["browser", "computer", "workspace"]},
}


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path, settings())


def model(request: Request) -> Answer:
    match request.turn:
        case 0:
            return calls(use("navigate", url="/"), use("computer", action="screenshot"))
        case 1:
            return calls(
                use("bash", command="pwd; echo seen >notes.md; echo careful >&2; (exit 3)"), use("bash", command="pwd")
            )
        case 2:
            folder = request.results[1]["content"][0]["text"].strip()
            return call(
                "str_replace_based_edit_tool",
                command="str_replace",
                path=f"{folder}/notes.md",
                old_str="seen",
                new_str="looked at",
            )
    return call("complete", result="Noted.")


@pytest.mark.table
async def test_they_are_offered_called_and_answered(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    with messages_api(model) as api:
        monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
        monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
        made = await bench.record("made", (TINKERER,), count=1, concurrency=1, agent="claude", allow_workspace=True)
    assert made.result.runs[0].status == "passed", made.result.runs[0].reason
    assert api.refused == []
    for request in api.requests:
        assert request.headers["anthropic-beta"] == "computer-use-2025-11-24"
        offered = {one["name"]: one for one in request.body["tools"]}
        assert offered["bash"] == {"type": "bash_20250124", "name": "bash"}
        edit = offered["str_replace_based_edit_tool"]
        assert edit == {"type": "text_editor_20250728", "name": "str_replace_based_edit_tool"}
        assert "edit" not in offered
        computer = offered["computer"]
        assert (computer["type"], computer["enable_zoom"]) == ("computer_20251124", True)
        shown = (computer["display_width_px"], computer["display_height_px"])
        assert "input_schema" in offered["navigate"]
    with Recording.open(made.db) as recording:
        steps = [one for one in recording.steps(made.result.runs[0].run_id) if one.tool != "complete"]
        assert [step.tool for step in steps] == ["navigate", "computer", "bash", "bash", "str_replace_based_edit_tool"]
        assert all(step.success for step in steps)
        assert shown == (steps[1].metadata["width"], steps[1].metadata["height"]), "what it points at is that picture"
    _, _, terminal, edited = (request.results for request in api.requests)
    folder = terminal[1]["content"][0]["text"].strip()
    assert terminal[0]["content"][0]["text"] == f"{folder}\n\ncareful\n\nexit code: 3"
    assert terminal[0]["is_error"] is False
    assert "looked at" in edited[0]["content"][0]["text"]
    replayed = await bench.replay(made.db, "again")
    assert replayed.verdicts == ["passed"]


def test_a_tool_that_takes_something_else_is_offered_by_its_schema() -> None:
    @tool(category="system", safety="dangerous", replay="skip", examples=[{"command": "ls"}])
    async def bash(ctx: object, command: str) -> str:
        """Run a command elsewhere.

        Args:
            ctx: The run.
            command: What to run.
        """
        return ""

    (params,) = tool_params([bash], DISPLAY)
    assert "input_schema" in params


@pytest.mark.parametrize(
    ("name", "kind"),
    [("bash", "bash_20250124"), ("edit", "text_editor_20250728"), ("computer", "computer_20251124")],
)
def test_a_model_that_does_not_know_them_is_offered_their_schemas(name: str, kind: str) -> None:
    spec: ToolSpec = registry_of(["computer", "workspace"]).get_tool(name)
    assert tool_params([spec], DISPLAY)[0]["type"] == kind
    (params,) = tool_params([spec])
    assert params["name"] == name
    assert "input_schema" in params
    assert "input_schema" in tool_params([replace(spec, name=f"my_{name}", aliases=())], DISPLAY)[0]
