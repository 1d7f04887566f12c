"""The SDK's browser toolset on the real bookshop: what its members do is recorded, and replayed without a model."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from anthropic.types.beta import BetaBrowserMemberName

from simulator.agent.browser_members import NOT_EXECUTED, member_specs
from simulator.agent.browser_toolset import READING
from simulator.recording.reader import Recording
from simulator.recording.rows import StepRow
from simulator.replay.plan import plan_run
from tests.fakes.messages_api import KEY, Answer, MessagesApi, Request, call, calls, messages_api, use
from tests.runner.bench import Bench, Original, settings
from tests.runner.leaks import cells, leaks

pytestmark = pytest.mark.timeout(900)

PERSONA = {
    "persona": "pointer",
    "tasks": ["register", {"do": "Act."}],
    "viewport": {"width": 1280, "height": 800},
    "tools": {"toolsets": ["anthropic-browser"]},
}
Step = Callable[[Request], Answer]


def member(name: str, /, **input: Any) -> dict[str, Any]:
    return use(name, "browser", **{key.rstrip("_"): value for key, value in input.items()})


def at(ref: str) -> dict[str, str]:
    return {"type": "ref", "ref": ref}


def point(x: int, y: int) -> dict[str, Any]:
    return {"type": "coordinate", "x": x, "y": y}


def ref(request: Request, role: str, name: str) -> dict[str, str]:
    """The reference of what a tree or a list of matches shows."""
    found = re.search(rf'{role} "{re.escape(name)}[^\n]*?\[ref=(e\d+)\]', request.said)
    assert found, (role, name, request.said[:4000])
    return at(found[1])


@pytest.fixture
def act(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Records a run in which a model takes these steps."""

    async def record(*steps: Answer | Step, **more: Any) -> tuple[Original, MessagesApi, list[StepRow], Bench]:
        def model(request: Request) -> Answer:
            step = steps[request.turn] if request.turn < len(steps) else call("complete", result="acted")
            return step(request) if callable(step) else step

        bench = Bench(tmp_path, settings())
        with messages_api(model) as api:
            monkeypatch.setenv("ANTHROPIC_API_KEY", KEY)
            monkeypatch.setenv("ANTHROPIC_BASE_URL", api.url)
            made = await bench.record("made", (PERSONA | more,), count=1, concurrency=1, agent="claude")
        monkeypatch.delenv("ANTHROPIC_API_KEY")
        assert api.refused == []
        with Recording.open(made.db) as recording:
            rows = [step for step in recording.steps(made.result.runs[0].run_id) if step.task == "do"]
        return made, api, rows, bench

    return record


def outcome(steps: list[StepRow]) -> list[tuple[str | None, str]]:
    return [(step.tool, step.error_type or "done") for step in steps if step.tool != "login"]


@pytest.mark.slow
async def test_a_message_and_a_saved_book_by_its_members(act: Callable[..., Any]) -> None:
    def to_book(request: Request) -> Answer:
        return calls(
            member("left_click", target=ref(request, "link", "Moby-Dick")),
            member("find", query="message to the seller"),
        )

    def write(request: Request) -> Answer:
        field = re.search(r'textbox "Message to[^\n]*\[ref=(e\d+)\]', request.said)
        assert field, request.said
        return calls(
            member("form_input", target=at(field[1]), value="What a lovely copy, from {{identity.first_name}}!"),
            member("find", query="send message button"),
        )

    def send(request: Request) -> Answer:
        return calls(
            member("left_click", target=ref(request, "button", "Send message")), member("find", query="save button")
        )

    def save(request: Request) -> Answer:
        return calls(
            member("left_click", target=ref(request, "button", "Save")), member("read_page", filter="interactive")
        )

    steps = (calls(member("navigate", url="/books"), member("read_page")), to_book, write, send, save)
    made, api, rows, bench = await act(*steps)
    (run,) = made.result.runs
    state = made.shop.state[run.username]
    assert "What a lovely copy" in json.dumps(state["message"])
    assert len(state["save"]) == 1
    prefix = "anthropic-browser"
    assert outcome(rows) == [
        *((f"{prefix}.{name}", "done") for name in (
            "navigate", "read_page", "left_click", "find", "form_input", "find", "left_click", "find", "left_click",
            "read_page",
        )),
        ("complete", "done"),
    ]  # fmt: skip
    assert "browser_toolset_20260801" in api.requests[0].tools
    replayed = await bench.replay(made.db, "again", concurrency=1)
    assert replayed.verdicts == ["passed"], [run.drift for run in replayed.result.runs]
    assert replayed.shop.whole == made.shop.whole


@pytest.mark.slow
async def test_pointing_and_typing_on_the_picture(act: Callable[..., Any]) -> None:
    def look(request: Request) -> Answer:
        return calls(
            member("left_click", target=ref(request, "searchbox", "Search for")),
            member("type", text="whale"),
            member("screenshot"),
        )

    def go(request: Request) -> Answer:
        (_, _, shot) = request.results
        assert [block["type"] for block in shot["content"]] == ["image", "browser_state"]
        return calls(
            member("key", text="ctrl+a"),
            member("type", text="Moby-Dick"),
            member("key", text="Return"),
            member("zoom", region=[0, 0, 300, 200]),
            member("scroll", target=point(600, 400), scroll_direction="down", scroll_amount=2),
            member("read_page"),
        )

    def click(request: Request) -> Answer:
        assert "Moby-Dick" in request.said
        return calls(
            member("hover", target=ref(request, "link", "Moby-Dick")),
            member("scroll_to", target=ref(request, "link", "Moby-Dick")),
            member("get_page_text"),
            member("wait", duration=0.1),
        )

    made, _, rows, bench = await act(calls(member("navigate", url="/books"), member("read_page")), look, go, click)
    assert [step.error_message for step in rows if not step.success] == []
    replayed = await bench.replay(made.db, "again", concurrency=1)
    assert replayed.verdicts == ["passed"], [run.drift for run in replayed.result.runs]


@pytest.mark.slow
async def test_a_click_on_a_point_is_replayed_on_the_element_that_was_there(
    act: Callable[..., Any], tmp_path: Path
) -> None:

    def hover(request: Request) -> Answer:
        return calls(member("hover", target=ref(request, "link", "This or that")))

    def click(request: Request) -> Answer:
        with Recording.open(tmp_path / "made.db") as recording:
            (run,) = recording.runs()
            hovered = [action for action in recording.actions(run.id) if action.kind == "hover"][-1]
        assert hovered.target
        box = hovered.target.box
        assert box
        middle = point(int(box.x + box.width / 2), int(box.y + box.height / 2))
        return calls(member("left_click", target=middle), member("get_page_text"))

    made, _, rows, bench = await act(calls(member("navigate", url="/books"), member("read_page")), hover, click)
    assert [step.error_message for step in rows if not step.success] == []
    with Recording.open(made.db) as recording:
        clicked = [action for action in recording.actions(made.result.runs[0].run_id) if action.kind == "click"][-1]
    assert clicked.target
    assert (clicked.target.role, clicked.target.name) == ("link", "This or that")
    assert clicked.after
    assert clicked.after.url == "/this-or-that"
    replayed = await bench.replay(made.db, "again", concurrency=1)
    assert replayed.verdicts == ["passed"]


@pytest.mark.slow
async def test_tabs_and_what_the_page_says_of_itself(act: Callable[..., Any]) -> None:
    def second(request: Request) -> Answer:
        (opened,) = request.results
        (state,) = opened["content"]
        assert [tab["active"] for tab in state["tabs"]] == [False, True]
        assert state["state_changes"] == [{"type": "tab_opened", "tab_id": state["tabs"][1]["tab_id"]}]
        first = state["tabs"][0]["tab_id"]
        return calls(
            member("navigate", url="/terms"),
            member("navigate", url="/books"),
            member("get_page_text", tab_id=first),
            member("list_tabs"),
            member("switch_tab", tab_id=state["tabs"][1]["tab_id"]),
            member("close_tab", tab_id=first),
            member("read_network"),
            member("read_console"),
            member("navigate", url="back"),
            member("navigate", url="reload"),
        )

    made, api, rows, bench = await act(calls(member("new_tab")), second)
    assert [step.error_message for step in rows if not step.success] == []
    results = api.requests[2].results
    tabs = [block for result in results for block in result["content"] if block["type"] == "browser_state"]
    assert [len(state["tabs"]) for state in tabs] == [2, 2, 2, 2, 2, 1, 1, 1, 1, 1]
    assert "/books" in "\n".join(block["text"] for block in results[6]["content"] if block["type"] == "text")
    replayed = await bench.replay(made.db, "again", concurrency=1)
    assert replayed.verdicts == ["passed"], [run.drift for run in replayed.result.runs]


REFUSALS = [
    (member("navigate", url="https://example.com/"), "blocked", "not on this site"),
    (member("navigate", url="example.com/x"), "blocked", "not on this site"),
    (member("navigate", url="file:///etc/passwd"), "blocked", "not on this site"),
    (member("navigate"), "invalid_input", "url"),
    (member("fly", high=True), "unknown_tool", "unknown browser toolset member"),
    (member("javascript_exec", text="1"), "not_allowed", "not"),
    (member("left_click", target=at("e9999")), "not_found", "e9999"),
    (member("file_upload", target=at("e1"), paths=["../key"]), "not_allowed", ".."),
    (member("file_upload", target=at("e1"), paths=["/etc/passwd"]), "not_allowed", "outside"),
    (member("file_upload", target=at("e1"), document_ids=["file_1"]), "not_allowed", "own folder"),
    (member("switch_tab", tab_id="9"), "not_found", "no tab 9"),
    (member("key", text="ctrl+Nothing"), "invalid_input", "Nothing"),
]


@pytest.mark.slow
async def test_refusals_are_recorded_and_told(act: Callable[..., Any]) -> None:
    # A look that tells something new comes after each, so that nobody loses patience.
    steps = [
        step
        for number, (refused, _, _) in enumerate(REFUSALS)
        for step in (calls(refused), calls(member("find", query=f"book {number}")))
    ]
    made, api, rows, bench = await act(calls(member("navigate", url="/books")), *steps)
    told = [result for request in api.requests for result in request.results if result.get("is_error")]
    assert [step.error_type for step in rows if not step.success] == [kind for _, kind, _ in REFUSALS]
    for result, (_, _, said) in zip(told, REFUSALS, strict=True):
        assert said in json.dumps(result["content"]), said
    replayed = await bench.replay(made.db, "again", concurrency=1)
    assert replayed.verdicts == ["passed"], [run.drift for run in replayed.result.runs]


@pytest.mark.slow
async def test_what_follows_a_failed_member_is_not_executed(act: Callable[..., Any]) -> None:
    failing = calls(
        member("left_click", target=at("e9999")), member("type", text="hello"), member("key", text="Return")
    )
    _, api, rows, _ = await act(calls(member("navigate", url="/books")), failing, calls(member("get_page_text")))
    assert outcome(rows)[1:4] == [
        ("anthropic-browser.left_click", "not_found"),
        ("anthropic-browser.type", "unavailable"),
        ("anthropic-browser.key", "unavailable"),
    ]
    assert [NOT_EXECUTED in json.dumps(result) for result in api.requests[2].results] == [False, True, True]


@pytest.mark.table
async def test_a_secret_typed_by_a_member_is_nowhere(act: Callable[..., Any]) -> None:
    own = "correct horse battery staple"

    def fill(request: Request) -> Answer:
        field = re.search(r'textbox "Password[^\n]*\[ref=(e\d+)\]', request.said)
        assert field, request.said
        return calls(
            member("left_click", target=at(field[1])),
            member("type", text=own),
            member("read_page"),
            member("screenshot"),
        )

    made, api, rows, _ = await act(
        calls(use("logout"), member("navigate", url="/account/login"), member("read_page")),
        fill,
        calls(member("read_page")),
    )
    assert [step.error_message for step in rows if not step.success] == []
    assert leaks(cells(made.db), [own]) == []
    assert leaks([("requests", json.dumps(api.requests[-1].body).encode())], [own]) == []


def test_every_member_is_served_but_scripts() -> None:
    assert set(member_specs()) == set(get_args(BetaBrowserMemberName))
    assert set(READING) <= set(member_specs())


@pytest.mark.slow
async def test_a_pointer_that_rested_on_nothing_stops_no_replay(act) -> None:
    made, _, rows, bench = await act(
        calls(member("navigate", url="/about"), member("mouse_move", target=point(3, 400)), member("get_page_text"))
    )
    (moved,) = (step for step in rows if step.tool == "anthropic-browser.mouse_move")
    with Recording.open(made.db) as recording:
        (hover,) = recording.actions(moved.id)
        plan = plan_run(recording, recording.run(made.result.runs[0].run_id))
    assert hover.kind == "hover"
    assert "the pointer rested on the bare page" in [one.reason for one in plan.dropped]
    replayed = await bench.replay(made.db, "again")
    assert replayed.verdicts == ["passed"], [run.drift for run in replayed.result.runs]
