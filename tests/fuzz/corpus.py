"""What is damaged: a recording and a playbook that hold every kind of row, action and JSON column."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from simulator.browser.action_recorder import ActionKind, ActionOutcome, ActionStart, PageState
from simulator.browser.evidence import Alike, Box, Choice, Scope, Target
from simulator.recording import Recorder, RunRecorder
from simulator.tools.contracts import Image, ToolCall, ToolFailure, ToolResult
from tests.journal import enter
from tests.recording.heard import Heard

FORM = Scope(kind="form", role="form", name="Open an account")
CARD = Scope(kind="card", role="listitem", texts=("Emma", "£4.50"), tells=1, levels=2)
FIELD = Target(
    tag="input", role="textbox", name="Title", label="Title", name_attr="title", form="post /books/new",
    scopes=(FORM,), scope_depth=0, alike=Alike(role_name=2, role_name_scoped=1, label=1),
    box=Box(x=1, y=2, width=3, height=4),
)  # fmt: skip
BUTTON = Target(tag="button", role="button", name="Save", type="submit", scopes=(CARD, FORM), alike=Alike(role_name=1))
PAGE = PageState(
    "/books/{{site.books_1}}", "Emma", 200, (("POST", "/books/new", 302),), ("Too dear",), ("Saved", "confirm: Sure?")
)
LATER = "2026-05-04T10:11:12.345Z"


def _acts(cover: str) -> list[tuple[ActionKind, dict[str, Any]]]:
    told = {"told_by": {"link": {"tag": "a", "role": "link", "name": "Emma"}, "url": "/books/{{site.books_1}}"}}
    upload = {"sha256": cover, "name": "cover.png", "source": "{{file.cover_1}}"}
    wait = {"timeout": 5000, "until": "element", "how": "role", "name": "Save"}
    return [
        ("goto", {"value": "/books/{{site.books_1}}", "recorded_value": "/books/4", "options": told}),
        ("fill", {"target": FIELD, "value": "{{book.1.title}}", "recorded_value": "Emma"}),
        ("type", {"target": FIELD, "value": "Emma", "recorded_value": "Emma", "options": {"reads": "EMMA"}}),
        ("press", {"target": FIELD, "value": "Enter", "options": {"hold_ms": 40}}),
        ("select", {"target": FIELD, "value": "Crime", "options": {"option": "7"}}),
        ("check", {"target": BUTTON}),
        ("uncheck", {"target": BUTTON}),
        ("hover", {"target": BUTTON, "options": {"position": [3, 4.5]}}),
        ("focus", {"target": FIELD}),
        ("drag", {"target": BUTTON, "options": {"onto": FIELD, "onto_position": [1, 2]}}),
        ("upload", {"target": FIELD, "options": upload}),
        ("scroll", {"value": "300", "recorded_value": "300", "options": {"dx": 5}}),
        ("scroll", {"target": BUTTON, "options": {"by": [0, 400]}}),
        ("wait", {"value": "button", "recorded_value": "button", "options": wait}),
        ("dblclick", {"target": BUTTON, "options": {"nothing": True, "position": [5, 5], "stopped": "pressed"}}),
        ("open_tab", {"value": "/books", "recorded_value": "/books"}),
        ("switch_tab", {"value": "1", "recorded_value": "1"}),
        ("close_tab", {"value": "2", "recorded_value": "2"}),
        ("back", {}),
        ("forward", {}),
        ("reload", {}),
        ("click", {"target": BUTTON, "aim": "choice", "choice": Choice(rule="any", collection="/books/{id}")}),
        ("click", {"target": BUTTON, "options": {
            "button": "right", "count": 2, "modifiers": ["Shift"], "optional": True,
            "only": {"{{book.1.title}}": "Emma"},
            "dialogs": {"accept": True, "text": "Yes"}, "answered": "/books/4",
        }}),
    ]  # fmt: skip


def _steps(run: RunRecorder) -> None:
    cover = run.put_blob(b"\x89PNG cover bytes", "image/png")
    step_id = run.begin_step(
        call=ToolCall(id="a", name="search_covers", input={"query": "{{book.1.title}}"}),
        replay="call",
        task="list_books",
    )
    run.end_step(step_id, ToolResult(success=True, data=[{"title": "Emma"}], metadata={"variables": ["file.cover_1"]}))
    run.variables.set("file.cover_1", f"cover:{cover}", kind="file", step_id=step_id)
    for number, (kind, parts) in enumerate(_acts(cover)):
        call = ToolCall(id=f"call-{number}", name=kind, input={"selector": "Save", "text": "{{book.1.title}}"})
        step_id = run.begin_step(call=call, replay="actions", task="list_books")
        action_id = run.begin(ActionStart(kind, "user", before=PAGE, **parts))
        heard = Heard(
            action_id=action_id, request_parts=[{"name": "title", "value": "Emma"}], response_body=b"<p>Emma</p>"
        )
        run.exchanges.sent(heard)
        run.end(
            action_id, ActionOutcome("done", settled="navigated", after=PAGE, generated={f"site.books_{number}": "4"})
        )
        shot = Image(media_type="image/png", data=f"shot {number}".encode())
        run.end_step(step_id, ToolResult(success=True, data={"page": {"url": "/books"}}, images=(shot,)))
        enter(run, step_id=step_id, kind="book", url="/books/4", fields={"title": "{{book.1.title}}"})
    step_id = run.begin_step(call=ToolCall(id="z", name="click", input={"selector": "Gone"}), replay="actions")
    run.end_step(
        step_id, ToolResult(success=False, error=ToolFailure(type="not_found", message="nothing is called so"))
    )


def _calls(run: RunRecorder) -> None:
    request = {
        "system": [{"type": "text", "text": "You are Ann."}],
        "tools": [{"name": "click"}],
        "messages": [
            {"role": "user", "content": [{"type": "text", "text": "Go", "cache_control": {"type": "ephemeral"}}]}
        ],
    }
    answer = {"content": [{"type": "text", "text": "Done"}], "uses": [{"id": "call-0", "name": "goto", "input": {}}]}
    for _ in range(2):
        call = run.model_calls.begin(provider="anthropic", model="claude", request=request)
        run.model_calls.answered(
            call, model="claude", response=answer, usage={"input": 3, "output": 4}, asks_for=["call-0"]
        )
        request["messages"] = [
            *request["messages"],
            {"role": "assistant", "content": [{"type": "text", "text": "Done"}]},
        ]


def write_recording(path: Path, identity: dict[str, Any], persona: dict[str, Any]) -> None:
    """Write a recording with every kind of action, and with what reports are made of."""
    spent = {
        "calls": 1, "models": ["claude"], "tokens": {"input": 1, "cache_write": 0, "cache_read": 0, "output": 2},
        "cost": {"known": {"EUR": 0.1}, "unknown_calls": 0},
    }  # fmt: skip
    summary = {
        "end": "completed", "steps": 3, "tasks": [["list_books", "done", ""]], "ends": [3], "state": "ab12",
        "changes": ["step 3 says something else"], "skipped": ["step 2"], "errors": ["TypeError"],
        "checks": {"address": 2, "element": 3},
        "drift": {
            "verdict": "target_missing", "run": "x", "step": 2, "tool": "click", "sought": "button", "found": "none",
            "agreed": ["name"], "contradicted": ["form"], "candidates": ["button 'Go'"],
        },
        "heals": [{"kind": "target", "step": 1, "tool": "click", "was": "a", "found": "b", "why": ["name"]}],
        "repairs": [{
            "step": 1, "tool": "click", "task": "do", "why": "gone", "did": ["click"], "said": "ok", "made": ["a"],
            "steps": 2, "spending": spent,
        }],
        "model": {"calls": 1, "names": ["claude"], "tokens": spent["tokens"], "cost": spent["cost"]},
    }  # fmt: skip
    context = {
        "width": 1280, "height": 720, "locale": "en-GB", "timezone": "UTC", "user_agent": None, "reduced_motion": True
    }  # fmt: skip
    environment = {
        "base_url": "http://127.0.0.1:9", "browser": "130", "seed": "7", "versions": {"simulator": "0.1.0"},
        "context": context, "persona": persona, "determinism": {"clock": LATER, "random": True},
        "agent": {"all_by_model": False, "workspace": False},
    }  # fmt: skip
    with Recorder.open(path) as recorder:
        settings = {
            "site": "bookshop", "count": 2, "concurrency": 2, "agent": "autopilot", "model": "",
            "limits": {"minutes": 5},
            "definitions": [persona], "email_domain": "example.com", "all_by_model": False, "human": False,
            "prices": {"asked": "claude", "known": {}},
        }  # fmt: skip
        batch = recorder.begin_batch(argv=["sim", "personas", "run"], seed="7", settings=settings)
        runs = []
        for number in (1, 2):
            run = recorder.begin_run(
                batch_id=batch, number=number, kind="record", agent="autopilot" if number == 1 else "claude",
                persona=persona["persona"], identity=identity, environment=environment, site="bookshop",
            )  # fmt: skip
            run.actors.add("user", context=context)
            _calls(run)
            _steps(run)
            runs.append(run)
        first, second = runs
        with recorder.writer.transaction():
            recorder.writer.execute(
                "UPDATE step SET flags = ? WHERE ordinal = 2",
                ('{"keep_text":true,"learnt":{"0":{"notes":["Saved"],"title":"Emma"}},"place":2,"shows":{"site.code_1":'
                 '{"action":0,"words":"Order"}}}',),
            )  # fmt: skip
        step = second.begin_step(call=ToolCall(id="n", name="send", input={}), replay="actions")
        second.end_step(step, ToolResult(success=True))
        second.add_dependency(step_id=step, producer_run=first.id, producer_step=None, name="site.books_1")
        first.end_run(status="passed", verdict=None, summary=summary)
        second.end_run(status="failed", verdict="target_missing", reason="nothing is called so", summary=summary)
        recorder.end_batch(batch, status="failed")
