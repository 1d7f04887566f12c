"""Recorded runs as a trace for Playwright's trace viewer: what was done and when, what it led to, pictures.

Not responsible for: what a trace of a live browser holds besides (DOM snapshots, traffic): that has secrets in it.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Iterator, Mapping
from datetime import datetime
from importlib.metadata import version
from typing import Any

from simulator.recording.reader import Recording
from simulator.recording.rows import ActionRow, RunRow, StepRow

_VERSION = 10
"""Of the trace's format, as Playwright 1.65 writes it; later viewers read older ones."""
_FRAMES = "screencast"
_EPOCH = (1980, 1, 1, 0, 0, 0)
"""The same run makes the same file."""
Event = dict[str, Any]


def write_trace(recording: Recording, runs: tuple[RunRow, ...]) -> bytes:
    """Write runs as a ZIP file that ``playwright show-trace`` opens.

    Args:
        recording: where they stand.
        runs: each becomes a browser context of the trace.
    """
    held = io.BytesIO()
    frames: dict[str, bytes] = {}
    with zipfile.ZipFile(held, "w", zipfile.ZIP_DEFLATED) as archive:
        for number, run in enumerate(runs):
            lines = "".join(f"{json.dumps(event, ensure_ascii=False)}\n" for event in _events(recording, run, frames))
            archive.writestr(
                zipfile.ZipInfo(f"{number}-trace.trace", _EPOCH), lines.encode("utf-8", "backslashreplace")
            )
            archive.writestr(zipfile.ZipInfo(f"{number}-trace.network", _EPOCH), "")
        for name, data in frames.items():
            archive.writestr(zipfile.ZipInfo(name, _EPOCH), data)
    return held.getvalue()


def _events(recording: Recording, run: RunRow, frames: dict[str, bytes]) -> Iterator[Event]:
    context = run.environment.get("context", {})
    viewport = {"width": context.get("width", 1280), "height": context.get("height", 720)}
    yield {
        "version": _VERSION,
        "type": "context-options",
        "origin": "library",
        "browserName": "chromium",
        "playwrightVersion": version("playwright"),
        "options": {"viewport": viewport, "baseURL": run.environment.get("base_url")},
        "platform": "linux",
        "wallTime": datetime.fromisoformat(run.started_at).timestamp() * 1000,
        "monotonicTime": _ms(run.started_ns),
        "sdkLanguage": "python",
        "testIdAttributeName": "data-testid",
        "title": f"{run.persona or 'run'} {run.number}",
    }
    actions: dict[str, list[ActionRow]] = {}
    for action in recording.actions(run.id):
        actions.setdefault(action.step_id, []).append(action)
    for step in recording.steps(run.id):
        group = {"class": "Tracing", "method": "tracingGroup", "title": step.tool or "by hand"}
        yield {"type": "before", "callId": step.id, "startTime": _ms(step.started_ns), "params": step.input, **group}
        for action in actions.get(step.id, ()):
            yield from _act(action)
        yield {"type": "after", "callId": step.id, "endTime": _ms(step.ended_ns or step.started_ns), **_failed(step)}
        yield from _picture(recording, step, viewport, frames)


def _act(action: ActionRow) -> Iterator[Event]:
    call = {"callId": action.id}
    target, ended = action.target, _ms(action.ended_ns or action.started_ns)
    named = {key: value for key, value in (("value", action.value), ("by", action.actor)) if value is not None}
    title = f"{action.kind} {_aimed(action)}".strip()
    yield {
        "type": "before", "startTime": _ms(action.started_ns), "title": title, "class": "Frame",
        "method": action.kind, "params": named, "parentId": action.step_id, **call,
    }  # fmt: skip
    if target and target.box:
        yield {"type": "input", "box": target.box.model_dump(), **call}
    if action.after:
        said = [f"led to {action.after.url}, {action.settled}"]
        said += [f"{method} {address}: {status or 'no answer'}" for method, address, status in action.after.requests]
        said += [f"the page shows the error '{text}'" for text in action.after.alerts]
        said += [f"the page says '{text}'" for text in action.after.notes]
        yield from ({"type": "log", "time": ended, "message": text, **call} for text in said)
    failed = {"error": {"name": action.status, "message": action.error or action.status}}
    yield {"type": "after", "endTime": ended, **call, **(failed if action.status != "done" else {})}


def _aimed(action: ActionRow) -> str:
    target = action.target
    if target is None:
        return action.value or ""
    typed = f" with {action.value!r}" if action.value is not None and action.kind != "upload" else ""
    return f"{target.words}{typed}"


def _failed(step: StepRow) -> Mapping[str, Any]:
    if step.success:
        return {}
    message = step.error_message or step.status
    return {"error": {"name": step.error_type or step.status, "message": message}}


def _picture(
    recording: Recording, step: StepRow, viewport: Mapping[str, int], frames: dict[str, bytes]
) -> Iterator[Event]:
    sha256 = step.metadata.get("screenshot")
    if not isinstance(sha256, str):
        return
    name = f"{_FRAMES}/{sha256}.png"
    frames.setdefault(name, recording.blobs.read(sha256))
    yield {
        "type": "screencast-frame", "pageId": step.run_id, "file": name,
        "timestamp": _ms(step.ended_ns or step.started_ns), **viewport,
    }  # fmt: skip


def _ms(ns: int) -> float:
    return ns / 1e6
